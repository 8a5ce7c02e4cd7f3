"""Step `cut`: segmentation of conversations, in SQL (docs/design.md, "Queue"). `cut` is the kind in table `work`."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from memory_service.config import Settings
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.store import Store
from memory_service.store.work import Kind
from memory_service.types import Intake


class SegmentStep:
    """Segments the new messages of each claimed conversation. Messages of an unfinished segment are claimed again when
    the conversation has been quiet for `exchange_quiet_seconds`."""

    kind: Kind = "cut"
    batch = 32
    per_bank = 8
    parallel = 1
    feeds: tuple[Kind, ...] = ("extract",)

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._quiet = timedelta(seconds=settings.exchange_quiet_seconds)
        self._intake: Intake = cast("Intake", settings.intake)

    async def run(self, batch: ClaimBatch) -> None:
        for claim in batch.claims:
            await self._store.messages.segment(claim, self._quiet, self._intake)
            batch.settle([claim])
