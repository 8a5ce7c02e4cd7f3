"""Fields of JSON objects, with errors that name their place."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.iso_time import parsed_time
from memory_service.validation import check_line


def text_at(fields: Mapping[str, Any], name: str, place: str) -> str:
    """A string that is not empty. Errors: InvalidInput naming place and field."""
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{place}: {name}", "must be a string that is not empty")
    return value


def line_at(fields: Mapping[str, Any], name: str, place: str) -> str:
    """A string of one line, such as an id. Errors: InvalidInput naming place and field."""
    return check_line(text_at(fields, name, place), f"{place}: {name}")


def time_at(fields: Mapping[str, Any], place: str, *names: str) -> datetime:
    """The time in the first of these fields that has one. Errors: InvalidInput naming place and field."""
    for name in names:
        at = parsed_time(fields.get(name), f"{place}: {name}")
        if at is not None:
            return at
    raise InvalidInput(f"{place}: {names[-1]}", "is missing")


def object_at(fields: Mapping[str, Any], name: str, place: str) -> dict[str, Any]:
    """An object. Errors: InvalidInput naming place and field."""
    value = fields.get(name)
    if not isinstance(value, dict):
        raise InvalidInput(f"{place}: {name}", "must be an object")
    return cast("dict[str, Any]", value)


def list_at(fields: Mapping[str, Any], name: str, place: str) -> list[Any]:
    """A list. Errors: InvalidInput naming place and field."""
    value = fields.get(name)
    if not isinstance(value, list):
        raise InvalidInput(f"{place}: {name}", "must be a list")
    return cast("list[Any]", value)


def objects_at(fields: Mapping[str, Any], name: str, place: str) -> list[dict[str, Any]]:
    """A list of objects. Errors: InvalidInput naming place and field."""
    found = list_at(fields, name, place)
    for number, one in enumerate(found, 1):
        if not isinstance(one, dict):
            raise InvalidInput(f"{place}: {name} {number}", "must be an object")
    return cast("list[dict[str, Any]]", found)
