"""Pairs of facts that could contradict each other, and what was judged of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_service.store.database import Database
from memory_service.store.work import Claim
from memory_service.types import DoubtfulPair, JudgedPair, Told


class Pairs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def doubtful(self, bank_id: str, fact_ids: Sequence[UUID]) -> list[DoubtfulPair]:
        """What these facts could contradict and nobody has judged yet: of the nearest of each.

        Errors: NotFound.
        """
        rows = await self._database.rows(
            "select * from memory_api.read_unjudged_pairs($1, $2)", bank_id, list(fact_ids)
        )
        return [
            DoubtfulPair(r["older_id"], r["newer_id"], r["similarity"], told(r["older"]), told(r["newer"]))
            for r in rows
        ]

    async def judge(
        self,
        bank_id: str,
        judged: Sequence[JudgedPair],
        claims: Sequence[Claim] = (),
        at: datetime | None = None,
    ) -> int:
        """Write what was judged of pairs, what follows from it (as of `at`, else now), and complete the work of these
        claims; how many pairs were new."""
        verdicts = [
            {
                "one": str(one.pair.older_id), "other": str(one.pair.newer_id), "similarity": one.pair.similarity,
                "verdict": one.verdict, "judged_by": one.judged_by,
            }
            for one in judged
        ]  # fmt: skip
        return await self._database.value(
            "select memory_api.record_pair_decisions($1, $2, $3, $4, coalesce($5, now()))",
            bank_id,
            verdicts,
            [UUID(claim.subject) for claim in claims],
            [claim.token for claim in claims],
            at,
        )


def told(fact: Mapping[str, Any]) -> Told:
    since = datetime.fromisoformat(fact["since"])
    return Told(fact["text"], fact["attribute"], fact["value"], fact["cardinality"], since)
