"""Messages: acknowledgement, segmentation, and the messages of segments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory_service.store.area import Area
from memory_service.store.work import Claim
from memory_service.types import Intake, Segment, Utterance


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message ready to be written: redacted, with its id."""

    message_id: UUID
    role: str
    content: str
    name: str | None = None
    client_id: str | None = None
    occurred_at: datetime | None = None
    metadata: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment with the agent and the metadata of its messages."""

    segment: Segment
    agent_id: str | None
    metadata: dict[str, Any]


class Messages(Area):
    async def add(
        self,
        bank_id: str,
        conversation_id: str,
        agent_id: str | None,
        messages: Sequence[StoredMessage],
        lane: int,
    ) -> list[UUID]:
        """The messages' ids, in order; for a known client id the id of the stored message.

        Errors: NotFound (the bank), Conflict (a known client id with other content; nothing is stored).
        """
        if len(messages) == 1:  # the live case: scalars are faster than arrays
            message = messages[0]
            message_id = await self._database.value(
                "memory_api.add_message",
                bank=bank_id,
                conversation=conversation_id,
                agent=agent_id,
                lane=lane,
                id=message.message_id,
                client_id=message.client_id,
                role=message.role,
                name=message.name,
                content=message.content,
                occurred=message.occurred_at,
                metadata=json.dumps(message.metadata) if message.metadata else None,
                urgent=True,
            )
            return [message_id]
        return await self._database.value(
            "memory_api.add_messages",
            bank=bank_id,
            conversation=conversation_id,
            agent=agent_id,
            lane=lane,
            ids=[m.message_id for m in messages],
            client_ids=[m.client_id for m in messages],
            roles=[m.role for m in messages],
            names=[m.name for m in messages],
            contents=[m.content for m in messages],
            occurred=[m.occurred_at for m in messages],
            metadata=[json.dumps(m.metadata) if m.metadata else None for m in messages],
            urgent=True,
        )

    async def end_import(self, bank_id: str, conversation_ids: Sequence[str]) -> None:
        """Close the last exchange of each of these conversations now."""
        await self._database.value("memory_api.end_import", bank=bank_id, conversations=conversation_ids)

    async def segment(self, claim: Claim, quiet: timedelta, default_intake: Intake) -> int | None:
        """Divide the conversation's new messages into segments; how many, None where the lease was lost."""
        return await self._database.value(
            "memory_api.segment_conversation",
            bank=claim.bank_id,
            conversation=claim.subject,
            token=claim.token,
            lane=claim.lane,
            quiet=quiet,
            default_intake=default_intake,
        )

    async def read_segments(
        self, bank_id: str, segment_ids: Sequence[UUID], context_size: int
    ) -> dict[UUID, StoredSegment]:
        """The segments by id, each with up to `context_size` earlier messages."""
        rows = await self._database.rows(
            "memory_api.read_segments", bank=bank_id, segments=segment_ids, context_size=context_size
        )
        own: dict[UUID, list[Utterance]] = {}
        before: dict[UUID, list[Utterance]] = {}
        agents: dict[UUID, str | None] = {}
        metadata: dict[UUID, list[dict[str, Any]]] = {}
        for row in rows:
            segment_id = row["segment_id"]
            utterance = Utterance(
                row["message_id"], row["role"], row["content"], row["name"], row["occurred_at"]
            )
            (own if row["in_segment"] else before).setdefault(segment_id, []).append(utterance)
            if row["in_segment"]:
                agents[segment_id] = row["agent_id"]
                metadata.setdefault(segment_id, []).append(row["metadata"])
        return {
            segment_id: StoredSegment(
                Segment(segment_id, tuple(utterances), tuple(before.get(segment_id, ()))),
                agents[segment_id],
                joined_metadata(metadata[segment_id]),
            )
            for segment_id, utterances in own.items()
        }


def joined_metadata(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The metadata of several messages as one: keys with one value keep it, others get a list."""
    values: dict[str, list[Any]] = {}
    for part in parts:
        for key, value in part.items():
            known = values.setdefault(key, [])
            if value not in known:
                known.append(value)
    return {key: known[0] if len(known) == 1 else known for key, known in values.items()}
