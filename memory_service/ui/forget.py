"""Forget: what an erasure would delete, the erasure after that, and the receipts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.erasure.reasons import ROW_REASONS
from memory_service.errors import InvalidInput
from memory_service.server.dependencies import EraseMemory, KeyGrant, ReadMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import erase_command
from memory_service.ui.forms import form_fields
from memory_service.ui.items import items_of
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view

PAGE = 30
COLUMNS = (
    "erasure_id",
    "requested_at",
    "scope",
    "status",
    "actor",
    "reason",
    "unreachable_at",
    "scrubbed_at",
)

forget = APIRouter(prefix="/ui/banks/{bank_id}/forget", route_class=PageRoute)


@view(forget, "", csv=True)
async def list_erasures(
    request: Request, memory: ReadMemory, bank_id: str, cursor: str | None = None, act: str | None = None
) -> Response:
    found = await memory.list_erasures(bank_id, limit=PAGE, cursor=cursor)
    table = table_of(COLUMNS, found.items)
    return shown(request, "forget.html", {"erasures": found}, table, act=act if act == "erase" else None)


@view(forget, "/plan")
async def plan(
    request: Request, memory: EraseMemory, bank_id: str, memory_id: str = "", conversation_id: str = ""
) -> Response:
    """The dry run. It deletes nothing."""
    selected = selection(memory_id, conversation_id)
    planned = await memory.plan_erasure(bank_id, **selected)
    ids = planned.items
    kinds = [
        (name, await items_of(memory, bank_id, getattr(ids, name)))
        for name in ("facts", "episodes", "procedures")
    ]
    return shown(
        request, "forget_plan.html", {"plan": planned}, memory_id=memory_id, conversation_id=conversation_id,
        reasons=ROW_REASONS, kinds=kinds, commands=[erase_command(bank_id, selected)],
    )  # fmt: skip


@forget.post("")
async def erase(request: Request, memory: EraseMemory, grant: KeyGrant, bank_id: str) -> Response:
    fields = await form_fields(request)
    selected = selection(fields.get("memory_id", ""), fields.get("conversation_id", ""))
    reason = fields.get("reason", "").strip() or None
    await memory.erase(bank_id, **selected, reason=reason, actor=actor_of(grant, None))
    return done("banks", bank_id, "forget", act="erase")


def selection(memory_id: str, conversation_id: str) -> dict[str, Any]:
    """Arguments of `Memory.erase`. Errors: InvalidInput unless exactly one is given."""
    if bool(memory_id) == bool(conversation_id):
        raise InvalidInput("memory_id", "give either a memory or a conversation")
    if conversation_id:
        return {"conversation_id": conversation_id}
    try:
        return {"memory_ids": [UUID(memory_id)]}
    except ValueError:
        raise InvalidInput("memory_id", "must be the id of a memory") from None
