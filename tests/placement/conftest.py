"""Two real servers: the session's is the home server, `s2` a second one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.placement.registry import add_server
from memory_service.store.servers import ServerUrls
from tests.conftest import Admin
from tests.db.conftest import login, service

__all__ = ["login", "service"]

SECOND = "s2"


@pytest.fixture
def second(second_url: str) -> Iterator[Admin]:
    """A connection to the second server as administrator."""
    with psycopg.connect(second_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def postgres_fdw(admin: Admin) -> None:
    """Skips where the server has no postgres_fdw, as the Postgres 16 of the wheel."""
    if admin.execute("select from pg_available_extensions where name = 'postgres_fdw'").fetchone() is None:
        pytest.skip("the server has no extension postgres_fdw")


@pytest.fixture
def two_servers(settings: Settings, second_url: str) -> Settings:
    """Settings whose home server has a second server with half of the slots."""
    assert add_server(settings, SECOND, ServerUrls(second_url, None, None), None, "ann") == 512
    return settings


@pytest.fixture
async def memory(two_servers: Settings) -> AsyncIterator[Memory]:
    """A Memory on both servers."""
    async with await Memory.open(two_servers, migrated=False) as opened:
        yield opened


@pytest.fixture
async def second_memory(settings: Settings, second_url: str, two_servers: Settings) -> AsyncIterator[Memory]:
    """A Memory beside the second server alone, as of its worker."""
    there = settings.model_copy(update={"database_url": SecretStr(second_url)})
    async with await Memory.open(there, migrated=False) as opened:
        yield opened


def names_on(memory: Memory, server_id: str, count: int) -> list[str]:
    """Names of banks that are created on this server."""
    servers = memory.store.database.servers
    assert servers is not None
    names = (f"bank{n}" for n in range(10_000))
    return [name for name in names if servers.map.server_of(name) == server_id][:count]
