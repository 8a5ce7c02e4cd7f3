"""Keys, roles, limits and banks of the MCP route are those of the other routes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from mcp.shared.exceptions import MCPError

from memory_service.keys import NewKey
from memory_service.memory import Memory
from memory_service.server.authentication import CACHE_SECONDS
from tests.acceptance.running import Service
from tests.client.served import served
from tests.conftest import Admin, at_work, until
from tests.mcp.callers import ERAS, Caller, Era, recalled
from tests.support.shared_app import bearer, own_client

ACCEPT = {"accept": "application/json, text/event-stream"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    await memory.create_bank("anna")
    await memory.create_bank("ben")
    async with own_client(memory) as client:
        client.headers.update(ACCEPT)
        yield client


@pytest.fixture
async def address(memory: Memory) -> AsyncIterator[str]:
    await memory.create_bank("anna")
    await memory.create_bank("ben")
    async with served(memory) as found:
        yield found


async def posted(
    http: httpx.AsyncClient, bank: str, key: NewKey | str | None, **headers: str
) -> httpx.Response:
    return await http.post(f"/mcp/{bank}", json=LIST, headers=headers | (bearer(key) if key else {}))


async def called(http: httpx.AsyncClient, key: NewKey, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool called in the older era, whose requests need no additional headers."""
    body = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip
    answer = await http.post("/mcp/anna", json=body, headers=bearer(key))
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_key_opens_its_bank_and_a_revoked_one_none(address: str, memory: Memory, era: Era) -> None:
    key = await memory.create_key("read", ["anna"])
    mcp = Caller(address, era=era, key=key)
    async with mcp.connected() as client:
        assert not (await client.call_tool("recall", {"query": "tea"})).is_error
        await memory.revoke_key(key.key_id)
        await asyncio.sleep(CACHE_SECONDS)
        with pytest.raises(MCPError, match="error response"):
            await client.call_tool("recall", {"query": "tea"})


