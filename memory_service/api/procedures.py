"""Procedures: lists, outcomes, reviews."""

from __future__ import annotations

from uuid import UUID

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.api.bound import bound, from_store, implements, listed
from memory_service.cursors import ProcedurePlace, VersionPlace, page_request
from memory_service.errors import InvalidInput
from memory_service.injection.detection import command_in
from memory_service.methods import MemoryMethods as M
from memory_service.results import Page, Procedure, ProcedureVersion
from memory_service.spans import RECORD_ID, memory_span
from memory_service.store.procedures import ProcedureReview
from memory_service.validation import (
    MAX_NOTE_CHARS,
    PROCEDURE_KINDS,
    PROCEDURE_OUTCOMES,
    PROCEDURE_STATUSES,
    check_choice,
    check_text,
)
from memory_service.vocabulary import ProcedureOutcome


class ProcedureMethods(MemoryBase):
    """Methods of `Memory` about procedures: habits, routines, patterns, skills and lessons."""

    list_procedures = listed(
        M.list_procedures,
        ProcedurePlace,
        lambda store: store.procedures.list,
        statuses=PROCEDURE_STATUSES,
        kinds=PROCEDURE_KINDS,
    )
    get_procedure = from_store(M.get_procedure, lambda store: store.procedures.read)

    @implements(M.procedure_history)
    async def procedure_history(
        self, bank_id: str, procedure_id: UUID, limit: int, cursor: str | None
    ) -> Page[ProcedureVersion]:
        request = page_request(limit, cursor, VersionPlace, fact=procedure_id, bank=bank_id)
        first = request.after.version if request.after else 0
        return request.page(
            await self.store.procedures.history(bank_id, procedure_id, request.fetched, first)
        )

    @implements(M.record_outcome)
    async def record_outcome(
        self, bank_id: str, procedure_id: UUID, outcome: ProcedureOutcome, note: str | None, actor: str
    ) -> Procedure:
        check_choice(outcome, "outcome", PROCEDURE_OUTCOMES)
        if note is not None:
            note = without_secrets(check_text(note, "note", MAX_NOTE_CHARS))
            if command_in(note) is not None:
                raise InvalidInput("note", "refused: it commands the agent")
        with memory_span("update_memory", bank_id, outcome) as span:
            span.set_attribute(RECORD_ID, str(procedure_id))
            return await self.store.procedures.record_outcome(bank_id, procedure_id, outcome, note, actor)

    async def _review_procedure(
        self, bank_id: str, procedure_id: UUID, review: ProcedureReview, actor: str
    ) -> Procedure:
        with memory_span("update_memory", bank_id, review) as span:
            span.set_attribute(RECORD_ID, str(procedure_id))
            return await self.store.procedures.review(bank_id, procedure_id, review, actor)

    retract_procedure = bound(M.retract_procedure, _review_procedure, review="retracted")
    pin_procedure = bound(M.pin_procedure, _review_procedure, review="pinned")
    unpin_procedure = bound(M.unpin_procedure, _review_procedure, review="unpinned")
