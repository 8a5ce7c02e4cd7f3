"""Procedures: commits, statements of episodes, lessons, outcomes, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.cursors import ProcedurePlace
from memory_service.errors import NotFound
from memory_service.models.interface import Vectors
from memory_service.results import Committed, Procedure, ProcedureVersion
from memory_service.store.area import Area
from memory_service.store.records import record
from memory_service.store.work import Claim

Json = Mapping[str, Any]
ProcedureReview = Literal["retracted", "pinned", "unpinned"]


@dataclass(frozen=True, slots=True)
class ProcedureTexts:
    """The texts of a subject of work of kind `procedures`."""

    subject_id: UUID
    stated: list[dict[str, Any]] | None
    """Procedures that an episode states, as extracted; None for a procedure."""
    content: str | None
    """Of a procedure, as is `situation`."""
    situation: str | None
    model_id: str
    """The bank's embedding model."""


@dataclass(frozen=True, slots=True)
class LearnedLessons:
    """The result of one call of memory_api.learn_lessons."""

    compared: int
    """Lessons compared; all are at 0."""
    created: tuple[UUID, ...]
    reinforced: tuple[UUID, ...]


class Procedures(Area):
    async def commit(self, bank_id: str, decision: Json, procedure: Json) -> Committed:
        """Write a committed procedure. Errors: NotFound, also of the one that it replaces; Conflict."""
        return await self._commit("memory_api.commit_procedure", bank_id, decision, procedure=procedure)

    async def read_texts(self, bank_id: str, subject_ids: Sequence[UUID]) -> list[ProcedureTexts]:
        """The texts of these subjects; those without any and those no longer kept are left out."""
        return await self._records(
            ProcedureTexts, "memory_api.read_procedure_texts", bank=bank_id, subjects=subject_ids
        )

    async def write(
        self,
        bank_id: str,
        model_id: str,
        claims: Sequence[Claim],
        procedures: Sequence[Json],
        contents: Sequence[Vectors],
        situations: Sequence[Vectors | None],
    ) -> int:
        """Write the procedures of these claims and complete their work items; how many changed. Claims whose lease was
        lost are skipped. `contents` and `situations` have a vector for each procedure, float32 of 768."""
        return await self._database.value(
            "memory_api.write_procedures",
            bank=bank_id,
            model=model_id,
            subjects=[UUID(claim.subject) for claim in claims],
            tokens=[claim.token for claim in claims],
            procedures=procedures,
            embeddings=[HalfVector(vector) for vector in contents],
            situations=[None if vector is None else HalfVector(vector) for vector in situations],
        )

    async def list(
        self,
        bank_id: str,
        limit: int,
        after: ProcedurePlace | None,
        *,
        as_of: datetime | None,
        statuses: Sequence[str] | None,
        kinds: Sequence[str] | None,
    ) -> list[Procedure]:
        """Procedures by their last confirmation, newest first, after the given place. Errors: NotFound."""
        return await self._records(
            Procedure,
            "memory_api.list_procedures",
            bank=bank_id,
            page=limit,
            as_of=as_of,
            statuses=statuses,
            kinds=kinds,
            after_at=after and after.occurred_at,
            after_id=after and after.memory_id,
        )

    async def read(self, bank_id: str, memory_id: UUID) -> Procedure:
        """Errors: NotFound."""
        return await self._one("memory_api.read_procedure", bank_id, memory_id)

    async def history(self, bank_id: str, memory_id: UUID, limit: int, after: int) -> list[ProcedureVersion]:
        """The versions of a procedure, oldest first, after the given one. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.procedure_history", bank=bank_id, memory=memory_id, page=limit, after_version=after
        )
        if not rows and not after:
            raise NotFound(no_procedure(memory_id))
        return [record(ProcedureVersion, row) for row in rows]

    async def review(self, bank_id: str, memory_id: UUID, review: ProcedureReview, actor: str) -> Procedure:
        """Errors: NotFound, Conflict where it takes no review."""
        return await self._one("memory_api.review_procedure", bank_id, memory_id, review=review, actor=actor)

    async def record_outcome(
        self, bank_id: str, memory_id: UUID, outcome: str, note: str | None, actor: str
    ) -> Procedure:
        """Count an outcome; the procedure then. Errors: NotFound, Conflict where it is not in use."""
        return await self._one(
            "memory_api.record_outcome",
            bank_id,
            memory_id,
            outcome=outcome,
            note=note,
            actor=actor,
        )

    async def read_lessons(self, bank_id: str, model_id: str, most: int) -> list[tuple[UUID, str]]:
        """Episodes with a lesson that has no vector of the model yet, oldest first."""
        rows = await self._database.rows("memory_api.read_lessons", bank=bank_id, model=model_id, page=most)
        return [(row["episode_id"], row["lesson"]) for row in rows]

    async def write_lesson_vectors(
        self, bank_id: str, model_id: str, lessons: Sequence[tuple[UUID, str]], vectors: Vectors
    ) -> None:
        await self._database.value(
            "memory_api.write_lesson_vectors",
            bank=bank_id,
            model=model_id,
            episodes=[episode for episode, _ in lessons],
            lessons=[lesson for _, lesson in lessons],
            embeddings=[HalfVector(vector) for vector in vectors],
        )

    async def learn_lessons(self, bank_id: str, model_id: str, most: int, at: datetime) -> LearnedLessons:
        """Compare up to `most` lessons that were not compared before, and make procedures of those taught often."""
        row = await self._found(
            None, "memory_api.learn_lessons", bank=bank_id, model=model_id, page=most, at=at
        )
        return record(LearnedLessons, row)

    async def _one(self, function: str, bank_id: str, memory_id: UUID, **arguments: Any) -> Procedure:
        row = await self._found(
            no_procedure(memory_id), function, bank=bank_id, memory=memory_id, **arguments
        )
        return record(Procedure, row)


def no_procedure(memory_id: UUID) -> str:
    return f"procedure_id: there is no procedure {memory_id} in this bank"
