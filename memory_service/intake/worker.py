"""The intake worker: claims work items of each kind across banks, runs their step, retries or releases failures."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta

import structlog

from memory_service.config import Settings
from memory_service.errors import (
    DatabaseUnavailable,
    DatabaseUnsuitable,
    MemoryServiceError,
    NoAnswer,
    ProviderUnavailable,
)
from memory_service.intake.annotate import AnnotateStep
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.embed import EmbedStep
from memory_service.intake.extract import ExtractStep
from memory_service.intake.facts import FactsStep
from memory_service.intake.judge import JudgeStep
from memory_service.intake.leases import renewing_claims
from memory_service.intake.procedures import ProceduresStep
from memory_service.intake.relational import RelationalStep
from memory_service.intake.segment import SegmentStep
from memory_service.intake.step import Step
from memory_service.logs import unexpected
from memory_service.metrics import WORK_FAILURES
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.work import Claim, Kind

log = structlog.get_logger()

FIRST_RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 600.0
OUTAGE_SECONDS = 5.0
LONGEST_OUTAGE_SECONDS = 600.0
MOST_RESTING = 1_000
"""Banks that a claim excludes at most."""
RETRY_POLL_SECONDS = 0.5
"""Longest interval at which items that failed before are claimed."""
AFTER_BATCH_SECONDS = 0.02
"""Pause after a batch before its kind is polled again, unless new items are announced."""
STOP_SECONDS = 10.0


STEPS: tuple[type[Step], ...] = (
    SegmentStep, ExtractStep, AnnotateStep, EmbedStep, FactsStep, JudgeStep, ProceduresStep, RelationalStep,
)  # fmt: skip


class Worker:
    """Runs all steps concurrently until it is stopped. Several workers share the queue by leases."""

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._lease = timedelta(seconds=settings.lease_seconds)
        self._max_attempts = settings.max_attempts
        self._poll = settings.poll_seconds
        self._retry_poll = min(RETRY_POLL_SECONDS, settings.poll_seconds)
        self._steps = [step(store, models, settings) for step in STEPS]
        self._resting = {step.kind: RestingBanks() for step in self._steps}
        self._wake_ups = {step.kind: asyncio.Event() for step in self._steps}
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Work until `stop` is called, then finish the batches in progress within 10 s or release their claims."""
        drivers = [asyncio.create_task(self._drive(step), name=step.kind) for step in self._steps]
        listening = asyncio.create_task(self._store.notifications.listen(self.wake))
        try:
            await self._stopping.wait()
            await asyncio.wait(drivers, timeout=STOP_SECONDS)
        finally:
            for task in (*drivers, listening):
                task.cancel()
            await asyncio.gather(*drivers, listening, return_exceptions=True)

    def stop(self) -> None:
        self._stopping.set()
        self.wake()

    def wake(self, kind: str | None = None) -> None:
        """Poll for work items of this kind, or of every kind, now."""
        for known, event in self._wake_ups.items():
            if kind in (None, known):
                event.set()

    async def _drive(self, step: Step) -> None:
        """Claim and run batches of one kind, up to `parallel` concurrently, until the worker stops."""
        after_bank = ""
        outages = 0
        retries_due, fresh_since, backlog = 0.0, math.inf, False
        batches: set[asyncio.Task[None]] = set()
        try:
            while not self._stopping.is_set():
                self._wake_ups[step.kind].clear()
                try:
                    # An item that failed before is claimed alone, so that a poison item takes no other with it, not
                    # even by crashing the worker; and while new items fill whole batches before them, because a
                    # backlog uses up the bank's `per_bank`. Otherwise after a pause without new items, of
                    # RETRY_POLL_SECONDS at most: new items wait for no other statement.
                    short, fresh, retried = True, False, False
                    for tried in (True, False) if backlog else (False, True):
                        now = time.monotonic()
                        if tried and (now < retries_due or (fresh and now < fresh_since + self._retry_poll)):
                            continue
                        claims = await self._claim(step, 1 if tried else step.batch, after_bank, tried=tried)
                        if tried:
                            pause = self._retry_poll if backlog or not claims else 0.0
                            retries_due = time.monotonic() + pause
                            retried, fresh_since = bool(claims), math.inf
                        else:
                            short, fresh = len(claims) < step.batch, bool(claims)
                            fresh_since = min(fresh_since, now) if fresh else math.inf
                        if claims:
                            after_bank = claims[-1].bank_id
                            batches.add(asyncio.create_task(self._work(step, claims)))
                    backlog = not short
                    # A batch that is not full has all that was ready. More arrives with a wake-up, or when a batch
                    # ends: its bank's slots, and items that were enqueued again while they were leased.
                    if short and not retried:
                        await self._idle(step.kind, batches)
                    await wait_for_slot(batches, most=step.parallel - 1)
                    outages = 0
                except MemoryServiceError as error:
                    # Usually the database. Leases expire, so nothing is lost by waiting.
                    outages += 1
                    log.warning("step backs off", step=step.kind, error=str(error))
                    await self._back_off(outages)
                except Exception as error:
                    # Without this the driver would end, and its kind of work with it, while others look healthy.
                    outages += 1
                    log.error("step backs off", step=step.kind, **unexpected(error))  # noqa: TRY400
                    await self._back_off(outages)
            await asyncio.gather(*batches, return_exceptions=True)
        finally:
            for batch in batches:
                batch.cancel()
            await asyncio.gather(*batches, return_exceptions=True)

    async def _claim(self, step: Step, batch: int, after_bank: str, *, tried: bool = False) -> list[Claim]:
        resting = self._resting[step.kind].banks()
        return await self._store.work.claim(
            step.kind, batch, step.per_bank, self._lease, after_bank, resting, tried=tried
        )

    async def _back_off(self, outages: int) -> None:
        """Sleep longer after each consecutive outage, jittered, until the worker stops at the latest."""
        seconds = min(0.2 * 2 ** min(outages, 10), 10) * random.uniform(0.5, 1.5)  # noqa: S311
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _idle(self, kind: Kind, batches: set[asyncio.Task[None]]) -> None:
        """Wait for a wake-up, the end of a batch or the next poll, which is jittered: workers do not poll in step."""
        awake = asyncio.create_task(self._wake_ups[kind].wait())
        seconds = self._poll * random.uniform(0.7, 1.3)  # noqa: S311
        try:
            ended, _ = await asyncio.wait(
                {awake, *batches}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if ended and awake not in ended:
                # The next steps of the batch come first. An item enqueued while it was leased is also notified of.
                await asyncio.wait({awake}, timeout=AFTER_BATCH_SECONDS)
        finally:
            awake.cancel()

    async def _work(self, step: Step, claims: Sequence[Claim]) -> None:
        """Run a batch while renewing its leases; a worker that stops releases the unsettled claims."""
        batch = ClaimBatch(self._store.work, claims)
        try:
            async with renewing_claims(self._store.work, batch, self._lease):
                await self._attempt(step, batch)
        except asyncio.CancelledError:
            await asyncio.shield(batch.release(batch.unsettled, timedelta(0), "worker stopped"))
            raise
        for kind in step.feeds:
            self.wake(kind)

    async def _attempt(self, step: Step, batch: ClaimBatch) -> None:
        """Run a step; on failure run each claim alone, or release all where the provider is at fault."""
        claims = batch.claims
        if len(claims) == 1 and claims[0].attempts > self._max_attempts:
            await self._fail(step, claims[0], "its worker died each time it was tried", batch)
            return
        try:
            await step.run(batch)
        except (DatabaseUnavailable, DatabaseUnsuitable):  # the items are not at fault; their leases expire
            raise
        except NoAnswer as error:
            # An outage or a poison item. Released apart, each item is claimed alone; alone, it is at fault if the
            # model answers other items.
            left = batch.unsettled
            if len(left) == len(claims) == 1 and error.others_answered:
                await self._fail(step, left[0], reason_of(error), batch)
                return
            delay, reason = timedelta(seconds=OUTAGE_SECONDS), f"provider unavailable: {error}"
            await batch.release(left, delay, reason, apart=True)
            log.warning("no answer", step=step.kind, waiting=len(left), error=str(error))
        except ProviderUnavailable as error:
            left = batch.unsettled
            seconds = min(error.retry_after or OUTAGE_SECONDS, LONGEST_OUTAGE_SECONDS)
            self._resting[step.kind].rest({claim.bank_id for claim in left}, seconds)
            await batch.release(left, timedelta(seconds=seconds), f"provider unavailable: {error}")
            log.warning("provider unavailable", step=step.kind, waiting=len(left), error=str(error))
        except Exception as error:
            left = batch.unsettled
            if len(claims) > 1:
                for claim in left:
                    await self._attempt(step, batch.single(claim))
            elif left:
                if not isinstance(error, MemoryServiceError):
                    log.error("step failed", step=step.kind, subject=left[0].subject, **unexpected(error))  # noqa: TRY400
                await self._fail(step, left[0], reason_of(error), batch)

    async def _fail(self, step: Step, claim: Claim, reason: str, batch: ClaimBatch) -> None:
        delay = min(FIRST_RETRY_SECONDS * 2 ** (claim.attempts - 1), LONGEST_RETRY_SECONDS)
        outcome = await self._store.work.fail(claim, reason, timedelta(seconds=delay), self._max_attempts)
        batch.settle([claim])
        self._store.counts.count(WORK_FAILURES, step.kind, outcome or "lease_lost")
        log.warning("work failed", step=step.kind, subject=claim.subject, outcome=outcome, reason=reason)


class RestingBanks:
    """Banks whose model provider is unavailable. Claims exclude them for a while, so that an outage does not have the
    backlog claimed and released repeatedly."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def rest(self, banks: Iterable[str], seconds: float) -> None:
        until = time.monotonic() + seconds
        for bank_id in banks:
            self._until[bank_id] = until

    def banks(self) -> list[str]:
        """The banks that rest now; of more than MOST_RESTING those that rest longest."""
        now = time.monotonic()
        self._until = {bank_id: until for bank_id, until in self._until.items() if until > now}
        return sorted(self._until, key=self._until.__getitem__, reverse=True)[:MOST_RESTING]


async def wait_for_slot(batches: set[asyncio.Task[None]], most: int) -> None:
    """Wait until at most `most` batches are left, removing those that ended; raise the error of one of them."""
    while len(batches) > most or any(batch.done() for batch in batches):
        ended, _ = await asyncio.wait(batches, return_when=asyncio.FIRST_COMPLETED)
        batches -= ended
        failed = [batch for batch in ended if batch.cancelled() or batch.exception() is not None]
        if failed:
            failed[0].result()


def reason_of(error: Exception) -> str:
    """The reason stored with a failed item, without memory text: the message of an error of this package, of any other
    error its type."""
    return str(error) if isinstance(error, MemoryServiceError) else type(error).__name__
