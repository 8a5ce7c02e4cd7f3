"""Facts: commits, lists, reviews; and the questions about conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory_service.cursors import FactPlace, QuestionPlace
from memory_service.errors import NotFound
from memory_service.results import AskedAbout, Clarification, Committed, EarlierFact, Fact, FactVersion
from memory_service.store.area import Area
from memory_service.store.database import Row
from memory_service.store.records import record
from memory_service.validation import BOTH
from memory_service.vocabulary import MemoryStatus

Json = Mapping[str, Any]
Review = Literal["confirmed", "disputed", "retracted", "pinned", "unpinned"]


class Facts(Area):
    async def commit(self, bank_id: str, decision: Json, fact: Json) -> Committed:
        """Write a committed fact. Errors: NotFound, Conflict (the idempotency key)."""
        return await self._commit("memory_api.commit_fact", bank_id, decision, fact=fact)

    async def state(self, bank_id: str, memory_id: UUID) -> tuple[MemoryStatus, bool]:
        """The status of a fact, and whether it has reached its final one. Errors: NotFound."""
        row = await self._database.row("memory_api.fact_state", bank=bank_id, memory=memory_id)
        if row is None or row["status"] is None:
            raise NotFound(no_fact(memory_id))
        return row["status"], row["settled"]

    async def list(
        self,
        bank_id: str,
        limit: int,
        after: FactPlace | None,
        *,
        as_of: datetime | None,
        known_at: datetime | None,
        statuses: Sequence[str] | None,
    ) -> list[Fact]:
        """Facts by their last confirmation, newest first, after the given place. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.list_facts",
            bank=bank_id,
            page=limit,
            as_of=as_of,
            known_at=known_at,
            statuses=statuses,
            after_at=after and after.last_confirmed,
            after_id=after and after.memory_id,
        )
        return [fact_of(row) for row in rows]

    async def read(self, bank_id: str, memory_id: UUID) -> Fact:
        """Errors: NotFound."""
        return await self._one("memory_api.read_fact", bank_id, memory_id)

    async def history(self, bank_id: str, memory_id: UUID, limit: int, after: int) -> list[FactVersion]:
        """The versions of a fact, oldest first, after the given one. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.fact_history", bank=bank_id, memory=memory_id, page=limit, after_version=after
        )
        if not rows and not after:
            raise NotFound(no_fact(memory_id))
        return [record(FactVersion, row) for row in rows]

    async def review(self, bank_id: str, memory_id: UUID, review: Review, actor: str) -> Fact:
        """Apply a review to a fact; the fact then. Errors: NotFound, Conflict where it was retracted or merged."""
        return await self._one("memory_api.review_fact", bank_id, memory_id, judgement=review, actor=actor)

    async def unmerge(self, bank_id: str, memory_id: UUID, actor: str) -> Fact:
        """Separate a merged fact from its winner; the fact then. Errors: NotFound, Conflict."""
        return await self._one("memory_api.unmerge_fact", bank_id, memory_id, actor=actor)

    async def list_clarifications(
        self, bank_id: str, limit: int, after: QuestionPlace | None, *, statuses: Sequence[str] | None
    ) -> list[Clarification]:
        """Questions by importance, highest first, after the given place. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.list_clarifications",
            bank=bank_id,
            page=limit,
            statuses=statuses,
            after_importance=after and after.importance,
            after_at=after and after.created_at,
            after_id=after and after.clarification_id,
        )
        return [to_clarification(row) for row in rows]

    async def answer_clarification(
        self, bank_id: str, clarification_id: UUID, keep: UUID | None, text: str | None, actor: str
    ) -> Clarification:
        """Answer a question with the fact that is right, None for both; the question then.

        Errors: NotFound, InvalidInput where `keep` is neither of the two, Conflict where it has another answer.
        """
        row = await self._found(
            f"clarification_id: there is no question {clarification_id} in this bank",
            "memory_api.answer_clarification",
            bank=bank_id,
            clarification=clarification_id,
            keep=keep,
            answer=text,
            actor=actor,
        )
        return to_clarification(row)

    async def _one(self, function: str, bank_id: str, memory_id: UUID, **arguments: Any) -> Fact:
        row = await self._found(no_fact(memory_id), function, bank=bank_id, memory=memory_id, **arguments)
        return fact_of(row)


def no_fact(memory_id: UUID) -> str:
    return f"fact_id: there is no fact {memory_id} in this bank"


def fact_of(row: Row) -> Fact:
    history = tuple(
        EarlierFact(one["fact"], datetime.fromisoformat(one["retired"]), one["reason"])
        for one in row["version_history"]
    )
    return record(Fact, row, version_history=history)


def to_clarification(row: Row) -> Clarification:
    facts = tuple(
        AskedAbout(
            UUID(fact["memory_id"]), fact["fact"], fact["status"], datetime.fromisoformat(fact["valid_from"])
        )
        for fact in row["facts"]
    )
    keep = (row["kept_id"] or BOTH) if row["status"] == "answered" else None
    return record(Clarification, row, facts=facts, keep=keep)
