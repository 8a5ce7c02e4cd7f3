"""Upkeep: which banks are due for the night's passes, claimed with leases, and the record of what the passes did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args
from uuid import UUID

from memory_service.store.database import Database

NightPurpose = Literal["judge", "merge", "consolidate"]
"""What the passes ask language models for."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A bank that a run has claimed, and the lease on it."""

    bank_id: str
    token: UUID
    attempts: int
    """How often it was begun before without being completed."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is due and not claimed by us."""

    free: int
    held: int
    """Banks that somebody else is at."""
    resting: int
    """Banks that failed and wait for their next try."""
    held_seconds: float | None
    """Until the first of the others' leases ends."""
    clock: datetime
    """The database's."""


@dataclass(frozen=True, slots=True)
class Spent:
    calls: int
    tokens: int
    last_line: int
    """Of the ledger, to count on from."""


class Upkeep:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(
        self, batch: int, lease: timedelta, since: datetime, at: datetime, bank_id: str | None = None
    ) -> list[Turn]:
        """Up to `batch` banks that are due at `at` and were not completed after `since`; or the one named, due or not,
        unless somebody else is at it."""
        rows = await self._database.rows(
            "select * from memory_api.claim_upkeep($1, $2, $3, $4, $5)", batch, lease, since, bank_id, at
        )
        return [Turn(*row) for row in rows]

    async def begin(self, turn: Turn, lease: timedelta) -> bool:
        """The bank's turn has come; False where its lease was lost while it waited."""
        return await self._database.value(
            "select memory_api.begin_upkeep($1, $2, $3)", turn.bank_id, turn.token, lease
        )

    async def renew(self, turns: Sequence[Turn], lease: timedelta) -> set[str]:
        """The banks whose leases are still ours, extended now."""
        rows = await self._database.rows(
            "select * from memory_api.renew_upkeep($1, $2, $3) as bank_id",
            [t.bank_id for t in turns], [t.token for t in turns], lease,
        )  # fmt: skip
        return {row["bank_id"] for row in rows}

    async def release(self, turns: Sequence[Turn]) -> None:
        """Give banks back as if they had never been claimed."""
        if turns:
            await self._database.value(
                "select memory_api.release_upkeep($1, $2, $3)",
                [t.bank_id for t in turns], [t.token for t in turns], [t.attempts for t in turns],
            )  # fmt: skip

    async def complete(
        self,
        turn: Turn,
        runs: Sequence[Mapping[str, Any]],
        message_days: float,
        again_at: datetime | None,
        at: datetime,
    ) -> bool:
        """The bank is done, and due again when something changes by itself, at `again_at` at the latest. Writes the
        rows of job_run. False where the lease was lost: then nothing is written."""
        return await self._database.value(
            "select memory_api.complete_upkeep($1, $2, $3, $4, $5, $6)",
            turn.bank_id, turn.token, runs, message_days, again_at, at,
        )  # fmt: skip

    async def fail(
        self, turn: Turn, reason: str, delay: timedelta, runs: Sequence[Mapping[str, Any]]
    ) -> bool:
        """The bank stays due, with its reason, and rests for `delay`. False where the lease was lost."""
        return await self._database.value(
            "select memory_api.fail_upkeep($1, $2, $3, $4, $5)", turn.bank_id, turn.token, reason, delay, runs
        )

    async def left(self, at: datetime, since: datetime | None = None) -> Left:
        row = await self._database.row("select * from memory_api.upkeep_remaining($1, $2)", since, at)
        assert row is not None  # noqa: S101 - a function with out parameters has one row
        return Left(**dict(row))

    async def due(self, page: int, after: str, at: datetime) -> list[str]:
        """Banks that are due at `at`, in the order of their ids, after the given one."""
        rows = await self._database.rows(
            "select * from memory_api.list_due_banks($1, $2, $3)", page, after, at
        )
        return [row["bank_id"] for row in rows]

    async def spent(self, bank_id: str, since_line: int | None = None) -> Spent:
        """What the passes' model calls took after a line of the ledger."""
        row = await self._database.row(
            "select calls, tokens, last_line from memory_api.spent_since($1, $2, $3)",
            bank_id, list(get_args(NightPurpose)), since_line,
        )  # fmt: skip
        assert row is not None  # noqa: S101
        return Spent(*row)

    async def compression(self, bank_id: str) -> float | None:
        """Characters of what can be found, over those of what is carried along."""
        return await self._database.value("select memory_api.compression_ratio($1)", bank_id)
