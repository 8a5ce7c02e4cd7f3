"""Questions: contradicting facts, of which one click says which is right."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from fastapi import APIRouter, Request, Response

from memory_service.server.dependencies import KeyGrant, ReadMemory, WriteMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import answer_command
from memory_service.ui.forms import form_fields
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view
from memory_service.validation import check_keep
from memory_service.vocabulary import ClarificationStatus

PAGE = 20
COLUMNS = (
    "clarification_id",
    "question",
    "importance",
    "status",
    "created_at",
    "answered_at",
    "keep",
    "actor",
)

questions = APIRouter(prefix="/ui/banks/{bank_id}/questions", route_class=PageRoute)


@view(questions, "", csv=True)
async def list_questions(
    request: Request,
    memory: ReadMemory,
    bank_id: str,
    status: str = "open",
    cursor: str | None = None,
    act: str | None = None,
) -> Response:
    found = await memory.list_clarifications(
        bank_id, statuses=[cast("ClarificationStatus", status)], limit=PAGE, cursor=cursor
    )
    table = table_of(COLUMNS, found.items)
    commands = {
        one.clarification_id: answer_command(bank_id, one.clarification_id, one.facts[-1].memory_id)
        for one in found.items
        if one.status == "open" and one.facts
    }
    return shown(
        request, "questions.html", {"questions": found}, table, status=status, commands=commands,
        act=act if act == "answer" else None,
    )  # fmt: skip


@questions.post("/{clarification_id}/answer")
async def answer(
    request: Request, memory: WriteMemory, grant: KeyGrant, bank_id: str, clarification_id: UUID
) -> Response:
    keep = check_keep((await form_fields(request)).get("keep", ""), "keep")
    await memory.answer_clarification(bank_id, clarification_id, keep, actor=actor_of(grant, None))
    return done("banks", bank_id, "questions", act="answer")
