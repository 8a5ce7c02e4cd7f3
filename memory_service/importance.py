"""Importance of an episode when it is stored (docs/design.md, "Importance")."""

from __future__ import annotations

from memory_service.types import ImportanceFeatures

BASE = 0.5
EMOTION = 0.3
PERSONAL = 0.2
DECISION = 0.2
REQUESTED = 0.4
CONFLICT = 0.25
PER_REFERENCE = 0.1


def stored_importance(features: ImportanceFeatures, references: int = 0) -> float:
    """Return the importance, 0..1, of an episode with these graded features and `references` later references.

    It never changes with age.
    """
    score = (
        BASE
        + EMOTION * features.emotion
        + PERSONAL * features.personal
        + DECISION * features.decision
        + REQUESTED * features.asked
        + CONFLICT * features.conflict
        + PER_REFERENCE * references
    )
    return min(max(score, 0.0), 1.0)
