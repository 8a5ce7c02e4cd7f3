"""Gauges of the service, shared by the requests of one process for a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Generic, TypeVar

from memory_service.memory import Memory
from memory_service.store.metrics import NightGauges, QueueGauges

FRESH_SECONDS = 1.0

T = TypeVar("T")


class Shared(Generic[T]):
    """A value that is read at most once in FRESH_SECONDS, by one call at a time."""

    def __init__(self, read: Callable[[], Awaitable[T]]) -> None:
        self._read = read
        self._value: T | None = None
        self._read_at = float("-inf")
        self._reading: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """The value, at most FRESH_SECONDS old when the call began. Errors: those of `read`, which are not kept."""
        if self._value is not None and time.monotonic() - self._read_at < FRESH_SECONDS:
            return self._value
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_now(), context=Context())
        # A request that is cancelled does not end the read of the others.
        return await asyncio.shield(self._reading)

    async def _read_now(self) -> T:
        began = time.monotonic()
        self._value = await self._read()
        self._read_at = began
        return self._value


class ServiceState:
    """Gauges of the queue and of the nightly run."""

    def __init__(self, memory: Memory) -> None:
        self.queue: Shared[Sequence[QueueGauges]] = Shared(lambda: memory.store.metrics.queue())
        self.nights: Shared[Sequence[NightGauges]] = Shared(lambda: memory.store.metrics.nights())
