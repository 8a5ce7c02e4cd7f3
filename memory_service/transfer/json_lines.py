"""Parsing of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from memory_service.errors import InvalidInput


def json_objects(lines: Iterable[str], place: Callable[[int], str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each line that is not blank; `place` formats the place from the line number.

    Errors: InvalidInput naming the place.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        at = place(number)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InvalidInput(at, "is not JSON") from None
        if not isinstance(row, dict):
            raise InvalidInput(at, "is not a JSON object")
        yield at, cast("dict[str, Any]", row)
