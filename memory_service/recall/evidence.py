"""One similarity for every candidate, whichever arm found it: from its vector, its words, who speaks and when.

The weights are few and were chosen once, on four of LoCoMo's conversations (582 questions): R@10 80 and nDCG@10 64;
with each conversation left out in turn 80.3 and 65.0. What each is worth there, by leaving it out: the words 72.4 and
54.9, the speaker 77.4 and 59.4, the period 77.7 and 61.9, taking names out of what is embedded 75.2 and 60.7.

They were chosen for the built-in model's cosines. Another model's are brought to that scale first: what unrelated texts
have, and how far they scatter, is the same afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory_service.moments import Moments, moment
from memory_service.recall.asked import Period
from memory_service.types import CosineScale, Figures

WORDS = 0.8
"""All of the query's words, beside a cosine of 1: a memory that says half of its rare words once has 0.24 for it."""
SPEAKER = 0.15
"""Somebody named in the query speaks in it."""
PERIOD = 0.2
"""It happened in the month or year that the query names."""
ANSWERS = 0.2
"""Of the cosine of the question that the memory answers: an answer seldom repeats what was asked."""

BUILT_IN = CosineScale(0.05, 0.1)
"""The built-in model's scale. `calibrate` finds 0.04 to 0.06 and 0.08 to 0.13 on questions, news and captions."""

MIDDLE = 0.5
"""Evidence that makes a similarity of one half: this and WIDTH matter where similarity is weighed against others."""
WIDTH = 0.12
"""So much more evidence turns the odds by e."""
LARGEST_EXPONENT = 700.0
"""A float ends a little above e to this; a narrow scale leads that far."""


def judged(
    periods: Sequence[Period],
    scale: CosineScale | None,
    cosines: Sequence[float | None],
    asked: Sequence[float | None],
    words: Sequence[float],
    by_named: Sequence[bool],
    occurred_at: Moments,
) -> tuple[Figures, dict[str, Figures]]:
    """The similarities of candidates, and the figures that they are made of by name: one for each candidate, 0 where
    there is none. All at once, because a recall has a hundred.

    `cosines` and `asked` are in [-1,1], as measured, `words` in [0,1], `speaker` and `period` 0 or 1; `evidence` is
    their weighted sum. Without a query vector the words, the speaker and the period make it alone. `scale` is that of
    the model that measured, None the built-in one's; with it come `scaled_cosine` and `scaled_asked`, and those are
    weighed.
    """
    measured, measured_asked = array(cosines), array(asked)
    near, answers = known(measured), known(measured_asked)
    speaker = array(by_named)
    period = np.zeros(len(near))
    for begin, end in periods:
        period[(moment(begin) <= occurred_at) & (occurred_at < moment(end))] = 1.0
    has = array(words)
    figures = {"cosine": near, "words": has, "speaker": speaker, "period": period, "asked": answers}
    if scale is not None:
        figures["scaled_cosine"] = near = scaled(measured, scale)
        figures["scaled_asked"] = answers = scaled(measured_asked, scale)
    evidence = near + WORDS * has + SPEAKER * speaker + PERIOD * period + ANSWERS * np.maximum(answers, 0.0)
    figures["evidence"] = evidence
    return similarity(evidence), figures


def array(values: Sequence[float | None]) -> Figures:
    """As floats, NaN where there is none."""
    return np.array(values, dtype=np.float64)


def known(values: Figures) -> Figures:
    """0 where there is none."""
    return np.where(np.isnan(values), 0.0, values)


def scaled(cosines: Figures, scale: CosineScale) -> Figures:
    """Cosines as the built-in model would have measured them; 0 where there is none."""
    return known(BUILT_IN.mean + (cosines - scale.mean) * BUILT_IN.spread / scale.spread)


def similarity(evidence: Figures) -> Figures:
    """Evidence as figures in [0,1] that rise with it: what `precise` ranks by and the other profiles weigh."""
    return 1 / (1 + np.exp(np.minimum((MIDDLE - evidence) / WIDTH, LARGEST_EXPONENT)))
