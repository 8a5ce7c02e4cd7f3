"""Trace expiry: deletes traces after trace_days and empties their queries after trace_query_days."""

from __future__ import annotations

from contextlib import suppress

from memory_service.config import Settings
from memory_service.errors import NotFound
from memory_service.store import Store
from memory_service.store.traces import TraceRetention

PAGE = 1_000
"""Rows in one transaction."""


class TraceExpiry:
    """Expires traces bank by bank; safe in several processes at once."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._retention = TraceRetention(settings.trace_days, settings.trace_query_days)

    async def run_bank(self, bank_id: str) -> int:
        """Expire the traces of a bank; how many rows changed. Errors: NotFound."""
        total = 0
        while True:
            count = await self._store.traces.expire(bank_id, self._retention, PAGE)
            total += count
            if count < PAGE:
                return total

    async def run_once(self) -> int:
        """Expire the traces of all banks; how many rows changed. It can be interrupted and run again."""
        total = 0
        for bank_id in await self._store.traces.banks_with_expired_traces(self._retention):
            with suppress(NotFound):  # erased meanwhile
                total += await self.run_bank(bank_id)
        return total
