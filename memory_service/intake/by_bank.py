"""Things sorted by the bank that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def by_bank(things: Iterable[T], bank_of: Callable[[T], str]) -> dict[str, list[T]]:
    """Banks in the order in which they come first, each with its things in their order."""
    found: dict[str, list[T]] = {}
    for thing in things:
        found.setdefault(bank_of(thing), []).append(thing)
    return found
