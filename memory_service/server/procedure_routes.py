"""HTTP routes for procedures: habits, routines, patterns, skills and lessons."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from memory_service.methods import MemoryMethods as M
from memory_service.results import Page, Procedure, ProcedureVersion
from memory_service.server import value_schemas
from memory_service.server.dependencies import KeyGrant, WriteMemory, arguments_in
from memory_service.server.fact_routes import SEVERAL
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.method_routes import read_route, review_routes
from memory_service.server.schemas import Body, Time
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import documented, one_of
from memory_service.validation import PROCEDURE_KINDS, PROCEDURE_STATUSES

procedures = APIRouter(prefix="/v1/banks/{bank_id}/procedures", route_class=StrictRoute)

Status = Annotated[str, documented(one_of(PROCEDURE_STATUSES))]
Kind = Annotated[str, documented(one_of(PROCEDURE_KINDS))]


class OutcomeBody(Body):
    outcome: value_schemas.Outcome = Field(description="worked or failed")
    note: value_schemas.Note | None = Field(None, description="what happened; kept in the history")
    actor: value_schemas.Actor = None


read_route(
    procedures, "", M.list_procedures, Page[Procedure],
    "List procedures, the most recently confirmed first. Default statuses: active and tentative.",
    as_of=Annotated[Time | None, Query(description="procedures in force at this time")],
    status=Annotated[list[Status] | None, SEVERAL],
    kind=Annotated[list[Kind] | None, SEVERAL],
)  # fmt: skip
read_route(procedures, "/{procedure_id}", M.get_procedure, Procedure, "One procedure, in any status.")
read_route(
    procedures, "/{procedure_id}/history", M.procedure_history, Page[ProcedureVersion],
    "List all versions of a procedure, the first known first, with reason and actor.",
)  # fmt: skip


@procedures.post("/{procedure_id}/outcome", response_model=Procedure, dependencies=[REPEATABLE])
async def record_outcome(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, procedure_id: UUID, body: OutcomeBody
) -> Any:
    """Record that a procedure worked or failed. Each request counts, unless its Idempotency-Key was used before. 409 if
    it is not in use."""
    return await memory.record_outcome(bank_id, procedure_id, **arguments_in(body, grant))


review_routes(procedures, "/{procedure_id}", Procedure, {
    M.retract_procedure: "Mark a procedure as wrong: no read shows it. 409 if it was merged or is in quarantine.",
    M.pin_procedure:
        "Pin a procedure: the cap does not remove it before others. 409 if it was retracted or merged.",
    M.unpin_procedure: "Unpin a procedure. 409 if it was merged.",
})  # fmt: skip
