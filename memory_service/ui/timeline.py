"""Timeline: what happened to the memories of a bank, newest first, in words."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from memory_service.results import TimelineEntry
from memory_service.server.dependencies import ReadMemory
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view

PAGE = 50
COLUMNS = (
    "change_id", "at", "type", "event", "from_status", "to_status", "reason", "actor", "memory_id", "replaced_by",
    "content",
)  # fmt: skip
CREATED = {"episodic": "remembered", "semantic": "learned", "procedural": "learned how"}
BECAME = {
    "stable": "became certain",
    "tentative": "became uncertain",
    "deprecated": "faded",
    "archived": "archived",
    "merged_into": "merged",
    "quarantined": "put in quarantine",
    "pending_embedding": "released",
    "active": "active again",
    "failed": "failed",
    "retracted": "retracted",
}
HAPPENED = {
    "text": "reworded",
    "ended": "ended",
    "superseded": "replaced",
    "reopened": "holds again",
    "updated": "edited",
    "deleted": "forgotten",
}

timeline = APIRouter(prefix="/ui/banks/{bank_id}/timeline", route_class=PageRoute)


@view(timeline, "", csv=True)
async def list_timeline(
    request: Request, memory: ReadMemory, bank_id: str, cursor: str | None = None
) -> Response:
    found = await memory.list_timeline(bank_id, limit=PAGE, cursor=cursor)
    table = table_of(COLUMNS, found.items)
    verbs = {one.change_id: verb(one) for one in found.items}
    return shown(request, "timeline.html", {"timeline": found}, table, verbs=verbs)


def verb(entry: TimelineEntry) -> str:
    """What happened, in one or two words."""
    if entry.event == "created" and entry.to_status not in ("quarantined", "merged_into"):
        return CREATED[entry.type]
    if entry.event in ("created", "status") and entry.to_status in BECAME:
        return BECAME[entry.to_status]
    return HAPPENED.get(entry.event, entry.event.replace("_", " "))
