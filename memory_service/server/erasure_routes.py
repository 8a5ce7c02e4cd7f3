"""HTTP routes that erase, and the receipts."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field

from memory_service.api.erasures import MAX_ERASED_IDS
from memory_service.errors import InvalidInput
from memory_service.results import Erasure, ErasurePlan, Page
from memory_service.server import value_schemas
from memory_service.server.dependencies import EraseMemory, KeyGrant, ReadMemory, actor_of
from memory_service.server.json_response import json_answer
from memory_service.server.schemas import Body, Time, at_most
from memory_service.server.strict_json import StrictRoute

erasures = APIRouter(prefix="/v1/banks/{bank_id}", route_class=StrictRoute)

Id = Annotated[UUID, Field(strict=False)]  # as text
Reason = Annotated[
    str | None, Query(description="recorded in the receipt", json_schema_extra=value_schemas.LINE)
]
Actor = Annotated[
    str | None,
    Query(description="name recorded as the actor; default: the key", json_schema_extra=value_schemas.LINE),
]
SELECTIONS = ("memory_ids", "query", "conversation_id", "since", "until", "agent_id")
NULL = {"type": "null"}


def only(*fields: str, **values: bool) -> dict[str, Any]:
    """JSON Schema: these fields select and no others; `values` of further fields."""
    others = {name: NULL for name in SELECTIONS if name not in fields}
    given = {name: {"not": NULL} for name in fields}
    constants = {name: {"const": value} for name, value in values.items()}
    needed = [*fields, *(name for name, value in values.items() if value)]
    return {"required": needed, "properties": {**given, **others, **constants}}


ONE_SELECTION: list[Any] = [
    only("memory_ids", whole_bank=False),
    only("conversation_id", search=False, whole_bank=False),
    only("since", "until", search=False, whole_bank=False),
    only("agent_id", search=False, whole_bank=False),
    only("query", dry_run=True, whole_bank=False),
    only(dry_run=True, whole_bank=True),
]


class ErasureBody(Body):
    # Negated twice: of a plain anyOf, client generators make six classes without the other fields.
    model_config = ConfigDict(json_schema_extra={"not": {"not": {"anyOf": ONE_SELECTION}}})

    memory_ids: (
        Annotated[
            list[Id],
            Field(max_length=MAX_ERASED_IDS, fail_fast=True, json_schema_extra={"minItems": 1}),
            at_most(MAX_ERASED_IDS),
        ]
        | None
    ) = Field(None, description="memories and norms")
    search: bool = Field(False, description="memory_ids are the confirmed results of a search")
    query: value_schemas.Line | None = Field(
        None, description="with dry_run: plan for what this finds, at most 100 memories"
    )
    conversation_id: value_schemas.Line | None = None
    since: Time | None = Field(None, description="with until: statements in this period")
    until: Time | None = Field(None, description="end of the period, exclusive")
    agent_id: value_schemas.Line | None = Field(None, description="all that this agent wrote")
    whole_bank: bool = Field(False, description="with dry_run: plan for the whole bank")
    dry_run: bool = Field(description="true: answer with the plan and erase nothing")
    reason: value_schemas.Line | None = Field(None, description="recorded in the receipt; no content")
    actor: value_schemas.Line | None = Field(None, description="name recorded as the actor; default: the key")


@erasures.post("/erasures", response_model=ErasurePlan | Erasure)
async def erase(memory: EraseMemory, grant: KeyGrant, bank_id: str, body: ErasureBody) -> Any:
    """Erase memories, a conversation, a period or what an agent wrote, with all that was derived from it; or, with
    `dry_run`, answer what that would delete.

    Exactly one selection is given. The same erasure again answers with its receipt. 404 if there is nothing to erase
    and never was. Needs a key of role admin, or of role write with the right to erase.
    """
    selected = {
        "memory_ids": body.memory_ids, "conversation_id": body.conversation_id, "since": body.since,
        "until": body.until, "agent_id": body.agent_id,
    }  # fmt: skip
    if body.dry_run:
        return json_answer(
            await memory.plan_erasure(bank_id, query=body.query, whole_bank=body.whole_bank, **selected)  # type: ignore[arg-type]
        )
    if body.query is not None:
        raise InvalidInput("query", "plans only; erase with search and the memory_ids of the plan")
    if body.whole_bank:
        raise InvalidInput("whole_bank", "plans only; DELETE the bank")
    actor = actor_of(grant, body.actor)
    return json_answer(
        await memory.erase(bank_id, search=body.search, reason=body.reason, actor=actor, **selected)  # type: ignore[arg-type]
    )


@erasures.get("/erasures", response_model=Page[Erasure])
async def list_erasures(memory: ReadMemory, bank_id: str, limit: int = 50, cursor: str | None = None) -> Any:
    """Receipts of erasures, newest first; also of a bank that was erased."""
    return json_answer(await memory.list_erasures(bank_id, limit=limit, cursor=cursor))


@erasures.delete("/memories/{memory_id}", response_model=Erasure)
async def erase_memory(
    memory: EraseMemory,
    grant: KeyGrant,
    bank_id: str,
    memory_id: UUID,
    reason: Reason = None,
    actor: Actor = None,
) -> Any:
    """Erase a memory, with its source messages and all that was derived from it. Again: the same receipt."""
    actor = actor_of(grant, actor)
    return json_answer(await memory.erase_memory(bank_id, memory_id, reason=reason, actor=actor))


@erasures.delete("", response_model=Erasure)
async def erase_bank(
    memory: EraseMemory, grant: KeyGrant, bank_id: str, reason: Reason = None, actor: Actor = None
) -> Any:
    """Erase the bank with everything in it. Again: the same receipt, which outlives the bank."""
    actor = actor_of(grant, actor)
    return json_answer(await memory.erase_bank(bank_id, reason=reason, actor=actor))
