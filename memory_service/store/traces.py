"""Traces: the records of reads, written in batches, read, listed, expired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memory_service.results import Trace, Traced, TraceLine
from memory_service.store.area import Area
from memory_service.store.database import at_time
from memory_service.store.records import record

NO_TRACE = "trace_id: there is no such trace in this bank, or it has expired"


@dataclass(frozen=True, slots=True)
class TraceRetention:
    """Days that traces are kept in banks that do not set it."""

    days: float
    """Of the trace."""
    query_days: float
    """Of its query and request fields."""


class Traces(Area):
    async def record(self, bank_id: str, traces: Sequence[Mapping[str, Any]]) -> int:
        """Write traces and count their `seen` memories as accessed; how many traces were new.

        A trace that is already written is not counted again. Errors: NotFound.
        """
        text = orjson.dumps(list(traces))  # a tenth of json's time: a trace has a hundred candidates
        return await self._database.value("memory_api.record_traces", bank=bank_id, traces=text)

    async def read(self, bank_id: str, trace_id: UUID) -> Trace:
        """Errors: NotFound."""
        row = await self._found(NO_TRACE, "memory_api.read_trace", bank=bank_id, trace=trace_id)
        return record(Trace, row, candidates=tuple(map(to_traced, row["candidates"])))

    async def preview(self, bank_id: str, trace: Mapping[str, Any]) -> Trace:
        """A trace that is not written, as `read` returns it. Errors: NotFound."""
        candidates = await self._database.value(
            "memory_api.trace_candidates", bank=bank_id, candidates=trace["candidates"]
        )
        as_of = trace["as_of"]
        return record(
            Trace,
            trace,
            trace_id=UUID(trace["trace_id"]),
            at=datetime.fromisoformat(trace["at"]),
            as_of=None if as_of is None else datetime.fromisoformat(as_of),
            asked=trace["parameters"],
            candidates=tuple(map(to_traced, candidates)),
        )

    async def list(self, bank_id: str, limit: int, after: UUID | None) -> list[TraceLine]:
        """Newest first, after the given one. Errors: NotFound."""
        return await self._records(
            TraceLine, "memory_api.list_traces", bank=bank_id, page=limit, after_id=after
        )

    async def expire(
        self, bank_id: str, retention: TraceRetention, page: int, at: datetime | None = None
    ) -> int:
        """Empty expired queries and delete expired traces, up to `page` rows; how many. Errors: NotFound."""
        return await self._database.value(
            "memory_api.expire_traces",
            bank=bank_id,
            days=retention.days,
            query_days=retention.query_days,
            page=page,
            **at_time(at),
        )

    async def banks_with_expired_traces(self, retention: TraceRetention) -> list[str]:
        """The banks in which `expire` has rows to change."""
        return await self._banks(
            "memory_api.banks_with_expired_traces", days=retention.days, query_days=retention.query_days
        )


OWN_FIELDS = ("memory_id", "score", "reason", "dropped", "figures", "content")
"""Keys of a stored candidate that are no components of its score."""


def to_traced(entry: Mapping[str, Any]) -> Traced:
    return Traced(
        UUID(entry["memory_id"]),
        entry["score"],
        without_nulls({name: value for name, value in entry.items() if name not in OWN_FIELDS}),
        without_nulls(entry.get("figures", {})),
        entry["reason"],
        entry["dropped"],
        entry["content"],
    )


def without_nulls(figures: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in figures.items() if value is not None}
