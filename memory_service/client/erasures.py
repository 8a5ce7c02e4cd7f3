"""Erasure over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, delete, get, id_text, post
from memory_service.results import Erasure, ErasurePlan, Page


class ErasureCalls(CallsBase):
    """Methods that erase. They may be repeated: the same erasure again returns its receipt."""

    async def erase(
        self,
        bank_id: str,
        *,
        memory_ids: Sequence[UUID] | None = None,
        search: bool = False,
        conversation_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent_id: str | None = None,
        reason: str | None = None,
        actor: str | None = None,
    ) -> Erasure:
        """Erase memories, a conversation, a period, or what an agent wrote, with all that was derived from it. Errors:
        NotFound."""
        fields = {
            "memory_ids": memory_ids, "search": search, "conversation_id": conversation_id, "since": since,
            "until": until, "agent_id": agent_id, "reason": reason, "actor": actor, "dry_run": False,
        }  # fmt: skip
        return await self._caller.call(post(bank_path(bank_id, "erasures"), fields, "free"), Erasure)

    async def erase_memory(
        self, bank_id: str, memory_id: UUID, *, reason: str | None = None, actor: str | None = None
    ) -> Erasure:
        """Erase one memory with its sources and all that was derived from it. Errors: NotFound."""
        path = bank_path(bank_id, "memories", id_text(memory_id, "memory_id"))
        return await self._caller.call(
            delete(path, {"reason": reason, "actor": actor}, repeatable=True), Erasure
        )

    async def erase_bank(
        self, bank_id: str, *, reason: str | None = None, actor: str | None = None
    ) -> Erasure:
        """Erase a bank with everything in it. Errors: NotFound."""
        return await self._caller.call(
            delete(bank_path(bank_id), {"reason": reason, "actor": actor}, repeatable=True), Erasure
        )

    async def plan_erasure(
        self,
        bank_id: str,
        *,
        memory_ids: Sequence[UUID] | None = None,
        query: str | None = None,
        conversation_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent_id: str | None = None,
        whole_bank: bool = False,
    ) -> ErasurePlan:
        """What `erase` would delete, without deleting it. Errors: NotFound."""
        fields = {
            "memory_ids": memory_ids, "query": query, "conversation_id": conversation_id, "since": since,
            "until": until, "agent_id": agent_id, "whole_bank": whole_bank, "dry_run": True,
        }  # fmt: skip
        return await self._caller.call(post(bank_path(bank_id, "erasures"), fields, "free"), ErasurePlan)

    async def list_erasures(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Erasure]:
        """Receipts of a bank's erasures, newest first; also of a bank that was erased. Errors: NotFound."""
        request = get(bank_path(bank_id, "erasures"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[Erasure])
