"""A hint to idle workers that there is work: NOTIFY after the commit, debounced, on a connection of its own.

A NOTIFY within the transaction would take a lock that serializes all commits (four times fewer of them, measured), so
it is sent beside it, at most twenty times a second. It is a hint only: a worker that misses it finds the work at its
next poll.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import asyncpg
import structlog

from memory_service.errors import MemoryServiceError
from memory_service.store.database import CONNECT_SECONDS, Database

CHANNEL = "memory_work"
DEBOUNCE_SECONDS = 0.05
RECONNECT_SECONDS = 2.0
SEND = """
    select count(pg_notify($1, kind))
      from unnest($2::text[]) as kind
     where set_config('synchronous_commit', 'off', true) is not null"""
"""A hint need not survive a power cut, so nobody waits until the disk has its transaction."""

log = structlog.get_logger()


class Notices:
    """Sends hints, and listens for those of every process on this database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kinds: set[str] = set()
        self._sender: asyncio.Task[None] | None = None

    def hint(self, kind: str) -> None:
        """Send a hint of this kind in the background: at once after a pause without hints, else when the pause ends,
        together with the others of that time."""
        self._kinds.add(kind)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send())

    async def aclose(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.wait([self._sender])

    async def _send(self) -> None:
        while self._kinds:
            kinds, self._kinds = self._kinds, set()
            with suppress(MemoryServiceError):  # workers poll
                await self._database.value(SEND, CHANNEL, list(kinds))
            await pause(DEBOUNCE_SECONDS)

    async def listen(self, wake: Callable[[str | None], None]) -> None:
        """Call `wake` with the kind of each hint, until cancelled; connects again where the connection is lost.

        `wake` is called with None when it listens from now on: nobody heard what was said before.
        """
        while True:
            connection: Any = None
            try:
                lost = asyncio.Event()
                connection = await asyncpg.connect(self._database.url, timeout=CONNECT_SECONDS)
                connection.add_termination_listener(partial(on_end, lost))
                await connection.add_listener(CHANNEL, partial(on_hint, wake))
                wake(None)
                await lost.wait()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.debug("cannot listen for work; polling goes on", error=type(error).__name__)
            finally:
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(RECONNECT_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311


async def pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


def on_end(lost: asyncio.Event, *_: object) -> None:
    lost.set()


def on_hint(
    wake: Callable[[str | None], None], _connection: object, _pid: int, _channel: str, kind: str
) -> None:
    wake(kind)
