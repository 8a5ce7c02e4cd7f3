"""Clustering of episodes: HDBSCAN over their vectors, and assignment to existing clusters.

Measured (`make bench-quality`, part consolidation) by pairs of turns that one question needs together:
- Most of the mean of a bank's vectors, the names and the tone of its people, is subtracted first: five times as many
  such pairs share a cluster.
- The time of an episode counts as well as its text (TIME_WEIGHT): such turns are more often of the same weeks than of
  different years.
- Clusters are the leaves of HDBSCAN's tree, with one neighbour for the density: small and dense. Its default, excess of
  mass, puts most of a person's year into one cluster, as connected components by cosine do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

import numpy as np
from numpy.typing import NDArray

from memory_service.models.interface import Vectors
from memory_service.store.consolidation import Unclustered

MIN_CLUSTER_SIZE = 3
MIN_SAMPLES = 1
NOISE = -1
MEAN_SHARE = 0.7
"""Share of the mean of a bank's vectors that is subtracted from each. With all of it a topic of most memories would be
lost."""
TIME_WEIGHT = 0.2
"""Weight of similarity in time; similarity in topic has weight 1."""
WITHIN_DAYS = 30.0
"""Similarity in time is 1 for simultaneous episodes and exp(-1/2) for two that are this many days apart."""
FREQUENCIES = 32
"""Number of random frequencies that approximate similarity in time, with an error of about 0.1."""
JOIN = 0.8
"""Least mean cosine of an episode to a cluster that it joins, as a share of the mean cosine among its members."""
STAY = 0.6
"""The same for a member assigned by HDBSCAN, which also assigns episodes that left a branch before its leaf."""
NEIGHBOURS = 16
"""Most episodes consolidated alone that are clustered again with a new one."""
NAMESPACE = UUID("0b1f6a52-9a3d-5a87-9f0e-6d2f3c1e7a10")
"""Namespace of the ids of clusters, summaries and facts: the same members give the same id in every process."""

Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Position of a cluster."""

    centre: Vectors
    """Mean of the members' unit vectors, not normalized: its dot product with a vector is the mean cosine."""
    cohesion: float
    """Mean cosine between two members."""


def labels_of(vectors: Vectors, spread: Vectors, evidence: float) -> Labels:
    """A cluster number for each unit vector, -1 for noise: HDBSCAN by euclidean distance, which orders unit vectors as
    cosine does. Deterministic.

    Where the mean cosine of `vectors` reaches `evidence`, all are one cluster: without their common topic `spread` is
    noise.
    """
    if len(vectors) < MIN_CLUSTER_SIZE:
        return np.full(len(vectors), NOISE, dtype=np.intp)
    if cohesion(vectors) >= evidence:
        return np.zeros(len(vectors), dtype=np.intp)
    labels = hdbscan_labels(spread)
    for label in range(int(labels.max(initial=NOISE)) + 1):
        (members,) = np.nonzero(labels == label)
        stay = [members[n] for n in cohesive(spread[members])]
        labels[members] = NOISE
        labels[stay] = label
    return labels


def cohesive(members: Vectors) -> list[int]:
    """Indices of the members near enough to the others (STAY), the farthest removed one by one; empty where fewer than
    MIN_CLUSTER_SIZE are left."""
    left = list(range(len(members)))
    while len(left) >= MIN_CLUSTER_SIZE:
        held = members[left]
        mean = (held @ held.sum(axis=0) - 1) / (len(left) - 1)
        farthest = int(mean.argmin())
        if mean[farthest] >= STAY * cohesion(held):
            return left
        del left[farthest]
    return []


def hdbscan_labels(vectors: Vectors) -> Labels:
    import hdbscan  # type: ignore[import-untyped]  # takes a second to import

    clusterer: Any = hdbscan.HDBSCAN(
        min_cluster_size=MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES, metric="euclidean",
        cluster_selection_method="leaf", core_dist_n_jobs=1,
    )  # fmt: skip
    used = vectors[:, : dimensions_of(vectors)].astype(np.float64)
    return np.asarray(clusterer.fit_predict(used), dtype=np.intp)


def dimensions_of(vectors: Vectors) -> int:
    """Dimensions of the model: those beyond are zero in all vectors."""
    (used,) = np.nonzero(vectors.any(axis=0))
    return int(used[-1]) + 1 if len(used) else 1


def cohesion(members: Vectors) -> float:
    """Mean cosine between two members; 1 for fewer than two."""
    count = len(members)
    if count < 2:
        return 1.0
    total = float(np.square(members.sum(axis=0, dtype=np.float64)).sum())
    return (total - count) / (count * (count - 1))


def spread_of(vectors: Vectors) -> Vectors:
    """Unit vectors after subtraction of MEAN_SHARE of the mean."""
    left = vectors - MEAN_SHARE * vectors.mean(axis=0)
    return left / np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-12)


