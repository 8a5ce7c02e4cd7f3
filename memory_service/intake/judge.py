"""The doubts that new facts raise: what rules cannot judge of them, a language model does, in one call per bank."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, RequestRejected
from memory_service.features import features_of
from memory_service.intake.grouping import by_bank
from memory_service.intake.ledger import Ledger
from memory_service.intake.together import together
from memory_service.models.interface import LanguageModel, estimated_tokens
from memory_service.models.judging import JUDGING, judged
from memory_service.models.registry import Models
from memory_service.rules.doubts import doubtful
from memory_service.store import Store
from memory_service.store.work import Claim, Kind
from memory_service.types import DoubtfulPair, JudgedPair, Usage

PROMPT_TOKENS = estimated_tokens(JUDGING)
PAIR_TOKENS = 30
"""About what the frame of a pair and its verdict take, beside the two texts."""
MOST_PAIRS = 64
"""Of one call: the nearest. Others are left to the night."""

log = structlog.get_logger()


class Judge:
    """Judges pairs of facts once each. Pairs that are never judged stand beside each other, as compatible ones do, so
    an answer that is no use costs no fact anything: it is left to the night."""

    kind: Kind = "judge"
    batch = 32
    per_bank = 32
    parallel = 2
    feeds: tuple[Kind, ...] = ()

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._ledger = Ledger(store)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        banks = by_bank(claims, lambda claim: claim.bank_id)
        await together(self._judge(bank_id, mine, done) for bank_id, mine in banks.items())

    async def _judge(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> None:
        bank = await self._store.banks.read(bank_id)
        features = features_of(bank.settings, self._settings)
        model = self._models.language_model() if features.language_model else None
        found: list[JudgedPair] = []
        if model is not None:
            pairs = await self._store.pairs.doubtful(bank_id, [UUID(claim.subject) for claim in claims])
            doubts = [pair for pair in pairs if doubtful(pair.older, pair.newer)]
            doubts = sorted(doubts, key=lambda pair: -pair.similarity)[:MOST_PAIRS]
            if doubts:
                asked = await self._ask(model, bank_id, features.daily_tokens, doubts)
                if asked is None:
                    await self._ledger.wait(bank_id, claims, done)
                    return
                found = asked
        await self._store.pairs.judge(bank_id, found, claims)
        done.update(claim.token for claim in claims)

    async def _ask(
        self, model: LanguageModel, bank_id: str, daily_tokens: int | None, doubts: Sequence[DoubtfulPair]
    ) -> list[JudgedPair] | None:
        """What the model says; None where today's cap leaves no room for the question."""
        cost = PROMPT_TOKENS + sum(map(tokens_of, doubts))
        if not await self._ledger.affordable(bank_id, daily_tokens, [cost]):
            return None
        estimate = Usage(model.name, "judge", cost)
        try:
            async with self._ledger.entry(
                {bank_id: estimate}, {bank_id: len(doubts)}, {bank_id: daily_tokens}
            ) as entry:
                if not entry.lines:
                    return None
                verdicts, entry.usage = await judged(model, doubts)
        except (InvalidOutput, RequestRejected) as error:
            log.warning("pairs are not judged", bank_id=bank_id, pairs=len(doubts), error=str(error))
            return []
        return [JudgedPair(pair, verdict, model.name) for pair, verdict in zip(doubts, verdicts, strict=True)]


def tokens_of(pair: DoubtfulPair) -> int:
    return PAIR_TOKENS + estimated_tokens(pair.older.text) + estimated_tokens(pair.newer.text)
