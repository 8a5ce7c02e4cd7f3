"""The banks, and the overview of one: the person, latest memories, health."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memory_service.server.dependencies import KeyGrant, ReadMemory
from memory_service.ui.rendering import Table, link, shown
from memory_service.ui.route import PageRoute, view

PAGE = 50
LATEST = 8
FACTS = 12

overview = APIRouter(prefix="/ui/banks", route_class=PageRoute)
first_page = APIRouter(prefix="/ui", route_class=PageRoute)


@first_page.get("")
@view(overview, "", csv=True)
async def banks(request: Request, memory: ReadMemory, grant: KeyGrant, cursor: str | None = None) -> Response:
    patterns = ("*",) if grant is None else grant.banks
    found = await memory.list_banks(limit=PAGE, cursor=cursor, patterns=patterns)
    columns = ("bank_id", "embedding_model", "created_at")
    table = Table(columns, ([getattr(one, name) for name in columns] for one in found.items))
    return shown(request, "banks.html", {"banks": found}, table)


@overview.get("/{bank_id}")
async def bank_address(memory: ReadMemory, bank_id: str) -> Response:
    await memory.get_bank(bank_id)
    return RedirectResponse(link("banks", bank_id, "overview"), HTTPStatus.SEE_OTHER)


@view(overview, "/{bank_id}/overview")
async def bank(request: Request, memory: ReadMemory, bank_id: str) -> Response:
    person, stats, latest = await asyncio.gather(
        memory.person(bank_id),
        memory.stats(bank_id),
        memory.list_memories(bank_id, type="episodic", limit=LATEST),
    )
    data = {"person": person, "stats": stats, "latest": latest.items}
    return shown(request, "overview.html", data, shown_facts=FACTS)
