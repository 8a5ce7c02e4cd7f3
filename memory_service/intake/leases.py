"""Keeping leases while work is under way: renewed at a third of their length, given up where they were lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
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
    """Renew the leases of `claims` that are not `done` until the block ends.

    A renewal that fails is no error here: whoever lost a lease cannot complete the work, and that is what counts.
    """

    async def renew() -> None:
        while True:
            await asyncio.sleep(lease.total_seconds() / 3)
            try:
                await work.renew([c for c in claims if c.token not in done], lease)
            except MemoryServiceError as error:
                log.warning("lease renewal failed", error=str(error))

    renewal = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewal.cancel()
        with suppress(asyncio.CancelledError):
            await renewal
