"""Hints wake idle workers; they are few, they may be missed, and nothing depends on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast, get_args
from uuid import uuid4

import asyncpg
import psycopg
import pytest

from memory_service.config import Settings
from memory_service.intake.model_calls import LIMIT_REACHED
from memory_service.intake.worker import RETRY_POLL_SECONDS
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.store.database import Database
from memory_service.store.notifications import CHANNEL, Notifications
from memory_service.store.work import Kind, Work
from tests.conftest import at_work, until
from tests.support.scripted import ScriptedEmbedder, ScriptedExtractor, script

Admin = psycopg.Connection[tuple[object, ...]]

LISTENING = """
    select pid from pg_stat_activity
     where datname = current_database() and query ilike 'listen%%memory_work%%'"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A poll so long that only a hint can be what wakes a worker."""
    return settings.model_copy(update={"poll_seconds": 600.0})


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_service.store.notifications.RECONNECT_SECONDS", 0.05)


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Memory]:
    """Another process's Memory."""
    async with await Memory.open(settings, migrated=False) as memory:
        yield memory


async def idle(admin: Admin) -> int:
    """Wait until a worker listens and has nothing to do; its database process."""
    rows = await until(lambda: admin.execute(LISTENING.encode()).fetchall())
    await asyncio.sleep(0.2)  # it looks for work once more when it begins to listen
    return rows[0][0]


async def active(memory: Memory, bank_id: str, count: int) -> None:
    async def all_active() -> bool:
        return (await memory.stats(bank_id))["memories"] == {"active": count}

    await until(all_active)


async def test_a_commit_wakes_an_idle_worker_of_another_process(
    memory: Memory, other: Memory, admin: Admin
) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    async with at_work(memory):
        await idle(admin)
        await other.remember("anna", "A committed thing.")
        await active(memory, "anna", 1)


