"""Methods of `Memory` that take their signature and docstring from `MemoryMethods`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache, wraps
from types import CoroutineType
from typing import Any, Concatenate, ParamSpec, TypeVar, get_type_hints

from memory_service.method_arguments import arguments_of
from memory_service.methods import MemoryMethods

P = ParamSpec("P")
R = TypeVar("R")


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


@cache
def names_of(function: Callable[..., object]) -> tuple[tuple[str, Any], ...]:
    """The parameters of a function, or the fields of a dataclass, with their types."""
    hints = get_type_hints(function)
    return tuple((name, hints.get(name)) for name in inspect.signature(function).parameters)


def value_of(name: str, kind: Any, values: Mapping[str, object]) -> object:
    """The argument of this name; of a dataclass one of the arguments that are its fields. Errors: as the dataclass."""
    if is_dataclass(kind) and name not in values:
        return kind(**{field: value_of(field, of, values) for field, of in names_of(kind)})  # type: ignore[operator]
    return values[name]
