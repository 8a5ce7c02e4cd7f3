"""Consolidation: episodes with their vectors, their clusters, and what becomes of a group of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.models.interface import Vectors
from memory_service.store.database import Database, Row

NO_VECTOR: Vectors = np.empty(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Unclustered:
    """What is to be clustered, and what it may join: one row of `vectors` for each memory."""

    memory_ids: Sequence[UUID]
    cluster_ids: Sequence[UUID | None]
    """Null where it has none; those of `fresh` ones are."""
    fresh: Sequence[bool]
    """False: consolidated before, shown for what is near it."""
    vectors: Vectors
    occurred_at: Sequence[datetime]


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """An episode as the night sees it; memory_api.unconsolidated_episodes says what the flags mean."""

    memory_id: UUID
    cluster_id: UUID | None
    occurred_at: datetime
    since: datetime
    content: str
    """Of a memory that stands for many nearly equal ones: what each of them says."""
    importance: float
    represents: int
    merged: tuple[UUID, ...]
    active: bool
    pending: bool
    mundane: bool
    summarizes: str | None
    extracted_by: str | None
    consolidated_at: datetime | None
    vector: Vectors
    """float32 of 768, of unit length; empty where nothing of its cluster is compressed."""


@dataclass(frozen=True, slots=True)
class Folding:
    """How much of a cluster is compressed."""

    few: int
    """Where there are so many, they are, once nothing of the cluster is recent; until then,"""
    piece: int
    """where there are so many,"""
    characters: int
    """or those that there are have so many."""
    alike: bool
    """Or a few, whatever else there is: nearly equal ones become one."""
    shown: int
    """So many that were consolidated before are shown with new ones."""


class Consolidation:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def unclustered(self, bank_id: str, model_id: str, most: int, at: datetime) -> Unclustered | None:
        """None where nothing new has come since the bank was clustered."""
        rows = await self._database.rows(
            "select * from memory_api.unclustered_episodes($1, $2, $3, $4)", bank_id, model_id, most, at
        )
        if not rows:
            return None
        return Unclustered(
            [row["memory_id"] for row in rows],
            [row["cluster_id"] for row in rows],
            [row["fresh"] for row in rows],
            units([row["embedding"] for row in rows]),
            [row["occurred_at"] for row in rows],
        )

    async def assign(self, bank_id: str, clusters: Mapping[UUID, UUID | None], at: datetime) -> bool:
        """Write down each episode's cluster, None for those that wait. False: something changed since they were
        read, and nothing was written."""
        return await self._database.value(
            "select memory_api.assign_clusters($1, $2, $3, $4)",
            bank_id,
            list(clusters),
            list(clusters.values()),
            at,
        )

    async def unconsolidated(
        self,
        bank_id: str,
        model_id: str,
        old: datetime,
        folding: Folding,
        at: datetime,
        planned: Mapping[UUID, UUID | None] | None = None,
    ) -> list[Episode]:
        """What the night has to do in this bank, by cluster and time; those without a cluster last. Where nothing
        waits, only clusters of which enough may be compressed."""
        thought = {memory_id: cluster for memory_id, cluster in (planned or {}).items() if cluster}
        rows = await self._database.rows(
            "select * from memory_api.unconsolidated_episodes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            bank_id,
            model_id,
            old,
            folding.few,
            folding.piece,
            folding.characters,
            folding.shown,
            folding.alike,
            list(thought),
            list(thought.values()),
            at,
        )
        return [to_episode(row) for row in rows]

    async def in_vain(self, bank_id: str, episodes: Sequence[UUID], most: int) -> bool:
        """A model did not answer what these come to, asked about them alone; whether this was the `most`-th time."""
        return await self._database.value(
            "select memory_api.count_failed_attempt($1, 'consolidate', $2, $3, $4)",
            bank_id,
            list(episodes),
            ["asked"] * len(episodes),
            most,
        )

    async def consolidate(
        self,
        bank_id: str,
        model_id: str,
        pending: Sequence[UUID],
        facts: Sequence[Mapping[str, Any]],
        fact_vectors: Sequence[Vectors],
        folded: Sequence[UUID],
        old: datetime,
        summary: Mapping[str, Any] | None,
        summary_vectors: Sequence[Vectors],
        at: datetime,
    ) -> int | None:
        """Write what a group came to, whole; how many statements were new. None: something changed since it was read,
        and nothing was written.

        `facts` as Statements.upsert takes them, with extracted_by; `summary` as memory_api.write_summary says.
        """
        return await self._database.value(
            "select memory_api.consolidate_episodes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            bank_id,
            model_id,
            list(pending),
            list(facts),
            [HalfVector(vector) for vector in fact_vectors],
            list(folded),
            old,
            None if summary is None else dict(summary),
            [HalfVector(vector) for vector in summary_vectors],
            at,
        )


def to_episode(row: Row) -> Episode:
    values: dict[str, Any] = {name: row[name] for name in Episode.__dataclass_fields__ if name != "vector"}
    values["merged"] = tuple(values["merged"])
    embedding = row["embedding"]
    return Episode(**values, vector=NO_VECTOR if embedding is None else units([embedding])[0])


def units(embeddings: Sequence[HalfVector]) -> Vectors:
    """float32 of unit length, one row each: the mean of several parts is shorter."""
    vectors = np.stack([embedding.to_numpy() for embedding in embeddings]).astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
