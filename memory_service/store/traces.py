"""Traces: the record of each read, written in batches, looked at, and let go when their time is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memory_service.errors import NotFound
from memory_service.store.database import Database, Row
from memory_service.types import Trace, Traced, TraceLine


@dataclass(frozen=True, slots=True)
class Retention:
    """How long traces are kept where a bank says nothing of it, in days."""

    days: float
    """The trace itself."""
    query_days: float
    """What was asked."""


class Traces:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, bank_id: str, traces: Sequence[Mapping[str, Any]]) -> int:
        """Write traces and count the memories that they `seen` as accessed; how many traces were new. What was
        written before is neither written nor counted again. Errors: NotFound."""
        text = orjson.dumps(list(traces))  # a tenth of json's time: a trace has a hundred candidates
        return await self._database.value("select memory_api.record_traces($1, $2)", bank_id, text)

    async def read(self, bank_id: str, trace_id: UUID) -> Trace:
        """Errors: NotFound."""
        row = await self._database.row("select * from memory_api.read_trace($1, $2)", bank_id, trace_id)
        if row is None:
            raise NotFound("trace_id: there is no such trace in this bank, or it has expired")
        return to_trace(row)

    async def list(self, bank_id: str, limit: int, after: UUID | None) -> list[TraceLine]:
        """Newest first, after the given one. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.list_traces($1, $2, $3)", bank_id, limit, after
        )
        return [TraceLine(**row) for row in rows]

    async def expire(self, bank_id: str, retention: Retention, page: int, at: datetime | None = None) -> int:
        """Let go of what is kept no longer, `page` rows at most; how many rows changed. Errors: NotFound."""
        return await self._database.value(
            "select memory_api.expire_traces($1, $2, $3, $4, coalesce($5, now()))",
            bank_id, retention.days, retention.query_days, page, at,
        )  # fmt: skip

    async def banks_with_expired_traces(self, retention: Retention) -> list[str]:
        """Where `expire` has something to do."""
        rows = await self._database.rows(
            "select bank_id from memory_api.banks_with_expired_traces($1, $2)",
            retention.days,
            retention.query_days,
        )
        return [row["bank_id"] for row in rows]


PLAIN = ("memory_id", "score", "reason", "dropped", "figures", "content")


def to_trace(row: Row) -> Trace:
    values = dict(row)
    values["candidates"] = tuple(map(to_traced, values["candidates"]))
    return Trace(**values)


def to_traced(entry: Mapping[str, Any]) -> Traced:
    return Traced(
        UUID(entry["memory_id"]),
        entry["score"],
        present({name: value for name, value in entry.items() if name not in PLAIN}),
        present(entry.get("figures", {})),
        entry["reason"],
        entry["dropped"],
        entry["content"],
    )


def present(figures: Mapping[str, float | None]) -> dict[str, float]:
    """Of what candidates have as columns, what this one has."""
    return {name: value for name, value in figures.items() if value is not None}
