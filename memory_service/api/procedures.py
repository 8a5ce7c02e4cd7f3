"""Procedures: lists, outcomes, reviews."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_service.api.base import MemoryBase
from memory_service.api.bound import bound
from memory_service.cursors import (
    MAX_PAGE,
    ProcedurePlace,
    VersionPlace,
    page_request,
)
from memory_service.errors import InvalidInput
from memory_service.injection.detection import command_in
from memory_service.intake.commit import checked_actor
from memory_service.methods import MemoryMethods as M
from memory_service.redaction import redact
from memory_service.results import Page, Procedure, ProcedureVersion
from memory_service.spans import RECORD_ID, memory_span
from memory_service.store.procedures import ProcedureReview
from memory_service.validation import (
    MAX_NOTE_CHARS,
    PROCEDURE_KINDS,
    PROCEDURE_OUTCOMES,
    PROCEDURE_STATUSES,
    check_bank_id,
    check_choice,
    check_choices,
    check_text,
    check_time,
    check_uuid,
)
from memory_service.vocabulary import ProcedureKind, ProcedureOutcome, ProcedureStatus


class ProcedureMethods(MemoryBase):
    """Methods of `Memory` about procedures: habits, routines, patterns, skills and lessons."""

    async def list_procedures(
        self,
        bank_id: str,
        *,
        as_of: datetime | None = None,
        statuses: Sequence[ProcedureStatus] | None = None,
        kinds: Sequence[ProcedureKind] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Procedure]:
        """Procedures, last confirmed first. Default `statuses`: active and tentative, with `as_of` those in force then.
        Errors: InvalidInput, also for a cursor of another bank."""
        request = page_request(limit, cursor, ProcedurePlace, bank=check_bank_id(bank_id))
        items = await self.store.procedures.list(
            bank_id,
            request.fetched,
            request.after,
            kinds=check_choices(kinds, "kind", PROCEDURE_KINDS) or None,
            as_of=check_time(as_of, "as_of"),
            statuses=check_choices(statuses, "status", PROCEDURE_STATUSES) or None,
        )
        return request.page(items)

    async def get_procedure(self, bank_id: str, procedure_id: UUID) -> Procedure:
        """One procedure, whatever its status. Errors: NotFound."""
        return await self.store.procedures.read(
            check_bank_id(bank_id), check_uuid(procedure_id, "procedure_id")
        )

    async def procedure_history(
        self, bank_id: str, procedure_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[ProcedureVersion]:
        """All versions of a procedure with reason and actor, oldest first. Errors: NotFound."""
        procedure_id = check_uuid(procedure_id, "procedure_id")
        request = page_request(limit, cursor, VersionPlace, fact=procedure_id, bank=check_bank_id(bank_id))
        first = request.after.version if request.after else 0
        return request.page(
            await self.store.procedures.history(bank_id, procedure_id, request.fetched, first)
        )

    async def record_outcome(
        self,
        bank_id: str,
        procedure_id: UUID,
        outcome: ProcedureOutcome,
        *,
        note: str | None = None,
        actor: str | None = None,
    ) -> Procedure:
        """Record that a procedure worked or failed: its weight is the lower bound of the share that worked. `note` says
        more, for its history. Each call counts. Errors: NotFound; Conflict where it is not in use; InvalidInput."""
        check_choice(outcome, "outcome", PROCEDURE_OUTCOMES)
        procedure_id, who = check_uuid(procedure_id, "procedure_id"), checked_actor(actor)
        if note is not None:
            note = redact(check_text(note, "note", MAX_NOTE_CHARS)).text
            if command_in(note) is not None:
                raise InvalidInput("note", "refused: it commands the agent")
        with memory_span("update_memory", check_bank_id(bank_id), outcome) as span:
            span.set_attribute(RECORD_ID, str(procedure_id))
            return await self.store.procedures.record_outcome(bank_id, procedure_id, outcome, note, who)

    async def _review_procedure(
        self, bank_id: str, procedure_id: UUID, review: ProcedureReview, actor: str | None
    ) -> Procedure:
        procedure_id, who = check_uuid(procedure_id, "procedure_id"), checked_actor(actor)
        with memory_span("update_memory", check_bank_id(bank_id), review) as span:
            span.set_attribute(RECORD_ID, str(procedure_id))
            return await self.store.procedures.review(bank_id, procedure_id, review, who)

    retract_procedure = bound(M.retract_procedure, _review_procedure, review="retracted")
    pin_procedure = bound(M.pin_procedure, _review_procedure, review="pinned")
    unpin_procedure = bound(M.unpin_procedure, _review_procedure, review="unpinned")
