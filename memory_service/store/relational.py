"""Relational memory: norms, their versions, and the updates from episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.models.interface import Vectors
from memory_service.person_results import Norm, NormVersion
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.database import at_time
from memory_service.store.records import record

NormJudgement = Literal["confirmed", "removed", "pinned", "unpinned"]


@dataclass(frozen=True, slots=True)
class NormText:
    """A text of a norm that lacks its vector."""

    norm_id: UUID
    part: int
    text: str
    model_id: str


class Relational(Area):
    async def update(self, bank_id: str, token: UUID | None = None, at: datetime | None = None) -> int | None:
        """Write stated norms and observations of episodes; None if the lease of `token` was lost."""
        return await self._database.value(
            "memory_api.update_relational", bank=bank_id, token=token, **at_time(at)
        )

    async def to_embed(self, bank_id: str) -> list[NormText]:
        return await self._records(NormText, "memory_api.norms_to_embed", bank=bank_id)

    async def embed(self, bank_id: str, texts: Sequence[NormText], vectors: Vectors) -> int:
        """Write the vectors, a row for each text; their number."""
        return await self._database.value(
            "memory_api.embed_norms",
            bank=bank_id,
            model=texts[0].model_id,
            norms=[text.norm_id for text in texts],
            parts=[text.part for text in texts],
            texts=[text.text for text in texts],
            embeddings=[HalfVector(vector) for vector in vectors],
        )

    async def list(
        self, bank_id: str, as_of: datetime | None, *, all_states: bool = False, norm: UUID | None = None
    ) -> list[Norm]:
        """Norms in force at `as_of`, or all. Errors: NotFound (the bank)."""
        rows = await self._database.rows(
            "memory_api.list_norms", bank=bank_id, as_of=as_of, all_states=all_states, norm=norm
        )
        return [record(Norm, row, norm=row["norm_text"]) for row in rows]

    async def history(self, bank_id: str, norm: UUID) -> list[NormVersion]:
        rows = await self._database.rows("memory_api.norm_history", bank=bank_id, norm=norm)
        return [record(NormVersion, row, norm=row["norm_text"]) for row in rows]

    async def put(
        self, bank_id: str, norms: Sequence[Mapping[str, Any]], actor: str, agent_id: str | None
    ) -> list[UUID]:
        return await self._database.value(
            "memory_api.put_norms", bank=bank_id, norms=norms, actor=actor, agent=agent_id
        )

    async def correct(
        self,
        bank_id: str,
        norm: UUID,
        text: str | None,
        situation: str | None,
        level: float | None,
        actor: str,
    ) -> bool:
        """False for an unknown norm. Errors: Conflict for one that is not in force."""
        return await self._database.value(
            "memory_api.correct_norm",
            bank=bank_id,
            norm=norm,
            new_norm=text,
            new_situation=situation,
            new_level=level,
            actor=actor,
        )

    async def review(self, bank_id: str, norm: UUID, judgement: NormJudgement, actor: str) -> bool:
        """False for an unknown norm. Errors: Conflict where a newer norm of its slot is in force."""
        return await self._database.value(
            "memory_api.review_norm",
            bank=bank_id,
            norm=norm,
            judgement=judgement,
            actor=actor,
            key=acting()["key"],
        )
