"""The parts of scores as bars, in units of the viewBox of an SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_service.results import Trace, Traced

PARTS = ("similarity", "importance", "recency", "emotion")
WIDTH = 100.0


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a score: weight times component, and its place in the bar."""

    name: str
    weight: float
    component: float
    points: float
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A candidate of a trace with the bar of its score."""

    place: int
    traced: Traced
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """A reason that candidates were dropped, and how many."""

    reason: str
    count: int


def scored(trace: Trace) -> list[ScoredCandidate]:
    """The candidates with their bars; the longest bar is as wide as the viewBox."""
    points = [points_of(one.components, trace.weights) for one in trace.candidates]
    longest = max((sum(one.values()) for one in points), default=0.0) or 1.0
    return [
        ScoredCandidate(place, one, parts_of(one.components, trace.weights, given, longest))
        for place, (one, given) in enumerate(zip(trace.candidates, points, strict=True), 1)
    ]


def points_of(components: Mapping[str, float], weights: Mapping[str, float]) -> dict[str, float]:
    return {name: weights[name] * components.get(name, 0.0) for name in PARTS if name in weights}


def parts_of(
    components: Mapping[str, float], weights: Mapping[str, float], points: Mapping[str, float], longest: float
) -> tuple[Part, ...]:
    parts: list[Part] = []
    x = 0.0
    for name, value in points.items():
        width = WIDTH * max(value, 0.0) / longest
        parts.append(
            Part(name, weights[name], components.get(name, 0.0), value, round(x, 2), round(width, 2))
        )
        x += width
    return tuple(parts)


def drops(candidates: Sequence[Traced]) -> list[Drop]:
    """The reasons that candidates were dropped, the most frequent first."""
    counts = Counter(one.dropped for one in candidates if one.dropped is not None)
    return [Drop(reason, count) for reason, count in counts.most_common()]
