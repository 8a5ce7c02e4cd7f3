"""Metrics of all processes: totals of counters and histograms, and gauges of queue and nightly run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from memory_service.metrics import Amounts
from memory_service.store.area import Area
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


class StoredMetrics(Area):
    async def add(self, amounts: Amounts) -> None:
        """Add what a process has counted."""
        deltas = [
            {"name": name, "labels": list(labels), "amounts": numbers}
            for (name, labels), numbers in amounts.items()
        ]
        await self._database.value("memory_api.add_metrics", deltas=deltas)

    async def read(self) -> Amounts:
        """The totals of all processes on all servers that answer."""
        totals: Amounts = {}
        for row in await self._database.rows_of_all("memory_api.read_metrics", partly=True):
            key, amounts = (row["name"], tuple(row["labels"])), cast("list[float]", row["amounts"])
            known = totals.get(key, [0.0] * len(amounts))
            if len(known) == len(amounts):  # else of another release
                totals[key] = [one + more for one, more in zip(known, amounts, strict=True)]
        return totals

    async def queue(self) -> list[QueueGauges]:
        """One entry for each kind of work that has rows on a server that answers."""
        found: dict[str, QueueGauges] = {}
        for row in await self._database.rows_of_all("memory_api.queue_gauges", partly=True):
            one = record(QueueGauges, row)
            other = found.get(one.kind, QueueGauges(one.kind, 0, 0.0, 0))
            oldest = max(one.oldest_seconds, other.oldest_seconds)
            found[one.kind] = QueueGauges(one.kind, one.depth + other.depth, oldest, one.dead + other.dead)
        return [*found.values()]

    async def nights(self) -> list[NightGauges]:
        """One entry for each pass that has run in the last 40 days on a server that answers: the earliest of the
        servers' last successes, and the longest time."""
        found: dict[str, NightGauges] = {}
        for row in await self._database.rows_of_all("memory_api.night_gauges", partly=True):
            one = record(NightGauges, row, pass_=row["pass"])
            other = found.get(one.pass_, one)
            ended = [one.last_success, other.last_success]
            earliest = None if None in ended else min(end for end in ended if end is not None)
            found[one.pass_] = NightGauges(one.pass_, earliest, max(one.seconds, other.seconds))
        return [*found.values()]

    def servers(self) -> dict[str, bool]:
        """Whether each server answered the last of these calls; empty where there is one server."""
        servers = self._database.servers
        return {} if servers is None or not servers.several else servers.answering
