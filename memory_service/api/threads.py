"""The emotional thread: read, list, end."""

from __future__ import annotations

from datetime import datetime

from memory_service.api.base import MemoryBase
from memory_service.cursors import ThreadPlace, page_request
from memory_service.intake.commit import checked_actor
from memory_service.results import EmotionalThread, Page
from memory_service.validation import check_bank_id, check_time


class ThreadMethods(MemoryBase):
    """Methods of `Memory` about the emotional thread."""

    async def emotional_thread(
        self, bank_id: str, *, as_of: datetime | None = None
    ) -> EmotionalThread | None:
        """The mood that is carried on, at `as_of` (default: now); None without one. Errors: NotFound."""
        return await self.store.threads.read(check_bank_id(bank_id), check_time(as_of, "as_of"))

    async def list_emotional_threads(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[EmotionalThread]:
        """All threads, open and ended, the one that began last first. Errors: NotFound; InvalidInput, also for a cursor
        of another bank."""
        request = page_request(limit, cursor, ThreadPlace, bank=check_bank_id(bank_id))
        return request.page(await self.store.threads.list(bank_id, request.fetched, request.after))

    async def end_emotional_thread(self, bank_id: str, *, actor: str | None = None) -> EmotionalThread | None:
        """End the open thread: no context shows it any more, and the next mood begins another one. The thread as it is
        then; None where none was open. Safe to repeat. Errors: NotFound."""
        return await self.store.threads.end(check_bank_id(bank_id), checked_actor(actor))
