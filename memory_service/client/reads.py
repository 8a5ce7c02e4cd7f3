"""Reads over HTTP: recall, context, compaction, lists, traces."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, get, id_text, post, waiting_seconds
from memory_service.results import Change, Context, Decision, MemoryItem, Page, RecallResult, Trace, TraceLine
from memory_service.vocabulary import Arm, DecisionOutcome, MemoryStatus, MemoryType, Mode, Order, Tokenizer


class ReadCalls(CallsBase):
    """Methods that read."""

    async def recall(
        self,
        bank_id: str,
        query: str,
        *,
        k: int = 10,
        mode: Mode = "tool",
        profile: str | None = None,
        types: Sequence[MemoryType] | None = None,
        tags: Sequence[str] | None = None,
        min_importance: float | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        recipient: str | None = None,
        agent: str | None = None,
        emotions: Sequence[str] | None = None,
        valence: float | None = None,
        topics: Sequence[str] | None = None,
        as_of: datetime | None = None,
        min_score: float | None = None,
        by: Sequence[Arm] | None = None,
    ) -> RecallResult:
        """The memories that match a query best, at most `k` (1 to 100), best first. Errors: as `Memory.recall`."""
        fields = {
            "query": query, "k": k, "mode": mode, "profile": profile, "types": types, "tags": tags,
            "min_importance": min_importance, "since": since, "until": until, "recipient": recipient, "agent": agent,
            "emotions": emotions, "valence": valence, "topics": topics, "as_of": as_of, "min_score": min_score,
            "by": by,
            "explain": True,  # `components` of the results
        }  # fmt: skip
        return await self._caller.call(post(bank_path(bank_id, "recall"), fields, "free"), RecallResult)

    async def context(
        self,
        bank_id: str,
        message: str,
        *,
        conversation_id: str | None = None,
        recent_tokens: int | None = None,
        knowledge_tokens: int | None = None,
        profile: str | None = None,
        emotions: Sequence[str] | None = None,
        valence: float | None = None,
        topics: Sequence[str] | None = None,
        tokenizer: Tokenizer = "wordpiece",
        as_of: datetime | None = None,
        min_score: float | None = None,
    ) -> Context:
        """A text to put before the model with a user's message, within two token budgets. Errors: as
        `Memory.context`."""
        fields = {
            "message": message, "conversation_id": conversation_id, "recent_tokens": recent_tokens,
            "knowledge_tokens": knowledge_tokens, "profile": profile, "emotions": emotions, "valence": valence,
            "topics": topics, "tokenizer": tokenizer, "as_of": as_of, "min_score": min_score,
        }  # fmt: skip
        return await self._caller.call(post(bank_path(bank_id, "context"), fields, "free"), Context)

    async def compact(
        self,
        bank_id: str,
        recipient: str,
        purpose: str,
        *,
        max_tokens: int | None = None,
        tokenizer: Tokenizer = "wordpiece",
        as_of: datetime | None = None,
    ) -> Context:
        """The most important memories for a message to one recipient, within one token budget. Errors: as
        `Memory.compact`."""
        fields = {
            "recipient": recipient, "purpose": purpose, "max_tokens": max_tokens, "tokenizer": tokenizer,
            "as_of": as_of,
        }  # fmt: skip
        return await self._caller.call(post(bank_path(bank_id, "compact"), fields, "free"), Context)

    async def get_memory(self, bank_id: str, memory_id: UUID) -> MemoryItem:
        """One memory, whatever its status. Errors: NotFound."""
        path = bank_path(bank_id, "memories", id_text(memory_id, "memory_id"))
        return await self._caller.call(get(path), MemoryItem)

    async def list_memories(
        self,
        bank_id: str,
        *,
        type: MemoryType | None = None,  # noqa: A002 - as Memory.list_memories
        tags: Sequence[str] | None = None,
        min_importance: float | None = None,
        status: MemoryStatus | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent: str | None = None,
        recipient: str | None = None,
        order: Order = "recency",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]:
        """Memories newest first, or with `order="importance"` the most important first. Errors: InvalidInput."""
        request = get(
            bank_path(bank_id, "memories"),
            {
                "type": type, "tag": tags, "min_importance": min_importance, "status": status, "since": since,
                "until": until, "agent": agent, "recipient": recipient, "order": order, "limit": limit,
                "cursor": cursor,
            },
        )  # fmt: skip
        return await self._caller.call(request, Page[MemoryItem])

    async def list_decisions(
        self,
        bank_id: str,
        *,
        outcome: DecisionOutcome | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Decision]:
        """Gate decisions with their reasons, newest first; all, or those of one outcome. Errors: InvalidInput."""
        request = get(bank_path(bank_id, "decisions"), {"outcome": outcome, "limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[Decision])

    async def list_changes(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None, wait_seconds: float = 0
    ) -> Page[Change]:
        """What happened to the memories of a bank, oldest first, each event once.

        Without events after `cursor` the call waits for one, at most `wait_seconds` (0 to 30).
        """
        path = bank_path(bank_id, "changes")
        query = {"limit": limit, "cursor": cursor, "wait_seconds": wait_seconds}
        request = get(path, query, waiting_seconds(wait_seconds))
        return await self._caller.call(request, Page[Change])

    async def get_trace(self, bank_id: str, trace_id: UUID) -> Trace:
        """The record of one read: every candidate, the parts of its score, the reason that it was dropped. Errors:
        NotFound."""
        path = bank_path(bank_id, "traces", id_text(trace_id, "trace_id"))
        return await self._caller.call(get(path), Trace)

    async def list_traces(
        self, bank_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[TraceLine]:
        """Reads of this bank, newest first."""
        request = get(bank_path(bank_id, "traces"), {"limit": limit, "cursor": cursor})
        return await self._caller.call(request, Page[TraceLine])
