"""Operations: quarantine, caps, dead letters."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from memory_service.api.base import MemoryBase
from memory_service.cursors import (
    AuditPlace,
    DeadLetterPlace,
    NightPlace,
    page_request,
)
from memory_service.errors import ImportsDelayed, NotFound
from memory_service.intake.commit import checked_actor
from memory_service.results import AuditEvent, DeadLetter, MemoryItem, Night, Page
from memory_service.validation import check_bank_id, check_uuid
from memory_service.vocabulary import MemoryStatus

REDRIVE_BATCH = 500
"""Dead letters redriven in one transaction, which holds the bank's lock."""
IMPORT_RETRY_SECONDS = 10.0


class OperationMethods(MemoryBase):
    """Methods of `Memory` for operators."""

    async def restore_memory(
        self, bank_id: str, memory_id: UUID, *, actor: str | None = None
    ) -> MemoryStatus:
        """Restore an episode that the caps archived or deprecated, or a dropped fact; returns its status.

        A deprecated episode is embedded again before it is active. Errors: NotFound, Conflict.
        """
        memory_id = check_uuid(memory_id, "memory_id")
        return await self.store.retention.restore(check_bank_id(bank_id), memory_id, checked_actor(actor))

    async def release_memory(self, bank_id: str, memory_id: UUID, *, actor: str | None = None) -> MemoryItem:
        """Release a memory from quarantine: it is embedded and recalled like any other, quoted as data.

        `actor` is recorded in the decision. Errors: NotFound; Conflict where it is not in quarantine.
        """
        memory_id = check_uuid(memory_id, "memory_id")
        return await self.store.episodes.release(check_bank_id(bank_id), memory_id, checked_actor(actor))

    async def list_dead_letters(
        self, bank_id: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[DeadLetter]:
        """Work items that failed permanently, oldest first, of one bank or of all."""
        request = page_request(limit, cursor, DeadLetterPlace)
        bank = None if bank_id is None else check_bank_id(bank_id)
        return request.page(await self.store.work.list_dead(bank, request.fetched, request.after))

    async def list_nights(self, *, limit: int = 20, cursor: str | None = None) -> Page[Night]:
        """Runs of the nightly jobs over all banks, newest first."""
        request = page_request(limit, cursor, NightPlace)
        before = request.after and request.after.started_at
        return request.page(await self.store.upkeep.nights(request.fetched, before))

    async def list_audit(self, *, limit: int = 50, cursor: str | None = None) -> Page[AuditEvent]:
        """Administrative acts on keys, banks and quarantine, newest first."""
        request = page_request(limit, cursor, AuditPlace)
        return request.page(await self.store.keys.audit(request.fetched, request.after))

    async def intake_delay(self) -> float:
        """Seconds for which the longest waiting message or memory of all banks has been due for intake.

        At most 5 s old. Work that waits for a retry, or for the next day of a bank above its token limit, is not due.
        """
        return await self._intake_delay.seconds()

    async def check_import(self) -> None:
        """Errors: ImportsDelayed while the intake delay is above MEMORY_IMPORT_DELAY_SECONDS."""
        delay, limit = await self.intake_delay(), self.settings.import_delay_seconds
        if delay > limit:
            raise ImportsDelayed(
                f"intake is {delay:.0f} s behind; imports are accepted up to {limit:g} s",
                IMPORT_RETRY_SECONDS,
            )

    async def redrive(self, bank_id: str) -> int:
        """Queue a bank's dead letters again, with all their attempts; returns their number."""
        check_bank_id(bank_id)
        total, before = 0, None
        while True:
            count, before = await self.store.work.redrive(bank_id, REDRIVE_BATCH, before)
            total += count
            if count < REDRIVE_BATCH:
                return total

    async def redrive_all(self) -> int:
        """Redrive every bank that has dead letters, one after the other; returns their number."""
        total = 0
        for bank_id in await self.store.work.list_dead_banks():
            with suppress(NotFound):  # erased meanwhile
                total += await self.redrive(bank_id)
        return total

    async def expire_traces(self, bank_id: str | None = None) -> int:
        """Delete expired traces and expired queries in traces, in one bank or all; returns the number of rows changed.

        Workers call it every hour. Safe to repeat, to run concurrently and to interrupt.
        """
        if bank_id is None:
            return await self.trace_expiry.run_once()
        return await self.trace_expiry.run_bank(check_bank_id(bank_id))
