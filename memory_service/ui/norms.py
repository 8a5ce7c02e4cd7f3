"""Norms: how to behave with the person, one norm with its versions, and judgements on it."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.api.relational import MAX_NORM_CHARS
from memory_service.server.dependencies import KeyGrant, ReadMemory, WriteMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import NORM_JUDGEMENTS, norm_commands
from memory_service.ui.fact_versions import changes_of
from memory_service.ui.forms import form_fields
from memory_service.ui.items import items_of
from memory_service.ui.rendering import Table, shown
from memory_service.ui.route import PageRoute, view

LISTED = 200
"""Most norms of the page. The JSON and the CSV have all: the API knows no pages of norms."""
EVIDENCE = 8
ACTS = (*NORM_JUDGEMENTS, "correct")
COLUMNS = (
    "memory_id", "kind", "norm", "situation", "level", "confidence", "status", "evidence_count", "first_observed",
    "last_confirmed", "valid_from", "valid_to", "pinned", "extracted_by",
)  # fmt: skip

norms = APIRouter(prefix="/ui/banks/{bank_id}/norms", route_class=PageRoute)


@view(norms, "", csv=True)
async def list_norms(
    request: Request, memory: ReadMemory, bank_id: str, state: Literal["in_force", "all"] = "in_force"
) -> Response:
    found = await memory.list_norms(bank_id, all_states=state == "all")
    table = Table(COLUMNS, ([getattr(one, name) for name in COLUMNS] for one in found))
    return shown(request, "norms.html", {"norms": found}, table, state=state, listed=LISTED)


@view(norms, "/{norm_id}")
async def norm(
    request: Request, memory: ReadMemory, bank_id: str, norm_id: UUID, act: str | None = None
) -> Response:
    one = await memory.get_norm(bank_id, norm_id)
    versions = await memory.norm_history(bank_id, norm_id)
    evidence = await items_of(memory, bank_id, one.derived_from[-EVIDENCE:][::-1])
    data = {"norm": one, "versions": versions, "evidence": evidence}
    return shown(
        request, "norm.html", data,
        changes=changes_of(versions), commands=norm_commands(bank_id, norm_id, one.norm), longest=MAX_NORM_CHARS,
        act=act if act in ACTS else None,
    )  # fmt: skip


@norms.post("/{norm_id}/{act}")
async def judge(
    request: Request,
    memory: WriteMemory,
    grant: KeyGrant,
    bank_id: str,
    norm_id: UUID,
    act: Literal["confirm", "remove", "pin", "unpin", "correct"],
) -> Response:
    """A judgement, or another wording, which is a new version."""
    actor = actor_of(grant, None)
    if act == "correct":
        wording = (await form_fields(request)).get("norm", "").strip()
        await memory.correct_norm(bank_id, norm_id, norm=wording, actor=actor)
    else:
        methods = {
            "confirm": memory.confirm_norm,
            "remove": memory.remove_norm,
            "pin": memory.pin_norm,
            "unpin": memory.unpin_norm,
        }
        await methods[act](bank_id, norm_id, actor=actor)
    return done("banks", bank_id, "norms", norm_id, act=act)
