"""Run passes over the banks that are due, under leases: several processes share the work, and a crash costs its bank
one retry."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import structlog
from structlog.contextvars import bound_contextvars

from memory_service.config import Settings
from memory_service.errors import (
    DatabaseUnavailable,
    DatabaseUnsuitable,
    InvalidInput,
    MemoryServiceError,
    NotFound,
)
from memory_service.intake.leases import renewing
from memory_service.jobs.job_run import JobRun, record_failure, rows_of
from memory_service.jobs.passes import Pass, PassContext
from memory_service.jobs.report import Report
from memory_service.jobs.scrub import scrub_recorded
from memory_service.memory import Memory
from memory_service.store import Store
from memory_service.store.upkeep import UpkeepClaim

log = structlog.get_logger()

DONE, FAILED, MISUSED, LATE, NO_DATABASE = 0, 1, 2, 3, 4
"""Exit codes: all banks done; a bank failed or rests after a failure; invalid arguments or settings; deadline reached
with banks left; database unavailable."""

SEVERITY = (DONE, LATE, FAILED, NO_DATABASE)

LEFT_COUNTS = ("model_unavailable", "cap_reached")
"""Counts of work that a pass leaves for the next run."""
BATCH = 20
"""Banks claimed at once and recorded in one row of `job_run` per pass; fewer towards the end (batch_size)."""
FEWEST = 4
SHARE = 8
DRY_PAGE = 500
POLL_SECONDS = 0.1
"""Poll interval while other processes hold the banks that are due."""
FIRST_REST_SECONDS = 300.0
LONGEST_REST_SECONDS = 21_600.0
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
"""Upper bound of --as-of: due times are at most a century later and must be valid timestamps."""
LEFT_DUE_AFTER = timedelta(hours=1)
"""A bank with work left is due again this long after the run's present."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run."""

    at: datetime
    """The present of the run."""
    bank_id: str | None = None
    """Process this bank alone, due or not."""
    dry_run: bool = False
    deadline: float | None = None
    """Seconds from the start after which no further bank is begun."""


