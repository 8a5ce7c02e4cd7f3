"""Group items by their bank."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def by_bank(items: Iterable[T], bank_of: Callable[[T], str]) -> dict[str, list[T]]:
    """Bank ids in the order of their first item, each with its items in their order."""
    banks: dict[str, list[T]] = {}
    for item in items:
        banks.setdefault(bank_of(item), []).append(item)
    return banks
