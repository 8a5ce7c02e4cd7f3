"""The connection pool: one call is one statement is one transaction that names its bank."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import asyncpg
import structlog
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]

from memory_service.errors import (
    HTTP_HINT,
    Conflict,
    DatabaseUnavailable,
    DatabaseUnsuitable,
    InvalidInput,
    MemoryServiceError,
    NotFound,
)

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]

Row = asyncpg.Record
Revive = Callable[[], Awaitable[str]]
"""Sees to it that the database runs, and says where it is now."""
Trouble = Callable[[], str | None]
"""Why the database's server cannot run, where that is known."""

CONNECT_SECONDS = 15.0
REVIVE_SECONDS = 1.0
LONGEST_REVIVE_SECONDS = 30.0
DEADLOCK_TRIES = 3
RESERVED = 2
"""Connections that only urgent calls use: nobody waits with a new message behind a crowd of reads."""

NO_ENTRIES = b"\x01{}"
"""What most memories have for metadata."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Installation:
    """What the database says of itself and of who is logged in."""

    api_version: int
    release: str
    login: str
    unrestricted: bool
    """A superuser or BYPASSRLS: row security would not hold."""


class Database:
    """Runs the functions of `memory_api`. Errors of the database come out as this package's own."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._free = asyncio.Semaphore(pool.get_max_size())
        self._patient = asyncio.Semaphore(max(1, pool.get_max_size() - RESERVED))
        self._idle: list[Any] = []
        self._url = ""
        self._upkeep = False
        self._revive: Revive | None = None
        self._trouble: Trouble | None = None
        self._reviving: asyncio.Task[None] | None = None
        self._revive_pause = REVIVE_SECONDS

    @classmethod
    async def open(
        cls,
        url: str,
        size: int,
        revive: Revive | None = None,
        trouble: Trouble | None = None,
        *,
        upkeep: bool = False,
    ) -> Database:
        """A pool of up to `size` connections. Errors: DatabaseUnavailable, DatabaseUnsuitable.

        `upkeep`: what is changed through it is the night's work, and makes no bank due for another.
        `revive` is called in the background when a call ended in DatabaseUnavailable; where it then names another
        URL, the pool moves there. `trouble` tells why a database does not answer.
        """
        with translated(trouble=trouble):
            database = cls(await connect(url, size, upkeep=upkeep))
        database._url = url
        database._upkeep = upkeep
        database._revive = revive
        database._trouble = trouble
        return database

    @property
    def url(self) -> str:
        """Where the database is now."""
        return self._url

    async def close(self) -> None:
        self._revive = None
        if self._reviving is not None:
            self._reviving.cancel()
            await asyncio.wait([self._reviving])
        while self._idle:
            await self._pool.release(self._idle.pop())
        try:
            await asyncio.wait_for(self._pool.close(), 5)
        except TimeoutError:
            self._pool.terminate()

    async def rows(self, statement: str, *values: object) -> list[Row]:
        return cast("list[Row]", await self._run("fetch", statement, values))

    async def row(self, statement: str, *values: object, urgent: bool = False) -> Row | None:
        return cast("Row | None", await self._run("fetchrow", statement, values, urgent=urgent))

    async def value(self, statement: str, *values: object, urgent: bool = False) -> Any:
        return await self._run("fetchval", statement, values, urgent=urgent)

    async def _run(
        self, how: str, statement: str, values: tuple[object, ...], *, urgent: bool = False
    ) -> Any:
        with translated(self._revive_soon, self._trouble):
            for attempt in range(DEADLOCK_TRIES):
                try:
                    if urgent:
                        return await self._on_a_connection(how, statement, values)
                    async with self._patient:
                        return await self._on_a_connection(how, statement, values)
                except (asyncpg.DeadlockDetectedError, asyncpg.SerializationError):
                    # One statement is one transaction: nothing of it is left, so it may simply run again.
                    if attempt == DEADLOCK_TRIES - 1:
                        raise
        raise AssertionError("unreachable")

    async def _on_a_connection(self, how: str, statement: str, values: tuple[object, ...]) -> Any:
        async with self._free:
            connection = await self._take()
            try:
                return await getattr(connection, how)(statement, *values)
            finally:
                await self._give_back(connection)

    async def _take(self) -> Any:
        """A connection that was just in use, else one from the pool.

        Going through the pool each time costs a task and a turn of the event loop, a tenth of acknowledging.
        """
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                return connection
            await self._pool.release(connection)
        return await self._pool.acquire()

    async def _give_back(self, connection: Any) -> None:
        if connection.is_closed():
            await self._pool.release(connection)
        else:
            self._idle.append(connection)

    def _revive_soon(self) -> None:
        """Have the database revived, one attempt at a time and with a pause after each."""
        if self._revive is not None and (self._reviving is None or self._reviving.done()):
            self._reviving = asyncio.create_task(self._revive_once(self._revive))

    async def _revive_once(self, revive: Revive) -> None:
        try:
            url = await revive()
            if url != self._url:
                with translated():
                    size = self._pool.get_max_size()
                    self._move(url, await connect(url, size, upkeep=self._upkeep))
            self._revive_pause = REVIVE_SECONDS
        except Exception as error:
            known = isinstance(error, MemoryServiceError)
            log.warning("the database cannot be revived", error=str(error) if known else type(error).__name__)
            self._revive_pause = min(2 * self._revive_pause, LONGEST_REVIVE_SECONDS)
        await asyncio.sleep(self._revive_pause)

    def _move(self, url: str, pool: Pool) -> None:
        """Go on with another pool; the server of the old one is gone, and so are its connections."""
        old, self._pool, self._url = self._pool, pool, url
        self._idle.clear()
        old.terminate()
        log.warning("the database was started again")

    async def installation(self) -> Installation:
        """Errors: DatabaseUnsuitable where the schema is not there."""
        row = await self.row("select * from memory_api.installation()")
        if row is None:
            raise DatabaseUnsuitable("the database was never migrated; run `memory-service migrate`")
        return Installation(row["api_version"], row["release"], row["login"], row["unrestricted"])


