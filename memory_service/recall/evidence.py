"""One similarity for every candidate, whichever arm found it: from its vector, its words, who speaks and when.

The weights are few and were chosen once, on four of LoCoMo's conversations (582 questions): R@10 80 and nDCG@10 64;
with each conversation left out in turn 80.3 and 65.0. What each is worth there, by leaving it out: the words 72.4 and
54.9, the speaker 77.4 and 59.4, the period 77.7 and 61.9, taking names out of what is embedded 75.2 and 60.7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from memory_service.recall.asked import Period

WORDS = 0.8
"""All of the query's words, beside a cosine of 1: a memory that says half of its rare words once has 0.24 for it."""
SPEAKER = 0.15
"""Somebody named in the query speaks in it."""
PERIOD = 0.2
"""It happened in the month or year that the query names."""
ANSWERS = 0.2
"""Of the cosine of the question that the memory answers: an answer seldom repeats what was asked."""

MIDDLE = 0.5
"""Evidence that makes a similarity of one half: this and WIDTH matter where similarity is weighed against others."""
WIDTH = 0.12
"""So much more evidence turns the odds by e."""


def judged(
    periods: Sequence[Period],
    cosine: float | None,
    asked: float | None,
    words: float,
    by_named: bool,
    occurred_at: datetime,
) -> tuple[float, dict[str, float]]:
    """A candidate's similarity, and the figures that it is made of, 0 where there is none.

    `cosine` and `asked` are in [-1,1], `words` in [0,1], `speaker` and `period` 0 or 1; `evidence` is their weighted
    sum. Without a query vector the words, the speaker and the period make it alone.
    """
    figures = {
        "cosine": cosine or 0.0,
        "words": words,
        "speaker": float(by_named),
        "period": float(any(begin <= occurred_at < end for begin, end in periods)) if periods else 0.0,
        "asked": asked or 0.0,
    }
    evidence = (
        figures["cosine"]
        + WORDS * words
        + SPEAKER * figures["speaker"]
        + PERIOD * figures["period"]
        + ANSWERS * max(figures["asked"], 0.0)
    )
    figures["evidence"] = evidence
    return similarity(evidence), figures


def similarity(evidence: float) -> float:
    """Evidence as a figure in [0,1] that rises with it: what `precise` ranks by and the other profiles weigh."""
    return 1 / (1 + math.exp((MIDDLE - evidence) / WIDTH))
