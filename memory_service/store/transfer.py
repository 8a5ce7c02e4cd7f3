"""Export and import of a bank: rows of its tables as lines of JSON, in one transaction each."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

import asyncpg
import uuid_utils.compat as uuids

from memory_service.errors import Conflict, InvalidInput, NotFound
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.bank_tables import BANK_TABLES
from memory_service.store.records import record

VECTOR_TABLES = ("memory_vector", "relational_vector", "procedural_vector", "lesson_vector")
OF_THE_SERVER = {
    "idempotency_key": "answers to the callers of one service",
    "retrieval_trace": "records of reads, which expire",
    "model_call": "what one service spent",
    "vector_index": "made again by the nightly run",
    "indexed_vector": "made again by the nightly run",
    "reembedding": "which vectors one service has of a second model",
    "upkeep": "the state of the nightly run",
    "erasure": "receipts of what this database erased",
    "erased_item": "hashes with the secret of this database",
}
"""Tables of a bank that an export leaves out, and why."""
EXPORTED = tuple(name for name in BANK_TABLES if name not in OF_THE_SERVER)
PREFETCH = 100
"""Rows that a cursor fetches at once: a row may have a megabyte."""


@dataclass(frozen=True, slots=True)
class ReadableEpisode:
    """An episode as people read it."""

    occurred_at: datetime
    content: str
    role: str | None
    """Of the speaker; None for commits and summaries, as `name`."""
    name: str | None
    source: str
    status: str
    is_summary: bool
    represents: int
    imported_from: str | None


@dataclass(frozen=True, slots=True)
class FactSource:
    """A statement of a fact, or a judgement on it (with `actor`, without `content`)."""

    at: datetime
    role: str | None
    name: str | None
    source: str
    content: str | None
    actor: str | None
    listed_at: datetime | None
    """The time of the episode among the readable ones; None for judgements, or if it is none of them."""


@dataclass(frozen=True, slots=True)
class ReadableFact:
    """A fact as people read it."""

    fact: str
    subject: str | None
    value: str | None
    confidence: float
    valid_from: datetime
    valid_to: datetime | None
    pinned: bool
    unconfirmed: bool
    sources: tuple[FactSource, ...]
    """The latest ones, latest first."""
    source_count: int


@dataclass(frozen=True, slots=True)
class ReadableNorm:
    """A norm as people read it."""

    kind: str
    norm_text: str
    situation: str
    confidence: float
    valid_from: datetime
    pinned: bool


@dataclass(frozen=True, slots=True)
class ReadableProcedure:
    """A procedure as people read it."""

    kind: str
    content: str
    situation: str
    steps: tuple[str, ...]
    why: str | None
    worked: int
    failed: int


@dataclass(frozen=True, slots=True)
class BankReader:
    """Reads one bank in one snapshot."""

    connection: Any
    bank_id: str
    embedding_model: str

    async def columns(self, table: str) -> list[str]:
        """The columns of a table in an export."""
        return await columns_of(self.connection, table)

    async def rows(self, table: str) -> AsyncIterator[str]:
        """The rows of a table, each as one line of JSON, in a fixed order."""
        query = await self.connection.fetchval("select memory_api.export_query(name => $1)", table)
        async for (line,) in self.connection.cursor(query, self.bank_id, prefetch=PREFETCH):
            yield line

    async def episodes(self) -> AsyncIterator[ReadableEpisode]:
        """The episodes for people, oldest first."""
        async for row in self._cursor("select * from memory_api.export_episodes(bank => $1)"):
            yield record(ReadableEpisode, row)

    async def facts(self) -> AsyncIterator[ReadableFact]:
        """The believed facts, ended ones too, by subject."""
        async for row in self._cursor("select * from memory_api.export_facts(bank => $1)"):
            yield record(ReadableFact, row, sources=tuple(source_of(one) for one in row["sources"]))

    async def norms(self) -> AsyncIterator[ReadableNorm]:
        """The norms in force."""
        async for row in self._cursor("select * from memory_api.list_norms(bank => $1)"):
            yield record(ReadableNorm, row)

    async def procedures(self) -> AsyncIterator[ReadableProcedure]:
        """The active and tentative procedures, ended habits among them, the last confirmed first."""
        async for row in self._cursor(
            "select * from memory_api.list_procedures(bank => $1, page => null, "
            "statuses => '{active,tentative}')"
        ):
            yield record(ReadableProcedure, row)

    async def questions(self) -> AsyncIterator[str]:
        """The open questions, the most important first."""
        async for row in self._cursor(
            "select * from memory_api.list_clarifications(bank => $1, page => null)"
        ):
            yield row["question"]

    def _cursor(self, statement: str) -> Any:
        return self.connection.cursor(statement, self.bank_id, prefetch=PREFETCH)


@dataclass(frozen=True, slots=True)
class BankWriter:
    """Fills one bank; nothing is stored unless its transaction ends without an error."""

    connection: Any
    bank_id: str
    source: str
    """The bank that was exported."""

    async def columns(self, table: str) -> list[str]:
        """The columns of a table in an export of this release."""
        return await columns_of(self.connection, table)

    async def begin(
        self,
        exported_at: datetime,
        settings: Mapping[str, Any],
        embedding_model: str,
        created_at: datetime,
        updated_at: datetime,
    ) -> None:
        """Create the bank. Errors: Conflict if it is not empty, or was erased after the export."""
        await self.connection.execute(
            "select memory_api.begin_import(bank => $1, exported_bank => $2, exported_at => $3, settings => $4, "
            "embedding_model => $5, created_at => $6, updated_at => $7, tables => $8)",
            self.bank_id, self.source, exported_at, settings, embedding_model, created_at, updated_at,
            [name for name in EXPORTED if name not in ("bank", "work")],
        )  # fmt: skip

    async def write(
        self, table: str, columns: Sequence[str], lines: Sequence[str], places: Sequence[int]
    ) -> None:
        """Insert rows. Errors: InvalidInput naming the line and column of the first row that is refused; `places` are
        the lines' numbers."""
        try:
            async with self.connection.transaction():
                await self._insert(table, columns, lines)
                return
        except ROW_ERRORS as error:
            if len(lines) == 1:
                raise await self._refusal(table, lines[0], places[0], error) from error
        for line, place in zip(lines, places, strict=True):
            await self.write(table, columns, [line], [place])

    async def finish(self, counts: Mapping[str, int], *, embeds: bool) -> UUID | None:
        """Complete the import; the receipt of the erasure of what the ledger lists, None if nothing was. `embeds`:
        the worker makes the vectors.

        Errors: InvalidInput naming the constraint for rows that refer to missing ones.
        """
        try:
            return cast(
                "UUID | None",
                await self.connection.fetchval(
                    "select memory_api.finish_import(bank => $1, exported_bank => $2, erasure => $3, counts => $4, "
                    "embeds => $5, actor => $6, key => $7)",
                    self.bank_id, self.source, uuids.uuid7(), counts, embeds, *acting().values(),
                ),
            )  # fmt: skip
        except asyncpg.IntegrityConstraintViolationError as error:
            raise InvalidInput(f"{error.table_name}", f"violates {error.constraint_name}") from error

    async def _insert(self, table: str, columns: Sequence[str], lines: Sequence[str]) -> None:
        await self.connection.execute(
            "select memory_api.import_rows(bank => $1, name => $2, columns => $3, lines => $4)",
            self.bank_id, table, columns, lines,
        )  # fmt: skip

    async def _refusal(self, table: str, line: str, place: int, error: Any) -> InvalidInput:
        """The error of a row: the columns of a wrong type, or the constraint."""
        found = await self.connection.fetch(
            "select column_name, problem from memory_api.invalid_columns(name => $1, line => $2)", table, line
        )
        if found:
            return InvalidInput(f"line {place}: {found[0]['column_name']}", found[0]["problem"])
        if error.column_name:
            return InvalidInput(f"line {place}: {error.column_name}", "must not be null")
        return InvalidInput(
            f"line {place}", f"is refused by {error.constraint_name or table}: {error.detail or error}"
        )


