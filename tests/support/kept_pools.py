"""Connection pools that stay open from test to test: a backend that has planned the functions of memory_api needs a
fifth of the processor time of a new one (remember, recall and context: 0.06 s, else 0.29 s)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import asyncpg
from psycopg.conninfo import conninfo_to_dict

from memory_service.store import connection, database

if TYPE_CHECKING:
    from memory_service.store.connection import Pool

Kind = tuple[str, int, bool]


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
    """The service's pools on some databases, in the event loop of the tests."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle: dict[Kind, list[Pool]] = {}
        self._kept: dict[str, list[Pool]] = {}
        """All pools on each database whose pools are kept, by its name."""

    def keep(self, database: str) -> None:
        """Keep pools on the database of this name from now on."""
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

    def backends(self) -> list[int]:
        """The process ids of the connections of all idle pools."""
        return [
            one.get_server_pid()
            for pools in self._idle.values()
            for pool in pools
            for one in connections(pool)
        ]

    def drop(self, database: str) -> None:
        """End all connections to the database of this name; keep no more pools on it."""
        dropped = self._kept.pop(database, [])
        for pool in dropped:
            pool.terminate()
        for idle in self._idle.values():
            idle[:] = [pool for pool in idle if pool not in dropped]

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
