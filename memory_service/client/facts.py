"""Facts over HTTP: list, history, review, clarifications."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, get, id_text, post
from memory_service.cursors import MAX_PAGE
from memory_service.results import Clarification, Fact, FactVersion, Page
from memory_service.vocabulary import ClarificationStatus, FactStatus


class FactCalls(CallsBase):
    """Methods about facts."""

    async def list_facts(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        statuses: Sequence[FactStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """Facts true at `as_of` (valid time) as known at `known_at` (transaction time), last confirmed first."""
        request = get(
            bank_path(bank_id, "facts"),
            {"as_of": as_of, "known_at": known_at, "status": statuses, "limit": limit, "cursor": cursor},
        )
        return await self._caller.call(request, Page[Fact])

    async def get_fact(self, bank_id: str, fact_id: UUID) -> Fact:
        """One fact as it is now, whatever its status. Errors: NotFound."""
        return await self._caller.call(get(fact_path(bank_id, fact_id)), Fact)

    async def fact_history(
        self, bank_id: str, fact_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[FactVersion]:
        """All versions of a fact with reason and actor, oldest first. Errors: NotFound."""
        request = get(fact_path(bank_id, fact_id, "history"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[FactVersion])

    async def confirm_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Confirm a fact; a superseded one is true again as a new fact, which is returned. Errors: NotFound,
        Conflict."""
        return await self._review(bank_id, fact_id, "confirm", actor)

    async def dispute_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Halve the confidence of a fact. Errors: NotFound, Conflict."""
        return await self._review(bank_id, fact_id, "dispute", actor)

    async def retract_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Retract a fact that was never true. Errors: NotFound, Conflict."""
        return await self._review(bank_id, fact_id, "retract", actor)

    async def pin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Stop the decay of a fact. Errors: NotFound, Conflict."""
        return await self._review(bank_id, fact_id, "pin", actor)

    async def unpin_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Let a fact decay again. Errors: NotFound, Conflict."""
        return await self._review(bank_id, fact_id, "unpin", actor)

    async def unmerge_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Undo a merge by upkeep. Errors: NotFound, Conflict."""
        return await self._review(bank_id, fact_id, "unmerge", actor)

    async def _review(self, bank_id: str, fact_id: UUID, review: str, actor: str | None) -> Fact:
        request = post(fact_path(bank_id, fact_id, review), {"actor": actor}, "by key")
        return await self._caller.call(request, Fact)

    async def list_clarifications(
        self,
        bank_id: str,
        *,
        statuses: Sequence[ClarificationStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Clarification]:
        """Questions for the user, most important first; default `statuses`: open."""
        request = get(
            bank_path(bank_id, "clarifications"), {"status": statuses, "limit": limit, "cursor": cursor}
        )
        return await self._caller.call(request, Page[Clarification])

    async def answer_clarification(
        self,
        bank_id: str,
        clarification_id: UUID,
        keep: UUID | Literal["both"],
        text: str | None = None,
        *,
        actor: str | None = None,
    ) -> Clarification:
        """Answer a question about two facts: `keep` is the id of the one that is right, or "both".

        Errors: NotFound, InvalidInput, Conflict where it was answered otherwise.
        """
        path = bank_path(bank_id, "clarifications", id_text(clarification_id, "clarification_id"), "answer")
        fields = {"keep": keep, "text": text, "actor": actor}
        return await self._caller.call(post(path, fields, "by key"), Clarification)


def fact_path(bank_id: str, fact_id: UUID, *parts: str) -> str:
    return bank_path(bank_id, "facts", id_text(fact_id, "fact_id"), *parts)
