"""Candidates for recalls and contexts."""

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
from memory_service.store.area import Area
from memory_service.store.database import Row, at_time
from memory_service.timestamps import as_sent, time_of
from memory_service.types import Candidate, FiguresOf, Found, Measured, Superseded

Fuse = Callable[[Measured], tuple[Figures, Mapping[str, Figures]]]
"""From the candidates' measures: the similarity of each, and its components by name."""
MEASURED = (
    "cosine", "reply_cosine", "found", "by_named", "mentions", "conversation_id",
)  # fmt: skip
"""Columns in the order of the fields of Measured."""
COLUMNS = (
    "memory_id, type, content, timestamptz_send(occurred_at) as moments, importance, effective_importance, "
    "valence, emotions, topics, tags_of, metadata, source, confidence, unconfirmed, cosine, found, by_named, "
    "reply, reply_cosine, mentions, from_reply, conversation_id, ended, vital, vital_by_attribute"
)
"""`occurred_at` as its eight bytes on the wire, to be made one array (memory_service/timestamps.py)."""


@dataclass(frozen=True, slots=True)
class Search:
    """What to search in a bank, and how much to fetch."""

    vector: Vectors | None
    """The query's unit vector of 768; None: without the arm meaning."""
    words: str | None
    """The query; None: without the arm words."""
    named: Sequence[str]
    """Words of the query that name speakers of the bank."""
    fetch: int
    """Rows of the arm meaning, and of the arm words."""
    salient: int | None
    """Rows of the arm by importance and recency; 0: only where the other arms return too few; None: none."""
    facts: int
    """Nearest facts that are fetched in addition."""
    statuses: Sequence[str]
    """Of episodes."""
    least_confidence: float | None
    """Of facts, as decayed at `as_of`; at least the bank's deprecation_confidence, which None stands for."""
    profile: Profile
    """The weights of importance and recency."""
    emotions: Sequence[str] | None
    """Of the mood."""
    types: Sequence[str] | None
    filters: Filters
    bars: Mapping[str, Any] | None
    """Limits that the mood sets on episodes (recall/rerank.py)."""
    as_of: datetime | None
    procedures: int = 0
    """Nearest procedures that are fetched in addition; 0: none."""
    doubtful: Sequence[str] = ()
    """Words that may be misspelt, in lower case: where the bank's text index lacks one, similar words are searched."""
    names_agent: bool = False
    """Whether the query names the agent: words of its replies count as much as the memory's own."""


class Retrieval(Area):
    async def candidates(self, bank_id: str, model_id: str, search: Search, fuse: Fuse) -> Found:
        """The candidates of all arms that pass the filters, each once, unordered. Errors: NotFound."""
        filters = search.filters
        rows = await self._database.rows(
            "memory_api.recall_candidates",
            select=COLUMNS,
            bank=bank_id,
            model=model_id,
            query=None if search.vector is None else np.asarray(search.vector, dtype=np.float32),
            words=search.words,
            named=search.named,
            fetch_count=search.fetch,
            salient_count=search.salient,
            facts_count=search.facts,
            statuses=search.statuses,
            least_confidence=search.least_confidence,
            profile=profile_json(search.profile),
            labels=search.emotions,
            types=search.types,
            tags=filters.tags,
            min_importance=filters.min_importance,
            since=filters.since,
            until=filters.until,
            recipient=filters.recipient,
            agent=filters.agent,
            bars=search.bars,
            historical=search.as_of is not None,
            doubtful=search.doubtful or None,
            names_agent=search.names_agent,
            procedures_count=search.procedures,
            **at_time(search.as_of),
        )
        return to_found(rows, fuse)

    async def superseded(
        self, bank_id: str, episodes: Sequence[UUID], as_of: datetime | None
    ) -> dict[UUID, Superseded]:
        """The latest superseded fact of each of these episodes that states one, as of `as_of`, None: now."""
        rows = await self._database.rows(
            "memory_api.superseded_statements", bank=bank_id, episodes=episodes, **at_time(as_of)
        )
        return {memory_id: Superseded(*fields) for memory_id, *fields in rows}


@lru_cache(1_000)
def profile_json(profile: Profile) -> bytes:
    return orjson.dumps(asdict(profile))


def to_found(rows: Sequence[Row], fuse: Fuse) -> Found:
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
        at = time_of(moments, n)
        importance = row["effective_importance"]
        return to_candidate(row, at, importance, similarities.item(n), FiguresOf(figures, n))

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
        row.get("vital_by_attribute", False),
    )
