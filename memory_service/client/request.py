"""Requests of the client. A request is built once; each attempt sends the same bytes and headers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast
from urllib.parse import quote
from uuid import UUID, uuid4

from memory_service.errors import InvalidInput
from memory_service.validation import check_bank_id

Verb = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Repeat = Literal["free", "by key", "never"]
"""Whether a request may be sent again: it stores nothing or tells repetitions itself; with an idempotency key; or not.
A PUT and a PATCH may not: repeated, they could undo a change that came between; most DELETEs report what they deleted
as not found."""
KEY_HEADER = "Idempotency-Key"
MAX_WAIT_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request, without address and API key."""

    method: Verb
    path: str
    query: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    repeatable: bool = True
    """Whether sending it twice has the effect of sending it once."""
    wait_seconds: float = 0.0
    """How long the service may wait on purpose before it answers."""


def request(
    method: Verb,
    path: str,
    query: Mapping[str, object] | None = None,
    fields: Mapping[str, object] | None = None,
    repeat: Repeat = "never",
    *,
    headers: Mapping[str, str] | None = None,
    wait_seconds: float = 0.0,
) -> Request:
    """A request, with a new idempotency key where `repeat` is "by key"; a GET is always repeatable.

    Parameters and fields that are None are left out, a list in a query is repeated. Errors: InvalidInput naming a
    field.
    """
    keys = {KEY_HEADER: str(uuid4())} if repeat == "by key" else {}
    body = None if fields is None else json_body(fields)
    repeatable = method == "GET" or repeat != "never"
    given = tuple({**(headers or {}), **keys}.items())
    return Request(method, path, query_pairs(query or {}), body, given, repeatable, wait_seconds)


def bank_path(bank_id: str, *parts: str) -> str:
    """The path of a bank, or of a thing in it. Errors: InvalidInput."""
    return "/".join(("/v1/banks", quote(check_bank_id(bank_id)), *parts))


def id_text(value: object, name: str) -> str:
    """An id for a path. Errors: InvalidInput for anything but a UUID."""
    try:
        return str(value if isinstance(value, UUID) else UUID(cast("str", value)))
    except (AttributeError, TypeError, ValueError):
        raise InvalidInput(name, "is not a UUID") from None


def waiting_seconds(value: object, unit: float = 1.0) -> float:
    """A time that a call asks the service to wait; 0 for what the service will refuse."""
    seconds = value * unit if isinstance(value, int | float) else 0.0
    return seconds if 0 <= seconds <= MAX_WAIT_SECONDS else 0.0


def query_pairs(query: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Sequence) and not isinstance(value, str):
            pairs += ((name, query_text(one)) for one in cast("Sequence[object]", value))
        elif value is not None:
            pairs.append((name, query_text(value)))
    return tuple(pairs)


def query_text(value: object) -> str:
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return text.encode("utf-8", "replace").decode()  # a lone surrogate has no form in a URL


def present(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that are not None: the service gives absent ones the same defaults."""
    return {name: value for name, value in fields.items() if value is not None}


def json_body(fields: Mapping[str, object]) -> bytes:
    """The fields that are not None as JSON in UTF-8. Errors: InvalidInput naming a field that JSON cannot express."""
    given = present(fields)
    try:
        return json_text(given)
    except (TypeError, ValueError, RecursionError):
        for name, value in given.items():
            try:
                json_text(value)
            except (TypeError, ValueError, RecursionError):
                raise InvalidInput(name, "cannot be written as JSON") from None
        raise


def json_text(value: object) -> bytes:
    """Errors: TypeError, ValueError (NaN, cycles), RecursionError."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=json_value)
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate: escaped, so that the service names the field
        return json.dumps(value, allow_nan=False, separators=(",", ":"), default=json_value).encode()


def json_value(value: object) -> object:
    """What json.dumps does not know. Errors: TypeError."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(cast("Mapping[object, object]", value))
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return list(cast("Sequence[object]", value))
    raise TypeError(f"{type(value).__name__} has no form in JSON")
