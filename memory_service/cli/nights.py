"""The command `nights`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_service.cli.sparkline import charts
from memory_service.cli.terminal import AsJson, Cursor, out, print_json, print_table, with_memory

if TYPE_CHECKING:
    from memory_service.results import Night

NAMES = ("started", "banks", "failed", "ms", "tokens", "changes")


def nights(limit: int = 14, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List the nightly runs over all banks, newest first, with charts of their banks, times and tokens."""
    page = with_memory(lambda memory: memory.list_nights(limit=limit, cursor=cursor))
    if as_json:
        print_json(page)
        return
    if not page.items:
        out().print(
            "none: `make nightly` runs the nightly jobs, jobs/crontab runs them every night", style="dim"
        )
        return
    out().print("charts, the oldest night first", style="bold")
    for line in night_charts(page.items[::-1]):
        out().print(line, markup=False, soft_wrap=True)
    out().print()
    print_table(NAMES, [cells_of(night) for night in page.items], page.next_cursor)


def night_charts(found: Sequence[Night]) -> list[str]:
    """Lines with the banks, milliseconds and tokens of each night, in this order."""
    series = (
        ("banks", [banks_of(night) for night in found]),
        ("ms", [milliseconds_of(night) for night in found]),
        ("tokens", [tokens_of(night) for night in found]),
    )
    return charts((name, values, f"{min(values):,} to {max(values):,}") for name, values in series)


def cells_of(night: Night) -> tuple[str, ...]:
    counts = [f"{name} {count:,}" for one in night.passes for name, count in one.counts.items()]
    failed = max((one.failed for one in night.passes), default=0)
    return (
        f"{night.started_at:%Y-%m-%d %H:%M}", f"{banks_of(night):,}", f"{failed:,}",
        f"{milliseconds_of(night):,}", f"{tokens_of(night):,}", ", ".join(counts).replace("_", " ") or "none",
    )  # fmt: skip


def banks_of(night: Night) -> int:
    return max((one.banks for one in night.passes), default=0)


def milliseconds_of(night: Night) -> int:
    return round(1000 * sum(one.seconds for one in night.passes))


def tokens_of(night: Night) -> int:
    return sum(one.tokens for one in night.passes)
