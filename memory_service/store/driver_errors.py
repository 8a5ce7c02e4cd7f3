"""Errors of the database and its driver as errors of this package."""

from __future__ import annotations

from collections.abc import Callable

import asyncpg

from memory_service.errors import (
    HTTP_HINT,
    BankElsewhere,
    Conflict,
    DatabaseUnavailable,
    DatabaseUnsuitable,
    EmbeddingModelChanged,
    InvalidInput,
    MemoryServiceError,
    NotFound,
    PreconditionFailed,
    RequestInProgress,
)

FailureReason = Callable[[], str | None]
"""Why the database's server cannot run, where that is known."""

UNCOUNTED = (
    "track_counts is off on the database's server: the rows that an erasure deletes could not be counted. Set it to "
    "on, then erase again"
)

NO_SUCH_BANK = f"bank_id: there is no such bank; {HTTP_HINT}"

DOMAIN_ERRORS: dict[str, Callable[[Exception], MemoryServiceError]] = {
    "ME001": lambda _: NotFound(NO_SUCH_BANK),
    "ME002": lambda e: Conflict(f"id: {e} was used before in this conversation with other content"),
    "ME004": lambda e: Conflict(f"idempotency_key: {e} was used before with another memory"),
    "ME006": lambda e: Conflict(f"status: this memory is {e}; only a quarantined one can be released"),
    "ME007": lambda e: Conflict(f"status: this fact is {e} and takes no more reviews"),
    "ME008": lambda e: Conflict(f"status: this question is {e}; it takes no other answer"),
    "ME009": lambda _: InvalidInput(
        "keep", "must be one of the two facts that the question is about, or both"
    ),
    "ME011": lambda e: Conflict(
        f"status: this memory is {e}; only one that was archived, deprecated or dropped by a cap can be restored"
    ),
    "ME012": lambda e: RequestInProgress(f"Idempotency-Key: a request with the key {e} is being processed"),
    "ME014": lambda e: PreconditionFailed(f"If-Match: the memory has changed; its ETag is now {e}"),
    "ME015": lambda e: Conflict(f"status: this memory is {e}; it does not take this change"),
    "ME013": lambda e: InvalidInput("Idempotency-Key", f"{e} was used before with another request"),
    "ME021": lambda e: NotFound(f"replaces: there is no procedure {e} in this bank"),
    "ME022": lambda e: Conflict(f"status: this norm is {e}"),
    "ME016": lambda e: InvalidInput(
        "cursor", "is of another database, as after a restore; read without a cursor"
    ),
    "ME050": lambda e: Conflict(
        f"session_id: the bank has {int(str(e)):,} sessions, its cap (most_sessions)"
    ),
    "ME051": lambda e: InvalidInput(
        "data", f"is larger than {int(str(e)):,} bytes of JSON, the bank's limit (session_bytes)"
    ),
    "ME052": lambda e: Conflict(f"session_id: this bank has a session {e} already"),
    "ME080": lambda _: BankElsewhere(),
    "ME053": lambda e: Conflict(
        f"name: the session has {int(str(e)):,} checkpoints with a name, its cap (most_checkpoints)"
    ),
    "ME061": lambda _: EmbeddingModelChanged(),
    "ME062": lambda e: Conflict(
        f"model: the bank still has vectors of {e}; `memory-service reembed --end` deletes them"
    ),
    "ME063": lambda _: DatabaseUnsuitable(UNCOUNTED),
    "ME070": lambda e: Conflict(f"bank_id: the bank is not empty: it has rows in {e}"),
    "ME071": lambda e: Conflict(
        f"bank_id: the bank was erased at {e}, after this export; erased memories are not brought back"
    ),
}
"""By the SQLSTATE that functions of memory_api raise; the message is a status, an id or a key."""

NOT_MIGRATED = (
    "the database is not migrated to this release; run `memory-service migrate`, or restart this process if another "
    "release has migrated the database"
)

UNAVAILABLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.ObjectNotInPrerequisiteStateError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InsufficientResourcesError,
    asyncpg.QueryCanceledError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.InternalClientError,
    asyncpg.DeadlockDetectedError,
)


class translated_errors:  # noqa: N801 - reads as a statement: `with translated_errors():`
    """Raise the driver's errors as this package's; calls `on_unavailable` where that is DatabaseUnavailable.

    The message of DatabaseUnavailable is taken from `failure_reason` where that knows one.
    """

    def __init__(
        self,
        on_unavailable: Callable[[], None] | None = None,
        failure_reason: FailureReason | None = None,
    ) -> None:
        self._on_unavailable = on_unavailable
        self._failure_reason = failure_reason

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, MemoryServiceError):
            return
        domain = domain_error(error)
        if domain is None:
            return
        if isinstance(domain, DatabaseUnavailable):
            if self._on_unavailable is not None:
                self._on_unavailable()
            reason = None if self._failure_reason is None else self._failure_reason()
            if reason is not None:
                domain = no_response(reason)
        raise domain from error


def domain_error(error: Exception) -> MemoryServiceError | None:
    """The error of this package for one of the driver; None where there is none: a bug of this package."""
    if made := DOMAIN_ERRORS.get(getattr(error, "sqlstate", None) or ""):
        return made(error)
    if isinstance(
        error, asyncpg.UndefinedFunctionError | asyncpg.InvalidSchemaNameError | asyncpg.UndefinedTableError
    ):
        return DatabaseUnsuitable(NOT_MIGRATED)
    if isinstance(error, ValueError) and "unknown type: public." in str(error):
        return DatabaseUnsuitable(NOT_MIGRATED)
    if isinstance(error, asyncpg.InvalidPasswordError | asyncpg.InvalidAuthorizationSpecificationError):
        return DatabaseUnsuitable(f"the database refuses the login: {error}")
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return DatabaseUnsuitable(str(error))
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return DatabaseUnsuitable(f"the login lacks a right: {error}")
    if isinstance(error, FileNotFoundError | ConnectionRefusedError):
        return no_response("its server is not running")
    if isinstance(error, asyncpg.DiskFullError):
        return no_response("its disk is full")
    if isinstance(error, UNAVAILABLE):
        return no_response(type(error).__name__)
    if isinstance(error, asyncpg.InterfaceError) and "clos" in str(error):
        return DatabaseUnavailable("the database connection was lost")
    return None


def no_response(reason: str) -> DatabaseUnavailable:
    return DatabaseUnavailable(f"the database does not answer: {reason}")