async def test_a_request_without_a_valid_key_is_refused(http: httpx.AsyncClient, memory: Memory) -> None:
    assert (await posted(http, "anna", None)).status_code == 200  # no key exists yet
    key = await memory.create_key("read", ["anna"])
    await asyncio.sleep(CACHE_SECONDS)
    assert (await posted(http, "anna", key)).status_code == 200
    for wrong in (None, "mem_wrong", key.key[:-1] + ("a" if key.key[-1] != "a" else "b")):
        answer = await posted(http, "anna", wrong)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_another_bank_is_answered_as_an_absent_one(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("admin", ["anna", "gone"])
    other, absent, covered = [await posted(http, bank, key) for bank in ("ben", "nobody", "gone")]
    assert other.status_code == 404
    assert other.content == absent.content == covered.content


UNKNOWN = "6d2f8c1e-3f0a-4b57-9f0c-1d1f6f2c9f55"
"""Constant: processes that run tests beside each other must agree on the names of parameters."""


async def test_ids_of_another_bank_are_unknown(http: httpx.AsyncClient, memory: Memory) -> None:
    async with at_work(memory):
        theirs = await memory.remember("ben", "Ben plays chess.", type="semantic", wait_ms=20_000)
    trace = (await memory.recall("ben", "chess")).trace_id
    await memory.trace_writer.flush()
    key = await memory.create_key("admin", ["anna"])
    before = await memory.get_fact("ben", theirs.memory_id)
    for tool, arguments in (
        ("correct", {"fact_id": theirs.memory_id, "action": "retract"}),
        ("why", {"memory_id": theirs.memory_id}),
        ("why", {"trace_id": trace}),
        ("forget", {"memory_ids": [theirs.memory_id]}),
        ("forget", {"memory_ids": [theirs.memory_id], "confirm": "0" * 12}),
        ("questions", {"question_id": theirs.memory_id, "keep": "both"}),
    ):
        named = {name: as_text(value) for name, value in arguments.items()}
        made_up = {name: replaced(value, UNKNOWN) for name, value in named.items()}
        found, expected = await called(http, key, tool, **named), await called(http, key, tool, **made_up)
        assert found["isError"] is True
        assert ID.sub("ID", str(found)) == ID.sub("ID", str(expected))
    after = await memory.get_fact("ben", theirs.memory_id)
    assert replace(after, confidence=before.confidence) == before
    assert (await called(http, key, "recall", query="chess"))["structuredContent"]["items"] == []
    assert (await called(http, key, "facts"))["structuredContent"]["items"] == []


def as_text(value: Any) -> Any:
    return [str(one) for one in cast("list[object]", value)] if isinstance(value, list) else str(value)


def replaced(value: Any, unknown: str) -> Any:
    if isinstance(value, list):
        return [unknown]
    return unknown if ID.fullmatch(value) else value


ALLOWED: list[tuple[str, dict[str, Any], str]] = [
    ("remember", {"content": "Anna sings."}, "write"),
    ("correct", {"fact_id": UNKNOWN, "action": "pin"}, "write"),
    ("questions", {"question_id": UNKNOWN, "keep": "both"}, "write"),
    ("forget", {"memory_ids": [UNKNOWN]}, "erase"),
    ("recall", {"query": "tea"}, "read"),
    ("context", {"message": "tea"}, "read"),
    ("facts", {}, "read"),
    ("questions", {}, "read"),
    ("why", {"memory_id": UNKNOWN}, "read"),
]


@pytest.mark.parametrize(("tool", "arguments", "needed"), ALLOWED, ids=lambda one: str(one)[:24])
async def test_a_tool_needs_the_role_of_its_route(
    http: httpx.AsyncClient, memory: Memory, tool: str, arguments: dict[str, Any], needed: str
) -> None:
    rights = {
        "read": await memory.create_key("read", ["anna"]),
        "write": await memory.create_key("write", ["anna"]),
        "erase": await memory.create_key("write", ["anna"], may_erase=True),
    }
    order = list(rights)
    for right, key in rights.items():
        text = (await called(http, key, tool, **arguments))["content"][0]["text"]
        assert ("connect with such a key" in text) == (order.index(right) < order.index(needed)), text


async def test_an_act_is_recorded_with_the_key_s_agent(
    http: httpx.AsyncClient, memory: Memory, admin: Admin
) -> None:
    key = await memory.create_key("write", ["anna"], may_erase=True, agent_id="kitchen-bot")
    async with at_work(memory):
        stored = await called(http, key, "remember", content="Anna sings.", type="semantic")
    fact_id = stored["structuredContent"]["memory_id"]
    assert [one.agent_id for one in (await memory.list_memories("anna")).items] == ["kitchen-bot"]
    await called(http, key, "correct", fact_id=fact_id, action="pin")
    assert [one.actor for one in (await memory.fact_history("anna", fact_id)).items][-1] == "kitchen-bot"
    plan = (await called(http, key, "forget", memory_ids=[fact_id]))["structuredContent"]
    await called(http, key, "forget", memory_ids=[fact_id], confirm=plan["confirm"])
    [receipt] = (await memory.list_erasures("anna")).items
    assert receipt.actor == "kitchen-bot"
    recorded = str(admin.execute("select e::text from memory.audit_event e").fetchall())
    assert key.key_id in recorded


async def test_limits_of_a_key_count_calls_and_what_they_store(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    few = await memory.create_key("read", ["anna"], requests_per_minute=2)
    answers = [await posted(http, "anna", few) for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert [one.headers.get("ratelimit-remaining") for one in answers] == ["1", "0", "0"]
    one_message = await memory.create_key("write", ["anna"], messages_per_minute=1)
    async with at_work(memory):
        assert not (await called(http, one_message, "remember", content="Anna sings."))["isError"]
        assert not (await called(http, one_message, "recall", query="tea"))["isError"]
        refused = await called(http, one_message, "remember", content="Anna dances.")
    assert refused["isError"] is True
    assert re.search(r"1 messages a minute; try again in \d+ s$", refused["content"][0]["text"])
    assert len((await memory.list_memories("anna")).items) == 1


async def test_web_pages_of_other_hosts_are_refused(http: httpx.AsyncClient) -> None:
    assert (await posted(http, "anna", None, host="evil.example")).status_code == 421
    assert (await posted(http, "anna", None, origin="https://evil.example")).status_code == 403
    assert (await posted(http, "anna", None, origin="http://localhost:3000")).status_code == 200


async def test_a_body_above_the_limit_is_refused(http: httpx.AsyncClient) -> None:
    answer = await http.post("/mcp/anna", json=LIST | {"params": {"x": "x" * 1024 * 1024}})
    assert answer.status_code == 413


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_only_post_is_answered(http: httpx.AsyncClient, method: str) -> None:
    assert (await http.request(method, "/mcp/anna")).status_code == 405


async def test_a_restart_between_two_calls_loses_nothing(tmp_path: Path, database_url: str) -> None:
    """Of clients of both eras."""
    data = tmp_path / "data"
    with Service(data, DATABASE_URL=database_url) as first:
        port = first.address.rpartition(":")[2]
        async with (
            Caller(first.address, era="auto").connected() as one,
            Caller(first.address, era="legacy").connected() as other,
        ):
            assert not (await one.call_tool("remember", {"content": "Anna sings."})).is_error
            assert await asyncio.to_thread(first.stop) == 0
            with Service(data, DATABASE_URL=database_url, MEMORY_PORT=port) as second:
                for client in (one, other):
                    assert await until(partial(recalled, client, "Who sings?")) == ["Anna sings."]
                assert await asyncio.to_thread(second.stop) == 0
