"""Precision, recall and F1, and their mean over labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


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
