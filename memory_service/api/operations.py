"""Operations: quarantine, caps, dead letters."""

from __future__ import annotations

from contextlib import suppress

from memory_service.api.base import MemoryBase
from memory_service.api.bound import from_store, implements
from memory_service.cursors import (
    AuditPlace,
    DeadLetterPlace,
    NightPlace,
    page_request,
)
from memory_service.errors import ImportsDelayed, NotFound
from memory_service.methods import MemoryMethods as M
from memory_service.results import AuditEvent, DeadLetter, Night, Page
from memory_service.validation import check_bank_id

REDRIVE_BATCH = 500
"""Dead letters redriven in one transaction, which holds the bank's lock."""
IMPORT_RETRY_SECONDS = 10.0


class OperationMethods(MemoryBase):
    """Methods of `Memory` for operators."""

    restore_memory = from_store(M.restore_memory, lambda store: store.retention.restore)
    release_memory = from_store(M.release_memory, lambda store: store.episodes.release)

    @implements(M.list_dead_letters)
    async def list_dead_letters(
        self, bank_id: str | None, limit: int, cursor: str | None
    ) -> Page[DeadLetter]:
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

    @implements(M.redrive)
    async def redrive(self, bank_id: str) -> int:
        total, before = 0, None
        while True:
            count, before = await self.store.work.redrive(bank_id, REDRIVE_BATCH, before)
            total += count
            if count < REDRIVE_BATCH:
                return total

    @implements(M.redrive_all)
    async def redrive_all(self) -> int:
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
