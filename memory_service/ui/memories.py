"""One memory of any type, its edit, its restoring, and decisions on a procedure."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memory_service.errors import InvalidInput, PreconditionFailed
from memory_service.results import MemoryItem
from memory_service.server.dependencies import KeyGrant, ReadMemory, WriteMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import REVIEWS, edit_command, procedure_commands
from memory_service.ui.forms import form_fields
from memory_service.ui.items import items_of
from memory_service.ui.rendering import is_page, link, page, shown
from memory_service.ui.route import PageRoute, view

memories = APIRouter(prefix="/ui/banks/{bank_id}/memories", route_class=PageRoute)


@view(memories, "/{memory_id}/edit")
async def edit_form(request: Request, memory: ReadMemory, bank_id: str, memory_id: UUID) -> Response:
    item = await memory.get_memory(bank_id, memory_id)
    return shown(request, "edit.html", {"memory": item}, **form_of(bank_id, item))


def form_of(bank_id: str, item: MemoryItem) -> dict[str, Any]:
    """The values of the form with the present text."""
    return {
        "page_of": page_of(item),
        "commands": [edit_command(bank_id, item.memory_id, item.content)],
        "content": item.content,
        "problem": None,
    }


@view(memories, "/{memory_id}")
async def memory_item(
    request: Request, memory: ReadMemory, bank_id: str, memory_id: UUID, act: str | None = None
) -> Response:
    item = await memory.get_memory(bank_id, memory_id)
    if item.type == "semantic" and is_page(request):
        return RedirectResponse(link("banks", bank_id, *page_of(item)), 303)
    links = await items_of(memory, bank_id, item.links)
    procedure = await memory.get_procedure(bank_id, memory_id) if item.type == "procedural" else None
    return shown(
        request, "memory.html", {"memory": item, "procedure": procedure}, links=links,
        act=act if act in ("edit", "restore", *REVIEWS) else None,
        commands=[] if procedure is None else procedure_commands(bank_id, memory_id),
    )  # fmt: skip


@memories.post("/{memory_id}/edit")
async def edit(
    request: Request, memory: WriteMemory, grant: KeyGrant, bank_id: str, memory_id: UUID
) -> Response:
    """A new version of the memory, or another fact where the meaning changed. A refused text stays in the form: 422,
    and 412 if the memory was changed meanwhile."""
    fields = await form_fields(request)
    content = fields.get("content", "").replace("\r\n", "\n").strip()
    try:
        changed = await memory.update(
            bank_id, memory_id, content=content, if_match=fields.get("etag", ""), actor=actor_of(grant, None)
        )
    except (InvalidInput, PreconditionFailed) as error:
        item = await memory.get_memory(bank_id, memory_id)
        problem = (
            f"The text {error.problem}." if isinstance(error, InvalidInput)
            else f"It was changed meanwhile and now reads: {item.content} Saving again replaces that."
        )  # fmt: skip
        values = {**form_of(bank_id, item), "memory": item, "content": content, "problem": problem}
        return page(request, "edit.html", values, error.status)
    return done("banks", bank_id, *page_of(changed), act="edit")


@memories.post("/{memory_id}/restore")
async def restore(
    request: Request, memory: WriteMemory, grant: KeyGrant, bank_id: str, memory_id: UUID
) -> Response:
    await memory.restore_memory(bank_id, memory_id, actor=actor_of(grant, None))
    return done("banks", bank_id, "memories", memory_id, act="restore")


@memories.post("/{memory_id}/{act}")
async def review(
    request: Request,
    memory: WriteMemory,
    grant: KeyGrant,
    bank_id: str,
    memory_id: UUID,
    act: Literal["retract", "pin", "unpin"],
) -> Response:
    """A person's decision on a procedure."""
    await getattr(memory, f"{act}_procedure")(bank_id, memory_id, actor=actor_of(grant, None))
    return done("banks", bank_id, "memories", memory_id, act=act)


def page_of(item: MemoryItem) -> tuple[str, UUID]:
    """The place of a memory's page below its bank."""
    return ("facts" if item.type == "semantic" else "memories"), item.memory_id
