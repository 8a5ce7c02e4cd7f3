"""Groups of episodes for consolidation: those whose facts are drawn together, and those that are compressed into one.

A cluster is divided from its earliest episode on, so that after an interrupted run the rest is divided as before.
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

from memory_service.jobs.clustering import MIN_CLUSTER_SIZE
from memory_service.jobs.group_summary import LEAST_TOKENS, length_of, summarize
from memory_service.store.consolidation import Episode
from memory_service.store.thresholds import BankThresholds

PIECE = 8
"""Most episodes whose facts are drawn together, and most episodes of one summary."""
ROOM = 60
"""Estimated tokens at which a summary takes no further episodes. Many short summaries are better than few long ones: a
context prints whole memories only, and a long one brings more that the query does not need."""
CHARACTERS = 2 * ROOM
"""Lower bound of the characters of ROOM tokens."""
CONTEXT = 8
"""Most consolidated episodes of a cluster that are sent along with few new ones."""
APART = frozenset({"numbers", "negation", "names", "senses"})
"""Differences (memory_api.text_difference) that keep nearly equal episodes from becoming one memory with a count. Other
words, another order or another day do not."""
LEAST_CHARACTERS_FOR_MODEL = 200
"""Characters of a piece from which on a language model summarizes it even where the rules' summary is not shorter. A
smaller piece might be sent every night without result."""
LEAST_KEPT = 0.85
"""Least share of the episodes' content words that a summary by rules must keep. Measured on four labelled chats: with
0.85 a nightly run costs 0.7 points of context recall, with 0.7 three points."""
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
YEAR = r"(?:,?\s+\d{4})?"
DATE = re.compile(
    rf"\b(?:[Oo]n\s+)?(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.?\s+{MONTH}{YEAR}|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?{YEAR})(?!\w)"
)

Mismatches = Callable[[Sequence[tuple[str, str]]], Awaitable[list[str | None]]]
Kind = Literal["cluster", "similar"]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Episodes that are consolidated together, in one transaction."""

    cluster_id: UUID | None
    pending: tuple[Episode, ...]
    """Episodes whose facts are drawn."""
    folded: tuple[Episode, ...] = ()
    """Episodes compressed into one memory of this `kind`: in the order of time; similar ones with the centre first."""
    kind: Kind | None = None
    context: tuple[Episode, ...] = ()
    """Episodes consolidated before, sent along so that the model sees what recurs."""

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """All episodes, each once, in the order of time."""
        every = {episode.memory_id: episode for episode in (*self.context, *self.pending, *self.folded)}
        return tuple(sorted(every.values(), key=in_time))


def in_time(episode: Episode) -> tuple[datetime, UUID]:
    return (episode.occurred_at, episode.memory_id)


async def groups_of(
    episodes: Iterable[Episode],
    old: datetime,
    at: datetime,
    thresholds: BankThresholds,
    mismatches: Mismatches | None,
    *,
    by_rules: bool,
) -> list[Group]:
    """The groups of a bank: cluster by cluster, then the episodes older than `old` without a cluster.

    `mismatches` returns the difference between two texts; None in a bank without `merge_similar`. `by_rules`: no
    language model writes the summaries, and only pieces that they shorten and keep nearly whole are compressed.
    """
    groups: list[Group] = []
    for cluster_id, members in groupby(episodes, lambda episode: episode.cluster_id):
        if cluster_id is None:
            groups += [Group(None, (episode,)) for episode in members]
        else:
            groups += await groups_of_cluster(
                cluster_id, list(members), old, at, thresholds, mismatches, by_rules=by_rules
            )
    return groups


