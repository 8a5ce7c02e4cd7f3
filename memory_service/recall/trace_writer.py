"""Writes traces and access counts in the background, after the response."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import Context
from typing import Any, Protocol

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected
from memory_service.store import Store

log = structlog.get_logger()

CAPACITY = 2_000
BATCH = 100
"""Traces taken from the queue at once; those of one bank are written in one statement."""
GATHER_SECONDS = 0.1
"""Wait of the first trace for others: a statement with ten takes nearly the same time as with one, and competes with
the next reads."""
DRAIN_SECONDS = 10.0

MakeTrace = Callable[[], dict[str, Any]]
"""Makes a trace's JSON, called after the response."""


class TraceSink(Protocol):
    """Takes the traces of reads."""

    def record(self, bank_id: str, trace: MakeTrace) -> None: ...


class KeptTrace:
    """Keeps the trace of one read, which is not written: no memory counts as accessed."""

    def __init__(self) -> None:
        self.trace: dict[str, Any] = {}

    def record(self, bank_id: str, trace: MakeTrace) -> None:
        self.trace = trace()


class PendingTrace:
    """A trace to be written."""

    def __init__(self, make: MakeTrace) -> None:
        self._make = make

    def settle(self) -> None:
        """Make the JSON now and release the objects of the recall: thousands of them, kept until the trace is written,
        would be traversed by each garbage collection."""
        with suppress(Exception):  # logged when it is written
            made = self._make()
            self._make = lambda: made

    def made(self) -> dict[str, Any]:
        return self._make()


class TraceWriter:
    """A bounded queue of traces and its writer task; a full queue drops the new trace, so that reads never wait.

    Traces that arrive during a statement, or GATHER_SECONDS before it, are written together.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: asyncio.Queue[tuple[str, PendingTrace]] = asyncio.Queue(CAPACITY)
        self._writer: asyncio.Task[None] | None = None
        self._flushing = asyncio.Event()
        self._flushes = 0
        """Calls of `flush` that wait."""

    def record(self, bank_id: str, trace: MakeTrace) -> None:
        """Queue a trace, whose `seen` memories are counted as accessed. Never waits, never raises."""
        if self._writer is None:
            self._writer = asyncio.create_task(self._write(), context=Context())
        waiting = PendingTrace(trace)
        try:
            self._queue.put_nowait((bank_id, waiting))
        except asyncio.QueueFull:
            log.warning("trace dropped: the database does not keep up", bank_id=bank_id)
        else:
            asyncio.get_running_loop().call_soon(waiting.settle)

    async def flush(self, seconds: float | None = None) -> None:
        """Wait until all traces recorded so far are written or dropped; at most `seconds`."""
        self._flushes += 1
        self._flushing.set()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._queue.join(), seconds)
        finally:
            self._flushes -= 1
            if not self._flushes:
                self._flushing.clear()

    async def aclose(self) -> None:
        """Write the queued traces, for at most DRAIN_SECONDS, and stop."""
        if self._writer is None:
            return
        try:
            await asyncio.wait_for(self.flush(), DRAIN_SECONDS)
        except TimeoutError:
            log.warning("traces dropped: the database did not take them in time", waiting=self._queue.qsize())
        self._writer.cancel()
        with suppress(asyncio.CancelledError):
            await self._writer

    async def _write(self) -> None:
        while True:
            taken = [await self._queue.get()]
            await self._gather()
            while len(taken) < BATCH and not self._queue.empty():
                taken.append(self._queue.get_nowait())
            banks: dict[str, list[PendingTrace]] = {}
            for bank_id, trace in taken:
                banks.setdefault(bank_id, []).append(trace)
            for bank_id, traces in banks.items():
                await self._write_batch(bank_id, traces)

    async def _gather(self) -> None:
        """Wait for more traces, unless a batch is complete or `flush` waits."""
        if self._queue.qsize() < BATCH:
            with suppress(TimeoutError):
                async with asyncio.timeout(GATHER_SECONDS):
                    await self._flushing.wait()

    async def _write_batch(self, bank_id: str, traces: Sequence[PendingTrace]) -> None:
        """Write traces of a bank; log those that fail. After an unexpected error each is tried alone: traces already
        written are neither written nor counted again."""
        try:
            await self._store.traces.record(bank_id, [trace.made() for trace in traces])
        except MemoryServiceError as error:
            log.warning("traces not written", bank_id=bank_id, traces=len(traces), error=str(error))
        except Exception as error:
            if len(traces) > 1:
                for trace in traces:
                    await self._write_batch(bank_id, [trace])
                return
            log.error("trace not written", bank_id=bank_id, **unexpected(error))  # noqa: TRY400
        for _ in traces:
            self._queue.task_done()
