"""Retention: caps, storage strategies, expiry of raw messages, and restoring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.errors import NotFound
from memory_service.store.area import Area
from memory_service.store.traces import TraceRetention
from memory_service.vocabulary import MemoryStatus


@dataclass(frozen=True, slots=True)
class Removal:
    """A memory that was removed, or would be."""

    memory_id: UUID
    type: str
    act: str
    """archived, deprecated or deleted."""
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The result of a budget pass, without its changes."""

    removals: list[Removal]
    messages: int
    """Raw messages to be emptied."""
    traces: int
    """Traces to be deleted, or whose query is to be emptied."""


class Retention(Area):
    async def prune(self, bank_id: str, page: int, at: datetime) -> list[Removal]:
        """Apply the bank's storage strategies to `page` episodes and their near duplicates."""
        rows = await self._database.rows("memory_api.prune_episodes", bank=bank_id, page=page, at=at)
        return [Removal(*row) for row in rows]

    async def enforce_caps(self, bank_id: str, page: int, default_intake: str, at: datetime) -> list[Removal]:
        """Remove up to `page` memories beyond the bank's caps."""
        rows = await self._database.rows(
            "memory_api.enforce_caps", bank=bank_id, page=page, at=at, default_intake=default_intake
        )
        return [Removal(*row) for row in rows]

    async def expire_messages(self, bank_id: str, days: float, page: int, at: datetime) -> int:
        """Empty raw messages older than the bank's setting, else than `days`; how many."""
        return await self._database.value(
            "memory_api.expire_messages", bank=bank_id, days=days, page=page, at=at
        )

    async def empty_full_text(self, bank_id: str, page: int, default_intake: str) -> int:
        """Empty the raw text of episodes whose messages have expired, where the bank is set so; how many."""
        return await self._database.value(
            "memory_api.empty_full_text", bank=bank_id, page=page, default_intake=default_intake
        )

    async def preview(
        self, bank_id: str, message_days: float, retention: TraceRetention, default_intake: str, at: datetime
    ) -> Preview:
        """What the methods above and `Traces.expire` would do, in this order; nothing is changed."""
        row = await self._found(
            None,
            "memory_api.preview_budget",
            bank=bank_id,
            message_days=message_days,
            trace_days=retention.days,
            trace_query_days=retention.query_days,
            at=at,
            default_intake=default_intake,
        )
        removals = [Removal(UUID(a["memory_id"]), a["type"], a["act"], a["reason"]) for a in row["acts"]]
        return Preview(removals, row["messages"], row["traces"])

    async def restore(self, bank_id: str, memory_id: UUID, actor: str) -> MemoryStatus:
        """Restore an archived or deprecated memory, or a fact dropped by a cap; its status then.

        Errors: NotFound, Conflict where there is nothing to restore.
        """
        status = await self._database.value(
            "memory_api.restore_memory", bank=bank_id, memory=memory_id, actor=actor
        )
        if status is None:
            raise NotFound(f"memory_id: there is no memory {memory_id} in this bank")
        return status