def with_time(spread: Vectors, occurred_at: Sequence[datetime]) -> Vectors:
    """Unit vectors whose dot product combines similarity in topic and, with TIME_WEIGHT, in time, by random Fourier
    features, since clustering takes vectors only. Deterministic."""
    days = np.array([at.timestamp() / 86_400 for at in occurred_at])
    frequencies = np.random.default_rng(7).standard_normal(FREQUENCIES) / WITHIN_DAYS
    angles = np.outer(days, frequencies)
    times = np.sqrt(TIME_WEIGHT / FREQUENCIES) * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    both = np.concatenate([times, spread], axis=1)
    return (both / np.sqrt(1 + TIME_WEIGHT)).astype(np.float32)


def clusters_of(
    bank_id: str, read: Unclustered, evidence: float, near_equal: float | None = None
) -> dict[UUID, UUID | None]:
    """The cluster of each fresh episode, None for those that wait, and of episodes consolidated alone that now have
    one.

    An episode with a cosine of `near_equal` to members of a known cluster is assigned to it first, since nearly equal
    episodes become one memory within a cluster only; None in a bank without `merge_similar`. A group that HDBSCAN
    finds joins the nearest known cluster within JOIN, or becomes a new one; noise joins known and new clusters by the
    same rule.
    """
    spread = with_time(spread_of(read.vectors), read.occurred_at)
    near_equals = near_equal_clusters(read, near_equal) if near_equal is not None else {}
    unknown = np.array(read.fresh, dtype=bool)
    alone = np.array([cluster is None for cluster in read.cluster_ids], dtype=bool) & ~unknown
    fresh = unknown.copy()
    fresh[list(near_equals)] = False
    chosen: list[int] = np.nonzero(fresh | neighbours(spread, fresh, alone))[0].tolist()
    labels = labels_of(read.vectors[chosen], spread[chosen], evidence)
    of_cluster: dict[UUID, list[int]] = {}
    for place, cluster in enumerate(read.cluster_ids):
        if cluster is not None:
            of_cluster.setdefault(cluster, []).append(place)
    known = {cluster: cluster_of(spread[places]) for cluster, places in of_cluster.items()}
    clusters = dict(known)
    found: dict[UUID, UUID | None] = {read.memory_ids[n]: cluster for n, cluster in near_equals.items()}
    found |= {read.memory_ids[n]: None for n in chosen if fresh[n]}
    for label in range(int(labels.max(initial=NOISE)) + 1):
        members = [n for n, of in zip(chosen, labels, strict=True) if of == label]
        if not fresh[members].any():
            continue
        group = cluster_of(spread[members])
        joined = nearest(group.centre, known) or id_of(bank_id, [read.memory_ids[n] for n in members])
        clusters.setdefault(joined, group)
        found |= {read.memory_ids[n]: joined for n in members}
    for n, of in zip(chosen, labels, strict=True):
        if of == NOISE and fresh[n]:
            found[read.memory_ids[n]] = nearest(spread[n], clusters)
    return dict(sorted(found.items()))


def near_equal_clusters(read: Unclustered, near_equal: float) -> dict[int, UUID]:
    """By index, the known cluster of each fresh episode that is nearly equal to some of its members; of several the one
    with most. HDBSCAN's leaf for such an episode depends on noise of the size of the vectors' quantization: by it 65 to
    73 of the 73 walks in the persona's year came into one memory, with this rule all do."""
    known = [(n, cluster) for n, cluster in enumerate(read.cluster_ids) if cluster is not None]
    fresh = [n for n, is_fresh in enumerate(read.fresh) if is_fresh]
    found: dict[int, UUID] = {}
    if not known or not fresh:
        return found
    cosines = read.vectors[fresh] @ read.vectors[[n for n, _ in known]].T
    for n, row in zip(fresh, cosines, strict=True):
        near: dict[UUID, float] = {}
        for place in np.nonzero(row >= near_equal)[0].tolist():
            cluster = known[place][1]
            near[cluster] = near.get(cluster, 0.0) + float(row[place])
        if near:
            found[n] = max(near, key=lambda cluster: (near[cluster], cluster))
    return found


def neighbours(spread: Vectors, fresh: NDArray[np.bool_], alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of the episodes consolidated alone that are among the NEIGHBOURS nearest of a fresh one."""
    chosen = np.zeros(len(spread), dtype=bool)
    (places,) = np.nonzero(alone)
    if len(places):
        order = np.argsort(-(spread[fresh] @ spread[places].T), axis=1, kind="stable")
        chosen[places[np.unique(order[:, :NEIGHBOURS])]] = True
    return chosen


def cluster_of(members: Vectors) -> Cluster:
    return Cluster(members.mean(axis=0), cohesion(members))


def nearest(centre: Vectors, clusters: Mapping[UUID, Cluster]) -> UUID | None:
    """The nearest cluster within JOIN."""
    near = [
        (similarity, cluster_id)
        for cluster_id, cluster in clusters.items()
        if (similarity := float(centre @ cluster.centre)) >= JOIN * cluster.cohesion
    ]
    return max(near)[1] if near else None


def id_of(bank_id: str, memory_ids: Sequence[UUID]) -> UUID:
    """An id derived from these members."""
    members = "\n".join(map(str, sorted(memory_ids)))
    return uuid5(NAMESPACE, f"{bank_id}\n{hashlib.sha256(members.encode()).hexdigest()}")
