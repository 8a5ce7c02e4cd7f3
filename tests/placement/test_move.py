"""A bank moves between two real servers: complete, once, readable all the while, whatever dies."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.errors import BankElsewhere, Conflict, DatabaseUnavailable, InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.placement import connections
from memory_service.placement.move import move_bank
from memory_service.requests import NewMessage
from memory_service.store.bank_tables import BANK_TABLES
from memory_service.store.servers import HOME
from tests.conftest import Admin, at_work, until
from tests.db.steps import Connection
from tests.isolation.victim import fill
from tests.placement.conftest import SECOND, names_on

DIFFERENT = {
    "memory_event": ("xid",),
    "work": ("lease_token", "claimed_generation", "not_before"),
    "upkeep": ("lease_token", "claimed_generation", "not_before"),
}
MOVES = int(os.environ.get("MOVES", "4"))


def rows_of(admin: Admin, bank: str) -> dict[str, list[str]]:
    """All rows of a bank by table, without columns that differ by server."""
    found: dict[str, list[str]] = {}
    for table in BANK_TABLES:
        without = "".join(f" - '{column}'" for column in DIFFERENT.get(table, ()))
        query = f"select (to_jsonb(t){without})::text from memory.{table} t where t.bank_id = %s order by 1"
        rows = [str(row[0]) for row in admin.execute(query.encode(), (bank,)).fetchall()]
        if rows:
            found[table] = rows
    return found


def due_work(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    """Work items that a worker may claim, with the time from which on."""
    return admin.execute(
        "select kind, subject, not_before from memory.work "
        "where bank_id = %s and lease_token is null and not_before < now() + interval '1 year' order by 1, 2",
        (bank,),
    ).fetchall()


def fences(*admins: Admin) -> list[list[tuple[Any, ...]]]:
    return [
        one.execute("select bank, target, moved from memory.bank_fence order by 1").fetchall()
        for one in admins
    ]


async def moved(settings: Settings, bank: str, target: str) -> dict[str, int]:
    return (await asyncio.to_thread(move_bank, settings, bank, target, "ann")).rows


async def test_every_row_moves_and_comes_back(
    memory: Memory, two_servers: Settings, service: Connection, admin: Admin, second: Admin
) -> None:
    bank, other = names_on(memory, HOME, 2)
    for name, word in ((bank, "walnuts"), (other, "herons")):
        fill(service, name, word, conversation=f"{word}talk", client_id=f"{word}client", key=f"{word}key")
    before, others = rows_of(admin, bank), rows_of(admin, other)
    assert set(before) == set(BANK_TABLES)
    due = due_work(admin, bank)
    assert due
    secrets = [one.execute("select secret from memory.erasure_secret").fetchone() for one in (admin, second)]
    assert secrets[0] == secrets[1]  # of the hashes in erased_item
    listed = await memory.list_memories(bank)
    for target, there, here in ((SECOND, second, admin), (HOME, admin, second), (SECOND, second, admin)):
        copied = await moved(two_servers, bank, target)
        assert rows_of(there, bank) == before
        assert set(due_work(there, bank)) >= set(due)  # leases have ended
        assert rows_of(here, bank) == {}
        assert copied == {table: len(rows) for table, rows in before.items()}
        assert await memory.list_memories(bank) == listed
    assert rows_of(admin, other) == others
    assert fences(admin, second) == [[(bank, SECOND, True)], []]
    acts = admin.execute(
        "select details ->> 'to' from memory.audit_event where action = 'bank_moved' order by at"
    ).fetchall()
    assert [act[0] for act in acts] == [SECOND, HOME, SECOND]


async def test_numbers_go_on_above_those_of_the_bank(
    memory: Memory, two_servers: Settings, service: Connection, admin: Admin, second: Admin
) -> None:
    (bank,) = names_on(memory, HOME, 1)
    admin.execute("select setval('memory.memory_event_event_id_seq', 1000000)")
    second.execute("select setval('memory.model_call_call_id_seq', 5000000)")
    found = fill(service, bank, "walnuts")
    await moved(two_servers, bank, SECOND)
    changes = await memory.list_changes(bank)
    await memory.update(bank, found.active, tags=["later"])
    newer = await memory.list_changes(bank, cursor=changes.next_cursor)
    assert [change.memory_id for change in newer.items] == [found.active]
    newest = second.execute("select max(event_id) from memory.memory_event").fetchone()
    assert newest is not None
    assert int(str(newest[0])) > 1_000_000
    assert second.execute("select pg_sequence_last_value('memory.model_call_call_id_seq')").fetchone() == (
        5000000,
    )


async def test_a_cursor_of_an_earlier_stay_misses_no_event(
    memory: Memory, two_servers: Settings, service: Connection
) -> None:
    (bank,) = names_on(memory, HOME, 1)
    found = fill(service, bank, "walnuts")
    await memory.update(bank, found.active, tags=["first"])
    earlier = await memory.list_changes(bank)
    await moved(two_servers, bank, SECOND)
    with pytest.raises(InvalidInput):
        await memory.list_changes(bank, cursor=earlier.next_cursor)
    await memory.update(bank, found.active, tags=["elsewhere"])
    elsewhere = (await memory.list_changes(bank)).items[-1]
    await moved(two_servers, bank, HOME)
    read = (await memory.list_changes(bank, cursor=earlier.next_cursor)).items
    assert read[-1] == elsewhere
    assert [change.change_id for change in read][:-1] == [change.change_id for change in earlier.items]


async def test_a_map_that_is_older_than_a_move_is_mended(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin
) -> None:
    """As after a restore of the home server alone: a move to where the bank is."""
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    await memory.add_messages(bank, "c", [NewMessage("user", "I like figs.")])
    await moved(two_servers, bank, SECOND)
    before = rows_of(second, bank)
    admin.execute("delete from memory.bank_place")
    with pytest.raises(Conflict, match="finish that move"):
        await moved(two_servers, bank, HOME)
    assert await moved(two_servers, bank, SECOND) == {}
    assert (rows_of(admin, bank), rows_of(second, bank)) == ({}, before)
    assert (await memory.stats(bank))["messages"]["total"] == 1


async def test_a_bank_that_is_being_moved_is_read_and_writes_wait(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin
) -> None:
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    said = [NewMessage("user", "I like walnuts.", id="m1")]
    await memory.add_messages(bank, "c", said)
    admin.execute("insert into memory.bank_fence (bank, target) values (%s, 's2')", (bank,))
    assert (await memory.stats(bank))["messages"]["total"] == 1
    assert (await memory.recall(bank, "walnuts")).items == ()
    writes: list[asyncio.Task[Any]] = [
        asyncio.create_task(memory.add_messages(bank, "c", [NewMessage("user", "And figs.", id="m2")])),
        asyncio.create_task(memory.update_bank(bank, {"subject": "Anna"})),
        asyncio.create_task(memory.remember(bank, "Anna likes plums.")),
    ]
    done, _ = await asyncio.wait(writes, timeout=0.5)
    assert not done
    await moved(two_servers, bank, SECOND)
    await asyncio.gather(*writes)
    assert rows_of(admin, bank) == {}
    assert (await memory.stats(bank))["messages"]["total"] == 2
    assert second.execute("select count(*) from memory.message").fetchone() == (2,)


async def test_a_server_refuses_a_bank_that_was_moved(
    memory: Memory, settings: Settings, two_servers: Settings
) -> None:
    """A process with an old map, here one beside the home server alone, gets no empty answer."""
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    async with await Memory.open(settings, migrated=False) as old:
        servers, old.store.database.servers = old.store.database.servers, None
        await moved(two_servers, bank, SECOND)
        for call in (
            old.stats(bank), old.list_memories(bank), old.create_bank(bank), old.recall(bank, "walnuts"),
            old.add_messages(bank, "c", [NewMessage("user", "I like figs.")]), old.list_facts(bank),
            old.erase_bank(bank),
        ):  # fmt: skip
            with pytest.raises(BankElsewhere):
                await call
        old.store.database.servers = servers
        assert (await old.stats(bank))["messages"]["total"] == 0


async def test_a_long_transaction_ends_the_move(
    memory: Memory,
    two_servers: Settings,
    database_url: str,
    admin: Admin,
    second: Admin,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It could still write, so the bank is not copied, and accepts writes again."""
    monkeypatch.setattr(connections, "OPEN_SECONDS", 0.3)
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    await memory.add_messages(bank, "c", [NewMessage("user", "I like figs.")])
    waiting = admin.execute("select not_before from memory.work").fetchall()
    with psycopg.connect(database_url) as long:
        long.execute("select 1")
        with pytest.raises(DatabaseUnavailable, match="end it and try again"):
            await moved(two_servers, bank, SECOND)
    assert fences(admin, second) == [[], []]
    assert admin.execute("select not_before from memory.work").fetchall() == waiting
    await memory.add_messages(bank, "c", [NewMessage("user", "And plums.")])


