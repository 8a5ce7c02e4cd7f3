"""Messages: acknowledged in one statement, cut into segments, read back as segments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory_service.store.database import Database
from memory_service.store.work import Claim
from memory_service.types import Intake, Segment, Utterance

UNDECIDED_LINES = 40
EPISODE_LINES = 20
REFUSED_LINES = 6
"""How far RECENT looks back: the last six messages are what S4's loop reads, too."""


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
    """A segment with what its episode takes over from the messages."""

    segment: Segment
    agent_id: str | None
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecentMemory:
    """What a context shows whatever is asked: a message not yet remembered, a recent important episode, a question."""

    kind: str
    id: UUID
    role: str | None
    name: str | None
    content: str
    occurred_at: datetime
    source: str | None
    facts: tuple[UUID, ...] = ()
    """The two that a question is about."""
    memory_id: UUID | None = None
    """The episode that is shown, or that the message became."""


class Messages:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
        bank_id: str,
        conversation_id: str,
        agent_id: str | None,
        messages: Sequence[StoredMessage],
        lane: int,
    ) -> list[UUID]:
        """The messages' ids, in order; of those whose client id was known, the ids they have.

        Errors: NotFound (the bank), Conflict (a known client id with other content; nothing is stored).
        """
        if len(messages) == 1:  # what a person waits for: no arrays to take apart
            one = messages[0]
            answer = await self._database.value(
                "select memory_api.add_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
                bank_id,
                conversation_id,
                agent_id,
                lane,
                one.message_id,
                one.client_id,
                one.role,
                one.name,
                one.content,
                one.occurred_at,
                json.dumps(one.metadata) if one.metadata else None,
                urgent=True,
            )
            return [answer]
        return await self._database.value(
            "select memory_api.add_messages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            bank_id,
            conversation_id,
            agent_id,
            lane,
            [m.message_id for m in messages],
            [m.client_id for m in messages],
            [m.role for m in messages],
            [m.name for m in messages],
            [m.content for m in messages],
            [m.occurred_at for m in messages],
            [json.dumps(m.metadata) if m.metadata else None for m in messages],
            urgent=True,
        )

    async def end_import(self, bank_id: str, conversation_ids: Sequence[str]) -> None:
        """Close the last exchanges of these conversations now."""
        await self._database.value("select memory_api.end_import($1, $2)", bank_id, list(conversation_ids))

    async def cut(self, claim: Claim, quiet: timedelta, default_intake: Intake) -> int | None:
        """How many segments were cut; None where the lease was lost."""
        return await self._database.value(
            "select memory_api.segment_conversation($1, $2, $3, $4, $5, $6)",
            claim.bank_id,
            claim.subject,
            claim.token,
            claim.lane,
            quiet,
            default_intake,
        )

    async def read_segments(
        self, bank_id: str, segment_ids: Sequence[UUID], context_size: int
    ) -> dict[UUID, StoredSegment]:
        """The segments by id, each with up to `context_size` earlier messages."""
        rows = await self._database.rows(
            "select * from memory_api.read_segments($1, $2, $3)", bank_id, list(segment_ids), context_size
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
                united(metadata[segment_id]),
            )
            for segment_id, utterances in own.items()
        }

    async def recent(
        self,
        bank_id: str,
        conversation_id: str | None,
        valence: float | None,
        apart: float,
        as_of: datetime | None,
    ) -> list[RecentMemory]:
        """What may stand in RECENT, best first: undecided messages, important episodes, the last refused ones; and at
        most one question that waits for the user, last. No episode more than `apart` from this `valence`."""
        rows = await self._database.rows(
            "select * from memory_api.recent_memory($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, now()))",
            bank_id,
            conversation_id,
            UNDECIDED_LINES,
            EPISODE_LINES,
            REFUSED_LINES,
            valence,
            apart,
            as_of is not None,
            as_of,
        )
        return [
            RecentMemory(
                r["kind"],
                r["id"],
                r["role"],
                r["name"],
                r["content"],
                r["occurred_at"],
                r["source"],
                tuple(r["facts"] or ()),
                r["memory_id"],
            )
            for r in rows
        ]


def united(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The metadata of several messages as one: a value that all share stays itself, others become a list."""
    values: dict[str, list[Any]] = {}
    for part in parts:
        for key, value in part.items():
            held = values.setdefault(key, [])
            if value not in held:
                held.append(value)
    return {key: held[0] if len(held) == 1 else held for key, held in values.items()}
