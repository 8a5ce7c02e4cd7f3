"""Connections that stay open from test to test: a backend that has planned the functions of memory_api needs a fifth of
the processor time of a new one (remember, recall and context: 0.06 s, else 0.29 s)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import asyncpg
import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from memory_service.store import connection, database

if TYPE_CHECKING:
    from psycopg.pq.abc import PGconn

    from memory_service.store.connection import Pool

Kind = tuple[str, int, bool]

FORGET = """
close all; set session authorization default; reset all; deallocate all; unlisten *; select pg_advisory_unlock_all();
discard temp; discard sequences
"""
"""`discard all` without `discard plans`."""


class LentPool:
    """A pool that its user closes as any other; its connections stay open."""

    def __init__(self, pool: Pool, give_back: Callable[[], None]) -> None:
        self._pool = pool
        self._give_back = give_back
        self._closed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    async def acquire(self) -> Any:
        if self._closed:
            raise asyncpg.InterfaceError("pool is closed")
        return await self._pool.acquire()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.gather(*(holder.wait_until_released() for holder in self._pool._holders))  # pyright: ignore
            self._give_back()

    def terminate(self) -> None:
        self._closed = True
        self._pool.terminate()


class KeptPools:
    """The service's pools on some databases, in the event loop of the tests, and sessions of the tests themselves."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle: dict[Kind, list[Pool]] = {}
        self._kept: dict[str, list[Pool]] = {}
        """All pools on each database whose pools are kept, by its name."""
        self._sessions: dict[str, list[PGconn]] = {}
        """Those that are not in use, by the URL."""

    def keep(self, database: str) -> None:
        """Keep pools and sessions on the database of this name from now on."""
        self._kept[database] = []

    async def lend(self, url: str, size: int, *, upkeep: bool = False, pooled: bool = False) -> Any:
        """As create_pool; on a database whose pools are kept, an idle pool of this kind if there is one."""
        same_loop = asyncio.get_running_loop() is self._loop
        database = str(conninfo_to_dict(url).get("dbname"))
        if pooled or not same_loop or database not in self._kept:
            return await connection.create_pool(url, size, upkeep=upkeep, pooled=pooled)
        idle = self._idle.setdefault((url, size, upkeep), [])
        if idle:
            pool = idle.pop()
            for open_one in connections(pool):
                await open_one.execute("unlisten *; reset all")
        else:
            pool = await connection.create_pool(url, size, upkeep=upkeep)
            self._kept[database].append(pool)
        return LentPool(pool, lambda: idle.append(pool))

    @contextmanager
    def session(self, url: str) -> Generator[psycopg.Connection[Any]]:
        """A connection for a test, in autocommit mode; its session is as a new one, apart from its plans. On a database
        whose sessions are kept, it stays open unless the test leaves it closed or in a transaction."""
        database = str(conninfo_to_dict(url).get("dbname"))
        idle = self._sessions.setdefault(url, [])
        connection: psycopg.Connection[Any]
        if idle:
            connection = psycopg.Connection(idle.pop())
            connection.autocommit = True
        else:
            connection = psycopg.connect(url, autocommit=True)
        try:
            yield connection
        finally:
            if database in self._kept and connection.info.transaction_status == TransactionStatus.IDLE:
                connection.execute(FORGET)
                idle.append(connection.pgconn)
                del connection.pgconn
            else:
                connection.close()

    def backends(self) -> list[int]:
        """The process ids of all connections that are not in use."""
        pooled = [
            one.get_server_pid()
            for pools in self._idle.values()
            for pool in pools
            for one in connections(pool)
        ]
        return [*pooled, *(one.backend_pid for idle in self._sessions.values() for one in idle)]

    def drop(self, database: str) -> None:
        """End all connections to the database of this name; keep no more pools on it."""
        dropped = self._kept.pop(database, [])
        for pool in dropped:
            pool.terminate()
        for idle in self._idle.values():
            idle[:] = [pool for pool in idle if pool not in dropped]
        for url in [url for url in self._sessions if conninfo_to_dict(url).get("dbname") == database]:
            for session in self._sessions.pop(url):
                session.finish()

    def drop_all(self) -> None:
        for name in [*self._kept]:
            self.drop(name)


def connections(pool: Pool) -> list[Any]:
    """The open connections of a pool that is not in use."""
    return [holder._con for holder in pool._holders if holder.is_connected()]  # pyright: ignore


@asynccontextmanager
async def pools_kept() -> AsyncGenerator[KeptPools]:
    """Keep pools until the block ends."""
    kept = KeptPools()
    with patch.object(database, "create_pool", kept.lend):
        yield kept
    kept.drop_all()
    await asyncio.sleep(0)  # the loop closes the connections
