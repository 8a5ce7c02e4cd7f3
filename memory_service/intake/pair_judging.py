"""Pair judging: a language model judges pairs of facts that the rules leave undecided, within the token limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from uuid import UUID

from memory_service.errors import NoAnswer
from memory_service.intake.model_calls import ModelCalls, Share, TokenLimitReached
from memory_service.intake.poison_items import ITEM_ERRORS, Failed, call_each
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.models.pair_judging import JUDGING, judge_pairs
from memory_service.rules.facts.pair_filter import doubtful
from memory_service.store import Store
from memory_service.types import JudgedPair, UnjudgedPair, Usage

PROMPT_TOKENS = estimated_tokens(JUDGING)
PAIR_TOKENS = 30
"""Estimated tokens of a pair's JSON frame and its answer, without the two texts."""
MOST_PAIRS = 64
"""Pairs of one call: the nearest. The nightly confidence pass judges the others."""
MOST_ALONE = 16
"""Pairs judged one by one after a failed call."""
FAILURES_TO_GIVE_UP = 3
"""Single pairs that fail, with none answered, after which the model is at fault and not a text."""


class PairJudging:
    """Has each pair judged once. A pair that is not judged is treated as compatible: both facts stay as they are."""

    def __init__(self, store: Store, calls: ModelCalls) -> None:
        self._store = store
        self._calls = calls

    async def judge(
        self,
        model: LanguageModel,
        bank_id: str,
        daily_tokens: int | None,
        fact_ids: Sequence[UUID],
        *,
        isolate: bool = False,
    ) -> list[JudgedPair]:
        """Judge the nearest unjudged pairs of these facts that may contradict each other; empty where there are none.

        `isolate`: where the call fails, judge the pairs one by one; a pair that fails while others are answered is
        recorded as compatible, so that one text that the model cannot process does not block the rest.
        Errors: TokenLimitReached; ProviderUnavailable; InvalidOutput or RequestRejected where no pair was answered.
        """

        async def judged(chosen: Sequence[UnjudgedPair]) -> list[JudgedPair]:
            estimate = Usage(model.name, "judge", PROMPT_TOKENS + sum(map(tokens_of, chosen)))
            share = Share(estimate, len(chosen), daily_tokens)
            decisions = await self._calls.call(bank_id, share, lambda: judge_pairs(model, chosen))
            return [
                JudgedPair(pair, decision, model.name)
                for pair, decision in zip(chosen, decisions, strict=True)
            ]

        found = await self._store.fact_pairs.read_unjudged(bank_id, fact_ids)
        pairs = [pair for pair in found if doubtful(pair.older, pair.newer)]
        pairs = sorted(pairs, key=lambda pair: -pair.similarity)[:MOST_PAIRS]
        if not pairs:
            return []
        try:
            return await judged(pairs)
        except ITEM_ERRORS as error:
            if not isolate:
                raise
            if len(pairs) == 1 and isinstance(error, NoAnswer):
                if error.others_answered:
                    return [unanswered_pair(pairs[0], model)]
                raise
        answered: list[JudgedPair] = []
        unanswered: list[UnjudgedPair] = []
        outage: Exception | None = None
        failures: Counter[UUID] = Counter()
        attempts = call_each(pairs, judged, lambda pair: failures[pair.older_id] + failures[pair.newer_id])
        async with aclosing(attempts):
            async for attempt in attempts:
                if not isinstance(attempt, Failed):
                    answered += attempt.result
                elif isinstance(attempt.error, TokenLimitReached):
                    break
                elif attempt.failure == "outage":
                    raise attempt.error
                else:
                    outage = attempt.error if attempt.failure == "no_answer" else outage
                    unanswered += attempt.items
                    failures.update(fact_id for p in attempt.items for fact_id in (p.older_id, p.newer_id))
                    if len(unanswered) == FAILURES_TO_GIVE_UP and not answered:
                        raise attempt.error
                if len(answered) + len(unanswered) == MOST_ALONE:
                    break
        if outage is not None and not answered:
            raise outage
        return answered + [unanswered_pair(pair, model) for pair in unanswered]


def unanswered_pair(pair: UnjudgedPair, model: LanguageModel) -> JudgedPair:
    return JudgedPair(pair, "compatible", f"{model.name}: no answer")


def tokens_of(pair: UnjudgedPair) -> int:
    return PAIR_TOKENS + estimated_tokens(pair.older.text) + estimated_tokens(pair.newer.text)
