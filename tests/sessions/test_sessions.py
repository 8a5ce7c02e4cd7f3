"""Sessions through `Memory`: versions, checkpoints, restore, fork, limits, expiry, and the parts that are left."""

from __future__ import annotations

import asyncio
import contextvars
import json
import os
import random
import sys
from asyncio.subprocess import PIPE
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memory_service.config import Settings
from memory_service.errors import Conflict, InvalidInput, NotFound, StaleVersion
from memory_service.intake.commit import redacted_json
from memory_service.memory import Memory
from memory_service.results import Session
from memory_service.store.sessions import Sessions, StoredSession, Written
from tests.conftest import Admin, at_work, until
from tests.sessions.test_parts import DATA, exactly, message

T = TypeVar("T")
BANK = "anna"
WRITERS = 32
EACH = 4


@pytest.fixture
async def bank(memory: Memory) -> Memory:
    await memory.create_bank(BANK)
    return memory


def rows(admin: Admin, query: str) -> list[tuple[Any, ...]]:
    return admin.execute(query.encode()).fetchall()


def parts(admin: Admin) -> int:
    return rows(admin, "select count(*) from memory.session_part")[0][0]


def unreachable(admin: Admin) -> int:
    """Parts that no session and no checkpoint reaches, by a walk of the test's own."""
    children = {
        digest: [below[n : n + 32] for n in range(0, len(below), 32)]
        for digest, below in rows(admin, "select digest, children from memory.session_part")
    }
    left = [
        root
        for (root,) in rows(
            admin, "select root from memory.session_memory union select root from memory.session_checkpoint"
        )
    ]
    seen: set[bytes] = set()
    while left:
        digest = left.pop()
        if digest not in seen:
            seen.add(digest)
            left += children[digest]  # a KeyError is a part that was deleted too early
    return len(children.keys() - seen)


async def test_a_session_has_versions(bank: Memory) -> None:
    session = await bank.create_session(BANK, "PLANNING", {"step": 1, "plan": {"a": 1}}, session_id="s1")
    assert (session.version, session.state, session.data) == (1, "PLANNING", {"step": 1, "plan": {"a": 1}})
    assert session.created_at == session.updated_at
    assert await bank.get_session(BANK, "s1") == session
    changed = await bank.update_session(BANK, "s1", 1, state="ACTING", data={"plan": {"b": 2}, "new": None})
    assert (changed.version, changed.state, changed.data) == (2, "ACTING", {"step": 1, "plan": {"b": 2}})
    assert changed.created_at == session.created_at
    assert changed.updated_at > session.updated_at
    assert await bank.get_session(BANK, "s1") == changed
    emptied = await bank.update_session(BANK, "s1", 2, data={"plan": None, "step": None})
    assert (emptied.version, emptied.state, emptied.data) == (3, "ACTING", {})
    assert (await bank.get_session(BANK, "s1", include_data=False)).data is None


async def test_a_stale_version_changes_nothing_and_has_the_present_session(bank: Memory) -> None:
    await bank.create_session(BANK, "A", {"n": 1}, session_id="s1")
    present = await bank.update_session(BANK, "s1", 1, data={"n": 2})
    for version in (1, 3):
        with pytest.raises(StaleVersion, match="version is now 2") as stale:
            await bank.update_session(BANK, "s1", version, data={"n": 9}, state="B")
        assert stale.value.session == present
    assert await bank.get_session(BANK, "s1") == present
    await bank.update_session(BANK, "s1", 2, data={"n": 1})
    with pytest.raises(
        StaleVersion, match="version is now 3"
    ):  # the data of version 1 again is another version
        await bank.update_session(BANK, "s1", 1, data={"n": 9})


