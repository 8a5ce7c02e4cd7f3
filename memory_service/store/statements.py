"""Statements: what episodes state as facts, and the evidence that it becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.models.interface import Vectors
from memory_service.store.database import Database
from memory_service.store.work import Claim
from memory_service.types import CandidateFact


@dataclass(frozen=True, slots=True)
class Stating:
    """What states something, an episode or a committed fact, and the model with which its bank embeds."""

    subject_id: UUID
    facts: tuple[CandidateFact, ...]
    """Empty where it is a committed fact."""
    text: str | None
    """What a committed fact says."""
    model_id: str


class Statements:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, bank_id: str, subject_ids: Sequence[UUID]) -> list[Stating]:
        """What these state; those that state nothing, or are not kept, are left out."""
        rows = await self._database.rows(
            "select * from memory_api.read_candidate_facts($1, $2)", bank_id, list(subject_ids)
        )
        return [
            Stating(
                r["subject_id"],
                tuple(CandidateFact(**fact) for fact in r["candidates"] or ()),
                r["text"],
                r["model_id"],
            )
            for r in rows
        ]

    async def upsert(
        self,
        bank_id: str,
        model_id: str,
        claims: Sequence[Claim],
        candidates: Sequence[Mapping[str, Any]],
        vectors: Vectors,
        *,
        doubts: bool = False,
    ) -> int:
        """Write what the episodes of these claims state as evidence, where their leases are still ours, and complete
        their work; how many statements were new. With `doubts`, work to judge what new facts could contradict.

        `candidates` are {episode_id, memory_id, text, subject, attribute, value, cardinality, opposes, holds, stated};
        `vectors` has a row for each, float32 of 768.
        """
        return await self._database.value(
            "select memory_api.upsert_facts($1, $2, $3, $4, $5, $6, doubts => $7)",
            bank_id,
            model_id,
            [UUID(claim.subject) for claim in claims],
            [claim.token for claim in claims],
            list(candidates),
            [HalfVector(vector) for vector in vectors],
            doubts,
        )

    async def place(
        self,
        bank_id: str,
        model_id: str,
        claim: Claim,
        said: Mapping[str, Any],
        vector: Vectors,
        *,
        doubts: bool = False,
    ) -> bool:
        """Give a committed fact its place, vector and words, and complete its work. False: the lease was lost."""
        return await self._database.value(
            "select memory_api.place_committed_fact($1, $2, $3, $4, $5, $6, doubts => $7)",
            bank_id,
            model_id,
            UUID(claim.subject),
            claim.token,
            dict(said),
            HalfVector(vector),
            doubts,
        )