class NightlyRun:
    """One run of passes over the banks of a server that are due, in this process."""

    def __init__(
        self,
        memory: Memory,
        passes: Sequence[Pass],
        options: RunOptions,
        report: Report,
        store: Store | None = None,
        scrubbed: Settings | None = None,
    ) -> None:
        """`store`: that of the server; default: of the named bank's server, else of the home server. `scrubbed`: the
        server's settings, where the run scrubs it."""
        self._memory = memory
        self._passes = passes
        self._options = options
        self._report = report
        self._scrubbed = scrubbed
        self._use(store or memory.store)
        self._lease = timedelta(seconds=memory.settings.lease_seconds)
        self._counts_tokens = memory.models.language_model() is not None
        self._night_id = uuid4()
        self._began = time.monotonic()
        self._held: list[UpkeepClaim] = []
        self.done = self.failed = self.lost = 0
        self._model_calls = self._tokens = 0

    def _use(self, store: Store) -> None:
        memory, options = self._memory, self._options
        self._store, self._upkeep = store, store.upkeep
        self._context = PassContext(store, memory.models, memory.settings, options.at, options.dry_run)

    async def run(self) -> int:
        """Process banks until none is due; the exit code.

        Errors: InvalidInput for an unknown bank; DatabaseUnavailable, DatabaseUnsuitable.
        """
        if self._options.bank_id is not None:
            database = await self._store.database.located(self._options.bank_id)
            if database is not self._store.database:
                self._use(Store(database))
            await self._check_bank(self._options.bank_id)
        with self._report:
            if self._options.dry_run:
                return await self._preview()
            scrubbed = self._scrubbed is None or await self._scrub(self._scrubbed)
            before = left = await self._upkeep.remaining(self._options.at)
            self._report.due(1 if self._options.bank_id else before.free)
            async with self._keeping_leases():
                while not self._deadline_reached():
                    self._held = await self._upkeep.claim(
                        batch_size(left.free, before.free),
                        self._lease,
                        before.clock,
                        self._options.at,
                        self._options.bank_id,
                    )
                    if self._held:
                        await self._batch(self._held)
                        if self._options.bank_id is not None:
                            break
                        left = await self._upkeep.remaining(self._options.at, before.clock)
                    elif not await self._wait_for_others(before.clock):
                        break
            left = await self._upkeep.remaining(self._options.at, before.clock)
            waiting = left.free + left.held
            resting = left.resting and self._options.bank_id is None
            code = FAILED if self.failed or resting or not scrubbed else DONE
            if (
                code == DONE
                and self._deadline_reached()
                and (waiting or (self._options.bank_id and not self.done))
            ):
                code = LATE
            self._report.summary(
                {"night_id": str(self._night_id), "done": self.done, "failed": self.failed, "left": waiting,
                 "resting": left.resting, "model_calls": self._model_calls, "tokens": self._tokens,
                 "seconds": round(time.monotonic() - self._began, 3), "exit_code": code}
            )  # fmt: skip
            return code

    async def _scrub(self, settings: Settings) -> bool:
        """Overwrite rows erased since the last scrub; False: that failed.

        First, because no deadline and no failure of a bank may keep it from beginning.
        """
        job_run = JobRun(self._night_id, "scrub", self._options.at)
        if await asyncio.to_thread(scrub_recorded, settings, job_run):
            self._report.batch([job_run.row()])
        return not job_run.failed

    async def _check_bank(self, bank_id: str) -> None:
        """Errors: InvalidInput where there is no such bank; BankElsewhere after it was moved."""
        try:
            await self._store.banks.read(bank_id)
        except NotFound:
            raise InvalidInput("--bank", "there is no such bank") from None

    def _deadline_reached(self) -> bool:
        deadline = self._options.deadline
        return deadline is not None and time.monotonic() - self._began >= deadline

    async def _wait_for_others(self, since: datetime) -> bool:
        """Whether to poll again, after a pause: another process holds a lease on a due bank and may crash."""
        pause = POLL_SECONDS
        if self._options.bank_id is None:
            left = await self._upkeep.remaining(self._options.at, since)
            if not left.free and not left.held:
                return False
            pause = 0.05 if left.free else min(pause, max(left.held_seconds or 0.0, 0.05))
        else:
            await self._check_bank(self._options.bank_id)  # it may be erased or moved meanwhile
        await asyncio.sleep(pause)
        return True

    @asynccontextmanager
    async def _keeping_leases(self) -> AsyncGenerator[None]:
        """Renew the leases on the claimed banks until the block ends, then release them."""
        try:
            async with renewing(lambda: self._upkeep.renew(self._held, self._lease), self._lease):
                yield
        finally:
            with suppress(MemoryServiceError):
                await self._upkeep.release(self._held)

    async def _batch(self, turns: Sequence[UpkeepClaim]) -> None:
        """Run all passes over each bank, one bank after the other, until the deadline."""
        job_runs = [JobRun(self._night_id, one.name, self._options.at) for one in self._passes]
        for turn in turns:
            if self._deadline_reached():
                break
            if await self._upkeep.begin(turn, self._lease):
                self._report.began(turn.bank_id)
                await self._bank(turn, job_runs)
            self._held = [held for held in self._held if held is not turn]
        await self._upkeep.release(self._held)
        self._held = []
        self._model_calls += sum(job_run.model_calls for job_run in job_runs)
        self._tokens += sum(job_run.tokens for job_run in job_runs)
        self._report.batch(rows_of(job_runs))

    async def _bank(self, turn: UpkeepClaim, job_runs: Sequence[JobRun]) -> None:
        """Run all passes over one bank, renewing its lease before each. A failed pass leaves the bank due; the other
        passes and banks go on.

        Errors: DatabaseUnavailable, DatabaseUnsuitable where the failure cannot be recorded.
        """
        left = False
        reasons: list[str] = []
        for place, (one, job_run) in enumerate(zip(self._passes, job_runs, strict=True)):
            try:
                if place and not await self._upkeep.renew([turn], self._lease):
                    self._count_lost(turn)
                    return
                left = await self._run_pass(one, turn.bank_id, job_run) or left
            except Exception as error:
                reasons.append(record_failure(turn.bank_id, job_run.name, job_run, error))
                if isinstance(error, DatabaseUnavailable):
                    break
        completed = False
        if not reasons:
            try:
                completed = await self._complete(turn, job_runs, left=left)
            except Exception as error:
                reasons.append(record_failure(turn.bank_id, "completion", job_runs[-1], error))
        if reasons:
            rest = min(FIRST_REST_SECONDS * 2 ** min(turn.attempts, 20), LONGEST_REST_SECONDS)
            await self._upkeep.fail(turn, reasons[0], timedelta(seconds=rest), rows_of(job_runs))
            self.failed += 1
            self._report.failed(turn.bank_id, reasons[0])
        elif completed:
            self.done += 1
        else:
            self._count_lost(turn)

    async def _complete(self, turn: UpkeepClaim, job_runs: Sequence[JobRun], *, left: bool) -> bool:
        ratio = await self._upkeep.compression_ratio(turn.bank_id)
        if ratio is not None:
            job_runs[-1].ratios.append(ratio)
        again_at = self._options.at + LEFT_DUE_AFTER if left else None
        settings = self._memory.settings
        return await self._upkeep.complete(
            turn, rows_of(job_runs), settings.message_days, settings.intake, again_at, self._options.at
        )

    def _count_lost(self, turn: UpkeepClaim) -> None:
        self.lost += 1
        log.warning("lease lost: another process has taken over the bank", bank_id=turn.bank_id)

    async def _run_pass(self, one: Pass, bank_id: str, job_run: JobRun) -> bool:
        """Run a pass over a bank; whether it left work for the next run."""
        job_run.bank_ids.append(bank_id)
        last_call = (await self._upkeep.spent_since(bank_id)).last_call if self._counts_tokens else None
        began = time.monotonic()
        try:
            # Read again for each pass: the one before may have changed the bank's subjects.
            with bound_contextvars(bank_id=bank_id):
                outcome = await one.run(await self._store.banks.read(bank_id), self._context)
        finally:
            job_run.seconds += time.monotonic() - began
            if last_call is not None:
                spent = await self._upkeep.spent_since(bank_id, last_call)
                job_run.model_calls += spent.calls
                job_run.tokens += spent.tokens
        job_run.counts.update(outcome.counts)
        return outcome.left or any(outcome.counts[name] for name in LEFT_COUNTS)

    async def _preview(self) -> int:
        """A dry run: report the changes that each pass would make in each due bank, or in the given one."""
        banks, after, failed = 0, "", 0
        while True:
            named = self._options.bank_id
            page = [named] if named else await self._upkeep.list_due(DRY_PAGE, after, self._options.at)
            for bank_id in page:
                banks += 1
                self._report.began(bank_id)
                try:
                    bank = await self._store.banks.read(bank_id)
                    for one in self._passes:
                        self._report.would(bank_id, one.name, await one.run(bank, self._context))
                except (DatabaseUnavailable, DatabaseUnsuitable):
                    raise
                except MemoryServiceError as error:
                    failed += 1
                    self._report.failed(bank_id, str(error))
            if named or len(page) < DRY_PAGE:
                break
            after = page[-1]
        code = FAILED if failed else DONE
        self._report.summary({"dry_run": True, "banks": banks, "failed": failed, "exit_code": code})
        return code


def batch_size(due: int, at_first: int) -> int:
    """Number of banks to claim: a share of those due, so that processes that share a run end together. The last banks
    of a run that began with more than BATCH are claimed one by one, those of a small run FEWEST at once."""
    return min(BATCH, max(1 if at_first > BATCH else FEWEST, due // SHARE))
