"""Lists of memories: orders, filters, and keyset pagination."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from memory_service.errors import InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.results import MemoryItem
from tests.conftest import settle
from tests.support.shared_app import client_on

Admin = psycopg.Connection[tuple[object, ...]]
NOW = datetime.now(UTC)
FIELDS: list[dict[str, Any]] = [
    {"importance": 0.2, "tags": ["family"], "recipients": ["Michael"]},
    {"importance": 0.9, "tags": ["family", "michael"], "agent_id": "writer"},
    {"importance": 0.8, "tags": ["work"]},
    {"importance": 0.9, "tags": [], "agent_id": "writer", "recipients": ["Sarah", "Michael"]},
    {"importance": 0.5, "tags": ["michael"]},
]
"""Memory n happened n days ago."""


@pytest.fixture
async def client(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        yield client


@pytest.fixture
async def http(memory: Memory, client: httpx.AsyncClient) -> httpx.AsyncClient:
    await filled(memory)
    return client


async def filled(memory: Memory, bank_id: str = "anna") -> None:
    await memory.create_bank(bank_id, {"merge_duplicates": False})
    for n, fields in enumerate(FIELDS):
        occurred_at = NOW - timedelta(days=n)
        await memory.remember(bank_id, f"Memory {n} of geese.", occurred_at=occurred_at, **fields)
    await settle(memory, bank_id)


def numbers(items: Any) -> list[int]:
    contents = [item.content if isinstance(item, MemoryItem) else item["content"] for item in items]
    return [int(content.split()[1]) for content in contents]


FILTERS: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [0, 1, 2, 3, 4]),
    ({"type": "episodic"}, [0, 1, 2, 3, 4]),
    ({"type": "semantic"}, []),
    ({"tag": ["family", "michael"]}, [0, 1, 4]),
    ({"tag": ["nothing"]}, []),
    ({"min_importance": 0.8}, [1, 2, 3]),
    ({"min_importance": 0.9}, [1, 3]),
    ({"agent": "writer"}, [1, 3]),
    ({"recipient": "Michael"}, [0, 3]),
    ({"agent": "writer", "recipient": "Michael", "min_importance": 0.1}, [3]),
    ({"status": "active"}, [0, 1, 2, 3, 4]),
    ({"status": "archived"}, []),
    ({"since": (NOW - timedelta(days=1, hours=1)).isoformat()}, [0, 1]),
    ({"until": (NOW - timedelta(days=2, hours=23)).isoformat()}, [3, 4]),
    ({"order": "importance"}, [1, 3, 2, 4, 0]),
    ({"order": "importance", "tag": ["michael"]}, [1, 4]),
    ({"order": "importance", "min_importance": 0.8, "agent": "writer"}, [1, 3]),
    ({"order": "recency", "limit": 2}, [0, 1]),
    ({"order": "importance", "limit": 2}, [1, 3]),
]


async def test_filters_and_orders_over_http(http: httpx.AsyncClient) -> None:
    for given, expected in FILTERS:
        answer = await http.get("/v1/banks/anna/memories", params=given)
        assert (answer.status_code, numbers(answer.json()["items"])) == (200, expected), given


async def test_a_recall_takes_the_same_filters(http: httpx.AsyncClient, memory: Memory) -> None:
    """Each by itself, and together; the mind may wander only within them."""
    renamed = {"tag": "tags", "type": "types"}
    for given, expected in FILTERS:
        if {"status", "order", "limit"} & given.keys():
            continue
        body = {renamed.get(name, name): value for name, value in given.items()}
        if "types" in body:
            body["types"] = [body["types"]]
        answer = await http.post("/v1/banks/anna/recall", json={"query": "geese", **body})
        assert sorted(numbers(answer.json()["items"])) == expected, given


async def test_an_empty_list_filters_nothing(http: httpx.AsyncClient) -> None:
    answer = await http.post(
        "/v1/banks/anna/recall",
        json={"query": "geese", "types": [], "tags": [], "topics": [], "emotions": []},
    )
    assert sorted(numbers(answer.json()["items"])) == [0, 1, 2, 3, 4]


async def test_the_least_importance_leaves_room_for_the_next(memory: Memory) -> None:
    """`min_importance` filters in SQL: nearer memories below it do not displace those that pass."""
    await memory.create_bank("anna", {"merge_duplicates": False, "links": False})
    for n in range(30):
        await memory.remember("anna", f"A goose bit Tom {n} times.", importance=0.1)
    await memory.remember("anna", "The piano is out of tune.", importance=0.9)
    await settle(memory, "anna")
    (item,) = (await memory.recall("anna", "goose bites", k=1, min_importance=0.5, min_score=0)).items
    assert item.content == "The piano is out of tune."


@pytest.mark.parametrize("order", ["recency", "importance"])
async def test_pages_are_the_list(memory: Memory, order: Any) -> None:
    await filled(memory)
    whole = (await memory.list_memories("anna", order=order)).items
    for limit in (1, 2, 5):
        seen: list[MemoryItem] = []
        cursor = None
        for _ in range(0, len(FIELDS), limit):
            page = await memory.list_memories("anna", order=order, limit=limit, cursor=cursor)
            seen += page.items
            cursor = page.next_cursor
        assert seen == list(whole)
        assert cursor is None


@pytest.mark.parametrize("order", ["recency", "importance"])
async def test_what_is_remembered_meanwhile_moves_no_page(memory: Memory, order: Any) -> None:
    await filled(memory)
    before = numbers((await memory.list_memories("anna", order=order)).items)
    page = await memory.list_memories("anna", order=order, limit=2)
    for importance in (0.0, 0.85, 1.0):
        await memory.remember("anna", "Memory 9 of swans.", importance=importance)
    rest = await memory.list_memories("anna", order=order, cursor=page.next_cursor)
    assert [n for n in numbers((*page.items, *rest.items)) if n != 9] == before


async def test_equal_places_are_told_apart(memory: Memory, admin: Admin) -> None:
    """Of the same moment and importance: by id, none twice, none left out."""
    await filled(memory)
    nearly = "importance = 0.1::double precision + 0.2::double precision"  # which no short decimal is
    admin.execute(f"update memory.episodic_memory set occurred_at = '2026-01-01Z', {nearly}".encode())
    for order in ("recency", "importance"):
        seen: list[UUID] = []
        cursor = None
        for _ in FIELDS:
            page = await memory.list_memories("anna", order=order, limit=1, cursor=cursor)
            seen += [item.memory_id for item in page.items]
            cursor = page.next_cursor
        assert cursor is None
        assert seen == sorted(seen, reverse=True)
        assert len(set(seen)) == len(FIELDS)


async def test_a_cursor_of_another_list_is_refused(http: httpx.AsyncClient, memory: Memory) -> None:
    await filled(memory, "bob")
    path = "/v1/banks/{}/memories"
    cursors = {
        (bank, order): (
            await http.get(path.format(bank), params={"order": order, "limit": 1})
        ).json()["next_cursor"]
        for bank in ("anna", "bob")
        for order in ("recency", "importance")
    }  # fmt: skip
    decisions = (await http.get("/v1/banks/anna/decisions", params={"limit": 1})).json()["next_cursor"]
    for cursor, problem in (
        (cursors["bob", "recency"], "cursor: is of another bank's list"),
        (cursors["anna", "importance"], "cursor: is of a list in another order; this one is by recency"),
        (decisions, "cursor: is not a cursor"),
        ("nonsense", "cursor: is not a cursor"),
        (cursors["anna", "recency"][:-6], "cursor: is "),
    ):
        answer = await http.get(path.format("anna"), params={"cursor": cursor})
        assert answer.status_code == 422
        assert answer.json()["detail"].startswith(problem)
    answer = await http.get(path.format("anna"), params={"cursor": cursors["anna", "recency"], "limit": 9})
    assert numbers(answer.json()["items"]) == [1, 2, 3, 4]
    wrong = await http.get("/v1/banks/anna/decisions", params={"cursor": cursors["anna", "recency"]})
    assert wrong.status_code == 422


WRONG: list[tuple[str, str]] = [
    ("order=oldest", "order"),
    ("min_importance=7", "min_importance"),
    ("min_importance=nan", "min_importance"),
    ("min_importance=x", "min_importance"),
    ("type=dream", "type"),
    ("status=lost", "status"),
    ("since=yesterday", "since"),
    ("until=2026-01-01T00:00:00", "until"),
    ("since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "since"),
    ("agent=", "agent"),
    ("recipient=a%0Ab", "recipient"),
    ("tag=%00", "tag[0]"),
    ("limit=201", "limit"),
    ("limit=0&type=semantic", "limit"),
    ("cursor=x&type=semantic", "cursor"),
    ("tags=family", "tags"),
]


@pytest.mark.parametrize(("query", "field"), WRONG)
@pytest.mark.changes_nothing
async def test_what_is_wrong_with_a_list_is_named(client: httpx.AsyncClient, query: str, field: str) -> None:
    answer = await client.get(f"/v1/banks/anna/memories?{query}")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field), answer.text


@pytest.mark.parametrize(
    ("body", "field"),
    [({"min_importance": 2}, "min_importance"), ({"min_importance": "0.5"}, "min_importance"),
     ({"types": ["dream"]}, "types[0]"), ({"agent": ""}, "agent"), ({"min_importances": 1}, "min_importances"),
     ({"since": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}, "since")],
)  # fmt: skip
@pytest.mark.changes_nothing
async def test_what_is_wrong_with_a_recalls_filters_is_named(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    answer = await client.post("/v1/banks/anna/recall", json={"query": "geese", **body})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field), answer.text


async def test_a_list_in_process_names_what_is_wrong(memory: Memory) -> None:
    await memory.create_bank("anna")
    wrong: list[dict[str, Any]] = [{"order": "x"}, {"agent": 5}, {"recipient": ""}, {"type": "x"}]
    for given in wrong:
        with pytest.raises(InvalidInput, match=next(iter(given))):
            await memory.list_memories("anna", **given)
    with pytest.raises(NotFound):
        await memory.list_memories("nobody", type="semantic")
