"""GET /metrics: totals of all processes, without any bank, for those who may read them."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.errors import DatabaseUnavailable
from memory_service.intake.model_calls import ModelCalls, Share
from memory_service.memory import Memory
from memory_service.metrics import CONNECTION_WAIT, COUNTED, GAUGES, HTTP_REQUESTS, READS, Counts
from memory_service.server.app import create_app
from memory_service.server.authentication import CACHE_SECONDS
from memory_service.server.service_state import Shared
from memory_service.types import Usage
from tests.conftest import settle

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
TOKEN = "a-token-of-the-scraper"

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def client_of(memory: Memory, *, keys_required: bool = False) -> httpx.AsyncClient:
    app = create_app(memory, keys_required=keys_required)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1")


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(memory) as client:
        yield client


async def scraped(http: httpx.AsyncClient) -> Samples:
    answer = await http.get("/metrics")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def of(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((name, tuple(sorted(labels.items()))), 0.0)


async def exchange(http: httpx.AsyncClient, bank: str, *contents: str) -> None:
    messages = [{"role": "user", "content": content} for content in contents]
    answer = await http.post(
        f"/v1/banks/{bank}/messages", json={"conversation_id": "c", "messages": messages}
    )
    assert answer.status_code == 202, answer.text


async def test_what_is_counted(http: httpx.AsyncClient, memory: Memory) -> None:
    await memory.create_bank("anna", {"intake": "verbatim"})
    await exchange(http, "anna", "I live in Porto.", "I have a dog.")
    await settle(memory, "anna")
    await http.post("/v1/banks/anna/recall", json={"query": "Where does Anna live?"})
    await http.post("/v1/banks/anna/context", json={"message": "Where do I live?"})
    await http.post("/v1/banks/anna/compact", json={"recipient": "Bo", "purpose": "farewell"})
    found = await scraped(http)
    assert of(found, "memory_acknowledge_seconds_count") == 1
    for operation in ("recall", "context", "compact"):
        assert of(found, "memory_read_seconds_count", operation=operation) == 1
    assert of(found, "memory_read_stage_seconds_count", operation="recall", stage="embed") == 1
    assert of(found, "memory_read_stage_seconds_count", operation="recall", stage="search") == 1
    assert of(found, "memory_recallable_seconds_count", lane="live") == 2
    assert of(found, "memory_recallable_seconds_sum", lane="live") > 0
    assert of(found, "memory_gate_decisions_total", outcome="stored") == 2
    assert of(found, "memory_gate_verdicts_total", gate="harm_check", verdict="passed") == 2
    assert of(found, "memory_embedding_batch_texts_sum") == 2
    route = "/v1/banks/{bank_id}/recall"
    assert of(found, "memory_http_requests_total", route=route, method="POST", status="200") == 1
    assert of(found, "memory_database_wait_seconds_count") > 5


async def test_a_histogram_is_cumulative_and_ends_at_infinity(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    for seconds in (0.0005, 0.002, 99.0):
        memory.store.counts.observe(READS, seconds, "recall")
    found = await scraped(http)
    counts = {
        labels["le"]: value
        for (name, pairs), value in found.items()
        if name == "memory_read_seconds_bucket" and (labels := dict(pairs))["operation"] == "recall"
    }
    assert [counts[le] for le in ("0.0005", "0.001", "0.0025", "10", "+Inf")] == [1, 1, 2, 2, 3]
    assert of(found, "memory_read_seconds_sum", operation="recall") == pytest.approx(99.0025)


async def test_processes_are_added_up_and_survive_a_restart(
    http: httpx.AsyncClient, memory: Memory, settings: Settings
) -> None:
    labels = {"route": "/v1/x", "method": "GET", "status": "200"}
    other = await Memory.open(settings, migrated=False)
    try:
        for opened in (memory, other):
            for _ in range(50):  # the same rows, at once
                opened.store.counts.count(HTTP_REQUESTS, *labels.values())
            opened.store.counts.observe(CONNECTION_WAIT, 0.1)
        await asyncio.gather(*(opened.metric_writer.write() for opened in (memory, other)))
        assert of(await scraped(http), "memory_http_requests_total", **labels) == 100
        other.store.counts.count(HTTP_REQUESTS, *labels.values())
    finally:
        await other.aclose()  # writes the rest
    assert of(await scraped(http), "memory_http_requests_total", **labels) == 101


async def test_counts_that_were_not_written_are_written_later(
    http: httpx.AsyncClient, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = {"route": "/v1/x", "method": "GET", "status": "200"}

    async def unavailable(_: object) -> None:
        raise DatabaseUnavailable

    memory.store.counts.count(HTTP_REQUESTS, *labels.values())
    with monkeypatch.context() as patched:
        patched.setattr(memory.store.metrics, "add", unavailable)
        assert (await http.get("/metrics")).status_code == 503
    assert of(await scraped(http), "memory_http_requests_total", **labels) == 1


async def test_model_calls_and_deferred_items(http: httpx.AsyncClient, memory: Memory) -> None:
    await memory.create_bank("anna")
    calls = ModelCalls(memory.store)
    share = Share(Usage("a-model", "extract", 100, 10), 1, None)

    async def answered() -> tuple[str, Usage | None]:
        return "", replace(share.estimate, input_tokens=80, output_tokens=5)

    async def failing() -> tuple[str, Usage | None]:
        raise ValueError("Zebrafink")

    await calls.call("anna", share, answered)
    with pytest.raises(ValueError, match="Zebrafink"):
        await calls.call("anna", share, failing)
    found = await scraped(http)
    assert of(found, "memory_model_calls_total", purpose="extract", outcome="ok") == 1
    assert of(found, "memory_model_calls_total", purpose="extract", outcome="failed") == 1
    tokens = {
        (direction, outcome): of(
            found, "memory_model_tokens_total", purpose="extract", direction=direction, outcome=outcome
        )
        for direction in ("input", "output")
        for outcome in ("ok", "failed")
    }
    assert tokens == {
        ("input", "ok"): 80,
        ("output", "ok"): 5,
        ("input", "failed"): 100,
        ("output", "failed"): 10,
    }


async def test_the_queue_by_kind(http: httpx.AsyncClient, memory: Memory) -> None:
    found = await scraped(http)
    assert of(found, "memory_queue_items", kind="segment") == 0
    assert ("memory_dead_letters", (("kind", "embed"),)) in found
    await memory.create_bank("anna")
    await exchange(http, "anna", "I live in Porto.")
    await asyncio.sleep(1.1)  # the gauges are shared for a second
    found = await scraped(http)
    assert of(found, "memory_queue_items", kind="segment") == 1
    assert of(found, "memory_queue_oldest_seconds", kind="segment") > 1


async def test_neither_banks_nor_texts_are_shown(http: httpx.AsyncClient, memory: Memory) -> None:
    planted = "Zebrafink"
    await memory.create_bank(f"{planted}-1")
    await exchange(http, f"{planted}-1", f"Please remember that my {planted} sings.")
    await settle(memory, f"{planted}-1")
    await http.post(
        f"/v1/banks/{planted}-1/recall", json={"query": planted}, headers={"X-Request-Id": planted}
    )
    await http.get(f"/{planted}")
    await http.request(planted.upper(), f"/v1/banks/{planted}-1")
    await http.get(f"/v1/banks/{planted}-1/memories/{planted}")
    answer = await http.get("/metrics", headers={"User-Agent": planted})
    assert answer.status_code == 200
    assert planted.lower() not in answer.text.lower()
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", answer.text)
    assert 'route="other"' in answer.text
    assert 'method="other"' in answer.text


async def test_who_may_scrape(memory: Memory, settings: Settings) -> None:
    async with client_of(memory) as http:
        assert (await http.get("/metrics")).status_code == 200
    every_bank = await memory.create_key("admin", ["*"])
    others = [await memory.create_key("admin", ["anna*"]), await memory.create_key("write", ["*"])]
    await asyncio.sleep(CACHE_SECONDS)

    async def status(http: httpx.AsyncClient, value: str | None) -> int:
        headers = {} if value is None else {"Authorization": f"Bearer {value}"}
        return (await http.get("/metrics", headers=headers)).status_code

    async with client_of(memory) as http:
        assert await status(http, every_bank.key) == 200
        assert [await status(http, key.key) for key in others] == [403, 403]
        assert [await status(http, value) for value in (None, "", TOKEN)] == [401, 401, 401]
    memory.settings = settings.model_copy(update={"metrics_token": SecretStr(TOKEN)})
    async with client_of(memory) as http:
        assert [await status(http, value) for value in (TOKEN, every_bank.key)] == [200, 200]
        assert [await status(http, value) for value in (None, TOKEN[:-1], TOKEN + "x")] == [401] * 3


async def test_beyond_loopback_it_is_never_open(memory: Memory) -> None:
    async with client_of(memory, keys_required=True) as http:
        assert (await http.get("/metrics")).status_code == 401


async def test_concurrent_readers_share_one_read() -> None:
    reads = 0

    async def read() -> int:
        nonlocal reads
        reads += 1
        await asyncio.sleep(0.01)
        if reads == 1:
            raise DatabaseUnavailable
        return reads

    shared = Shared(read)
    failed = await asyncio.gather(*(shared.get() for _ in range(5)), return_exceptions=True)
    assert [type(one) for one in failed] == [DatabaseUnavailable] * 5
    assert await asyncio.gather(*(shared.get() for _ in range(5))) == [2] * 5
    assert reads == 2


def test_counts_taken_and_given_back_lose_nothing() -> None:
    counts = Counts()
    counts.observe(READS, 0.1, "recall")
    taken = counts.take()
    counts.observe(READS, 0.2, "recall")
    counts.give_back(taken)
    ((_, amounts),) = counts.take().items()
    assert (sum(amounts[:-1]), amounts[-1]) == (2, pytest.approx(0.3))
    assert counts.take() == {}


def test_the_library_is_imported_at_the_first_scrape() -> None:
    program = "import sys, memory_service.server.serve; sys.exit('prometheus_client' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


async def test_operations_page_lists_every_metric() -> None:
    listed = re.findall(r"^\| `(memory_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$", PAGE.read_text(), re.MULTILINE)
    assert listed == [
        (metric.name, metric.type, ", ".join(f"`{label}`" for label in metric.labels), metric.help)
        for metric in (*COUNTED, *GAUGES)
    ]
