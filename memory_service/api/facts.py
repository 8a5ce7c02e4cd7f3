"""Facts: list, history, review, clarifications."""

from __future__ import annotations

from uuid import UUID

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.api.bound import bound, from_store, implements, listed
from memory_service.cursors import FactPlace, QuestionPlace, VersionPlace, page_request
from memory_service.methods import MemoryMethods as M
from memory_service.requests import ClarificationAnswer
from memory_service.results import Clarification, Fact, FactVersion, Page
from memory_service.spans import RECORD_ID, memory_span
from memory_service.store.facts import Review
from memory_service.validation import CLARIFICATION_STATUSES, FACT_STATUSES


class FactMethods(MemoryBase):
    """Methods of `Memory` about facts."""

    list_facts = listed(M.list_facts, FactPlace, lambda store: store.facts.list, statuses=FACT_STATUSES)
    list_clarifications = listed(
        M.list_clarifications,
        QuestionPlace,
        lambda store: store.facts.list_clarifications,
        statuses=CLARIFICATION_STATUSES,
    )
    get_fact = from_store(M.get_fact, lambda store: store.facts.read)

    @implements(M.fact_history)
    async def fact_history(
        self, bank_id: str, fact_id: UUID, limit: int, cursor: str | None
    ) -> Page[FactVersion]:
        request = page_request(limit, cursor, VersionPlace, fact=fact_id, bank=bank_id)
        first = request.after.version if request.after else 0
        return request.page(await self.store.facts.history(bank_id, fact_id, request.fetched, first))

    unmerge_fact = from_store(M.unmerge_fact, lambda store: store.facts.unmerge)

    async def _review(self, bank_id: str, fact_id: UUID, review: Review, actor: str) -> Fact:
        with memory_span("update_memory", bank_id, review) as span:
            span.set_attribute(RECORD_ID, str(fact_id))
            return await self.store.facts.review(bank_id, fact_id, review, actor)

    confirm_fact = bound(M.confirm_fact, _review, review="confirmed")
    dispute_fact = bound(M.dispute_fact, _review, review="disputed")
    retract_fact = bound(M.retract_fact, _review, review="retracted")
    pin_fact = bound(M.pin_fact, _review, review="pinned")
    unpin_fact = bound(M.unpin_fact, _review, review="unpinned")

    @implements(M.answer_clarification)
    async def answer_clarification(
        self, bank_id: str, clarification_id: UUID, answer: ClarificationAnswer, actor: str
    ) -> Clarification:
        kept = answer.keep if isinstance(answer.keep, UUID) else None
        text = None if answer.text is None else without_secrets(answer.text)
        return await self.store.facts.answer_clarification(bank_id, clarification_id, kept, text, actor)
