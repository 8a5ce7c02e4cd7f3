"""The errors of this package. A class's docstring is its default message."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_service.results import Session

HTTP_HINT = "create it with POST /v1/banks"
"""End of the message for an unknown bank; the CLI replaces it with its command."""


class MemoryServiceError(Exception):
    """The memory service could not do this."""

    status = 500
    """HTTP status that the server answers with."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())


class InvalidInput(MemoryServiceError):
    """A value is not acceptable."""

    status = 422

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class Refused(InvalidInput):
    """The harm check refuses a text."""


class Unauthorized(MemoryServiceError):
    """The request has no valid API key."""

    status = 401


class Forbidden(MemoryServiceError):
    """The API key does not allow this."""

    status = 403


class NotFound(MemoryServiceError):
    """There is no such thing in this bank."""

    status = 404


class Conflict(MemoryServiceError):
    """The same id was used before with other content."""

    status = 409


class StaleVersion(Conflict):
    """The session has changed since it was read."""

    def __init__(self, session: Session) -> None:
        super().__init__(f"version: the session has changed; its version is now {session.version}")
        self.session = session


class RequestInProgress(Conflict):
    """A request with this idempotency key is being processed."""


class TryLater(MemoryServiceError):
    """The call is refused for the moment; nothing of it was stored."""

    status = 429

    def __init__(self, message: str, retry_after: float) -> None:
        """`retry_after`: seconds."""
        super().__init__(f"{message}; try again in {math.ceil(retry_after)} s")
        self.retry_after = retry_after


class RateLimited(TryLater):
    """The API key has used up its rate limit."""

    def __init__(self, resource: str, per_minute: int, retry_after: float, remaining: int = 0) -> None:
        super().__init__(
            f"the API key may send {per_minute} {resource.replace('_', ' ')} a minute", retry_after
        )
        self.per_minute = per_minute
        self.remaining = remaining
        """Units left, fewer than the request costs."""


class ImportsDelayed(TryLater):
    """Intake is too far behind for imports."""


class EmbeddingModelChanged(MemoryServiceError):
    """The bank was switched to another embedding model meanwhile; repeat the call."""

    status = 503


class PreconditionFailed(MemoryServiceError):
    """The memory has changed since it was read."""

    status = 412


class DatabaseUnsuitable(MemoryServiceError):
    """The database cannot be used by this release."""

    status = 503


class DatabaseUnavailable(MemoryServiceError):
    """The database does not answer."""

    status = 503


def no_answer(error: Exception) -> DatabaseUnavailable:
    """The error of a driver that cannot connect, for a caller."""
    return DatabaseUnavailable(f"the database does not answer: {str(error).strip()}")


class LedgerUnavailable(MemoryServiceError):
    """The ledger of erasures cannot be read or written."""

    status = 503


class BankElsewhere(MemoryServiceError):
    """The bank is on another server."""

    status = 503


class ServiceUnavailable(MemoryServiceError):
    """The service cannot be reached, or did not answer in time. A call that writes may have taken effect."""

    status = 503


class DataFolderInUse(MemoryServiceError):
    """Another server holds this data folder."""


class EmbeddedPostgresFailed(MemoryServiceError):
    """The embedded Postgres could not be started."""


class ModelError(MemoryServiceError):
    """A model call failed."""

    status = 502
    used_tokens: tuple[int, int] = (0, 0)
    """Input and output tokens of earlier calls of the same request."""


class ProviderUnavailable(ModelError):
    """The model provider does not answer: an outage, independent of the input."""

    status = 503

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """The provider's Retry-After in seconds, if given."""


class NoAnswer(ProviderUnavailable):
    """The model provider accepted the request and did not answer: an outage, or caused by the input."""

    others_answered = False
    """Whether the model answered other requests since its last failure: then it is no outage."""


class RequestRejected(ModelError):
    """The model provider refuses this input."""


class InvalidOutput(ModelError):
    """The model's answer does not have the required form."""
