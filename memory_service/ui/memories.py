"""One memory of any type."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memory_service.server.dependencies import ReadMemory
from memory_service.ui.rendering import is_page, link, shown
from memory_service.ui.route import PageRoute, view

memories = APIRouter(prefix="/ui/banks/{bank_id}/memories", route_class=PageRoute)


@view(memories, "/{memory_id}")
async def memory_item(request: Request, memory: ReadMemory, bank_id: str, memory_id: UUID) -> Response:
    item = await memory.get_memory(bank_id, memory_id)
    if item.type == "semantic" and is_page(request):
        return RedirectResponse(link("banks", bank_id, "facts", memory_id), 303)
    return shown(request, "memory.html", {"memory": item})
