"""Reranking: a profile's weights over what is known of each candidate; then its floor and the context filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from memory_service.inputs import Mood
from memory_service.profiles import Profile
from memory_service.recall.tracing import Columns
from memory_service.types import Candidate, Found, Ranked

RECENCY_DAYS = 30.0
OPPOSITE_VALENCE = 1.0
IMPORTANT_ANYWAY = 0.7
RECENT_DAYS = 7.0

IMPORTANT, RECENT = "important", "recent"
REASONS = ("high_similarity", IMPORTANT, RECENT, "emotional_match")
"""The same, as reasons."""
RECENT_IMPORTANT = "recent_important"


def recency(age_days: float) -> float:
    """1 today, 1/2 after 30 days (S2 "Hybrid Retrieval System")."""
    return 1 / (1 + max(age_days, 0.0) / RECENCY_DAYS)


class Ranking:
    """Candidates with their scores, as columns, best first, and what is in and out: what is not looked at is only
    counted with, and becomes no object."""

    def __init__(self, candidates: Sequence[Candidate], profile: Profile, mood: Mood, at: datetime) -> None:
        self._candidates = candidates
        self._profile = profile
        self._at = at
        stored = column(candidates, "importance")
        wanted = frozenset(mood.emotions or ())
        age_days = [
            max((at - then).total_seconds() / 86400, 0.0) for then in column(candidates, "occurred_at")
        ]
        self._components: dict[str, Sequence[float]] = {
            "similarity": column(candidates, "similarity"),
            "importance": column(candidates, "effective_importance") if profile.fades else stored,
            "recency": [recency(days) for days in age_days],
            "emotion": (
                [float(len(wanted.intersection(labels))) for labels in column(candidates, "emotions")]
                if wanted
                else [0.0] * len(stored)
            ),
            "stored_importance": stored,
            "age_days": age_days,
        }
        self._scores = self._sums("importance")
        ids = column(candidates, "memory_id")
        self._order = sorted(
            range(len(ids)), key=[(-s, i) for s, i in zip(self._scores, ids, strict=True)].__getitem__
        )
        self._kept: list[int] = []
        self._dropped: list[tuple[int, str]] = []

    def keep(self, k: int, why_not: Callable[[int], str | None] | None) -> None:
        """Take the best k that nothing speaks against."""
        beyond = f"beyond k={k}"
        for n in self._order:
            why = None if why_not is None else why_not(n)
            if why is None and len(self._kept) < k:
                self._kept.append(n)
            else:
                self._dropped.append((n, why or beyond))

    def kept(self) -> list[Ranked]:
        """What is in, best first."""
        return [self._one(n) for n in self._kept]

    def dropped(self) -> list[Ranked]:
        """What is out, best first, with what dropped it."""
        return [self._one(n).out(why) for n, why in self._dropped]

    def columns(self) -> Columns:
        """What was kept, then what was dropped, for the trace."""
        confidence = column(self._candidates, "confidence")
        return Columns(
            [*self._kept, *(n for n, _ in self._dropped)],
            column(self._candidates, "memory_id"),
            self._scores,
            self._components
            | {"age_days": [round(days, 3) for days in self._components["age_days"]]}
            | ({"confidence": confidence} if any(one is not None for one in confidence) else {}),
            figures_of(self._candidates),
            self._reasons,
            [*[None] * len(self._kept), *(why for _, why in self._dropped)],
        )

    def below_floor(self, n: int) -> str | None:
        """S2's threshold, of profiles that have one: fading moves a memory down, never out."""
        floor = self._profile.floor
        return None if floor is None or self._unfaded[n] > floor else f"below the floor of {floor:g}"

    @cached_property
    def _unfaded(self) -> Sequence[float]:
        return self._sums("stored_importance")

    def _sums(self, importance: str) -> Sequence[float]:
        """The weighted sums of what counts, with the importance of this name."""
        by = self._profile
        return [
            by.similarity * similar + by.importance * important + by.recency * recent + by.emotion * shared
            for similar, important, recent, shared in zip(
                *(self._components[name] for name in ("similarity", importance, "recency", "emotion")),
                strict=True,
            )
        ]

    def _one(self, n: int) -> Ranked:
        candidate = self._candidates[n]
        components = {name: values[n] for name, values in self._components.items()}
        components["age_days"] = round(components["age_days"], 3)
        if candidate.confidence is not None:
            components["confidence"] = candidate.confidence
        return Ranked(candidate, self._scores[n], components, self._reasons[n])

    @cached_property
    def _reasons(self) -> Sequence[str]:
        """The part that counted most, in S2's words. `recent_important` is what S2 picks as such: of the last seven
        days and of an importance of at least 0.7, where one of the two counted most."""
        by, of = self._profile, self._components
        reasons: list[str] = []
        for similar, important, recent, shared, stored, days in zip(*of.values(), strict=True):
            parts = (
                by.similarity * similar, by.importance * important, by.recency * recent, by.emotion * shared,
            )  # fmt: skip
            reason = REASONS[parts.index(max(parts))]
            if reason in (IMPORTANT, RECENT) and days <= RECENT_DAYS and stored >= IMPORTANT_ANYWAY:
                reason = RECENT_IMPORTANT
            reasons.append(reason)
        return reasons


