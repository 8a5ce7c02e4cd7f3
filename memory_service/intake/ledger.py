"""What model calls may cost and did cost: daily caps per bank (DESIGN §6), a line in the ledger for each call."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from memory_service.errors import ProviderUnavailable
from memory_service.store import Store
from memory_service.store.work import Claim
from memory_service.types import Usage

CAP_REACHED = "the bank's daily token cap is reached"
SPREAD_SECONDS = 60.0
"""Banks that wait for midnight do not all wake at once."""


@dataclass(slots=True)
class Entry:
    """The open lines of one call, by bank; who makes the call says in `usage` what it cost, where that is known."""

    lines: dict[str, int]
    usage: Usage | None = None


class Ledger:
    """Opens a line before each billed call and closes it after; says what today's cap leaves room for."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def affordable(self, bank_id: str, daily_tokens: int | None, costs: Sequence[int]) -> int:
        """How many items of these estimated costs, in their order, still fit into today's cap.

        On a day on which nothing was spent yet the first always fits, else it would wait for ever.
        """
        if daily_tokens is None:
            return len(costs)
        spent = await self._store.spending.today(bank_id)
        total = spent
        for n, cost in enumerate(costs):
            total += cost
            if total > daily_tokens and (spent or n):
                return n
        return len(costs)

    @asynccontextmanager
    async def entry(
        self, estimates: Mapping[str, Usage], items: Mapping[str, int], caps: Mapping[str, int | None]
    ) -> AsyncGenerator[Entry]:
        """A line in the ledger for each bank that a call is for, closed with its share of what the block says the
        call used.

        A bank whose cap somebody else has just used up has no line and is not to take part. An outage is taken to
        cost nothing, an answer that was no use what was estimated.
        """
        entry = Entry({})
        for bank_id, estimate in estimates.items():
            line = await self._store.spending.begin(bank_id, estimate, items[bank_id], caps[bank_id])
            if line is not None:
                entry.lines[bank_id] = line
        try:
            yield entry
        except Exception as error:
            outage = isinstance(error, ProviderUnavailable)
            for bank_id, line in entry.lines.items():
                nothing = Usage(estimates[bank_id].model, estimates[bank_id].purpose) if outage else None
                outcome = "unavailable" if outage else f"failed: {type(error).__name__}"
                await self._store.spending.end(bank_id, line, outcome, nothing)
            raise
        of = sum(items[bank_id] for bank_id in entry.lines)
        for bank_id, line in entry.lines.items():
            share = None if entry.usage is None else entry.usage.share(items[bank_id], of)
            await self._store.spending.end(bank_id, line, "ok", share)

    async def until_tomorrow(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        """Give work back to wait for the next UTC day; it costs no try."""
        if claims:
            now = datetime.now(UTC)
            midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
            delay = midnight - now + timedelta(seconds=random.uniform(0, SPREAD_SECONDS))  # noqa: S311
            await self._store.work.release(claims, delay, CAP_REACHED)
            done.update(claim.token for claim in claims)
