"""Billed model calls: estimate, reserve in the ledger (table `model_call`), call, record the tokens used."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

from memory_service.errors import ModelError, NoAnswer, ProviderUnavailable
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.metrics import DEFERRED, MODEL_CALLS, MODEL_TOKENS
from memory_service.models.interface import Afford
from memory_service.spans import INPUT_TOKENS, OUTPUT_TOKENS, model_span
from memory_service.store import Store
from memory_service.store.work import Claim
from memory_service.types import Usage

LIMIT_REACHED = "the bank's daily token limit is reached"
"""Reason stored in `work.last_error`: raising a bank's limit wakes the work that waits for it."""
UNDER_WAY_SECONDS = 15.0
MOST_TOKENS = 100_000_000
"""Upper bound of the tokens of one call: a larger figure from a provider is an error."""

T = TypeVar("T")


class TokenLimitReached(Exception):
    """The bank's daily token limit leaves no room for the call; nothing was sent."""


@dataclass(frozen=True, slots=True)
class Share:
    """One bank's part of a model call."""

    estimate: Usage
    items: int
    daily_tokens: int | None
    """The bank's daily token limit; None for no limit."""


@dataclass(slots=True)
class Reservation:
    """The rows of `model_call` that one call has reserved."""

    call_ids: dict[str, int]
    """By bank; a bank whose limit is reached has none."""
    usage: Usage | None = None
    """Set by the caller from the provider's answer; None where the provider does not report it."""