def ranked(
    candidates: Sequence[Candidate],
    profile: Profile,
    mood: Mood,
    k: int,
    at: datetime,
    out_of_place: Callable[[Candidate], str | None] | None = None,
) -> Ranking:
    """The best k, and the others with what dropped them. Equal scores go by memory id.

    `out_of_place` says why a candidate is dropped for more than the mood's filters, if it is.
    Components: similarity, importance as it is ranked with, the stored one, recency (each 0..1), `emotion`, the labels
    shared with the mood, and age in days at `at`; of a fact its confidence, which is no part of the score.
    """
    ranking = Ranking(candidates, profile, mood, at)

    def why_not(n: int) -> str | None:
        candidate = candidates[n]
        return (
            filtered(candidate, mood)
            or (None if out_of_place is None else out_of_place(candidate))
            or ranking.below_floor(n)
        )

    nothing_bars = mood.valence is None and not mood.topics and out_of_place is None and profile.floor is None
    ranking.keep(k, None if nothing_bars else why_not)
    return ranking


def rerank(
    candidates: Sequence[Candidate],
    profile: Profile,
    mood: Mood,
    k: int,
    at: datetime,
    out_of_place: Callable[[Candidate], str | None] | None = None,
) -> tuple[list[Ranked], list[Ranked]]:
    """What is in and what is out of `ranked`, each best first."""
    ranking = ranked(candidates, profile, mood, k, at, out_of_place)
    return ranking.kept(), ranking.dropped()


def column(candidates: Sequence[Candidate], name: str) -> Sequence[Any]:
    return (
        candidates.column(name) if isinstance(candidates, Found) else [getattr(c, name) for c in candidates]
    )


def figures_of(candidates: Sequence[Candidate]) -> Mapping[str, Sequence[float]]:
    """What the similarities are made of, where all are made of the same."""
    if isinstance(candidates, Found):
        return candidates.figures
    names = list(candidates[0].figures) if candidates else []
    return {name: [c.figures[name] for c in candidates] for name in names}


def filtered(candidate: Candidate, mood: Mood) -> str | None:
    """S2's context filters: what is of the opposite mood, or of no common topic and not important, stays out."""
    if (
        mood.valence is not None
        and candidate.valence is not None
        and abs(candidate.valence - mood.valence) > OPPOSITE_VALENCE
    ):
        return "opposite valence"
    if (
        mood.topics
        and candidate.type != "semantic"  # a fact has no topics to go by
        and candidate.importance < IMPORTANT_ANYWAY
        and not {t.casefold() for t in mood.topics} & {t.casefold() for t in candidate.topics}
    ):
        return "no topic in common"
    return None
