"""All pages as one router."""

from __future__ import annotations

from fastapi import APIRouter, Response

from memory_service.errors import NotFound
from memory_service.ui.assets import assets
from memory_service.ui.decisions import decisions
from memory_service.ui.facts import facts
from memory_service.ui.forget import forget
from memory_service.ui.map import map_page
from memory_service.ui.memories import memories
from memory_service.ui.norms import norms
from memory_service.ui.overview import first_page, overview
from memory_service.ui.preview import preview
from memory_service.ui.quarantine import quarantine
from memory_service.ui.questions import questions
from memory_service.ui.route import PageRoute
from memory_service.ui.service import service
from memory_service.ui.sign_in import sessions
from memory_service.ui.spend import spend
from memory_service.ui.timeline import timeline
from memory_service.ui.why import why

pages = APIRouter(include_in_schema=False)
rest = APIRouter(prefix="/ui", route_class=PageRoute)


@rest.get("/{path:path}")
async def unknown(path: str) -> Response:
    raise NotFound("there is no such page")


for router in (
    sessions, assets, first_page, overview, facts, norms, questions, decisions, quarantine, forget, why, preview,
    memories, timeline, map_page, spend, service, rest,
):  # fmt: skip
    pages.include_router(router)
