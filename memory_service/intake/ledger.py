"""What model calls may cost and did cost: daily caps per bank (DESIGN §6), a line in the ledger for each call."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from memory_service.errors import ModelError, NoAnswer, ProviderUnavailable
from memory_service.models.interface import Afford
from memory_service.store import Store
from memory_service.store.work import Claim
from memory_service.types import Usage

CAP_REACHED = "the bank's daily token cap is reached"
UNDER_WAY_SECONDS = 15.0
MOST_TOKENS = 100_000_000
"""More than one call can use: what a provider says beyond it is a mistake."""


@dataclass(slots=True)
class Entry:
    """The open lines of one call, by bank; who makes the call says in `usage` what it cost, where that is known."""

    lines: dict[str, int]
    usage: Usage | None = None


class Ledger:
    """Opens a line before each billed call and closes it after; says what today's cap leaves room for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._answered: dict[str, float] = {}
        self._unanswered: dict[str, float] = {}
        """When each model last did, and did not, answer a call that it had taken."""

    async def affordable(self, bank_id: str, daily_tokens: int | None, costs: Sequence[int]) -> int:
        """How many items of these estimated costs, in their order, still fit into today's cap.

        On a day on which nothing was spent yet the first always fits, else it would wait for ever.
        """
        if daily_tokens is None:
            return len(costs)
        spent, _ = await self._store.spending.today(bank_id)
        total = spent
        for n, cost in enumerate(costs):
            total += cost
            if total > daily_tokens and (spent or n):
                return n
        return len(costs)

    def repairs(self, bank_id: str, daily_tokens: int | None) -> Afford:
        """Whether today's cap leaves room for so many tokens more, beside the calls under way."""

        async def afford(tokens: int) -> bool:
            return await self.affordable(bank_id, daily_tokens, [tokens]) == 1

        return afford

    @asynccontextmanager
    async def entry(
        self, estimates: Mapping[str, Usage], items: Mapping[str, int], caps: Mapping[str, int | None]
    ) -> AsyncGenerator[Entry]:
        """A line in the ledger for each bank that a call is for, closed with its share of what the block says the
        call used: as its estimate is to the others'.

        A bank whose cap somebody else has just used up has no line and is not to take part. A call that was not
        taken costs nothing but what calls before it for the same question did; one without an answer, or with one that
        was no use, what was estimated.
        """
        entry = Entry({})
        try:
            for bank_id, estimate in estimates.items():
                line = await self._store.spending.begin(bank_id, estimate, items[bank_id], caps[bank_id])
                if line is not None:
                    entry.lines[bank_id] = line
            yield entry
        except Exception as error:
            await self._fail(entry, error, estimates)
            raise
        if not entry.lines:
            return
        self._answered[next(iter(estimates.values())).model] = time.monotonic()
        of = sum(estimates[bank_id].input_tokens for bank_id in entry.lines)
        for bank_id, line in entry.lines.items():
            share = None
            if entry.usage is not None:
                share = credible(entry.usage).share(estimates[bank_id].input_tokens / max(of, 1))
            await self._store.spending.end(bank_id, line, "ok", share)

    async def _fail(self, entry: Entry, error: Exception, estimates: Mapping[str, Usage]) -> None:
        free = isinstance(error, ProviderUnavailable) and not isinstance(error, NoAnswer)
        outcome = "unavailable" if free else f"failed: {type(error).__name__}"
        used = error.used_tokens if isinstance(error, ModelError) else (0, 0)
        of = sum(estimates[bank_id].input_tokens for bank_id in entry.lines)
        for bank_id, line in entry.lines.items():
            estimate = estimates[bank_id]
            before = Usage(estimate.model, estimate.purpose, *used).share(estimate.input_tokens / max(of, 1))
            await self._store.spending.end(bank_id, line, outcome, credible(before) if free else None)
        if isinstance(error, NoAnswer):
            model = next(iter(estimates.values())).model
            error.others_answered = self._answered.get(model, 0.0) > self._unanswered.get(model, 0.0)
            self._unanswered[model] = time.monotonic()

    async def wait(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> None:
        """Give work back that today's cap leaves no room for, to wait for the next UTC day, or for a moment while
        calls are under way that may cost less than was estimated; it costs no try."""
        if claims:
            _, under_way = await self._store.spending.today(bank_id)
            if under_way:
                await self._store.work.release(claims, timedelta(seconds=UNDER_WAY_SECONDS), CAP_REACHED)
            else:
                await self._store.work.until_tomorrow(claims, CAP_REACHED)
            done.update(claim.token for claim in claims)


def credible(usage: Usage) -> Usage:
    """What a provider says it used, within what a call can use."""
    return replace(
        usage,
        input_tokens=min(max(usage.input_tokens, 0), MOST_TOKENS),
        output_tokens=min(max(usage.output_tokens, 0), MOST_TOKENS),
    )
