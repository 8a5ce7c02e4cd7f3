"""Reranking: scores candidates by a profile's weights, then applies limits, the mood's filters and the floor."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, cast
from uuid import UUID

import numpy as np

from memory_service.candidate_arrays import Figures
from memory_service.profiles import FACT_CUT_OFF, Profile
from memory_service.recall.trace import Columns
from memory_service.requests import Mood
from memory_service.timestamps import Moments, moments, seconds_until
from memory_service.types import Candidate, Found, Ranked

RECENCY_DAYS = 30.0
OPPOSITE_VALENCE = 1.0
IMPORTANT_ANYWAY = 0.7
RECENT_DAYS = 7.0

IMPORTANT, RECENT, RECENT_IMPORTANT = "important", "recent", "recent_important"
LOW_SIMILARITY = "low_similarity"
REASONS = ("high_similarity", IMPORTANT, RECENT, "emotional_match", RECENT_IMPORTANT, LOW_SIMILARITY)
"""Reasons: the parts of a score, the combination of two of them, and a similarity below HIGH_FROM."""
HIGH_FROM = FACT_CUT_OFF


def recency(age_days: Figures) -> Figures:
    """1 today, 1/2 after 30 days."""
    return 1 / (1 + np.maximum(age_days, 0.0) / RECENCY_DAYS)


class Limits(NamedTuple):
    """Lowest similarity and score of a returned memory."""

    similarity: float = -math.inf
    score: float = -math.inf


class Ranking:
    """Candidates with their scores, best first, kept or dropped. Held as columns: a Candidate object is made only for
    those that are read."""

    def __init__(self, candidates: Sequence[Candidate], profile: Profile, mood: Mood, at: datetime) -> None:
        self._candidates = candidates
        self._profile = profile
        self._at = at
        stored = figures(candidates, "importance")
        wanted = frozenset(mood.emotions or ())
        age_days = np.maximum(seconds_until(at, occurred(candidates)), 0.0) / 86400
        shared = (
            np.array([float(len(wanted.intersection(one or ()))) for one in column(candidates, "emotions")])
            if wanted
            else np.zeros(len(stored))
        )
        self._components: dict[str, Figures] = {
            "similarity": figures(candidates, "similarity"),
            "importance": figures(candidates, "effective_importance") if profile.fades else stored,
            "recency": recency(age_days),
            "emotion": shared,
            "stored_importance": stored,
            "age_days": age_days.round(3),
        }
        self._recent = age_days <= RECENT_DAYS
        self._parts = self._weighed("importance")
        self._scores = self._parts.sum(axis=0)
        self._order = best_first(self._scores, column(candidates, "memory_id"))
        self._kept: Sequence[int] = ()
        self._dropped: Sequence[tuple[int, str]] = ()

    def keep(
        self,
        k: int,
        limits: Sequence[Limits],
        why_not: Callable[[int], str | None] | None = None,
        groups: Sequence[int] | None = None,
    ) -> None:
        """Keep the best k of each group within its limits and for which `why_not` returns None.

        `groups` has the group of each candidate, a place in `limits`; None: all are of the first.
        """
        group_of = (
            np.zeros(len(self._scores), dtype=np.int64)
            if groups is None
            else np.asarray(groups, dtype=np.int64)
        )
        kept: list[int] = []
        dropped: list[tuple[int, str]] = []
        room = [k] * len(limits)
        least = np.array(limits, dtype=np.float64)[group_of]
        relevant = self._components["similarity"] >= least[:, 0]
        enough = self._scores >= least[:, 1]
        ordered_groups: list[int] = group_of[self._order].tolist()
        for n, group, is_relevant, is_enough in zip(
            self._order,
            ordered_groups,
            relevant[self._order].tolist(),
            enough[self._order].tolist(),
            strict=True,
        ):
            if not is_relevant:
                dropped.append((n, f"below the cut-off of {limits[group].similarity:g}"))
            elif not is_enough:
                dropped.append((n, f"below min_score {limits[group].score:g}"))
            elif why_not is not None and (why := why_not(n)) is not None:
                dropped.append((n, why))
            elif room[group] == 0:
                dropped.append((n, f"beyond k={k}"))
            else:
                room[group] -= 1
                kept.append(n)
        self._kept, self._dropped = kept, dropped

    @property
    def places(self) -> Sequence[int]:
        """The places of all candidates, best first."""
        return self._order

    @property
    def kept_places(self) -> Sequence[int]:
        """The places of the kept candidates, best first."""
        return self._kept

    def scores_of(self, places: Sequence[int]) -> dict[UUID, float]:
        """The scores of the candidates at these places, by memory."""
        ids, scores = self.memory_ids, self._scores.tolist()
        return {ids[n]: scores[n] for n in places}

    def kept(self) -> list[Ranked]:
        """The kept candidates, best first."""
        return self.some(self._kept)

    def dropped(self) -> list[Ranked]:
        """The dropped candidates, best first, with the reasons."""
        out = self.some([n for n, _ in self._dropped])
        return [one.out(why) for one, (_, why) in zip(out, self._dropped, strict=True)]

    def dropped_places(self, printed: Container[UUID], why: Mapping[UUID, str]) -> list[tuple[int, str]]:
        """The places of candidates that are not printed, with reasons: `why` has those of kept ones."""
        ids = self.memory_ids
        unused = [(n, why[ids[n]]) for n in self._kept if ids[n] not in printed]
        return unused + [(n, reason) for n, reason in self._dropped if ids[n] not in printed]

    @property
    def memory_ids(self) -> Sequence[UUID]:
        return column(self._candidates, "memory_id")

    def columns(
        self, used: Sequence[int] | None = None, out: Sequence[tuple[int, str]] | None = None
    ) -> Columns:
        """The columns of a trace: used candidates, then unused ones with reasons; default: kept and dropped ones."""
        used = self._kept if used is None else used
        out = self._dropped if out is None else out
        confidence = column(self._candidates, "confidence")
        return Columns(
            [*used, *(n for n, _ in out)],
            self.memory_ids,
            self._scores,
            self._components
            | ({"confidence": confidence} if any(one is not None for one in confidence) else {}),
            figures_of(self._candidates),
            [REASONS[n] for n in self._reasons],
            [*[None] * len(used), *(why for _, why in out)],
        )

    def below_floor(self, n: int) -> str | None:
        """Why a candidate is below the profile's floor, computed with the stored importance; None where it is not."""
        floor = self._profile.floor
        return None if floor is None or self._unfaded[n] > floor else f"below the floor of {floor:g}"

    @cached_property
    def _unfaded(self) -> Figures:
        return self._weighed("stored_importance").sum(axis=0)

    def _weighed(self, importance: str) -> Figures:
        """The weighed parts of the scores, a row for each part, with this importance."""
        by, of = self._profile, self._components
        return np.array(
            [
                by.similarity * of["similarity"], by.importance * of[importance], by.recency * of["recency"],
                by.emotion * of["emotion"],
            ]
        )  # fmt: skip

    def some(self, places: Sequence[int]) -> list[Ranked]:
        """The candidates at these places."""
        at = np.array(places, dtype=np.int64)
        parts = np.array([*self._components.values()])[:, at].T.tolist()
        return [
            Ranked(
                candidate := self._candidates[n],
                score,
                dict(zip(self._components, mine, strict=True))
                | ({} if candidate.confidence is None else {"confidence": candidate.confidence}),
                REASONS[self._reasons[n]],
            )
            for n, score, mine in zip(places, self._scores[at].tolist(), parts, strict=True)
        ]

    @cached_property
    def _reasons(self) -> list[int]:
        """Places in REASONS: the largest part of the score. `recent_important`: importance or recency is the largest,
        and the memory is of the last seven days with an importance of at least 0.7. `low_similarity`: similarity is the
        largest, and is below HIGH_FROM."""
        most = self._parts.argmax(axis=0)
        both = self._recent & (self._components["stored_importance"] >= IMPORTANT_ANYWAY)
        either = (most == REASONS.index(IMPORTANT)) | (most == REASONS.index(RECENT))
        low = (most == REASONS.index("high_similarity")) & (self._components["similarity"] < HIGH_FROM)
        most = np.where(low, REASONS.index(LOW_SIMILARITY), most)
        return np.where(both & either, REASONS.index(RECENT_IMPORTANT), most).tolist()


