"""Sparklines: a series of numbers as one line of block characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

BLOCKS = "▁▂▃▄▅▆▇█"
ZERO = "."


def sparkline(values: Sequence[float], top: float | None = None) -> str:
    """One character for each value, from ZERO for 0 up to the highest block for `top` (default: the largest value)."""
    highest = top if top is not None else max(values, default=0)
    return "".join(
        BLOCKS[min(int(value / highest * len(BLOCKS)), len(BLOCKS) - 1)] if value > 0 else ZERO
        for value in values
    )


def charts(series: Iterable[tuple[str, Sequence[float], str]]) -> list[str]:
    """Lines of a name, the sparkline of its values, and a remark, aligned."""
    rows = [(name, sparkline(values), remark) for name, values, remark in series]
    names = max((len(name) for name, _, _ in rows), default=0)
    return [f"{name:<{names}}  {line}  {remark}".rstrip() for name, line, remark in rows]
