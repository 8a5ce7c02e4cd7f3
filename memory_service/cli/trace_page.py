"""A trace as a page for people: what was asked, and a table of the candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_service.types import Trace, Traced

NAMES = ("", "score", "parts", "why", "dropped", "when", "memory")
PARTS = ("similarity", "importance", "recency", "emotion")


def trace_page(trace: Trace) -> tuple[list[str], tuple[str, ...], list[tuple[str, ...]]]:
    """The lines above, the table's head and its rows."""
    query = "its query has expired" if trace.query is None else f'"{" ".join(trace.query.split())}"'
    weights = " + ".join(f"{trace.weights[name]:g} {name}" for name in PARTS if name in trace.weights)
    floor = f", floor {trace.weights['floor']:g}" if "floor" in trace.weights else ""
    asked = ", ".join(f"{name} {value}" for name, value in trace.asked.items())
    head = [
        f"{trace.kind} at {trace.at:%Y-%m-%d %H:%M:%S} UTC: {query}",
        f"profile {trace.profile}: {weights}{floor}",
        f"mode {trace.mode}{', ' + asked if asked else ''}"
        + (f", as of {trace.as_of:%Y-%m-%d %H:%M}" if trace.as_of else "")
        + (", DEGRADED: found by words alone" if trace.degraded else ""),
        f"{trace.returned} of {len(trace.candidates)} candidates returned; "
        + ", ".join(f"{name} {value:g}" for name, value in trace.figures.items()),
    ]
    return head, NAMES, [row_of(place, one, trace) for place, one in enumerate(trace.candidates, 1)]


def row_of(place: int, one: Traced, trace: Trace) -> tuple[str, ...]:
    """Each part as the weight times the figure: what sums to the score."""
    parts = " + ".join(
        f"{trace.weights[name]:g}*{one.components.get(name, 0):.2f}"
        for name in PARTS
        if name in trace.weights
    )
    return (
        str(place),
        f"{one.score:.3f}",
        parts,
        one.reason,
        one.dropped or "",
        f"{one.components.get('age_days', 0):.0f} d ago",
        one.content or "(gone)",
    )
