"""Erasure: memories, conversations, periods, agents, search results and banks, with all that was derived from them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory_service.api.bound import implements
from memory_service.api.reads import TRACE_SECONDS, ReadMethods
from memory_service.cursors import ErasurePlace, page_request
from memory_service.erasure.ledger import append, ledger_folder
from memory_service.errors import InvalidInput, NotFound
from memory_service.intake.commit import check_id
from memory_service.methods import MemoryMethods as M
from memory_service.results import Erasure, ErasurePlan, Page
from memory_service.types import JsonObject, JsonValue
from memory_service.validation import MAX_K, check_line, check_optional_line, check_time
from memory_service.vocabulary import ErasureScope

MAX_ERASED_IDS = 1_000
NOTHING = "there is nothing to erase and nothing of this was erased before"


@dataclass(frozen=True, slots=True)
class Selection:
    """What an erasure names."""

    memory_ids: Sequence[UUID] | None = None
    conversation_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    agent_id: str | None = None


class ErasureMethods(ReadMethods):
    """Methods of `Memory` that erase."""

    @implements(M.erase)
    async def erase(
        self, bank_id: str, selected: Selection, search: bool, reason: str | None, actor: str
    ) -> Erasure:
        scope, selector = selection(selected, search=search)
        return await self._erase(bank_id, scope, selector, reason, actor)

    @implements(M.erase_memory)
    async def erase_memory(
        self, bank_id: str, memory_id: UUID, reason: str | None, actor: str | None
    ) -> Erasure:
        return await self.erase(bank_id, memory_ids=[memory_id], reason=reason, actor=actor)

    @implements(M.erase_bank)
    async def erase_bank(self, bank_id: str, reason: str | None, actor: str) -> Erasure:
        return await self._erase(bank_id, "bank", {}, reason, actor)

    async def _erase(
        self, bank_id: str, scope: ErasureScope, selector: JsonObject, reason: str | None, actor: str
    ) -> Erasure:
        check_id(check_optional_line(reason, "reason"), "reason")
        await self.trace_writer.flush(TRACE_SECONDS)  # a trace can be all that is known of a conversation
        receipt = await self.store.erasures.erase(
            bank_id, scope, selector, reason, actor, self._record_erasure
        )
        if receipt is None:
            raise NotFound(f"{next(iter(selector), 'bank_id')}: {NOTHING}")
        self.forget_cached_bank(bank_id)
        return receipt

    async def _record_erasure(self, line: JsonObject) -> None:
        """Write an erasure to the ledger outside of the database. Errors: LedgerUnavailable."""
        await asyncio.to_thread(append, ledger_folder(self.settings), str(line["key"]), [line])

    @implements(M.plan_erasure)
    async def plan_erasure(
        self, bank_id: str, selected: Selection, query: str | None, whole_bank: bool
    ) -> ErasurePlan:
        await self.trace_writer.flush(TRACE_SECONDS)
        if whole_bank:
            if selected != Selection() or query is not None:
                raise InvalidInput("whole_bank", "takes no other selection")
            await self.store.banks.read(bank_id)
            return await self.store.erasures.plan(bank_id, "bank", {})
        if query is not None:
            if selected.memory_ids is not None:
                raise InvalidInput("memory_ids", "is not given together with query")
            found = await self.recall(bank_id, query, k=MAX_K, mode="tool")
            if not found.items:
                raise NotFound("query: nothing in this bank matches")
            selected = replace(selected, memory_ids=[item.memory_id for item in found.items])
        scope, selector = selection(selected, search=query is not None)
        return await self.store.erasures.plan(bank_id, scope, selector)

    @implements(M.list_erasures)
    async def list_erasures(self, bank_id: str, limit: int, cursor: str | None) -> Page[Erasure]:
        request = page_request(limit, cursor, ErasurePlace)
        after = request.after and request.after.erasure_id
        return request.page(await self.store.erasures.list(bank_id, request.fetched, after))


def selection(selected: Selection, *, search: bool) -> tuple[ErasureScope, JsonObject]:
    """The scope and selector of an erasure. Errors: InvalidInput unless exactly one selection is named."""
    memory_ids, conversation_id, agent_id = selected.memory_ids, selected.conversation_id, selected.agent_id
    since, until = selected.since, selected.until
    period = None if since is None and until is None else True
    given = {
        "memory_ids": memory_ids,
        "conversation_id": conversation_id,
        "since": period,
        "agent_id": agent_id,
    }
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        problem = "must be given, or conversation_id, or since and until, or agent_id"
        raise InvalidInput(named[1] if named else "memory_ids", "is a second selection" if named else problem)
    if search and memory_ids is None:
        raise InvalidInput("search", "needs memory_ids: the results that were confirmed")
    if memory_ids is not None:
        if not 1 <= len(memory_ids) <= MAX_ERASED_IDS:
            raise InvalidInput("memory_ids", f"must have 1 to {MAX_ERASED_IDS:,} ids")
        ids: list[JsonValue] = [*sorted({str(checked_uuid(one)) for one in memory_ids})]
        return "search" if search else "memory", {"memory_ids": ids}
    if conversation_id is not None:
        check_id(check_line(conversation_id, "conversation_id"), "conversation_id")
        return "conversation", {"conversation_id": conversation_id}
    if agent_id is not None:
        check_id(check_line(agent_id, "agent_id"), "agent_id")
        return "agent", {"agent_id": agent_id}
    begin, end = check_time(since, "since"), check_time(until, "until")
    if begin is None or end is None:
        raise InvalidInput("since" if begin is None else "until", "is missing: a period has both ends")
    if begin >= end:
        raise InvalidInput("until", "must be later than since")
    return "period", {"since": begin.isoformat(), "until": end.isoformat()}


def checked_uuid(value: object) -> UUID:
    """Errors: InvalidInput for anything but a UUID."""
    if not isinstance(value, UUID):
        raise InvalidInput("memory_ids", "must be UUIDs")
    return value
