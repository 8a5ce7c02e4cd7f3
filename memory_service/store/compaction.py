"""Compaction: what a bank's memories offer for one recipient and purpose."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_service.store.database import Database
from memory_service.store.retrieval import to_candidate
from memory_service.types import Candidate


class Compactions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(
        self,
        bank_id: str,
        recipient: str,
        purpose: str,
        statuses: Sequence[str],
        fetch: int,
        *,
        importance_weight: float,
        recency_weight: float,
        recency_days: float,
        as_of: datetime | None,
    ) -> list[tuple[Candidate, tuple[str, ...]]]:
        """The union of what is important, recent, about the recipient and tagged with the purpose, best first by the
        weights; each with why it is in. Similarity is 0: nothing was asked. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.compaction_candidates("
            "$1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, now()))",
            bank_id,
            recipient,
            purpose,
            list(statuses),
            fetch,
            importance_weight,
            recency_weight,
            recency_days,
            as_of is not None,
            as_of,
        )
        return [
            (to_candidate(r, r["occurred_at"], r["importance"], 0.0, {}), tuple(r["reasons"])) for r in rows
        ]