ROW_ERRORS = (
    asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.ProgramLimitExceededError,
    asyncpg.DatatypeMismatchError,
)  # fmt: skip


def source_of(fields: Mapping[str, Any]) -> FactSource:
    """A source from its JSON."""
    listed_at = fields["listed_at"] and datetime.fromisoformat(fields["listed_at"])
    return record(FactSource, fields, at=datetime.fromisoformat(fields["at"]), listed_at=listed_at)


async def columns_of(connection: Any, table: str) -> list[str]:
    rows = await connection.fetch("select column_name from memory_api.exported_columns(name => $1)", table)
    return [row["column_name"] for row in rows]


class Transfer(Area):
    @asynccontextmanager
    async def reading(self, bank_id: str) -> AsyncGenerator[BankReader]:
        """A reader of a bank in one snapshot. Errors: NotFound."""
        database = await self._database.located(bank_id)
        async with database.long_transaction(readonly=True) as connection:
            model = await connection.fetchval("select memory_api.begin_export(bank => $1)", bank_id)
            yield BankReader(connection, bank_id, model)

    @asynccontextmanager
    async def writing(self, bank_id: str, source: str) -> AsyncGenerator[BankWriter]:
        """A writer of a bank, all or nothing. Errors: Conflict if another server has receipts of the exported bank."""
        database = await self._database.located(bank_id)
        if await self._database.located(source) is not database:
            await self._require_no_receipt(source)
        async with database.long_transaction(readonly=False) as connection:
            if self._database.servers is not None and self._database.servers.several:
                await self._database.servers.check_place(bank_id, database)
            yield BankWriter(connection, bank_id, source)

    async def erased_before(
        self, bank_id: str, conversations: Sequence[str], agents: Sequence[str]
    ) -> dict[tuple[Literal["conversation", "agent"], str], datetime]:
        """Those of these conversations and agents that were erased, with the time of the last erasure."""
        rows = await self._database.rows(
            "memory_api.erased_before", bank=bank_id, conversations=list(conversations), agents=list(agents)
        )
        return {(row["kind"], row["id"]): row["erased_at"] for row in rows}

    async def _require_no_receipt(self, source: str) -> None:
        """Errors: Conflict."""
        with suppress(NotFound):  # neither the bank nor a receipt
            if await self._database.rows("memory_api.list_erasures", bank=source, page=1):
                raise Conflict(
                    f"bank: memories of {source} were erased, and another server has their ledger; move {source} to "
                    "the server of this bank first"
                )
