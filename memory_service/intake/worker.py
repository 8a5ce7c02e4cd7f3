"""The intake worker: claims work of each kind across banks, runs the steps, and sees to what fails."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Protocol
from uuid import UUID

import structlog

from memory_service.config import Settings
from memory_service.errors import DatabaseUnavailable, MemoryServiceError, ProviderUnavailable
from memory_service.intake.annotate import Annotate
from memory_service.intake.cut import Cut
from memory_service.intake.embed import Embed
from memory_service.intake.extract import Extract
from memory_service.intake.leases import kept
from memory_service.logs import unexpected
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.work import Claim, Kind

log = structlog.get_logger()

FIRST_RETRY_SECONDS = 2.0
LONGEST_RETRY_SECONDS = 600.0
OUTAGE_SECONDS = 5.0
STOP_SECONDS = 10.0


class Step(Protocol):
    """One kind of work. `run` adds the token of each claim it has settled to `done`; what it leaves out failed."""

    kind: Kind
    batch: int
    per_bank: int

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
            Cut(store, timedelta(seconds=settings.exchange_quiet_seconds)),
            Extract(store, extractor),
            Annotate(store, extractor),
            Embed(store, models),
        )
        self._awake = {step.kind: asyncio.Event() for step in self._steps}
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Work until `stop` is called; what is under way then is finished or given back."""
        lines = [asyncio.create_task(self._drive(step), name=step.kind) for step in self._steps]
        try:
            await self._stopping.wait()
            await asyncio.wait(lines, timeout=STOP_SECONDS)
        finally:
            for line in lines:
                line.cancel()
            await asyncio.gather(*lines, return_exceptions=True)

    def stop(self) -> None:
        self._stopping.set()
        self.wake()

    def wake(self) -> None:
        """Look for work now instead of at the next poll."""
        for event in self._awake.values():
            event.set()

    async def _drive(self, step: Step) -> None:
        after_bank = ""
        outages = 0
        while not self._stopping.is_set():
            self._awake[step.kind].clear()
            try:
                claims = await self._store.work.claim(
                    step.kind, step.batch, step.per_bank, self._lease, after_bank
                )
                if claims:
                    after_bank = claims[-1].bank_id
                    await self._work(step, claims)
                    self.wake()  # what one step finishes is another step's work
                else:
                    await self._idle(step.kind)
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

    async def _sleep_after(self, outages: int) -> None:
        """Back off: longer after each outage in a row, jittered, cut short when the worker is to stop."""
        seconds = min(0.2 * 2 ** min(outages, 10), 10) * random.uniform(0.5, 1.5)  # noqa: S311
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _idle(self, kind: Kind) -> None:
        """Wait for a wake-up or the next poll; jittered, so that workers do not march in step."""
        try:
            await asyncio.wait_for(
                self._awake[kind].wait(),
                self._poll * random.uniform(0.7, 1.3),  # noqa: S311
            )
        except TimeoutError:
            return

    async def _work(self, step: Step, claims: Sequence[Claim]) -> None:
        """Run a batch; what was tried before runs alone, so that poison takes nobody with it, not even by killing
        its worker."""
        fresh = [claim for claim in claims if claim.attempts == 1]
        tried = [claim for claim in claims if claim.attempts > 1]
        done: set[UUID] = set()
        try:
            async with kept(self._store.work, claims, self._lease, done):
                for group in ([fresh] if fresh else []) + [[claim] for claim in tried]:
                    await self._attempt(step, group, done)
        except asyncio.CancelledError:
            left = [claim for claim in claims if claim.token not in done]
            await asyncio.shield(self._store.work.release(left, timedelta(0), "worker stopped"))
            raise

    async def _attempt(self, step: Step, claims: Sequence[Claim], done: set[UUID]) -> None:
        if len(claims) == 1 and claims[0].attempts > self._max_attempts:
            await self._fail(step, claims[0], "its worker died each time it was tried", done)
            return
        try:
            await step.run(claims, done)
        except DatabaseUnavailable:
            raise
        except ProviderUnavailable as error:
            left = [claim for claim in claims if claim.token not in done]
            delay = timedelta(seconds=error.retry_after or OUTAGE_SECONDS)
            await self._store.work.release(left, delay, f"provider unavailable: {error}")
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


def reason_of(error: Exception) -> str:
    """Why, without memory text: this package's messages hold none; of others only the kind of error is kept."""
    return str(error) if isinstance(error, MemoryServiceError) else type(error).__name__
