"""Frozen records from the rows of a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncpg import Record

T = TypeVar("T")


def record(kind: type[T], row: Record | Mapping[str, Any], /, **given: object) -> T:
    """The dataclass `kind` from the columns that are named like its fields; `given` are fields without a column.

    Fields of type tuple take an array, null as an empty one.
    """
    values: dict[str, object] = {
        name: tuple(row[name] or ()) if is_tuple else row[name]
        for name, is_tuple in columns_of(kind)
        if name not in given
    }
    return kind(**values, **given)


@cache
def columns_of(kind: type[Any]) -> tuple[tuple[str, bool], ...]:
    """The names of a dataclass's fields, each with whether it is a tuple."""
    return tuple((field.name, str(field.type).startswith("tuple")) for field in fields(kind))