class ModelCalls:
    """Makes model calls within the banks' daily token limits and accounts for each in `model_call`.

    An instance remembers when each model last answered and last failed to answer, which tells a poison item from an
    outage (NoAnswer.others_answered): share one among calls that are to learn from each other.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._answered: dict[str, float] = {}
        self._unanswered: dict[str, float] = {}
        """By model, on the monotonic clock."""

    async def affordable(self, bank_id: str, daily_tokens: int | None, costs: Sequence[int]) -> int:
        """Length of the longest prefix of `costs`, in tokens, that today's limit leaves room for.

        On a day without spending it is at least 1: an item larger than the limit would otherwise never be processed.
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

    async def take_affordable(
        self,
        bank_id: str,
        daily_tokens: int | None,
        items: Sequence[tuple[T, int, Claim]],
        batch: ClaimBatch,
    ) -> list[T]:
        """The items (each with its estimated tokens and its claim) that the limit leaves room for; postpone the
        claims of the others."""
        count = await self.affordable(bank_id, daily_tokens, [cost for _, cost, _ in items])
        await self.postpone(bank_id, [claim for _, _, claim in items[count:]], batch)
        return [item for item, _, _ in items[:count]]

    def afford(self, bank_id: str, daily_tokens: int | None) -> Afford:
        """A function that returns whether today's limit leaves room for a repair call of so many tokens."""

        async def afford(tokens: int) -> bool:
            return await self.affordable(bank_id, daily_tokens, [tokens]) == 1

        return afford

    async def call(
        self, bank_id: str, share: Share, request: Callable[[], Awaitable[tuple[T, Usage | None]]]
    ) -> T:
        """Reserve the estimate, await `request`, record the usage that it returns with its result.

        Errors: TokenLimitReached; those of `request`, recorded before they are raised.
        """
        async with self.reserve({bank_id: share}) as reservation:
            if not reservation.call_ids:
                raise TokenLimitReached
            result, reservation.usage = await request()
        return result

    @asynccontextmanager
    async def reserve(self, shares: Mapping[str, Share]) -> AsyncGenerator[Reservation]:
        """Reserve one call for several banks; account for it when the block ends.

        A bank whose limit another process has just used up has no row and must be left out of the call. The usage is
        split among the banks in proportion to their estimates. A call that was refused without processing
        (ProviderUnavailable) costs nothing but the calls before it for the same question; one without an answer, or
        with an unusable one, keeps its estimate.
        """
        reservation = Reservation({})
        try:
            for bank_id, share in shares.items():
                call_id = await self._store.spending.begin(
                    bank_id, share.estimate, share.items, share.daily_tokens
                )
                if call_id is not None:
                    reservation.call_ids[bank_id] = call_id
            with model_span(model_of(shares), next(iter(shares.values())).estimate.purpose) as span:
                yield reservation
                if reservation.usage is not None:
                    span.set_attribute(INPUT_TOKENS, reservation.usage.input_tokens)
                    span.set_attribute(OUTPUT_TOKENS, reservation.usage.output_tokens)
        except Exception as error:
            await self._record_failure(reservation, shares, error)
            raise
        if reservation.call_ids:
            self._answered[model_of(shares)] = time.monotonic()
            await self._record(reservation, shares, "ok", reservation.usage)

    async def _record_failure(
        self, reservation: Reservation, shares: Mapping[str, Share], error: Exception
    ) -> None:
        unprocessed = isinstance(error, ProviderUnavailable) and not isinstance(error, NoAnswer)
        outcome = "unavailable" if unprocessed else f"failed: {type(error).__name__}"
        used = error.used_tokens if isinstance(error, ModelError) else (0, 0)
        usage = Usage(model_of(shares), next(iter(shares.values())).estimate.purpose, *used)
        await self._record(reservation, shares, outcome, usage if unprocessed else None)
        if isinstance(error, NoAnswer):
            model = model_of(shares)
            error.others_answered = self._answered.get(model, 0.0) > self._unanswered.get(model, 0.0)
            self._unanswered[model] = time.monotonic()

    async def _record(
        self, reservation: Reservation, shares: Mapping[str, Share], outcome: str, usage: Usage | None
    ) -> None:
        self._count(reservation, shares, outcome, usage)
        total = sum(shares[bank_id].estimate.input_tokens for bank_id in reservation.call_ids)
        for bank_id, call_id in reservation.call_ids.items():
            part = shares[bank_id].estimate.input_tokens / max(total, 1)
            used = None if usage is None else limited(usage).share(part)
            await self._store.spending.end(bank_id, call_id, outcome, used)

    def _count(
        self, reservation: Reservation, shares: Mapping[str, Share], outcome: str, usage: Usage | None
    ) -> None:
        """Count one call for all its banks; without usage its estimates."""
        if not reservation.call_ids:
            return
        purpose, kind = next(iter(shares.values())).estimate.purpose, outcome.partition(":")[0]
        billed = (
            [shares[bank_id].estimate for bank_id in reservation.call_ids]
            if usage is None
            else [limited(usage)]
        )
        counts = self._store.counts
        counts.count(MODEL_CALLS, purpose, kind)
        counts.count(MODEL_TOKENS, purpose, "input", kind, by=sum(one.input_tokens for one in billed))
        counts.count(MODEL_TOKENS, purpose, "output", kind, by=sum(one.output_tokens for one in billed))

    async def postpone(self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch) -> None:
        """Release claims that today's limit leaves no room for, without counting an attempt: until the next UTC day,
        or for 15 s while calls are under way that may cost less than was estimated."""
        if not claims:
            return
        self._store.counts.count(DEFERRED, claims[0].kind, by=len(claims))
        _, under_way = await self._store.spending.today(bank_id)
        if under_way:
            await batch.release(claims, timedelta(seconds=UNDER_WAY_SECONDS), LIMIT_REACHED)
        else:
            await batch.release_until_tomorrow(claims, LIMIT_REACHED)


def model_of(shares: Mapping[str, Share]) -> str:
    return next(iter(shares.values())).estimate.model


def limited(usage: Usage) -> Usage:
    """The usage with each count clamped to 0..MOST_TOKENS."""
    return replace(
        usage,
        input_tokens=min(max(usage.input_tokens, 0), MOST_TOKENS),
        output_tokens=min(max(usage.output_tokens, 0), MOST_TOKENS),
    )
