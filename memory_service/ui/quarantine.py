"""Quarantine: memories that command the agent. A person releases or erases them."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.errors import InvalidInput
from memory_service.server.dependencies import AdminMemory, KeyGrant, ReadMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import release_command
from memory_service.ui.forms import form_fields
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view

PAGE = 20
COLUMNS = (
    "memory_id",
    "type",
    "content",
    "source",
    "agent_id",
    "conversation_id",
    "occurred_at",
    "recorded_at",
)

quarantine = APIRouter(prefix="/ui/banks/{bank_id}/quarantine", route_class=PageRoute)


@view(quarantine, "", csv=True)
async def list_quarantined(
    request: Request, memory: ReadMemory, bank_id: str, cursor: str | None = None, act: str | None = None
) -> Response:
    found = await memory.list_memories(bank_id, status="quarantined", limit=PAGE, cursor=cursor)
    table = table_of(COLUMNS, found.items)
    return shown(
        request, "quarantine.html", {"quarantined": found}, table, act=act if act == "release" else None,
        commands={one.memory_id: [release_command(bank_id, one.memory_id)] for one in found.items},
    )  # fmt: skip


@quarantine.post("/{memory_id}/release")
async def release(
    request: Request, memory: AdminMemory, grant: KeyGrant, bank_id: str, memory_id: UUID
) -> Response:
    name = (await form_fields(request)).get("actor", "").strip() or None
    actor = actor_of(grant, name)
    if actor is None:
        raise InvalidInput("actor", "a release names the person who reviewed the text")
    await memory.release_memory(bank_id, memory_id, actor=actor)
    return done("banks", bank_id, "quarantine", act="release")
