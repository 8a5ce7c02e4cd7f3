"""Pairs of facts that rules cannot judge, put to a language model within the bank's means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from memory_service.errors import InvalidOutput, NoAnswer, RequestRejected
from memory_service.intake.ledger import Ledger
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.models.pair_judging import JUDGING, judged
from memory_service.rules.facts.pair_filter import doubtful
from memory_service.store import Store
from memory_service.types import DoubtfulPair, JudgedPair, Usage

PROMPT_TOKENS = estimated_tokens(JUDGING)
PAIR_TOKENS = 30
"""About what the frame of a pair and its verdict take, beside the two texts."""
MOST_PAIRS = 64
"""Of one call: the nearest. The night asks about the others."""
MOST_ALONE = 16
ALL_IN_VAIN = 3
"""Pairs asked about alone at a time, and after how many without any answer it is the model and not a text."""


class Doubts:
    """Asks about each pair once. Pairs that nobody judges stand beside each other, as compatible ones do, so an answer
    that is no use costs no fact anything."""

    def __init__(self, store: Store, ledger: Ledger | None = None) -> None:
        self._store = store
        self._ledger = ledger or Ledger(store)

    async def judged(
        self,
        model: LanguageModel,
        bank_id: str,
        daily_tokens: int | None,
        fact_ids: Sequence[UUID],
        *,
        alone: bool = False,
    ) -> list[JudgedPair] | None:
        """What the model says of the nearest pairs that these facts may contradict and nobody has judged; empty where
        there are none, None where today's cap leaves no room.

        With `alone`, what it refuses, does not answer, or answers with no use is asked pair by pair, as long as it
        answers some, so that one text that it cannot take keeps nobody else from being judged.
        Errors: ProviderUnavailable; InvalidOutput or RequestRejected where nothing of it was answered.
        """
        found = await self._store.pairs.doubtful(bank_id, fact_ids)
        pairs = [pair for pair in found if doubtful(pair.older, pair.newer)]
        pairs = sorted(pairs, key=lambda pair: -pair.similarity)[:MOST_PAIRS]
        if not pairs:
            return []
        try:
            return await self._ask(model, bank_id, daily_tokens, pairs)
        except (InvalidOutput, NoAnswer, RequestRejected) as error:
            if not alone:
                raise
            if len(pairs) == 1 and isinstance(error, NoAnswer):
                if error.others_answered:
                    return [unanswered_pair(pairs[0], model)]
                raise
            return await self._ask_alone(model, bank_id, daily_tokens, pairs)

    async def _ask_alone(
        self, model: LanguageModel, bank_id: str, daily_tokens: int | None, pairs: Sequence[DoubtfulPair]
    ) -> list[JudgedPair]:
        """Pair by pair, those last whose facts were in one that was not answered."""
        found: list[JudgedPair] = []
        unanswered: list[DoubtfulPair] = []
        outage: NoAnswer | None = None
        blamed: Counter[UUID] = Counter()
        left = list(pairs)
        while left and len(found) + len(unanswered) < MOST_ALONE:
            pair = min(left, key=lambda pair: blamed[pair.older_id] + blamed[pair.newer_id])
            left.remove(pair)
            try:
                answer = await self._ask(model, bank_id, daily_tokens, [pair])
            except (InvalidOutput, NoAnswer, RequestRejected) as error:
                if isinstance(error, NoAnswer) and not error.others_answered:
                    outage = error
                unanswered.append(pair)
                blamed.update((pair.older_id, pair.newer_id))
                if len(unanswered) == ALL_IN_VAIN and not found:
                    raise
                continue
            if answer is None:
                break
            found += answer
        if outage is not None and not found:
            raise outage
        # Nobody can say: both stand, and nobody is asked again.
        return found + [unanswered_pair(pair, model) for pair in unanswered]

    async def _ask(
        self, model: LanguageModel, bank_id: str, daily_tokens: int | None, pairs: Sequence[DoubtfulPair]
    ) -> list[JudgedPair] | None:
        cost = PROMPT_TOKENS + sum(map(tokens_of, pairs))
        if not await self._ledger.affordable(bank_id, daily_tokens, [cost]):
            return None
        estimate = Usage(model.name, "judge", cost)
        async with self._ledger.entry(
            {bank_id: estimate}, {bank_id: len(pairs)}, {bank_id: daily_tokens}
        ) as entry:
            if not entry.lines:
                return None
            verdicts, entry.usage = await judged(model, pairs)
        return [JudgedPair(pair, verdict, model.name) for pair, verdict in zip(pairs, verdicts, strict=True)]


def unanswered_pair(pair: DoubtfulPair, model: LanguageModel) -> JudgedPair:
    return JudgedPair(pair, "compatible", f"{model.name}: no answer")


def tokens_of(pair: DoubtfulPair) -> int:
    return PAIR_TOKENS + estimated_tokens(pair.older.text) + estimated_tokens(pair.newer.text)
