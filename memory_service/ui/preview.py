"""Try: the context that a message would get now. Nothing is stored."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from memory_service.server.dependencies import ReadMemory
from memory_service.ui.commands import context_commands
from memory_service.ui.rendering import shown
from memory_service.ui.route import PageRoute, view
from memory_service.ui.score_bars import drops, scored

preview = APIRouter(prefix="/ui/banks/{bank_id}/try", route_class=PageRoute)


@view(preview, "")
async def context(request: Request, memory: ReadMemory, bank_id: str, message: str = "") -> Response:
    if not message.strip():
        await memory.get_bank(bank_id)
        return shown(request, "try.html", {"message": "", "context": None, "trace": None})
    built, trace = await memory.preview_context(bank_id, message)
    data: dict[str, Any] = {"message": message, "context": built, "trace": trace}
    return shown(
        request, "try.html", data, candidates=scored(trace), drops=drops(trace.candidates),
        commands=context_commands(bank_id, message),
    )  # fmt: skip
