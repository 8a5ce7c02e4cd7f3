"""Valid times of facts as bands on a common axis, in units of the viewBox of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.results import Fact

WIDTH = 100.0
LEAST = 1.5
"""Width of the shortest band."""


@dataclass(frozen=True, slots=True)
class Band:
    x: float
    width: float
    open: bool
    """True until now."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis from the first begin to the last end, and the band of each fact."""

    begin: datetime
    end: datetime
    bands: dict[UUID, Band]


def axis_of(facts: Sequence[Fact], now: datetime) -> Axis | None:
    """None without facts."""
    if not facts:
        return None
    begin = min(one.valid_from for one in facts)
    end = max([now, *(one.valid_to for one in facts if one.valid_to is not None)])
    length = (end - begin).total_seconds() or 1.0

    def place(at: datetime) -> float:
        return WIDTH * (at - begin).total_seconds() / length

    def band(one: Fact) -> Band:
        x = min(place(one.valid_from), WIDTH - LEAST)
        width = max(place(one.valid_to or end) - x, LEAST)
        return Band(round(x, 2), round(min(width, WIDTH - x), 2), one.valid_to is None)

    return Axis(begin, end, {one.memory_id: band(one) for one in facts})
