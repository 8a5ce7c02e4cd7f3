"""What a trace holds: every candidate with its figures, why it is in or out, where time went; no memory text."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, cast
from uuid import UUID

import numpy as np

from memory_service.profiles import Profile
from memory_service.types import Bank, Ranked

TRACED_CHARS = 2_000
"""Of what was asked, a trace keeps this much."""


@dataclass(slots=True)
class Timing:
    """Where the time of one read went, in milliseconds."""

    started: float = field(default_factory=time.perf_counter)
    figures: dict[str, float] = field(default_factory=dict[str, float])

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.figures[f"{name}_ms"] = round((now - self.started) * 1000, 3)
        self.started = now


def trace_of(
    trace_id: UUID,
    at: datetime,
    kind: str,
    text: str,
    profile: Profile,
    mode: str,
    bank: Bank,
    kept: Sequence[Ranked],
    dropped: Sequence[Ranked],
    degraded: bool,
    timing: Timing,
    as_of: datetime | None = None,
    asked: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A trace's JSON: every candidate with its components and why it is in or out; no memory text.

    `text` and `asked` (what the caller wanted besides) come without secrets. The memories in `kept` count as accessed.
    """
    return {
        "trace_id": str(trace_id),
        "kind": kind,
        "at": at.isoformat(),
        "query": text[:TRACED_CHARS],
        "asked": dict(asked or {}),
        "profile": profile.name,
        "weights": profile.weights(),
        "mode": mode,
        "as_of": None if as_of is None else as_of.isoformat(),
        "embedding_model": bank.embedding_model,
        "returned": len(kept),
        "degraded": degraded,
        "figures": timing.figures,
        "candidates": traced([*kept, *dropped]),
        "seen": [str(r.candidate.memory_id) for r in kept],
    }


def parted(ranked: Sequence[Ranked], why: Mapping[UUID, str]) -> tuple[list[Ranked], list[Ranked]]:
    """What was printed, and what was not with the reason that `why` has for it."""
    used = [r for r in ranked if r.candidate.memory_id not in why]
    unused = [r.out(why[r.candidate.memory_id]) for r in ranked if r.candidate.memory_id in why]
    return used, unused


def traced(ranked: Sequence[Ranked]) -> list[dict[str, Any]]:
    """The candidates' part of a trace."""
    components = rounded([[r.score, *r.components.values()] for r in ranked])
    figures = rounded([list(r.candidate.figures.values()) for r in ranked])
    return [
        {
            "memory_id": str(r.candidate.memory_id),
            **dict(zip(("score", *r.components), shown, strict=True)),
            **({"figures": dict(zip(r.candidate.figures, behind, strict=True))} if behind else {}),
            "reason": r.reason,
            "dropped": r.dropped,
        }
        for r, shown, behind in zip(ranked, components, figures, strict=True)
    ]


def rounded(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """To six places, all at once: of a hundred candidates one by one it takes longer than to rank them."""
    figures = iter(np.asarray([figure for row in rows for figure in row], dtype=np.float64).round(6).tolist())
    return [list(islice(figures, len(row))) for row in rows]


def asked_for(wishes: Mapping[str, object], redact: Callable[[str], str]) -> dict[str, Any]:
    """What of these was asked for at all, as JSON without secrets."""
    return {name: plain(value, redact) for name, value in wishes.items() if value is not None}


def plain(value: object, redact: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [plain(item, redact) for item in cast("Sequence[object]", value)]
    return value
