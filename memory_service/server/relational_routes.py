"""HTTP routes for relational memory: the norms of a bank's person."""

from __future__ import annotations

from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from memory_service.api.relational import (
    MAX_NORM_CHARS,
    MAX_SITUATION_CHARS,
    MOST_NORMS_PUT,
    NORM_KINDS,
    PHASES,
)
from memory_service.person_results import KnownPerson, Norm, NormVersion, RelationalMemory
from memory_service.server.dependencies import KeyGrant, ReadMemory, Reviewer, WriteMemory, actor_of, agent_of
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.schemas import Body, Time, at_most
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import Line, Share, documented, one_of, text

relational = APIRouter(prefix="/v1/banks/{bank_id}/relational", route_class=StrictRoute)
person = APIRouter(prefix="/v1/banks/{bank_id}/person", route_class=StrictRoute)

NormText = Annotated[str, documented(text(MAX_NORM_CHARS))]
Situation = Annotated[str, documented(text(MAX_SITUATION_CHARS, empty=True))]
Kind = Annotated[str, documented(one_of(NORM_KINDS))]
Phase = Annotated[str, documented(one_of(PHASES))]


class NormBody(Body):
    kind: Kind
    norm: NormText
    situation: Situation | None = Field(None, description="where it applies; empty: always")
    slot: Line | None = Field(
        None,
        description="what it is about: the norm of the same slot is replaced; default: read from the text",
    )
    level: Share | None = Field(None, description="of a sensitivity; default 1")


class RelationalBody(Body):
    norms: Annotated[list[NormBody], Field(max_length=MOST_NORMS_PUT), at_most(MOST_NORMS_PUT)] = Field(
        default=[]
    )
    relationship_phase: Phase | None = None
    communication_style: NormText | None = None
    actor: Line | None = None
    agent_id: Line | None = None


class CorrectionBody(Body):
    norm: NormText | None = None
    situation: Situation | None = None
    level: Share | None = None
    actor: Line | None = None


@person.get("", response_model=KnownPerson)
async def known_person(
    memory: ReadMemory,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="as of this time; default: now")] = None,
) -> Any:
    """The knowledge of the bank's person: norms, facts, emotional thread, procedures, open questions.

    Each part has its id and its sources, and is corrected by its own routes. At most 100 facts and 50 procedures.
    """
    return await memory.person(bank_id, as_of=as_of)


@relational.get("", response_model=RelationalMemory)
async def get_relational(
    memory: ReadMemory,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="norms in force at this time")] = None,
) -> Any:
    """The norms in force: relationship phase, communication style, preferences, instructions, sensitive topics."""
    return await memory.relational(bank_id, as_of=as_of)


@relational.put("", response_model=RelationalMemory)
async def put_relational(memory: WriteMemory, grant: KeyGrant, bank_id: str, body: RelationalBody) -> Any:
    """State norms. Each replaces the norm of its slot and is pinned: messages do not change it. The same again changes
    nothing; norms that are not named stay."""
    return await memory.put_relational(
        bank_id,
        [norm.model_dump(exclude_none=True) for norm in body.norms],
        relationship_phase=cast("Any", body.relationship_phase),
        communication_style=body.communication_style,
        actor=actor_of(grant, body.actor),
        agent_id=agent_of(grant, body.agent_id),
    )


@relational.get("/norms", response_model=list[Norm])
async def list_norms(
    memory: ReadMemory,
    bank_id: str,
    as_of: Annotated[Time | None, Query(description="norms in force at this time")] = None,
    all_states: Annotated[bool, Query(description="true: also replaced and removed norms")] = False,
) -> Any:
    """List norms, the most recently confirmed first; at most the bank's cap is in force."""
    return await memory.list_norms(bank_id, as_of=as_of, all_states=all_states)


@relational.get("/norms/{norm_id}", response_model=Norm)
async def get_norm(memory: ReadMemory, bank_id: str, norm_id: UUID) -> Any:
    """One norm in any state, with the episodes that state it."""
    return await memory.get_norm(bank_id, norm_id)


@relational.get("/norms/{norm_id}/history", response_model=list[NormVersion])
async def norm_history(memory: ReadMemory, bank_id: str, norm_id: UUID) -> Any:
    """All versions of a norm with reason and actor, the first one first."""
    return await memory.norm_history(bank_id, norm_id)


@relational.patch("/norms/{norm_id}", response_model=Norm)
async def correct_norm(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, norm_id: UUID, body: CorrectionBody
) -> Any:
    """Correct wording, situation or level of a norm: a new version, pinned. 409 for a norm that is not in force."""
    return await memory.correct_norm(
        bank_id, norm_id, norm=body.norm, situation=body.situation, level=body.level,
        actor=actor_of(grant, body.actor),
    )  # fmt: skip


@relational.post("/norms/{norm_id}/confirm", response_model=Norm, dependencies=[REPEATABLE])
async def confirm_norm(memory: WriteMemory, bank_id: str, norm_id: UUID, actor: Reviewer) -> Any:
    """Confirm a norm; a removed one is in force again. 409 where a newer norm replaced it."""
    return await memory.confirm_norm(bank_id, norm_id, actor=actor)


@relational.post("/norms/{norm_id}/remove", response_model=Norm, dependencies=[REPEATABLE])
async def remove_norm(memory: WriteMemory, bank_id: str, norm_id: UUID, actor: Reviewer) -> Any:
    """Remove a norm: it is not shown any more, and earlier statements do not bring it back."""
    return await memory.remove_norm(bank_id, norm_id, actor=actor)


@relational.post("/norms/{norm_id}/pin", response_model=Norm, dependencies=[REPEATABLE])
async def pin_norm(memory: WriteMemory, bank_id: str, norm_id: UUID, actor: Reviewer) -> Any:
    """Pin a norm: messages do not change it."""
    return await memory.pin_norm(bank_id, norm_id, actor=actor)


@relational.post("/norms/{norm_id}/unpin", response_model=Norm, dependencies=[REPEATABLE])
async def unpin_norm(memory: WriteMemory, bank_id: str, norm_id: UUID, actor: Reviewer) -> Any:
    """Unpin a norm: messages may change it again."""
    return await memory.unpin_norm(bank_id, norm_id, actor=actor)
