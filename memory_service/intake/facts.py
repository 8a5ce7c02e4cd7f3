"""What episodes state as facts: candidates made canonical, embedded in one batch, written as evidence bank by bank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.config import Settings
from memory_service.errors import InvalidInput, InvalidOutput, ProviderUnavailable
from memory_service.features import Features, features_of
from memory_service.intake.grouping import by_bank
from memory_service.intake.ledger import Ledger
from memory_service.intake.together import together
from memory_service.models.interface import Embedder, Vectors, estimated_tokens
from memory_service.models.registry import Models
from memory_service.rules.attributes import canonical
from memory_service.store import Store
from memory_service.store.statements import Stating
from memory_service.store.work import Claim, Kind
from memory_service.types import Usage


@dataclass(frozen=True, slots=True)
class Stated:
    """What one bank's episodes of a batch state."""

    bank_id: str
    model_id: str
    features: Features
    claims: Sequence[Claim]
    candidates: Sequence[dict[str, Any]]
    """As upsert_facts takes them, in the order of their episodes."""

    @property
    def tokens(self) -> int:
        return sum(estimated_tokens(candidate["text"]) for candidate in self.candidates)


class Facts:
    """Writes candidate facts as evidence of what they are about (S2, S3 3.1). A bank's embedding model is its own;
    texts of equal models share their batches."""

    kind: Kind = "facts"
    batch = 32
    per_bank = 64
    parallel = 2
    feeds: tuple[Kind, ...] = ()

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._ledger = Ledger(store)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        by_model: dict[str, list[Stated]] = {}
        for bank_id, mine in by_bank(claims, lambda claim: claim.bank_id).items():
            stated = await self._read(bank_id, mine, done)
            if stated.claims:
                by_model.setdefault(stated.model_id, []).append(stated)
        await together(self._write(model_id, banks, done) for model_id, banks in by_model.items())

    async def _read(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> Stated:
        """What the bank's episodes state, as far as today's cap goes; what states nothing is done."""
        bank = await self._store.banks.read(bank_id)
        features = features_of(bank.settings, self._settings)
        found = await self._store.statements.read(bank_id, [UUID(claim.subject) for claim in claims])
        stating = {s.episode_id: s for s in found}
        left: list[Claim] = []
        for claim in claims:
            if UUID(claim.subject) in stating:
                left.append(claim)
            else:
                await self._store.work.complete(claim)
                done.add(claim.token)
        if left and self._embedder(bank.embedding_model).billed:
            costs = [
                sum(estimated_tokens(fact.text) for fact in stating[UUID(c.subject)].facts) for c in left
            ]
            fitting = await self._ledger.affordable(bank_id, features.daily_tokens, costs)
            await self._ledger.wait(bank_id, left[fitting:], done)
            left = left[:fitting]
        candidates = [one for claim in left for one in candidates_of(stating[UUID(claim.subject)])]
        return Stated(bank_id, bank.embedding_model, features, left, candidates)

    async def _write(self, model_id: str, banks: Sequence[Stated], done: set[UUID]) -> None:
        embedder = self._embedder(model_id)
        if embedder.billed:
            estimates = {b.bank_id: Usage(model_id, "embed", b.tokens) for b in banks}
            items = {b.bank_id: len(b.candidates) for b in banks}
            caps = {b.bank_id: b.features.daily_tokens for b in banks}
            async with self._ledger.entry(estimates, items, caps) as entry:
                for bank in banks:
                    if bank.bank_id not in entry.lines:
                        await self._ledger.wait(bank.bank_id, bank.claims, done)
                banks = [bank for bank in banks if bank.bank_id in entry.lines]
                if not banks:
                    return
                answer = await embedder.embed_documents(texts_of(banks))
                entry.usage = answer.usage
        else:
            answer = await embedder.embed_documents(texts_of(banks))
        vectors = answer.vectors
        if vectors.shape[0] != len(texts_of(banks)):
            raise InvalidOutput(
                f"{len(texts_of(banks))} texts were sent, {vectors.shape[0]} vectors came back"
            )
        await self._upsert(model_id, banks, vectors, done)

    async def _upsert(
        self, model_id: str, banks: Sequence[Stated], vectors: Vectors, done: set[UUID]
    ) -> None:
        first = 0
        for bank in banks:
            mine = vectors[first : first + len(bank.candidates)]
            first += len(bank.candidates)
            await self._store.statements.upsert(bank.bank_id, model_id, bank.claims, bank.candidates, mine)
            done.update(claim.token for claim in bank.claims)

    def _embedder(self, model_id: str) -> Embedder:
        try:
            return self._models.embedder(model_id)
        except InvalidInput as error:
            raise ProviderUnavailable(f"embedding model {model_id}: {error}") from error


def texts_of(banks: Sequence[Stated]) -> list[str]:
    return [candidate["text"] for bank in banks for candidate in bank.candidates]


def candidates_of(stating: Stating) -> list[dict[str, Any]]:
    """An episode's candidates as upsert_facts takes them, each with an id for the fact that it may become."""
    return [
        {"episode_id": str(stating.episode_id), "memory_id": str(uuids.uuid7()), **canonical(fact).as_json()}
        for fact in stating.facts
    ]
