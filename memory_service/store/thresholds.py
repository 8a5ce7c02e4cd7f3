"""Cosine thresholds of embedding models and banks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_service.calibration import Thresholds
from memory_service.errors import NotFound
from memory_service.store.area import Area
from memory_service.store.banks import to_scale
from memory_service.store.database import at_time
from memory_service.types import CosineScale

BATCH = 500
"""Pairs of texts compared in one call: some tenths of a second."""


@dataclass(frozen=True, slots=True)
class BankThresholds:
    """The cosine thresholds of a bank, its own or those of its embedding model."""

    duplicate: float
    conflict: float
    evidence: float
    merging: float
    consolidate_after_days: float
    """Younger episodes are not compressed and wait for a cluster."""


class StoredThresholds(Area):
    async def read(self, model: str) -> Thresholds:
        """Errors: NotFound."""
        row = await self._found(f"model: {model} is not known", "memory_api.read_thresholds", model=model)
        return Thresholds(row["duplicate"], row["conflict"], row["evidence"], row["source"], to_scale(row))

    async def of_bank(self, bank_id: str, model: str) -> BankThresholds:
        """Errors: NotFound."""
        rows = await self._database.query(
            "select t.*, l.consolidate_after_days from memory_api.bank_thresholds(bank => $1, model => $2) as t "
            "cross join memory_api.bank_limits(bank => $1) as l",
            bank_id, model, bank=bank_id,
        )  # fmt: skip
        if not rows:
            raise NotFound(f"model: {model} is not known")
        return BankThresholds(**rows[0])

    async def write(
        self,
        model: str,
        *,
        duplicate: float | None,
        conflict: float | None,
        evidence: float | None,
        scale: CosineScale | None,
        calibration: Mapping[str, Any],
        source: str,
        at: datetime | None = None,
    ) -> None:
        """Set thresholds of a model, None leaves one unchanged; all processes use them from their next statement on.
        Reads use the scale of their cached bank for up to two seconds more. Errors: NotFound."""
        known = await self._database.values_of_all(
            "memory_api.set_thresholds",
            model=model,
            duplicate=duplicate,
            conflict=conflict,
            evidence=evidence,
            calibration=calibration,
            source=source,
            unrelated_mean=scale and scale.mean,
            unrelated_spread=scale and scale.spread,
            **at_time(at),
        )
        if not any(known):
            raise NotFound(f"model: {model} is not known")

    async def text_differences(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """memory_api.text_difference of each pair: why the texts are no duplicates, None where they may be."""
        found: list[str | None] = []
        for start in range(0, len(pairs), BATCH):
            batch = pairs[start : start + BATCH]
            rows = await self._database.query(
                "select memory_api.text_difference(one => p.one, other => p.other) as reason "
                "from unnest($1::text[], $2::text[]) with ordinality as p (one, other, n) order by p.n",
                [one for one, _ in batch],
                [other for _, other in batch],
            )
            found += [row["reason"] for row in rows]
        return found
