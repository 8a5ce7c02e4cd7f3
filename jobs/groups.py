"""What the night does in a bank, group by group: which episodes' facts are drawn together, and what is compressed.

Groups of a cluster are cut in the order of time, so that what is left when a night is killed is cut as before.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Literal
from uuid import UUID

import numpy as np

from jobs.clustering import MIN_CLUSTER_SIZE
from memory_service.calibration import Thresholds
from memory_service.store.consolidation import Episode

PIECE = 8
"""Episodes that one summary stands for: of more, little would be left of each."""
CONTEXT = 8
"""Episodes of a cluster consolidated before that are shown with few new ones."""
APART = frozenset({"numbers", "negation", "names", "senses"})
"""What keeps episodes that are nearly equal from being one memory with a count: who, how many, whether at all. Other
words for it, in another order, on another day do not (memory_api.mismatch)."""
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
YEAR = r"(?:,?\s+\d{4})?"
DATE = re.compile(
    rf"\b(?:[Oo]n\s+)?(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.?\s+{MONTH}{YEAR}|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?{YEAR})(?!\w)"
)

Mismatches = Callable[[Sequence[tuple[str, str]]], Awaitable[list[str | None]]]
Kind = Literal["cluster", "similar"]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Episodes that are dealt with together, in one transaction."""

    cluster_id: UUID | None
    pending: tuple[Episode, ...]
    """Their facts are drawn."""
    folded: tuple[Episode, ...] = ()
    """They are compressed into one memory of this `kind`, the most typical first."""
    kind: Kind | None = None
    context: tuple[Episode, ...] = ()
    """Consolidated before: shown for what recurs."""

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """All of them, each once, in the order of time."""
        every = {episode.memory_id: episode for episode in (*self.context, *self.pending, *self.folded)}
        return tuple(sorted(every.values(), key=in_time))


def in_time(episode: Episode) -> tuple[datetime, UUID]:
    return (episode.occurred_at, episode.memory_id)


async def groups_of(
    episodes: Iterable[Episode],
    old: datetime,
    at: datetime,
    thresholds: Thresholds,
    mismatches: Mismatches | None,
) -> list[Group]:
    """The groups of a bank: cluster by cluster, then what waited for a cluster until it is older than `old`.

    `mismatches` tells what keeps two texts apart; None where nearly equal ones do not become one (merge_similar).
    """
    groups: list[Group] = []
    for cluster_id, members in groupby(episodes, lambda episode: episode.cluster_id):
        if cluster_id is None:
            groups += [Group(None, (episode,)) for episode in members]
        else:
            groups += await groups_of_cluster(cluster_id, list(members), old, at, thresholds, mismatches)
    return groups


async def groups_of_cluster(
    cluster_id: UUID,
    members: Sequence[Episode],
    old: datetime,
    at: datetime,
    thresholds: Thresholds,
    mismatches: Mismatches | None,
) -> list[Group]:
    """First those that are nearly equal, then pieces of the mundane rest, then those whose facts alone are drawn.

    As long as something of the cluster is recent only full pieces are compressed: more may be to come.
    """
    members = sorted(members, key=in_time)
    groups: list[Group] = []
    if mismatches is not None:
        counted = [episode for episode in members if episode.mundane or episode.summarizes == "similar"]
        near_equal = (thresholds.duplicate + thresholds.evidence) / 2
        for alike in await alike_in(counted, near_equal, mismatches):
            groups.append(Group(cluster_id, waiting(alike), tuple(alike), "similar"))
    taken = {episode.memory_id for group in groups for episode in group.folded}
    mundane = [episode for episode in members if episode.mundane and episode.memory_id not in taken]
    recent = any(episode.active and episode.occurred_at > old for episode in members)
    for piece in pieces(mundane, whole=recent):
        groups.append(Group(cluster_id, waiting(piece), central_first(piece), "cluster"))
        taken |= {episode.memory_id for episode in piece}
    left = [episode for episode in members if episode.pending and episode.memory_id not in taken]
    before = [
        episode
        for episode in members
        if episode.consolidated_at is not None and episode.consolidated_at < at and episode.summarizes is None
    ]
    for start in range(0, len(left), PIECE):
        part = left[start : start + PIECE]
        context = before[-CONTEXT:] if len(part) < PIECE else []
        groups.append(Group(cluster_id, tuple(part), context=tuple(context)))
    return groups


def waiting(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    return tuple(episode for episode in episodes if episode.pending)


def pieces(episodes: Sequence[Episode], *, whole: bool) -> list[Sequence[Episode]]:
    """Of PIECE each, from the earliest on; the last takes what is too little for one of its own. `whole`: none that
    is not full."""
    if whole:
        full = len(episodes) - len(episodes) % PIECE
        return [episodes[start : start + PIECE] for start in range(0, full, PIECE)]
    found: list[Sequence[Episode]] = []
    start = 0
    while len(episodes) - start >= MIN_CLUSTER_SIZE:
        rest = len(episodes) - start
        size = rest if rest < PIECE + MIN_CLUSTER_SIZE else PIECE
        found.append(episodes[start : start + size])
        start += size
    return found


def central_first(episodes: Sequence[Episode]) -> tuple[Episode, ...]:
    """The one that the others are nearest to, then the others in the order of time."""
    vectors = np.stack([episode.vector for episode in episodes])
    typical = vectors @ vectors.sum(axis=0)
    first = max(range(len(episodes)), key=lambda n: (round(float(typical[n]), 6), -n))
    return (episodes[first], *(episode for n, episode in enumerate(episodes) if n != first))


async def alike_in(
    episodes: Sequence[Episode], near_equal: float, mismatches: Mismatches
) -> list[list[Episode]]:
    """Stars of nearly equal episodes, their centre first: each is as near as `near_equal` to the centre and nothing
    keeps the two apart. A memory that stands for some already takes in what comes; else it takes three."""
    if not episodes:
        return []
    vectors = np.stack([episode.vector for episode in episodes])
    near = vectors @ vectors.T >= near_equal
    free = set(range(len(episodes)))
    found: list[list[Episode]] = []
    centres = {n for n in free if episodes[n].summarizes is not None or near[n].sum() >= MIN_CLUSTER_SIZE}
    while centres & free:
        centre = max(
            centres & free,
            key=lambda n: (episodes[n].summarizes is not None, int(near[n, sorted(free)].sum()), -n),
        )
        centres.remove(centre)
        others = [n for n in sorted(free) if n != centre and near[centre, n]]
        reasons = await mismatches(
            [(undated(episodes[centre].content), undated(episodes[n].content)) for n in others]
        )
        alike = [n for n, reason in zip(others, reasons, strict=True) if reason not in APART]
        stands = episodes[centre].summarizes is not None
        if alike and (stands or len(alike) + 1 >= MIN_CLUSTER_SIZE):
            found.append([episodes[n] for n in (centre, *alike)])
            free -= {centre, *alike}
    return found


def undated(text: str) -> str:
    """The text without its dates: on which day something happened again does not make it something else."""
    return " ".join(DATE.sub(" ", text).split())
