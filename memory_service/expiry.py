"""Expiry that workers run every hour: traces, sessions, and answers to requests with idempotency keys."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected
from memory_service.store import Store

log = structlog.get_logger()

EVERY_SECONDS = 3_600.0
PAGE = 1_000
"""Idempotency keys deleted in one transaction."""


async def expire_idempotency_keys(store: Store) -> int:
    """Delete the expired idempotency keys of all banks; how many. It can be interrupted and run again."""
    total = 0
    for bank_id in await store.idempotency.banks_with_expired_keys():
        while True:
            count = await store.idempotency.expire(bank_id, PAGE)
            total += count
            if count < PAGE:
                break
    return total


async def run_hourly(**expiries: Callable[[], Awaitable[int]]) -> None:
    """Run each of these, named by its rows, now and every hour, until cancelled.

    With jitter, so that workers do not run at the same time.
    """
    while True:
        for rows, expire in expiries.items():
            try:
                count = await expire()
                if count:
                    log.info("expired", kind=rows, rows=count)
            except MemoryServiceError as error:
                log.warning("not expired", kind=rows, error=str(error))
            except Exception as error:
                log.error("not expired", kind=rows, **unexpected(error))  # noqa: TRY400
        await asyncio.sleep(EVERY_SECONDS * random.uniform(0.8, 1.2))  # noqa: S311
