"""Lease renewal while work is in progress, at a third of the lease."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.store.work import Work

log = structlog.get_logger()


@asynccontextmanager
async def renewing_claims(work: Work, batch: ClaimBatch, lease: timedelta) -> AsyncGenerator[None]:
    """Renew the leases of the batch's unsettled claims until the block ends."""
    async with renewing(lambda: work.renew(batch.unsettled, lease), lease):
        yield


@asynccontextmanager
async def renewing(renew: Callable[[], Awaitable[object]], lease: timedelta) -> AsyncGenerator[None]:
    """Call `renew` at each third of the lease until the block ends.

    A failed renewal is logged, not raised: with a lost lease the fencing token keeps the work from being completed.
    """

    async def renew_repeatedly() -> None:
        while True:
            await asyncio.sleep(lease.total_seconds() / 3)
            try:
                await renew()
            except MemoryServiceError as error:
                log.warning("lease renewal failed", error=str(error))

    renewal = asyncio.create_task(renew_repeatedly())
    try:
        yield
    finally:
        renewal.cancel()
        with suppress(asyncio.CancelledError):
            await renewal
