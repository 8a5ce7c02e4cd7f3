"""Facts that may be one: proposed, judged, merged, and taken apart again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from memory_service.errors import NotFound
from memory_service.store.database import Database
from memory_service.store.facts import no_fact, to_fact
from memory_service.types import Fact

MergeVerdict = Literal["merge", "doubt", "alone"]


@dataclass(frozen=True, slots=True)
class MergeGroup:
    """Facts that hang together, each with its text and the state that it was seen in."""

    members: tuple[UUID, ...]
    texts: tuple[str, ...]
    states: tuple[str, ...]
    verdict: MergeVerdict
    """Merge by rule; in doubt, for a model; or nothing to be done."""
    winner: UUID | None
    reason: str | None
    """Why they are not merged by rule."""


@dataclass(frozen=True, slots=True)
class MergeJudgement:
    """Whether two facts of these texts are one."""

    one: UUID
    other: UUID
    texts: tuple[str, str]
    same: bool


class Merges:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def candidates(self, bank_id: str, model: str, at: datetime) -> list[MergeGroup]:
        """Groups in which something has changed since they were marked; each fact is in one at most."""
        rows = await self._database.rows(
            "select * from memory_api.merge_candidates($1, $2, $3)", bank_id, model, at
        )
        return [
            MergeGroup(
                tuple(row["members"]), tuple(row["facts"]), tuple(row["states"]), row["verdict"], row["winner"],
                row["reason"],
            )
            for row in rows
        ]  # fmt: skip

    async def merge(self, bank_id: str, members: Sequence[UUID], actor: str, at: datetime) -> list[UUID]:
        """Make these one, where that is still what they are; those that were merged into the winner."""
        return await self._database.value(
            "select memory_api.merge_facts($1, $2, $3, $4)", bank_id, list(members), actor, at
        )

    async def judge(
        self, bank_id: str, judgements: Sequence[MergeJudgement], decided_by: str, at: datetime
    ) -> int:
        """Keep what was judged of pairs; how many of them, as those whose texts have changed are passed over."""
        pairs = [
            {"one": str(j.one), "other": str(j.other), "texts": list(j.texts), "same": j.same}
            for j in judgements
        ]
        return await self._database.value(
            "select memory_api.record_merge_decisions($1, $2, $3, $4)", bank_id, pairs, decided_by, at
        )

    async def mark(self, bank_id: str, groups: Sequence[MergeGroup]) -> None:
        """These were looked at as they are: not again before they change."""
        await self._database.value(
            "select memory_api.set_watermark($1, 'merge', $2, $3)",
            bank_id,
            [member for group in groups for member in group.members],
            [state for group in groups for state in group.states],
        )

    async def in_vain(self, bank_id: str, group: MergeGroup, most: int) -> bool:
        """These were asked about in vain. True at the `most`-th time: then not again before they change."""
        return await self._database.value(
            "select memory_api.count_failed_attempt($1, 'merge', $2, $3, $4)",
            bank_id,
            list(group.members),
            list(group.states),
            most,
        )

    async def unmerge(self, bank_id: str, fact_id: UUID, actor: str) -> Fact:
        """Take a merged fact out of its winner; the fact then. Errors: NotFound, Conflict."""
        row = await self._database.row(
            "select * from memory_api.unmerge_fact($1, $2, $3)", bank_id, fact_id, actor
        )
        if row is None:
            raise NotFound(no_fact(fact_id))
        return to_fact(row)
