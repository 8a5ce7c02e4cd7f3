"""Answers of the service: as results, or as the errors that `Memory` raises in process."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from http import HTTPStatus
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError, create_model

from memory_service.errors import (
    Conflict,
    DatabaseUnavailable,
    DatabaseUnsuitable,
    Forbidden,
    InvalidInput,
    MemoryServiceError,
    NotFound,
    PreconditionFailed,
    RequestInProgress,
    ServiceUnavailable,
    StaleVersion,
    TryLater,
    Unauthorized,
)
from memory_service.results import Session

T = TypeVar("T")

PROBLEM = "application/problem+json"
INVALID = (400, 413, 415, 422)
GATEWAY = (502, 503, 504)
"""Of a proxy that does not reach the service."""
PLAIN: dict[int, type[MemoryServiceError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    408: ServiceUnavailable,
    412: PreconditionFailed,
}
TEMPORARY = (ServiceUnavailable, TryLater, DatabaseUnavailable, RequestInProgress)
"""Errors after which the same request may succeed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def retry_after(self) -> float | None:
        """Seconds in the header Retry-After, which may be a date; None without it."""
        text = self.headers.get("retry-after", "")
        try:
            seconds = float(text) if text.isdigit() else parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
        return max(0.0, seconds) if math.isfinite(seconds) else None


def decoded(answer: Answer, result: type[T], field: str | None = None) -> T:
    """The answer's body, or one field of it, as a value of a result's type.

    Errors: MemoryServiceError for a body of another form.
    """
    try:
        if field is None:
            return cast("T", adapter(result).validate_json(answer.body))
        return getattr(adapter_of_field(field, result).validate_json(answer.body), field)
    except ValidationError as error:
        places = sorted({".".join(map(str, one["loc"])) or "body" for one in error.errors()})
        # Not the error itself, which quotes values: they may be memory text.
        raise MemoryServiceError(
            f"the answer has not the form of this release's {name_of(result)}: {', '.join(places[:3])}"
        ) from None


@cache
def adapter(result: Any) -> TypeAdapter[Any]:
    return TypeAdapter(result)


@cache
def adapter_of_field(field: str, result: Any) -> TypeAdapter[Any]:
    fields: dict[str, Any] = {field: (result, ...)}
    return TypeAdapter(create_model("Answer", **fields))


def name_of(result: Any) -> str:
    return str(getattr(result, "__name__", result))


def error_in(answer: Answer) -> MemoryServiceError:
    """The error that an answer of status 300 or above reports."""
    problem = problem_in(answer)
    status = answer.status
    if problem is None:
        detail = f"the service's address answered {status} {phrase(status)}"
        return ServiceUnavailable(detail) if status in GATEWAY else MemoryServiceError(detail)
    detail = str(problem.get("detail") or phrase(status))
    if status in INVALID:
        return invalid_input(problem, detail)
    if status == 409 and "session" in problem:
        return StaleVersion(cast("Session", adapter(Session).validate_python(problem["session"])))
    if status == 409:
        return RequestInProgress(detail) if answer.retry_after is not None else Conflict(detail)
    if status == 429:
        error = TryLater(detail, answer.retry_after or 1.0)
        error.args = (detail,)  # which names the seconds
        return error
    if status == 503:
        return DatabaseUnavailable(detail) if answer.retry_after is not None else DatabaseUnsuitable(detail)
    return PLAIN.get(status, MemoryServiceError)(detail)


def problem_in(answer: Answer) -> dict[str, Any] | None:
    """The problem document; None for an answer of something else, such as a proxy."""
    if answer.headers.get("content-type", "").partition(";")[0].strip() != PROBLEM:
        return None
    try:
        found = json.loads(answer.body)
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def invalid_input(problem: dict[str, Any], detail: str) -> InvalidInput:
    """The first invalid field; the message lists all."""
    errors: list[dict[str, Any]] = problem.get("errors") or []
    field, reason = (
        (str(errors[0].get("field")), str(errors[0].get("problem"))) if errors else ("request", detail)
    )
    error = InvalidInput(field, reason)
    error.args = (detail,)
    return error


def phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
