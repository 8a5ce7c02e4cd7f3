"""Episodes: decided, committed, annotated, embedded, listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.cursors import Place
from memory_service.errors import NotFound
from memory_service.models.interface import Vectors
from memory_service.store.database import Database, Row
from memory_service.store.work import Claim
from memory_service.types import Committed, Decision, MemoryItem

Json = Mapping[str, Any]

LIST_FILTERS = ("types", "tags", "min_importance", "statuses", "since", "until", "agent", "recipient")
NO_MEMORY = "memory_id: there is no such memory in this bank"


@dataclass(frozen=True, slots=True)
class PendingText:
    """The texts of an episode to embed, and the model for them."""

    memory_id: UUID
    text: str
    model_id: str
    reply: str | None = None
    """The extract of the assistant's reply."""


@dataclass(frozen=True, slots=True)
class PendingCommit:
    """A committed episode whose missing fields are to be extracted."""

    memory_id: UUID
    content: str
    agent_id: str | None
    occurred_at: datetime
    given: dict[str, Any]
    released: bool
    """From quarantine, by somebody: not to be held back again."""


class Episodes:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def decide(self, bank_id: str, rulings: Sequence[Json]) -> int:
        """Write what became of segments, {segment, token, decision, episode | None} each, and complete their work.

        How many were still ours; the others' leases were lost.
        """
        return await self._database.value("select memory_api.decide_segments($1, $2)", bank_id, list(rulings))

    async def commit(self, bank_id: str, decision: Json, episode: Json) -> Committed:
        """Write a conscious commit. Errors: NotFound, Conflict (the idempotency key)."""
        row = await self._database.row(
            "select * from memory_api.commit_memory($1, $2, $3)", bank_id, decision, episode, urgent=True
        )
        if row is None:
            raise NotFound
        return Committed(row["memory_id"], row["status"], row["created"])

    async def refuse(self, bank_id: str, decision: Json) -> None:
        """Record that a conscious commit was refused."""
        await self._database.value("select memory_api.refuse_memory($1, $2)", bank_id, decision)

    async def read_commits(self, bank_id: str, memory_ids: Sequence[UUID]) -> list[PendingCommit]:
        rows = await self._database.rows(
            "select * from memory_api.read_commits($1, $2)", bank_id, list(memory_ids)
        )
        return [
            PendingCommit(
                r["memory_id"],
                r["summary"],
                r["agent_id"],
                r["occurred_at"],
                r["given"],
                r["released_at"] is not None,
            )
            for r in rows
        ]

    async def annotate(self, claim: Claim, fields: Json, to_status: str, reason: str) -> bool:
        """Fill what a commit's caller did not give. False: the lease was lost."""
        return await self._database.value(
            "select memory_api.annotate_memory($1, $2, $3, $4, $5, $6, $7)",
            claim.bank_id,
            UUID(claim.subject),
            claim.token,
            claim.lane,
            fields,
            to_status,
            reason,
        )

    async def read_pending(self, bank_id: str, memory_ids: Sequence[UUID]) -> list[PendingText]:
        rows = await self._database.rows(
            "select * from memory_api.read_pending_embedding($1, $2)", bank_id, list(memory_ids)
        )
        return [PendingText(r["memory_id"], r["text"], r["model_id"], r["reply"]) for r in rows]

    async def activate(
        self,
        bank_id: str,
        model_id: str,
        claims: Sequence[Claim],
        parts: Sequence[tuple[UUID, int]],
        vectors: Vectors,
        *,
        merges: bool = True,
        links: bool = True,
    ) -> int:
        """Write the vectors (one row of `vectors` per part) and activate; how many became active."""
        return await self._database.value(
            "select memory_api.activate_episodes($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            bank_id,
            model_id,
            [UUID(c.subject) for c in claims],
            [c.token for c in claims],
            [memory_id for memory_id, _ in parts],
            [part for _, part in parts],
            [HalfVector(vector) for vector in vectors],
            merges,
            links,
        )

    async def activate_unembedded(self, bank_id: str, claims: Sequence[Claim]) -> int:
        """Activate without vectors, which follow later: the work stays. How many became active."""
        return await self._database.value(
            "select memory_api.activate_unembedded($1, $2, $3)",
            bank_id,
            [UUID(c.subject) for c in claims],
            [c.token for c in claims],
        )

    async def list(
        self, bank_id: str, limit: int, after: Place | None, *, by_importance: bool = False, **filters: object
    ) -> list[MemoryItem]:
        """Newest first or most important first, after the given place. Filters: types, tags, min_importance, statuses,
        since, until, agent, recipient. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.list_memories($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            bank_id,
            limit,
            *((after.at, after.memory_id) if after else (None, None)),
            *(filters.get(name) for name in LIST_FILTERS),
            by_importance,
            after.importance if after else None,
        )
        return [to_item(row) for row in rows]

    async def read(self, bank_id: str, memory_id: UUID) -> MemoryItem:
        """Errors: NotFound."""
        row = await self._database.row("select * from memory_api.read_memory($1, $2)", bank_id, memory_id)
        if row is None:
            raise NotFound(NO_MEMORY)
        return to_item(row)

    async def release(self, bank_id: str, memory_id: UUID, actor: str) -> MemoryItem:
        """Let a memory out of quarantine. Errors: NotFound, Conflict where it is not in there."""
        row = await self._database.row(
            "select * from memory_api.release_memory($1, $2, $3)", bank_id, memory_id, actor
        )
        if row is None:
            raise NotFound(NO_MEMORY)
        return to_item(row)

    async def decisions(
        self, bank_id: str, limit: int, after: tuple[datetime, UUID] | None
    ) -> list[Decision]:
        """Newest first, after the given place. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.list_decisions($1, $2, $3, $4)",
            bank_id,
            limit,
            *(after or (None, None)),
        )
        return [
            Decision(
                decision_id=r["decision_id"],
                conversation_id=r["conversation_id"],
                segment_id=r["segment_id"],
                memory_id=r["memory_id"],
                message_ids=tuple(r["message_ids"]),
                client_ids=tuple(r["client_ids"]),
                outcome=r["outcome"],
                reason=r["reason"],
                verdicts=r["verdicts"],
                decided_by=r["decided_by"],
                decided_at=r["decided_at"],
                said=r["said"],
            )
            for r in rows
        ]


LISTS = ("emotions", "topics", "entities", "tags", "recipients", "links")


def to_item(row: Row) -> MemoryItem:
    values: dict[str, Any] = {name: row[name] for name in MemoryItem.__dataclass_fields__}
    values |= {name: tuple(values[name]) for name in LISTS}
    return MemoryItem(**values)
