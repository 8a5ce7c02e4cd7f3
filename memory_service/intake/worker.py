"""The intake worker: claims work of each kind across banks, runs the steps, and sees to what fails."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Protocol
from uuid import UUID

import structlog

from memory_service.config import Settings
from memory_service.errors import DatabaseUnavailable, MemoryServiceError, NoAnswer, ProviderUnavailable
from memory_service.intake.annotate import Annotate
from memory_service.intake.embed import Embed
from memory_service.intake.extract import Extract
from memory_service.intake.facts import Facts
from memory_service.intake.judge import Judge
from memory_service.intake.leases import kept
from memory_service.intake.segment import Cut
from memory_service.logs import unexpected
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.work import Claim, Kind

log = structlog.get_logger()

FIRST_RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 600.0
OUTAGE_SECONDS = 5.0
LONGEST_OUTAGE_SECONDS = 600.0
MOST_RESTING = 1_000
TRIED_SECONDS = 0.5
"""While there is more than enough of what is fresh, what was tried before is looked for this often."""
STOP_SECONDS = 10.0


class Step(Protocol):
    """One kind of work. `run` adds the token of each claim it has settled to `done`; what it leaves out failed."""

    kind: Kind
    batch: int
    per_bank: int
    parallel: int
    """Batches under way at once in one worker."""
    feeds: tuple[Kind, ...]
    """Kinds of work that this one's results make."""

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None: ...