async def groups_of_cluster(
    cluster_id: UUID,
    members: Sequence[Episode],
    old: datetime,
    at: datetime,
    thresholds: BankThresholds,
    mismatches: Mismatches | None,
    *,
    by_rules: bool,
) -> list[Group]:
    """Nearly equal episodes first, then pending episodes in pieces, then pieces to compress. The two kinds of pieces
    differ: the size of a summary does not limit how many episodes support a fact.

    While the cluster has recent episodes only full pieces are compressed, since more episodes may follow.
    """
    members = sorted(members, key=in_time)
    groups: list[Group] = []
    if mismatches is not None:
        candidates = [episode for episode in members if episode.mundane or episode.summarizes == "similar"]
        for similar in await similar_groups(candidates, near_equal_from(thresholds), mismatches):
            groups.append(Group(cluster_id, pending_of(similar), tuple(similar), "similar"))
    taken = {episode.memory_id for group in groups for episode in group.folded}
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
    mundane = [episode for episode in members if episode.mundane and episode.memory_id not in taken]
    recent = any(episode.active and episode.occurred_at > old for episode in members)
    groups += [
        Group(cluster_id, (), tuple(piece), "cluster")
        for piece in pieces(mundane, whole=recent)
        if shortens(piece, LEAST_KEPT if by_rules else 0.0)
        or (not by_rules and characters_of(piece) >= LEAST_CHARACTERS_FOR_MODEL)
    ]
    return groups


def near_equal_from(thresholds: BankThresholds) -> float:
    """The cosine from which on episodes are nearly equal."""
    return (thresholds.duplicate + thresholds.evidence) / 2


def shortens(episodes: Sequence[Episode], kept: float) -> bool:
    """Whether the rules' summary is shorter than the episodes and keeps this share of their content words; otherwise
    they wait for further episodes."""
    summary = summarize(episodes)
    return len(summary.text) < characters_of(episodes) and summary.kept >= kept


def characters_of(episodes: Iterable[Episode]) -> int:
    return sum(len(episode.content) for episode in episodes)


def pending_of(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    return tuple(episode for episode in episodes if episode.pending)


def pieces(episodes: Sequence[Episode], *, whole: bool) -> list[Sequence[Episode]]:
    """Divide episodes into pieces of one summary each: the earliest episode left and those nearest to it, in the order
    of time. Fewer than MIN_CLUSTER_SIZE are left for another run. `whole`: full pieces only."""
    found: list[Sequence[Episode]] = []
    left = list(episodes)
    while len(left) >= MIN_CLUSTER_SIZE:
        piece, full = around(left[0], left[1:])
        if whole and not full:
            break
        found.append(sorted(piece, key=in_time))
        left = [episode for episode in left if episode not in piece]
    return found


def around(first: Episode, others: Sequence[Episode]) -> tuple[list[Episode], bool]:
    """The episode with its nearest, up to the size of one summary; and whether that is full."""
    if len(others) < PIECE:
        every = length_of(first) + sum(map(length_of, others))
        if every <= LEAST_TOKENS:
            return [first, *others], every > ROOM or len(others) + 1 == PIECE
    near = sorted(others, key=lambda e: (-round(float(first.vector @ e.vector), 6), in_time(e)))
    piece, length = [first], length_of(first)
    for episode in near:
        length += length_of(episode)
        if len(piece) == PIECE or (len(piece) >= MIN_CLUSTER_SIZE and length > ROOM):
            return piece, True
        piece.append(episode)
    return piece, len(piece) == PIECE or length > ROOM


async def similar_groups(
    episodes: Sequence[Episode], near_equal: float, mismatches: Mismatches
) -> list[list[Episode]]:
    """Groups of nearly equal episodes, their centre first: each has a cosine of `near_equal` to the centre and no
    difference of APART. A memory with a count takes in any number of episodes; a new one needs three in all."""
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
        similar = [n for n, reason in zip(others, reasons, strict=True) if reason not in APART]
        is_summary = episodes[centre].summarizes is not None
        if similar and (is_summary or len(similar) + 1 >= MIN_CLUSTER_SIZE):
            found.append([episodes[n] for n in (centre, *similar)])
            free -= {centre, *similar}
    return found


def undated(text: str) -> str:
    """The text without its dates: the same event on another day is nearly equal."""
    return " ".join(DATE.sub(" ", text).split())
