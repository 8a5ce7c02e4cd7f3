"""The changes feed: each event of a bank once, in order, also while transactions overlap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import psycopg
import pytest

from memory_service import access_tokens
from memory_service.cursors import ChangePlace, write_cursor
from memory_service.db.migrate import migrate
from memory_service.errors import InvalidInput, NotFound
from memory_service.keys import NewKey
from memory_service.memory import Memory
from memory_service.results import Change
from memory_service.server import change_routes
from memory_service.server.authentication import CACHE_SECONDS
from memory_service.server.change_routes import RECHECK_SECONDS
from tests.conftest import Admin, settle
from tests.support.shared_app import bearer, client_on

PATH = "/v1/banks/anna/changes"
EVENT = (
    "insert into memory.memory_event (bank_id, memory_id, memory_type, event, reason, actor, at) "
    "values ('anna', gen_random_uuid(), 'episodic', %s, 'a test', 'a', now())"
)


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        await memory.create_bank("anna")
        yield client


async def everything(memory: Memory, limit: int = 50) -> list[Change]:
    """All events, page by page."""
    found: list[Change] = []
    cursor = None
    while (page := await memory.list_changes("anna", limit=limit, cursor=cursor)).items:
        found += page.items
        cursor = page.next_cursor
    assert page.next_cursor == cursor
    return found


async def test_events_are_listed_once_in_order(http: httpx.AsyncClient, memory: Memory) -> None:
    assert (await http.get(PATH)).json() == {"items": [], "next_cursor": None}
    first = await memory.remember("anna", "Anna sings in a choir.")
    await settle(memory, "anna")
    fact = await memory.remember("anna", "Anna lives in Berlin.", type="semantic")
    await settle(memory, "anna")
    new = await memory.update("anna", fact.memory_id, content="Anna lives in Bonn.", actor="reviewer")
    await memory.update("anna", first.memory_id, tags=["a"], importance=0.9)
    changes = await everything(memory)
    assert [one.event for one in changes if one.memory_id == first.memory_id] == [
        "created",
        "status",
        "updated",
    ]
    assert changes[-1].fields == ("importance", "tags")
    (replaced,) = [one for one in changes if one.replaced_by]
    assert (replaced.memory_id, replaced.replaced_by, replaced.actor, replaced.type) == (
        fact.memory_id, new.memory_id, "reviewer", "semantic",
    )  # fmt: skip
    assert await everything(memory, limit=2) == changes
    assert len({one.change_id for one in changes}) == len(changes) > 6
    assert "Berlin" not in str(changes)
    page = (await http.get(PATH, params={"limit": 1})).json()
    assert page["items"][0]["memory_id"] == str(changes[0].memory_id)
    rest = (await http.get(PATH, params={"cursor": page["next_cursor"]})).json()
    assert [one["change_id"] for one in rest["items"]] == [one.change_id for one in changes[1:]]


@pytest.mark.one_server("writes events into one database")
async def test_an_event_that_is_committed_late_is_not_skipped(
    http: httpx.AsyncClient, memory: Memory, database_url: str
) -> None:
    with psycopg.connect(database_url) as slow, psycopg.connect(database_url) as fast:
        slow.execute(EVENT, ("slow",))
        fast.execute(EVENT, ("fast",))
        fast.commit()
        assert (await memory.list_changes("anna")).items == (), "slow would appear before fast"
        slow.commit()
    page = await memory.list_changes("anna")
    assert [one.event for one in page.items] == ["slow", "fast"]
    assert (await memory.list_changes("anna", cursor=page.next_cursor)).items == ()


async def test_concurrent_writers_and_a_reader(http: httpx.AsyncClient, memory: Memory) -> None:
    async def write(number: int) -> None:
        for turn in range(10):
            await memory.remember("anna", f"Anna said {turn} things to person {number}.")

    writing = [asyncio.create_task(write(number)) for number in range(8)]
    followed: list[Change] = []
    cursor = None
    while True:
        done = all(task.done() for task in writing)
        page = await memory.list_changes("anna", limit=7, cursor=cursor)
        followed += page.items
        cursor = page.next_cursor
        if done and not page.items:
            break
    await asyncio.gather(*writing)
    assert followed == await everything(memory)
    assert sum(one.event == "created" for one in followed) == 80


async def test_a_reader_waits_for_the_next_event(http: httpx.AsyncClient, memory: Memory) -> None:
    await memory.remember("anna", "Anna sings.")
    cursor = (await memory.list_changes("anna")).next_cursor
    assert cursor
    waiting = asyncio.create_task(http.get(PATH, params={"cursor": cursor, "wait_seconds": 30}))
    await asyncio.sleep(0.7)
    assert not waiting.done()
    committed = await memory.remember("anna", "Anna dances.")
    page = (await waiting).json()
    assert [one["memory_id"] for one in page["items"]] == [str(committed.memory_id)]
    cursor = page["next_cursor"]
    nothing = (await http.get(PATH, params={"cursor": cursor, "wait_seconds": 0.6})).json()
    assert nothing == {"items": [], "next_cursor": cursor}


@pytest.fixture
async def waiting(
    request: pytest.FixtureRequest, http: httpx.AsyncClient, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> tuple[NewKey, asyncio.Task[httpx.Response]]:
    """A key, and a request that waits for events with it or with an access token that it signed."""
    credential, recheck = request.param
    monkeypatch.setattr(change_routes, "RECHECK_SECONDS", recheck)
    key = await memory.create_key("read", ["anna"])
    text = key.key
    if credential == "token":
        text = (await http.post("/v1/banks/anna/tokens", json={}, headers=bearer(key))).json()["token"]
    call = asyncio.create_task(http.get(PATH, params={"wait_seconds": 30}, headers=bearer(text)))
    await asyncio.sleep(0.2)
    assert not call.done()
    return key, call


@pytest.mark.parametrize("waiting", [("key", RECHECK_SECONDS), ("token", RECHECK_SECONDS)], indirect=True)
async def test_revoking_the_key_ends_the_wait(
    memory: Memory, waiting: tuple[NewKey, asyncio.Task[httpx.Response]]
) -> None:
    key, call = waiting
    await memory.revoke_key(key.key_id)
    answer = await call
    assert (answer.status_code, answer.json()["detail"]) == (401, "the API key was revoked")
    assert RECHECK_SECONDS + CACHE_SECONDS <= 1


@pytest.mark.parametrize("waiting", [("key", 20.0), ("token", 20.0)], indirect=True)
async def test_an_event_after_the_revocation_is_not_sent(
    memory: Memory, waiting: tuple[NewKey, asyncio.Task[httpx.Response]]
) -> None:
    """Although the request has not checked its key again when the event comes."""
    key, call = waiting
    await memory.revoke_key(key.key_id)
    await asyncio.sleep(CACHE_SECONDS)
    await memory.remember("anna", "Anna dances.")
    answer = await call
    assert answer.status_code == 401
    assert "items" not in answer.json()


async def test_the_end_of_a_token_ends_the_wait(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"])
    answer = await http.post("/v1/banks/anna/tokens", json={"seconds": 1}, headers=bearer(key))
    ended = await http.get(PATH, params={"wait_seconds": 30}, headers=bearer(answer.json()["token"]))
    assert (ended.status_code, ended.json()["detail"]) == (401, access_tokens.EXPIRED)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"cursor": "x"}, "cursor"),
        ({"limit": 0}, "limit"),
        ({"wait_seconds": 31}, "wait_seconds"),
        ({"wait_seconds": -1}, "wait_seconds"),
        ({"wait_seconds": "nan"}, "wait_seconds"),
        ({"wait": 1}, "wait"),
    ],
)
async def test_a_bad_parameter_is_named(http: httpx.AsyncClient, query: dict[str, str], field: str) -> None:
    answer = await http.get(PATH, params=query)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


@pytest.mark.own_database
@pytest.mark.one_server("writes events into one database")
async def test_after_a_restore_into_another_cluster(
    http: httpx.AsyncClient, memory: Memory, admin: Admin, database_url: str
) -> None:
    """Transaction ids there are smaller than those of the former events."""
    await memory.remember("anna", "Anna sings.")
    admin.execute("update memory.memory_event set xid = 99999999999")
    admin.execute("update memory.installation set cluster = '1'")
    assert (await memory.list_changes("anna")).items == (), "these transactions are still to come"
    former = write_cursor(ChangePlace("1", 99999999999, 1))
    migrate(database_url, release="test")
    await memory.remember("anna", "Anna dances.")
    with pytest.raises(InvalidInput, match="another database"):
        await memory.list_changes("anna", cursor=former)
    changes = await everything(memory)
    assert [one.event for one in changes] == ["created", "created"]
    assert changes[0].change_id < changes[1].change_id


async def test_an_unknown_bank(http: httpx.AsyncClient, memory: Memory) -> None:
    with pytest.raises(NotFound):
        await memory.list_changes("nobody")
