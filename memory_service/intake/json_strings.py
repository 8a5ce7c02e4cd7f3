"""Every string in a JSON-like value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast


def strings_in(value: object) -> Iterator[str]:
    """Every string within lists and mappings, keys too; without recursion, however deep they are nested."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            left += [part for pair in cast("Mapping[object, object]", item).items() for part in pair]
        elif isinstance(item, list | tuple):
            left += cast("Sequence[object]", item)
