"""The doubts that new facts raise: what rules cannot judge of them, a language model does, in one call per bank."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, RequestRejected
from memory_service.features import features_of
from memory_service.intake.by_bank import by_bank
from memory_service.intake.concurrency import together
from memory_service.intake.ledger import Ledger
from memory_service.intake.pair_judging import Doubts
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.work import Claim, Kind
from memory_service.types import JudgedPair

log = structlog.get_logger()


class Judge:
    """Judges pairs of facts once each; what it does not come to is left to the night."""

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
        self._doubts = Doubts(store)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        banks = by_bank(claims, lambda claim: claim.bank_id)
        await together(self._judge(bank_id, mine, done) for bank_id, mine in banks.items())

    async def _judge(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> None:
        bank = await self._store.banks.read(bank_id)
        features = features_of(bank.settings, self._settings)
        model = self._models.language_model() if features.language_model else None
        found: list[JudgedPair] | None = []
        if model is not None:
            facts = [UUID(claim.subject) for claim in claims]
            try:
                found = await self._doubts.judged(model, bank_id, features.daily_tokens, facts)
            except (InvalidOutput, RequestRejected) as error:  # no fact is worse off; the night asks again
                log.warning("pairs are not judged", bank_id=bank_id, error=str(error))
                found = []
            if found is None:
                await self._ledger.wait(bank_id, claims, done)
                return
        await self._store.pairs.judge(bank_id, found, claims)
        done.update(claim.token for claim in claims)