NO_LIMITS = Limits()


def limits_of(cut_off: float | None, min_score: float | None) -> Limits:
    """The profile's cut-off, or the caller's `min_score` instead of it."""
    if min_score is not None:
        return Limits(score=min_score)
    return NO_LIMITS if cut_off is None else Limits(similarity=cut_off)


def best_first(scores: Figures, ids: Sequence[UUID]) -> list[int]:
    """The places of these scores, highest first, equal ones by memory id."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    if (ordered[1:] < ordered[:-1]).all():
        return order.tolist()
    return sorted(order.tolist(), key=lambda n: (-scores[n], ids[n]))


def ranked(
    candidates: Sequence[Candidate],
    profile: Profile,
    mood: Mood,
    k: int,
    at: datetime,
    out_of_place: Callable[[Candidate], str | None] | None = None,
    limits: Sequence[Limits] = (NO_LIMITS,),
    groups: Sequence[int] | None = None,
) -> Ranking:
    """The best k, and the others with the reason why they are dropped. Equal scores are ordered by memory id.

    `out_of_place` returns a further reason to drop a candidate; `limits` are by group (Ranking.keep).
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
    ranking.keep(k, limits, None if nothing_bars else why_not, groups)
    return ranking


def rerank(
    candidates: Sequence[Candidate],
    profile: Profile,
    mood: Mood,
    k: int,
    at: datetime,
    out_of_place: Callable[[Candidate], str | None] | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[list[Ranked], list[Ranked]]:
    """The kept and the dropped candidates of `ranked`, each best first."""
    ranking = ranked(candidates, profile, mood, k, at, out_of_place, [limits])
    return ranking.kept(), ranking.dropped()


def column(candidates: Sequence[Candidate], name: str) -> Sequence[Any]:
    return (
        candidates.column(name) if isinstance(candidates, Found) else [getattr(c, name) for c in candidates]
    )


def occurred(candidates: Sequence[Candidate]) -> Moments:
    if isinstance(candidates, Found):
        return cast("Moments", candidates.column("moments"))
    return moments([c.occurred_at for c in candidates])


def figures(candidates: Sequence[Candidate], name: str) -> Figures:
    return np.array(column(candidates, name), dtype=np.float64)


def figures_of(candidates: Sequence[Candidate]) -> Mapping[str, Figures]:
    """The features of the similarities; all candidates have the same."""
    if isinstance(candidates, Found):
        return candidates.figures
    names = list(candidates[0].figures) if candidates else []
    return {name: np.array([c.figures[name] for c in candidates], dtype=np.float64) for name in names}


def filtered(candidate: Candidate, mood: Mood) -> str | None:
    """Why the mood excludes a candidate: opposite valence, or no common topic and not important."""
    if (
        mood.valence is not None
        and candidate.valence is not None
        and abs(candidate.valence - mood.valence) > OPPOSITE_VALENCE
    ):
        return "opposite valence"
    if (
        mood.topics
        and candidate.type == "episodic"  # the other types have no topics
        and candidate.importance < IMPORTANT_ANYWAY
        and not {t.casefold() for t in mood.topics} & {t.casefold() for t in candidate.topics}
    ):
        return "no topic in common"
    return None
