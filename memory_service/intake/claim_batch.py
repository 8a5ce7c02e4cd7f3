"""The claims of one batch and which of them are settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from memory_service.store.work import Claim, Work


class ClaimBatch:
    """Claims that a worker step processes together. A claim is settled once it is completed, failed or released."""

    def __init__(self, work: Work, claims: Sequence[Claim], settled: set[UUID] | None = None) -> None:
        self._work = work
        self.claims = claims
        self._settled: set[UUID] = set() if settled is None else settled
        """Lease tokens."""

    @property
    def unsettled(self) -> list[Claim]:
        return [claim for claim in self.claims if claim.token not in self._settled]

    def single(self, claim: Claim) -> ClaimBatch:
        """A batch of this claim alone; settling it there settles it here."""
        return ClaimBatch(self._work, [claim], self._settled)

    def settle(self, claims: Iterable[Claim]) -> None:
        """Note that these claims have been settled by a statement of the caller's."""
        self._settled.update(claim.token for claim in claims)

    async def complete(self, claim: Claim) -> None:
        """Complete a claim with no result: its subject was erased or processed since it was claimed."""
        await self._work.complete(claim)
        self.settle([claim])

    async def release(
        self, claims: Sequence[Claim], delay: timedelta, reason: str, *, apart: bool = False
    ) -> None:
        """Give leases back without counting an attempt. `apart`: each is claimed alone from now on."""
        await self._work.release(claims, delay, reason, apart=apart)
        self.settle(claims)

    async def release_until_tomorrow(self, claims: Sequence[Claim], reason: str) -> None:
        await self._work.release_until_tomorrow(claims, reason)
        self.settle(claims)
