"""A bank goes around three real servers; slots, lists and health are of all three."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from structlog.testing import capture_logs

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.placement.analytics import link_servers
from memory_service.placement.move import move_bank
from memory_service.placement.queries import query_servers
from memory_service.placement.registry import add_server, list_servers
from memory_service.requests import NewMessage
from memory_service.server import serve
from memory_service.store.database import Database
from memory_service.store.servers import HOME, SLOTS, ServerUrls
from tests.conftest import libpq_url, server
from tests.placement.conftest import SECOND, names_on
from tests.support.shared_app import own_client

THIRD = "s3"
ALL = (HOME, SECOND, THIRD)


@pytest.fixture
async def three(two_servers: Settings, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    """Settings whose home server has two others."""
    with server(tmp_path_factory.mktemp("third")) as url:
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute("create database third")
        there = ServerUrls(libpq_url(url, "third"), None, None)
        assert await asyncio.to_thread(add_server, two_servers, THIRD, there, None, "ann") == SLOTS // 3
        yield two_servers


@pytest.mark.usefixtures("postgres_fdw")
async def test_three_servers(three: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await Memory.open(three, migrated=False) as memory:
        banks = {name: names_on(memory, name, 1)[0] for name in ALL}
        for bank in banks.values():
            await memory.create_bank(bank)
        lines = await asyncio.to_thread(list_servers, three)
        assert [(line.server_id, line.banks) for line in lines] == [(name, 1) for name in ALL]
        assert sorted(line.slots for line in lines) == [341, 341, 342]
        assert sum(line.slots for line in lines) == SLOTS
        roaming = banks[HOME]
        for n, target in enumerate((SECOND, THIRD, HOME, THIRD, SECOND, HOME, SECOND)):
            said = NewMessage("user", f"I like fig {n}.", id=f"m{n}")
            await memory.add_messages(roaming, "c", [said])
            moved = await asyncio.to_thread(move_bank, three, roaming, target, "ann")
            assert (moved.target, moved.rows["message"]) == (target, n + 1)
            assert (await memory.stats(roaming))["messages"]["total"] == n + 1
        listed = [bank.bank_id for bank in (await memory.list_banks()).items]
        assert listed == sorted(banks.values())
        assert await asyncio.to_thread(link_servers, three) == [*ALL]
        asked = query_servers(three, "select bank_id from memory.bank order by 1", ["*"], seconds=60)
        assert asked.rows == [[name, bank] for name, bank in ((SECOND, roaming), (SECOND, banks[SECOND]),
                                                              (THIRD, banks[THIRD]))]  # fmt: skip
        async with own_client(memory) as http:
            assert (await http.get("/readyz")).json()["status"] == "ready"
            metrics = (await http.get("/metrics")).text
        assert [f'memory_server_up{{server="{name}"}} 1.0' in metrics for name in ALL] == [True] * 3

        limits: list[int | None] = []

        async def allowed(database: Database) -> int | None:
            return 1000 if database is memory.store.database else limits.pop()

        monkeypatch.setattr(serve, "allowed_connections", allowed)
        for others, warned in (([5, 1000], 1), ([None, 1000], 0)):
            limits += others
            with capture_logs() as logged:
                await serve.warn_of_connections(memory)
            assert [entry["allowed"] for entry in logged] == [5] * warned
