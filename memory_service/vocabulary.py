"""Closed lists of words that inputs are checked against; apart from types.py, which takes longer to import."""

from __future__ import annotations

from typing import Literal

Role = Literal["user", "assistant", "system", "tool"]

EMOTIONS: tuple[str, ...] = (
    "admiration", "amusement", "anger", "annoyance", "approval", "caring", "confusion", "curiosity",
    "desire", "disappointment", "disapproval", "disgust", "embarrassment", "excitement", "fear",
    "gratitude", "grief", "joy", "love", "nervousness", "optimism", "pride", "realization", "relief",
    "remorse", "sadness", "surprise", "neutral",
)  # fmt: skip
"""The taxonomy of emotion labels: GoEmotions (Demszky et al. 2020), 27 emotions and neutral."""
