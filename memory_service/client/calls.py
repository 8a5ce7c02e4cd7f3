"""A method of the client: the signature of its namesake in `MemoryMethods`, and the request that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from types import CoroutineType, NoneType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast, get_type_hints
from urllib.parse import quote
from uuid import UUID

from memory_service.client.caller import Caller
from memory_service.client.request import (
    Repeat,
    Request,
    Verb,
    bank_path,
    id_text,
    request,
    waiting_seconds,
)
from memory_service.method_arguments import QUERY_NAMES, arguments_of
from memory_service.methods import MemoryMethods
from memory_service.validation import (
    MAX_SESSION_BYTES,
    MAX_SESSION_DEPTH,
    check_json,
    check_metadata,
    check_session_id,
)

P = ParamSpec("P")
R = TypeVar("R")

WAITS = {"wait_ms": 0.001, "wait_seconds": 1.0}
"""Arguments that say how long the service may wait, and their unit in seconds."""


class CallsBase:
    """Holds what sends the requests."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller


@dataclass(frozen=True, slots=True)
class Route:
    """Where a method's arguments go: those named in `path` and `query` there, the others of a GET or DELETE into the
    query, of other methods into the body."""

    verb: Verb
    path: str
    """Below the bank; names of arguments in braces."""
    repeat: Repeat
    query: Sequence[str]
    renamed: Mapping[str, str]
    always: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Signature:
    """Types of a method's parameters and result."""

    ids: Mapping[str, bool]
    """Parameters that are a UUID, and whether they must be given."""
    result: Any


@cache
def signature_of(method: Callable[..., object]) -> Signature:
    hints = get_type_hints(method)
    ids = {name: hint is UUID for name, hint in hints.items() if hint in (UUID, UUID | None)}
    return Signature(ids, hints["return"])


def call(
    method: Callable[Concatenate[MemoryMethods, P], CoroutineType[Any, Any, R]],
    verb: Verb,
    path: str = "",
    repeat: Repeat = "never",
    *,
    query: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    always: Mapping[str, object] | None = None,
    field: str | None = None,
) -> Callable[Concatenate[CallsBase, P], CoroutineType[Any, Any, R]]:
    """The method of the client. `field`: the field of the answer that is the result; None: all of it. The other
    parameters are those of Route; a GET is always repeatable."""
    route = Route(verb, path, repeat, query, renamed or {}, always or {})

    @wraps(method)
    async def send(self: CallsBase, *arguments: P.args, **named: P.kwargs) -> R:
        signature = signature_of(method)
        given = arguments_of(method, (self, *arguments), named)
        del given["self"]
        made = request_of(route, given, signature.ids)
        if signature.result is NoneType:
            await self.caller.send(made)
            return cast("R", None)
        return await self.caller.call(made, signature.result, field)

    return send


def request_of(route: Route, given: Mapping[str, Any], ids: Mapping[str, bool]) -> Request:
    """The request with these arguments. Errors: InvalidInput naming an argument."""
    values: dict[str, Any] = {
        name: None if value is None and not ids.get(name) else checked(name, value, is_id=name in ids)
        for name, value in given.items()
    }
    bank_id = values.pop("bank_id")
    parts = [path_part(values, part) for part in route.path.split("/") if part]
    path = bank_path(bank_id, *parts)
    wait = next((waiting_seconds(values[name], unit) for name, unit in WAITS.items() if name in values), 0.0)
    if route.verb in ("GET", "DELETE"):
        query = {QUERY_NAMES.get(name, name): query_value(value) for name, value in values.items()}
        return request(route.verb, path, query, repeat=route.repeat, wait_seconds=wait)
    query = {name: query_value(values.pop(name)) for name in route.query}
    tags = values.pop("if_match", None)
    fields = {route.renamed.get(name, name): value for name, value in values.items()} | dict(route.always)
    headers = {} if tags is None else {"If-Match": if_match_text(tags)}
    body = fields or (None if route.verb == "POST" else {})
    return request(route.verb, path, query, body, route.repeat, headers=headers, wait_seconds=wait)


def checked(name: str, value: Any, *, is_id: bool) -> Any:
    """An argument as in process: JSON would make keys that are numbers strings. Errors: InvalidInput."""
    if is_id:
        return id_text(value, name)
    if name == "metadata":
        return check_metadata(value, name)
    if name in ("data", "append"):
        check_json(value, name, max_chars=MAX_SESSION_BYTES, max_depth=MAX_SESSION_DEPTH, empty_keys=True)
    return value


def path_part(values: dict[str, Any], part: str) -> str:
    """A part of the path; an argument's value is taken from `values`. Errors: InvalidInput."""
    if not part.startswith("{"):
        return part
    name = part[1:-1]
    value = values.pop(name)
    return quote(check_session_id(value)) if name == "session_id" else id_text(value, name)


def query_value(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def if_match_text(if_match: str | Sequence[str]) -> str:
    """ETags as a header. Characters that no ETag of the service has are escaped: such a tag matches nothing."""
    tags = [if_match] if isinstance(if_match, str) else if_match
    return ", ".join(f'"{quote(tag, safe="")}"' for tag in tags)
