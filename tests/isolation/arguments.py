"""The ids and texts in the arguments of a function, and other arguments with others in their places."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from psycopg.types.json import Json, Jsonb

from tests.isolation.rows import UUID

Arguments = dict[str, Any]
Put = Callable[[object], Arguments]
"""The arguments with another value in one place."""

UNCHANGED = {
    "bank": "the bank of the call",
    "model": "a name that all banks share",
    "daily_tokens": "a number of tokens",
}
"""Parameters of the types of ids that are none, and why."""
TYPES = ("uuid", "text", "bigint")


def places(arguments: Arguments, parameters: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...], Put]]:
    """Each place of an id or text, also of an omitted argument: its name, the types that fit, and its Put.

    `parameters`: the type of each parameter of the function, by name.
    """
    for name, type_ in parameters.items():
        base, several = type_.removesuffix("[]"), type_.endswith("[]")
        value = arguments.get(name)
        if isinstance(value, (Json, Jsonb)):
            for path, text in leaves(value.obj):
                yield f"{name}{path}", types_of("text", text), in_json(arguments, name, path)
        elif base in TYPES and name not in UNCHANGED:
            rest = [str(one) if base == "uuid" else one for one in value[1:]] if several and value else []
            yield name, types_of(base), in_place(arguments, name, rest if several else None)


def types_of(type_: str, text: str | None = None) -> tuple[str, ...]:
    """The types of ids for a place; a text may be an id."""
    if type_ == "text" and (text is None or UUID.fullmatch(text)):
        return ("uuid", "text")
    return (type_,)


def in_place(arguments: Arguments, name: str, rest: list[Any] | None) -> Put:
    return lambda new: arguments | {name: new if rest is None else [new, *rest]}


def in_json(arguments: Arguments, name: str, path: tuple[Any, ...]) -> Put:
    value = arguments[name]
    return lambda new: arguments | {name: type(value)(put_at(value.obj, path, new))}


def put_at(value: Any, path: tuple[Any, ...], new: object) -> Any:
    """A copy of JSON with another value at a path."""
    copied = json.loads(json.dumps(value))
    inner = copied
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    return copied


def leaves(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], str]]:
    """Path and text of each string in JSON."""
    if isinstance(value, dict):
        for key, one in cast("dict[str, object]", value).items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for place, one in enumerate(cast("list[object]", value)):
            yield from leaves(one, (*path, place))
    elif isinstance(value, str):
        yield path, value


def shape(value: object) -> set[str]:
    """The names of arguments and of the keys in their JSON."""
    if isinstance(value, (Json, Jsonb)):
        value = value.obj
    if isinstance(value, list):
        return set[str]().union(*(shape(one) for one in cast("list[object]", value)))
    if isinstance(value, dict):
        found = cast("dict[str, object]", value)
        return {*found}.union(*(shape(one) for one in found.values()))
    return set()
