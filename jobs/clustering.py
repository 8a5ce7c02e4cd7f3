"""Which episodes belong together: HDBSCAN over their vectors, and what joins a cluster that is known already.

Measured (`make bench-quality`, part consolidation), by the turns that one question needs together:
- Most of what all memories of a bank have in common, the names and the tone of its people, is taken off their vectors
  first: five times as many such pairs come together.
- The time of an episode counts as well as its text (IN_TIME): the turns that one question needs together are more often
  of the same weeks than of different years.
- Clusters are the leaves of HDBSCAN's tree, with one neighbour for the density: small and close. Its default, excess
  of mass, takes most of a person's year for one cluster, as connected components by a cosine do.
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
SHARED = 0.7
"""How much of the mean of a bank's vectors is taken off each. Not all of it: a topic that most memories are about
would go with it."""
IN_TIME = 0.2
"""Weight of nearness in time; nearness in topic has weight 1."""
WITHIN_DAYS = 30.0
"""Nearness in time is 1 for simultaneous episodes and exp(-1/2) for two that are this many days apart."""
TIMES = 32
"""Number of random frequencies that approximate nearness in time; its error is then about 0.1."""
JOIN = 0.8
"""What joins a cluster is on average at least so near to its members, as a share of how near they are to each other."""
STAY = 0.6
"""The same for what HDBSCAN counts to a cluster: what fell off a branch on its way to the leaf is still in it."""
NEIGHBOURS = 16
"""Episodes consolidated alone that a new one is looked at with."""
NAMESPACE = UUID("0b1f6a52-9a3d-5a87-9f0e-6d2f3c1e7a10")
"""Of clusters and of what comes of them: the same members give the same id, whoever works them out."""

Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where a cluster lies."""

    centre: Vectors
    """The mean of its members' unit vectors, shorter than they are: a product of two is the mean of all products."""
    nearness: float
    """The mean cosine between two of its members."""


def labels_of(vectors: Vectors, spread: Vectors, evidence: float) -> Labels:
    """A cluster's number for each unit vector, -1 for noise: HDBSCAN by euclidean distance, which orders unit vectors
    as their cosine does. Deterministic.

    Where all `vectors` are on average as near as `evidence` they are about one thing, and `spread`, which is what they
    are beside that, says nothing.
    """
    if len(vectors) < MIN_CLUSTER_SIZE:
        return np.full(len(vectors), NOISE, dtype=np.intp)
    if nearness(vectors) >= evidence:
        return np.zeros(len(vectors), dtype=np.intp)
    labels = hdbscan_labels(spread)
    for label in range(int(labels.max(initial=NOISE)) + 1):
        (members,) = np.nonzero(labels == label)
        stay = [members[n] for n in staying(spread[members])]
        labels[members] = NOISE
        labels[stay] = label
    return labels


def staying(members: Vectors) -> list[int]:
    """Those near enough to the others (STAY), the farthest taken out one by one; none where too few are left."""
    left = list(range(len(members)))
    while len(left) >= MIN_CLUSTER_SIZE:
        held = members[left]
        mean = (held @ held.sum(axis=0) - 1) / (len(left) - 1)
        farthest = int(mean.argmin())
        if mean[farthest] >= STAY * nearness(held):
            return left
        del left[farthest]
    return []


def hdbscan_labels(vectors: Vectors) -> Labels:
    import hdbscan  # type: ignore[import-untyped]  # a second to import, for nights only

    clusterer: Any = hdbscan.HDBSCAN(
        min_cluster_size=MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES, metric="euclidean",
        cluster_selection_method="leaf", core_dist_n_jobs=1,
    )  # fmt: skip
    used = vectors[:, : last_used(vectors)].astype(np.float64)
    return np.asarray(clusterer.fit_predict(used), dtype=np.intp)


def last_used(vectors: Vectors) -> int:
    """How many dimensions the model has: those after them are zero in all vectors."""
    (used,) = np.nonzero(vectors.any(axis=0))
    return int(used[-1]) + 1 if len(used) else 1


def nearness(members: Vectors) -> float:
    """The mean cosine between two of them; 1 where there are fewer than two."""
    count = len(members)
    if count < 2:
        return 1.0
    total = float(np.square(members.sum(axis=0, dtype=np.float64)).sum())
    return (total - count) / (count * (count - 1))


def spread_of(vectors: Vectors) -> Vectors:
    """Unit vectors of what each is beside what all have in common."""
    left = vectors - SHARED * vectors.mean(axis=0)
    return left / np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-12)


