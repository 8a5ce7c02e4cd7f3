"""Iteration over the strings of a JSON value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast


def strings_in(value: object) -> Iterator[str]:
    """All strings in a JSON value, keys included; iterative, so that depth is not limited by the stack."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            left += [part for pair in cast("Mapping[object, object]", item).items() for part in pair]
        elif isinstance(item, list | tuple):
            left += cast("Sequence[object]", item)
