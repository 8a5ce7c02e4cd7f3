"""Objects of a JSON list that is too large to be read at once, also within the ZIP file of an account's export."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, cast
from zipfile import BadZipFile, ZipFile, is_zipfile

import ijson

from memory_service.errors import InvalidInput
from memory_service.text.late_pattern import compile_late
from memory_service.transfer.json_lines import json_objects

_CONVERSATIONS = compile_late(r"(?:.*/)?conversations(?:-\d+)?\.json")
"""Conversations in a ZIP file; large accounts have them in several files."""
_RESULTS = compile_late(r'\{(?:\s*"\w+"\s*:\s*(?:null|[\d.]+|"[^"\\]*")\s*,)*\s*"results"\s*:\s*\[')
"""The beginning of an answer of a paged API."""
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DELIMITER = re.compile(rb"[\s,:\[\]{}]")
MAX_DEPTH = 100
MAX_STRING = 10_000_000
"""Bytes of the longest string. Imports divide texts that are longer than a message."""
READ_BYTES = 1 << 18
"""At once: the parser scans a string again from its beginning for each piece read."""
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
            except NotImported as error:
                raise InvalidInput(f"{before}after conversation {number}", str(error)) from None
    except (OSError, BadZipFile, zlib.error) as error:
        raise InvalidInput("file", f"cannot be read: {error}") from error


def records_in(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place and object of each record of a file: JSON lines, a JSON list, or an object with a list `results`.

    Errors: InvalidInput naming the place.
    """
    number = 0
    try:
        with path.open("rb") as file:
            start = start_of(file)
            if not start.startswith(b"[") and not _RESULTS.match(start.decode(errors="replace")):
                with TextIOWrapper(file, "utf-8", newline="\n") as lines:
                    yield from json_objects(lines, lambda line: f"line {line}")
                return
            for item in parsed(file, "item" if start.startswith(b"[") else "results.item"):
                number += 1
                if not isinstance(item, dict):
                    raise InvalidInput(f"record {number}", "is not a JSON object")
                yield f"record {number}", cast("dict[str, Any]", item)
    except OSError as error:
        raise InvalidInput("file", f"cannot be read: {error}") from error
    except UnicodeDecodeError:
        raise InvalidInput("file", "is not UTF-8") from None
    except ijson.JSONError:
        raise InvalidInput(f"after record {number}", "is not JSON, or is cut off") from None
    except NotImported as error:
        raise InvalidInput(f"after record {number}", str(error)) from None


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
            try:
                file = archive.open(name)
            except RuntimeError as error:  # encrypted, or compressed by an unknown method
                raise InvalidInput("file", f"cannot be read: {error}") from error
            with file:
                yield name, file


def items_of(file: Any) -> Iterator[object]:
    """The items of a list. Errors: InvalidInput if the file has no list."""
    if not start_of(file).startswith(b"["):
        raise InvalidInput("file", "is no list of conversations")
    return parsed(file, "item")


def parsed(file: IO[bytes], path: str) -> Iterator[object]:
    """The values at a path of ijson. Errors: NotImported, ijson.JSONError."""
    return ijson.items(LimitedJson(file), path, use_float=True, buf_size=READ_BYTES)


class NotImported(Exception):
    """JSON that would take too long or too much memory to parse."""


class LimitedJson:
    """The bytes of a JSON file. Errors: NotImported where it is nested deeper than MAX_DEPTH or a string or number is
    longer than MAX_STRING by two pieces.

    ijson takes memory with the square of the depth, 25 GB for 100,000 levels, and time with the square of the length
    of a string: 46 s for 100 MB.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._depth = 0
        self._in_string = False
        self._escape = b""
        """A backslash at the end of the last piece."""
        self._unended = 0
        """Bytes of the last pieces, if they are all within one string or number."""

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        text = _ESCAPED.sub(b"", self._escape + data)
        self._escape = text[-1:] if text.endswith(b"\\") else b""
        pieces = text.removesuffix(b"\\").split(b'"')
        within = len(pieces) == 1 and (self._in_string or not _DELIMITER.search(text))
        self._unended = self._unended + len(data) if within else 0
        if self._unended > MAX_STRING:
            raise NotImported(f"has a string or number longer than {MAX_STRING // 1_000_000} MB")
        for bracket in b"".join(pieces[self._in_string :: 2]).translate(None, _NO_BRACKETS):
            self._depth += 1 if bracket in b"[{" else -1
            if self._depth > MAX_DEPTH:
                raise NotImported(f"is nested deeper than {MAX_DEPTH} levels")
        self._in_string ^= len(pieces) % 2 == 0
        return data


def start_of(file: Any) -> bytes:
    """The first bytes that are no space; a mark of the encoding is read."""
    start: bytes = file.peek(PEEKED)[:PEEKED]
    if start.startswith(BOM):
        file.read(len(BOM))
    return start.removeprefix(BOM).lstrip()