async def test_moves_that_are_refused(
    memory: Memory, two_servers: Settings, second: Admin, admin: Admin
) -> None:
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    with pytest.raises(InvalidInput, match="no server s3"):
        await moved(two_servers, bank, "s3")
    for target in (HOME, SECOND):
        with pytest.raises(NotFound):
            await moved(two_servers, "nobody", target)
    assert await moved(two_servers, bank, HOME) == {}
    second.execute("select memory_api.register_embedding_model('m', 3)")
    second.execute("select memory_api.create_bank(%s, '{}', 'm')", (bank,))
    with pytest.raises(Conflict, match="has a bank of this name"):
        await moved(two_servers, bank, SECOND)
    assert fences(admin, second) == [[], []]


POINTS = {
    "before the fence": ("park", "before"),
    "parked": ("raise_sequences", "before"),
    "some tables copied": ("copy_table", "fifth"),
    "copied, not committed": ("copy_rows", "within"),
    "copied": ("switch", "before"),
    "switched": ("delete_former_rows", "before"),
    "refused": ("wait_for_transactions", "second"),
    "done": ("delete_former_rows", "after"),
}
DYING = """
import os, signal, sys
from memory_service.config import load_settings
from memory_service.placement import move
name, when, bank, target = sys.argv[1:]
calls, real = [], getattr(move, name)
def die(): os.kill(os.getpid(), signal.SIGKILL)
class Copy(move.Copy):
    def __setattr__(self, field, value):
        if field == "committing" and value: die()
        super().__setattr__(field, value)
def dying(*given):
    calls.append(name)
    if when == "before" or len(calls) == {"fifth": 5, "second": 2}.get(when): die()
    if when == "after": real(*given); die()
    return real(*given)
if when == "within": move.Copy = Copy
else: setattr(move, name, dying)
move.move_bank(load_settings(), bank, target, "ann")
"""