class Worker:
    """Runs the write path's steps side by side until it is stopped. Several workers share the queue by leases."""

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        extractor = models.extractor()
        self._store = store
        self._lease = timedelta(seconds=settings.lease_seconds)
        self._max_attempts = settings.max_attempts
        self._poll = settings.poll_seconds
        self._steps: tuple[Step, ...] = (
            Cut(store, settings),
            Extract(store, extractor, settings),
            Annotate(store, extractor, settings),
            Embed(store, models, settings),
            Facts(store, models, settings),
            Judge(store, models, settings),
        )
        self._resting = {step.kind: Resting() for step in self._steps}
        self._awake = {step.kind: asyncio.Event() for step in self._steps}
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Work until `stop` is called; what is under way then is finished or given back."""
        lines = [asyncio.create_task(self._drive(step), name=step.kind) for step in self._steps]
        listening = asyncio.create_task(self._store.notices.listen(self.wake))
        try:
            await self._stopping.wait()
            await asyncio.wait(lines, timeout=STOP_SECONDS)
        finally:
            for task in (*lines, listening):
                task.cancel()
            await asyncio.gather(*lines, listening, return_exceptions=True)

    def stop(self) -> None:
        self._stopping.set()
        self.wake()

    def wake(self, kind: str | None = None) -> None:
        """Look for work of this kind, or of every kind, now instead of at the next poll."""
        for known, event in self._awake.items():
            if kind in (None, known):
                event.set()

    async def _drive(self, step: Step) -> None:
        """Claim and run batches of one kind, up to `parallel` at once, until the worker is to stop."""
        after_bank = ""
        outages = 0
        tried_at, backlog, idle = 0.0, False, True
        batches: set[asyncio.Task[None]] = set()
        try:
            while not self._stopping.is_set():
                self._awake[step.kind].clear()
                try:
                    # What was tried before comes by itself, so that poison takes nobody with it, not even by
                    # killing its worker; and first, because a bank's backlog takes all the room that the bank has.
                    # Only what ends an idle wait does not wait for that statement.
                    tried: list[Claim] = []
                    fresh = await self._claim(step, step.batch, after_bank) if idle else []
                    if not fresh and (not backlog or time.monotonic() - tried_at > TRIED_SECONDS):
                        tried = await self._claim(step, 1, after_bank, tried=True)
                        tried_at = time.monotonic()
                    if not idle:
                        fresh = await self._claim(step, step.batch, after_bank)
                    backlog = len(fresh) == step.batch
                    idle = not fresh and not tried
                    if idle:
                        await self._idle(step.kind, batches)
                    else:
                        after_bank = (fresh or tried)[-1].bank_id
                    batches |= {asyncio.create_task(self._work(step, c)) for c in (fresh, tried) if c}
                    await finished(batches, most=step.parallel - 1)
                    outages = 0
                except MemoryServiceError as error:
                    # The database, mostly. Leases run out by themselves; nothing is lost by waiting.
                    outages += 1
                    log.warning("step cannot work", step=step.kind, error=str(error))
                    await self._sleep_after(outages)
                except Exception as error:
                    # A line that ended here would leave its kind of work undone while everything looks well.
                    outages += 1
                    log.error("step cannot work", step=step.kind, **unexpected(error))  # noqa: TRY400
                    await self._sleep_after(outages)
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

    async def _sleep_after(self, outages: int) -> None:
        """Back off: longer after each outage in a row, jittered, cut short when the worker is to stop."""
        seconds = min(0.2 * 2 ** min(outages, 10), 10) * random.uniform(0.5, 1.5)  # noqa: S311
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _idle(self, kind: Kind, batches: set[asyncio.Task[None]]) -> None:
        """Wait for a wake-up, for a batch to end, or for the next poll; jittered, so that workers do not march in
        step."""
        awake = asyncio.create_task(self._awake[kind].wait())
        seconds = self._poll * random.uniform(0.7, 1.3)  # noqa: S311
        try:
            await asyncio.wait({awake, *batches}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            awake.cancel()

    async def _work(self, step: Step, claims: Sequence[Claim]) -> None:
        """Run a batch, keeping its leases; what a worker that stops has not settled goes back untried."""
        done: set[UUID] = set()
        try:
            async with kept(self._store.work, claims, self._lease, done):
                await self._attempt(step, claims, done)
        except asyncio.CancelledError:
            left = [claim for claim in claims if claim.token not in done]
            await asyncio.shield(self._store.work.release(left, timedelta(0), "worker stopped"))
            raise
        for kind in step.feeds:
            self.wake(kind)

    async def _attempt(self, step: Step, claims: Sequence[Claim], done: set[UUID]) -> None:
        if len(claims) == 1 and claims[0].attempts > self._max_attempts:
            await self._fail(step, claims[0], "its worker died each time it was tried", done)
            return
        try:
            await step.run(claims, done)
        except DatabaseUnavailable:
            raise
        except NoAnswer as error:
            # An outage, or one of these is what the model cannot answer: each by itself tells which. By itself, and
            # while the model answers others, it is to blame.
            left = [claim for claim in claims if claim.token not in done]
            if len(left) == len(claims) == 1 and error.others_answered:
                await self._fail(step, left[0], reason_of(error), done)
                return
            delay, reason = timedelta(seconds=OUTAGE_SECONDS), f"provider unavailable: {error}"
            await self._store.work.release(left, delay, reason, apart=True)
            done.update(claim.token for claim in left)
            log.warning("no answer", step=step.kind, waiting=len(left), error=str(error))
        except ProviderUnavailable as error:
            left = [claim for claim in claims if claim.token not in done]
            seconds = min(error.retry_after or OUTAGE_SECONDS, LONGEST_OUTAGE_SECONDS)
            self._resting[step.kind].rest({claim.bank_id for claim in left}, seconds)
            await self._store.work.release(left, timedelta(seconds=seconds), f"provider unavailable: {error}")
            done.update(claim.token for claim in left)
            log.warning("provider unavailable", step=step.kind, waiting=len(left), error=str(error))
        except Exception as error:
            left = [claim for claim in claims if claim.token not in done]
            if len(claims) > 1:
                for claim in left:
                    await self._attempt(step, [claim], done)
            elif left:
                if not isinstance(error, MemoryServiceError):
                    log.error("step failed", step=step.kind, subject=left[0].subject, **unexpected(error))  # noqa: TRY400
                await self._fail(step, left[0], reason_of(error), done)

    async def _fail(self, step: Step, claim: Claim, reason: str, done: set[UUID]) -> None:
        delay = min(FIRST_RETRY_SECONDS * 2 ** (claim.attempts - 1), LONGEST_RETRY_SECONDS)
        outcome = await self._store.work.fail(claim, reason, timedelta(seconds=delay), self._max_attempts)
        done.add(claim.token)
        log.warning("work failed", step=step.kind, subject=claim.subject, outcome=outcome, reason=reason)


class Resting:
    """Banks whose model is out of reach: what else they have waiting is left alone for as long, so that an outage
    does not have a whole backlog claimed and given back again and again."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def rest(self, banks: Iterable[str], seconds: float) -> None:
        until = time.monotonic() + seconds
        for bank_id in banks:
            self._until[bank_id] = until

    def banks(self) -> list[str]:
        """Those that rest now; where there are very many, those that rest longest."""
        now = time.monotonic()
        self._until = {bank_id: until for bank_id, until in self._until.items() if until > now}
        return sorted(self._until, key=self._until.__getitem__, reverse=True)[:MOST_RESTING]


async def finished(batches: set[asyncio.Task[None]], most: int) -> None:
    """Wait until at most `most` of the batches are under way; raise what one of those that ended raised."""
    while len(batches) > most or any(batch.done() for batch in batches):
        ended, _ = await asyncio.wait(batches, return_when=asyncio.FIRST_COMPLETED)
        batches -= ended
        failed = [batch for batch in ended if batch.cancelled() or batch.exception() is not None]
        if failed:
            failed[0].result()


def reason_of(error: Exception) -> str:
    """Why, without memory text: this package's messages hold none; of others only the kind of error is kept."""
    return str(error) if isinstance(error, MemoryServiceError) else type(error).__name__
