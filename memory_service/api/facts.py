"""Facts: list, history, review, clarifications."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from memory_service.api.base import MemoryBase
from memory_service.api.bound import bound
from memory_service.cursors import (
    MAX_PAGE,
    FactPlace,
    QuestionPlace,
    VersionPlace,
    page_request,
)
from memory_service.intake.commit import checked_actor
from memory_service.methods import MemoryMethods as M
from memory_service.redaction import redact
from memory_service.requests import ClarificationAnswer
from memory_service.results import Clarification, Fact, FactVersion, Page
from memory_service.spans import RECORD_ID, memory_span
from memory_service.store.facts import Review
from memory_service.validation import (
    CLARIFICATION_STATUSES,
    FACT_STATUSES,
    check_bank_id,
    check_choices,
    check_time,
    check_uuid,
)
from memory_service.vocabulary import ClarificationStatus, FactStatus


class FactMethods(MemoryBase):
    """Methods of `Memory` about facts."""

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
        """Facts true at `as_of` (valid time) as known at `known_at` (transaction time), last confirmed first.

        `as_of` alone: as known now; `known_at` alone: true and known then; neither: now. Default `statuses`: tentative
        and stable. Deprecated and merged facts are listed whatever `as_of` is. A fact that is confirmed between two
        pages may be on neither. Errors: InvalidInput, also for a cursor of another bank.
        """
        request = page_request(limit, cursor, FactPlace, bank=check_bank_id(bank_id))
        items = await self.store.facts.list(
            bank_id,
            request.fetched,
            request.after,
            as_of=check_time(as_of, "as_of"),
            known_at=check_time(known_at, "known_at"),
            statuses=check_choices(statuses, "status", FACT_STATUSES) or None,
        )
        return request.page(items)

    async def get_fact(self, bank_id: str, fact_id: UUID) -> Fact:
        """One fact as it is now, whatever its status. Errors: NotFound."""
        return await self.store.facts.read(check_bank_id(bank_id), check_uuid(fact_id, "fact_id"))

    async def fact_history(
        self, bank_id: str, fact_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[FactVersion]:
        """All versions of a fact with reason and actor, oldest first. Errors: NotFound."""
        fact_id = check_uuid(fact_id, "fact_id")
        request = page_request(limit, cursor, VersionPlace, fact=fact_id, bank=check_bank_id(bank_id))
        first = request.after.version if request.after else 0
        return request.page(await self.store.facts.history(bank_id, fact_id, request.fetched, first))

    async def unmerge_fact(self, bank_id: str, fact_id: UUID, *, actor: str | None = None) -> Fact:
        """Undo a merge by upkeep: the fact gets its evidence back, and the two are never merged again. Safe to repeat.

        Evidence since the merge stays with the winner. Errors: NotFound; Conflict where statements made the two one
        fact, or where the winner was merged since.
        """
        fact_id = check_uuid(fact_id, "fact_id")
        return await self.store.facts.unmerge(check_bank_id(bank_id), fact_id, checked_actor(actor))

    async def _review(self, bank_id: str, fact_id: UUID, review: Review, actor: str | None) -> Fact:
        fact_id, who = check_uuid(fact_id, "fact_id"), checked_actor(actor)
        with memory_span("update_memory", check_bank_id(bank_id), review) as span:
            span.set_attribute(RECORD_ID, str(fact_id))
            return await self.store.facts.review(bank_id, fact_id, review, who)

    confirm_fact = bound(M.confirm_fact, _review, review="confirmed")
    dispute_fact = bound(M.dispute_fact, _review, review="disputed")
    retract_fact = bound(M.retract_fact, _review, review="retracted")
    pin_fact = bound(M.pin_fact, _review, review="pinned")
    unpin_fact = bound(M.unpin_fact, _review, review="unpinned")

    async def list_clarifications(
        self,
        bank_id: str,
        *,
        statuses: Sequence[ClarificationStatus] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Clarification]:
        """Questions for the user, most important first; default `statuses`: open."""
        request = page_request(limit, cursor, QuestionPlace, bank=check_bank_id(bank_id))
        checked = check_choices(statuses, "status", CLARIFICATION_STATUSES) or None
        return request.page(
            await self.store.facts.list_clarifications(
                bank_id, request.fetched, request.after, statuses=checked
            )
        )

    async def answer_clarification(
        self,
        bank_id: str,
        clarification_id: UUID,
        keep: UUID | Literal["both"],
        text: str | None = None,
        *,
        actor: str | None = None,
    ) -> Clarification:
        """Answer a question about two facts: `keep` is the id of the one that is right, or "both". Safe to repeat.

        The kept fact is confirmed; the other is superseded where it was true before, else retracted. `text` is the
        user's answer in words. Errors: NotFound, InvalidInput where `keep` is neither, Conflict where it was answered
        otherwise.
        """
        answer = ClarificationAnswer(keep, text)
        return await self.store.facts.answer_clarification(
            check_bank_id(bank_id),
            check_uuid(clarification_id, "clarification_id"),
            answer.keep if isinstance(answer.keep, UUID) else None,
            None if answer.text is None else redact(answer.text).text,
            checked_actor(actor),
        )