def environment(settings: Settings) -> dict[str, str]:
    assert settings.database_url is not None
    return {
        **os.environ,
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "MEMORY_DATA_DIR": str(settings.data_dir),
    }


@pytest.mark.parametrize("point", POINTS)
async def test_a_mover_killed_at_any_step(
    memory: Memory, two_servers: Settings, service: Connection, admin: Admin, second: Admin, point: str
) -> None:
    (bank,) = names_on(memory, HOME, 1)
    fill(service, bank, "walnuts")
    before, listed = rows_of(admin, bank), await memory.list_memories(bank)
    command = [sys.executable, "-c", DYING, *POINTS[point], bank, SECOND]
    died = await asyncio.to_thread(subprocess.run, command, env=environment(two_servers), check=False)
    assert died.returncode == -signal.SIGKILL
    assert await memory.list_memories(bank) == listed
    if point != "before the fence":
        assert due_work(admin, bank) == []
    if point in ("before the fence", "parked", "some tables copied", "copied, not committed"):
        await moved(two_servers, bank, HOME)  # undone
        assert fences(admin, second) == [[], []]
        assert rows_of(admin, bank) == before
        assert admin.execute(
            "select count(*) from memory.work where not_before > now() + interval '1 year'"
        ).fetchone() == (0,)
    elif point == "copied":
        with pytest.raises(Conflict, match="finish that move"):
            await moved(two_servers, bank, HOME)
    await moved(two_servers, bank, SECOND)
    assert (rows_of(admin, bank), rows_of(second, bank)) == ({}, before)
    assert await memory.list_memories(bank) == listed
    await memory.add_messages(bank, "c", [NewMessage("user", "I like figs.")])
    assert fences(admin, second) == [[(bank, SECOND, True)], []]


