"""Pairs of facts that may contradict each other, and the decisions about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_service.store.area import Area
from memory_service.store.database import at_time
from memory_service.store.records import record
from memory_service.store.work import Claim
from memory_service.types import JudgedPair, PairFact, UnjudgedPair


class FactPairs(Area):
    async def read_unjudged(self, bank_id: str, fact_ids: Sequence[UUID]) -> list[UnjudgedPair]:
        """Pairs of these facts with their nearest ones about the same subject, without a decision yet.

        Errors: NotFound.
        """
        rows = await self._database.rows("memory_api.read_unjudged_pairs", bank=bank_id, facts=fact_ids)
        return [
            record(UnjudgedPair, row, older=to_pair_fact(row["older"]), newer=to_pair_fact(row["newer"]))
            for row in rows
        ]

    async def record_decisions(
        self,
        bank_id: str,
        judged: Sequence[JudgedPair],
        claims: Sequence[Claim] = (),
        at: datetime | None = None,
    ) -> int:
        """Write decisions about pairs and their consequences as of `at`, else now, and complete the work items of these
        claims; how many pairs were new."""
        decisions = [
            {
                "one": one.pair.older_id, "other": one.pair.newer_id, "similarity": one.pair.similarity,
                "decision": one.decision, "judged_by": one.judged_by,
                "texts": [one.pair.older.text, one.pair.newer.text],
            }
            for one in judged
        ]  # fmt: skip
        return await self._database.value(
            "memory_api.record_pair_decisions",
            bank=bank_id,
            decisions=decisions,
            facts=[UUID(claim.subject) for claim in claims],
            tokens=[claim.token for claim in claims],
            **at_time(at),
        )


def to_pair_fact(fact: Mapping[str, Any]) -> PairFact:
    return record(PairFact, fact, since=datetime.fromisoformat(fact["since"]))
