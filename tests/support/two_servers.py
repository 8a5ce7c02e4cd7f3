"""SERVERS=2: each test's home server has a second one with half of the hash slots."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import psycopg

from memory_service.connect import settings_of_server
from memory_service.memory import Memory

SECOND = "s2"


def share_slots(home_url: str, second_url: str) -> None:
    """As `server add` of a migrated server without banks."""
    with psycopg.connect(home_url) as home, psycopg.connect(second_url) as second:
        home.execute("insert into memory.server (server_id, url) values (%s, %s)", (SECOND, second_url))
        home.execute("insert into memory.server_slot select n, %s from generate_series(0, 511) n", (SECOND,))
        home.execute("update memory.server_map set version = version + 1")
        second.execute(
            "update memory.erasure_secret set secret = %s",
            home.execute("select secret from memory.erasure_secret").fetchone(),
        )


class BothServers:
    """Passes a statement to the server that it is about: the home server if it names a table of that one alone."""

    OF_HOME = ("memory.api_key", "memory.key_", "memory.server", "memory.bank_place", "analytics.api_key")

    def __init__(self, home: psycopg.Connection[Any], second: psycopg.Connection[Any]) -> None:
        self._home = home
        self._second = second

    def execute(self, statement: Any, *given: Any, **options: Any) -> psycopg.Cursor[Any]:
        of_home = any(name in str(statement) for name in self.OF_HOME)
        return (self._home if of_home else self._second).execute(statement, *given, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._second, name)


@asynccontextmanager
async def beside_others(memory: Memory) -> AsyncGenerator[list[Memory]]:
    """An open Memory beside each other server of a home server, as of its worker, with the same models."""
    servers = memory.store.database.servers
    async with AsyncExitStack() as opened:
        others: list[Memory] = []
        for urls in servers.map.servers.values() if servers else ():
            there = settings_of_server(memory.settings, urls)
            other = await opened.enter_async_context(await Memory.open(there, migrated=False))
            opened.callback(setattr, other, "models", other.models)
            other.models = memory.models
            others.append(other)
        yield others
