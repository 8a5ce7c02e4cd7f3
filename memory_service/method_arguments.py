"""Arguments of a call by the names of a method's parameters, for methods that take over another's signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

QUERY_NAMES = {"tags": "tag", "statuses": "status", "kinds": "kind"}
"""Lists in a query of the HTTP interface, whose parameter is repeated."""


def arguments_of(
    method: Callable[..., object], given: Sequence[object], named: Mapping[str, object]
) -> dict[str, Any]:
    """All arguments of a call in the order of the method's parameters, `given` with `self`; defaults where they are
    missing. Errors: TypeError as a call of the method raises it."""
    names, positional, defaults = parameters_of(method)
    first = names[: len(given)]
    values: dict[str, Any] = {**defaults, **dict(zip(first, given, strict=False)), **named}
    # A fraction of the time of Signature.bind, which finds the words for the error.
    if len(given) > positional or values.keys() != set(names) or not named.keys().isdisjoint(first):
        try:
            inspect.signature(method).bind(*given, **named)
        except TypeError as error:
            raise TypeError(f"{method.__name__}() {error}") from None
    return {name: values[name] for name in names}


@cache
def parameters_of(method: Callable[..., object]) -> tuple[tuple[str, ...], int, Mapping[str, object]]:
    """The names of a method's parameters, how many of them may be given by position, and the defaults by name."""
    found = inspect.signature(method).parameters
    positional = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in found.values())
    defaults = {name: one.default for name, one in found.items() if one.default is not one.empty}
    return tuple(found), positional, defaults
