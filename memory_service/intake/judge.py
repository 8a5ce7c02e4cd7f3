"""Step `judge`: a language model judges the undecided pairs of new facts, in one call per bank."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, RequestRejected
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.concurrency import gather_all
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.pair_judging import PairJudging
from memory_service.intake.step import Step
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.work import Claim, Kind
from memory_service.types import JudgedPair

log = structlog.get_logger()


class JudgeStep(Step):
    """Judges each pair of facts once; the nightly confidence pass judges the pairs that are left out here."""

    kind: Kind = "judge"
    batch = 32
    per_bank = 32
    parallel = 2

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        super().__init__(store, models, settings)
        self._pair_judging = PairJudging(store, self._calls)

    async def run(self, batch: ClaimBatch) -> None:
        banks = by_bank(batch.claims, lambda claim: claim.bank_id)
        await gather_all(self._judge(bank_id, claims, batch) for bank_id, claims in banks.items())

    async def _judge(self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch) -> None:
        _, features = await self._read_bank(bank_id)
        model = self._models.language_model() if features.language_model else None
        judged: list[JudgedPair] = []
        if model is not None:
            fact_ids = [UUID(claim.subject) for claim in claims]
            try:
                judged = await self._pair_judging.judge(model, bank_id, features.daily_tokens, fact_ids)
            except (InvalidOutput, RequestRejected) as error:  # left to the confidence pass
                log.warning("pairs are not judged", bank_id=bank_id, error=str(error))
            except TokenLimitReached:
                await self._calls.postpone(bank_id, claims, batch)
                return
        await self._store.fact_pairs.record_decisions(bank_id, judged, claims)
        batch.settle(claims)
