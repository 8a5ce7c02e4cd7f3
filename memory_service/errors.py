"""Everything this package raises on purpose. A class's docstring is its default message."""

from __future__ import annotations

HTTP_HINT = "create it with POST /v1/banks"
"""Ends the message for an unknown bank; the command line says its own command instead."""


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


class NotFound(MemoryServiceError):
    """There is no such thing in this bank."""

    status = 404


class Conflict(MemoryServiceError):
    """The same id was used before with other content."""

    status = 409


class DatabaseUnsuitable(MemoryServiceError):
    """The database cannot be used by this release."""

    status = 503


class DatabaseUnavailable(MemoryServiceError):
    """The database does not answer."""

    status = 503


class DataFolderInUse(MemoryServiceError):
    """Another server holds this data folder."""


class EmbeddedPostgresFailed(MemoryServiceError):
    """The embedded Postgres could not be started."""


class ModelError(MemoryServiceError):
    """A model did not do what was asked."""

    status = 502
    used_tokens: tuple[int, int] = (0, 0)
    """Input and output tokens of the calls before the one that failed, where one question took several."""


class ProviderUnavailable(ModelError):
    """The model provider does not answer: an outage, never the fault of what was sent."""

    status = 503

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds that the provider asked to wait, where it said."""


class NoAnswer(ProviderUnavailable):
    """The model provider took the request and did not answer: an outage, or the fault of what was sent."""

    others_answered = False
    """Whether the model answered something else since it last did not: then it is no outage."""


class RequestRejected(ModelError):
    """The model provider refuses this very input."""


class InvalidOutput(ModelError):
    """The model answered, but not with what was asked for."""
