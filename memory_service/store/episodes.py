"""Episodes: gate decisions, commits, annotation, activation, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.cursors import ChangePlace, DecisionPlace, MemoryPlace
from memory_service.models.interface import VECTOR_DIMENSIONS, Vectors
from memory_service.results import Change, Committed, Decision, MapPoint, MemoryItem, TimelineEntry
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.records import record
from memory_service.store.work import Claim

Json = Mapping[str, Any]

NO_MEMORY = "memory_id: there is no such memory in this bank"


@dataclass(frozen=True, slots=True)
class PendingText:
    """The texts of an episode to embed, and their model."""

    memory_id: UUID
    text: str
    model_id: str
    reply: str | None = None
    """The extract of the assistant's reply."""
    waited_seconds: float | None = None
    """Since it was acknowledged; None where it is not new."""


@dataclass(frozen=True, slots=True)
class PendingCommit:
    """A committed episode with fields to extract."""

    memory_id: UUID
    content: str
    agent_id: str | None
    occurred_at: datetime
    given: dict[str, Any]
    """The fields that the caller gave."""
    released: bool
    """Released from quarantine: not to be quarantined again."""
    author: str | None
    """The person whose messages the former content was made of, of changed content."""


class Episodes(Area):
    async def decide(self, bank_id: str, rulings: Sequence[Json]) -> int:
        """Write gate decisions and complete their work items; how many, as those whose lease was lost are skipped.

        Each is {segment, token, decision, episode | None, replies}.
        """
        written = await self._database.value("memory_api.decide_segments", bank=bank_id, decisions=rulings)
        for ruling in rulings if written else ():
            self._database.counts.count_decision(ruling["decision"])
        return written

    async def commit(self, bank_id: str, decision: Json, episode: Json) -> Committed:
        """Write a committed episode. Errors: NotFound, Conflict (the idempotency key)."""
        return await self._commit("memory_api.commit_memory", bank_id, decision, episode=episode)

    async def refuse(self, bank_id: str, decision: Json) -> None:
        """Write the gate decision of a refused commit."""
        await self._database.value("memory_api.refuse_memory", bank=bank_id, decision=decision)
        self._database.counts.count_decision(decision)

    async def read_commits(self, bank_id: str, memory_ids: Sequence[UUID]) -> list[PendingCommit]:
        rows = await self._database.rows("memory_api.read_commits", bank=bank_id, memories=memory_ids)
        return [
            record(
                PendingCommit,
                row,
                content=row["summary"],
                released=row["released_at"] is not None,
                author=row["full_text"].get("author"),
            )
            for row in rows
        ]

    async def annotate(self, claim: Claim, fields: Json, to_status: str, reason: str) -> bool:
        """Write extracted fields of a committed episode. False: the lease was lost."""
        return await self._database.value(
            "memory_api.annotate_memory",
            bank=claim.bank_id,
            memory=UUID(claim.subject),
            token=claim.token,
            lane=claim.lane,
            fields=fields,
            to_status=to_status,
            reason=reason,
        )

    async def read_pending(self, bank_id: str, memory_ids: Sequence[UUID]) -> list[PendingText]:
        return await self._records(
            PendingText, "memory_api.read_pending_embedding", bank=bank_id, memories=memory_ids
        )

    async def activate(
        self,
        bank_id: str,
        model_id: str,
        claims: Sequence[Claim],
        parts: Sequence[tuple[UUID, int]],
        vectors: Vectors,
        *,
        merges: bool,
        links: bool,
        default_intake: str,
    ) -> int:
        """Write the vectors (one row of `vectors` per part) and activate the episodes; how many."""
        return await self._database.value(
            "memory_api.activate_episodes",
            bank=bank_id,
            model=model_id,
            memories=[UUID(c.subject) for c in claims],
            tokens=[c.token for c in claims],
            part_memories=[memory_id for memory_id, _ in parts],
            parts=[part for _, part in parts],
            embeddings=[HalfVector(vector) for vector in vectors],
            merges=merges,
            links=links,
            default_intake=default_intake,
        )

    async def activate_unembedded(self, bank_id: str, claims: Sequence[Claim], default_intake: str) -> int:
        """Activate episodes without vectors; how many. Their work items stay, for the vectors."""
        return await self._database.value(
            "memory_api.activate_unembedded",
            bank=bank_id,
            memories=[UUID(c.subject) for c in claims],
            tokens=[c.token for c in claims],
            default_intake=default_intake,
        )

    async def list(
        self,
        bank_id: str,
        limit: int,
        after: MemoryPlace | None,
        *,
        by_importance: bool = False,
        types: Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        min_importance: float | None = None,
        statuses: Sequence[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        agent: str | None = None,
        recipient: str | None = None,
    ) -> list[MemoryItem]:
        """Memories by time, newest first, or by stored importance, highest first; after the given place.

        Errors: NotFound.
        """
        return await self._records(
            MemoryItem,
            "memory_api.list_memories",
            bank=bank_id,
            page=limit,
            after_at=after and after.occurred_at,
            after_id=after and after.memory_id,
            types=types,
            tags=tags,
            min_importance=min_importance,
            statuses=statuses,
            since=since,
            until=until,
            agent=agent,
            recipient=recipient,
            by_importance=by_importance,
            after_importance=after and after.importance,
        )

    async def read(self, bank_id: str, memory_id: UUID) -> MemoryItem:
        """Errors: NotFound."""
        return record(
            MemoryItem, await self._found(NO_MEMORY, "memory_api.read_memory", bank=bank_id, memory=memory_id)
        )

    async def update(
        self,
        bank_id: str,
        memory_id: UUID,
        changes: Json,
        actor: str,
        expected: Sequence[str] | None,
        decision: Json,
    ) -> MemoryItem:
        """Change a memory of any type; the memory then, which for new content of a fact may be a new fact.

        Errors: NotFound; PreconditionFailed where its etag is none of `expected`; Conflict (its status).
        """
        row = await self._found(
            NO_MEMORY,
            "memory_api.update_memory",
            bank=bank_id,
            memory=memory_id,
            changes=changes,
            actor=actor,
            expected=expected,
            decision=decision,
        )
        return record(MemoryItem, row)

    async def release(self, bank_id: str, memory_id: UUID, actor: str) -> MemoryItem:
        """Release a memory from quarantine. Errors: NotFound, Conflict where it is not quarantined."""
        row = await self._found(
            NO_MEMORY,
            "memory_api.release_memory",
            bank=bank_id,
            memory=memory_id,
            actor=actor,
            key=acting()["key"],
        )
        return record(MemoryItem, row)

    async def list_decisions(
        self, bank_id: str, limit: int, after: DecisionPlace | None, outcome: str | None
    ) -> list[Decision]:
        """Gate decisions, newest first, after the given place. Errors: NotFound."""
        return await self._records(
            Decision,
            "memory_api.list_decisions",
            bank=bank_id,
            page=limit,
            after_at=after and after.decided_at,
            after_id=after and after.decision_id,
            only_outcome=outcome,
        )

    async def list_changes(
        self, bank_id: str, limit: int, after: ChangePlace | None
    ) -> list[tuple[ChangePlace, Change]]:
        """Events in order, after the given place, each with its own. Errors: NotFound, InvalidInput (cursor)."""
        place: dict[str, Any] = {} if after is None else {
            "after_cluster": after.cluster, "after_xid": after.xid, "after_id": after.change_id,
        }  # fmt: skip
        rows = await self._database.rows("memory_api.list_changes", bank=bank_id, page=limit, **place)
        return [
            (ChangePlace(row["cluster"], row["xid"], row["change_id"]), record(Change, row)) for row in rows
        ]

    async def list_timeline(self, bank_id: str, limit: int, before: int | None) -> list[TimelineEntry]:
        """Events with the present texts of their memories, newest first, before the given one. Errors: NotFound."""
        return await self._records(
            TimelineEntry, "memory_api.list_timeline", bank=bank_id, page=limit, before_id=before
        )

    async def map_sample(self, bank_id: str, most: int, sample: int) -> Vectors:
        """Vectors of some of the newest active episodes, one row each. Errors: NotFound."""
        rows = await self._database.rows("memory_api.map_sample", bank=bank_id, most=most, sample=sample)
        vectors = [row["map_sample"].to_numpy() for row in rows]
        return np.array(vectors, np.float32).reshape(len(rows), VECTOR_DIMENSIONS)

    async def map_episodes(self, bank_id: str, most: int, axes: Vectors) -> list[MapPoint]:
        """The newest active episodes with their coordinates along two axes. Errors: NotFound."""
        x_axis, y_axis = (HalfVector(axis) for axis in axes)
        return await self._records(
            MapPoint, "memory_api.map_episodes", bank=bank_id, most=most, x_axis=x_axis, y_axis=y_axis
        )
