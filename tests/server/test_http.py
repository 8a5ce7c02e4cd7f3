"""The HTTP contract: shapes, status codes and problem documents. test_http_hostile.py has the hostile input."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from memory_service.models.local import LocalEmbedder
from memory_service.server.serve import serve
from tests.conftest import at_work, settle
from tests.support.shared_app import client_on

FACT = "Please remember that my sister Maria lives in Lisbon and is allergic to walnuts."


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application, in this process, with a bank."""
    async with client_on(memory) as client:
        made = await client.post("/v1/banks", json={"bank_id": "anna"})
        assert made.status_code in (200, 201)
        yield client


def said(*contents: str, **more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": content, **more} for content in contents]
    return {"conversation_id": "c1", "messages": messages}


async def remembered(http: httpx.AsyncClient, memory: Memory, **body: Any) -> str:
    """A memory that is active; its id."""
    answer = await http.post("/v1/banks/anna/memories", json={"type": "episodic", **body})
    assert answer.status_code == 201, answer.text
    await settle(memory, "anna")
    return answer.json()["memory_id"]


# Banks


async def test_a_bank_is_made_once(http: httpx.AsyncClient) -> None:
    body = {"bank_id": "log", "settings": {"intake": "verbatim"}}
    made = await http.post("/v1/banks", json=body)
    assert made.status_code == 201
    assert made.json()["bank_id"] == "log"
    assert made.json()["settings"] == {"intake": "verbatim"}
    assert set(made.json()) >= {"bank_id", "settings", "embedding_model", "created_at"}
    again = await http.post("/v1/banks", json={"bank_id": "log", "settings": {"intake": "snippet"}})
    assert (again.status_code, again.json()) == (200, made.json())
    assert (await http.get("/v1/banks/log")).json() == made.json()


@pytest.mark.parametrize("bank_id", ["a", "A" * 128, "user_1-x.y:z@host"])
async def test_bank_ids_of_every_allowed_form(http: httpx.AsyncClient, bank_id: str) -> None:
    assert (await http.post("/v1/banks", json={"bank_id": bank_id})).status_code == 201
    assert (await http.get(f"/v1/banks/{bank_id}")).json()["bank_id"] == bank_id


async def test_a_banks_settings_are_patched_and_taken_back(http: httpx.AsyncClient) -> None:
    changed = await http.patch("/v1/banks/anna", json={"settings": {"intake": "snippet"}})
    assert (changed.status_code, changed.json()["settings"]) == (200, {"intake": "snippet"})
    back = await http.patch("/v1/banks/anna", json={"settings": {"intake": None}})
    assert back.json()["settings"].get("intake") is None
    assert (await http.get("/v1/banks/anna")).json() == back.json()


# Messages


async def test_messages_are_acknowledged_with_their_ids(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/banks/anna/messages", json=said("one", "two"))
    assert answer.status_code == 202
    assert len({UUID(i) for i in answer.json()["message_ids"]}) == 2
    stats = (await http.get("/v1/banks/anna/stats")).json()
    assert stats["messages"] == {"total": 2, "pending": 2, "stored": 0, "refused": 0, "failed": 0}
    assert stats["queue"]["depth"] == 1


async def test_every_field_of_a_message_is_taken(http: httpx.AsyncClient) -> None:
    message = {
        "role": "tool",
        "content": "",
        "name": "calendar",
        "occurred_at": "2026-03-01T09:30:00+01:00",
        "id": "x-1",
        "metadata": {"a": [1, {"b": None}]},
    }
    body = {"conversation_id": "c1", "agent_id": "planner", "messages": [message]}
    assert (await http.post("/v1/banks/anna/messages", json=body)).status_code == 202


async def test_the_same_message_again_is_accepted_and_stored_once(http: httpx.AsyncClient) -> None:
    first = await http.post("/v1/banks/anna/messages", json=said("one", id="a"))
    again = await http.post("/v1/banks/anna/messages", json=said("one", id="a"))
    assert (again.status_code, again.json()) == (202, first.json())
    assert (await http.get("/v1/banks/anna/stats")).json()["messages"]["total"] == 1


async def test_the_same_id_with_other_content_is_a_conflict(http: httpx.AsyncClient) -> None:
    await http.post("/v1/banks/anna/messages", json=said("one", id="a"))
    again = await http.post("/v1/banks/anna/messages", json=said("other", id="a"))
    assert again.status_code == 409
    assert again.json()["detail"].startswith("id: a ")
    assert again.headers["content-type"] == "application/problem+json"
    assert (await http.get("/v1/banks/anna/stats")).json()["messages"]["total"] == 1


async def test_a_hundred_messages_of_32000_characters_are_taken(http: httpx.AsyncClient) -> None:
    assert (await http.post("/v1/banks/anna/messages", json=said(*["x"] * 100))).status_code == 202
    assert (await http.post("/v1/banks/anna/messages", json=said("x" * 32_000))).status_code == 202


# Memories


async def test_a_commit_can_be_read(http: httpx.AsyncClient, memory: Memory) -> None:
    given = {
        "content": "Anna proposed to Tom at the lake.",
        "tags": ["love"],
        "metadata": {"place": {"name": "lake"}},
        "importance": 0.9,
        "emotions": ["joy"],
        "valence": 0.8,
        "topics": ["engagement"],
        "entities": ["Tom"],
        "lesson": "Ask about Tom.",
        "occurred_at": "2026-03-01T09:30:00Z",
        "recipients": ["planner"],
        "agent_id": "writer",
    }
    memory_id = await remembered(http, memory, **given)
    item = (await http.get(f"/v1/banks/anna/memories/{memory_id}")).json()
    assert {name: item[name] for name in given} == given
    assert (item["memory_id"], item["type"], item["status"]) == (memory_id, "episodic", "active")
    assert (item["links"], item["merged_into_id"]) == ([], None)


async def test_a_commit_that_waits_is_active(http: httpx.AsyncClient, memory: Memory) -> None:
    body = {"type": "episodic", "content": "Anna keeps bees.", "wait_ms": 30_000}
    async with at_work(memory):
        answer = await http.post("/v1/banks/anna/memories", json=body)
    assert (answer.status_code, answer.json()["status"]) == (201, "active")


async def test_an_idempotency_key_is_good_for_one_memory(http: httpx.AsyncClient) -> None:
    body = {"content": "One.", "idempotency_key": "k"}
    first = await http.post("/v1/banks/anna/memories", json=body)
    again = await http.post("/v1/banks/anna/memories", json=body)
    assert again.json()["memory_id"] == first.json()["memory_id"]
    other = await http.post("/v1/banks/anna/memories", json={**body, "content": "Two."})
    assert other.status_code == 409
    assert other.json()["detail"].startswith("idempotency_key: k ")


async def test_memories_are_listed_newest_first_and_filtered(http: httpx.AsyncClient, memory: Memory) -> None:
    for day, tag, importance in ((1, "a", 0.9), (2, "b", 0.2), (3, "a", 0.4)):
        at = f"2026-03-0{day}T00:00:00Z"
        body = {"content": f"Day {day}.", "tags": [tag], "importance": importance, "occurred_at": at}
        await http.post("/v1/banks/anna/memories", json=body)
    await settle(memory, "anna")

    async def found(query: str) -> list[str]:
        answer = await http.get(f"/v1/banks/anna/memories?{query}")
        assert answer.status_code == 200, answer.text
        return [item["content"] for item in answer.json()["items"]]

    assert await found("") == ["Day 3.", "Day 2.", "Day 1."]
    assert await found("tag=a") == ["Day 3.", "Day 1."]
    assert await found("tag=a&tag=b") == ["Day 3.", "Day 2.", "Day 1."]
    assert await found("min_importance=0.4") == ["Day 3.", "Day 1."]
    assert await found("since=2026-03-02T00:00:00Z") == ["Day 3.", "Day 2."]
    assert "Day 1." in await found("until=2026-03-02T00:00:00Z")
    assert "Day 3." not in await found("until=2026-03-02T00:00:00Z")
    assert await found("status=archived") == []
    assert await found("type=semantic") == []


async def test_pages_follow_the_cursor(http: httpx.AsyncClient) -> None:
    for number in range(5):
        await http.post("/v1/banks/anna/memories", json={"content": f"Number {number}."})
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await http.get(f"/v1/banks/anna/memories?limit=2{cursor}")).json()
        seen += [item["content"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert sorted(seen) == [f"Number {number}." for number in range(5)]


# Reading


async def test_recall_answers_with_reasons_and_a_trace(http: httpx.AsyncClient, memory: Memory) -> None:
    memory_id = await remembered(http, memory, content=FACT, metadata={"page": 4})
    asked = {"query": "What must Maria not eat?", "types": ["episodic"]}
    answer = await http.post("/v1/banks/anna/recall", json=asked)
    assert answer.status_code == 200
    body = answer.json()
    (item,) = body["items"]
    assert set(item) == {
        "memory_id", "type", "content", "reply", "from_reply", "occurred_at", "score", "metadata", "reason",
    }  # fmt: skip
    assert (item["memory_id"], item["content"], item["metadata"]) == (memory_id, FACT, {"page": 4})
    assert body["degraded"] is False
    UUID(body["trace_id"])


async def test_recall_explains_itself_when_asked(http: httpx.AsyncClient, memory: Memory) -> None:
    await remembered(http, memory, content=FACT)
    answer = await http.post("/v1/banks/anna/recall", json={"query": "Maria", "explain": True})
    assert set(answer.json()["items"][0]["components"]) >= {"similarity", "importance", "recency"}


async def test_every_parameter_of_recall_is_taken(http: httpx.AsyncClient) -> None:
    body = {
        "query": "Maria",
        "k": 100,
        "mode": "passive",
        "profile": "precise",
        "types": ["episodic"],
        "tags": ["a"],
        "since": "2020-01-01T00:00:00Z",
        "until": "2030-01-01T00:00:00Z",
        "recipient": "planner",
        "agent": "writer",
        "emotions": ["joy"],
        "valence": -1,
        "topics": ["family"],
        "as_of": "2026-01-01T00:00:00Z",
        "explain": False,
        "by": ["words", "meaning"],
    }
    answer = await http.post("/v1/banks/anna/recall", json=body)
    assert (answer.status_code, answer.json()["items"]) == (200, [])


async def test_context_is_within_its_budgets_and_says_what_it_is_made_of(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    memory_id = await remembered(http, memory, content=FACT)
    body = {"message": "What shall I cook for Maria?", "recent_tokens": 100, "knowledge_tokens": 200}
    answer = await http.post("/v1/banks/anna/context", json=body)
    assert answer.status_code == 200
    context = answer.json()
    assert set(context) == {
        "text", "tokens", "sections", "dropped", "degraded", "trace_id", "clarification_id",
    }  # fmt: skip
    assert "walnuts" in context["text"]
    assert 0 < context["tokens"] <= 300
    assert memory_id in [i for section in context["sections"] for i in section["memory_ids"]]
    assert all(set(section) == {"name", "tokens", "memory_ids"} for section in context["sections"])


async def test_decisions_say_why(http: httpx.AsyncClient, memory: Memory) -> None:
    await http.post("/v1/banks/anna/messages", json=said("hi", id="greeting"))
    await settle(memory, "anna")
    answer = (await http.get("/v1/banks/anna/decisions")).json()
    (decision,) = answer["items"]
    assert (decision["outcome"], decision["client_ids"]) == ("refused", ["greeting"])
    assert decision["reason"]
    assert answer["next_cursor"] is None


async def test_stats_have_the_contracts_shape(http: httpx.AsyncClient, memory: Memory) -> None:
    await http.post("/v1/banks/anna/messages", json=said(FACT))
    await settle(memory, "anna")
    stats = (await http.get("/v1/banks/anna/stats")).json()
    assert stats["messages"] == {"total": 1, "pending": 0, "stored": 1, "refused": 0, "failed": 0}
    assert stats["memories"] == {"active": 1}
    assert {name: stats["queue"][name] for name in ("depth", "oldest_seconds", "dead")} == {
        "depth": 0,
        "oldest_seconds": 0,
        "dead": 0,
    }
    assert "spend" in stats


async def test_health_and_readiness(http: httpx.AsyncClient) -> None:
    assert (await http.get("/healthz")).status_code == 200
    ready = await http.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")


async def test_dead_letters_degrade_but_do_not_stop_it(
    http: httpx.AsyncClient, admin: psycopg.Connection[tuple[object, ...]]
) -> None:
    await http.post("/v1/banks/anna/messages", json=said("one"))
    admin.execute("update memory.work set dead_at = now()")
    ready = await http.get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "degraded")


async def test_the_openapi_document_names_every_call(http: httpx.AsyncClient) -> None:
    paths = (await http.get("/openapi.json")).json()["paths"]
    assert {
        "/v1/banks", "/v1/banks/{bank_id}/messages", "/v1/banks/{bank_id}/recall", "/readyz", "/v1/dead-letters",
        "/v1/redrive", "/v1/banks/{bank_id}/dead-letters", "/v1/banks/{bank_id}/redrive",
        "/v1/banks/{bank_id}/memories/{memory_id}/release", "/v1/banks/{bank_id}/context",
        "/v1/banks/{bank_id}/compact",
    } <= set(paths)  # fmt: skip
    assert [
        path for path, calls in paths.items() for call in calls.values() if not call.get("description")
    ] == []


# Missing banks and memories


NOBODY = UUID(int=7)

MISSING: list[tuple[str, str, object]] = [
    ("GET", "/v1/banks/nobody", None),
    ("PATCH", "/v1/banks/nobody", {"settings": {}}),
    ("POST", "/v1/banks/nobody/messages", said("one")),
    ("POST", "/v1/banks/nobody/memories", {"content": "One."}),
    ("GET", "/v1/banks/nobody/memories", None),
    ("GET", "/v1/banks/nobody/memories?type=semantic", None),
    ("GET", f"/v1/banks/nobody/memories/{NOBODY}", None),
    ("POST", "/v1/banks/nobody/recall", {"query": "One?"}),
    ("POST", "/v1/banks/nobody/context", {"message": "One?"}),
    ("POST", "/v1/banks/nobody/compact", {"recipient": "Ann", "purpose": "birthday"}),
    ("GET", "/v1/banks/nobody/decisions", None),
    ("GET", "/v1/banks/nobody/stats", None),
    ("GET", f"/v1/banks/anna/memories/{NOBODY}", None),
    ("POST", f"/v1/banks/nobody/memories/{NOBODY}/release", None),
    ("POST", f"/v1/banks/anna/memories/{NOBODY}/release", {"actor": "maria"}),
    ("POST", f"/v1/banks/nobody/memories/{NOBODY}/restore", None),
    ("POST", f"/v1/banks/anna/memories/{NOBODY}/restore", {"actor": "maria"}),
    ("GET", "/v1/banks/nobody/dead-letters", None),
    ("POST", "/v1/banks/nobody/redrive", None),
    ("GET", "/v1/nothing", None),
    ("GET", "/", None),
]


@pytest.mark.parametrize(("method", "path", "body"), MISSING, ids=[f"{m} {p}"[:40] for m, p, _ in MISSING])
@pytest.mark.changes_nothing
async def test_what_is_not_there_is_404(http: httpx.AsyncClient, method: str, path: str, body: Any) -> None:
    answer = await http.request(method, path, json=body)
    assert answer.status_code == 404
    assert_problem(answer)


@pytest.mark.changes_nothing
async def test_a_wrong_method_is_405_and_says_which_are_right(http: httpx.AsyncClient) -> None:
    answer = await http.put("/v1/banks/anna/stats", json={})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"
    assert_problem(answer)


def assert_problem(answer: httpx.Response) -> None:
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["status"] == answer.status_code
    assert document["title"]
    assert document["detail"]
    assert document["type"]


# Without a database


WITH_DATABASE: list[tuple[str, str, object]] = [
    ("POST", "/v1/banks", {"bank_id": "anna"}),
    ("GET", "/v1/banks/anna", None),
    ("PATCH", "/v1/banks/anna", {"settings": {}}),
    ("POST", "/v1/banks/anna/messages", said("one")),
    ("POST", "/v1/banks/anna/memories", {"content": "One."}),
    ("GET", "/v1/banks/anna/memories", None),
    ("GET", f"/v1/banks/anna/memories/{NOBODY}", None),
    ("POST", "/v1/banks/anna/recall", {"query": "One?"}),
    ("POST", "/v1/banks/anna/context", {"message": "One?"}),
    ("POST", "/v1/banks/anna/compact", {"recipient": "Ann", "purpose": "birthday"}),
    ("GET", "/v1/banks/anna/decisions", None),
    ("GET", "/v1/banks/anna/stats", None),
    ("POST", f"/v1/banks/anna/memories/{NOBODY}/release", None),
    ("GET", "/v1/banks/anna/dead-letters", None),
    ("POST", "/v1/banks/anna/redrive", None),
    ("GET", "/v1/dead-letters", None),
    ("POST", "/v1/redrive", None),
    ("GET", "/readyz", None),
]


async def test_without_a_database_every_call_is_503_but_health(settings: Settings, tmp_path: Path) -> None:
    server = await asyncio.to_thread(open_server, tmp_path / "data")
    url = SecretStr(server.url())
    memory = await Memory.open(settings.model_copy(update={"database_url": url}))
    client = client_on(memory)
    async with memory, client:
        assert (await client.post("/v1/banks", json={"bank_id": "anna"})).status_code in (200, 201)
        await asyncio.to_thread(server.close)
        for method, path, body in WITH_DATABASE:
            answer = await client.request(method, path, json=body)
            assert answer.status_code == 503, (path, answer.text)
            assert_problem(answer)
            assert int(answer.headers["retry-after"]) > 0
        assert (await client.get("/healthz")).status_code == 200


# Over a real socket


@pytest.mark.own_database
def test_serve_answers_on_a_socket_until_a_signal(settings: Settings) -> None:
    addresses: list[str] = []
    stopped: list[str] = []
    answered = threading.Event()

    def announce(address: str, _: Memory) -> None:
        addresses.append(address)
        answered.set()

    async def served() -> None:
        alone = settings.model_copy(update={"port": 0, "workers": 0})
        serving = asyncio.create_task(serve(alone, announce, lambda: stopped.append("stopping")))
        await asyncio.to_thread(answered.wait, 30)
        async with httpx.AsyncClient(base_url=addresses[0]) as client:
            assert (await client.post("/v1/banks", json={"bank_id": "anna"})).status_code == 201
            late = b'{"bank_id": "' + b"b" * (1024 * 1024) + b'"}'
            headers = {"content-type": "application/json"}
            too_large = await client.post("/v1/banks", content=late, headers=headers)
            assert too_large.status_code == 413
            assert (await client.get("/healthz")).json()["status"] == "ok"
        signal.raise_signal(signal.SIGINT)
        await serving
        assert stopped == ["stopping"]

    asyncio.run(served())


@pytest.mark.own_database
def test_serve_loads_the_model_before_the_first_query(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = threading.Event()
    load = LocalEmbedder.load

    async def noticed(embedder: LocalEmbedder) -> None:
        await load(embedder)
        loaded.set()

    monkeypatch.setattr(LocalEmbedder, "load", noticed)

    async def served() -> None:
        serving = asyncio.create_task(
            serve(settings.model_copy(update={"port": 0, "workers": 0}), lambda address, memory: None)
        )
        assert await asyncio.to_thread(loaded.wait, 30)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(served())


async def test_json_ends_with_a_line_break(http: httpx.AsyncClient) -> None:
    for answer in (
        await http.get("/healthz"),
        await http.get("/v1/banks/nobody"),
        await http.get("/openapi.json", headers={"accept-encoding": "identity"}),
    ):
        assert answer.content.endswith(b"}\n")
        assert int(answer.headers["content-length"]) == len(answer.content)
