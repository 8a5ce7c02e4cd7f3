"""Upkeep: banks due for the nightly passes, claimed with leases, and the record of runs in job_run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, islice
from typing import Any, Literal, get_args
from uuid import UUID

from memory_service.results import Night, NightPass
from memory_service.store.area import Area
from memory_service.store.records import record

NightPurpose = Literal["judge", "merge", "consolidate"]
"""Purposes of the passes' model calls in the ledger."""


@dataclass(frozen=True, slots=True)
class UpkeepClaim:
    """A claimed bank and the lease on it."""

    bank_id: str
    token: UUID
    attempts: int
    """Earlier attempts that were begun and not completed."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """Banks that are due and not claimed by this process."""

    free: int
    held: int
    """Leased by other processes."""
    resting: int
    """Failed, waiting for their next attempt."""
    held_seconds: float | None
    """Until the first of the other processes' leases ends."""
    clock: datetime
    """The database's time."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Model calls and tokens after a call."""

    calls: int
    tokens: int
    last_call: int
    """Id of the last call, to continue from."""


class Upkeep(Area):
    async def claim(
        self, batch: int, lease: timedelta, since: datetime, at: datetime, bank_id: str | None = None
    ) -> list[UpkeepClaim]:
        """Up to `batch` banks that are due at `at` and were not completed after `since`; or the one named, due or not,
        unless another process holds it."""
        rows = await self._database.rows(
            "memory_api.claim_upkeep", batch=batch, lease=lease, since=since, named=bank_id, at=at
        )
        return [UpkeepClaim(*row) for row in rows]

    async def begin(self, claim: UpkeepClaim, lease: timedelta) -> bool:
        """Count the attempt and renew the lease. False: the lease was lost."""
        return await self._database.value(
            "memory_api.begin_upkeep", bank=claim.bank_id, token=claim.token, lease=lease
        )

    async def renew(self, claims: Sequence[UpkeepClaim], lease: timedelta) -> set[str]:
        """Extend the leases that still hold; their banks."""
        rows = await self._database.rows(
            "memory_api.renew_upkeep",
            banks=[claim.bank_id for claim in claims],
            tokens=[claim.token for claim in claims],
            lease=lease,
        )
        return {row[0] for row in rows}

    async def release(self, claims: Sequence[UpkeepClaim]) -> None:
        """Give the banks back with their earlier number of attempts."""
        if claims:
            await self._database.value(
                "memory_api.release_upkeep",
                banks=[claim.bank_id for claim in claims],
                tokens=[claim.token for claim in claims],
                attempts=[claim.attempts for claim in claims],
            )

    async def complete(
        self,
        claim: UpkeepClaim,
        runs: Sequence[Mapping[str, Any]],
        message_days: float,
        default_intake: str,
        again_at: datetime | None,
        at: datetime,
    ) -> bool:
        """Mark the bank as done and write the rows of job_run. The bank is due again when time alone changes something,
        at `again_at` at the latest. False, and nothing is written: the lease was lost."""
        return await self._database.value(
            "memory_api.complete_upkeep",
            bank=claim.bank_id,
            token=claim.token,
            runs=runs,
            message_days=message_days,
            again_at=again_at,
            at=at,
            default_intake=default_intake,
        )

    async def fail(
        self, claim: UpkeepClaim, reason: str, delay: timedelta, runs: Sequence[Mapping[str, Any]]
    ) -> bool:
        """Record the failure; the bank stays due and is not claimed again for `delay`. False: the lease was lost."""
        return await self._database.value(
            "memory_api.fail_upkeep",
            bank=claim.bank_id,
            token=claim.token,
            reason=reason,
            delay=delay,
            runs=runs,
        )

    async def remaining(self, at: datetime, since: datetime | None = None) -> Remaining:
        return record(Remaining, await self._found(None, "memory_api.upkeep_remaining", since=since, at=at))

    async def list_due(self, page: int, after: str, at: datetime) -> list[str]:
        """Banks that are due at `at`, by id, after the given one."""
        rows = await self._database.rows("memory_api.list_due_banks", page=page, after_bank=after, at=at)
        return [row["bank_id"] for row in rows]

    async def spent_since(self, bank_id: str, after_call: int | None = None) -> Spent:
        """Model calls of the passes after a row of the ledger; without one, none and the last row."""
        purposes = get_args(NightPurpose)
        row = await self._found(
            None, "memory_api.spent_since", bank=bank_id, purposes=purposes, after_call=after_call
        )
        return record(Spent, row)

    async def compression_ratio(self, bank_id: str) -> float | None:
        """Characters of all recallable episodes over those of the active ones and of the believed facts."""
        return await self._database.value("memory_api.compression_ratio", bank=bank_id)

    async def nights(self, limit: int, before: datetime | None) -> list[Night]:
        """Runs of the nightly jobs, newest first, those that began before the given time."""
        found = await self._database.rows_of_all("memory_api.list_nights", page=limit, before_at=before)
        rows = sorted(found, key=lambda row: row["started_at"], reverse=True)  # each night is of one server
        nights = groupby(rows, key=lambda row: (row["night_id"], row["started_at"]))
        return [
            Night(*night, tuple(record(NightPass, row, name=row["pass"]) for row in passes))
            for night, passes in islice(nights, limit)
        ]
