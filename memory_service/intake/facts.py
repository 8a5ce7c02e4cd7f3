"""What episodes and commits state as facts: made canonical, embedded in one batch, written as evidence bank by bank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.config import Settings
from memory_service.features import Features, features_of
from memory_service.intake.by_bank import by_bank
from memory_service.intake.concurrency import together
from memory_service.intake.embedding import embedder_of, vectors_of
from memory_service.intake.ledger import Ledger
from memory_service.models.interface import Vectors, estimated_tokens
from memory_service.models.registry import Models
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.third_person import told_of
from memory_service.speakers import speakers_of
from memory_service.store import Store
from memory_service.store.statements import Stating
from memory_service.store.work import Claim, Kind
from memory_service.types import CandidateFact, Usage


@dataclass(frozen=True, slots=True)
class Stated:
    """What one bank's episodes of a batch state, or one committed fact of it."""

    bank_id: str
    model_id: str
    features: Features
    claims: Sequence[Claim]
    candidates: Sequence[dict[str, Any]]
    """As upsert_facts takes them, in the order of their episodes."""
    committed: bool = False

    @property
    def tokens(self) -> int:
        return sum(estimated_tokens(candidate["text"]) for candidate in self.candidates)


class Facts:
    """Writes candidate facts as evidence of what they are about, and gives committed ones their place (S2, S3 3.1). A
    bank's embedding model is its own; texts of equal models share their batches."""

    kind: Kind = "facts"
    batch = 32
    per_bank = 64
    parallel = 2
    feeds: tuple[Kind, ...] = ("judge",)

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._ledger = Ledger(store)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        by_model: dict[str, list[Stated]] = {}
        for bank_id, mine in by_bank(claims, lambda claim: claim.bank_id).items():
            for stated in await self._read(bank_id, mine, done):
                by_model.setdefault(stated.model_id, []).append(stated)
        # Each model by itself: where one is out of reach, banks of the others go on.
        await together(self._write(model_id, stated, done) for model_id, stated in by_model.items())

    async def _read(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> list[Stated]:
        """What the bank's subjects state, as far as today's cap goes; what states nothing is done."""
        bank = await self._store.banks.read(bank_id)
        features = features_of(bank.settings, self._settings)
        found = await self._store.statements.read(bank_id, [UUID(claim.subject) for claim in claims])
        stating = {s.subject_id: s for s in found}
        left: list[Claim] = []
        for claim in claims:
            if UUID(claim.subject) in stating:
                left.append(claim)
            else:
                await self._store.work.complete(claim)
                done.add(claim.token)
        if left and embedder_of(self._models, bank.embedding_model).billed:
            costs = [tokens_of(stating[UUID(claim.subject)]) for claim in left]
            fitting = await self._ledger.affordable(bank_id, features.daily_tokens, costs)
            await self._ledger.wait(bank_id, left[fitting:], done)
            left = left[:fitting]
        model_id = bank.embedding_model
        subject = speakers_of(bank.settings).subject
        told = [claim for claim in left if stating[UUID(claim.subject)].text is None]
        candidates = [one for claim in told for one in candidates_of(stating[UUID(claim.subject)], subject)]
        parts = [Stated(bank_id, model_id, features, told, candidates)] if told else []
        for claim in left:
            text = stating[UUID(claim.subject)].text
            if text is not None:
                parts.append(
                    Stated(bank_id, model_id, features, [claim], [of_commit(text, subject)], committed=True)
                )
        return parts

    async def _write(self, model_id: str, parts: Sequence[Stated], done: set[UUID]) -> None:
        embedder = embedder_of(self._models, model_id)
        if embedder.billed:
            banks = by_bank(parts, lambda part: part.bank_id)
            estimates = {
                b: Usage(model_id, "embed", sum(p.tokens for p in mine)) for b, mine in banks.items()
            }
            items = {b: sum(len(p.candidates) for p in mine) for b, mine in banks.items()}
            caps = {b: mine[0].features.daily_tokens for b, mine in banks.items()}
            async with self._ledger.entry(estimates, items, caps) as entry:
                for part in parts:
                    if part.bank_id not in entry.lines:
                        await self._ledger.wait(part.bank_id, part.claims, done)
                parts = [part for part in parts if part.bank_id in entry.lines]
                if not parts:
                    return
                answer = await vectors_of(embedder, texts_of(parts))
                entry.usage = answer.usage
        else:
            answer = await vectors_of(embedder, texts_of(parts))
        first = 0
        for part in parts:
            await self._settle(part, answer.vectors[first : first + len(part.candidates)])
            first += len(part.candidates)
            done.update(claim.token for claim in part.claims)

    async def _settle(self, part: Stated, vectors: Vectors) -> None:
        statements_of = self._store.statements
        doubts = part.features.language_model and self._models.language_model() is not None
        if part.committed:
            await statements_of.place(
                part.bank_id, part.model_id, part.claims[0], part.candidates[0], vectors[0], doubts=doubts
            )
        else:
            await statements_of.upsert(
                part.bank_id, part.model_id, part.claims, part.candidates, vectors, doubts=doubts
            )


def texts_of(parts: Sequence[Stated]) -> list[str]:
    return [candidate["text"] for part in parts for candidate in part.candidates]


def tokens_of(stating: Stating) -> int:
    texts = [fact.text for fact in stating.facts] if stating.text is None else [stating.text]
    return sum(map(estimated_tokens, texts))


def candidates_of(stating: Stating, subject: str | None = None) -> list[dict[str, Any]]:
    """An episode's candidates as upsert_facts takes them, each with an id for the fact that it may become."""
    return [
        {
            "episode_id": str(stating.subject_id),
            "memory_id": str(uuids.uuid7()),
            **asdict(canonical(fact, subject)),
        }
        for fact in stating.facts
    ]


def of_commit(text: str, subject: str | None = None) -> dict[str, Any]:
    """What a committed fact is about, where rules can tell: one statement, as whoever it is about would say it, and no
    ending; the text stays as it was written."""
    told = told_of(text)
    if one := told.statement:
        return asdict(
            canonical(CandidateFact(text, one.subject, one.attribute, one.value, stated=True), subject)
        )
    return asdict(canonical(CandidateFact(text, told.subject, stated=True), subject))