async def test_moves_under_writes_and_kills(
    memory: Memory,
    second_memory: Memory,
    settings: Settings,
    two_servers: Settings,
    admin: Admin,
    second: Admin,
) -> None:
    """Workers beside both servers, a writer and a reader; movers are real processes, most of which are killed."""
    chance = random.Random(19)
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    stop, reads, refused = asyncio.Event(), [0], [0]
    acknowledged: list[str] = []

    async def write() -> None:
        while not stop.is_set():
            name = f"m{len(acknowledged)}"
            try:
                await memory.add_messages(
                    bank, "c", [NewMessage("user", f"Please remember that I own book {name}.", id=name)]
                )
                acknowledged.append(name)
            except DatabaseUnavailable:
                refused[0] += 1
            await asyncio.sleep(0.02)

    async def read() -> None:
        while not stop.is_set():
            stats, facts = await memory.stats(bank), await memory.list_facts(bank)
            assert stats["messages"]["total"] >= 0
            assert facts is not None
            reads[0] += 1
            await asyncio.sleep(0.01)

    async with (
        await Memory.open(settings, migrated=False) as home_worker,
        at_work(home_worker, second_memory),
    ):
        running = [asyncio.create_task(write()), asyncio.create_task(read())]
        killed = 0
        for number in range(MOVES):
            target = (SECOND, HOME)[number % 2]
            while True:
                command = [
                    sys.executable,
                    "-m",
                    "memory_service",
                    "move-bank",
                    bank,
                    "--to",
                    target,
                    "--json",
                ]
                mover = await asyncio.create_subprocess_exec(
                    *command, env=environment(two_servers), stdout=subprocess.PIPE, stderr=subprocess.PIPE
                )
                killer = None
                if chance.random() < 0.7:
                    killer = asyncio.get_running_loop().call_later(chance.uniform(0.4, 2.5), end, mover)
                out, err = await mover.communicate()
                if killer is not None:
                    killer.cancel()
                if mover.returncode == 0:
                    assert json.loads(out)["target"] == target
                    break
                assert mover.returncode == -signal.SIGKILL, err.decode()
                killed += 1
            for one in running:
                if one.done():
                    one.result()
        stop.set()
        await asyncio.gather(*running)
        owner, former = ((second, admin), (admin, second))[(MOVES - 1) % 2 == 1]

        async def settled() -> bool:
            stats = await memory.stats(bank)
            return not (stats["messages"]["pending"] or stats["queue"]["depth"])

        await until(settled, seconds=120)
    print(
        f"{MOVES} moves, {killed} movers killed, {len(acknowledged)} messages, {reads[0]} reads, {refused[0]} refused"
    )
    stored = [
        str(row[0])
        for row in owner.execute("select client_id from memory.message order by position").fetchall()
    ]
    assert sorted(set(stored)) == sorted(stored)
    assert [name for name in stored if name in set(acknowledged)] == acknowledged
    assert rows_of(former, bank) == {}
    stats = await memory.stats(bank)
    assert stats["messages"]["failed"] == stats["queue"]["dead"] == 0
    decided = owner.execute("select count(*) from memory.message where status = 'pending'").fetchone()
    assert decided == (0,)
    assert reads[0] > 0


def end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
