"""First step: conversations are cut into segments, in SQL (DESIGN §1, §2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from memory_service.store import Store
from memory_service.store.work import Claim, Kind


class Cut:
    """Cuts each claimed conversation's new messages; an open rest comes back when its quiet ends."""

    kind: Kind = "cut"
    batch = 32
    per_bank = 8

    def __init__(self, store: Store, quiet: timedelta) -> None:
        self._store = store
        self._quiet = quiet

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        for claim in claims:
            await self._store.messages.cut(claim, self._quiet)
            done.add(claim.token)
