"""Back-pressure: the answer to messages has the delay of intake; imports wait while it is high, live messages never."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from memory_service.errors import ImportsDelayed
from memory_service.intake import delay
from memory_service.memory import Memory
from tests.conftest import Admin
from tests.support.shared_app import client_on

PATH = "/v1/banks/anna/messages"


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        await memory.create_bank("anna")
        yield client


def message(content: str, **more: Any) -> dict[str, Any]:
    return {"conversation_id": "c", "messages": [{"role": "user", "content": content}], **more}


def wait_since(admin: Admin, minutes: int) -> None:
    """All work has been due for that long."""
    admin.execute("update memory.work set not_before = now() - make_interval(mins => %s)", (minutes,))


@pytest.mark.one_server("changes queue rows of banks on both servers")
async def test_imports_wait_and_live_messages_do_not(
    http: httpx.AsyncClient, memory: Memory, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delay, "USABLE_SECONDS", 0.0)
    first = await http.post(PATH, json=message("One.", lane="import"))
    assert (first.status_code, first.json()["queue_seconds"]) == (202, 0)
    assert admin.execute("select lane from memory.work").fetchall() == [(1,)]
    wait_since(admin, 11)
    live = await http.post(PATH, json=message("Two."))
    assert live.status_code == 202
    assert 660 <= live.json()["queue_seconds"] < 720
    refused = await http.post(PATH, json=message("Three.", lane="import"))
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
    assert "intake is 66" in refused.json()["detail"]
    with pytest.raises(ImportsDelayed):
        await memory.check_import()
    assert admin.execute("select count(*) from memory.message").fetchone() == (2,)
    wait_since(admin, 9)
    assert (await http.post(PATH, json=message("Three.", lane="import"))).status_code == 202


@pytest.mark.parametrize("state", ["lease_token = gen_random_uuid(), not_before = now() + interval '1 minute'",
                                   "not_before = now() + interval '1 day'", "dead_at = now()"])  # fmt: skip
async def test_work_that_is_not_due_delays_nobody(
    http: httpx.AsyncClient, memory: Memory, admin: Admin, state: str
) -> None:
    await http.post(PATH, json=message("One."))
    admin.execute(f"update memory.work set enqueued_at = now() - interval '1 day', {state}".encode())
    assert await memory.store.work.intake_delay() == 0


async def test_the_delay_is_read_once_for_many_requests(
    http: httpx.AsyncClient, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0
    read = memory.store.work.intake_delay

    async def counted() -> float:
        nonlocal reads
        reads += 1
        return await read()

    monkeypatch.setattr(memory.store.work, "intake_delay", counted)
    monkeypatch.setattr(delay, "FRESH_SECONDS", 60.0)
    monkeypatch.setattr(delay, "USABLE_SECONDS", 120.0)
    for n in range(5):
        assert (await http.post(PATH, json=message(f"Line {n}."))).status_code == 202
    assert reads == 1
    monkeypatch.setattr(delay, "FRESH_SECONDS", 0.0)
    await http.post(PATH, json=message("Later."))
    async with asyncio.timeout(30):
        while reads < 2:
            await asyncio.sleep(0.01)


async def test_a_wrong_lane_is_named(http: httpx.AsyncClient, admin: Admin) -> None:
    answer = await http.post(PATH, json=message("One.", lane="fast"))
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "lane")
    assert admin.execute("select count(*) from memory.message").fetchone() == (0,)
