"""HTTP routes for facts and clarifications (questions about conflicting facts)."""

from __future__ import annotations

from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic_core import to_json

from memory_service.cursors import MAX_PAGE
from memory_service.results import Clarification, Fact, FactVersion, Page
from memory_service.server.dependencies import KeyGrant, ReadMemory, Reviewer, WriteMemory, actor_of
from memory_service.server.etags import NOT_MODIFIED, IfNoneMatch, answer_if_changed, etag_of
from memory_service.server.fact_schemas import AnswerBody
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.json_response import json_answer
from memory_service.server.schemas import Time
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import documented, one_of
from memory_service.validation import CLARIFICATION_STATUSES, FACT_STATUSES
from memory_service.vocabulary import ClarificationStatus, FactStatus

facts = APIRouter(prefix="/v1/banks/{bank_id}/facts", route_class=StrictRoute)
clarifications = APIRouter(prefix="/v1/banks/{bank_id}/clarifications", route_class=StrictRoute)

Status = Annotated[str, documented(one_of(FACT_STATUSES))]
QuestionStatus = Annotated[str, documented(one_of(CLARIFICATION_STATUSES))]
SEVERAL = Query(description="repeatable: any of them matches")


@facts.get("", response_model=Page[Fact])
async def list_facts(
    memory: ReadMemory,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="valid time: facts true at this time")] = None,
    known_at: Annotated[
        Time | None, Query(description="transaction time: facts as known at this time")
    ] = None,
    status: Annotated[list[Status] | None, SEVERAL] = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """List the facts true at `as_of` as known at `known_at`, the most recently confirmed first.

    An omitted time equals the other one; without both it is now. Default statuses: tentative and stable.
    """
    return await memory.list_facts(
        bank_id,
        as_of=as_of,
        known_at=known_at,
        statuses=cast("list[FactStatus] | None", status),
        limit=limit,
        cursor=cursor,
    )


@facts.get("/{fact_id}", response_model=Fact, responses=NOT_MODIFIED)
async def get_fact(memory: ReadMemory, bank_id: str, fact_id: UUID, if_none_match: IfNoneMatch = None) -> Any:
    """The current version of one fact, in any status, and a weak ETag, which does not cover the decay of
    `confidence`."""
    fact = await memory.get_fact(bank_id, fact_id)
    etag = etag_of(to_json(fact, exclude={"confidence"}))
    return answer_if_changed(if_none_match, json_answer(fact), etag, weak=True)


@facts.get("/{fact_id}/history", response_model=Page[FactVersion])
async def fact_history(
    memory: ReadMemory, bank_id: str, fact_id: UUID, limit: int = MAX_PAGE, cursor: str | None = None
) -> Any:
    """List all versions of a fact, the first known first, with reason and actor."""
    return await memory.fact_history(bank_id, fact_id, limit=limit, cursor=cursor)


@facts.post("/{fact_id}/confirm", response_model=Fact, dependencies=[REPEATABLE])
async def confirm_fact(memory: WriteMemory, bank_id: str, fact_id: UUID, actor: Reviewer) -> Any:
    """Mark a fact as true; its conflict, if any, is resolved in its favour.

    A superseded fact becomes true again as a new fact, which is the answer. 409 if the fact was retracted or merged.
    """
    return await memory.confirm_fact(bank_id, fact_id, actor=actor)


@facts.post("/{fact_id}/dispute", response_model=Fact, dependencies=[REPEATABLE])
async def dispute_fact(memory: WriteMemory, bank_id: str, fact_id: UUID, actor: Reviewer) -> Any:
    """Halve a fact's confidence; its conflict, if any, is resolved in favour of the other fact. 409 if the fact was
    retracted or merged."""
    return await memory.dispute_fact(bank_id, fact_id, actor=actor)


@facts.post("/{fact_id}/retract", response_model=Fact, dependencies=[REPEATABLE])
async def retract_fact(memory: WriteMemory, bank_id: str, fact_id: UUID, actor: Reviewer) -> Any:
    """Mark a fact as never true. (A fact that was true once is superseded instead.) 409 if the fact was merged."""
    return await memory.retract_fact(bank_id, fact_id, actor=actor)


@facts.post("/{fact_id}/pin", response_model=Fact, dependencies=[REPEATABLE])
async def pin_fact(memory: WriteMemory, bank_id: str, fact_id: UUID, actor: Reviewer) -> Any:
    """Pin a fact: its confidence does not decay. 409 if the fact was retracted or merged."""
    return await memory.pin_fact(bank_id, fact_id, actor=actor)


@facts.post("/{fact_id}/unpin", response_model=Fact, dependencies=[REPEATABLE])
async def unpin_fact(memory: WriteMemory, bank_id: str, fact_id: UUID, actor: Reviewer) -> Any:
    """Unpin a fact: its confidence decays again. 409 if the fact was merged."""
    return await memory.unpin_fact(bank_id, fact_id, actor=actor)


@facts.post("/{fact_id}/unmerge", response_model=Fact, dependencies=[REPEATABLE])
async def unmerge_fact(memory: WriteMemory, bank_id: str, fact_id: UUID, actor: Reviewer) -> Any:
    """Undo a merge by upkeep: the merged fact is a separate fact again, with its evidence.

    409 if the fact was merged by its timeline (equal statements), or if the winner has been merged since.
    """
    return await memory.unmerge_fact(bank_id, fact_id, actor=actor)


@clarifications.get("", response_model=Page[Clarification])
async def list_clarifications(
    memory: ReadMemory,
    bank_id: str,
    status: Annotated[list[QuestionStatus] | None, SEVERAL] = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """List questions to the user about contradicting facts, the most important first. Default status: open."""
    return await memory.list_clarifications(
        bank_id, statuses=cast("list[ClarificationStatus] | None", status), limit=limit, cursor=cursor
    )


@clarifications.post("/{clarification_id}/answer", response_model=Clarification, dependencies=[REPEATABLE])
async def answer_clarification(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, clarification_id: UUID, body: AnswerBody
) -> Any:
    """Record which of the two facts is right, or both, and resolve the conflict. The same answer again changes nothing;
    409 for another answer."""
    return await memory.answer_clarification(
        bank_id, clarification_id, cast("UUID", body.keep), body.text, actor=actor_of(grant, body.actor)
    )
