"""HTTP routes for relational memory: the norms of a bank's person."""

from __future__ import annotations

from typing import Annotated, Any
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
from memory_service.methods import MemoryMethods as M
from memory_service.person_results import KnownPerson, Norm, NormVersion, RelationalMemory
from memory_service.server.dependencies import KeyGrant, WriteMemory, arguments_in
from memory_service.server.method_routes import read_route, review_routes
from memory_service.server.schemas import Body, Time, at_most
from memory_service.server.strict_json import StrictRoute
from memory_service.server.value_schemas import Line, Share, documented, one_of, text

relational = APIRouter(prefix="/v1/banks/{bank_id}/relational", route_class=StrictRoute)
person = APIRouter(prefix="/v1/banks/{bank_id}/person", route_class=StrictRoute)

NormText = Annotated[str, documented(text(MAX_NORM_CHARS))]
Situation = Annotated[str, documented(text(MAX_SITUATION_CHARS, empty=True))]
Kind = Annotated[str, documented(one_of(NORM_KINDS))]
Phase = Annotated[str, documented(one_of(PHASES))]
InForce = Annotated[Time | None, Query(description="norms in force at this time")]


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


read_route(
    person, "", M.person, KnownPerson,
    """The knowledge of the bank's person: norms, facts, emotional thread, procedures, open questions.

    Each part has its id and its sources, and is corrected by its own routes. At most 100 facts and 50 procedures.""",
    name="known_person",
    as_of=Annotated[Time | None, Query(description="as of this time; default: now")],
)  # fmt: skip
read_route(
    relational, "", M.relational, RelationalMemory,
    "The norms in force: relationship phase, communication style, preferences, instructions, sensitive topics.",
    name="get_relational", as_of=InForce,
)  # fmt: skip


@relational.put("", response_model=RelationalMemory)
async def put_relational(memory: WriteMemory, grant: KeyGrant, bank_id: str, body: RelationalBody) -> Any:
    """State norms. Each replaces the norm of its slot and is pinned: messages do not change it. The same again changes
    nothing; norms that are not named stay."""
    arguments = arguments_in(body, grant)
    arguments["norms"] = [norm.model_dump(exclude_none=True) for norm in body.norms]
    return await memory.put_relational(bank_id, **arguments)


read_route(
    relational, "/norms", M.list_norms, list[Norm],
    "List norms, the most recently confirmed first; at most the bank's cap is in force.",
    as_of=InForce,
    all_states=Annotated[bool, Query(description="true: also replaced and removed norms")],
)  # fmt: skip
read_route(
    relational, "/norms/{norm_id}", M.get_norm, Norm, "One norm in any state, with the episodes that state it.",
)  # fmt: skip
read_route(
    relational, "/norms/{norm_id}/history", M.norm_history, list[NormVersion],
    "All versions of a norm with reason and actor, the first one first.",
)  # fmt: skip


@relational.patch("/norms/{norm_id}", response_model=Norm)
async def correct_norm(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, norm_id: UUID, body: CorrectionBody
) -> Any:
    """Correct wording, situation or level of a norm: a new version, pinned. 409 for a norm that is not in force."""
    return await memory.correct_norm(bank_id, norm_id, **arguments_in(body, grant))


review_routes(relational, "/norms/{norm_id}", Norm, {
    M.confirm_norm: "Confirm a norm; a removed one is in force again. 409 where a newer norm replaced it.",
    M.remove_norm: "Remove a norm: it is not shown any more, and earlier statements do not bring it back.",
    M.pin_norm: "Pin a norm: messages do not change it.",
    M.unpin_norm: "Unpin a norm: messages may change it again.",
})  # fmt: skip
