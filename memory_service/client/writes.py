"""Writes over HTTP: messages, commits and changes of memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from datetime import datetime
from urllib.parse import quote
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, id_text, patch, post, present, waiting_seconds
from memory_service.errors import InvalidInput
from memory_service.requests import IMPORT, LIVE, NewMessage
from memory_service.results import Committed, MemoryItem
from memory_service.validation import check_metadata
from memory_service.vocabulary import MemoryType, ProcedureKind

LANES = {LIVE: "live", IMPORT: "import"}


@dataclass(frozen=True, slots=True)
class Stored:
    """Answer of `messages`."""

    message_ids: tuple[UUID, ...]


class WriteCalls(CallsBase):
    """Methods that store messages and memories."""

    async def add_messages(
        self,
        bank_id: str,
        conversation_id: str,
        messages: Sequence[NewMessage],
        *,
        agent_id: str | None = None,
        lane: int = LIVE,
    ) -> list[UUID]:
        """Store messages of a conversation and queue their intake; returns their ids in order.

        Messages that all have an `id` are sent again under these ids, others under an idempotency key. Errors: as
        `Memory.add_messages`; TryLater for `lane=1` while intake is too far behind.
        """
        if lane not in LANES:
            raise InvalidInput("lane", "must be 0 (live) or 1 (imported)")
        fields = {
            "conversation_id": conversation_id,
            "agent_id": agent_id,
            "lane": LANES[lane],
            "messages": [message_fields(one, f"messages[{place}]") for place, one in enumerate(messages)],
        }
        repeat = "free" if all(one.id is not None for one in messages) else "by key"
        request = post(bank_path(bank_id, "messages"), fields, repeat)
        return list((await self._caller.call(request, Stored)).message_ids)

    async def remember(
        self,
        bank_id: str,
        content: str,
        *,
        type: MemoryType = "episodic",  # noqa: A002 - as Memory.remember
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        importance: float | None = None,
        emotions: Sequence[str] | None = None,
        valence: float | None = None,
        topics: Sequence[str] | None = None,
        entities: Sequence[str] | None = None,
        lesson: str | None = None,
        occurred_at: datetime | None = None,
        recipients: Sequence[str] | None = None,
        idempotency_key: str | None = None,
        agent_id: str | None = None,
        situation: str | None = None,
        steps: Sequence[str] | None = None,
        why: str | None = None,
        kind: ProcedureKind | None = None,
        replaces: UUID | None = None,
        wait_ms: int = 0,
    ) -> Committed:
        """Commit an episode, a fact (`type="semantic"`) or a procedure (`type="procedural"`), without the gate.

        Errors: as `Memory.remember`.
        """
        fields = {
            "content": content, "type": type, "tags": tags, "metadata": checked_metadata(metadata),
            "importance": importance, "emotions": emotions, "valence": valence, "topics": topics, "entities": entities,
            "lesson": lesson, "occurred_at": occurred_at, "recipients": recipients, "idempotency_key": idempotency_key,
            "agent_id": agent_id, "situation": situation, "steps": steps, "why": why, "kind": kind,
            "replaces": None if replaces is None else id_text(replaces, "replaces"), "wait_ms": wait_ms,
        }  # fmt: skip
        path = bank_path(bank_id, "memories")
        return await self._caller.call(
            post(path, fields, "by key", wait_seconds=waiting_seconds(wait_ms, 0.001)), Committed
        )

    async def update(
        self,
        bank_id: str,
        memory_id: UUID,
        *,
        content: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        importance: float | None = None,
        lesson: str | None = None,
        if_match: str | Sequence[str] | None = None,
        actor: str | None = None,
    ) -> MemoryItem:
        """Change a memory; fields that are None stay. Never repeated. Errors: as `Memory.update`."""
        fields = {
            "content": content, "tags": tags, "metadata": checked_metadata(metadata), "importance": importance,
            "lesson": lesson, "actor": actor,
        }  # fmt: skip
        path = bank_path(bank_id, "memories", id_text(memory_id, "memory_id"))
        headers = {} if if_match is None else {"If-Match": if_match_text(if_match)}
        return await self._caller.call(patch(path, fields, headers), MemoryItem)


def message_fields(message: NewMessage, at: str) -> dict[str, object]:
    """The message as JSON; `at` is its place, for the field name in errors. Errors: InvalidInput."""
    fields = present({field.name: getattr(message, field.name) for field in fields_of(message)})
    if message.metadata is not None:
        fields["metadata"] = check_metadata(message.metadata, f"{at}.metadata")
    return fields


def checked_metadata(metadata: Mapping[str, object] | None) -> Mapping[str, object] | None:
    """Metadata as in process: JSON would make keys that are numbers strings. Errors: InvalidInput."""
    return None if metadata is None else check_metadata(metadata)


def if_match_text(if_match: str | Sequence[str]) -> str:
    """ETags as a header. Characters that no ETag of the service has are escaped: such a tag matches nothing."""
    tags = [if_match] if isinstance(if_match, str) else if_match
    return ", ".join(f'"{quote(tag, safe="")}"' for tag in tags)
