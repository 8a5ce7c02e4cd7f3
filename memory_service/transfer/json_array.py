"""Objects of a JSON list that is too large to be read at once, also within the ZIP file of an account's export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast
from zipfile import BadZipFile, ZipFile, is_zipfile

import ijson

from memory_service.errors import InvalidInput
from memory_service.text.late_pattern import compile_late

_CONVERSATIONS = compile_late(r"(?:.*/)?conversations(?:-\d+)?\.json")
"""Conversations in a ZIP file; large accounts have them in several files."""
BOM = b"\xef\xbb\xbf"
PEEKED = 1024
"""Bytes before the list: a mark of the encoding, and spaces."""


def conversations_in(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each conversation of an export. Errors: InvalidInput naming the place."""
    number = 0
    try:
        for name, file in files_in(path):
            before = f"{name}: " if name else ""
            try:
                for item in items_of(file):
                    number += 1
                    place = f"{before}conversation {number}"
                    if not isinstance(item, dict):
                        raise InvalidInput(place, "is not a JSON object")
                    yield place, cast("dict[str, Any]", item)
            except ijson.JSONError:
                raise InvalidInput(
                    f"{before}after conversation {number}", "is not JSON, or is cut off"
                ) from None
    except (OSError, BadZipFile) as error:
        raise InvalidInput("file", f"cannot be read: {error}") from error


def files_in(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Name and content of the files with conversations: of a ZIP file its members, else the file, without a name."""
    if not is_zipfile(path):
        with path.open("rb") as file:
            yield "", file
        return
    with ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if _CONVERSATIONS.fullmatch(name))
        if not names:
            raise InvalidInput("file", "is a ZIP file without conversations.json")
        for name in names:
            with archive.open(name) as file:
                yield name, file


def items_of(file: Any) -> Iterator[object]:
    """The items of a list. Errors: InvalidInput if the file has no list."""
    start: bytes = file.peek(PEEKED)[:PEEKED]
    if start.startswith(BOM):
        file.read(len(BOM))
    if not start.removeprefix(BOM).lstrip().startswith(b"["):
        raise InvalidInput("file", "is no list of conversations")
    return ijson.items(file, "item", use_float=True)
