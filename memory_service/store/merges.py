"""Merging of facts: candidate groups, decisions, merges, and their reversal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from memory_service.store.area import Area
from memory_service.store.records import record

MergeAction = Literal["merge", "doubt", "alone"]


@dataclass(frozen=True, slots=True)
class MergeGroup:
    """Facts connected by similarity, each with its text and its state for the watermark."""

    members: tuple[UUID, ...]
    texts: tuple[str, ...]
    states: tuple[str, ...]
    action: MergeAction
    """Merge by rule; ask a model; or nothing to merge."""
    winner: UUID | None
    reason: str | None
    """Why no rule merges them."""


@dataclass(frozen=True, slots=True)
class MergeDecision:
    """Whether two facts with these texts are the same."""

    one: UUID
    other: UUID
    texts: tuple[str, str]
    same: bool


class Merges(Area):
    async def candidates(self, bank_id: str, model: str, at: datetime) -> list[MergeGroup]:
        """Groups with a change since their watermark; each fact is in one at most."""
        rows = await self._database.rows("memory_api.merge_candidates", bank=bank_id, model=model, at=at)
        return [record(MergeGroup, row, texts=tuple(row["facts"])) for row in rows]

    async def merge(self, bank_id: str, members: Sequence[UUID], actor: str, at: datetime) -> list[UUID]:
        """Merge these facts where they still qualify; the losers, empty where they do not."""
        return await self._database.value(
            "memory_api.merge_facts", bank=bank_id, members=members, actor=actor, at=at
        )

    async def record_decisions(
        self, bank_id: str, decisions: Sequence[MergeDecision], decided_by: str, at: datetime
    ) -> int:
        """Write decisions about pairs; how many, as pairs whose texts have changed are skipped."""
        return await self._database.value(
            "memory_api.record_merge_decisions", bank=bank_id, pairs=decisions, decided_by=decided_by, at=at
        )

    async def set_watermark(self, bank_id: str, groups: Sequence[MergeGroup]) -> None:
        """Mark these groups as done: they are not returned again before a member changes."""
        await self._database.value(
            "memory_api.set_watermark",
            bank=bank_id,
            pass_="merge",  # noqa: S106 - the name of a pass
            memories=[member for group in groups for member in group.members],
            states=[state for group in groups for state in group.states],
        )

    async def count_failed_attempt(self, bank_id: str, group: MergeGroup, most: int) -> bool:
        """Count a failed model call about this group; True at the `most`-th, which also sets its watermark."""
        return await self._database.value(
            "memory_api.count_failed_attempt",
            bank=bank_id,
            pass_="merge",  # noqa: S106
            memories=group.members,
            states=group.states,
            most=most,
        )
