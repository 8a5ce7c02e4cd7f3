"""Traces and access counts, written after the answer went out, in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected
from memory_service.store import Store

log = structlog.get_logger()

CAPACITY = 2_000
DRAIN_SECONDS = 10.0

Record = tuple[str, dict[str, Any], Sequence[UUID]]


class Recorder:
    """Holds what is to be written in a bounded queue; a full queue drops the new trace rather than the reader."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: asyncio.Queue[Record] = asyncio.Queue(CAPACITY)
        self._writer: asyncio.Task[None] | None = None

    def record(self, bank_id: str, trace: dict[str, Any], seen: Sequence[UUID]) -> None:
        """Write this trace soon, and count the memories in `seen` as accessed."""
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        try:
            self._queue.put_nowait((bank_id, trace, seen))
        except asyncio.QueueFull:
            log.warning("trace dropped: the database does not keep up", bank_id=bank_id)

    async def flush(self) -> None:
        """Wait until everything recorded so far is written."""
        await self._queue.join()

    async def aclose(self) -> None:
        if self._writer is None:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self.flush(), DRAIN_SECONDS)
        self._writer.cancel()
        with suppress(asyncio.CancelledError):
            await self._writer

    async def _write(self) -> None:
        while True:
            record = await self._queue.get()
            try:
                await self._store.retrieval.record(*record)
            except MemoryServiceError as error:
                log.warning("trace not written", bank_id=record[0], error=str(error))
            except Exception as error:
                log.error("trace not written", bank_id=record[0], **unexpected(error))  # noqa: TRY400
            finally:
                self._queue.task_done()
