"""A fact's confidence over time: a step at each version, and its decay since the last confirmation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_service.results import Fact, FactVersion, MemoryItem

DECAY_POINTS = 24


@dataclass(frozen=True, slots=True)
class Point:
    at: datetime
    confidence: float
    reason: str
    """Of the version; empty between versions."""


@dataclass(frozen=True, slots=True)
class ConfidenceLine:
    """The line, and the times of its evidence."""

    points: tuple[Point, ...]
    evidence: tuple[datetime, ...]

    def figures(self) -> dict[str, list[float]]:
        """Seconds since 1970 and confidences, for the chart."""
        return {
            "x": [point.at.timestamp() for point in self.points],
            "y": [round(point.confidence, 4) for point in self.points],
            "evidence": [at.timestamp() for at in self.evidence],
        }


def confidence_line(
    fact: Fact, versions: Sequence[FactVersion], evidence: Sequence[MemoryItem], now: datetime
) -> ConfidenceLine:
    """The confidence at each version, and from the last one to `now`, where the fact's confidence includes decay."""
    points: list[Point] = []
    for before, one in zip([None, *versions], versions, strict=False):
        confirmed = before is None or one.last_confirmed != before.last_confirmed
        at = one.last_confirmed if confirmed else one.at
        if points:
            at = max(at, points[-1].at)
            points.append(Point(at, points[-1].confidence, ""))
        points.append(Point(at, one.confidence, one.reason))
    if points and points[-1].at < now:
        points += decay(points[-1], fact.confidence, now)
    return ConfidenceLine(tuple(points), tuple(sorted(one.occurred_at for one in evidence)))


def decay(last: Point, confidence: float, now: datetime) -> list[Point]:
    """Points of the exponential decay from the last version to the confidence now."""
    days = (now - last.at).total_seconds() / 86_400
    if not 0 < confidence < last.confidence:
        return [Point(now, confidence, "")]
    rate = math.log(last.confidence / confidence) / days
    steps = [days * n / DECAY_POINTS for n in range(1, DECAY_POINTS + 1)]
    return [
        Point(last.at + timedelta(days=day), last.confidence * math.exp(-rate * day), "") for day in steps
    ]
