"""The record of a read: each candidate with its score components and the reason, and timings; no memory text."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast
from uuid import UUID

import numpy as np
import orjson

from memory_service.candidate_arrays import Figures
from memory_service.profiles import Profile
from memory_service.types import Bank, Ranked

TRACED_CHARS = 2_000
"""Characters of the query that a trace keeps."""


@dataclass(slots=True)
class Timing:
    """Durations of the steps of one read, in milliseconds."""

    started: float = field(default_factory=time.perf_counter)
    figures: dict[str, float] = field(default_factory=dict[str, float])

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.figures[f"{name}_ms"] = round((now - self.started) * 1000, 3)
        self.started = now


@dataclass(frozen=True, slots=True)
class Columns:
    """The candidates of a trace as columns: a fraction of the time of one object each, half of the bytes."""

    order: Sequence[int]
    """Places of the traced candidates, in their order."""
    memory_ids: Sequence[UUID]
    scores: Sequence[float] | Figures
    components: Mapping[str, Sequence[float | None] | Figures]
    figures: Mapping[str, Sequence[float | None] | Figures]
    reasons: Sequence[str]
    dropped: Sequence[str | None]
    """In `order`."""

    def as_text(self) -> str:
        """As JSON, numbers to six places; null where a candidate has no value."""
        names = ("score", *self.components)
        # As one array: by columns, or one by one, it takes longer than the ranking.
        table = np.asarray([self.scores, *self.components.values(), *self.figures.values()], dtype=np.float64)
        rounded = np.ascontiguousarray(table[:, list(self.order)].round(6))
        columns = {
            "memory_id": [str(self.memory_ids[n]) for n in self.order],
            **dict(zip(names, rounded, strict=False)),
            "figures": dict(zip(self.figures, rounded[len(names) :], strict=True)),
            "reason": [self.reasons[n] for n in self.order],
            "dropped": list(self.dropped),
        }
        return orjson.dumps(columns, option=orjson.OPT_SERIALIZE_NUMPY).decode()


def trace_of(
    trace_id: UUID,
    at: datetime,
    kind: str,
    text: str,
    profile: Profile,
    mode: str,
    bank: Bank,
    seen: Sequence[UUID],
    candidates: Columns,
    degraded: bool,
    timing: Timing,
    as_of: datetime | None = None,
    asked: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A trace's JSON: the components and reasons of all `candidates`; no memory text.

    `text`, the query, and `asked`, the other request fields, are redacted. Memories in `seen` are counted as accessed.
    """
    return {
        "trace_id": str(trace_id),
        "kind": kind,
        "at": at.isoformat(),
        "query": text[:TRACED_CHARS],
        "parameters": dict(asked or {}),
        "profile": profile.name,
        "weights": profile.weights(),
        "mode": mode,
        "as_of": None if as_of is None else as_of.isoformat(),
        "embedding_model": bank.embedding_model,
        "returned": len(seen),
        "degraded": degraded,
        "figures": timing.figures,
        "candidates": candidates.as_text(),
        "seen": [str(memory_id) for memory_id in seen],
    }


def split_used(ranked: Sequence[Ranked], why: Mapping[UUID, str]) -> tuple[list[Ranked], list[Ranked]]:
    """The printed candidates, and the others with their reason in `why`."""
    used = [r for r in ranked if r.candidate.memory_id not in why]
    unused = [r.out(why[r.candidate.memory_id]) for r in ranked if r.candidate.memory_id in why]
    return used, unused


def columns_of(ranked: Sequence[Ranked]) -> Columns:
    """The columns of a trace; a component or feature that a candidate lacks is null."""
    components = dict.fromkeys(name for r in ranked for name in r.components)
    figures = dict.fromkeys(name for r in ranked for name in r.candidate.figures)
    return Columns(
        range(len(ranked)),
        [r.candidate.memory_id for r in ranked],
        [r.score for r in ranked],
        {name: [r.components.get(name) for r in ranked] for name in components},
        {name: [r.candidate.figures.get(name) for r in ranked] for name in figures},
        [r.reason for r in ranked],
        [r.dropped for r in ranked],
    )


def request_fields(fields: Mapping[str, object], redact: Callable[[str], str]) -> dict[str, Any]:
    """The fields that are set, as redacted JSON."""
    return {name: plain(value, redact) for name, value in fields.items() if value is not None}


def plain(value: object, redact: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [plain(item, redact) for item in cast("Sequence[object]", value)]
    return value
