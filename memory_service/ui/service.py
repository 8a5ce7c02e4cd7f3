"""Pages of the whole service, for keys of role admin that cover every bank: nights, health, keys, audit."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from memory_service.night_preview import preview_night
from memory_service.server.dependencies import AdminMemory, KeyGrant, require_all_banks
from memory_service.ui.items import MOST, items_of
from memory_service.ui.origin_check import check_opened_here
from memory_service.ui.rendering import Table, shown, table_of
from memory_service.ui.route import PageRoute, view

NIGHTS = 20
ACTS = 50
KEY_COLUMNS = (
    "key_id", "role", "banks", "may_erase", "agent_id", "note", "created_at", "created_by", "expires_at", "revoked_at",
    "last_used_at", "requests_per_minute", "messages_per_minute", "model_tokens_per_minute",
)  # fmt: skip
AUDIT_COLUMNS = ("audit_id", "at", "action", "actor", "key_id", "bank_ids", "subjects", "details")
NIGHT_COLUMNS = ("name", "ended_at", "seconds", "banks", "failed", "model_calls", "tokens", "counts")
PASSES = {
    "consolidate": "groups similar episodes, draws facts from them, compresses old ones that are no landmarks",
    "confidence": "finds evidence and conflicts of facts, deprecates facts that have decayed",
    "merge": "makes one fact of those with the same meaning",
    "procedures": "learns procedures from lessons that several episodes teach",
    "budget": "keeps the caps of the bank, empties raw messages after their time",
    "relational": "updates norms and the relationship from episodes that are not counted yet",
    "reembed": "continues a change of the embedding model",
    "vector_index": "moves large banks into the vector index, and small ones out of it",
}
"""The passes of the nightly run in words."""
COUNTED = {
    "clusters": "groups of similar episodes found",
    "waiting": "episodes like no other, which wait for similar ones",
    "consolidated": "episodes read for facts",
    "compressed": "old episodes archived, with a summary in their place",
    "summaries": "summaries written",
    "compared": "episodes compared with facts",
    "evidence": "facts supported by an episode",
    "conflicts": "facts in conflict, whose confidence is halved",
    "deprecated": "faded facts deprecated",
    "merged": "facts merged into one with the same meaning",
    "doubtful": "groups of facts that may have the same meaning",
    "lessons": "lessons compared",
    "messages_emptied": "raw messages emptied after their time",
    "traces_expired": "traces of reads deleted after their time",
    "texts_left": "texts embedded by the new model",
    "texts_dropped": "texts without their vectors of the former model",
    "vectors_moved": "vectors moved into or out of the index",
}
"""The counts of a pass in words; those of the budget pass are words already, such as episodes_archived."""

service = APIRouter(prefix="/ui/service", route_class=PageRoute)


@view(service, "/health")
async def health(request: Request, memory: AdminMemory, grant: KeyGrant) -> Response:
    require_all_banks(grant)
    return shown(request, "health.html", {"findings": await memory.examine()})


@view(service, "/nights", csv=True)
async def nights(
    request: Request, memory: AdminMemory, grant: KeyGrant, cursor: str | None = None
) -> Response:
    require_all_banks(grant)
    found = await memory.list_nights(limit=NIGHTS, cursor=cursor)
    rows: list[list[Any]] = [
        [night.night_id, night.started_at, *(getattr(one, name) for name in NIGHT_COLUMNS)]
        for night in found.items
        for one in night.passes
    ]
    return shown(
        request, "nights.html", {"nights": found}, Table(("night_id", "started_at", *NIGHT_COLUMNS), rows),
        passes=PASSES, counted=COUNTED,
    )  # fmt: skip


@view(service, "/nights/next", csv=True)
async def next_night(request: Request, memory: AdminMemory, grant: KeyGrant, bank: str) -> Response:
    """The dry run of the next nightly run over a bank. It changes nothing, so GET is right, but takes seconds."""
    require_all_banks(grant)
    check_opened_here(request)
    await memory.get_bank(bank)
    preview = await preview_night(memory.settings, bank)
    rows = [(one.name, *count) for one in preview.passes for count in one.counts.items()]
    changed = [
        await items_of(memory, bank, [change.memory_id for change in one.changes]) for one in preview.passes
    ]
    texts = {item.memory_id: item.content for items in changed for item in items}
    return shown(
        request, "next_night.html", {"night": preview}, Table(("pass", "count", "number"), rows),
        passes=PASSES, counted=COUNTED, texts=texts, listed=MOST,
    )  # fmt: skip


@view(service, "/keys", csv=True)
async def keys(request: Request, memory: AdminMemory, grant: KeyGrant) -> Response:
    require_all_banks(grant)
    found = await memory.list_keys()
    return shown(request, "keys.html", {"keys": found}, table_of(KEY_COLUMNS, found))


@view(service, "/audit", csv=True)
async def audit(
    request: Request, memory: AdminMemory, grant: KeyGrant, cursor: str | None = None
) -> Response:
    require_all_banks(grant)
    found = await memory.list_audit(limit=ACTS, cursor=cursor)
    return shown(request, "audit.html", {"audit": found}, table_of(AUDIT_COLUMNS, found.items))
