"""What hostile callers send leaves nothing behind that grows."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import AsyncIterator

import httpx
import pytest

from memory_service.memory import Memory
from tests.support.scripted import ScriptedEmbedder, script
from tests.support.shared_app import client_on

JSON = {"content-type": "application/json"}
CLIENT = [tracemalloc.Filter(False, pattern) for pattern in ("*/httpx/*", "*/urllib/*", __file__)]
"""What the client keeps of addresses is not the service's."""
QUERIES = 20
BANKS = 3


@pytest.fixture
async def http(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application whose caches are full soon."""
    monkeypatch.setattr("memory_service.recall.candidates.CACHED_QUERIES", QUERIES)
    monkeypatch.setattr("memory_service.api.base.CACHED_BANKS", BANKS)
    script(memory, ScriptedEmbedder())
    async with client_on(memory) as client:
        for n in range(3 * BANKS):
            await client.post("/v1/banks", json={"bank_id": f"anna-{n}"})
        yield client


async def hostile(http: httpx.AsyncClient, n: int) -> list[int]:
    """Requests of each kind, other ones for each n; their status codes."""
    bank = f"/v1/banks/anna-{n % (3 * BANKS)}"
    answers = [
        await http.post(
            f"{bank}/messages", content=b'{"a": "%d' % n + b"x" * 1_100_000 + b'"}', headers=JSON
        ),
        await http.post(f"{bank}/recall", content=b'{"query": ' + b"[" * (500 + n), headers=JSON),
        await http.post(
            f"{bank}/messages", content=b'{"messages": [' + b"{}," * 20_000 + b"{}]}", headers=JSON
        ),
        await http.post(f"{bank}/recall", json={"query": f"{n}" + "x" * 9_000}),
        await http.post(f"/v1/banks/nobody-{n}/recall", json={"query": "who?"}),
        await http.post(f"/v1/banks/{n}{'b' * 5_000}/recall", json={"query": "who?"}),
        await http.get("/healthz", headers={"host": f"{n}{'h' * 2_000}.example"}),
        await http.get(f"/{n}/{'p' * 2_000}"),
        await http.get(f"{bank}/traces/01a208c8-e7b5-4702-897b-677c08{n:06}"),
        await http.post(f"{bank}/recall", json={"query": f"{n} words that nobody asked for before"}),
        await http.post(f"{bank}/context", json={"message": f"{n} other words, too"}),
    ]
    return [answer.status_code for answer in answers]


async def test_hostile_requests_leave_no_growing_memory_behind(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    expected = [413, 400, 422, 422, 404, 422, 421, 404, 404, 200, 200]
    for n in range(2 * QUERIES):
        assert await hostile(http, n) == expected
    await memory.flush()
    gc.collect()
    tracemalloc.start()
    try:
        for n in range(2 * QUERIES, 4 * QUERIES):
            await hostile(http, n)
        await memory.flush()
        gc.collect()
        taken = tracemalloc.take_snapshot()
    finally:
        tracemalloc.stop()
    held = sum(part.size for part in taken.filter_traces(CLIENT).statistics("filename"))
    # What took the place of others in full caches, from 440 requests: 200 kB; without a bound the queries are 400 kB.
    assert held < 300_000
    assert len(memory._banks) <= BANKS  # pyright: ignore[reportPrivateUsage]
