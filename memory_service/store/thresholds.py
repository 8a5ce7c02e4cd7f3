"""What similarity means to an embedding model: its thresholds, and the guard beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_service.calibration import Thresholds
from memory_service.errors import NotFound
from memory_service.store.banks import to_scale
from memory_service.store.database import Database
from memory_service.types import CosineScale

BATCH = 500
"""Pairs in one call: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class BankThresholds:
    """The cosine thresholds that hold in a bank, its own or its embedding model's, and its age of consolidation."""

    duplicate: float
    conflict: float
    evidence: float
    merging: float
    consolidate_after_days: float
    """What is younger is not compressed, and waits for a cluster."""


class ThresholdStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, model: str) -> Thresholds:
        """Errors: NotFound."""
        row = await self._database.row("select * from memory_api.read_thresholds($1)", model)
        if row is None:
            raise NotFound(f"model: {model} is not known")
        return Thresholds(row["duplicate"], row["conflict"], row["evidence"], row["source"], to_scale(row))

    async def of_bank(self, bank_id: str, model: str) -> BankThresholds:
        """Errors: NotFound."""
        row = await self._database.row(
            "select t.*, l.consolidate_after_days from memory_api.bank_thresholds($1, $2) as t "
            "cross join memory_api.bank_limits($1) as l",
            bank_id, model,
        )  # fmt: skip
        if row is None:
            raise NotFound(f"model: {model} is not known")
        return BankThresholds(**row)

    async def write(
        self,
        model: str,
        *,
        duplicate: float | None,
        conflict: float | None,
        evidence: float | None,
        scale: CosineScale | None,
        calibration: dict[str, Any],
        source: str,
        at: datetime | None = None,
    ) -> None:
        """In force from the next statement on, in every process; None leaves one as it is. Errors: NotFound.

        Readers hold a bank, and with it the scale, for a moment.
        """
        known = await self._database.value(
            "select memory_api.set_thresholds($1, $2, $3, $4, $5, $6, coalesce($7, now()), $8, $9)",
            model, duplicate, conflict, evidence, calibration, source, at,
            scale and scale.mean, scale and scale.spread,
        )  # fmt: skip
        if not known:
            raise NotFound(f"model: {model} is not known")

    async def mismatches(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """Why the texts of each pair do not say the same, as the search for duplicates judges it."""
        found: list[str | None] = []
        for start in range(0, len(pairs), BATCH):
            part = pairs[start : start + BATCH]
            rows = await self._database.rows(
                "select memory_api.text_difference(p.one, p.other) as reason "
                "from unnest($1::text[], $2::text[]) with ordinality as p (one, other, n) order by p.n",
                [one for one, _ in part],
                [other for _, other in part],
            )
            found += [row["reason"] for row in rows]
        return found
