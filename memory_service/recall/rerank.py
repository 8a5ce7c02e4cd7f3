"""Reranking: a profile's weights over similarity, effective importance and recency; then the context filters."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_service.inputs import Mood
from memory_service.types import Candidate, Ranked

PROFILES: dict[str, dict[str, float]] = {
    "balanced": {"similarity": 0.5, "importance": 0.3, "recency": 0.2},  # S1 5.1, S3 2.3
    "precise": {"similarity": 1.0},
    "legacy": {"importance": 0.6, "recency": 0.4},  # S5 "Score memories"
}
"""Weights by profile (DESIGN §4)."""

RECENCY_DAYS = 30.0
OPPOSITE_VALENCE = 1.0
IMPORTANT_ANYWAY = 0.7

REASONS = {"similarity": "high_similarity", "importance": "important", "recency": "recent"}


def recency(age_days: float) -> float:
    """1 today, 1/2 after 30 days (S2 "Hybrid Retrieval System")."""
    return 1 / (1 + max(age_days, 0.0) / RECENCY_DAYS)


def rerank(
    candidates: Sequence[Candidate], profile: str, mood: Mood, k: int, at: datetime
) -> tuple[list[Ranked], list[Ranked]]:
    """The best k, best first, and the others with what dropped them. Equal scores go by memory id."""
    weights = PROFILES[profile]
    ranked = [score(candidate, weights, at) for candidate in candidates]
    ranked.sort(key=lambda r: (-r.score, r.candidate.memory_id))
    kept: list[Ranked] = []
    dropped: list[Ranked] = []
    for item in ranked:
        why = filtered(item.candidate, mood) or (f"beyond k={k}" if len(kept) >= k else None)
        if why is None:
            kept.append(item)
        else:
            dropped.append(Ranked(item.candidate, item.score, item.components, item.reason, why))
    return kept, dropped


def score(candidate: Candidate, weights: dict[str, float], at: datetime) -> Ranked:
    """A candidate with its score, the parts of it, and the part that counted most."""
    age_days = (at - candidate.occurred_at).total_seconds() / 86400
    signals = {
        "similarity": candidate.similarity,
        "importance": candidate.effective_importance,
        "recency": recency(age_days),
    }
    weighted = {name: weight * signals[name] for name, weight in weights.items()}
    strongest = max(weighted, key=lambda name: weighted[name])
    return Ranked(
        candidate,
        sum(weighted.values()),
        {**signals, "age_days": round(max(age_days, 0.0), 3)},
        REASONS[strongest],
    )


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
        and candidate.importance < IMPORTANT_ANYWAY
        and not {t.casefold() for t in mood.topics} & {t.casefold() for t in candidate.topics}
    ):
        return "no topic in common"
    return None
