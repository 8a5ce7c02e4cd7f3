"""Methods of `Memory` that take their signature and docstring from `MemoryMethods`, and the checks of their arguments.

A `bank_id`, `session_id`, `actor` or `agent_id`, a UUID and a time are checked here, a request by its dataclass.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache, wraps
from types import CoroutineType
from typing import Any, Concatenate, ParamSpec, TypeVar, get_type_hints
from uuid import UUID

from memory_service.cursors import page_request
from memory_service.intake.commit import check_id, checked_actor
from memory_service.method_arguments import QUERY_NAMES, arguments_of
from memory_service.methods import MemoryMethods
from memory_service.results import Page
from memory_service.store import Store
from memory_service.validation import (
    check_bank_id,
    check_choices,
    check_optional_line,
    check_session_id,
    check_time,
    check_uuid,
)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Check = Callable[[Any, str], object]


def check_agent(value: str | None, name: str) -> str | None:
    check_id(check_optional_line(value, name), name)
    return value


OF_NAMES: Mapping[tuple[str, Any], Check] = {
    ("bank_id", str): check_bank_id,
    ("session_id", str): check_session_id,
    ("agent_id", str | None): check_agent,
    ("actor", str): lambda value, _: checked_actor(value),
    ("actor", str | None): lambda value, _: checked_actor(value),
}
OF_KINDS: Mapping[Any, Check] = {UUID: check_uuid, datetime | None: check_time}


def bound(
    method: Callable[Concatenate[MemoryMethods, P], CoroutineType[Any, Any, R]],
    body: Callable[..., CoroutineType[Any, Any, R]],
    **fixed: object,
) -> Callable[Concatenate[Any, P], CoroutineType[Any, Any, R]]:
    """The method, carried out by `body`, whose parameters are named as those of the method or in `fixed`.

    A parameter of `body` that is a dataclass gets the method's arguments with the names of its fields.
    """

    @wraps(method)
    async def call(self: Any, *arguments: P.args, **named: P.kwargs) -> R:
        values = arguments_of(method, (self, *arguments), named) | fixed
        return await body(**{name: value_of(name, kind, values) for name, kind in names_of(body)})

    return call


def implements(
    method: Callable[Concatenate[MemoryMethods, P], CoroutineType[Any, Any, R]],
) -> Callable[
    [Callable[..., CoroutineType[Any, Any, R]]], Callable[Concatenate[Any, P], CoroutineType[Any, Any, R]]
]:
    """`bound` as a decorator of the body."""
    return lambda body: bound(method, body)


def from_store(
    method: Callable[Concatenate[MemoryMethods, P], CoroutineType[Any, Any, R]],
    function: Callable[[Store], Callable[..., CoroutineType[Any, Any, R]]],
) -> Callable[Concatenate[Any, P], CoroutineType[Any, Any, R]]:
    """The method, carried out by a function of the store that takes the same arguments in the same order."""

    @wraps(method)
    async def call(self: Any, *arguments: P.args, **named: P.kwargs) -> R:
        values = arguments_of(method, (self, *arguments), named)
        given = [value_of(name, kind, values) for name, kind in names_of(method) if name != "self"]
        return await function(self.store)(*given)

    return call


def listed(
    method: Callable[Concatenate[MemoryMethods, P], CoroutineType[Any, Any, Page[T]]],
    place: type[tuple[Any, ...]],
    function: Callable[[Store], Callable[..., CoroutineType[Any, Any, Sequence[T]]]],
    **choices: Sequence[str],
) -> Callable[Concatenate[Any, P], CoroutineType[Any, Any, Page[T]]]:
    """The method, which returns a page of a bank's list, carried out by a function of the store that takes bank, number
    of items, place and filters. `choices`: the values that a filter may have."""

    @wraps(method)
    async def call(self: Any, *arguments: P.args, **named: P.kwargs) -> Page[T]:
        values = arguments_of(method, (self, *arguments), named)
        given = {name: value_of(name, kind, values) for name, kind in names_of(method) if name != "self"}
        bank_id, limit, cursor = (given.pop(name) for name in ("bank_id", "limit", "cursor"))
        for name, known in choices.items():
            given[name] = check_choices(given[name], QUERY_NAMES[name], known) or None
        request = page_request(limit, cursor, place, bank=bank_id)
        return request.page(await function(self.store)(bank_id, request.fetched, request.after, **given))

    return call


@cache
def names_of(function: Callable[..., object]) -> tuple[tuple[str, Any], ...]:
    """The parameters of a function, or the fields of a dataclass, with their types."""
    hints = get_type_hints(function)
    return tuple((name, hints.get(name)) for name in inspect.signature(function).parameters)


def value_of(name: str, kind: Any, values: Mapping[str, Any]) -> Any:
    """The checked argument of this name; of a dataclass one of the arguments that are its fields. Errors: InvalidInput,
    those of the dataclass."""
    if is_dataclass(kind) and name not in values:
        return kind(**{
            field: value_of(field, of, values) if is_dataclass(of) else values[field] for field, of in names_of(kind)
        })  # type: ignore[operator]  # fmt: skip
    check = OF_NAMES.get((name, kind)) or OF_KINDS.get(kind)
    return values[name] if check is None else check(values[name], name)
