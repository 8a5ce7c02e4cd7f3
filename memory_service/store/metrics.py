"""Metrics of all processes: totals of counters and histograms, and gauges of queue and nightly run."""

from __future__ import annotations

from dataclasses import dataclass

from memory_service.metrics import Amounts
from memory_service.store.database import Database
from memory_service.store.records import record


@dataclass(frozen=True, slots=True)
class QueueGauges:
    """The work items of one kind, of all banks."""

    kind: str
    depth: int
    oldest_seconds: float
    dead: int


@dataclass(frozen=True, slots=True)
class NightGauges:
    """The runs of one nightly pass."""

    pass_: str
    last_success: float | None
    """End, as Unix time."""
    seconds: float


class StoredMetrics:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, amounts: Amounts) -> None:
        """Add what a process has counted."""
        deltas = [
            {"name": name, "labels": list(labels), "amounts": numbers}
            for (name, labels), numbers in amounts.items()
        ]
        await self._database.value("memory_api.add_metrics", deltas=deltas)

    async def read(self) -> Amounts:
        """The totals of all processes."""
        rows = await self._database.rows("memory_api.read_metrics")
        return {(row["name"], tuple(row["labels"])): list(row["amounts"]) for row in rows}

    async def queue(self) -> list[QueueGauges]:
        """One entry for each kind of work that has rows."""
        rows = await self._database.rows("memory_api.queue_gauges")
        return [record(QueueGauges, row) for row in rows]

    async def nights(self) -> list[NightGauges]:
        """One entry for each pass that has run in the last 40 days."""
        rows = await self._database.rows("memory_api.night_gauges")
        return [record(NightGauges, row, pass_=row["pass"]) for row in rows]
