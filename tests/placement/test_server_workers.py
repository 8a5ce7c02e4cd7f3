"""Workers, nightly runs and `doctor` know all servers. Two real servers."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from memory_service.config import Settings
from memory_service.doctor import examine
from memory_service.errors import InvalidInput
from memory_service.intake import server_workers
from memory_service.jobs.all_servers import run_passes
from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import JsonLines
from memory_service.jobs.runner import DONE, LATE, NO_DATABASE, NightlyRun, RunOptions
from memory_service.memory import Memory
from memory_service.placement.registry import add_server
from memory_service.requests import NewMessage
from memory_service.store.servers import HOME, ServerUrls
from tests.conftest import Admin, at_work, until
from tests.placement.conftest import SECOND, names_on

TOMORROW = datetime.now(UTC) + timedelta(days=1)


async def tell(memory: Memory, bank: str, name: str) -> None:
    said = f"Please remember that my sister {name} is allergic to walnuts."
    await memory.add_messages(bank, "c", [NewMessage("user", said, id=name)])


async def decided(memory: Memory, bank: str) -> bool:
    return not (await memory.stats(bank))["messages"]["pending"]


async def test_a_worker_works_for_servers_that_are_added(
    settings: Settings, second_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_workers, "MAP_SECONDS", 0.05)
    monkeypatch.setattr(server_workers, "RETRY_SECONDS", 0.05)
    async with await Memory.open(settings, migrated=False) as memory, at_work(memory):
        servers = memory.store.database.servers
        assert servers is not None
        for urls in (second_url, f"{second_url}&application_name=moved"):
            await asyncio.to_thread(add_server, settings, SECOND, ServerUrls(urls, None, None), None, "ann")
            await servers.refresh()
            (bank,) = names_on(memory, SECOND, 1)
            await memory.create_bank(bank)
            await tell(memory, bank, urls[-5:])
            await until(lambda bank=bank: decided(memory, bank))


async def test_a_worker_of_one_server(memory: Memory) -> None:
    (here,), (there,) = names_on(memory, HOME, 1), names_on(memory, SECOND, 1)
    for bank in (here, there):
        await memory.create_bank(bank)
        await tell(memory, bank, "Maria")
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop, alone=True))
    await until(lambda: decided(memory, here))
    stop.set()
    await working
    assert not await decided(memory, there)
    async with at_work(memory):
        await until(lambda: decided(memory, there))


def summaries(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str | None, int | None]]:
    """Event, server and banks done of each run, and servers that did not answer."""
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [
        (line["event"], line.get("server"), line.get("done"))
        for line in lines
        if line["event"] in ("summary", "unavailable")
    ]


async def night(settings: Settings, options: RunOptions, *, alone: bool = False) -> int:
    return await run_passes(settings, PASSES, options, JsonLines, alone=alone)


async def test_nights_run_on_all_servers(
    memory: Memory,
    two_servers: Settings,
    admin: Admin,
    second: Admin,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here, (there,) = names_on(memory, HOME, 2), names_on(memory, SECOND, 1)
    for bank in (*here, there):
        await memory.create_bank(bank)
    assert await night(two_servers, RunOptions(TOMORROW, deadline=1e-9)) == LATE
    assert summaries(capsys) == [("summary", SECOND, 0), ("summary", HOME, 0)]  # that with fewer banks first
    assert await night(two_servers, RunOptions(TOMORROW), alone=True) == DONE
    assert summaries(capsys) == [("summary", None, 2)]
    assert await night(two_servers, RunOptions(TOMORROW, deadline=600)) == DONE
    assert summaries(capsys) == [("summary", HOME, 0), ("summary", SECOND, 1)]
    named = NightlyRun(memory, PASSES, RunOptions(TOMORROW, there), JsonLines())
    assert await asyncio.wait_for(named.run(), 60) == DONE
    assert summaries(capsys) == [("summary", None, 1)]
    with pytest.raises(InvalidInput, match="no such bank"):
        await night(two_servers, RunOptions(TOMORROW, "nobody"))
    counts = [
        one.execute("select count(distinct night_id) from memory.job_run").fetchone()
        for one in (admin, second)
    ]
    assert counts == [(1,), (2,)]


def lose(admin: Admin, url: str = "postgresql:///gone?host=/nowhere") -> None:
    admin.execute("update memory.server set url = %s where server_id = 's2'", (url,))
    admin.execute("update memory.server_map set version = version + 1")


async def test_nights_and_checks_go_on_without_a_server(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin, capsys: pytest.CaptureFixture[str]
) -> None:
    (here,) = names_on(memory, HOME, 1)
    await memory.create_bank(here)
    found = {one.check: one.level for one in await asyncio.to_thread(examine, two_servers)}
    assert found.keys() >= {
        f"{check} on s2" for check in ("database", "pgvector", "roles", "queue", "nightly run")
    }
    assert ("keys on s2" in found, "error" in found.values()) == (False, False)
    lose(admin)
    assert await night(two_servers, RunOptions(TOMORROW)) == NO_DATABASE
    assert summaries(capsys) == [("unavailable", SECOND, None), ("summary", HOME, 1)]
    findings = {one.check: one for one in await asyncio.to_thread(examine, two_servers)}
    errors = [one.check for one in findings.values() if one.level == "error"]
    assert errors == ["database on s2"]
    assert {one.check for one in await memory.examine()} >= {"database on s2", "queue"}
