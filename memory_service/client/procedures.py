"""Procedures over HTTP: list, history, outcomes, review."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, get, id_text, post
from memory_service.cursors import MAX_PAGE
from memory_service.results import Page, Procedure, ProcedureVersion
from memory_service.vocabulary import ProcedureKind, ProcedureOutcome, ProcedureStatus


class ProcedureCalls(CallsBase):
    """Methods about procedures."""

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
        """Procedures, last confirmed first. Default `statuses`: active and tentative."""
        query = {"as_of": as_of, "status": statuses, "kind": kinds, "limit": limit, "cursor": cursor}
        return await self._caller.call(get(bank_path(bank_id, "procedures"), query), Page[Procedure])

    async def get_procedure(self, bank_id: str, procedure_id: UUID) -> Procedure:
        """One procedure, whatever its status. Errors: NotFound."""
        return await self._caller.call(get(procedure_path(bank_id, procedure_id)), Procedure)

    async def procedure_history(
        self, bank_id: str, procedure_id: UUID, *, limit: int = MAX_PAGE, cursor: str | None = None
    ) -> Page[ProcedureVersion]:
        """All versions of a procedure with reason and actor, oldest first. Errors: NotFound."""
        request = get(procedure_path(bank_id, procedure_id, "history"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[ProcedureVersion])

    async def record_outcome(
        self,
        bank_id: str,
        procedure_id: UUID,
        outcome: ProcedureOutcome,
        *,
        note: str | None = None,
        actor: str | None = None,
    ) -> Procedure:
        """Record that a procedure worked or failed. Each call counts, once. Errors: NotFound, Conflict."""
        fields = {"outcome": outcome, "note": note, "actor": actor}
        path = procedure_path(bank_id, procedure_id, "outcome")
        return await self._caller.call(post(path, fields, "by key"), Procedure)

    async def retract_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure:
        """Retract a procedure that was wrong: no read shows it. Errors: NotFound, Conflict."""
        return await self._review_procedure(bank_id, procedure_id, "retract", actor)

    async def pin_procedure(self, bank_id: str, procedure_id: UUID, *, actor: str | None = None) -> Procedure:
        """Keep a procedure above the cap. Errors: NotFound, Conflict."""
        return await self._review_procedure(bank_id, procedure_id, "pin", actor)

    async def unpin_procedure(
        self, bank_id: str, procedure_id: UUID, *, actor: str | None = None
    ) -> Procedure:
        """Let the cap apply to a procedure again. Errors: NotFound, Conflict."""
        return await self._review_procedure(bank_id, procedure_id, "unpin", actor)

    async def _review_procedure(
        self, bank_id: str, procedure_id: UUID, review: str, actor: str | None
    ) -> Procedure:
        request = post(procedure_path(bank_id, procedure_id, review), {"actor": actor}, "by key")
        return await self._caller.call(request, Procedure)


def procedure_path(bank_id: str, procedure_id: UUID, *parts: str) -> str:
    return bank_path(bank_id, "procedures", id_text(procedure_id, "procedure_id"), *parts)
