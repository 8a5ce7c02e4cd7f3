"""Reranking: a profile's weights over what is known of each candidate; then its floor and the context filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memory_service.inputs import Mood
from memory_service.profiles import Profile
from memory_service.types import Candidate, Ranked

RECENCY_DAYS = 30.0
OPPOSITE_VALENCE = 1.0
IMPORTANT_ANYWAY = 0.7
RECENT_DAYS = 7.0

Parts = tuple[float, float, float, float]
"""What similarity, importance, recency and the mood add to a score."""

IMPORTANT, RECENT = "important", "recent"
REASONS = ("high_similarity", IMPORTANT, RECENT, "emotional_match")
"""The same, as reasons."""
RECENT_IMPORTANT = "recent_important"


def recency(age_days: float) -> float:
    """1 today, 1/2 after 30 days (S2 "Hybrid Retrieval System")."""
    return 1 / (1 + max(age_days, 0.0) / RECENCY_DAYS)


def rerank(
    candidates: Sequence[Candidate],
    profile: Profile,
    mood: Mood,
    k: int,
    at: datetime,
    out_of_place: Callable[[Candidate], str | None] = lambda _: None,
) -> tuple[list[Ranked], list[Ranked]]:
    """The best k, best first, and the others, best first, with what dropped them. Equal scores go by memory id.

    `out_of_place` says why a candidate is dropped for more than the mood's filters, if it is.
    """
    ranked = [score(candidate, profile, mood, at) for candidate in candidates]
    ranked.sort(key=lambda r: (-r.score, r.candidate.memory_id))
    kept: list[Ranked] = []
    dropped: list[Ranked] = []
    beyond = f"beyond k={k}"
    for item in ranked:
        why = filtered(item.candidate, mood) or out_of_place(item.candidate) or below_floor(item, profile)
        if why is None and len(kept) < k:
            kept.append(item)
        else:
            dropped.append(item.out(why or beyond))
    return kept, dropped


def score(candidate: Candidate, profile: Profile, mood: Mood, at: datetime) -> Ranked:
    """A candidate with its score, the figures behind it, and why it stands where it does.

    `components`: similarity, importance as it is ranked with, the stored one, recency (each 0..1), `emotion`, the
    labels shared with the mood, and age in days at `at`; of a fact its confidence, which is no part of the score.
    """
    age_days = max((at - candidate.occurred_at).total_seconds() / 86400, 0.0)
    importance = candidate.effective_importance if profile.fades else candidate.importance
    components = {
        "similarity": candidate.similarity,
        "importance": importance,
        "recency": recency(age_days),
        "emotion": float(len(set(mood.emotions) & set(candidate.emotions))) if mood.emotions else 0.0,
        "stored_importance": candidate.importance,
        "age_days": round(age_days, 3),
    }
    if candidate.confidence is not None:
        components["confidence"] = candidate.confidence
    parts = weighed(profile, components, importance)
    return Ranked(candidate, sum(parts), components, reason_of(parts, candidate, age_days))


def weighed(profile: Profile, components: Mapping[str, float], importance: float) -> Parts:
    """What each figure adds to the score."""
    return (
        profile.similarity * components["similarity"],
        profile.importance * importance,
        profile.recency * components["recency"],
        profile.emotion * components["emotion"],
    )


def reason_of(parts: Parts, candidate: Candidate, age_days: float) -> str:
    """The part that counted most, in S2's words. `recent_important` is what S2 picks as such: of the last seven days
    and of an importance of at least 0.7, where one of the two counted most."""
    reason = REASONS[parts.index(max(parts))]
    if reason in (IMPORTANT, RECENT) and age_days <= RECENT_DAYS and candidate.importance >= IMPORTANT_ANYWAY:
        return RECENT_IMPORTANT
    return reason


def below_floor(item: Ranked, profile: Profile) -> str | None:
    """S2's threshold, of profiles that have one: fading moves a memory down, never out."""
    if profile.floor is None:
        return None
    unfaded = sum(weighed(profile, item.components, item.candidate.importance))
    return None if unfaded > profile.floor else f"below the floor of {profile.floor:g}"


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
