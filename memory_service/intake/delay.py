"""The delay of intake: for how long the oldest due work item has waited."""

from __future__ import annotations

import asyncio
import contextvars
import time
from contextlib import suppress

from memory_service.errors import MemoryServiceError
from memory_service.store import Store

FRESH_SECONDS = 1.0
"""A newer value is returned as it is; an older one is read again in the background."""
USABLE_SECONDS = 5.0
"""An older value is read again before it is returned."""


class IntakeDelay:
    """The delay in seconds, read at most once in FRESH_SECONDS, so that acknowledging messages does not wait for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seconds = 0.0
        self._read_at = float("-inf")
        self._reading: asyncio.Task[None] | None = None

    async def seconds(self) -> float:
        """The delay, at most USABLE_SECONDS old. Errors: DatabaseUnavailable."""
        age = time.monotonic() - self._read_at
        if age > USABLE_SECONDS:
            await self._read()
        elif age > FRESH_SECONDS and (self._reading is None or self._reading.done()):
            # Not in the context of the request, whose transaction ends before.
            self._reading = asyncio.create_task(self._read_again(), context=contextvars.Context())
        return self._seconds

    async def _read(self) -> None:
        began = time.monotonic()
        self._seconds = await self._store.work.intake_delay()
        self._read_at = began

    async def _read_again(self) -> None:
        with suppress(MemoryServiceError):  # the next call reads it before it answers
            await self._read()

    async def aclose(self) -> None:
        """End a read in the background."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
