"""A trace as text: the query with its parameters, and a table of the candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_service.results import Trace, Traced

NAMES = ("", "score", "parts", "why", "dropped", "when", "memory")
PARTS = ("similarity", "importance", "recency", "emotion")


def trace_page(trace: Trace) -> tuple[list[str], tuple[str, ...], list[tuple[str, ...]]]:
    """The head lines, the column names and the rows."""
    query = "its query has expired" if trace.query is None else f'"{" ".join(trace.query.split())}"'
    weights = " + ".join(f"{trace.weights[name]:g} {name}" for name in PARTS if name in trace.weights)
    floor = f", floor {trace.weights['floor']:g}" if "floor" in trace.weights else ""
    parameters = ", ".join(f"{name} {value}" for name, value in trace.asked.items())
    head = [
        f"{trace.kind} at {trace.at:%Y-%m-%d %H:%M:%S} UTC: {query}",
        f"profile {trace.profile}: {weights}{floor}",
        f"mode {trace.mode}{', ' + parameters if parameters else ''}"
        + (f", as of {trace.as_of:%Y-%m-%d %H:%M}" if trace.as_of else "")
        + (", DEGRADED: searched by words only" if trace.degraded else ""),
        f"{sum(one.dropped is None for one in trace.candidates)} of {len(trace.candidates)} candidates returned; "
        + ", ".join(f"{name} {value:g}" for name, value in trace.figures.items()),
    ]
    return (
        head,
        NAMES,
        [row_of(place, candidate, trace) for place, candidate in enumerate(trace.candidates, 1)],
    )


def row_of(place: int, candidate: Traced, trace: Trace) -> tuple[str, ...]:
    """One candidate. Each part of the score is printed as weight*component; the parts sum to the score."""
    parts = " + ".join(
        f"{trace.weights[name]:g}*{candidate.components.get(name, 0):.2f}"
        for name in PARTS
        if name in trace.weights
    )
    return (
        str(place),
        f"{candidate.score:.3f}",
        parts,
        candidate.reason,
        candidate.dropped or "",
        f"{candidate.components.get('age_days', 0):.0f} d ago",
        candidate.content or "(gone)",
    )