async def test_concurrent_writers_lose_no_update(settings: Settings, bank: Memory) -> None:
    """32 concurrent writers of two services, each on a separate connection; a writer with a stale version retries."""
    await bank.create_session(BANK, "A", {"count": 0, "by": {}, "log": []}, session_id="s1")
    pool = settings.model_copy(update={"pool_size": WRITERS // 2 + 2})
    conflicts = 0

    async def write(memory: Memory, writer: int) -> None:
        nonlocal conflicts
        session = await memory.get_session(BANK, "s1")
        for n in range(EACH):
            while True:
                assert session.data is not None
                data: Any = session.data
                try:
                    session = await memory.update_session(
                        BANK,
                        "s1",
                        session.version,
                        data={"count": data["count"] + 1, "by": {**data["by"], f"w{writer}": n}},
                        append={"log": [f"{writer}:{n} " + "x" * 100]},
                    )
                    break
                except StaleVersion as stale:
                    conflicts += 1
                    session = stale.session
                    await asyncio.sleep(random.uniform(0, 0.05))

    async with (
        await Memory.open(pool, migrated=False) as one,
        await Memory.open(pool, migrated=False) as other,
    ):
        await asyncio.gather(*(write((one, other)[n % 2], n) for n in range(WRITERS)))
    session = await bank.get_session(BANK, "s1")
    data: Any = session.data
    assert session.version == 1 + WRITERS * EACH
    assert data["count"] == WRITERS * EACH
    assert data["by"] == {f"w{writer}": EACH - 1 for writer in range(WRITERS)}
    assert sorted(entry.split()[0] for entry in data["log"]) == sorted(
        f"{writer}:{n}" for writer in range(WRITERS) for n in range(EACH)
    )
    assert conflicts > 0, "they did not write at the same time"


def is_clean(data: dict[str, Any]) -> bool:
    """Whether redaction leaves these values as they are: not {"TOKEN": "00000000"}."""
    return all(redacted_json(value, key) == value for key, value in data.items())


@given(st.lists(DATA.filter(is_clean), min_size=2, max_size=6))
@hypothesis_settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_restore_is_exact(bank: Memory, examples: list[dict[str, Any]]) -> None:
    """Any JSON without secrets, through changes whose checkpoints are restored in another order."""
    session = await bank.create_session(BANK, "S0", examples[0])
    kept: list[tuple[UUID, Session]] = []
    for n, example in enumerate(examples):
        removed = dict.fromkeys(session.data or {})
        given_values = {key: value for key, value in example.items() if value is not None}
        session = await bank.update_session(
            BANK, session.session_id, session.version, state=f"S{n}", data={**removed, **given_values}
        )
        assert session.data == given_values
        checkpoint = await bank.create_checkpoint(BANK, session.session_id, name=f"c{n}", note="a note")
        assert (checkpoint.version, checkpoint.state) == (session.version, f"S{n}")
        kept.append((checkpoint.checkpoint_id, session))
    version = session.version
    for checkpoint_id, then in random.Random(2).sample(kept, len(kept)):
        restored = await bank.restore_session(BANK, session.session_id, checkpoint_id)
        version += 1
        assert (restored.version, restored.state) == (version, then.state)
        assert exactly(restored.data) == exactly(then.data)
        assert exactly((await bank.get_session(BANK, session.session_id)).data) == exactly(then.data)


async def test_numbers_texts_and_order_come_back(bank: Memory) -> None:
    data: dict[str, Any] = {
        "z": 10**40, "a": -(10**40), "float": 1.0, "zero": -0.0, "tiny": 5e-324, "big": 1.7976931348623157e308,
        "exponent": 1e22, "third": 1 / 3, "text": "é😀\u2028\x1a\t\\\"\u200b", "": "empty key", "null": None,
        "nested": {"b": [1, 1.0, True, None, {}], "a": []}, "long": "\x1a12\x1a " * 900,
    }  # fmt: skip
    session = await bank.create_session(BANK, "A", data)
    assert exactly((await bank.get_session(BANK, session.session_id)).data) == exactly(data)


async def test_restore_of_a_long_chat(bank: Memory, admin: Admin) -> None:
    """A checkpoint after each step; whole lists and appended items make the same parts."""
    session = await bank.create_session(BANK, "A", {"messages": []}, session_id="s1")
    messages: list[Any] = []
    checkpoints: list[UUID] = []
    for n in range(80):
        messages.append(message(n))
        if n % 2:
            session = await bank.update_session(
                BANK, "s1", session.version, data={"step": n}, append={"messages": [messages[-1]]}
            )
        else:
            session = await bank.update_session(
                BANK, "s1", session.version, data={"step": n, "messages": messages}
            )
        assert session.data == {"messages": messages, "step": n}
        checkpoints.append((await bank.create_checkpoint(BANK, "s1")).checkpoint_id)
    ((stored,),) = rows(admin, "select sum(octet_length(content)) from memory.session_part")
    assert stored < 1.3 * len(json.dumps(messages))
    await bank.expire_sessions(BANK)
    assert unreachable(admin) == 0
    for n in (0, 41, 79):
        restored = await bank.restore_session(BANK, "s1", checkpoints[n])
        assert restored.data == {"messages": messages[: n + 1], "step": n}


async def test_an_append_reads_and_sends_only_the_end_of_a_list(
    bank: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bank.create_session(BANK, "A", {"log": [message(n) for n in range(400)]}, session_id="s1")
    sent: list[int] = []
    update = Sessions.update

    async def watched(self: Sessions, *arguments: Any) -> Written:
        data, known = arguments[3], arguments[4]
        sent.append(sum(len(part.content) for digest, part in data.new.items() if digest not in known))
        return await update(self, *arguments)

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("it read the data")

    monkeypatch.setattr(Sessions, "update", watched)
    monkeypatch.setattr("memory_service.api.sessions.data_in", never)
    changed = await bank.update_session(
        BANK, "s1", 1, append={"log": [message(400)], "new": [1]}, include_data=False
    )
    assert changed.data is None
    assert max(sent) < 1_500
    monkeypatch.undo()
    found = await bank.get_session(BANK, "s1")
    assert found.data == {"log": [message(n) for n in range(401)], "new": [1]}


async def test_changes_of_one_process_read_nothing_first(
    bank: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that wrote a version knows its keys and the ends of its lists; other versions are read."""
    reads = 0
    read = Sessions.read

    async def counted(self: Sessions, *arguments: Any, **more: Any) -> StoredSession:
        nonlocal reads
        reads += 1
        return await read(self, *arguments, **more)

    monkeypatch.setattr(Sessions, "read", counted)
    log: list[Any] = []

    async def step(memory: Memory, version: int) -> int:
        nonlocal reads
        reads = 0
        log.append(message(len(log)))
        changed = await memory.update_session(
            BANK, "s1", version, data={"n": len(log)}, append={"log": [log[-1]]}, include_data=False
        )
        assert (changed.version, changed.state) == (version + 1, "A")
        return reads

    await bank.create_session(BANK, "A", {"log": log, "n": 0}, session_id="s1")
    async with await Memory.open(settings, migrated=False) as other:
        found = [await step((bank, other)[version in (6, 9)], version) for version in range(1, 12)]
        assert found == [1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0]
        await other.delete_session(BANK, "s1")
        await other.create_session(BANK, "B", {"log": ["x" * 300], "n": 0}, session_id="s1")
        for version in range(1, 12):
            await other.update_session(BANK, "s1", version, data={"n": version})
    reads = 0
    changed = await bank.update_session(BANK, "s1", 12, append={"log": [1]}, include_data=False)
    assert (changed.state, reads) == ("B", 1)
    assert (await bank.get_session(BANK, "s1")).data == {"log": ["x" * 300, 1], "n": 11}


async def test_a_change_that_was_rolled_back_is_not_built_upon(bank: Memory, settings: Settings) -> None:
    """The process remembers a version that was never committed; another process writes one of the same number."""
    await bank.create_session(BANK, "A", {"n": 0, "log": ["x" * 300]}, session_id="s1")

    async def fail() -> None:
        await bank.update_session(BANK, "s1", 1, state="LOST", data={"lost": 1}, append={"log": ["lost"]})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await bank.store.database.in_transaction(fail, bank=BANK)
    async with await Memory.open(settings, migrated=False) as other:
        await other.update_session(BANK, "s1", 1, data={"n": 1})
    changed = await bank.update_session(BANK, "s1", 2, append={"log": [2]}, include_data=False)
    assert changed.state == "A"
    found = await bank.get_session(BANK, "s1")
    assert (found.version, found.state, found.data) == (3, "A", {"n": 1, "log": ["x" * 300, 2]})


async def test_append_needs_a_list_and_one_mention_of_a_key(bank: Memory) -> None:
    await bank.create_session(BANK, "A", {"n": 1, "text": "x" * 2_000, "object": {"a": 1}}, session_id="s1")
    for key in ("n", "text", "object"):
        with pytest.raises(InvalidInput, match="is not a list") as refused:
            await bank.update_session(BANK, "s1", 1, append={key: [1]})
        assert refused.value.field == f"append.{key}"
    with pytest.raises(InvalidInput, match="is in data, too") as refused:
        await bank.update_session(BANK, "s1", 1, data={"m": [1]}, append={"m": [2]})
    assert refused.value.field == "append.m"
    assert (await bank.get_session(BANK, "s1")).version == 1


async def test_a_fork_is_independent(bank: Memory, admin: Admin) -> None:
    long = [message(n) for n in range(60)]
    await bank.create_session(BANK, "A", {"log": long, "n": 0}, session_id="s1")
    early = await bank.create_checkpoint(BANK, "s1")
    await bank.update_session(BANK, "s1", 1, state="B", data={"n": 1})
    before = parts(admin)
    fork = await bank.fork_session(BANK, "s1", fork_id="s2")
    assert (fork.session_id, fork.version, fork.state, fork.data) == ("s2", 1, "B", {"log": long, "n": 1})
    third = await bank.fork_session(BANK, "s1", checkpoint_id=early.checkpoint_id)
    assert (third.state, third.data) == ("A", {"log": long, "n": 0})
    assert parts(admin) == before, "a fork stores nothing again"
    await bank.update_session(BANK, "s2", 1, data={"n": 2}, append={"log": [1]})
    assert (await bank.get_session(BANK, "s1")).data == {"log": long, "n": 1}
    assert (await bank.list_checkpoints(BANK, "s2")).items == ()
    with pytest.raises(NotFound, match="checkpoint_id"):
        await bank.restore_session(BANK, "s2", early.checkpoint_id)
    await bank.delete_session(BANK, "s1")
    assert (await bank.get_session(BANK, "s2")).data == {"log": [*long, 1], "n": 2}
    assert (await bank.get_session(BANK, third.session_id)).data == {"log": long, "n": 0}
    await bank.expire_sessions(BANK)
    assert unreachable(admin) == 0
    await bank.delete_session(BANK, "s2")
    await bank.delete_session(BANK, third.session_id)
    assert parts(admin) == 0


async def test_deleting_a_session_deletes_all_of_it_and_is_recorded(bank: Memory, admin: Admin) -> None:
    await bank.create_session(BANK, "A", {"log": [message(n) for n in range(60)]}, session_id="s1")
    await bank.create_checkpoint(BANK, "s1", name="first")
    kept = await bank.create_session(BANK, "A", {"log": [message(1)]}, session_id="s2")
    await bank.delete_session(BANK, "s1")
    for call in (
        bank.get_session(BANK, "s1"),
        bank.delete_session(BANK, "s1"),
        bank.list_checkpoints(BANK, "s1"),
        bank.create_checkpoint(BANK, "s1"),
        bank.fork_session(BANK, "s1"),
        bank.restore_session(BANK, "s1", uuid4()),
        bank.update_session(BANK, "s1", 1),
    ):
        with pytest.raises(NotFound, match="there is no session s1 in this bank"):
            await call
    assert await bank.get_session(BANK, "s2") == kept
    assert unreachable(admin) == 0
    assert admin.execute("select count(*) from memory.session_checkpoint").fetchone() == (0,)
    recorded = admin.execute(
        "select actor, bank_id, subjects, details from analytics.audit where action = 'session_deleted'"
    ).fetchall()
    assert recorded == [("operator", BANK, ["s1"], {"reason": "requested"})]


async def test_the_oldest_checkpoints_without_a_name_are_deleted(bank: Memory, admin: Admin) -> None:
    await bank.update_bank(BANK, {"most_checkpoints": 3})
    await bank.create_session(BANK, "A", {"log": ["x" * 400]}, session_id="s1")
    named = [await bank.create_checkpoint(BANK, "s1", name=f"n{n}") for n in range(3)]
    with pytest.raises(Conflict, match="3 checkpoints with a name"):
        await bank.create_checkpoint(BANK, "s1", name="one more")
    unnamed: list[UUID] = []
    for n in range(6):
        await bank.update_session(BANK, "s1", n + 1, append={"log": [f"{n}" * 400]})
        unnamed.append((await bank.create_checkpoint(BANK, "s1", note="no name")).checkpoint_id)
    found = [one.checkpoint_id for one in (await bank.list_checkpoints(BANK, "s1")).items]
    assert found == [*unnamed[:2:-1], *(one.checkpoint_id for one in named[::-1])]
    with pytest.raises(NotFound):
        await bank.restore_session(BANK, "s1", unnamed[2])
    assert unreachable(admin) > 0
    await bank.expire_sessions(BANK)
    assert unreachable(admin) == 0
    await bank.delete_checkpoint(BANK, "s1", named[0].checkpoint_id)
    with pytest.raises(NotFound, match="checkpoint_id"):
        await bank.delete_checkpoint(BANK, "s1", named[0].checkpoint_id)
    assert (await bank.create_checkpoint(BANK, "s1", name="one more")).name == "one more"


async def test_checkpoints_are_listed_by_pages(bank: Memory) -> None:
    for session_id in ("s1", "s2"):
        await bank.create_session(BANK, "A", session_id=session_id)
    made = [(await bank.create_checkpoint(BANK, "s1")).checkpoint_id for _ in range(7)]
    found: list[UUID] = []
    cursor = None
    while True:
        page = await bank.list_checkpoints(BANK, "s1", limit=3, cursor=cursor)
        found += [one.checkpoint_id for one in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
        await bank.create_checkpoint(BANK, "s1")  # shifts nothing
    assert found == made[::-1]
    page = await bank.list_checkpoints(BANK, "s1", limit=3)
    with pytest.raises(InvalidInput, match="another session's checkpoints"):
        await bank.list_checkpoints(BANK, "s2", cursor=page.next_cursor)


async def test_sessions_are_listed_by_their_last_change(bank: Memory) -> None:
    for n in range(5):
        await bank.create_session(BANK, "A", {"n": n}, session_id=f"s{n}")
    await bank.update_session(BANK, "s1", 1, state="B")
    await bank.create_checkpoint(BANK, "s1")
    first = await bank.list_sessions(BANK, limit=3)
    rest = await bank.list_sessions(BANK, limit=3, cursor=first.next_cursor)
    assert [line.session_id for line in (*first.items, *rest.items)] == ["s1", "s4", "s3", "s2", "s0"]
    line = first.items[0]
    assert (line.version, line.state, line.bytes, line.checkpoints) == (2, "B", len('{"n":1}'), 1)
    assert rest.next_cursor is None
    await bank.create_bank("bea")
    with pytest.raises(InvalidInput, match="another bank's list"):
        await bank.list_sessions("bea", cursor=first.next_cursor)


async def test_a_bank_has_a_cap_of_sessions(bank: Memory) -> None:
    await bank.update_bank(BANK, {"most_sessions": 2})
    await bank.create_session(BANK, "A", session_id="s1")
    await bank.fork_session(BANK, "s1")
    for call in (bank.create_session(BANK, "A"), bank.fork_session(BANK, "s1")):
        with pytest.raises(Conflict, match=r"has 2 sessions, its cap \(most_sessions\)"):
            await call
    await bank.delete_session(BANK, "s1")
    await bank.create_session(BANK, "A")


async def test_concurrent_creations_count_each_other(bank: Memory, settings: Settings, admin: Admin) -> None:
    await bank.update_bank(BANK, {"most_sessions": 1})
    async with await Memory.open(settings, migrated=False) as other:

        async def create() -> asyncio.Task[Session]:
            await bank.create_session(BANK, "A")
            creating = outside_transaction(other.create_session(BANK, "A"))
            await until(lambda: waiting(admin, "create_session"))
            return creating

        creating = await bank.store.database.in_transaction(create, bank=BANK)
        with pytest.raises(Conflict, match="its cap"):
            await creating


async def test_data_has_a_limit_in_bytes(bank: Memory, admin: Admin) -> None:
    await bank.update_bank(BANK, {"session_bytes": 1_000})
    with pytest.raises(InvalidInput, match="1,000 bytes") as refused:
        await bank.create_session(BANK, "A", {"t": "é" * 500}, session_id="s1")
    assert refused.value.field == "data"
    assert parts(admin) == 0
    await bank.create_session(BANK, "A", {"t": "é" * 490}, session_id="s1")
    left = parts(admin)
    with pytest.raises(InvalidInput, match="1,000 bytes"):
        await bank.update_session(BANK, "s1", 1, append={"u": ["abcdefgh"]})
    assert parts(admin) == left
    assert (await bank.get_session(BANK, "s1")).version == 1
    await bank.update_session(BANK, "s1", 1, data={"t": "short", "u": "x" * 800})


async def test_ids_are_used_once(bank: Memory, admin: Admin) -> None:
    await bank.create_session(BANK, "A", {"n": 1}, session_id="s1")
    left = parts(admin)
    with pytest.raises(Conflict, match="has a session s1 already"):
        await bank.create_session(BANK, "A", {"n": 2}, session_id="s1")
    with pytest.raises(Conflict, match="has a session s1 already"):
        await bank.fork_session(BANK, "s1", fork_id="s1")
    assert parts(admin) == left
    assert (await bank.get_session(BANK, "s1")).data == {"n": 1}


async def test_sessions_expire_only_where_it_is_set(bank: Memory, settings: Settings, admin: Admin) -> None:
    for n in range(3):
        await bank.create_session(BANK, "A", {"n": n, "t": "x" * 400}, session_id=f"s{n}")
    old = datetime.now(UTC) - timedelta(days=40)
    admin.execute("update memory.session_memory set updated_at = %s where session_id <> 's2'", (old,))
    for one in (None, BANK):
        assert await bank.expire_sessions(one) == 0
    await bank.update_bank(BANK, {"session_days": 50})
    for one in (None, BANK):
        assert await bank.expire_sessions(one) == 0
    with_default = settings.model_copy(update={"session_days": 30.0})
    async with await Memory.open(with_default, migrated=False) as other:
        assert await other.expire_sessions() == 0, "the bank's own setting comes first"
        await bank.update_session(BANK, "s0", 1, data={"n": 9})
        await bank.update_bank(BANK, {"session_days": None})
        assert await other.expire_sessions() == 1
        assert await other.expire_sessions() == 0
    assert {one.session_id for one in (await bank.list_sessions(BANK)).items} == {"s0", "s2"}
    assert unreachable(admin) == 0
    recorded = admin.execute(
        "select actor, subjects, details from analytics.audit where action = 'session_deleted'"
    ).fetchall()
    assert recorded == [("worker", ["s1"], {"reason": "expired"})]


async def test_workers_expire_sessions(bank: Memory, admin: Admin) -> None:
    await bank.update_bank(BANK, {"session_days": 30})
    await bank.create_session(BANK, "A", {"t": "x" * 400}, session_id="s1")
    admin.execute("update memory.session_memory set updated_at = now() - interval '31 days'")
    async with at_work(bank):
        await until(lambda: parts(admin) == 0)


async def test_a_sweep_takes_no_part_from_writers(settings: Settings, bank: Memory, admin: Admin) -> None:
    """Writers leave parts, return to them and restore checkpoints, while sweeps run without a pause."""
    stop = asyncio.Event()
    texts = [[f"{n} " + "x" * 300, f"{n} " + "y" * 300] for n in range(6)]

    async def write(memory: Memory, session_id: str, seed: int) -> None:
        choose = random.Random(seed)
        session = await memory.create_session(BANK, "A", {"t": texts[0]}, session_id=session_id)
        checkpoints: list[UUID] = []
        for _ in range(60):
            what = choose.random()
            if what < 0.6:
                session = await memory.update_session(
                    BANK, session_id, session.version, data={"t": choose.choice(texts)}
                )
            elif what < 0.8 or not checkpoints:
                checkpoints.append((await memory.create_checkpoint(BANK, session_id)).checkpoint_id)
            elif what < 0.9:
                session = await memory.restore_session(BANK, session_id, choose.choice(checkpoints))
            else:
                fork = await memory.fork_session(BANK, session_id)
                await memory.update_session(BANK, fork.session_id, 1, data={"t": choose.choice(texts)})
                await memory.delete_session(BANK, fork.session_id)
            assert (await memory.get_session(BANK, session_id)).data == session.data

    async def sweep(memory: Memory) -> None:
        while not stop.is_set():
            admin.execute("update memory.session_memory set unused_parts = true")
            await memory.expire_sessions(BANK)

    async with await Memory.open(settings.model_copy(update={"pool_size": 8}), migrated=False) as other:
        sweeping = asyncio.create_task(sweep(bank))
        await asyncio.gather(*(write(other, f"s{n}", n) for n in range(4)))
        stop.set()
        await sweeping
    await bank.expire_sessions(BANK)
    assert unreachable(admin) == 0


async def test_a_known_part_that_is_swept_before_the_write_is_sent_again(
    bank: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader of a change finds a part that nothing reaches; it is gone when the change is written."""
    first, second = {"t": ["x" * 400]}, {"t": ["y" * 400]}
    await bank.create_session(BANK, "A", first, session_id="s1")
    await bank.update_session(BANK, "s1", 1, data=second)
    update, outcomes = Sessions.update, list[str]()

    async def late(self: Sessions, *arguments: Any) -> Written:
        if not outcomes:
            await bank.expire_sessions(BANK)
        written = await update(self, *arguments)
        outcomes.append(written.outcome)
        return written

    monkeypatch.setattr(Sessions, "update", late)
    async with await Memory.open(settings, migrated=False) as other:
        await other.update_session(BANK, "s1", 2, data=first)
    assert outcomes == ["missing", "updated"]
    assert (await bank.get_session(BANK, "s1")).data == first


async def test_a_delete_waits_for_a_writer_of_a_fork(bank: Memory, settings: Settings, admin: Admin) -> None:
    """The writer has found parts that only the deleted session reaches, and is not committed yet."""
    shared = {"t": ["x" * 400]}
    await bank.create_session(BANK, "A", shared, session_id="s1")
    await bank.fork_session(BANK, "s1", fork_id="s2")
    await bank.update_session(BANK, "s2", 1, data={"t": ["y" * 400]})
    started = asyncio.Event()
    deleted: list[asyncio.Task[None]] = []
    async with await Memory.open(settings, migrated=False) as other:

        async def write() -> None:
            await bank.update_session(BANK, "s2", 2, data=shared)
            deleted.append(outside_transaction(other.delete_session(BANK, "s1")))
            await until(lambda: waiting(admin, "delete_session"))
            started.set()

        await bank.store.database.in_transaction(write, bank=BANK)
        await deleted[0]
    assert started.is_set()
    assert (await bank.get_session(BANK, "s2")).data == shared
    assert unreachable(admin) == 0


def outside_transaction(call: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task for the call, which is not part of the transaction of this context."""
    return asyncio.get_running_loop().create_task(call, context=contextvars.Context())


def waiting(admin: Admin, function: str) -> bool:
    """Whether a call of this function waits for a lock."""
    query = f"select from pg_stat_activity where wait_event_type = 'Lock' and query like '%{function}%'"
    return bool(rows(admin, query))


async def test_banks_share_nothing(bank: Memory, admin: Admin) -> None:
    await bank.create_bank("bea")
    data = {"t": ["the same " * 60]}
    for one in (BANK, "bea"):
        await bank.create_session(one, "A", data, session_id="s1")
    checkpoint = await bank.create_checkpoint(BANK, "s1")
    for one in (BANK, "bea"):
        parts = admin.execute("select count(*) from memory.session_part where bank_id = %s", [one])
        assert parts.fetchone() == (2,)
    with pytest.raises(NotFound):
        await bank.restore_session("bea", "s1", checkpoint.checkpoint_id)
    with pytest.raises(NotFound):
        await bank.fork_session("bea", "s1", checkpoint_id=checkpoint.checkpoint_id)
    await bank.delete_session(BANK, "s1")
    assert (await bank.get_session("bea", "s1")).data == data
    with pytest.raises(NotFound, match="bank_id"):
        await bank.list_sessions("nobody")


async def test_no_secret_is_stored(bank: Memory, admin: Admin) -> None:
    token = "ghp_" + "aB3dE5" * 6
    session = await bank.create_session(BANK, f"use {token}", {"notes": [f"use {token}"], "password": "x1y2"})
    assert session.data == {"notes": ["use [redacted:github_token]"], "password": "[redacted:password]"}
    session = await bank.update_session(
        BANK, session.session_id, 1, data={"more": token}, append={"notes": [{"password": "hunter2"}]}
    )
    assert session.data == {
        "notes": ["use [redacted:github_token]", {"password": "[redacted:password]"}],
        "password": "[redacted:password]",
        "more": "[redacted:github_token]",
    }
    checkpoint = await bank.create_checkpoint(BANK, session.session_id, name=f"a {token}", note=f"b {token}")
    assert (checkpoint.name, checkpoint.note) == ("a [redacted:github_token]", "b [redacted:github_token]")
    restored = await bank.restore_session(BANK, session.session_id, checkpoint.checkpoint_id)
    assert restored.data == session.data
    for table in ("session_memory", "session_checkpoint", "session_part"):
        stored = json.dumps(rows(admin, f"select to_jsonb(t) from memory.{table} t"))
        assert "ghp_" not in stored
        assert "hunter2" not in stored
    with pytest.raises(InvalidInput, match="looks like a secret"):
        await bank.create_session(BANK, "A", session_id=token)


BAD: list[tuple[str, str, dict[str, Any]]] = [
    ("create_session", "session_id", {"state": "A", "session_id": "a b"}),
    ("create_session", "session_id", {"state": "A", "session_id": "x" * 129}),
    ("create_session", "state", {"state": ""}),
    ("create_session", "state", {"state": "a\nb"}),
    ("create_session", "state", {"state": "x" * 257}),
    ("create_session", "state", {"state": 1}),
    ("create_session", "data", {"state": "A", "data": [1]}),
    ("create_session", "data.a", {"state": "A", "data": {"a": "\0"}}),
    ("get_session", "session_id", {"session_id": "../s1"}),
    ("update_session", "version", {"session_id": "s1", "version": 0}),
    ("update_session", "version", {"session_id": "s1", "version": "1"}),
    ("update_session", "version", {"session_id": "s1", "version": 2**53}),
    ("update_session", "state", {"session_id": "s1", "version": 1, "state": "\t"}),
    ("update_session", "data.a[0]", {"session_id": "s1", "version": 1, "data": {"a": [float("inf")]}}),
    ("update_session", "append.a", {"session_id": "s1", "version": 1, "append": {"a": "x"}}),
    ("list_sessions", "limit", {"limit": 0}),
    ("list_sessions", "cursor", {"cursor": "x"}),
    ("create_checkpoint", "name", {"session_id": "s1", "name": "a\nb"}),
    ("create_checkpoint", "note", {"session_id": "s1", "note": "x" * 2_001}),
    ("list_checkpoints", "limit", {"session_id": "s1", "limit": 201}),
    ("list_checkpoints", "cursor", {"session_id": "s1", "cursor": "MA"}),
    ("fork_session", "session_id", {"session_id": "s1", "fork_id": "a/b"}),
    ("delete_session", "session_id", {"session_id": ""}),
]


@pytest.mark.parametrize(("method", "field", "arguments"), BAD)
async def test_bad_input_names_its_field(
    bank: Memory, admin: Admin, method: str, field: str, arguments: dict[str, Any]
) -> None:
    await bank.create_session(BANK, "A", {"n": 1}, session_id="s1")
    before = admin.execute("select s::text from memory.session_memory s").fetchall()
    with pytest.raises(InvalidInput) as refused:
        await getattr(bank, method)(BANK, **arguments)
    assert refused.value.field == field
    assert admin.execute("select s::text from memory.session_memory s").fetchall() == before


async def test_a_writer_that_is_killed_leaves_the_whole_or_nothing(
    bank: Memory, settings: Settings, admin: Admin
) -> None:
    """`kill -9` of processes that append and make a checkpoint in one transaction, again and again."""
    await bank.create_session(BANK, "A", {"log": []}, session_id="s1")
    assert settings.database_url is not None
    environment = os.environ | {
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "MEMORY_DATA_DIR": str(settings.data_dir),
    }
    for n in range(5):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.sessions.appending", BANK, "s1", stdout=PIPE, env=environment
        )
        assert process.stdout is not None
        async with asyncio.timeout(120):
            for _ in range(3 + n):
                assert await process.stdout.readline() == b"written\n"
        await asyncio.sleep(n / 500)
        process.kill()
        await process.wait()
        await until(lambda: not writing(admin))
        after = await bank.get_session(BANK, "s1")
        data: Any = after.data
        assert len(data["log"]) == after.version - 1
        checkpoints = (await bank.list_checkpoints(BANK, "s1", limit=200)).items
        assert [one.version for one in checkpoints] == list(range(after.version, 1, -1))
        await bank.expire_sessions(BANK)
        assert unreachable(admin) == 0
        assert (await bank.restore_session(BANK, "s1", checkpoints[0].checkpoint_id)).data == data
        await bank.create_checkpoint(BANK, "s1")
        await bank.update_session(BANK, "s1", after.version + 1, append={"log": [message(0)] * 2})
        await bank.create_checkpoint(BANK, "s1")


def writing(admin: Admin) -> bool:
    """Whether a transaction of another process is open."""
    query = "select from pg_stat_activity where xact_start is not null and usename = 'memory_service'"
    return bool(rows(admin, query))
