"""Reads from a streaming replica that include all earlier writes (docs/design.md, "Replica").

A task compares the two servers all the time, so that neither a read nor a write takes another round trip: it reads the
primary's position in the WAL and waits until the replica has replayed it. A bank is read from the replica if its last
write ended before the primary's position was read.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

from memory_service.errors import (
    DatabaseUnavailable,
    DatabaseUnsuitable,
    EmbeddingModelChanged,
    MemoryServiceError,
)
from memory_service.logs import unexpected
from memory_service.store.database import RETRIED, Database, ReplicaFailed, after_commit
from memory_service.store.write_marks import WriteMarks

READS = frozenset(
    f"memory_api.{name}"
    for name in (
        "compaction_candidates", "context_entries", "fact_history", "list_changes", "list_clarifications",
        "list_decisions", "list_facts", "list_memories", "list_timeline", "map_episodes", "map_sample",
        "person_entries", "recall_candidates", "superseded_statements",
    )
)  # fmt: skip
"""Functions that a replica may answer: they write nothing, lock no row, and no write or worker relies on them."""
UNMARKED = READS | {
    f"memory_api.{name}"
    for name in (
        "activity_by_day", "begin_model_call", "end_model_call", "list_traces", "read_bank", "read_trace",
        "record_traces", "spend_by_day",
    )
}  # fmt: skip
"""Functions after which a bank may still be read from the replica: what they write is in no answer of READS, but for
access counts. All others mark the bank, also those that read: a caller that has seen a state must not see an earlier
one."""

POLL_SECONDS = 0.1
RETRY_SECONDS = 1.0
ANSWER_SECONDS = 2.0
"""Longest wait for the replica: then the primary is asked."""

POSITION = "select pg_current_wal_flush_lsn()::text"
REPLAYED = "select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::text::pg_lsn end"
"""Null on a server that is no standby."""
CLUSTER = "select system_identifier from pg_control_system()"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ReplicaSettings:
    """Where the replica is and when it is used."""

    url: str
    size: int
    most_lag: float
    """Seconds."""
    pooled: bool
    reads: bool
    """False: this process only marks the banks that it writes to."""


class Replica:
    """Decides which calls the replica answers, and passes them to it."""

    def __init__(self, primary: Database, settings: ReplicaSettings, marks: WriteMarks) -> None:
        self._primary = primary
        self._settings = settings
        self._marks = marks
        self._database: Database | None = None
        self._following: asyncio.Task[None] | None = None
        self._replayed = float("-inf")
        """All that was committed before this time of the monotonic clock is on the replica."""
        self._needed = float("-inf")
        """The replica is not asked before it has all that was committed until then."""
        self._used: bool | None = None

    def serves(self, function: str, bank: object) -> bool:
        """Whether the replica can answer this call with all that was written to the bank before."""
        if function not in READS or not self._settings.reads:
            return False
        if self._following is None:
            self._following = asyncio.create_task(self._follow(), context=Context())
        return (
            isinstance(bank, str)
            and time.monotonic() - self._replayed <= self._settings.most_lag
            and self._replayed > self._needed
            and self._marks.is_before(bank, self._replayed)
        )

    def require_newer(self) -> None:
        """Do not ask the replica before it has all that is committed now: banks were moved between servers."""
        self._needed = time.monotonic()

    def mark(self, function: str, bank: object) -> None:
        """Note that a call to the primary has ended: at the end of its transaction, where one is open."""
        if isinstance(bank, str) and function not in UNMARKED:
            after_commit(partial(self._marks.set, bank))

    async def read(self, call: Callable[[Database], Awaitable[Any]]) -> Any:
        """Await a call of the replica. Errors: ReplicaFailed; those of the call."""
        database = self._database
        if database is None:
            raise ReplicaFailed
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await call(database)
        except (*RETRIED, EmbeddingModelChanged):
            # A conflict with the replay; the caller has read the bank after a switch that is not replayed.
            raise ReplicaFailed from None
        except (DatabaseUnavailable, TimeoutError) as error:
            self._give_up(str(error) or "it does not answer")
            raise ReplicaFailed from None

    async def aclose(self) -> None:
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        await self._disconnect()

    async def _follow(self) -> None:
        while True:
            try:
                await self._compare()
                pause = POLL_SECONDS
            except (MemoryServiceError, TimeoutError) as error:
                self._give_up(str(error) or "it does not answer")
                await self._disconnect()
                pause = RETRY_SECONDS
            except Exception as error:
                self._give_up("an unexpected error")
                log.error("the replica cannot be compared with the primary", **unexpected(error))  # noqa: TRY400
                pause = RETRY_SECONDS
            await asyncio.sleep(pause)

    async def _compare(self) -> None:
        """Wait until the replica has replayed what the primary has written until now. Errors: MemoryServiceError,
        TimeoutError."""
        if self._database is None:
            async with asyncio.timeout(ANSWER_SECONDS):
                self._database = await self._connect()
        began = time.monotonic()
        position = await self._primary.query_value(POSITION)
        while not await self._has_replayed(self._database, position):
            if time.monotonic() - self._replayed > self._settings.most_lag:
                self._note(used=False, reason="it lags behind the primary")
            await asyncio.sleep(POLL_SECONDS)
        self._replayed = began
        self._note(used=True)

    async def _has_replayed(self, database: Database, position: str) -> bool:
        async with asyncio.timeout(ANSWER_SECONDS):
            replayed = await database.query_value(REPLAYED, position)
        if replayed is None:
            raise DatabaseUnsuitable("it is no standby")
        return replayed

    async def _connect(self) -> Database:
        """Errors: DatabaseUnsuitable for another cluster, and for a login that row security does not apply to."""
        settings = self._settings
        database = await Database.open(settings.url, settings.size, pooled=settings.pooled, standby=True)
        try:
            database.counts = self._primary.counts
            if await database.query_value(CLUSTER) != await self._primary.query_value(CLUSTER):
                raise DatabaseUnsuitable("it is a standby of another server")
            found = await database.installation()
            if found.unrestricted:
                raise DatabaseUnsuitable(f"row security does not apply to its login {found.login}")
        except BaseException:
            await database.close()
            raise
        return database

    async def _disconnect(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            await database.close()

    def _give_up(self, reason: str) -> None:
        """Use the primary until the two have been compared again."""
        self._replayed = float("-inf")
        self._note(used=False, reason=reason)

    def _note(self, *, used: bool, reason: str = "") -> None:
        if used is self._used:
            return
        self._used = used
        if used:
            log.info("reads use the replica")
        else:
            log.warning("reads use the primary, not the replica", reason=reason)
