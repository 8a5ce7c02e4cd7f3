"""Candidate facts of episodes, and the evidence written from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.models.interface import Vectors
from memory_service.store.area import Area
from memory_service.store.records import record
from memory_service.store.work import Claim
from memory_service.types import CandidateFact


@dataclass(frozen=True, slots=True)
class StatementSource:
    """An episode with its candidate facts, or a committed fact with its text."""

    subject_id: UUID
    facts: tuple[CandidateFact, ...]
    """Empty for a committed fact."""
    text: str | None
    """Of a committed fact."""
    model_id: str
    """The bank's embedding model."""


class Statements(Area):
    async def read(self, bank_id: str, subject_ids: Sequence[UUID]) -> list[StatementSource]:
        """The sources with these ids; those without candidates and those no longer kept are left out."""
        rows = await self._database.rows(
            "memory_api.read_candidate_facts", bank=bank_id, subjects=subject_ids
        )
        return [
            record(
                StatementSource, row, facts=tuple(CandidateFact(**fact) for fact in row["candidates"] or ())
            )
            for row in rows
        ]

    async def upsert(
        self,
        bank_id: str,
        model_id: str,
        claims: Sequence[Claim],
        candidates: Sequence[Mapping[str, Any]],
        vectors: Vectors,
        *,
        judge_pairs: bool = False,
    ) -> int:
        """Write the candidates of these claims as evidence and complete their work items; how many were new.

        Claims whose lease was lost are skipped. `judge_pairs` enqueues a work item for each new fact that may
        contradict others.
        `candidates` are {episode_id, memory_id, text, subject, attribute, value, cardinality, opposes, holds, stated};
        `vectors` has a row for each, float32 of 768.
        """
        return await self._database.value(
            "memory_api.upsert_facts",
            bank=bank_id,
            model=model_id,
            episodes=[UUID(claim.subject) for claim in claims],
            tokens=[claim.token for claim in claims],
            facts=candidates,
            embeddings=[HalfVector(vector) for vector in vectors],
            judge_pairs=judge_pairs,
        )

    async def place_committed(
        self,
        bank_id: str,
        model_id: str,
        claim: Claim,
        statements: Sequence[Mapping[str, Any]],
        vectors: Vectors,
        *,
        judge_pairs: bool = False,
    ) -> bool:
        """Write the timeline, vector and index words of a committed fact, and the further facts that its text states,
        and complete its work item.

        `statements`: the committed fact first; `vectors` has a row for each. False: the lease was lost. `judge_pairs`
        as in `upsert`.
        """
        further = [
            {**statement, "embedding": HalfVector(vector).to_text()}
            for statement, vector in zip(statements[1:], vectors[1:], strict=True)
        ]
        return await self._database.value(
            "memory_api.place_committed_fact",
            bank=bank_id,
            model=model_id,
            memory=UUID(claim.subject),
            token=claim.token,
            statement={**statements[0], "further": further},
            embedding=HalfVector(vectors[0]),
            judge_pairs=judge_pairs,
        )
