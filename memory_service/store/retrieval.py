"""Retrieval: candidates from SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, cast
from uuid import UUID

import numpy as np
import orjson

from memory_service.candidate_arrays import Figures
from memory_service.models.interface import Vectors
from memory_service.profiles import Profile
from memory_service.requests import Filters
from memory_service.store.database import Database, Row
from memory_service.timestamps import as_sent, time_of
from memory_service.types import Candidate, Found, Measured, Superseded

Fuse = Callable[[Measured], tuple[Figures, Mapping[str, Figures]]]
"""From what was measured of the candidates: the similarity of each, and the figures behind it by name."""
MEASURED = (
    "cosine", "reply_cosine", "asked", "found", "by_named", "mentions", "conversation_id",
)  # fmt: skip
"""Columns of a row in the order of the fields of Measured."""
CANDIDATES = (
    "select memory_id, type, content, timestamptz_send(occurred_at) as moments, importance, effective_importance, "
    "valence, emotions, topics, tags_of, metadata, source, confidence, unconfirmed, cosine, asked, found, by_named, "
    "reply, reply_cosine, mentions, from_reply, conversation_id, ended, vital "
    "from memory_api.recall_candidates($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, "
    "$18, $19, $20, $21, coalesce($22, now()), $23)"
)
"""When each occurred comes as it is sent, to be made into one column."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for in a bank, and how much of it."""

    vector: Vectors | None
    """The query's unit vector of 768; None: by the other arms alone."""
    words: str | None
    """The query; None: no word is looked at."""
    named: Sequence[str]
    """The words of the query that call one of the bank's speakers."""
    fetch: int
    """How many each of the vector and the text arm finds."""
    salient: int | None
    """How many of those that stand out by importance and recency are found besides; 0: where the others come short;
    None: none."""
    facts: int
    """How many of the nearest facts are found besides."""
    statuses: Sequence[str]
    """Of episodes."""
    least_confidence: float | None
    """Of facts, as faded at `as_of`; None: the bank's deprecation_confidence, which is the least in any case."""
    profile: Profile
    """What stands out is what this one ranks high."""
    emotions: Sequence[str] | None
    """Of the mood."""
    types: Sequence[str] | None
    filters: Filters
    bars: Mapping[str, Any] | None
    """What the mood keeps out of the episodes (recall/rerank.py)."""
    as_of: datetime | None
    doubtful: Sequence[str] = ()
    """Words that may be misspelt, in lower case: similar words of the bank are searched for where it lacks them."""


class Retrieval:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(self, bank_id: str, model_id: str, search: Search, fuse: Fuse) -> Found:
        """All arms' candidates that pass the filters, each once, in no order. Errors: NotFound."""
        filters = search.filters
        rows = await self._database.rows(
            CANDIDATES,
            bank_id,
            model_id,
            None if search.vector is None else np.asarray(search.vector, dtype=np.float32),
            search.words,
            list(search.named),
            search.fetch,
            search.salient,
            search.facts,
            list(search.statuses),
            search.least_confidence,
            profile_json(search.profile),
            None if search.emotions is None else list(search.emotions),
            None if search.types is None else list(search.types),
            None if filters.tags is None else list(filters.tags),
            filters.min_importance,
            filters.since,
            filters.until,
            filters.recipient,
            filters.agent,
            None if search.bars is None else dict(search.bars),
            search.as_of is not None,
            search.as_of,
            list(search.doubtful) or None,
        )
        return found_in(rows, fuse)

    async def superseded(
        self, bank_id: str, episodes: Sequence[UUID], as_of: datetime | None
    ) -> dict[UUID, Superseded]:
        """Of these episodes those that state a fact which is no longer true at `as_of` (None: now), with that fact."""
        rows = await self._database.rows(
            "select memory_id, fact_id, fact, since, by_id, by_fact, alone "
            "from memory_api.superseded_statements($1, $2, coalesce($3, now()))",
            bank_id, episodes, as_of,
        )  # fmt: skip
        return {row[0]: Superseded(*list(row)[1:]) for row in rows}


@lru_cache(1_000)
def profile_json(profile: Profile) -> bytes:
    return orjson.dumps(asdict(profile))


def found_in(rows: Sequence[Row], fuse: Fuse) -> Found:
    columns: dict[str, Sequence[Any]] = (
        dict(zip(rows[0].keys(), zip(*rows, strict=True), strict=True)) if rows else {}
    )
    moments = as_sent(columns.get("moments", ()))
    columns["moments"] = cast("Sequence[Any]", moments)
    measured = Measured(
        *(columns.get(name, ()) for name in MEASURED),
        occurred_at=moments,
    )
    similarities, figures = fuse(measured)

    def column(name: str) -> Any:
        return similarities if name == "similarity" else columns.get(name, ())

    def make(n: int) -> Candidate:
        row = rows[n]
        behind = {name: values.item(n) for name, values in figures.items()}
        at = time_of(moments, n)
        return to_candidate(row, at, row["effective_importance"], similarities.item(n), behind)

    return Found(len(rows), column, figures, make, not rows or bool(rows[0]["ended"]))


def to_candidate(
    row: Row,
    occurred_at: datetime,
    effective_importance: float,
    similarity: float,
    figures: Mapping[str, float],
) -> Candidate:
    return Candidate(
        row["memory_id"],
        row["type"],
        row["content"],
        occurred_at,
        row["importance"],
        effective_importance,
        row["valence"],
        row["emotions"] or [],
        row["topics"] or [],
        row["tags_of"] or [],
        row["metadata"] or {},
        row["source"],
        similarity,
        figures,
        row["confidence"],
        row["unconfirmed"],
        row.get("reply"),
        row.get("from_reply", False),
        row.get("vital", False),
    )
