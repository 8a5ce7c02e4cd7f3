"""The HTTP door to facts and to the questions that they raise (DESIGN §8)."""

from __future__ import annotations

from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Query

from memory_service.cursors import MAX_PAGE
from memory_service.server.dependencies import Door
from memory_service.server.fact_schemas import AnswerBody, JudgeBody
from memory_service.server.schemas import Time
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import one_of, shown
from memory_service.types import Clarification, Fact, FactVersion, Page
from memory_service.validation import CLARIFICATION_STATUSES, FACT_STATUSES
from memory_service.vocabulary import ClarificationStatus, FactStatus

facts = APIRouter(prefix="/v1/banks/{bank_id}/facts", route_class=StrictRoute)
clarifications = APIRouter(prefix="/v1/banks/{bank_id}/clarifications", route_class=StrictRoute)

Status = Annotated[str, shown(one_of(FACT_STATUSES))]
QuestionStatus = Annotated[str, shown(one_of(CLARIFICATION_STATUSES))]
SEVERAL = Query(description="may be given several times: any of them")


@facts.get("", response_model=Page[Fact])
async def list_facts(
    memory: Door,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="what was true then")] = None,
    known_at: Annotated[Time | None, Query(description="by what was known then")] = None,
    status: Annotated[list[Status] | None, SEVERAL] = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """What was true at one time by what was known at another, the last confirmed first; a time not given is the other
    one, else now. Tentative and stable facts, unless other statuses are asked for."""
    return await memory.list_facts(
        bank_id,
        as_of=as_of,
        known_at=known_at,
        statuses=cast("list[FactStatus] | None", status),
        limit=limit,
        cursor=cursor,
    )


@facts.get("/{fact_id}", response_model=Fact)
async def get_fact(memory: Door, bank_id: str, fact_id: UUID) -> Any:
    """One fact as it is now, whatever its status."""
    return await memory.get_fact(bank_id, fact_id)


@facts.get("/{fact_id}/history", response_model=Page[FactVersion])
async def fact_history(
    memory: Door, bank_id: str, fact_id: UUID, limit: int = MAX_PAGE, cursor: str | None = None
) -> Any:
    """Every state that a fact was in, the first known first, with why and by whom."""
    return await memory.fact_history(bank_id, fact_id, limit=limit, cursor=cursor)


@facts.post("/{fact_id}/confirm", response_model=Fact)
async def confirm_fact(memory: Door, bank_id: str, fact_id: UUID, body: JudgeBody | None = None) -> Any:
    """It is true; a conflict that it is in is settled for it. What was superseded is true again: the answer is then the
    fact that this makes. 409 where it was retracted or merged."""
    return await memory.confirm_fact(bank_id, fact_id, actor=actor_of(body))


@facts.post("/{fact_id}/dispute", response_model=Fact)
async def dispute_fact(memory: Door, bank_id: str, fact_id: UUID, body: JudgeBody | None = None) -> Any:
    """It is doubted: half as sure; a conflict that it is in is settled for the other. 409 where it was retracted or
    merged."""
    return await memory.dispute_fact(bank_id, fact_id, actor=actor_of(body))


@facts.post("/{fact_id}/retract", response_model=Fact)
async def retract_fact(memory: Door, bank_id: str, fact_id: UUID, body: JudgeBody | None = None) -> Any:
    """It was never true. What was true once is superseded instead. 409 where it was merged."""
    return await memory.retract_fact(bank_id, fact_id, actor=actor_of(body))


@facts.post("/{fact_id}/pin", response_model=Fact)
async def pin_fact(memory: Door, bank_id: str, fact_id: UUID, body: JudgeBody | None = None) -> Any:
    """Keep it from fading. 409 where it was retracted or merged."""
    return await memory.pin_fact(bank_id, fact_id, actor=actor_of(body))


@facts.post("/{fact_id}/unpin", response_model=Fact)
async def unpin_fact(memory: Door, bank_id: str, fact_id: UUID, body: JudgeBody | None = None) -> Any:
    """Let it fade again. 409 where it was merged."""
    return await memory.unpin_fact(bank_id, fact_id, actor=actor_of(body))


@facts.post("/{fact_id}/unmerge", response_model=Fact)
async def unmerge_fact(memory: Door, bank_id: str, fact_id: UUID, body: JudgeBody | None = None) -> Any:
    """It is not the fact that upkeep merged it into: it stands for itself again, with what was said of it. 409 where
    what was said made them one, or where the other one was merged on since."""
    return await memory.unmerge_fact(bank_id, fact_id, actor=actor_of(body))


@clarifications.get("", response_model=Page[Clarification])
async def list_clarifications(
    memory: Door,
    bank_id: str,
    status: Annotated[list[QuestionStatus] | None, SEVERAL] = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """Questions for the user, the most important first: the open ones, unless other statuses are asked for."""
    return await memory.list_clarifications(
        bank_id, statuses=cast("list[ClarificationStatus] | None", status), limit=limit, cursor=cursor
    )


@clarifications.post("/{clarification_id}/answer", response_model=Clarification)
async def answer_clarification(memory: Door, bank_id: str, clarification_id: UUID, body: AnswerBody) -> Any:
    """Settle a question: which of the two facts is right, or both. The same again answers the same, another answer
    409."""
    return await memory.answer_clarification(
        bank_id, clarification_id, cast("UUID", body.keep), body.text, actor=body.actor
    )


def actor_of(body: JudgeBody | None) -> str | None:
    return None if body is None else body.actor
