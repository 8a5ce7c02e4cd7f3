"""Keeping leases while work is under way: renewed at a third of their length, given up where they were lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from uuid import UUID

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.store.work import Claim, Work

log = structlog.get_logger()


@asynccontextmanager
async def kept(
    work: Work, claims: Sequence[Claim], lease: timedelta, done: set[UUID]
) -> AsyncGenerator[None]:
    """Renew the leases of `claims` that are not `done` until the block ends."""
    async with renewing(lambda: work.renew([c for c in claims if c.token not in done], lease), lease):
        yield


@asynccontextmanager
async def renewing(renew: Callable[[], Awaitable[object]], lease: timedelta) -> AsyncGenerator[None]:
    """Call `renew` at each third of the lease until the block ends.

    A renewal that fails is no error here: whoever lost a lease cannot complete the work, and that is what counts.
    """

    async def again_and_again() -> None:
        while True:
            await asyncio.sleep(lease.total_seconds() / 3)
            try:
                await renew()
            except MemoryServiceError as error:
                log.warning("lease renewal failed", error=str(error))

    renewal = asyncio.create_task(again_and_again())
    try:
        yield
    finally:
        renewal.cancel()
        with suppress(asyncio.CancelledError):
            await renewal
