"""HTTP routes for procedures: habits, routines, patterns, skills and lessons."""

from __future__ import annotations

from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from memory_service.cursors import MAX_PAGE
from memory_service.results import Page, Procedure, ProcedureVersion
from memory_service.server import value_schemas
from memory_service.server.dependencies import KeyGrant, ReadMemory, Reviewer, WriteMemory, actor_of
from memory_service.server.fact_routes import SEVERAL
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.schemas import Body, Time
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import documented, one_of
from memory_service.validation import PROCEDURE_KINDS, PROCEDURE_STATUSES
from memory_service.vocabulary import ProcedureKind, ProcedureOutcome, ProcedureStatus

procedures = APIRouter(prefix="/v1/banks/{bank_id}/procedures", route_class=StrictRoute)

Status = Annotated[str, documented(one_of(PROCEDURE_STATUSES))]
Kind = Annotated[str, documented(one_of(PROCEDURE_KINDS))]


class OutcomeBody(Body):
    outcome: value_schemas.Outcome = Field(description="worked or failed")
    note: value_schemas.Note | None = Field(None, description="what happened; kept in the history")
    actor: value_schemas.Actor = None


@procedures.get("", response_model=Page[Procedure])
async def list_procedures(
    memory: ReadMemory,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="procedures in force at this time")] = None,
    status: Annotated[list[Status] | None, SEVERAL] = None,
    kind: Annotated[list[Kind] | None, SEVERAL] = None,
    limit: int = 50,
    cursor: str | None = None,
) -> Any:
    """List procedures, the most recently confirmed first. Default statuses: active and tentative."""
    return await memory.list_procedures(
        bank_id,
        as_of=as_of,
        statuses=cast("list[ProcedureStatus] | None", status),
        kinds=cast("list[ProcedureKind] | None", kind),
        limit=limit,
        cursor=cursor,
    )


@procedures.get("/{procedure_id}", response_model=Procedure)
async def get_procedure(memory: ReadMemory, bank_id: str, procedure_id: UUID) -> Any:
    """One procedure, in any status."""
    return await memory.get_procedure(bank_id, procedure_id)


@procedures.get("/{procedure_id}/history", response_model=Page[ProcedureVersion])
async def procedure_history(
    memory: ReadMemory, bank_id: str, procedure_id: UUID, limit: int = MAX_PAGE, cursor: str | None = None
) -> Any:
    """List all versions of a procedure, the first known first, with reason and actor."""
    return await memory.procedure_history(bank_id, procedure_id, limit=limit, cursor=cursor)


@procedures.post("/{procedure_id}/outcome", response_model=Procedure, dependencies=[REPEATABLE])
async def record_outcome(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, procedure_id: UUID, body: OutcomeBody
) -> Any:
    """Record that a procedure worked or failed. Each request counts, unless its Idempotency-Key was used before. 409 if
    it is not in use."""
    return await memory.record_outcome(
        bank_id,
        procedure_id,
        cast("ProcedureOutcome", body.outcome),
        note=body.note,
        actor=actor_of(grant, body.actor),
    )


@procedures.post("/{procedure_id}/retract", response_model=Procedure, dependencies=[REPEATABLE])
async def retract_procedure(memory: WriteMemory, bank_id: str, procedure_id: UUID, actor: Reviewer) -> Any:
    """Mark a procedure as wrong: no read shows it. 409 if it was merged or is in quarantine."""
    return await memory.retract_procedure(bank_id, procedure_id, actor=actor)


@procedures.post("/{procedure_id}/pin", response_model=Procedure, dependencies=[REPEATABLE])
async def pin_procedure(memory: WriteMemory, bank_id: str, procedure_id: UUID, actor: Reviewer) -> Any:
    """Pin a procedure: the cap does not remove it before others. 409 if it was retracted or merged."""
    return await memory.pin_procedure(bank_id, procedure_id, actor=actor)


@procedures.post("/{procedure_id}/unpin", response_model=Procedure, dependencies=[REPEATABLE])
async def unpin_procedure(memory: WriteMemory, bank_id: str, procedure_id: UUID, actor: Reviewer) -> Any:
    """Unpin a procedure. 409 if it was merged."""
    return await memory.unpin_procedure(bank_id, procedure_id, actor=actor)