async def connect(url: str, size: int, *, upkeep: bool = False) -> Pool:
    own = {"application_name": "memory-service", "statement_timeout": "60s"}
    if upkeep:
        own |= {"application_name": "memory-upkeep", "memory.upkeep": "on"}  # see mark_bank_due.sql
    return await asyncpg.create_pool(
        url, min_size=1, max_size=size, init=prepare, reset=nothing, timeout=CONNECT_SECONDS,
        server_settings=own,
    )  # fmt: skip


async def prepare(connection: Connection) -> None:
    """Binary codecs: a vector sent as text would be parsed again for each row that it is compared with.

    With synchronous_commit off, a power cut loses what was acknowledged: off becomes on, other values stay.
    """
    await connection.execute(
        "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
    )
    await register_vector(cast("Any", connection))
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=encode_jsonb, decoder=decode_jsonb, format="binary"
    )


def encode_jsonb(value: object) -> bytes:
    """jsonb on the wire: a version byte, then the text, which the caller may have made already."""
    return b"\x01" + (value if isinstance(value, bytes) else json.dumps(value).encode())


def decode_jsonb(data: bytes) -> Any:
    return {} if data == NO_ENTRIES else json.loads(data[1:])


async def nothing(_: Connection) -> None:
    """No reset between calls: no call leaves session state behind, and the default costs a round trip."""


class translated:  # noqa: N801 - reads as a statement: `with translated():`
    """Turns what the driver raises into this package's errors, and tells when the database was unavailable."""

    def __init__(self, unavailable: Callable[[], None] | None = None, trouble: Trouble | None = None) -> None:
        self._unavailable = unavailable
        self._trouble = trouble

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, MemoryServiceError):
            domain = translate(error)
            if self._unavailable is not None and isinstance(domain, DatabaseUnavailable):
                self._unavailable()
            if self._trouble is not None and isinstance(domain, DatabaseUnavailable):
                known = self._trouble()
                domain = domain if known is None else DatabaseUnavailable(unanswered(known))
            if domain is not None:
                raise domain from error


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


def unanswered(reason: str) -> str:
    return f"the database does not answer: {reason}"


def translate(error: Exception) -> MemoryServiceError | None:
    """The domain error behind a database error; None where there is none, which is then a bug of ours."""
    code = getattr(error, "sqlstate", None)
    if code == "ME001":
        return NotFound(f"bank_id: there is no such bank; {HTTP_HINT}")
    if code == "ME002":
        return Conflict(f"id: {error} was used before in this conversation with other content")
    if code == "ME004":
        return Conflict(f"idempotency_key: {error} was used before with another memory")
    if code == "ME006":
        return Conflict(f"status: this memory is {error}; only a quarantined one can be released")
    if code == "ME007":
        return Conflict(f"status: this fact is {error}; nothing more is said of it")
    if code == "ME008":
        return Conflict(f"status: this question is {error}; it takes no other answer")
    if code == "ME011":
        return Conflict(f"status: this memory is {error}; only what was put away can be brought back")
    if code == "ME009":
        return InvalidInput("keep", "must be one of the two facts that the question is about, or both")
    if isinstance(
        error, asyncpg.UndefinedFunctionError | asyncpg.InvalidSchemaNameError | asyncpg.UndefinedTableError
    ):
        return DatabaseUnsuitable(
            "the database is not migrated to this release; run `memory-service migrate`"
        )
    if isinstance(error, ValueError) and "unknown type: public." in str(error):
        return DatabaseUnsuitable(
            "the database is not migrated to this release; run `memory-service migrate`"
        )
    if isinstance(error, asyncpg.InvalidPasswordError | asyncpg.InvalidAuthorizationSpecificationError):
        return DatabaseUnsuitable(f"the database refuses the login: {error}")
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return DatabaseUnsuitable(str(error))
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return DatabaseUnsuitable(f"the login lacks a right: {error}")
    if isinstance(error, FileNotFoundError | ConnectionRefusedError):
        return DatabaseUnavailable(unanswered("its server is not running"))
    if isinstance(error, asyncpg.DiskFullError):
        return DatabaseUnavailable(unanswered("its disk is full"))
    if isinstance(error, UNAVAILABLE):
        return DatabaseUnavailable(unanswered(type(error).__name__))
    if isinstance(error, asyncpg.InterfaceError) and "clos" in str(error):
        return DatabaseUnavailable("the database connection was lost")
    return None
