"""Compaction: candidates for a message to one recipient for one purpose."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_service.store.area import Area
from memory_service.store.database import at_time
from memory_service.store.retrieval import to_candidate
from memory_service.types import Candidate


class Compaction(Area):
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
        """Memories that are important, recent, about the recipient or tagged with the purpose, best first by the
        weights; each with the reasons. Their similarity is 0: there is no query. Errors: NotFound."""
        rows = await self._database.rows(
            "memory_api.compaction_candidates",
            bank=bank_id,
            recipient=recipient,
            purpose=purpose,
            statuses=statuses,
            fetch_count=fetch,
            importance_weight=importance_weight,
            recency_weight=recency_weight,
            recency_days=recency_days,
            historical=as_of is not None,
            **at_time(as_of),
        )
        return [
            (to_candidate(r, r["occurred_at"], r["importance"], 0.0, {}), tuple(r["reasons"])) for r in rows
        ]
