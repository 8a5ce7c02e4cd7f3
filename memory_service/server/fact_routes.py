"""HTTP routes for facts and clarifications (questions about conflicting facts)."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic_core import to_json

from memory_service.methods import MemoryMethods as M
from memory_service.results import Clarification, Fact, FactVersion, Page
from memory_service.server.dependencies import KeyGrant, ReadMemory, WriteMemory, arguments_in
from memory_service.server.etags import NOT_MODIFIED, IfNoneMatch, answer_if_changed, etag_of
from memory_service.server.fact_schemas import AnswerBody
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.json_response import json_answer
from memory_service.server.method_routes import read_route, review_routes
from memory_service.server.schemas import Time
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import documented, one_of
from memory_service.validation import CLARIFICATION_STATUSES, FACT_STATUSES

facts = APIRouter(prefix="/v1/banks/{bank_id}/facts", route_class=StrictRoute)
clarifications = APIRouter(prefix="/v1/banks/{bank_id}/clarifications", route_class=StrictRoute)

Status = Annotated[str, documented(one_of(FACT_STATUSES))]
QuestionStatus = Annotated[str, documented(one_of(CLARIFICATION_STATUSES))]
SEVERAL = Query(description="repeatable: any of them matches")


read_route(
    facts, "", M.list_facts, Page[Fact],
    """List the facts true at `as_of` as known at `known_at`, the most recently confirmed first.

    An omitted time equals the other one; without both it is now. Default statuses: tentative and stable.""",
    as_of=Annotated[Time | None, Query(description="valid time: facts true at this time")],
    known_at=Annotated[Time | None, Query(description="transaction time: facts as known at this time")],
    status=Annotated[list[Status] | None, SEVERAL],
)  # fmt: skip


@facts.get("/{fact_id}", response_model=Fact, responses=NOT_MODIFIED)
async def get_fact(memory: ReadMemory, bank_id: str, fact_id: UUID, if_none_match: IfNoneMatch = None) -> Any:
    """The current version of one fact, in any status, and a weak ETag, which does not cover the decay of
    `confidence`."""
    fact = await memory.get_fact(bank_id, fact_id)
    etag = etag_of(to_json(fact, exclude={"confidence"}))
    return answer_if_changed(if_none_match, json_answer(fact), etag, weak=True)


read_route(
    facts, "/{fact_id}/history", M.fact_history, Page[FactVersion],
    "List all versions of a fact, the first known first, with reason and actor.",
)  # fmt: skip
review_routes(facts, "/{fact_id}", Fact, {
    M.confirm_fact:
        "Mark a fact as true; its conflict, if any, is resolved in its favour.\n\n"
        "A superseded fact becomes true again as a new fact, which is the answer. 409 if the fact was retracted or "
        "merged.",
    M.dispute_fact:
        "Halve a fact's confidence; its conflict, if any, is resolved in favour of the other fact. 409 if the fact was"
        "\nretracted or merged.",
    M.retract_fact:
        "Mark a fact as never true. (A fact that was true once is superseded instead.) 409 if the fact was merged.",
    M.pin_fact: "Pin a fact: its confidence does not decay. 409 if the fact was retracted or merged.",
    M.unpin_fact: "Unpin a fact: its confidence decays again. 409 if the fact was merged.",
    M.unmerge_fact:
        "Undo a merge by upkeep: the merged fact is a separate fact again, with its evidence.\n\n"
        "409 if the fact was merged by its timeline (equal statements), or if the winner has been merged since.",
})  # fmt: skip
read_route(
    clarifications, "", M.list_clarifications, Page[Clarification],
    "List questions to the user about contradicting facts, the most important first. Default status: open.",
    status=Annotated[list[QuestionStatus] | None, SEVERAL],
)  # fmt: skip


@clarifications.post("/{clarification_id}/answer", response_model=Clarification, dependencies=[REPEATABLE])
async def answer_clarification(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, clarification_id: UUID, body: AnswerBody
) -> Any:
    """Record which of the two facts is right, or both, and resolve the conflict. The same answer again changes nothing;
    409 for another answer."""
    return await memory.answer_clarification(bank_id, clarification_id, **arguments_in(body, grant))
