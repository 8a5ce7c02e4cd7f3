"""Step `procedures`: embed the procedures that episodes state, and committed ones, and write them.

Texts of several banks are embedded in one call; each bank is written in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.features import Features
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.concurrency import gather_all
from memory_service.intake.embedding import embed_parts, embedder_of
from memory_service.intake.step import Step
from memory_service.models.interface import Vectors, estimated_tokens
from memory_service.speakers import speakers_of
from memory_service.store.procedures import ProcedureTexts
from memory_service.store.work import Claim, Kind


@dataclass(frozen=True, slots=True)
class Pending:
    """The procedures of one bank in a batch; an embedding.BankPart."""

    bank_id: str
    features: Features
    claims: Sequence[Claim]
    procedures: Sequence[dict[str, Any]]
    """As memory_api.write_procedures takes them, with `content` and `situation`."""

    @property
    def items(self) -> int:
        return len(self.procedures)

    @property
    def tokens(self) -> int:
        return sum(map(estimated_tokens, texts_of(self)))


class ProceduresStep(Step):
    """Writes procedures. Each bank has its own embedding model; banks with the same model share calls."""

    kind: Kind = "procedures"
    batch = 32
    per_bank = 64
    parallel = 2

    async def run(self, batch: ClaimBatch) -> None:
        by_model: dict[str, list[Pending]] = {}
        for bank_id, claims in by_bank(batch.claims, lambda claim: claim.bank_id).items():
            model_id, pending = await self._read(bank_id, claims, batch)
            if pending is not None:
                by_model.setdefault(model_id, []).append(pending)
        await gather_all(self._write(model_id, parts, batch) for model_id, parts in by_model.items())

    async def _read(
        self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch
    ) -> tuple[str, Pending | None]:
        """The bank's embedding model and its procedures within the daily token limit; subjects without any are
        completed."""
        bank, features = await self._read_bank(bank_id)
        found = await self._store.procedures.read_texts(bank_id, [UUID(claim.subject) for claim in claims])
        subject = speakers_of(bank.settings).subject
        procedures_of = {one.subject_id: procedures_in(one, subject) for one in found}
        pending = [(claim, own) for claim in claims if (own := procedures_of.get(UUID(claim.subject)))]
        for claim in claims:
            if not procedures_of.get(UUID(claim.subject)):
                await batch.complete(claim)
        if pending and embedder_of(self._models, bank.embedding_model).billed:
            pending = await self._calls.take_affordable(
                bank_id,
                features.daily_tokens,
                [((claim, own), sum(estimated_tokens(one["content"]) for one in own), claim)
                 for claim, own in pending],
                batch,
            )  # fmt: skip
        if not pending:
            return bank.embedding_model, None
        return bank.embedding_model, Pending(
            bank_id, features, [claim for claim, _ in pending], [one for _, own in pending for one in own]
        )

    async def _write(self, model_id: str, parts: Sequence[Pending], batch: ClaimBatch) -> None:
        embedder = embedder_of(self._models, model_id)
        for part, vectors in await embed_parts(self._calls, embedder, parts, texts_of, batch):
            await self._store.procedures.write(
                part.bank_id, model_id, part.claims, part.procedures, *vectors_of(part, vectors)
            )
            batch.settle(part.claims)


def texts_of(part: Pending) -> list[str]:
    """The contents, then the situations that are known."""
    return [one["content"] for one in part.procedures] + [
        one["situation"] for one in part.procedures if one["situation"]
    ]


def vectors_of(part: Pending, vectors: Vectors) -> tuple[list[Vectors], list[Vectors | None]]:
    """The vectors of the contents, and of the situations (None without one), from those of `texts_of`."""
    contents = [vectors[n] for n in range(part.items)]
    rest = iter(range(part.items, len(vectors)))
    return contents, [vectors[next(rest)] if one["situation"] else None for one in part.procedures]


def procedures_in(texts: ProcedureTexts, subject: str | None) -> list[dict[str, Any]]:
    """The procedures of one subject of work: a committed one, or those that an episode states. What another speaker
    than the bank's subject states is left out; without a subject the speaker's name is put before it."""
    if texts.stated is None:
        return [
            {"subject": str(texts.subject_id), "content": texts.content, "situation": texts.situation or ""}
        ]
    return [
        {
            "subject": str(texts.subject_id),
            "memory_id": str(uuids.uuid7()),
            **stated,
            "content": f"{speaker}: {stated['content']}"
            if speaker and subject is None
            else stated["content"],
        }
        for stated in texts.stated
        if (speaker := stated.get("speaker")) is None
        or subject is None
        or speaker.casefold() == subject.casefold()
    ]
