"""Step `segment`: segmentation of conversations, in SQL (docs/design.md, "Queue")."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.step import Step
from memory_service.store.work import Kind
from memory_service.types import Intake


class SegmentStep(Step):
    """Segments the new messages of each claimed conversation. Messages of an unfinished segment are claimed again when
    the conversation has been quiet for `exchange_quiet_seconds`."""

    kind: Kind = "segment"
    batch = 32
    per_bank = 8
    parallel = 1
    feeds: tuple[Kind, ...] = ("extract",)

    async def run(self, batch: ClaimBatch) -> None:
        quiet = timedelta(seconds=self._settings.exchange_quiet_seconds)
        intake = cast("Intake", self._settings.intake)
        for claim in batch.claims:
            await self._store.messages.segment(claim, quiet, intake)
            batch.settle([claim])
