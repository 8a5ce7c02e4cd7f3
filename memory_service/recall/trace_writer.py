"""Traces and access counts, written after the answer went out, in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected
from memory_service.store import Store

log = structlog.get_logger()

CAPACITY = 2_000
BATCH = 100
"""Reads that are taken from the queue at once; those of one bank go in one statement."""
GATHER_SECONDS = 0.1
"""So long the first read waits for others: one statement costs nearly the same whether it takes one or ten, and the
next reads compete with it."""
DRAIN_SECONDS = 10.0

MakeTrace = Callable[[], dict[str, Any]]
"""Makes a trace's JSON: behind the answer, which does not wait for it."""


class Waiting:
    """A trace that is to be written."""

    def __init__(self, make: MakeTrace) -> None:
        self._make = make

    def settle(self) -> None:
        """Make it now, and let go of what it is made of: the thousands of objects of a recall, kept until traces are
        written, would be gone through by the garbage collector again and again."""
        with suppress(Exception):  # it is said where it is written
            made = self._make()
            self._make = lambda: made

    def made(self) -> dict[str, Any]:
        return self._make()


class Recorder:
    """Holds what is to be written in a bounded queue; a full queue drops the new trace rather than the reader.

    While one statement is under way, and for a moment before it, the next reads gather, and go together.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: asyncio.Queue[tuple[str, Waiting]] = asyncio.Queue(CAPACITY)
        self._writer: asyncio.Task[None] | None = None
        self._awaited = asyncio.Event()

    def record(self, bank_id: str, trace: MakeTrace) -> None:
        """Write this trace soon, and count the memories that it has `seen` as accessed. Never waits, never fails."""
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        waiting = Waiting(trace)
        try:
            self._queue.put_nowait((bank_id, waiting))
        except asyncio.QueueFull:
            log.warning("trace dropped: the database does not keep up", bank_id=bank_id)
        else:
            asyncio.get_running_loop().call_soon(waiting.settle)

    async def flush(self, seconds: float | None = None) -> None:
        """Wait until everything recorded so far is written, or dropped because it cannot be; at most so long."""
        self._awaited.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._queue.join(), seconds)
        self._awaited.clear()

    async def aclose(self) -> None:
        """Write what is left, for a while."""
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
            banks: dict[str, list[Waiting]] = {}
            for bank_id, trace in taken:
                banks.setdefault(bank_id, []).append(trace)
            for bank_id, traces in banks.items():
                await self._write_batch(bank_id, traces)

    async def _gather(self) -> None:
        """Wait for more, unless there is a batch already or somebody waits for what there is."""
        if self._queue.qsize() < BATCH:
            with suppress(TimeoutError):
                async with asyncio.timeout(GATHER_SECONDS):
                    await self._awaited.wait()

    async def _write_batch(self, bank_id: str, traces: Sequence[Waiting]) -> None:
        """Write these, or say that they are lost. One that cannot be written takes no other with it: what a statement
        has written before is not written or counted again."""
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
