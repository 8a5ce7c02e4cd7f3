"""What the night finds out about facts: evidence, conflicts, and what has faded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.store.database import Database


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """What one look came to."""

    looked: int
    """Facts and episodes that had changed or were new; with none the search is over."""
    pairs: tuple[tuple[UUID, UUID], ...]
    """Facts, each with an episode that speaks for it."""


class Nights:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_evidence(
        self, bank_id: str, model: str, most: int | None, at: datetime, *, dry_run: bool = False
    ) -> FoundEvidence:
        """Evidence for at most so many facts and among at most so many episodes that were not looked at before."""
        row = await self._database.row(
            "select * from memory_api.find_evidence($1, $2, $3, $4, $5)", bank_id, model, most, at, dry_run
        )
        if row is None:
            return FoundEvidence(0, ())
        return FoundEvidence(
            row["looked"], tuple(zip(row["facts"] or (), row["episodes"] or (), strict=True))
        )

    async def find_conflicts(
        self, bank_id: str, model: str, at: datetime, *, dry_run: bool = False
    ) -> list[tuple[UUID, UUID, str]]:
        """Pairs of facts that cannot both be true and that nobody saw before, with the rule that says so."""
        rows = await self._database.rows(
            "select * from memory_api.find_similar_conflicts($1, $2, $3, $4)", bank_id, model, at, dry_run
        )
        return [(row["one_id"], row["other_id"], row["rule"]) for row in rows]

    async def doubted(self, bank_id: str, most: int) -> list[tuple[UUID, str]]:
        """Facts whose doubts no night has looked at in their present words, with these words' mark."""
        rows = await self._database.rows(
            "select * from memory_api.facts_without_watermark($1, 'doubt', $2)", bank_id, most
        )
        return [(row["memory_id"], row["state"]) for row in rows]

    async def mark_doubts(self, bank_id: str, looked_at: Sequence[tuple[UUID, str]]) -> None:
        await self._database.value(
            "select memory_api.set_watermark($1, 'doubt', $2, $3)",
            bank_id,
            [memory_id for memory_id, _ in looked_at],
            [state for _, state in looked_at],
        )

    async def fade(self, bank_id: str, at: datetime, *, dry_run: bool = False) -> list[UUID]:
        """Facts that have faded too far to be believed, deprecated."""
        return await self._database.value("select memory_api.fade_facts($1, $2, $3)", bank_id, at, dry_run)
