"""Score fusion: one similarity for every candidate, whichever arm found it.

The fused score is a weighted sum of features that are comparable between queries and banks:

    cosine      of the query and the memory's nearest part, -1..1
    reply_lead  cosine of the query and the extract of the assistant's reply minus `cosine`, at least 0; twice that
                where the query names the agent
    words       share of the query's words that the memory has, by rarity, 0..1, times the coverage
    speaker     1 where a person named in the query speaks in it or the fact is about them
    period      1 where it happened in a period that the query names
    mentions    how many kinds of things that the query asks for the memory mentions (a date for "when", ...), times the
                coverage
    session     fused score of the best other candidate of the same conversation, as far as it is above the lowest of
                the best tenth

The coverage is that of the query by its best candidate: 0 where none has 5 % of its words, 1 from 15 % on. Below, the
common words are accidental and the cosine decides. A reply and a session only add their lead over the memory itself
or over most candidates: memories without either are not ranked lower for it.

The weights are in fusion_weights.py, fitted by tests/bench/quality/fusion.py with the built-in embedding model. Cosines
of another model are first brought to the built-in model's scale: mean and spread of unrelated texts are the same
afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from memory_service.candidate_arrays import Figures
from memory_service.fusion_weights import WEIGHTS
from memory_service.recall.query_analysis import Period
from memory_service.timestamps import Moments, moment
from memory_service.types import CosineScale, Measured

BUILT_IN_SCALE = CosineScale(0.05, 0.1)
"""The built-in model's scale. `calibrate` finds 0.04 to 0.06 and 0.08 to 0.13 on questions, news and captions."""

MIDDLE = 0.8
"""Fused score with a similarity of one half."""
WIDTH = 0.25
"""Fused score that multiplies the odds of a similarity by e. Wide enough to distinguish good matches: at 0.12, with the
middle at 0.5, importance and recency outweigh relevance among them (LoCoMo nDCG@10 57 instead of 70)."""
LEAST_COVERAGE, FULL_COVERAGE = 0.05, 0.15
"""The best candidate has a median of 0.09 to 0.11 of the words in sets whose questions avoid the words of the answer
(LoCoMo-Plus, PrefEval), 0.15 to 0.44 in the others."""
BEST_PART = 0.1
"""Of the candidates: those above them lift their sessions."""
LARGEST_EXPONENT = 700.0
"""e to a higher power overflows a float."""


def fused(
    measured: Measured,
    periods: Sequence[Period] = (),
    kinds: Sequence[int] = (),
    scale: CosineScale | None = None,
    names_agent: bool = False,
    weights: Mapping[str, float] = WEIGHTS,
) -> tuple[Figures, dict[str, Figures]]:
    """The similarities of candidates in [0,1], and their features by name, 0 where a candidate has none.

    `periods` and `kinds` are those of the query (recall/query_analysis.py), `names_agent` is whether it names the
    agent. `scale` is the embedding model's, None the built-in one's; with it come `scaled_cosine` and `scaled_reply`,
    and those are weighed. `reply`, the cosine itself, has no weight. Without a query vector the score consists of the
    other features.
    """
    cosines = {
        name: np.array(values, dtype=np.float64)
        for name, values in (("cosine", measured.cosine), ("reply", measured.reply))
    }
    words = np.array(measured.words, dtype=np.float64)
    covered = coverage(words)
    figures = {name: known(values) for name, values in cosines.items()}
    compared = figures
    if scale is not None:
        compared = {name: to_built_in(values, scale) for name, values in cosines.items()}
        figures |= {f"scaled_{name}": values for name, values in compared.items()}
    has_reply = ~np.isnan(cosines["reply"])
    lead = np.where(has_reply, np.maximum(compared["reply"] - compared["cosine"], 0.0), 0.0)
    figures |= {
        "reply_lead": 2 * lead if names_agent else lead,
        "words": covered * words,
        "speaker": np.array(measured.speaker, dtype=np.float64),
        "period": in_periods(measured.occurred_at, periods),
        "mentions": covered * mentioned(measured.mentions, kinds),
    }
    weighed = figures | {"cosine": compared["cosine"]}
    score = np.zeros(len(words))
    for name, weight in weights.items():
        if name != "session":
            score += weight * weighed[name]
    figures["session"] = np.maximum(best_beside(score, measured.conversation) - best_part(score), 0.0)
    score = score + weights["session"] * figures["session"]
    figures["fused"] = score
    return similarity(score), figures


def coverage(words: Figures) -> float:
    """How far the candidates' best share of the query's words counts, 0..1."""
    best = float(words.max(initial=0.0))
    return min(max((best - LEAST_COVERAGE) / (FULL_COVERAGE - LEAST_COVERAGE), 0.0), 1.0)


def best_part(score: Figures) -> float:
    """The score that BEST_PART of the candidates reach, at least 0."""
    if not len(score):
        return 0.0
    place = int((1 - BEST_PART) * len(score))
    return max(float(np.partition(score, place)[place]), 0.0)


def known(values: Figures) -> Figures:
    """The values, 0 for NaN."""
    return np.where(np.isnan(values), 0.0, values)


def to_built_in(cosines: Figures, scale: CosineScale) -> Figures:
    """Cosines on the built-in model's scale; 0 for NaN."""
    return known(BUILT_IN_SCALE.mean + (cosines - scale.mean) * BUILT_IN_SCALE.spread / scale.spread)


def in_periods(occurred_at: Moments, periods: Sequence[Period]) -> Figures:
    """1 for times in one of the periods, else 0."""
    found = np.zeros(len(occurred_at))
    for begin, end in periods:
        found[(moment(begin) <= occurred_at) & (occurred_at < moment(end))] = 1.0
    return found


def mentioned(masks: Sequence[int | None], kinds: Sequence[int]) -> Figures:
    """The number of these kinds that each candidate mentions."""
    if not kinds:
        return np.zeros(len(masks))
    has = np.array([mask or 0 for mask in masks], dtype=np.int64)
    found = np.zeros(len(masks))
    for kind in kinds:
        found += (has & kind) != 0
    return found


def best_beside(score: Figures, conversations: Sequence[str | None]) -> Figures:
    """The highest score of the other candidates of the same conversation; at least 0."""
    best: dict[str, tuple[float, float, int]] = {}
    for n, (conversation, value) in enumerate(zip(conversations, score.tolist(), strict=True)):
        if conversation is not None:
            first, second, place = best.get(conversation, (0.0, 0.0, -1))
            if value > first:
                best[conversation] = (value, first, n)
            elif value > second:
                best[conversation] = (first, value, place)
    found = np.zeros(len(score))
    for n, conversation in enumerate(conversations):
        if conversation is not None:
            first, second, place = best.get(conversation, (0.0, 0.0, -1))
            found[n] = second if place == n else first
    return found


def similarity(score: Figures) -> Figures:
    """Fused scores mapped to [0,1], monotonically."""
    return 1 / (1 + np.exp(np.minimum((MIDDLE - score) / WIDTH, LARGEST_EXPONENT)))
