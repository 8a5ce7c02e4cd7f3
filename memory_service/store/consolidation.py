"""Consolidation: episodes with their vectors, clusters, and the facts and summary of a group of episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector  # type: ignore[import-untyped]

from memory_service.models.interface import Vectors
from memory_service.store.area import Area
from memory_service.store.database import Row
from memory_service.store.records import record

NO_VECTOR: Vectors = np.empty(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Unclustered:
    """Episodes to cluster, and consolidated ones that they may join: one row of `vectors` each."""

    memory_ids: Sequence[UUID]
    cluster_ids: Sequence[UUID | None]
    """None: in no cluster, as all `fresh` ones."""
    fresh: Sequence[bool]
    """False: consolidated before."""
    vectors: Vectors
    occurred_at: Sequence[datetime]


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """A row of memory_api.unconsolidated_episodes, which defines the flags."""

    memory_id: UUID
    cluster_id: UUID | None
    occurred_at: datetime
    since: datetime
    content: str
    """The common text, of a memory that represents many nearly equal ones."""
    importance: float
    represents: int
    merged: tuple[UUID, ...]
    active: bool
    pending: bool
    mundane: bool
    summarizes: str | None
    extracted_by: str | None
    consolidated_at: datetime | None
    version: int
    vector: Vectors
    """float32 of 768, of unit length; empty where no episode of its cluster is to be compressed."""


@dataclass(frozen=True, slots=True)
class CompressionLimits:
    """Which clusters are compressed."""

    min_settled: int
    """At least this many old episodes, in a cluster without recent ones."""
    min_old: int
    """At least this many old episodes, in a cluster with recent ones."""
    min_characters: int
    """Or this many characters in fewer old episodes."""
    near_equal: bool
    """Compress two or more nearly equal episodes, whatever the cluster's size."""
    context: int
    """Episodes consolidated before that are returned with new ones."""


class Consolidation(Area):
    async def unclustered(self, bank_id: str, model_id: str, most: int, at: datetime) -> Unclustered | None:
        """None where no episode is new since the bank was clustered."""
        rows = await self._database.rows(
            "memory_api.unclustered_episodes", bank=bank_id, model=model_id, most=most, at=at
        )
        if not rows:
            return None
        return Unclustered(
            [row["memory_id"] for row in rows],
            [row["cluster_id"] for row in rows],
            [row["fresh"] for row in rows],
            unit_vectors([row["embedding"] for row in rows]),
            [row["occurred_at"] for row in rows],
        )

    async def assign(self, bank_id: str, clusters: Mapping[UUID, UUID | None], at: datetime) -> bool:
        """Write the cluster of each episode, None for those in none. False, and nothing is written, where one of them
        changed since it was read."""
        return await self._database.value(
            "memory_api.assign_clusters",
            bank=bank_id,
            memories=list(clusters),
            clusters=list(clusters.values()),
            at=at,
        )

    async def unconsolidated(
        self,
        bank_id: str,
        model_id: str,
        old: datetime,
        limits: CompressionLimits,
        at: datetime,
        planned: Mapping[UUID, UUID | None] | None = None,
    ) -> list[Episode]:
        """Episodes to consolidate, by cluster and time, those without a cluster last. Where none is pending, only those
        of clusters that may be compressed.

        `planned` are clusters that a dry run did not write.
        """
        clusters = {memory_id: cluster for memory_id, cluster in (planned or {}).items() if cluster}
        rows = await self._database.rows(
            "memory_api.unconsolidated_episodes",
            bank=bank_id,
            model=model_id,
            older_than=old,
            min_episodes=limits.min_settled,
            enough_episodes=limits.min_old,
            characters=limits.min_characters,
            context_episodes=limits.context,
            merges_similar=limits.near_equal,
            memories=list(clusters),
            clusters=list(clusters.values()),
            at=at,
        )
        return [to_episode(row) for row in rows]

    async def count_failed_attempt(self, bank_id: str, episodes: Sequence[UUID], most: int) -> bool:
        """Count a failed model call about these episodes alone; whether it was the `most`-th."""
        return await self._database.value(
            "memory_api.count_failed_attempt",
            bank=bank_id,
            pass_="consolidate",  # noqa: S106 - the name of a pass
            memories=episodes,
            states=["asked"] * len(episodes),
            most=most,
        )

    async def consolidate(
        self,
        bank_id: str,
        model_id: str,
        pending: Sequence[UUID],
        facts: Sequence[Mapping[str, Any]],
        fact_vectors: Sequence[Vectors],
        compressed: Sequence[UUID],
        old: datetime,
        summary: Mapping[str, Any] | None,
        summary_vectors: Sequence[Vectors],
        at: datetime,
        versions: Mapping[UUID, int],
        default_intake: str,
    ) -> int | None:
        """Write the facts and the summary of a group of episodes; how many facts were new.

        None, and nothing is written, where an episode changed since it was read.

        `facts` as for Statements.upsert, with extracted_by; `summary` as memory_internal.write_summary takes it;
        `versions`: those of the episodes as read.
        """
        return await self._database.value(
            "memory_api.consolidate_episodes",
            bank=bank_id,
            model=model_id,
            pending=pending,
            facts=facts,
            embeddings=[HalfVector(vector) for vector in fact_vectors],
            compressed=compressed,
            older_than=old,
            wording=summary,
            parts=[HalfVector(vector) for vector in summary_vectors],
            at=at,
            versions={str(memory_id): version for memory_id, version in versions.items()},
            default_intake=default_intake,
        )


def to_episode(row: Row) -> Episode:
    embedding = row["embedding"]
    return record(Episode, row, vector=NO_VECTOR if embedding is None else unit_vectors([embedding])[0])


def unit_vectors(embeddings: Sequence[HalfVector]) -> Vectors:
    """float32 of unit length, one row each: the mean of several parts is shorter."""
    vectors = np.stack([embedding.to_numpy() for embedding in embeddings]).astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
