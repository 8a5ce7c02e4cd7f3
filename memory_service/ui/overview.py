"""The banks, and the overview of one: the person, latest memories and changes, health."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from memory_service.server.dependencies import KeyGrant, ReadMemory
from memory_service.speakers import speakers_of
from memory_service.ui.rendering import link, shown, table_of
from memory_service.ui.route import PageRoute, view
from memory_service.ui.timeline import verb

PAGE = 50
LATEST, FACTS, NORMS, PROCEDURES, QUESTIONS, CHANGES = 8, 20, 10, 8, 20, 6
"""Most entries of each kind. Each fact costs the database 0.2 ms: its evidence, versions and contradictions."""

overview = APIRouter(prefix="/ui/banks", route_class=PageRoute)
first_page = APIRouter(prefix="/ui", route_class=PageRoute)


@first_page.get("")
@view(overview, "", csv=True)
async def banks(request: Request, memory: ReadMemory, grant: KeyGrant, cursor: str | None = None) -> Response:
    patterns = ("*",) if grant is None else grant.banks
    found = await memory.list_banks(limit=PAGE, cursor=cursor, patterns=patterns)
    columns = ("bank_id", "embedding_model", "created_at")
    return shown(request, "banks.html", {"banks": found}, table_of(columns, found.items))


@overview.get("/{bank_id}")
async def bank_address(memory: ReadMemory, bank_id: str) -> Response:
    await memory.get_bank(bank_id)
    return RedirectResponse(link("banks", bank_id, "overview"), HTTPStatus.SEE_OTHER)


@view(overview, "/{bank_id}/overview")
async def overview_of_bank(request: Request, memory: ReadMemory, bank_id: str) -> Response:
    of_bank = asyncio.gather(
        memory.get_bank(bank_id),
        memory.stats(bank_id),
        memory.list_clarifications(bank_id, limit=QUESTIONS),
        memory.list_memories(bank_id, type="episodic", limit=LATEST),
    )
    of_person = asyncio.gather(
        memory.relational(bank_id),
        memory.list_facts(bank_id, limit=FACTS),
        memory.emotional_thread(bank_id),
        memory.list_procedures(bank_id, limit=PROCEDURES),
        memory.list_timeline(bank_id, limit=CHANGES),
    )
    (bank, stats, questions, latest), (relational, facts, mood, procedures, changes) = await asyncio.gather(
        of_bank, of_person
    )
    speakers = speakers_of(bank.settings)
    data = {
        "subject": speakers.subject,
        "agent_name": speakers.agent_name,
        "relational": relational,
        "facts": facts,
        "emotional_thread": mood,
        "procedures": procedures,
        "questions": questions,
        "stats": stats,
        "latest": latest,
        "changes": changes,
    }
    verbs = {one.change_id: verb(one) for one in changes.items}
    return shown(request, "overview.html", data, most_norms=NORMS, verbs=verbs)
