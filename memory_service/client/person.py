"""The person of a bank over HTTP: everything known, norms, emotional thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, get, id_text, patch, post, put
from memory_service.person_results import KnownPerson, Norm, NormVersion, RelationalMemory
from memory_service.results import EmotionalThread, Page
from memory_service.vocabulary import RelationshipPhase


@dataclass(frozen=True, slots=True)
class OpenThread:
    """Answer of `emotional-thread`."""

    emotional_thread: EmotionalThread | None


class PersonCalls(CallsBase):
    """Methods about the person."""

    async def person(self, bank_id: str, *, as_of: datetime | None = None) -> KnownPerson:
        """The knowledge of the bank's person, now or at `as_of`, each part with its sources. Errors: NotFound."""
        return await self._caller.call(get(bank_path(bank_id, "person"), {"as_of": as_of}), KnownPerson)

    async def relational(self, bank_id: str, *, as_of: datetime | None = None) -> RelationalMemory:
        """The norms in force now or at `as_of`, as one profile. Errors: NotFound."""
        return await self._caller.call(
            get(bank_path(bank_id, "relational"), {"as_of": as_of}), RelationalMemory
        )

    async def list_norms(
        self, bank_id: str, *, as_of: datetime | None = None, all_states: bool = False
    ) -> list[Norm]:
        """Norms in force at `as_of`, or with `all_states` also replaced, removed and dropped ones."""
        query = {"as_of": as_of, "all_states": "true" if all_states else None}
        return await self._caller.call(get(bank_path(bank_id, "relational", "norms"), query), list[Norm])

    async def get_norm(self, bank_id: str, norm_id: UUID) -> Norm:
        """One norm in any state. Errors: NotFound."""
        return await self._caller.call(get(norm_path(bank_id, norm_id)), Norm)

    async def norm_history(self, bank_id: str, norm_id: UUID) -> list[NormVersion]:
        """All versions of a norm with reason and actor, oldest first. Errors: NotFound."""
        return await self._caller.call(get(norm_path(bank_id, norm_id, "history")), list[NormVersion])

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
        """State norms, each pinned in place of the norm of its slot. Never repeated. Errors: as
        `Memory.put_relational`."""
        fields = {
            "norms": norms, "relationship_phase": relationship_phase, "communication_style": communication_style,
            "actor": actor, "agent_id": agent_id,
        }  # fmt: skip
        return await self._caller.call(put(bank_path(bank_id, "relational"), fields), RelationalMemory)

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
        """Correct a norm's wording, situation or level: a new version, pinned. Never repeated. Errors: NotFound,
        Conflict for a norm that is not in force."""
        fields = {"norm": norm, "situation": situation, "level": level, "actor": actor}
        return await self._caller.call(patch(norm_path(bank_id, norm_id), fields), Norm)

    async def confirm_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Confirm a norm; a removed one is in force again. Errors: NotFound, Conflict."""
        return await self._review_norm(bank_id, norm_id, "confirm", actor)

    async def remove_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Remove a norm; earlier statements do not bring it back. Errors: NotFound."""
        return await self._review_norm(bank_id, norm_id, "remove", actor)

    async def pin_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Pin a norm: messages do not change it. Errors: NotFound."""
        return await self._review_norm(bank_id, norm_id, "pin", actor)

    async def unpin_norm(self, bank_id: str, norm_id: UUID, *, actor: str | None = None) -> Norm:
        """Let messages change a norm again. Errors: NotFound."""
        return await self._review_norm(bank_id, norm_id, "unpin", actor)

    async def _review_norm(self, bank_id: str, norm_id: UUID, review: str, actor: str | None) -> Norm:
        request = post(norm_path(bank_id, norm_id, review), {"actor": actor}, "by key")
        return await self._caller.call(request, Norm)

    async def emotional_thread(
        self, bank_id: str, *, as_of: datetime | None = None
    ) -> EmotionalThread | None:
        """The mood that is carried on, now or at `as_of`; None without one. Errors: NotFound."""
        request = get(bank_path(bank_id, "emotional-thread"), {"as_of": as_of})
        return (await self._caller.call(request, OpenThread)).emotional_thread

    async def list_emotional_threads(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[EmotionalThread]:
        """All threads, open and ended, the one that began last first. Errors: NotFound."""
        request = get(bank_path(bank_id, "emotional-thread", "history"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[EmotionalThread])

    async def end_emotional_thread(self, bank_id: str, *, actor: str | None = None) -> EmotionalThread | None:
        """End the open thread; returns it, None where none was open. Errors: NotFound."""
        request = post(bank_path(bank_id, "emotional-thread", "end"), {"actor": actor}, "by key")
        return (await self._caller.call(request, OpenThread)).emotional_thread


def norm_path(bank_id: str, norm_id: UUID, *parts: str) -> str:
    return bank_path(bank_id, "relational", "norms", id_text(norm_id, "norm_id"), *parts)
