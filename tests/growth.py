"""Whether work grows in proportion to what it is given, however fast the machine is and whatever else it does."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

TURNS = 12
TIMES = 4
UNMEASURABLE = 0.0005
"""Seconds: what takes less is quick enough."""


def check_growth(work: Callable[[str], object], piece: str, length: int = 32_000) -> None:
    """Fail where `work` on so many characters of `piece` takes far more than four times as long as on a fourth of them.

    Processor time, the least of several runs in turns; as soon as one pair is in proportion nothing is quadratic, which
    would be sixteen times.
    """

    def seconds(characters: int) -> float:
        text = (piece * (characters // len(piece) + 1))[:characters]
        began = time.process_time()
        work(text)
        return time.process_time() - began

    short = long = float("inf")
    for _ in range(TURNS):
        short, long = min(short, seconds(length // TIMES)), min(long, seconds(length))
        if long < 9 * max(short, UNMEASURABLE):
            return
    pytest.fail(f"{long / short:.1f} times as long for four times the text")