async def test_what_a_hint_tells_of_is_claimed_before_what_was_tried(
    memory: Memory, other: Memory, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second statement would be waited for by a commit on an idle system."""
    claims: list[tuple[str, bool]] = []
    claim = Work.claim

    async def noted(work: Work, *arguments: Any, tried: bool = False) -> Any:
        claims.append((arguments[0], tried))
        return await claim(work, *arguments, tried=tried)

    monkeypatch.setattr(Work, "claim", noted)
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    async with at_work(memory):
        await idle(admin)
        await asyncio.sleep(RETRY_POLL_SECONDS)  # from now on both are due
        claims.clear()
        await other.remember("anna", "A committed thing.")
        await active(memory, "anna", 1)
        while not {("annotate", True), ("embed", True)} <= set(claims):
            await asyncio.sleep(0.01)
    for kind in ("annotate", "embed"):
        order = [tried for claimed, tried in claims if claimed == kind]
        assert order.index(True) >= 2  # after the claim that found it and the one after its batch


async def test_a_message_wakes_an_idle_worker_of_another_process(
    memory: Memory, other: Memory, admin: Admin
) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("log", {"intake": "verbatim"})
    async with at_work(memory):
        await idle(admin)
        await other.add_messages("log", "c1", [NewMessage("user", "A line.")])
        await active(memory, "log", 1)


async def test_a_raised_cap_wakes_an_idle_worker(memory: Memory, other: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await memory.create_bank("anna", {"daily_tokens": 1})
    for n in range(3):
        await memory.remember("anna", f"Thing number {n}.")
    waiting = "select from memory.work where last_error = %s and lease_token is null"
    async with at_work(memory):
        await idle(admin)
        await until(lambda: len(admin.execute(waiting, (LIMIT_REACHED,)).fetchall()) == 2)
        await other.update_bank("anna", {"daily_tokens": None})
        await active(memory, "anna", 3)


@pytest.mark.parametrize("kind", get_args(Kind))
async def test_a_raised_limit_wakes_items_of_every_kind(
    memory: Memory, other: Memory, admin: Admin, kind: Kind
) -> None:
    """The item's subject does not exist: the step completes it."""
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await memory.create_bank("anna", {"daily_tokens": 1})
    async with at_work(memory):
        await idle(admin)
        admin.execute(
            "insert into memory.work (bank_id, kind, subject, enqueued_at, not_before, last_error) "
            "values ('anna', %s, %s, now(), now() + interval '1 day', %s)",
            (kind, str(uuid4()), LIMIT_REACHED),
        )
        await other.update_bank("anna", {"daily_tokens": None})
        await until(lambda: not admin.execute("select from memory.work").fetchall(), seconds=20)


async def test_what_was_hinted_before_a_worker_listened_is_found(
    memory: Memory, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks once more when it begins to listen."""
    connect = asyncpg.connect
    may_listen = asyncio.Event()

    async def late(*arguments: Any, **named: Any) -> Any:
        await may_listen.wait()
        return await connect(*arguments, **named)

    monkeypatch.setattr("memory_service.store.notifications.asyncpg.connect", late)
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    async with at_work(memory):
        await asyncio.sleep(0.3)  # it has looked, and found nothing
        await memory.remember("anna", "A committed thing.")
        await asyncio.sleep(0.3)
        may_listen.set()
        await active(memory, "anna", 1)


async def test_a_lost_connection_is_made_again(memory: Memory, other: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    async with at_work(memory):
        first = await idle(admin)
        admin.execute("select pg_terminate_backend(%s)", (first,))
        await until(lambda: [pid for (pid,) in admin.execute(LISTENING.encode()).fetchall() if pid != first])
        await idle(admin)
        await other.remember("anna", "A committed thing.")
        await active(memory, "anna", 1)


async def test_many_hints_are_few_notices(memory: Memory, database_url: str) -> None:
    """A hundred hints in one go are one notice of each kind, and the last hint is never swallowed."""
    heard: list[str] = []

    def hear(*said: object) -> None:
        heard.append(str(said[-1]))

    connection = await asyncpg.connect(database_url)
    try:
        await connection.add_listener(CHANNEL, hear)
        for _ in range(100):
            memory.store.notifications.notify("segment", "anna")
            memory.store.notifications.notify("annotate", "anna")
        await until(lambda: len(heard) >= 2)
        assert sorted(heard) == ["annotate", "segment"]
        for _ in range(50):
            memory.store.notifications.notify("segment", "anna")
            await asyncio.sleep(0.002)
        seen = len(heard)
        memory.store.notifications.notify("embed", "anna")
        await until(lambda: "embed" in heard[seen:])
        assert len(heard) < 2 + 50 / 2
    finally:
        await connection.close()


class Sent:
    """A database that notes the hints sent through it."""

    def __init__(self) -> None:
        self.hints: list[list[str]] = []

    def opened_for(self, _bank_id: str) -> Sent:
        return self

    async def query_value(self, _statement: str, _channel: str, kinds: list[str]) -> None:
        self.hints.append(sorted(kinds))


async def test_the_first_hint_goes_at_once_and_one_more_after_each_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a simulated clock: 1,000 hints in a second are sent as at most 21; a hint after a pause is sent at once."""
    clock, due = 0.0, asyncio.Event()
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(clock + seconds)
        while clock < pauses[-1]:
            due.clear()
            await due.wait()

    async def turn() -> None:
        for _ in range(10):
            await asyncio.get_running_loop().create_task(nothing_more())

    async def nothing_more() -> None: ...

    monkeypatch.setattr("memory_service.store.notifications.pause", pause)
    sent = Sent()
    notifications = Notifications(cast("Database", sent))
    notifications.notify("segment", "anna")
    await turn()
    assert sent.hints == [["segment"]]
    for _ in range(1_000):
        notifications.notify("segment", "anna")
        notifications.notify("annotate", "anna")
        clock += 0.001
        due.set()
        await turn()
    assert 10 <= len(sent.hints) <= 21
    clock += 1
    due.set()
    await turn()
    assert ["annotate", "segment"] in sent.hints[-2:]  # the last one is said, too
    said = len(sent.hints)
    notifications.notify("embed", "anna")
    await turn()
    assert sent.hints[said:] == [["embed"]]
    await notifications.aclose()


async def test_closing_leaves_no_task_behind(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_service.store.notifications.DEBOUNCE_SECONDS", 600.0)
    memory = await Memory.open(settings, migrated=False)
    memory.store.notifications.notify("segment", "anna")
    await memory.aclose()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("error", [OSError("no route"), RuntimeError("a bug")], ids=["outage", "bug"])
async def test_a_worker_that_cannot_listen_works_by_polling(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def refuse(*_: object, **__: object) -> Any:
        raise error

    monkeypatch.setattr("memory_service.store.notifications.asyncpg.connect", refuse)
    memory.settings = memory.settings.model_copy(update={"poll_seconds": 0.05})
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    async with at_work(memory):
        await asyncio.sleep(0.2)
        await memory.remember("anna", "A committed thing.")
        await active(memory, "anna", 1)
