"""Rate limits of keys: as many requests and messages as the key may send, over all processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import psycopg
import pytest

from memory_service.config import Settings
from memory_service.errors import InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.server.authentication import CACHE_SECONDS
from memory_service.server.rate_limits import text_tokens
from tests.conftest import Admin
from tests.support.shared_app import bearer, own_client

STATS = "/v1/banks/anna/stats"


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with own_client(memory) as client:
        await memory.create_bank("anna")
        yield client


def messages(count: int) -> dict[str, object]:
    return {
        "conversation_id": "c",
        "messages": [{"role": "user", "content": f"Line {n}"} for n in range(count)],
    }


async def test_a_key_above_its_limit_is_told_when_to_try_again(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    key = await memory.create_key("read", ["anna"], requests_per_minute=3)
    for left in (2, 1, 0):
        answer = await http.get(STATS, headers=bearer(key))
        assert (answer.status_code, answer.headers["ratelimit-remaining"]) == (200, str(left))
        assert answer.headers["ratelimit-limit"] == "3"
        assert 0 < int(answer.headers["ratelimit-reset"]) <= 60
    refused = await http.get(STATS, headers=bearer(key))
    assert refused.status_code == 429
    assert refused.headers["content-type"] == "application/problem+json"
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert (refused.headers["ratelimit-limit"], refused.headers["ratelimit-remaining"]) == ("3", "0")
    assert 0 < int(refused.headers["ratelimit-reset"]) <= 60
    assert "3 requests a minute" in refused.json()["detail"]


async def test_the_limit_of_one_key_is_not_that_of_another(http: httpx.AsyncClient, memory: Memory) -> None:
    one, other, free = [
        await memory.create_key("read", ["anna"], requests_per_minute=limit) for limit in (1, 1, None)
    ]
    assert (await http.get(STATS, headers=bearer(one))).status_code == 200
    assert (await http.get(STATS, headers=bearer(one))).status_code == 429
    assert (await http.get(STATS, headers=bearer(other))).status_code == 200
    for _ in range(5):
        answer = await http.get(STATS, headers=bearer(free))
        assert (answer.status_code, "ratelimit-limit" in answer.headers) == (200, False)


async def test_processes_share_a_limit(memory: Memory, settings: Settings) -> None:
    """Two applications with their own pools, each asked for 40 at once, answer 50 of the 80."""
    await memory.create_bank("anna")
    key = await memory.create_key("read", ["anna"], requests_per_minute=50)
    async with (
        await Memory.open(settings, migrated=False) as second,
        own_client(memory) as one,
        own_client(second) as other,
    ):
        calls = [client.get(STATS, headers=bearer(key)) for _ in range(40) for client in (one, other)]
        answers = [answer.status_code for answer in await asyncio.gather(*calls)]
    # The bucket is refilled by 50 a minute while the calls run.
    assert 50 <= answers.count(200) < 60
    assert answers.count(200) + answers.count(429) == 80


async def test_a_call_waits_for_another_on_the_same_bucket(memory: Memory, database_url: str) -> None:
    key = await memory.create_key("read", ["anna"])
    take = (
        "select granted from memory_api.take_allowance"
        "(key_id => %s, resource => 'requests', per_minute => 10, cost => 6, wanted => 6, at => now())"
    )
    async with (
        await psycopg.AsyncConnection.connect(database_url) as one,
        await psycopg.AsyncConnection.connect(database_url) as other,
    ):
        await one.execute(take, (key.key_id,))
        await one.commit()
        await one.execute("update memory.rate_limit set available = 10")
        await one.execute(take, (key.key_id,))
        waiting = asyncio.create_task(other.execute(take, (key.key_id,)))
        await asyncio.sleep(0.2)
        await one.commit()
        assert await (await waiting).fetchone() == (0,)


async def test_messages_above_the_limit_are_refused_as_a_whole(
    http: httpx.AsyncClient, memory: Memory, admin: Admin
) -> None:
    key = await memory.create_key("write", ["anna"], messages_per_minute=5)
    path = "/v1/banks/anna/messages"
    assert (await http.post(path, json=messages(4), headers=bearer(key))).status_code == 202
    refused = await http.post(path, json=messages(3), headers=bearer(key))
    assert (refused.status_code, "5 messages a minute" in refused.text) == (429, True)
    assert admin.execute("select count(*) from memory.message").fetchone() == (4,)
    memory_path = "/v1/banks/anna/memories"
    assert (
        await http.post(memory_path, json={"content": "Anna sings."}, headers=bearer(key))
    ).status_code == 201
    assert (
        await http.post(memory_path, json={"content": "Anna rows."}, headers=bearer(key))
    ).status_code == 429
    assert (
        await http.post("/v1/banks/anna/recall", json={"query": "a"}, headers=bearer(key))
    ).status_code == 200


async def test_more_messages_than_a_minute_allows_pass_once(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("write", ["anna"], messages_per_minute=5)
    path = "/v1/banks/anna/messages"
    assert (await http.post(path, json=messages(20), headers=bearer(key))).status_code == 202
    refused = await http.post(path, json=messages(1), headers=bearer(key))
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 60


async def test_a_changed_limit_holds_within_a_second(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"], requests_per_minute=1)
    assert (await http.get(STATS, headers=bearer(key))).status_code == 200
    assert (await http.get(STATS, headers=bearer(key))).status_code == 429
    await memory.limit_key(key.key_id, requests_per_minute=None, messages_per_minute=None)
    await asyncio.sleep(CACHE_SECONDS)
    assert (await http.get(STATS, headers=bearer(key))).status_code == 200
    (listed,) = await memory.list_keys()
    assert (listed.requests_per_minute, listed.messages_per_minute) == (None, None)


async def test_a_busy_key_costs_few_calls(http: httpx.AsyncClient, memory: Memory, admin: Admin) -> None:
    """Units are taken in advance; a refused key costs no call until it may try again."""
    busy = await memory.create_key("read", ["anna"], requests_per_minute=6000)
    spent = await memory.create_key("read", ["anna"], requests_per_minute=1)
    count = 0
    original = memory.store.keys.take_allowance

    async def counted(*arguments: object) -> object:
        nonlocal count
        count += 1
        return await original(*arguments)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory.store.keys, "take_allowance", counted)
        await asyncio.gather(*(http.get(STATS, headers=bearer(busy)) for _ in range(25)))
        assert count == 1
        for _ in range(10):
            await http.get(STATS, headers=bearer(spent))
    assert count == 3


async def test_a_successor_has_the_limits(memory: Memory) -> None:
    key = await memory.create_key("read", ["*"], requests_per_minute=7, messages_per_minute=8)
    await memory.rotate_key(key.key_id)
    limits = {(one.requests_per_minute, one.messages_per_minute) for one in await memory.list_keys()}
    assert limits == {(7, 8)}


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "5", 10**9])
async def test_a_wrong_limit_is_named(memory: Memory, limit: object) -> None:
    with pytest.raises(InvalidInput, match="messages_per_minute"):
        await memory.create_key("read", ["*"], messages_per_minute=limit)  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="key_id"):
        await memory.limit_key("x" * 12, requests_per_minute=1, messages_per_minute=None)
    assert await memory.list_keys() == []


async def test_model_tokens_are_those_of_the_text(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("write", ["anna"], model_tokens_per_minute=100)
    answers = [
        await http.post("/v1/banks/anna/memories", json={"content": text * 50}, headers=bearer(key))
        for text in ("Anna", "Anna", "Anna")
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert "100 model tokens a minute" in answers[-1].json()["detail"]
    assert text_tokens(messages(2)) == 3
    odd: list[object] = [None, [], {"messages": [1, {"content": 2}]}, {"content": None}]
    for body in odd:
        assert text_tokens(body) == 1
