"""Adds what this process has counted to memory.metric, in the background."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import Context

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected
from memory_service.store import Store

WRITE_SECONDS = 5.0
"""Age of what a scrape of another process misses."""
LAST_WRITE_SECONDS = 2.0

log = structlog.get_logger()


class MetricWriter:
    """Writes every WRITE_SECONDS, at each scrape of this process, and when it is closed.

    Counts that could not be written are written with the next ones. A process that is killed loses those of its last
    WRITE_SECONDS; a write whose commit was lost on the way back is counted twice.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._task = asyncio.create_task(self._run(), context=Context())

    async def write(self) -> None:
        """Write now. Errors: DatabaseUnavailable."""
        async with self._lock:
            taken = self._store.counts.take()
            if not taken:
                return
            try:
                await self._store.metrics.add(taken)
            except BaseException:
                self._store.counts.give_back(taken)
                raise

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            try:
                await self.write()
            except MemoryServiceError:
                continue  # every call reports it
            except Exception as error:
                log.error("metrics not written", **unexpected(error))  # noqa: TRY400

    async def aclose(self) -> None:
        """Write the rest, for at most LAST_WRITE_SECONDS, and stop."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        with suppress(MemoryServiceError, TimeoutError):
            async with asyncio.timeout(LAST_WRITE_SECONDS):
                await self.write()
