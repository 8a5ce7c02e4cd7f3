"""Facts: committed, listed, judged; and the questions that they raise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory_service.cursors import FactPlace, QuestionPlace
from memory_service.errors import NotFound
from memory_service.store.database import Database, Row
from memory_service.types import AskedAbout, Clarification, Committed, Fact, FactVersion

Json = Mapping[str, Any]
Verdict = Literal["confirmed", "disputed", "retracted", "pinned", "unpinned"]

NO_BANK = "bank_id: there is no such bank"


class Facts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def commit(self, bank_id: str, decision: Json, fact: Json) -> Committed:
        """Write a conscious commit of a fact. Errors: NotFound, Conflict (the idempotency key)."""
        row = await self._database.row(
            "select * from memory_api.commit_fact($1, $2, $3)", bank_id, decision, fact, urgent=True
        )
        if row is None:
            raise NotFound(NO_BANK)
        return Committed(row["memory_id"], row["status"], row["created"])

    async def state(self, bank_id: str, memory_id: UUID) -> tuple[str, bool]:
        """Its status, and whether nothing more is to be waited for. Errors: NotFound."""
        row = await self._database.row("select * from memory_api.fact_state($1, $2)", bank_id, memory_id)
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
        """What was believed, the last confirmed first, after the given place. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.list_facts($1, $2, $3, $4, $5, $6, $7)",
            bank_id,
            limit,
            as_of,
            known_at,
            None if statuses is None else list(statuses),
            *((after.last_confirmed, after.memory_id) if after else (None, None)),
        )
        return [to_fact(row) for row in rows]

    async def read(self, bank_id: str, memory_id: UUID) -> Fact:
        """Errors: NotFound."""
        row = await self._database.row("select * from memory_api.read_fact($1, $2)", bank_id, memory_id)
        if row is None:
            raise NotFound(no_fact(memory_id))
        return to_fact(row)

    async def history(self, bank_id: str, memory_id: UUID, limit: int, after: int) -> list[FactVersion]:
        """Every state that it was in, the first known first, after the given version. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.fact_history($1, $2, $3, $4)", bank_id, memory_id, limit, after
        )
        if not rows and not after:
            raise NotFound(no_fact(memory_id))
        return [FactVersion(**{name: row[name] for name in FactVersion.__dataclass_fields__}) for row in rows]

    async def judge(self, bank_id: str, memory_id: UUID, verdict: Verdict, actor: str) -> Fact:
        """What somebody says of a fact as such; the fact then. Errors: NotFound, Conflict where it was retracted or
        merged."""
        row = await self._database.row(
            "select * from memory_api.review_fact($1, $2, $3, $4)", bank_id, memory_id, verdict, actor
        )
        if row is None:
            raise NotFound(no_fact(memory_id))
        return to_fact(row)

    async def clarifications(
        self, bank_id: str, limit: int, after: QuestionPlace | None, *, statuses: Sequence[str] | None
    ) -> list[Clarification]:
        """Questions, the most important first, after the given place. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.list_clarifications($1, $2, $3, $4, $5, $6)",
            bank_id,
            limit,
            None if statuses is None else list(statuses),
            *((after.importance, after.created_at, after.clarification_id) if after else (None, None, None)),
        )
        return [to_clarification(row) for row in rows]

    async def answer(
        self, bank_id: str, clarification_id: UUID, keep: UUID | None, text: str | None, actor: str
    ) -> Clarification:
        """Settle a question: the fact that is right, or None for both; the question then.

        Errors: NotFound, InvalidInput where that is neither of the two, Conflict where it has another answer.
        """
        row = await self._database.row(
            "select * from memory_api.answer_clarification($1, $2, $3, $4, $5)",
            bank_id, clarification_id, keep, text, actor,
        )  # fmt: skip
        if row is None:
            raise NotFound(f"clarification_id: there is no question {clarification_id} in this bank")
        return to_clarification(row)


def no_fact(memory_id: UUID) -> str:
    return f"fact_id: there is no fact {memory_id} in this bank"


LISTS = ("tags", "recipients", "contradictions", "derived_from")


def to_fact(row: Row) -> Fact:
    values: dict[str, Any] = {name: row[name] for name in Fact.__dataclass_fields__}
    values |= {name: tuple(values[name]) for name in LISTS}
    return Fact(**values)


def to_clarification(row: Row) -> Clarification:
    values: dict[str, Any] = {name: row[name] for name in Clarification.__dataclass_fields__}
    values["facts"] = tuple(
        AskedAbout(
            UUID(one["memory_id"]), one["fact"], one["status"], datetime.fromisoformat(one["valid_from"])
        )
        for one in values["facts"]
    )
    return Clarification(**values)
