"""Relational memory: norms of a bank's person, read and corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar, cast, get_args
from uuid import UUID

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.api.bound import bound, implements
from memory_service.errors import InvalidInput, NotFound
from memory_service.injection.detection import command_in
from memory_service.methods import MemoryMethods as M
from memory_service.person_results import CommunicationStyle, Norm, NormVersion, RelationalMemory
from memory_service.rules.norms.areas import AREAS, areas_in
from memory_service.rules.norms.slots import slot_of
from memory_service.store.relational import NormJudgement
from memory_service.validation import (
    check_choice,
    check_number,
    check_object,
    check_optional_line,
    check_text,
)
from memory_service.vocabulary import NormKind, RelationshipPhase

NORM_KINDS: tuple[NormKind, ...] = get_args(NormKind)
PHASES: tuple[RelationshipPhase, ...] = get_args(RelationshipPhase)
MAX_NORM_CHARS = 500
MAX_SITUATION_CHARS = 200
MOST_NORMS_PUT = 50
NORM_FIELDS = ("kind", "norm", "situation", "slot", "level")
T = TypeVar("T")
NO_NORM = "norm_id: there is no such norm in this bank"


class RelationalMethods(MemoryBase):
    """Methods of `Memory` about norms."""

    @implements(M.relational)
    async def relational(self, bank_id: str, as_of: datetime | None) -> RelationalMemory:
        return profile_of_norms(await self.store.relational.list(bank_id, as_of))

    @implements(M.list_norms)
    async def list_norms(self, bank_id: str, as_of: datetime | None, all_states: bool) -> list[Norm]:
        return await self.store.relational.list(bank_id, as_of, all_states=all_states)

    @implements(M.get_norm)
    async def get_norm(self, bank_id: str, norm_id: UUID) -> Norm:
        return found(await self.store.relational.list(bank_id, None, norm=norm_id))[0]

    @implements(M.norm_history)
    async def norm_history(self, bank_id: str, norm_id: UUID) -> list[NormVersion]:
        return found(await self.store.relational.history(bank_id, norm_id))

    @implements(M.put_relational)
    async def put_relational(
        self, bank_id: str, norms: Sequence[Mapping[str, object]], relationship_phase: str | None,
        communication_style: str | None, actor: str, agent_id: str | None,
    ) -> RelationalMemory:  # fmt: skip
        given = [dict(check_object(norm, f"norms[{place}]")) for place, norm in enumerate(norms)]
        if relationship_phase is not None:
            phase = check_choice(relationship_phase, "relationship_phase", PHASES)
            given.append({"kind": "relationship_phase", "norm": phase})
        if communication_style is not None:
            style = check_text(communication_style, "communication_style", MAX_NORM_CHARS)
            given.append({"kind": "communication_style", "norm": style, "slot": "stated"})
        if not given:
            return await self.relational(bank_id)
        if len(given) > MOST_NORMS_PUT:
            raise InvalidInput("norms", f"has {len(given)} norms; at most {MOST_NORMS_PUT} are accepted")
        checked = [checked_norm(norm, f"norms[{n}]") for n, norm in enumerate(given)]
        await self.store.relational.put(bank_id, checked, actor, agent_id)
        self.store.notifications.notify("relational", bank_id)
        return await self.relational(bank_id)

    @implements(M.correct_norm)
    async def correct_norm(
        self,
        bank_id: str,
        norm_id: UUID,
        norm: str | None,
        situation: str | None,
        level: float | None,
        actor: str,
    ) -> Norm:
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
        found(await self.store.relational.correct(bank_id, norm_id, text, where, checked_level, actor))
        self.store.notifications.notify("relational", bank_id)
        return await self.get_norm(bank_id, norm_id)

    async def _review_norm(self, bank_id: str, norm_id: UUID, judgement: NormJudgement, actor: str) -> Norm:
        found(await self.store.relational.review(bank_id, norm_id, judgement, actor))
        self.store.notifications.notify("relational", bank_id)
        return await self.get_norm(bank_id, norm_id)

    confirm_norm = bound(M.confirm_norm, _review_norm, judgement="confirmed")
    remove_norm = bound(M.remove_norm, _review_norm, judgement="removed")
    pin_norm = bound(M.pin_norm, _review_norm, judgement="pinned")
    unpin_norm = bound(M.unpin_norm, _review_norm, judgement="unpinned")


def found(answer: T) -> T:
    """Errors: NotFound where the store has no such norm."""
    if not answer:
        raise NotFound(NO_NORM)
    return answer


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