def in_time(spread: Vectors, occurred_at: Sequence[datetime]) -> Vectors:
    """Unit vectors whose dot product combines nearness in topic and, weighted by IN_TIME, nearness in time, by random
    Fourier features: clustering needs vectors only. Deterministic."""
    days = np.array([at.timestamp() / 86_400 for at in occurred_at])
    frequencies = np.random.default_rng(7).standard_normal(TIMES) / WITHIN_DAYS
    angles = np.outer(days, frequencies)
    times = np.sqrt(IN_TIME / TIMES) * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    both = np.concatenate([times, spread], axis=1)
    return (both / np.sqrt(1 + IN_TIME)).astype(np.float32)


def clusters_of(
    bank_id: str, read: Unclustered, evidence: float, near_equal: float | None = None
) -> dict[UUID, UUID | None]:
    """A cluster for each fresh episode, None for those that wait; and for what was consolidated alone and now has one.

    From a cosine of `near_equal` on to members of a known cluster an episode is in it, whatever else it is near: nearly
    equal ones become one memory within a cluster only. None where the bank does not make one of them.

    A group that HDBSCAN finds joins the nearest known cluster that it may join (JOIN), and is a new one else; noise
    joins by the same rule, known clusters and new ones alike.
    """
    spread = in_time(spread_of(read.vectors), read.occurred_at)
    again = said_again(read, near_equal) if near_equal is not None else {}
    unknown = np.array(read.fresh, dtype=bool)
    alone = np.array([cluster is None for cluster in read.cluster_ids], dtype=bool) & ~unknown
    fresh = unknown.copy()
    fresh[list(again)] = False
    looked: list[int] = np.nonzero(fresh | beside(spread, fresh, alone))[0].tolist()
    labels = labels_of(read.vectors[looked], spread[looked], evidence)
    of_cluster: dict[UUID, list[int]] = {}
    for place, cluster in enumerate(read.cluster_ids):
        if cluster is not None:
            of_cluster.setdefault(cluster, []).append(place)
    known = {cluster: cluster_of(spread[places]) for cluster, places in of_cluster.items()}
    clusters = dict(known)
    found: dict[UUID, UUID | None] = {read.memory_ids[n]: cluster for n, cluster in again.items()}
    found |= {read.memory_ids[n]: None for n in looked if fresh[n]}
    for label in range(int(labels.max(initial=NOISE)) + 1):
        members = [n for n, of in zip(looked, labels, strict=True) if of == label]
        if not fresh[members].any():
            continue
        group = cluster_of(spread[members])
        joined = nearest(group.centre, known) or id_of(bank_id, [read.memory_ids[n] for n in members])
        clusters.setdefault(joined, group)
        found |= {read.memory_ids[n]: joined for n in members}
    for n, of in zip(looked, labels, strict=True):
        if of == NOISE and fresh[n]:
            found[read.memory_ids[n]] = nearest(spread[n], clusters)
    return dict(sorted(found.items()))


def said_again(read: Unclustered, near_equal: float) -> dict[int, UUID]:
    """The known cluster of each fresh episode that is nearly equal to some of its members, by place: of several the one
    with most of them. Which leaf of HDBSCAN's tree such an episode falls into is chance: of the 73 walks of the
    persona's year, 65 to 73 came into one memory, by noise of the size of the vectors' quantization, and all do so."""
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


def beside(spread: Vectors, fresh: NDArray[np.bool_], alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of those consolidated alone, the nearest ones of each fresh episode."""
    chosen = np.zeros(len(spread), dtype=bool)
    (places,) = np.nonzero(alone)
    if len(places):
        order = np.argsort(-(spread[fresh] @ spread[places].T), axis=1, kind="stable")
        chosen[places[np.unique(order[:, :NEIGHBOURS])]] = True
    return chosen


def cluster_of(members: Vectors) -> Cluster:
    return Cluster(members.mean(axis=0), nearness(members))


def nearest(centre: Vectors, clusters: Mapping[UUID, Cluster]) -> UUID | None:
    """The nearest of the clusters that this may join."""
    near = [
        (similarity, cluster_id)
        for cluster_id, cluster in clusters.items()
        if (similarity := float(centre @ cluster.centre)) >= JOIN * cluster.nearness
    ]
    return max(near)[1] if near else None


def id_of(bank_id: str, memory_ids: Sequence[UUID]) -> UUID:
    """The id of what has these members."""
    members = "\n".join(map(str, sorted(memory_ids)))
    return uuid5(NAMESPACE, f"{bank_id}\n{hashlib.sha256(members.encode()).hexdigest()}")
