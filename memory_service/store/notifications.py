"""Notifications of work to idle workers: NOTIFY after the commit, in a separate transaction, debounced.

A NOTIFY within the committing transaction takes a lock that serializes all commits: a quarter as many per second. It is
therefore sent separately, at most twenty times a second. It may be lost: workers poll as well.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from functools import partial
from typing import Any

import asyncpg
import structlog

from memory_service.errors import MemoryServiceError
from memory_service.store.connection import CONNECT_SECONDS
from memory_service.store.database import Database, after_commit

CHANNEL = "memory_work"
DEBOUNCE_SECONDS = 0.05
RECONNECT_SECONDS = 2.0
SEND = """
    select count(pg_notify($1, kind))
      from unnest($2::text[]) as kind
     where set_config('synchronous_commit', 'off', true) is not null"""
"""Does not wait for the disk: a notification need not survive a power cut."""

log = structlog.get_logger()


class Notifications:
    """Sends notifications, and listens for those of all processes on this database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kinds: dict[Database, set[str]] = {}
        self._sender: asyncio.Task[None] | None = None

    def notify(self, kind: str, bank_id: str) -> None:
        """Notify workers of this kind beside the bank's server in the background: at once, or DEBOUNCE_SECONDS after
        the last notification, together with the others of that time; within a transaction, after its commit."""
        after_commit(partial(self._notify, kind, bank_id))

    def _notify(self, kind: str, bank_id: str) -> None:
        self._kinds.setdefault(self._database.opened_for(bank_id), set()).add(kind)
        if self._sender is None or self._sender.done():
            self._sender = asyncio.create_task(self._send(), context=Context())

    async def aclose(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.wait([self._sender])

    async def _send(self) -> None:
        while self._kinds:
            waiting, self._kinds = self._kinds, {}
            for database, kinds in waiting.items():
                with suppress(MemoryServiceError):  # workers poll
                    await database.query_value(SEND, CHANNEL, list(kinds))
            await pause(DEBOUNCE_SECONDS)

    async def listen(self, wake: Callable[[str | None], None]) -> None:
        """Call `wake` with the kind of each notification, until cancelled; reconnects when the connection is lost.

        `wake` is called with None after each connect: earlier notifications may have been missed. Returns at once where
        only a pooler's URL is known, since LISTEN needs a session: workers poll.
        """
        while (url := self._database.listen_url) is not None:
            connection: Any = None
            try:
                lost = asyncio.Event()
                connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
                connection.add_termination_listener(partial(on_termination, lost))
                await connection.add_listener(CHANNEL, partial(on_notification, wake))
                wake(None)
                await lost.wait()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.debug("cannot listen for notifications; workers poll", error=type(error).__name__)
            finally:
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(RECONNECT_SECONDS * random.uniform(0.5, 1.5))  # noqa: S311


async def pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


def on_termination(lost: asyncio.Event, *_: object) -> None:
    lost.set()


def on_notification(
    wake: Callable[[str | None], None], _connection: object, _pid: int, _channel: str, kind: str
) -> None:
    wake(kind)
