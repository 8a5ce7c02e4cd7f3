"""Banks: create, read, configure, count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from memory_service.api.base import MemoryBase
from memory_service.api.bound import from_store, implements
from memory_service.bank_settings import check_combination, check_settings
from memory_service.cursors import MAX_PAGE
from memory_service.intake.commit import check_id
from memory_service.intake.model_calls import LIMIT_REACHED
from memory_service.methods import MemoryMethods as M
from memory_service.models.interface import VECTOR_DIMENSIONS
from memory_service.results import BankLine, Page, QueueStats
from memory_service.store.work import Kind
from memory_service.types import Bank
from memory_service.validation import check_bank_id, check_count


class BankMethods(MemoryBase):
    """Methods of `Memory` about banks."""

    @implements(M.create_bank)
    async def create_bank(self, bank_id: str, settings: Mapping[str, object] | None) -> tuple[Bank, bool]:
        check_id(bank_id, "bank_id")
        checked = {key: value for key, value in check_settings(settings or {}).items() if value is not None}
        check_combination(checked)
        embedder = self.models.embedder()
        await self.store.banks.register_embedding_model(embedder.name, VECTOR_DIMENSIONS, bank_id)
        return await self.store.banks.create(bank_id, checked, embedder.name)

    get_bank = from_store(M.get_bank, lambda store: store.banks.read)
    stats = from_store(M.stats, lambda store: store.banks.stats)

    async def list_banks(
        self, *, limit: int = 50, cursor: str | None = None, patterns: Sequence[str] = ("*",)
    ) -> Page[BankLine]:
        """Banks by name, without their settings. `patterns`: bank ids, or prefixes that end in `*`.

        Errors: InvalidInput naming limit or cursor.
        """
        count = check_count(limit, "limit", 1, MAX_PAGE)
        after = "" if cursor is None else check_bank_id(cursor, "cursor")
        found = await self.store.banks.list(count + 1, after, patterns)
        items = [BankLine(bank.bank_id, bank.embedding_model, bank.created_at) for bank in found[:count]]
        return Page(tuple(items), items[-1].bank_id if len(found) > count else None)

    @implements(M.update_bank)
    async def update_bank(self, bank_id: str, settings: Mapping[str, object]) -> Bank:
        checked = check_settings(settings)
        if checked.keys() & {"profile", "profiles"}:
            check_combination({**(await self.get_bank(bank_id)).settings, **checked})
        bank = await self.store.banks.update(bank_id, checked)
        frees = checked.keys() & {"daily_tokens", "language_model"}
        if frees and await self.store.work.wake(bank_id, LIMIT_REACHED):
            for kind in get_args(Kind):
                self.store.notifications.notify(kind, bank_id)
        self.forget_cached_bank(bank_id)
        return bank

    async def queue_stats(self) -> QueueStats:
        """Depth, age in seconds and dead letters of the queue of all banks."""
        return await self.store.banks.queue_stats()
