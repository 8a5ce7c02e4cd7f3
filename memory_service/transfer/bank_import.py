"""Import of an exported bank: one transaction, in batches of rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast
from uuid import UUID

from memory_service.bank_settings import check_combination, check_settings
from memory_service.errors import InvalidInput
from memory_service.intake.commit import check_id
from memory_service.intake.json_strings import strings_in
from memory_service.iso_time import parsed_time
from memory_service.memory import Memory
from memory_service.models.interface import VECTOR_DIMENSIONS
from memory_service.store.transfer import EXPORTED, VECTOR_TABLES, BankWriter
from memory_service.transfer.bank_file import Digests, Header, Line, check_manifest, read_header, read_lines
from memory_service.validation import check_bank_id

BATCH_ROWS = 500
BATCH_BYTES = 1024 * 1024
ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ImportedBank:
    """What an import stored."""

    bank_id: str
    source: str
    """The bank that was exported."""
    rows: dict[str, int]
    """Rows of the file by table."""
    embedding_model: str
    vectors: bool
    """Whether the vectors are those of the file; if not, a worker makes them."""
    erasure_id: UUID | None
    """The receipt for rows that were erased here before and are not brought back; None if there are none."""


async def import_bank(memory: Memory, bank_id: str, file: BinaryIO, *, vectors: bool = True) -> ImportedBank:
    """Import an export into a bank that does not exist or is empty, all or nothing.

    Vectors of the file are used if the service has their embedding model; without them, or with `vectors` false, a
    worker embeds again. Errors: InvalidInput naming line and field; Conflict if the bank has rows, or was erased after
    the export.

        with open("anna.jsonl", "rb") as file:
            await import_bank(memory, "anna-copy", file)
    """
    check_id(check_bank_id(bank_id), "bank_id")
    lines = read_lines(file)
    first = next(lines, None)
    header = read_header(first)
    model, kept = await choose_model(memory, header, vectors=vectors)
    digests = Digests()
    digests.add(cast("Line", first).raw)
    async with memory.store.transfer.writing(bank_id, header.bank_id) as bank:
        reading = Reading(bank, header, digests, model, kept)
        await reading.run(lines)
        erasure = await bank.finish(digests.rows, embeds=not kept)
    memory.forget_cached_bank(bank_id)
    return ImportedBank(bank_id, header.bank_id, digests.rows, model, kept, erasure)


def check_characters(line: Line) -> None:
    """Errors: InvalidInput naming the field with a NUL or a lone surrogate, which Postgres does not store."""
    for name, value in line.fields.items():
        for text in strings_in(value):
            if UNSTORABLE.search(text):
                raise line.wrong(name, "has a NUL or half of a surrogate pair, which is no character")


async def choose_model(memory: Memory, header: Header, *, vectors: bool) -> tuple[str, bool]:
    """The bank's embedding model here, and whether it is that of the file's vectors."""
    kept = vectors and header.vectors
    try:
        embedder = memory.models.embedder(header.embedding_model)
    except InvalidInput:
        embedder, kept = memory.models.embedder(), False
    await memory.store.banks.register_embedding_model(embedder.name, VECTOR_DIMENSIONS)
    return embedder.name, kept


@dataclass(slots=True)
class Section:
    """The rows of one table."""

    table: str
    columns: list[str]
    stored: bool
    lines: list[Line]
    size: int = 0


@dataclass(slots=True)
class Reading:
    """Checks the lines after the header and writes their rows."""

    bank: BankWriter
    header: Header
    digests: Digests
    embedding_model: str
    vectors: bool

    async def run(self, lines: Iterator[Line]) -> None:
        """Errors: InvalidInput naming line and field."""
        section: Section | None = None
        ended = False
        for line in lines:
            if ended:
                raise InvalidInput(f"line {line.number}", "is after the manifest, which ends the file")
            if "manifest" in line.fields:
                await self._write(section)
                if section is None:
                    raise line.wrong("table", "bank is missing")
                check_manifest(line, self.digests.result())
                ended = True
            elif "table" in line.fields:
                await self._write(section)
                section = await self._begin(line, section)
                self.digests.add(line.raw)
            elif section is None:
                raise line.wrong("table", "is missing: this line is of no table")
            else:
                self.digests.add_row(section.table, line.raw)
                await self._add(section, line)
        if not ended:
            raise InvalidInput("manifest", "is missing: the file is cut off")

    async def _begin(self, line: Line, before: Section | None) -> Section:
        table, columns = line.fields["table"], line.fields.get("columns")
        if table not in EXPORTED:
            raise line.wrong("table", f"{table!r} is unknown; known are {', '.join(EXPORTED)}")
        place = EXPORTED.index(table)
        if place <= (EXPORTED.index(before.table) if before else -1) or (before is None and place):
            raise line.wrong("table", f"{table} is not in the order of an export, or is there twice")
        if not isinstance(columns, list) or not columns:
            raise line.wrong("columns", "must be a list of names")
        known = await self.bank.columns(table)
        names = cast("list[object]", columns)
        for name in names:
            if name not in known:
                raise line.wrong("columns", f"{table} has no column {name!r}; it has {', '.join(known)}")
        if len(set(cast("list[str]", names))) < len(names):
            raise line.wrong("columns", "has a name twice")
        self.digests.begin(table)
        stored = self.vectors or table not in VECTOR_TABLES
        return Section(table, cast("list[str]", names), stored, [])

    async def _add(self, section: Section, line: Line) -> None:
        if "bank_id" in line.fields:
            raise line.wrong("bank_id", "is not accepted: all rows are of the bank of line 1")
        for name in section.columns:
            if name not in line.fields:
                raise line.wrong(name, f"is missing; it is a column of {section.table}")
        if len(line.fields) > len(section.columns):
            name = next(name for name in line.fields if name not in section.columns)
            raise line.wrong(name, f"is not among the columns of {section.table} in this file")
        if ESCAPE.search(line.raw):
            check_characters(line)
        if section.table == "bank":
            await self._begin_bank(line)
        elif section.stored:
            section.lines.append(line)
            section.size += len(line.raw)
            if len(section.lines) == BATCH_ROWS or section.size > BATCH_BYTES:
                await self._write(section)

    async def _begin_bank(self, line: Line) -> None:
        if self.digests.rows["bank"] > 1:
            raise line.wrong("table", "bank has more than one row")
        try:
            settings = check_settings(line.fields["settings"])
            check_combination(settings)
        except InvalidInput as error:
            raise line.wrong(error.field, error.problem) from None
        times: list[Any] = []
        for name in ("created_at", "updated_at"):
            at = parsed_time(line.fields.get(name), f"line {line.number}: {name}")
            if at is None:
                raise line.wrong(name, "is missing")
            times.append(at)
        await self.bank.begin(self.header.exported_at, settings, self.embedding_model, times[0], times[1])

    async def _write(self, section: Section | None) -> None:
        if section is None:
            return
        if section.table == "bank" and not self.digests.rows["bank"]:
            raise InvalidInput("table", "bank has no row")
        if section.lines:
            await self.bank.write(
                section.table,
                section.columns,
                [line.text for line in section.lines],
                [line.number for line in section.lines],
            )
            section.lines.clear()
            section.size = 0
