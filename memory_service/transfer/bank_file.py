"""The file of an exported bank: JSON lines.

    {"format": "memory-service bank", "version": 1, "bank_id": …, "exported_at": …, …}
    {"table": "message", "columns": ["conversation_id", …]}
    {"conversation_id": …}                                      one line for each row
    {"manifest": {"message": {"rows": 1, "sha256": …}, …}, "sha256": …}

The hash of a table is that of its rows' lines, so that two exports of equal banks have equal hashes; the last one is
that of all lines before the manifest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, cast

from memory_service.errors import InvalidInput
from memory_service.iso_time import parsed_time

FORMAT = "memory-service bank"
VERSION = 1
MAX_LINE_BYTES = 64 * 1024 * 1024
"""A part of a session has at most 16 MiB, which escapes can make longer."""


@dataclass(frozen=True, slots=True)
class ExportedBank:
    """What an export wrote: the manifest."""

    rows: dict[str, int]
    """By table."""
    hashes: dict[str, str]
    """SHA-256 by table."""
    sha256: str
    """Of all lines before the manifest."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line."""

    bank_id: str
    exported_at: datetime
    release: str
    embedding_model: str
    vectors: bool


@dataclass(slots=True)
class Digests:
    """Counts and hashes of the lines of a file, as they are written or read."""

    rows: dict[str, int] = field(default_factory=dict[str, int])
    _tables: dict[str, Any] = field(default_factory=dict[str, Any])
    _whole: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes) -> None:
        """A line that is no row, with its end."""
        self._whole.update(line)

    def begin(self, table: str) -> None:
        self.rows[table] = 0
        self._tables[table] = hashlib.sha256()

    def add_row(self, table: str, line: bytes) -> None:
        self.rows[table] += 1
        self._tables[table].update(line)
        self._whole.update(line)

    def result(self) -> ExportedBank:
        return ExportedBank(
            dict(self.rows),
            {name: digest.hexdigest() for name, digest in self._tables.items()},
            self._whole.hexdigest(),
        )


@dataclass(slots=True)
class FileWriter:
    """Writes the lines of a file."""

    write: Callable[[bytes], object]
    digests: Digests = field(default_factory=Digests)

    def header(self, header: Header) -> None:
        self._line(
            {
                "format": FORMAT,
                "version": VERSION,
                "release": header.release,
                "bank_id": header.bank_id,
                "exported_at": header.exported_at.isoformat(),
                "embedding_model": header.embedding_model,
                "vectors": header.vectors,
            }
        )

    def table(self, name: str, columns: list[str]) -> None:
        self._line({"table": name, "columns": columns})
        self.digests.begin(name)

    def row(self, table: str, text: str) -> None:
        line = text.encode() + b"\n"
        self.digests.add_row(table, line)
        self.write(line)

    def manifest(self) -> ExportedBank:
        made = self.digests.result()
        tables = {name: {"rows": made.rows[name], "sha256": made.hashes[name]} for name in made.rows}
        self.write(encoded({"manifest": tables, "sha256": made.sha256}))
        return made

    def _line(self, fields: dict[str, Any]) -> None:
        line = encoded(fields)
        self.digests.add(line)
        self.write(line)


def encoded(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its number, from 1."""

    number: int
    raw: bytes
    fields: dict[str, Any]

    @property
    def text(self) -> str:
        return self.raw.decode()

    def wrong(self, name: str, problem: str) -> InvalidInput:
        """An error that names the line and a field of it."""
        return InvalidInput(f"line {self.number}: {name}", problem)


def read_lines(file: BinaryIO) -> Iterator[Line]:
    """The lines of a file. Errors: InvalidInput naming the line that is too long or no JSON object."""
    number = 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        at = f"line {number}"
        if len(raw) > MAX_LINE_BYTES:
            raise InvalidInput(at, f"is longer than {MAX_LINE_BYTES:,} bytes")
        if not raw.endswith(b"\n"):
            raise InvalidInput(at, "has no end: the file is cut off")
        try:
            fields = json.loads(raw)
        except (ValueError, RecursionError):
            raise InvalidInput(at, "is not JSON in UTF-8") from None
        if not isinstance(fields, dict):
            raise InvalidInput(at, "is not a JSON object")
        yield Line(number, raw, cast("dict[str, Any]", fields))


def read_header(line: Line | None) -> Header:
    """The header of a file that this release can read. Errors: InvalidInput naming the field."""
    if line is None:
        raise InvalidInput("line 1", "is missing: the file is empty")
    fields = line.fields
    if fields.get("format") != FORMAT:
        raise line.wrong("format", f"must be {FORMAT!r}: this is no export of a bank")
    version = fields.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise line.wrong("version", "must be a number from 1")
    if version > VERSION:
        raise line.wrong(
            "version", f"is {version}; this release reads up to {VERSION}: import with a newer release"
        )
    for name in ("bank_id", "release", "embedding_model"):
        if not isinstance(fields.get(name), str):
            raise line.wrong(name, "must be a string")
    if not isinstance(fields.get("vectors"), bool):
        raise line.wrong("vectors", "must be true or false")
    at = parsed_time(fields.get("exported_at"), "line 1: exported_at")
    if at is None:
        raise line.wrong("exported_at", "is missing")
    return Header(
        fields["bank_id"], at, fields["release"], fields["embedding_model"], vectors=fields["vectors"]
    )


def check_manifest(line: Line, found: ExportedBank) -> None:
    """Compare the manifest with the lines before it. Errors: InvalidInput naming the table that differs."""
    tables = line.fields["manifest"]
    if not isinstance(tables, dict):
        raise line.wrong("manifest", "must be an object")
    stated = cast("dict[str, Any]", tables)
    for name in [*found.rows, *(stated.keys() - found.rows.keys())]:
        if name not in found.rows:
            raise line.wrong(f"manifest.{name}", "is not in the file")
        expected = {"rows": found.rows[name], "sha256": found.hashes[name]}
        if stated.get(name) != expected:
            raise line.wrong(
                f"manifest.{name}", f"is not that of its rows: they are damaged; found {json.dumps(expected)}"
            )
    if line.fields.get("sha256") != found.sha256:
        raise line.wrong("sha256", f"is not that of the lines before: found {found.sha256}")
