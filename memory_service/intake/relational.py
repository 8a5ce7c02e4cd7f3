"""Step `relational`: norms that episodes state, and style, sensitivity and phase after every tenth exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_service.features import Features
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.embedding import embed_parts, embedder_of
from memory_service.intake.step import Step
from memory_service.models.interface import estimated_tokens
from memory_service.store.relational import NormText
from memory_service.store.work import Claim, Kind


@dataclass(frozen=True, slots=True)
class NewNorms:
    """The texts of one bank's norms that lack a vector; an embedding.BankPart."""

    bank_id: str
    features: Features
    claims: Sequence[Claim]
    texts: Sequence[NormText]

    @property
    def items(self) -> int:
        return len({text.norm_id for text in self.texts})

    @property
    def tokens(self) -> int:
        return sum(estimated_tokens(text.text) for text in self.texts)


class RelationalStep(Step):
    """Updates one bank per work item, then embeds its new norms. A norm without a vector is in force already."""

    kind: Kind = "relational"
    batch = 16
    per_bank = 1
    parallel = 1

    async def run(self, batch: ClaimBatch) -> None:
        by_model: dict[str, list[NewNorms]] = {}
        for claim in batch.claims:
            _, features = await self._read_bank(claim.bank_id)
            if features.relational:
                await self._store.relational.update(claim.bank_id, claim.token)
            texts = await self._store.relational.to_embed(claim.bank_id)
            if texts:
                by_model.setdefault(texts[0].model_id, []).append(
                    NewNorms(claim.bank_id, features, [claim], texts)
                )
            else:
                await batch.complete(claim)
        for model_id, parts in by_model.items():
            embedder = embedder_of(self._models, model_id)
            for part, vectors in await embed_parts(
                self._calls, embedder, parts, lambda part: [text.text for text in part.texts], batch
            ):
                await self._store.relational.embed(part.bank_id, part.texts, vectors)
                await batch.complete(part.claims[0])
