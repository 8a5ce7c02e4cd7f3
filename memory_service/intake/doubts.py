"""Pairs of facts that rules cannot judge, put to a language model within the bank's means."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog

from memory_service.errors import InvalidOutput, RequestRejected
from memory_service.intake.ledger import Ledger
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.models.judging import JUDGING, judged
from memory_service.rules.doubts import doubtful
from memory_service.store import Store
from memory_service.types import DoubtfulPair, JudgedPair, Usage

PROMPT_TOKENS = estimated_tokens(JUDGING)
PAIR_TOKENS = 30
"""About what the frame of a pair and its verdict take, beside the two texts."""
MOST_PAIRS = 64
"""Of one call: the nearest."""

log = structlog.get_logger()


class Doubts:
    """Asks about each pair once. Pairs that nobody judges stand beside each other, as compatible ones do, so an answer
    that is no use costs no fact anything."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ledger = Ledger(store)

    async def judged(
        self, model: LanguageModel, bank_id: str, daily_tokens: int | None, fact_ids: Sequence[UUID]
    ) -> list[JudgedPair] | None:
        """What the model says of the pairs that these facts may contradict; None where today's cap leaves no room.

        Errors: ProviderUnavailable.
        """
        found = await self._store.pairs.doubtful(bank_id, fact_ids)
        pairs = [pair for pair in found if doubtful(pair.older, pair.newer)]
        pairs = sorted(pairs, key=lambda pair: -pair.similarity)[:MOST_PAIRS]
        if not pairs:
            return []
        cost = PROMPT_TOKENS + sum(map(tokens_of, pairs))
        if not await self._ledger.affordable(bank_id, daily_tokens, [cost]):
            return None
        estimate = Usage(model.name, "judge", cost)
        try:
            async with self._ledger.entry(
                {bank_id: estimate}, {bank_id: len(pairs)}, {bank_id: daily_tokens}
            ) as entry:
                if not entry.lines:
                    return None
                verdicts, entry.usage = await judged(model, pairs)
        except (InvalidOutput, RequestRejected) as error:
            log.warning("pairs are not judged", bank_id=bank_id, pairs=len(pairs), error=str(error))
            return []
        return [JudgedPair(pair, verdict, model.name) for pair, verdict in zip(pairs, verdicts, strict=True)]


def tokens_of(pair: DoubtfulPair) -> int:
    return PAIR_TOKENS + estimated_tokens(pair.older.text) + estimated_tokens(pair.newer.text)
