"""What the night does in a bank, group by group: which episodes' facts are drawn together, and what is compressed.

Groups of a cluster are cut from its earliest episode on, so that what is left when a night is killed is cut as before.
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
from memory_service.jobs.group_summary import LEAST_TOKENS, length_of, told
from memory_service.store.consolidation import Episode
from memory_service.store.thresholds import BankThresholds

PIECE = 8
"""Episodes whose facts are drawn together, and the most that one summary stands for."""
ROOM = 60
"""About the tokens of what one summary tells: it holds as many as tell so much. Many short ones rather than few long
ones: a context has room for whole memories only, and each brings what was not asked for, too."""
CHARACTERS = 2 * ROOM
"""Fewer do not tell so much."""
CONTEXT = 8
"""Episodes of a cluster consolidated before that are shown with few new ones."""
APART = frozenset({"numbers", "negation", "names", "senses"})
"""What keeps episodes that are nearly equal from being one memory with a count: who, how many, whether at all. Other
words for it, in another order, on another day do not (memory_api.text_difference)."""
WORTH_ASKING = 200
"""Characters of a piece from which on a language model is asked for a summary even where the rules' is not shorter.
A smaller piece could be asked about every night in vain."""
KEPT = 0.85
"""The least share of their content words that a summary by rules keeps of the episodes that it replaces. Measured on
four labelled chats with 0.85 a night costs 0.7 points of the evidence in a context, with 0.7 three."""
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
    """They are compressed into one memory of this `kind`: in the order of time, similar ones the most typical first."""
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
    thresholds: BankThresholds,
    mismatches: Mismatches | None,
    *,
    by_rules: bool,
) -> list[Group]:
    """The groups of a bank: cluster by cluster, then what waited for a cluster until it is older than `old`.

    `mismatches` tells what keeps two texts apart; None where nearly equal ones do not become one (merge_similar).
    `by_rules`: no language model writes the summaries; only what they shorten and keep nearly whole is compressed.
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
    """First those that are nearly equal, then those whose facts are drawn, in pieces, then what is compressed: how many
    one summary has room for says nothing of how many have to say something for it to be a fact.

    As long as something of the cluster is recent only full pieces are compressed: more may be to come.
    """
    members = sorted(members, key=in_time)
    groups: list[Group] = []
    if mismatches is not None:
        counted = [episode for episode in members if episode.mundane or episode.summarizes == "similar"]
        for alike in await alike_in(counted, near_equal_from(thresholds), mismatches):
            groups.append(Group(cluster_id, waiting(alike), tuple(alike), "similar"))
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
        if shortens(piece, KEPT if by_rules else 0.0) or (not by_rules and written(piece) >= WORTH_ASKING)
    ]
    return groups


def near_equal_from(thresholds: BankThresholds) -> float:
    """The cosine from which episodes are nearly equal."""
    return (thresholds.duplicate + thresholds.evidence) / 2


def shortens(episodes: Sequence[Episode], kept: float) -> bool:
    """Whether the rules' summary of these is shorter than they are and keeps this share of their content words; else
    they stay until there are others with them."""
    summed = told(episodes)
    return len(summed.text) < written(episodes) and summed.kept >= kept


def written(episodes: Iterable[Episode]) -> int:
    """The characters of these together."""
    return sum(len(episode.content) for episode in episodes)


def waiting(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    return tuple(episode for episode in episodes if episode.pending)


def pieces(episodes: Sequence[Episode], *, whole: bool) -> list[Sequence[Episode]]:
    """What one summary each has room for: the earliest that is left with those nearest to it, in the order of time.
    What is too little for one of its own is left for another night. `whole`: none that has room for more."""
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
    """The episode with its nearest, as many as one summary has room for; and whether that fills it."""
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
