"""Norms: how to behave with the person, one norm with its versions, and judgements on it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.api.relational import MAX_NORM_CHARS
from memory_service.errors import Conflict, InvalidInput
from memory_service.memory import Memory
from memory_service.person_results import Norm
from memory_service.server.dependencies import KeyGrant, ReadMemory, WriteMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import NORM_JUDGEMENTS, norm_commands
from memory_service.ui.forms import form_fields
from memory_service.ui.items import items_of
from memory_service.ui.rendering import page, shown, table_of
from memory_service.ui.route import PageRoute, view
from memory_service.ui.versions import changes_of

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
    table = table_of(COLUMNS, found)
    return shown(request, "norms.html", {"norms": found}, table, state=state, listed=LISTED)


@view(norms, "/{norm_id}")
async def norm(
    request: Request, memory: ReadMemory, bank_id: str, norm_id: UUID, act: str | None = None
) -> Response:
    one = await memory.get_norm(bank_id, norm_id)
    data, of_page = await values_of(memory, bank_id, one)
    return shown(request, "norm.html", data, None, **{**of_page, "act": act if act in ACTS else None})


async def values_of(memory: Memory, bank_id: str, norm: Norm) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of a norm, and the other values of its page, whose form has the present wording."""
    versions = await memory.norm_history(bank_id, norm.memory_id)
    evidence = await items_of(memory, bank_id, norm.derived_from[-EVIDENCE:][::-1])
    data = {"norm": norm, "versions": versions, "evidence": evidence}
    of_page = {
        "changes": changes_of(versions), "commands": norm_commands(bank_id, norm.memory_id, norm.norm),
        "longest": MAX_NORM_CHARS, "wording": norm.norm, "problem": None, "act": None,
    }  # fmt: skip
    return data, of_page


@norms.post("/{norm_id}/correct")
async def correct(
    request: Request, memory: WriteMemory, grant: KeyGrant, bank_id: str, norm_id: UUID
) -> Response:
    """Another wording, which is a new version. A refused one stays in the form: 422, 409 if the norm is not in force,
    and 412 if it was changed meanwhile."""
    fields = await form_fields(request)
    wording = fields.get("norm", "").strip()
    one = await memory.get_norm(bank_id, norm_id)
    in_force = one.status != "deprecated" and one.valid_to is None
    status: int = HTTPStatus.PRECONDITION_FAILED
    problem = f"It was changed meanwhile and now reads: {one.norm} Saving again replaces that."
    if not in_force or fields.get("version") == str(one.version):
        try:
            await memory.correct_norm(bank_id, norm_id, norm=wording, actor=actor_of(grant, None))
        except InvalidInput as error:
            status, problem = error.status, f"The text {error.problem}."
        except Conflict as error:
            status, problem = error.status, "The norm is not in force."
        else:
            return done("banks", bank_id, "norms", norm_id, act="correct")
    data, of_page = await values_of(memory, bank_id, one)
    return page(request, "norm.html", {**data, **of_page, "wording": wording, "problem": problem}, status)


@norms.post("/{norm_id}/{act}")
async def judge(
    request: Request,
    memory: WriteMemory,
    grant: KeyGrant,
    bank_id: str,
    norm_id: UUID,
    act: Literal["confirm", "remove", "pin", "unpin"],
) -> Response:
    await getattr(memory, f"{act}_norm")(bank_id, norm_id, actor=actor_of(grant, None))
    return done("banks", bank_id, "norms", norm_id, act=act)
