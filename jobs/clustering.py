"""Which episodes belong together: HDBSCAN over their vectors, and what joins a cluster that is known already.

Clusters are the leaves of HDBSCAN's tree, with one neighbour for the density: small and close. On LoCoMo its default,
excess of mass, takes four fifths of a person's year for one cluster, as connected components by any useful cosine do
(`make bench-quality`, part consolidation).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import numpy as np
from numpy.typing import NDArray

from memory_service.models.interface import Vectors
from memory_service.store.consolidation import Unclustered

MIN_CLUSTER_SIZE = 3
MIN_SAMPLES = 1
NOISE = -1
NAMESPACE = UUID("0b1f6a52-9a3d-5a87-9f0e-6d2f3c1e7a10")
"""Of clusters and of what comes of them: the same members give the same id, whoever works them out."""

Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where a cluster lies. What joins it is on average as near to its members as they are to each other, or as
    evidence is to a fact where that is less."""

    centre: Vectors
    """The mean of its members' unit vectors, shorter than they are: a product of two is the mean of all products."""
    nearness: float


def labels_of(vectors: Vectors, evidence: float) -> Labels:
    """A cluster's number for each unit vector, -1 for noise: HDBSCAN by euclidean distance, which orders unit vectors
    as their cosine does. Deterministic.

    Where it finds nothing but noise, all of them may be about one thing: that is one cluster where they are on
    average as near as `evidence`.
    """
    if len(vectors) < MIN_CLUSTER_SIZE:
        return np.full(len(vectors), NOISE, dtype=np.intp)
    labels = hdbscan_labels(vectors, single=False)
    if (labels == NOISE).all():
        alone = hdbscan_labels(vectors, single=True)
        if nearness(vectors[alone == 0]) >= evidence:
            labels = np.minimum(alone, 0)
    return labels


def hdbscan_labels(vectors: Vectors, *, single: bool) -> Labels:
    import hdbscan  # type: ignore[import-untyped]  # a second to import, for nights only

    clusterer: Any = hdbscan.HDBSCAN(
        min_cluster_size=MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES, metric="euclidean",
        cluster_selection_method="eom" if single else "leaf", allow_single_cluster=single, core_dist_n_jobs=1,
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


def clusters_of(bank_id: str, read: Unclustered, evidence: float) -> dict[UUID, UUID | None]:
    """A cluster for each fresh episode, None for those that wait; and for what was consolidated alone and now has one.

    A group that HDBSCAN finds joins the nearest known cluster that it is near enough to (Cluster), and is a new one
    else; noise joins by the same rule, known clusters and new ones alike.
    """
    vectors, fresh = read.vectors, np.array(read.fresh, dtype=bool)
    alone = np.array([cluster is None for cluster in read.cluster_ids], dtype=bool) & ~fresh
    near = (vectors @ vectors[fresh].T >= evidence).any(axis=1)
    looked: list[int] = np.nonzero(fresh | alone & near)[0].tolist()
    labels = labels_of(vectors[looked], evidence)
    of_cluster: dict[UUID, list[int]] = {}
    for place, cluster in enumerate(read.cluster_ids):
        if cluster is not None:
            of_cluster.setdefault(cluster, []).append(place)
    known = {cluster: cluster_of(vectors[places], evidence) for cluster, places in of_cluster.items()}
    clusters = dict(known)
    found: dict[UUID, UUID | None] = {read.memory_ids[n]: None for n in looked if fresh[n]}
    for label in range(int(labels.max(initial=NOISE)) + 1):
        members = [n for n, of in zip(looked, labels, strict=True) if of == label]
        if not fresh[members].any():
            continue
        group = cluster_of(vectors[members], evidence)
        joined = nearest(group.centre, known) or id_of(bank_id, [read.memory_ids[n] for n in members])
        clusters.setdefault(joined, group)
        found |= {read.memory_ids[n]: joined for n in members}
    for n, of in zip(looked, labels, strict=True):
        if of == NOISE and fresh[n]:
            found[read.memory_ids[n]] = nearest(vectors[n], clusters)
    return dict(sorted(found.items()))


def cluster_of(members: Vectors, evidence: float) -> Cluster:
    return Cluster(members.mean(axis=0), min(nearness(members), evidence))


def nearest(centre: Vectors, clusters: Mapping[UUID, Cluster]) -> UUID | None:
    """The nearest of the clusters that this may join."""
    near = [
        (similarity, cluster_id)
        for cluster_id, cluster in clusters.items()
        if (similarity := float(centre @ cluster.centre)) >= cluster.nearness
    ]
    return max(near)[1] if near else None


def id_of(bank_id: str, memory_ids: Sequence[UUID]) -> UUID:
    """The id of what has these members."""
    members = "\n".join(map(str, sorted(memory_ids)))
    return uuid5(NAMESPACE, f"{bank_id}\n{hashlib.sha256(members.encode()).hexdigest()}")
