"""Timing: operations taken in turns, so that a busy moment of the machine falls on all of them, and how it is shown."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable

from rich.table import Table

Operation = Callable[[], Awaitable[object]]


async def medians(
    operations: dict[str, Operation], *, rounds: int, each: int = 20, pause: float = 0.0
) -> dict[str, float]:
    """The median milliseconds of each operation; they take turns, `each` calls at a time, `pause` seconds before
    each call."""
    taken: dict[str, list[float]] = {name: [] for name in operations}
    for number in range(rounds + 2):
        for name, operation in operations.items():
            for _ in range(each):
                await asyncio.sleep(pause)
                started = time.perf_counter()
                await operation()
                if number >= 2:  # the first rounds warm caches up
                    taken[name].append((time.perf_counter() - started) * 1000)
    return {name: statistics.median(values) for name, values in taken.items()}


def row(table: Table, name: str, ours: float, bare: float, against: str) -> None:
    """One line: milliseconds of ours and of the bare operation, and their ratio."""
    table.add_row(name, f"{ours:.3f} ms", f"{bare:.3f} ms", f"{ours / bare:.2f}", against)
