"""What a trace holds: every candidate with its figures, why it is in or out, where time went; no memory text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

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
    kind: str,
    text: str,
    profile: str,
    mode: str,
    bank: Bank,
    kept: Sequence[Ranked],
    dropped: Sequence[Ranked],
    degraded: bool,
    timing: Timing,
) -> dict[str, Any]:
    """A trace's JSON: every candidate with its components and why it is in or out; no memory text."""
    return {
        "trace_id": str(trace_id),
        "kind": kind,
        "query": text[:TRACED_CHARS],
        "profile": profile,
        "mode": mode,
        "embedding_model": bank.embedding_model,
        "returned": len(kept),
        "degraded": degraded,
        "figures": timing.figures,
        "candidates": [
            {
                "memory_id": str(r.candidate.memory_id),
                "score": round(r.score, 6),
                **{name: round(value, 6) for name, value in r.components.items()},
                "reason": r.reason,
                "dropped": r.dropped,
            }
            for r in (*kept, *dropped)
        ],
    }
