"""State that the methods of `Memory` share."""

from __future__ import annotations

import time

from memory_service.config import Settings
from memory_service.intake.delay import IntakeDelay
from memory_service.models.registry import Models
from memory_service.recall.trace_expiry import TraceExpiry
from memory_service.recall.trace_writer import TraceWriter
from memory_service.redaction import redact
from memory_service.store import Store
from memory_service.store.database import after_commit
from memory_service.types import Bank
from memory_service.validation import check_bank_id

BANK_CACHE_SECONDS = 2.0
CACHED_BANKS = 10_000


class MemoryBase:
    """Settings, store, models and a short-lived cache of banks."""

    def __init__(self, settings: Settings, store: Store, models: Models) -> None:
        self.settings = settings
        self.store = store
        self.models = models
        self.trace_writer = TraceWriter(store)
        self.trace_expiry = TraceExpiry(store, settings)
        self._intake_delay = IntakeDelay(store)
        self._banks: dict[str, tuple[float, Bank]] = {}

    async def cached_bank(self, bank_id: str) -> Bank:
        """The bank, at most BANK_CACHE_SECONDS old: a read needs its embedding model before its one SQL call.

        Errors: InvalidInput, NotFound.
        """
        cached = self._banks.get(check_bank_id(bank_id))
        if cached is not None and time.monotonic() - cached[0] < BANK_CACHE_SECONDS:
            return cached[1]
        bank = await self.store.banks.read(bank_id)
        if len(self._banks) >= CACHED_BANKS:
            self._banks.clear()
        self._banks[bank_id] = (time.monotonic(), bank)
        return bank

    def forget_cached_bank(self, bank_id: str) -> None:
        """Remove a bank from the cache once a change of it is committed: a read before that would cache it again."""
        after_commit(lambda: self._banks.pop(bank_id, None))


def without_secrets(text: str) -> str:
    """The text with secrets redacted."""
    return redact(text).text
