"""Why: the reads of a bank, and one read with its candidates, their scores, and the reasons that they were dropped."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.server.dependencies import ReadMemory
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view
from memory_service.ui.score_bars import drops, scored

PAGE = 30

why = APIRouter(prefix="/ui/banks/{bank_id}/why", route_class=PageRoute)


@view(why, "", csv=True)
async def reads(request: Request, memory: ReadMemory, bank_id: str, cursor: str | None = None) -> Response:
    found = await memory.list_traces(bank_id, limit=PAGE, cursor=cursor)
    columns = ("trace_id", "at", "kind", "query", "profile", "mode", "returned", "degraded")
    return shown(request, "reads.html", {"reads": found}, table_of(columns, found.items))


@view(why, "/{trace_id}")
async def read(request: Request, memory: ReadMemory, bank_id: str, trace_id: UUID) -> Response:
    trace = await memory.get_trace(bank_id, trace_id)
    return shown(
        request, "read.html", {"trace": trace}, candidates=scored(trace), drops=drops(trace.candidates)
    )
