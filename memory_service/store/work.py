"""The work queue: claimed with leases, completed only by who still holds the lease (promise 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import UUID

from memory_service.store.database import Database

Kind = Literal["cut", "extract", "annotate", "embed"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A piece of work and the lease on it."""

    bank_id: str
    kind: Kind
    subject: str
    lane: int
    generation: int
    attempts: int
    """How often it was claimed, this time included."""
    token: UUID


class Work:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(
        self, kind: Kind, batch: int, per_bank: int, lease: timedelta, after_bank: str = ""
    ) -> list[Claim]:
        """Up to `batch` ready pieces across banks, starting after `after_bank`."""
        rows = await self._database.rows(
            "select * from memory_api.claim_work($1, $2, $3, $4, $5)",
            kind,
            batch,
            per_bank,
            lease,
            after_bank,
        )
        return [
            Claim(
                r["bank_id"], kind, r["subject"], r["lane"], r["generation"], r["attempts"], r["lease_token"]
            )
            for r in rows
        ]

    async def renew(self, claims: Sequence[Claim], lease: timedelta) -> set[UUID]:
        """The tokens of the leases that were still ours and now last longer."""
        if not claims:
            return set()
        rows = await self._database.rows(
            "select * from memory_api.renew_work($1, $2, $3, $4, $5)",
            [c.token for c in claims],
            [c.bank_id for c in claims],
            claims[0].kind,
            [c.subject for c in claims],
            lease,
        )
        return {row[0] for row in rows}

    async def complete(self, claim: Claim) -> bool:
        """True where the piece is done or, touched meanwhile, ready again; False where the lease was lost."""
        return await self._database.value(
            "select memory_api.complete_work($1, $2, $3, $4)",
            claim.bank_id,
            claim.kind,
            claim.subject,
            claim.token,
        )

    async def release(self, claims: Sequence[Claim], delay: timedelta, reason: str | None = None) -> None:
        """Give leases back without counting the try: for a worker that stops and for a provider's outage."""
        if claims:
            await self._database.value(
                "select memory_api.release_work($1, $2, $3, $4, now() + $5, $6)",
                [c.token for c in claims],
                [c.bank_id for c in claims],
                claims[0].kind,
                [c.subject for c in claims],
                delay,
                reason,
            )

    async def fail(self, claim: Claim, reason: str, delay: timedelta, max_attempts: int) -> str | None:
        """'retry', 'dead' (the dead letter, its subject marked failed), or None where the lease was lost."""
        return await self._database.value(
            "select memory_api.fail_work($1, $2, $3, $4, $5, now() + $6, $7)",
            claim.bank_id,
            claim.kind,
            claim.subject,
            claim.token,
            reason,
            delay,
            max_attempts,
        )

    async def redrive(self, bank_id: str) -> int:
        """Bring the bank's dead letters back to life; how many. Errors: NotFound."""
        return await self._database.value("select memory_api.redrive_work($1)", bank_id)
