"""First step: conversations are cut into segments, in SQL (DESIGN §1, §2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import cast
from uuid import UUID

from memory_service.config import Settings
from memory_service.store import Store
from memory_service.store.work import Claim, Kind
from memory_service.types import Intake


class Cut:
    """Cuts each claimed conversation's new messages; an open rest comes back when its quiet ends."""

    kind: Kind = "cut"
    batch = 32
    per_bank = 8
    parallel = 1
    feeds: tuple[Kind, ...] = ("extract",)

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._quiet = timedelta(seconds=settings.exchange_quiet_seconds)
        self._intake: Intake = cast("Intake", settings.intake)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        for claim in claims:
            await self._store.messages.cut(claim, self._quiet, self._intake)
            done.add(claim.token)
