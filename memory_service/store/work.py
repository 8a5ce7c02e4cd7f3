"""The work queue: items are claimed with leases, and completed only while the lease's fencing token holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from memory_service.results import DeadLetter
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.records import record

if TYPE_CHECKING:
    from memory_service.cursors import DeadLetterPlace

Kind = Literal["segment", "extract", "annotate", "embed", "facts", "judge", "procedures", "relational"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed work item and the lease on it."""

    bank_id: str
    kind: Kind
    subject: str
    lane: int
    generation: int
    attempts: int
    """Claims of this item so far, this one included."""
    token: UUID


class Work(Area):
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
        """Up to `batch` ready items of all banks but the `resting` ones, starting after `after_bank`.

        `tried`: items that failed before, which are claimed one at a time; else fresh ones.
        """
        rows = await self._database.rows(
            "memory_api.claim_work",
            kind=kind,
            batch=batch,
            per_bank=per_bank,
            lease=lease,
            after_bank=after_bank,
            paused_banks=resting,
            retries=tried,
        )
        return [record(Claim, row, kind=kind, token=row["lease_token"]) for row in rows]

    async def renew(self, claims: Sequence[Claim], lease: timedelta) -> set[UUID]:
        """Extend the leases that still hold; their tokens."""
        if not claims:
            return set()
        rows = await self._database.rows(
            "memory_api.renew_work",
            tokens=[c.token for c in claims],
            banks=[c.bank_id for c in claims],
            kind=claims[0].kind,
            subjects=[c.subject for c in claims],
            lease=lease,
        )
        return {row[0] for row in rows}

    async def complete(self, claim: Claim) -> bool:
        """Complete an item, which is ready again where it was enqueued meanwhile. False: the lease was lost."""
        return await self._database.value(
            "memory_api.complete_work",
            bank=claim.bank_id,
            kind=claim.kind,
            subject=claim.subject,
            token=claim.token,
        )

    async def release(
        self, claims: Sequence[Claim], delay: timedelta, reason: str | None = None, *, apart: bool = False
    ) -> None:
        """Give items back, ready after `delay`, without counting the attempt: for a stopping worker or an outage.

        `apart`: each is claimed alone from now on.
        """
        if claims:
            await self._database.query_value(
                "select memory_api.release_work(tokens => $1, banks => $2, kind => $3, subjects => $4, "
                "ready_at => now() + $5, reason => $6, claim_alone => $7)",
                *leases(claims),
                delay,
                reason,
                apart,
            )

    async def release_until_tomorrow(self, claims: Sequence[Claim], reason: str) -> None:
        """Give items back, ready within the first minute of the next UTC day by the database's clock."""
        await self._database.query_value(
            "select memory_api.release_work(tokens => $1, banks => $2, kind => $3, subjects => $4, "
            "ready_at => date_trunc('day', now(), 'UTC') + interval '1 day' + random() * interval '60 s', "
            "reason => $5)",
            *leases(claims),
            reason,
        )

    async def wake(self, bank_id: str, reason: str) -> int:
        """Make items that were released for this reason ready; how many."""
        return await self._database.value("memory_api.wake_work", bank=bank_id, reason=reason)

    async def fail(self, claim: Claim, reason: str, delay: timedelta, max_attempts: int) -> str | None:
        """'retry'; 'dead', a dead letter, and its subject is marked failed; None: the lease was lost."""
        return await self._database.query_value(
            "select memory_api.fail_work(bank => $1, kind => $2, subject => $3, token => $4, reason => $5, "
            "retry_at => now() + $6, max_attempts => $7)",
            claim.bank_id,
            claim.kind,
            claim.subject,
            claim.token,
            reason,
            delay,
            max_attempts,
            bank=claim.bank_id,
        )

    async def list_dead(
        self, bank_id: str | None, limit: int, after: DeadLetterPlace | None
    ) -> list[DeadLetter]:
        """Dead letters of one bank, or of all, oldest first, after the given place. Errors: NotFound."""
        read = self._database.rows if bank_id is not None else self._database.rows_of_all
        rows = await read(
            "memory_api.list_dead_work",
            bank=bank_id,
            page=limit,
            after_at=after and after.dead_at,
            after_bank=after and after.bank_id,
            after_kind=after and after.kind,
            after_subject=after and after.subject,
        )
        found = [record(DeadLetter, row) for row in rows]
        return sorted(found, key=lambda one: (one.dead_at, one.bank_id, one.kind, one.subject))[:limit]

    async def list_dead_banks(self) -> list[str]:
        """The banks that have dead letters."""
        return [row["bank_id"] for row in await self._database.rows_of_all("memory_api.list_dead_banks")]

    async def intake_delay(self) -> float:
        """Seconds for which the longest waiting intake item of all banks has been due."""
        return max(await self._database.values_of_all("memory_api.intake_delay", partly=True))

    async def redrive(self, bank_id: str, limit: int, dead_until: datetime | None) -> tuple[int, datetime]:
        """Redrive up to `limit` dead letters that died until then, default now. How many, and the time used.

        Errors: NotFound.
        """
        row = await self._found(
            None,
            "memory_api.redrive_work",
            bank=bank_id,
            page=limit,
            dead_until=dead_until,
            **acting(),
        )
        return row["redriven"], row["requested_at"]


def leases(claims: Sequence[Claim]) -> tuple[list[UUID], list[str], Kind, list[str]]:
    """The first four arguments of release_work."""
    return [c.token for c in claims], [c.bank_id for c in claims], claims[0].kind, [c.subject for c in claims]
