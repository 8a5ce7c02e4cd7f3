"""Retrieval: candidates from SQL, and the record of each read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from memory_service.inputs import Filters
from memory_service.models.interface import Vectors
from memory_service.store.database import Database
from memory_service.types import Candidate


class Retrieval:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(
        self,
        bank_id: str,
        model_id: str,
        query: Vectors | None,
        words: str,
        fetch: int,
        statuses: Sequence[str],
        filters: Filters,
        as_of: datetime | None,
    ) -> list[Candidate]:
        """The nearest memories that pass the filters: by `query`, one unit vector of 768, or, where there is none, by
        the words. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.recall_candidates("
            "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($13, now()), $14)",
            bank_id,
            model_id,
            None if query is None else np.asarray(query, dtype=np.float32),
            fetch,
            list(statuses),
            None if filters.tags is None else list(filters.tags),
            filters.since,
            filters.until,
            filters.recipient,
            filters.agent,
            as_of is not None,
            words,
            as_of,
            filters.min_importance,
        )
        return [
            Candidate(
                r["memory_id"], r["type"], r["content"], r["occurred_at"], r["importance"],
                r["effective_importance"], r["valence"], tuple(r["emotions"]), tuple(r["topics"]),
                tuple(r["tags_of"]), r["metadata"], r["source"], r["similarity"],
            )
            for r in rows
        ]  # fmt: skip
