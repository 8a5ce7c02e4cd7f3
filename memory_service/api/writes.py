"""Writes: messages and explicit commits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, cast
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.api.base import MemoryBase
from memory_service.api.bound import implements
from memory_service.errors import InvalidInput, Refused
from memory_service.intake.commit import (
    check_id,
    checked_change,
    committed_episode,
    committed_fact,
    committed_procedure,
    redacted_json,
)
from memory_service.intake.json_strings import strings_in
from memory_service.methods import MemoryMethods as M
from memory_service.redaction import redact
from memory_service.requests import IMPORT, MAX_CHARS, MemoryChange, NewMemory, NewMessage
from memory_service.results import Committed, MemoryItem
from memory_service.spans import RECORD_COUNT, RECORD_ID, memory_span
from memory_service.store.messages import StoredMessage
from memory_service.store.work import Kind
from memory_service.validation import (
    MAX_MESSAGES,
    check_bank_id,
    check_count,
    check_line,
    check_optional_line,
    check_text,
)
from memory_service.vocabulary import MemoryStatus

T = TypeVar("T")
CommitState = Callable[[str, UUID], Awaitable[tuple[MemoryStatus, bool]]]
"""Reads a memory's status and whether processing has finished, by bank and id."""

MAX_WAIT_MS = 60_000
FIRST_PAUSE_SECONDS = 0.004
LONGEST_PAUSE_SECONDS = 0.25
"""Between two reads of a commit's state; a read takes 0.4 ms."""
BUILDERS = {"episodic": committed_episode, "semantic": committed_fact, "procedural": committed_procedure}
FIRST_WORK: dict[str, Kind] = {"episodic": "annotate", "semantic": "facts", "procedural": "procedures"}
"""By memory type: the kind of work that a commit enqueues."""
LONG_CHARS = 4_000
"""Calls with more text are redacted in a thread, which costs 0.1 ms. Hostile text takes 5 µs a character: at most 20 ms
on the event loop."""


class WriteMethods(MemoryBase):
    """Methods of `Memory` that store messages and memories."""

    @implements(M.add_messages)
    async def add_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        agent_id: str | None,
        lane: int,
    ) -> list[UUID]:
        check_source(bank_id, conversation_id, agent_id)
        if not messages:
            raise InvalidInput("messages", "must not be empty")
        if len(messages) > MAX_MESSAGES:
            raise InvalidInput(
                "messages", f"has {len(messages)} entries; at most {MAX_MESSAGES} are accepted"
            )
        stored = await redacted_messages(messages)
        with memory_span("create_memory", bank_id, "messages") as span:
            ids = await self.store.messages.add(bank_id, conversation_id, agent_id, stored, lane)
            span.set_attribute(RECORD_COUNT, len(ids))
        self.store.notifications.notify("segment", bank_id)
        return ids

    async def import_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        *,
        agent_id: str | None = None,
    ) -> None:
        """Store any number of messages of an imported conversation in one transaction, all or none.

        Secrets are redacted before the transaction begins. Errors: as add_messages.
        """
        check_source(bank_id, conversation_id, agent_id)
        batches = [
            await redacted_messages(messages[start : start + MAX_MESSAGES])
            for start in range(0, len(messages), MAX_MESSAGES)
        ]

        async def add() -> None:
            for stored in batches:
                await self.store.messages.add(bank_id, conversation_id, agent_id, stored, IMPORT)

        with memory_span("create_memory", bank_id, "messages") as span:
            await self.store.database.in_transaction(add, bank=bank_id)
            span.set_attribute(RECORD_COUNT, len(messages))
        self.store.notifications.notify("segment", bank_id)

    async def end_import(self, bank_id: str, conversation_ids: Sequence[str]) -> None:
        """Close the last exchange of imported conversations now, instead of after the bank's pause."""
        await self.store.messages.end_import(check_bank_id(bank_id), conversation_ids)
        self.store.notifications.notify("segment", bank_id)

    @implements(M.remember)
    async def remember(self, bank_id: str, memory: NewMemory, wait_ms: int) -> Committed:
        check_count(wait_ms, "wait_ms", 0, MAX_WAIT_MS)
        check_id(memory.idempotency_key, "idempotency_key")
        check_id(memory.agent_id, "agent_id")
        build = BUILDERS[memory.type]
        texts = (memory.content, memory.lesson, memory.tags, memory.topics, memory.entities, memory.recipients,
                 memory.metadata, memory.situation, memory.steps, memory.why)  # fmt: skip
        decision, record = await in_thread_if_long(lambda: build(memory), texts)
        if record is None:
            await self.store.episodes.refuse(bank_id, decision)
            raise Refused("content", f"refused: {decision['reason']}")
        with memory_span("create_memory", bank_id, "remember") as span:
            if memory.type == "semantic":
                committed = await self.store.facts.commit(bank_id, decision, record)
            elif memory.type == "procedural":
                committed = await self.store.procedures.commit(bank_id, decision, record)
            else:
                committed = await self.store.episodes.commit(bank_id, decision, record)
            span.set_attribute(RECORD_ID, str(committed.memory_id))
        self.store.notifications.notify(FIRST_WORK[memory.type], bank_id)
        return await self.wait_until_recallable(bank_id, committed, wait_ms=wait_ms) if wait_ms else committed

    @implements(M.update)
    async def update(
        self,
        bank_id: str,
        memory_id: UUID,
        change: MemoryChange,
        if_match: str | Sequence[str] | None,
        actor: str,
    ) -> MemoryItem:
        expected = [if_match] if isinstance(if_match, str) else if_match
        if change.content is not None:
            kind = (await self.store.episodes.read(bank_id, memory_id)).type
            check_text(change.content, "content", MAX_CHARS[kind])
        texts = (change.content, change.lesson, change.tags, change.metadata)
        checked = await in_thread_if_long(lambda: checked_change(change), texts)
        if checked.refused is not None:
            await self.store.episodes.refuse(bank_id, checked.decision)
            raise InvalidInput(checked.refused, f"refused: {checked.decision['reason']}")
        with memory_span("update_memory", bank_id, "update") as span:
            span.set_attribute(RECORD_ID, str(memory_id))
            item = await self.store.episodes.update(
                bank_id, memory_id, checked.changes, actor, expected, checked.decision
            )
        if change.content is not None:
            self.store.notifications.notify(FIRST_WORK[item.type], bank_id)
        return item

    async def wait_until_recallable(self, bank_id: str, committed: Committed, *, wait_ms: int) -> Committed:
        """Wait up to `wait_ms` until a commit can be recalled; returns it with its status then.

        Errors: NotFound; InvalidInput naming wait_ms.
        """
        check_count(wait_ms, "wait_ms", 0, MAX_WAIT_MS)
        return await wait_until_processed(
            check_bank_id(bank_id), committed, wait_ms / 1000, self._commit_state
        )

    async def _commit_state(self, bank_id: str, memory_id: UUID) -> tuple[MemoryStatus, bool]:
        item = await self.store.episodes.read(bank_id, memory_id)
        if item.type == "semantic":
            return await self.store.facts.state(bank_id, memory_id)
        return item.status, item.status != "pending_embedding"


