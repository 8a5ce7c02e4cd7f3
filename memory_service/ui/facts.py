"""Facts: the list at a valid and a transaction time, one fact with evidence and versions, and judgements on it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Literal, cast
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from memory_service.iso_time import parsed_time
from memory_service.results import Fact
from memory_service.server.dependencies import KeyGrant, ReadMemory, WriteMemory, actor_of
from memory_service.ui.acts import done
from memory_service.ui.commands import JUDGEMENTS, fact_commands
from memory_service.ui.confidence import confidence_line
from memory_service.ui.items import items_of
from memory_service.ui.periods import axis_of
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view
from memory_service.ui.versions import changes_of
from memory_service.vocabulary import FactStatus

PAGE = 50
EVIDENCE = 8
"""Most episodes of the evidence that are shown, the latest ones."""
ACTS = (*JUDGEMENTS, "edit", "unmerge")
COLUMNS = (
    "memory_id", "fact", "subject", "attribute", "value", "confidence", "status", "importance", "evidence_count",
    "first_observed", "last_confirmed", "valid_from", "valid_to", "pinned", "unconfirmed",
)  # fmt: skip

facts = APIRouter(prefix="/ui/banks/{bank_id}/facts", route_class=PageRoute)


def time_of(text: str, name: str) -> datetime | None:
    """A time from a field of a form: ISO 8601, or a date or a time without zone, which is taken as UTC."""
    if not text:
        return None
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        given = None
    if given is not None and given.tzinfo is None:
        return given.replace(tzinfo=UTC)
    return parsed_time(text, name)


@view(facts, "", csv=True)
async def list_facts(
    request: Request,
    memory: ReadMemory,
    bank_id: str,
    as_of: str = "",
    known_at: str = "",
    status: Annotated[list[str] | None, Query()] = None,
    cursor: str | None = None,
) -> Response:
    found = await memory.list_facts(
        bank_id,
        as_of=time_of(as_of, "as_of"),
        known_at=time_of(known_at, "known_at"),
        statuses=cast("list[FactStatus] | None", status),
        limit=PAGE,
        cursor=cursor,
    )
    table = table_of(COLUMNS, found.items)
    return shown(
        request, "facts.html", {"facts": found}, table, as_of=as_of, known_at=known_at, statuses=status or [],
        axis=axis_of(found.items, datetime.now(UTC)),
    )  # fmt: skip


@view(facts, "/{fact_id}")
async def fact(
    request: Request, memory: ReadMemory, bank_id: str, fact_id: UUID, act: str | None = None
) -> Response:
    one, versions = await asyncio.gather(
        memory.get_fact(bank_id, fact_id), memory.fact_history(bank_id, fact_id)
    )
    evidence = await items_of(memory, bank_id, one.derived_from[-EVIDENCE:][::-1])
    data = {"fact": one, "versions": versions.items, "evidence": evidence}
    now = datetime.now(UTC)
    return shown(
        request, "fact.html", data,
        changes=changes_of(versions.items), line=confidence_line(one, versions.items, evidence, now),
        axis=axis_of([one], now), commands=fact_commands(bank_id, fact_id),
        act=act if act in ACTS else None,
    )  # fmt: skip


@facts.post("/{fact_id}/{act}")
async def judge(
    request: Request,
    memory: WriteMemory,
    grant: KeyGrant,
    bank_id: str,
    fact_id: UUID,
    act: Literal["confirm", "dispute", "retract", "pin", "unpin", "unmerge"],
) -> Response:
    judged: Fact = await getattr(memory, f"{act}_fact")(bank_id, fact_id, actor=actor_of(grant, None))
    return done("banks", bank_id, "facts", judged.memory_id, act=act)
