"""The emotional thread of a bank: read, list, end."""

from __future__ import annotations

from datetime import datetime

from memory_service.cursors import ThreadPlace
from memory_service.results import EmotionalThread
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.database import at_time
from memory_service.store.records import record


class Threads(Area):
    async def read(self, bank_id: str, as_of: datetime | None) -> EmotionalThread | None:
        """The thread open at `as_of`, default now. Errors: NotFound."""
        row = await self._database.row("memory_api.read_thread", bank=bank_id, **at_time(as_of))
        return None if row is None else record(EmotionalThread, row)

    async def list(self, bank_id: str, limit: int, after: ThreadPlace | None) -> list[EmotionalThread]:
        """Threads by their begin, latest first, after the given place. Errors: NotFound."""
        return await self._records(
            EmotionalThread,
            "memory_api.list_threads",
            bank=bank_id,
            page=limit,
            after_at=after and after.started_at,
            after_id=after and after.thread_id,
        )

    async def end(self, bank_id: str, actor: str) -> EmotionalThread | None:
        """End the open thread; the thread then, or None. Errors: NotFound."""
        row = await self._database.row(
            "memory_api.end_thread", bank=bank_id, actor=actor, key=acting()["key"]
        )
        return None if row is None else record(EmotionalThread, row)
