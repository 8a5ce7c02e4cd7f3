"""Precision, recall and F1, and their mean over labels."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Score:
    """How well one label was found."""

    precision: float
    recall: float
    f1: float
    found: int
    wanted: int

    def cells(self) -> tuple[str, str, str]:
        return f"{self.precision:.2f}", f"{self.recall:.2f}", f"{self.f1:.2f}"


def score(pairs: Iterable[tuple[bool, bool]]) -> Score:
    """The score of (predicted, true) pairs."""
    hits = found = wanted = 0
    for predicted, true in pairs:
        hits += predicted and true
        found += predicted
        wanted += true
    precision = hits / found if found else 0.0
    recall = hits / wanted if wanted else 0.0
    f1 = 2 * hits / (found + wanted) if hits else 0.0
    return Score(precision, recall, f1, found, wanted)


def by_label(
    predicted: Sequence[Collection[str]], true: Sequence[Collection[str]], labels: Iterable[str]
) -> dict[str, Score]:
    """One score a label; an item may have several labels."""
    both = list(zip(predicted, true, strict=True))
    return {label: score((label in guess, label in truth) for guess, truth in both) for label in labels}


def macro_f1(scores: dict[str, Score]) -> float:
    """The mean F1 over the labels that occur."""
    present = [found.f1 for found in scores.values() if found.wanted]
    return sum(present) / len(present) if present else 0.0


def ndcg(hits: Sequence[bool], wanted: int, k: int = 10) -> float:
    """Normalized discounted gain of the first `k`, where `wanted` items should be found."""
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(wanted, k) + 1))
    return sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:k], 1) if hit) / ideal


def auc(scores: npt.ArrayLike, positive: npt.ArrayLike) -> float:
    """The share of pairs of a positive and another item in which the positive scores higher; ties count half."""
    figures, labels = np.asarray(scores, float), np.asarray(positive, bool)
    _, place, counts = np.unique(figures, return_inverse=True, return_counts=True)
    if labels.all() or not labels.any():
        return float("nan")
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    wanted, others = int(labels.sum()), int((~labels).sum())
    return float((ranks[labels].sum() - wanted * (wanted + 1) / 2) / (wanted * others))
