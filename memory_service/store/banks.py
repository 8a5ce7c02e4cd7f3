"""Banks: the memories of one subject, and their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory_service.results import BankStats, DailyActivity, QueueStats
from memory_service.store.actor import acting
from memory_service.store.area import NO_BANK, Area
from memory_service.store.database import Row
from memory_service.types import Bank, CosineScale


class Banks(Area):
    async def create(
        self, bank_id: str, settings: Mapping[str, Any], embedding_model: str
    ) -> tuple[Bank, bool]:
        """The bank, and whether this call created it; an existing one is unchanged."""
        row = await self._database.create_placed(
            bank_id,
            lambda: self._found(
                NO_BANK,
                "memory_api.create_bank",
                bank=bank_id,
                settings=settings,
                embedding_model=embedding_model,
                **acting(),
            ),
        )
        return to_bank(row["bank_row"]), row["created"]

    async def read(self, bank_id: str) -> Bank:
        """The bank with its speakers' names and its embedding model's cosine scale. Errors: NotFound."""
        row = await self._found(NO_BANK, "memory_api.read_bank", bank=bank_id)
        return replace(to_bank(row), people=tuple(row["people"]), scale=to_scale(row))

    async def update(self, bank_id: str, patch: Mapping[str, Any]) -> Bank:
        """Merge the patch into the bank's settings; the bank then. Errors: NotFound."""
        row = await self._found(NO_BANK, "memory_api.update_bank", bank=bank_id, patch=patch, **acting())
        return to_bank(row)

    async def list(self, limit: int, after: str, patterns: Sequence[str] = ("*",)) -> list[Bank]:
        """Banks by id, after the given one, without their settings. `patterns`: ids, or prefixes ending in `*`."""
        rows = await self._database.rows_of_all(
            "memory_api.list_banks", page=limit, after_bank=after, banks=patterns
        )
        by_id = {row["bank_id"]: row for row in rows}  # a bank that is being moved is on two servers
        return [
            Bank(bank_id, {}, by_id[bank_id]["embedding_model"], by_id[bank_id]["created_at"])
            for bank_id in sorted(by_id)[:limit]
        ]

    async def stats(self, bank_id: str) -> BankStats:
        """Counts of messages, memories and work items, and today's spending. Errors: NotFound."""
        return await self._database.value("memory_api.bank_stats", bank=bank_id)

    async def activity_by_day(self, bank_id: str, since: datetime) -> list[DailyActivity]:
        """The bank's new messages and episodes since a time by UTC day, the latest first. Errors: NotFound."""
        return await self._records(DailyActivity, "memory_api.activity_by_day", bank=bank_id, since=since)

    async def queue_stats(self) -> QueueStats:
        """Depth, age and dead letters of the whole queue, of all servers."""
        found: list[QueueStats] = await self._database.values_of_all("memory_api.queue_stats")
        return {
            "depth": sum(one["depth"] for one in found),
            "oldest_seconds": max(one["oldest_seconds"] for one in found),
            "dead": sum(one["dead"] for one in found),
        }

    async def register_embedding_model(self, name: str, dimensions: int, bank_id: str | None = None) -> None:
        """Make an embedding model known to the server of a bank, or to all servers."""
        if bank_id is None:
            await self._database.values_of_all(
                "memory_api.register_embedding_model", name=name, dimensions=dimensions
            )
        else:
            await self._database.query_value(
                "select memory_api.register_embedding_model(name => $1, dimensions => $2)",
                name, dimensions, bank=bank_id,
            )  # fmt: skip


def to_bank(row: Row | Mapping[str, Any]) -> Bank:
    return Bank(row["bank_id"], row["settings"], row["embedding_model"], row["created_at"])


def to_scale(row: Row) -> CosineScale | None:
    """The cosine scale of an embedding model; None where it is that of the built-in model."""
    mean = row["unrelated_mean"]
    return None if mean is None else CosineScale(mean, row["unrelated_spread"])
