"""Budgets: what a bank holds beyond its caps, what it has outlived, and how it comes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.errors import NotFound
from memory_service.store.database import Database
from memory_service.store.traces import Retention


@dataclass(frozen=True, slots=True)
class Removal:
    """One memory that went, or would go."""

    memory_id: UUID
    type: str
    act: str
    """archived, deprecated or deleted."""
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a budget pass would do."""

    removals: list[Removal]
    messages: int
    """Raw messages that would be emptied."""
    traces: int
    """Traces that would go, or lose what was asked."""


class Budgets:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune(self, bank_id: str, page: int, at: datetime) -> list[Removal]:
        """Apply the storage strategies that the bank turned on, to `page` episodes and their near duplicates."""
        rows = await self._database.rows(
            "select * from memory_api.prune_episodes($1, $2, at => $3)", bank_id, page, at
        )
        return [Removal(*row) for row in rows]

    async def enforce_caps(self, bank_id: str, page: int, at: datetime) -> list[Removal]:
        """Bring the bank within its caps, by `page` memories at most."""
        rows = await self._database.rows(
            "select * from memory_api.enforce_caps($1, $2, at => $3)", bank_id, page, at
        )
        return [Removal(*row) for row in rows]

    async def expire_messages(self, bank_id: str, days: float, page: int, at: datetime) -> int:
        """Empty raw messages that are older than `days`, or than the bank's own setting; how many."""
        return await self._database.value(
            "select memory_api.expire_messages($1, $2, $3, $4)", bank_id, days, page, at
        )

    async def empty_full_text(self, bank_id: str, page: int) -> int:
        """Take the raw talk out of episodes whose messages have expired, where the bank says so; how many."""
        return await self._database.value("select memory_api.empty_full_text($1, $2)", bank_id, page)

    async def preview(self, bank_id: str, message_days: float, retention: Retention, at: datetime) -> Preview:
        """What all of these would do, strategies first; nothing is changed."""
        row = await self._database.row(
            "select * from memory_api.preview_budget($1, $2, $3, $4, $5)",
            bank_id, message_days, retention.days, retention.query_days, at,
        )  # fmt: skip
        if row is None:
            raise NotFound
        removals = [Removal(UUID(a["memory_id"]), a["type"], a["act"], a["reason"]) for a in row["acts"]]
        return Preview(removals, row["messages"], row["traces"])

    async def restore(self, bank_id: str, memory_id: UUID, actor: str) -> str:
        """Bring back what was put away; its status then. Errors: NotFound, Conflict where there is nothing to bring
        back."""
        status = await self._database.value(
            "select * from memory_api.restore_memory($1, $2, $3)", bank_id, memory_id, actor
        )
        if status is None:
            raise NotFound(f"memory_id: there is no memory {memory_id} in this bank")
        return status
