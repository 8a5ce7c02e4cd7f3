"""Timing: operations taken in turns, so that a busy moment of the machine falls on all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable

Operation = Callable[[], Awaitable[object]]


async def medians(operations: dict[str, Operation], *, rounds: int, each: int = 20) -> dict[str, float]:
    """The median milliseconds of each operation; they take turns, `each` calls at a time."""
    taken: dict[str, list[float]] = {name: [] for name in operations}
    for number in range(rounds + 2):
        for name, operation in operations.items():
            for _ in range(each):
                started = time.perf_counter()
                await operation()
                if number >= 2:  # the first rounds warm caches up
                    taken[name].append((time.perf_counter() - started) * 1000)
    return {name: statistics.median(values) for name, values in taken.items()}
