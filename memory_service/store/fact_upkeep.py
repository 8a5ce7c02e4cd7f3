"""The confidence pass: evidence and conflicts among a bank's facts, and faded facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_service.store.area import Area
from memory_service.store.records import record


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """The result of one call of memory_api.find_evidence."""

    scanned: int
    """Facts and episodes that were new or had changed; the search is complete at 0."""
    pairs: tuple[tuple[UUID, UUID], ...]
    """Each a fact and an episode that supports it."""


class FactUpkeep(Area):
    async def find_evidence(
        self, bank_id: str, model: str, most: int | None, at: datetime, *, dry_run: bool = False
    ) -> FoundEvidence:
        """Evidence for facts in episodes, of at most `most` facts and `most` episodes not scanned before."""
        row = await self._found(
            None, "memory_api.find_evidence", bank=bank_id, model=model, most=most, at=at, dry_run=dry_run
        )
        return record(
            FoundEvidence, row, pairs=tuple(zip(row["facts"] or (), row["episodes"] or (), strict=True))
        )

    async def find_conflicts(
        self, bank_id: str, model: str, at: datetime, *, dry_run: bool = False
    ) -> list[tuple[UUID, UUID, str]]:
        """New conflicts: pairs of open facts, each with the rule that finds them incompatible."""
        rows = await self._database.rows(
            "memory_api.find_similar_conflicts", bank=bank_id, model=model, at=at, dry_run=dry_run
        )
        return [(row["one_id"], row["other_id"], row["rule"]) for row in rows]

    async def unjudged(self, bank_id: str, most: int) -> list[tuple[UUID, str]]:
        """Facts that were not compared with others in their present wording, each with its state for mark_judged."""
        rows = await self._database.rows(
            "memory_api.facts_without_watermark",
            bank=bank_id,
            pass_="doubt",  # noqa: S106 - the name of a pass
            most=most,
        )
        return [(row["memory_id"], row["state"]) for row in rows]

    async def mark_judged(self, bank_id: str, states: Sequence[tuple[UUID, str]]) -> None:
        """Set the watermark of these facts: they are not compared again before their wording changes."""
        await self._database.value(
            "memory_api.set_watermark",
            bank=bank_id,
            pass_="doubt",  # noqa: S106
            memories=[memory_id for memory_id, _ in states],
            states=[state for _, state in states],
        )

    async def fade(self, bank_id: str, at: datetime, *, dry_run: bool = False) -> list[UUID]:
        """Deprecate the facts whose confidence has decayed below the threshold; their ids."""
        return await self._database.value("memory_api.fade_facts", bank=bank_id, at=at, dry_run=dry_run)