async def wait_until_processed(
    bank_id: str, committed: Committed, seconds: float, state: CommitState
) -> Committed:
    """Poll until processing has finished or the time is over; returns the commit with its status then."""
    started = time.monotonic()
    while True:
        status, processed = await state(bank_id, committed.memory_id)
        waited = time.monotonic() - started
        if processed or waited >= seconds:
            return Committed(committed.memory_id, status, committed.created)
        await asyncio.sleep(min(pause_after(waited), seconds - waited))


async def in_thread_if_long(function: Callable[[], T], texts: object) -> T:
    """Call the function, in a thread where the strings in `texts` have more than LONG_CHARS together."""
    if sum(map(len, strings_in(texts))) > LONG_CHARS:
        return await asyncio.to_thread(function)
    return function()


def pause_after(waited: float) -> float:
    """Seconds until a commit's state is read again: adds at most a fifth to the time waited."""
    return min(max(FIRST_PAUSE_SECONDS, waited / 5), LONGEST_PAUSE_SECONDS)


def check_source(bank_id: str, conversation_id: str, agent_id: str | None) -> None:
    """Check the ids of a call that stores messages. Errors: InvalidInput naming the field."""
    check_bank_id(bank_id)
    check_id(check_line(conversation_id, "conversation_id"), "conversation_id")
    check_id(check_optional_line(agent_id, "agent_id"), "agent_id")


async def redacted_messages(messages: Sequence[NewMessage]) -> list[StoredMessage]:
    """As stored_messages, in a thread where the texts are long. Errors: InvalidInput naming the field."""
    for i, message in enumerate(cast("Sequence[object]", messages)):
        if not isinstance(message, NewMessage):
            raise InvalidInput(f"messages[{i}]", f"must be a NewMessage, not a {type(message).__name__}")
        message.checked(f"messages[{i}]")
    texts = [(m.content, m.name, m.id, m.metadata) for m in messages]
    return await in_thread_if_long(lambda: stored_messages(messages), texts)


def stored_messages(messages: Sequence[NewMessage]) -> list[StoredMessage]:
    """Messages as they are written: redacted, with new ids. Errors: InvalidInput for a secret in an id."""
    for i, message in enumerate(messages):
        check_id(message.id, f"messages[{i}].id")
    return [
        StoredMessage(
            uuids.uuid7(),
            message.role,
            redact(message.content).text,
            message.name if message.name is None else redact(message.name).text,
            message.id,
            message.occurred_at,
            redacted_json(message.metadata) if message.metadata else None,
        )
        for message in messages
    ]
