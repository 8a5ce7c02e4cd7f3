"""Relational memory: norms of a bank's person, read and corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast, get_args
from uuid import UUID

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.api.bound import bound
from memory_service.errors import InvalidInput, NotFound
from memory_service.injection.detection import command_in
from memory_service.intake.commit import check_id, checked_actor
from memory_service.methods import MemoryMethods as M
from memory_service.person_results import CommunicationStyle, Norm, NormVersion, RelationalMemory
from memory_service.rules.norms.areas import AREAS, areas_in
from memory_service.rules.norms.slots import slot_of
from memory_service.store.relational import NormJudgement
from memory_service.validation import (
    check_bank_id,
    check_choice,
    check_number,
    check_object,
    check_optional_line,
    check_text,
    check_time,
    check_uuid,
)
from memory_service.vocabulary import NormKind, RelationshipPhase

NORM_KINDS: tuple[NormKind, ...] = get_args(NormKind)
PHASES: tuple[RelationshipPhase, ...] = get_args(RelationshipPhase)
MAX_NORM_CHARS = 500
MAX_SITUATION_CHARS = 200
MOST_NORMS_PUT = 50
NORM_FIELDS = ("kind", "norm", "situation", "slot", "level")
NO_NORM = "norm_id: there is no such norm in this bank"


class RelationalMethods(MemoryBase):
    """Methods of `Memory` about norms."""

    async def relational(self, bank_id: str, *, as_of: datetime | None = None) -> RelationalMemory:
        """The norms in force now or at `as_of`: phase, style, preferences, instructions, sensitive topics.

        Errors: NotFound, InvalidInput.
        """
        norms = await self.store.relational.list(check_bank_id(bank_id), check_time(as_of, "as_of"))
        return profile_of_norms(norms)

    async def list_norms(
        self, bank_id: str, *, as_of: datetime | None = None, all_states: bool = False
    ) -> list[Norm]:
        """Norms in force at `as_of`, or with `all_states` also replaced, removed and dropped ones."""
        return await self.store.relational.list(
            check_bank_id(bank_id), check_time(as_of, "as_of"), all_states=all_states
        )

    async def get_norm(self, bank_id: str, norm_id: UUID) -> Norm:
        """One norm in any state. Errors: NotFound."""
        found = await self.store.relational.list(
            check_bank_id(bank_id), None, norm=check_uuid(norm_id, "norm_id")
        )
        if not found:
            raise NotFound(NO_NORM)
        return found[0]

    async def norm_history(self, bank_id: str, norm_id: UUID) -> list[NormVersion]:
        """All versions of a norm with reason and actor, oldest first. Errors: NotFound."""
        found = await self.store.relational.history(check_bank_id(bank_id), check_uuid(norm_id, "norm_id"))
        if not found:
            raise NotFound(NO_NORM)
        return found

    async def put_relational(
        self,
        bank_id: str,
        norms: Sequence[Mapping[str, object]] = (),
        *,
        relationship_phase: RelationshipPhase | None = None,
        communication_style: str | None = None,
        actor: str | None = None,
        agent_id: str | None = None,
    ) -> RelationalMemory:
        """State norms: each {kind, norm, situation?, slot?, level?} replaces the norm of its slot and is pinned.

        `slot` is what a norm is about; without it, it is read from the text. `level`, 0 to 1, is of a sensitivity.
        The same again changes nothing. Returns the norms in force.
        Errors: NotFound, InvalidInput naming the field.
        """
        given = [dict(check_object(norm, f"norms[{place}]")) for place, norm in enumerate(norms)]
        if relationship_phase is not None:
            phase = check_choice(relationship_phase, "relationship_phase", PHASES)
            given.append({"kind": "relationship_phase", "norm": phase})
        if communication_style is not None:
            style = check_text(communication_style, "communication_style", MAX_NORM_CHARS)
            given.append({"kind": "communication_style", "norm": style, "slot": "stated"})
        who = checked_actor(actor)
        check_id(check_optional_line(agent_id, "agent_id"), "agent_id")
        if not given:
            return await self.relational(bank_id)
        if len(given) > MOST_NORMS_PUT:
            raise InvalidInput("norms", f"has {len(given)} norms; at most {MOST_NORMS_PUT} are accepted")
        checked = [checked_norm(norm, f"norms[{n}]") for n, norm in enumerate(given)]
        await self.store.relational.put(check_bank_id(bank_id), checked, who, agent_id)
        self.store.notifications.notify("relational", bank_id)
        return await self.relational(bank_id)

    async def correct_norm(
        self,
        bank_id: str,
        norm_id: UUID,
        *,
        norm: str | None = None,
        situation: str | None = None,
        level: float | None = None,
        actor: str | None = None,
    ) -> Norm:
        """Correct a norm's wording, situation or level: a new version, pinned.

        Errors: NotFound, Conflict for a norm that is not in force, InvalidInput.
        """
        norm_id, who = check_uuid(norm_id, "norm_id"), checked_actor(actor)
        if norm is None and situation is None and level is None:
            return await self.get_norm(bank_id, norm_id)
        text = None if norm is None else checked_words(norm, "norm", MAX_NORM_CHARS)
        where = (
            None
            if situation is None
            else checked_words(situation, "situation", MAX_SITUATION_CHARS, empty=True)
        )
        checked_level = check_number(level, "level", 0, 1)
        if text is not None and (await self.get_norm(bank_id, norm_id)).kind == "relationship_phase":
            check_choice(text, "norm", PHASES)
        if not await self.store.relational.correct(
            check_bank_id(bank_id), norm_id, text, where, checked_level, who
        ):
            raise NotFound(NO_NORM)
        self.store.notifications.notify("relational", bank_id)
        return await self.get_norm(bank_id, norm_id)

    async def _review_norm(
        self, bank_id: str, norm_id: UUID, judgement: NormJudgement, actor: str | None
    ) -> Norm:
        if not await self.store.relational.review(
            check_bank_id(bank_id), check_uuid(norm_id, "norm_id"), judgement, checked_actor(actor)
        ):
            raise NotFound(NO_NORM)
        self.store.notifications.notify("relational", bank_id)
        return await self.get_norm(bank_id, norm_id)

    confirm_norm = bound(M.confirm_norm, _review_norm, judgement="confirmed")
    remove_norm = bound(M.remove_norm, _review_norm, judgement="removed")
    pin_norm = bound(M.pin_norm, _review_norm, judgement="pinned")
    unpin_norm = bound(M.unpin_norm, _review_norm, judgement="unpinned")


def profile_of_norms(norms: Sequence[Norm]) -> RelationalMemory:
    """The norms in force as one profile."""
    phase = next((norm for norm in norms if norm.kind == "relationship_phase"), None)
    style = [norm for norm in norms if norm.kind == "communication_style"]
    joined = None
    if style:
        joined = CommunicationStyle(
            ", ".join(norm.norm for norm in style),
            min(norm.confidence for norm in style),
            sum(norm.evidence_count for norm in style),
            max(norm.last_confirmed for norm in style),
        )
    return RelationalMemory(
        cast("RelationshipPhase", phase.norm) if phase else "early",
        phase.valid_from if phase else None,
        joined,
        tuple(norm.norm for norm in norms if norm.kind == "preference"),
        tuple(norm.norm for norm in norms if norm.kind == "instruction"),
        {
            norm.slot.removeprefix("topic: "): norm.level or 0.0
            for norm in norms
            if norm.kind == "sensitivity"
        },
        tuple(norms),
    )


def checked_norm(norm: Mapping[str, object], field: str) -> dict[str, Any]:
    """A norm as memory_api.put_norms takes it. Errors: InvalidInput naming the field."""
    for name in norm:
        if name not in NORM_FIELDS:
            raise InvalidInput(f"{field}.{name}", f"is unknown; known are {', '.join(NORM_FIELDS)}")
    kind = check_choice(norm.get("kind"), f"{field}.kind", NORM_KINDS)
    text = checked_words(norm.get("norm"), f"{field}.norm", MAX_NORM_CHARS)
    situation = checked_words(
        norm.get("situation") or "", f"{field}.situation", MAX_SITUATION_CHARS, empty=True
    )
    level = check_number(cast("float | None", norm.get("level")), f"{field}.level", 0, 1)
    slot = check_optional_line(cast("str | None", norm.get("slot")), f"{field}.slot")
    if slot:
        checked_words(slot, f"{field}.slot", MAX_NORM_CHARS)
    value: str | None = None
    if kind == "relationship_phase":
        check_choice(text, f"{field}.norm", PHASES)
        slot, value = "phase", text
    elif kind == "sensitivity":
        level = 1.0 if level is None else level
        areas = (text,) if text in AREAS else areas_in(text)
        slot = slot or (areas[0] if areas else f"topic: {slot_of(text).name}")
    elif level is not None:
        raise InvalidInput(f"{field}.level", "is for kind sensitivity only")
    elif kind in ("preference", "instruction"):
        read = slot_of(text, situation)
        slot, value = slot or read.name, read.value
    return {
        "kind": kind, "slot": (slot or slot_of(text).name)[:120], "norm": text, "situation": situation, "value": value,
        "level": level,
    }  # fmt: skip


def checked_words(value: object, field: str, limit: int, *, empty: bool = False) -> str:
    """One line of redacted text that does not command the agent. Errors: InvalidInput naming the field."""
    text = " ".join(without_secrets(check_text(value, field, limit, empty=empty)).split())
    if command_in(text) is not None:
        raise InvalidInput(
            field, "commands the agent to act against its instructions; norms describe a person's wishes"
        )
    return text
