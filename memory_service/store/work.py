"""The work queue: claimed with leases, completed only by who still holds the lease (promise 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from memory_service.errors import NotFound
from memory_service.store.database import Database
from memory_service.types import DeadLetter

Kind = Literal["cut", "extract", "annotate", "embed", "facts", "judge"]


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
        self,
        kind: Kind,
        batch: int,
        per_bank: int,
        lease: timedelta,
        after_bank: str = "",
        resting: Sequence[str] = (),
        *,
        tried: bool = False,
    ) -> list[Claim]:
        """Up to `batch` ready pieces across banks, starting after `after_bank`, none of the banks at rest.

        Fresh ones, or those that were `tried` before: who claims these claims one at a time.
        """
        rows = await self._database.rows(
            "select * from memory_api.claim_work($1, $2, $3, $4, $5, $6, $7)",
            kind,
            batch,
            per_bank,
            lease,
            after_bank,
            list(resting),
            tried,
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

    async def release(
        self, claims: Sequence[Claim], delay: timedelta, reason: str | None = None, *, apart: bool = False
    ) -> None:
        """Give leases back without counting the try: for a worker that stops and for a provider's outage.

        `apart`: each is claimed by itself from now on.
        """
        if claims:
            await self._database.value(
                "select memory_api.release_work($1, $2, $3, $4, now() + $5, $6, $7)",
                [c.token for c in claims],
                [c.bank_id for c in claims],
                claims[0].kind,
                [c.subject for c in claims],
                delay,
                reason,
                apart,
            )

    async def until_tomorrow(self, claims: Sequence[Claim], reason: str) -> None:
        """Give leases back until the next UTC day begins, by the database's clock, spread over its first minute."""
        await self._database.value(
            "select memory_api.release_work($1, $2, $3, $4, "
            "date_trunc('day', now(), 'UTC') + interval '1 day' + random() * interval '60 s', $5)",
            [c.token for c in claims],
            [c.bank_id for c in claims],
            claims[0].kind,
            [c.subject for c in claims],
            reason,
        )

    async def wake(self, bank_id: str, reason: str) -> int:
        """Make ready now what waits for this reason; how many."""
        return await self._database.value("select memory_api.wake_work($1, $2)", bank_id, reason)

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

    async def dead(
        self, bank_id: str | None, limit: int, after: tuple[datetime, str, str, str] | None
    ) -> list[DeadLetter]:
        """Dead letters of one bank, or of all, oldest first, after the given place. Errors: NotFound."""
        rows = await self._database.rows(
            "select * from memory_api.list_dead_work($1, $2, $3, $4, $5, $6)",
            bank_id,
            limit,
            *(after or (None, None, None, None)),
        )
        return [DeadLetter(**dict(row)) for row in rows]

    async def list_dead_banks(self) -> list[str]:
        """The banks that have dead letters."""
        return [
            row["bank_id"] for row in await self._database.rows("select * from memory_api.list_dead_banks()")
        ]

    async def redrive(self, bank_id: str, limit: int, died_by: datetime | None) -> tuple[int, datetime]:
        """Bring up to `limit` dead letters back to life that were dead by then, or now where no time is given; how
        many, and which time that was. Errors: NotFound."""
        row = await self._database.row(
            "select * from memory_api.redrive_work($1, $2, $3)", bank_id, limit, died_by
        )
        if row is None:
            raise NotFound
        return row["redriven"], row["asked_at"]
