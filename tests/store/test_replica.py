"""Reads from a streaming replica include all earlier writes, in any state of the replica."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
import uuid
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr
from structlog.testing import capture_logs

from memory_service.config import Settings
from memory_service.connect import find_database
from memory_service.db.migrate import migrate
from memory_service.doctor import examine
from memory_service.errors import DatabaseUnsuitable, InvalidInput
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN
from memory_service.requests import NewMessage
from memory_service.store.database import Database
from memory_service.store.replica import READS, Replica
from memory_service.store.write_marks import WriteMarks, slot_of
from tests.conftest import Admin, at_work, libpq_url, settle, until
from tests.support.replica import Standby, primary_and_standby
from tests.support.second_model import second_model
from tests.support.shared_app import bearer, own_client


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, Standby]]:
    with primary_and_standby() as (url, standby):
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute("create database migrated")
        migrate(libpq_url(url, "migrated"), release="test")
        yield url, standby


@pytest.fixture
def standby(servers: tuple[str, Standby]) -> Iterator[Standby]:
    standby = servers[1]
    yield standby
    if standby.process.poll() is not None:
        standby.start()
    standby.resume()


@pytest.fixture
def database_url(servers: tuple[str, Standby], standby: Standby) -> Iterator[str]:
    """An administrator's URL of a fresh database on the primary, which is on the replica, too."""
    url = servers[0]
    name = f"test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(f'create database "{name}" template migrated'.encode())
        ((position,),) = admin.execute("select pg_current_wal_flush_lsn()::text").fetchall()
        while standby.ask(f"select pg_last_wal_replay_lsn() >= '{position}'::pg_lsn") != [(True,)]:
            pass
        yield libpq_url(url, name)
        admin.execute(f'drop database "{name}" with (force)'.encode())


@pytest.fixture
def settings(settings: Settings, database_url: str, standby: Standby) -> Settings:
    changes = {"database_read_url": SecretStr(standby.url_of(database_url)), "replica_lag_seconds": 3600.0}
    return settings.model_copy(update=changes)


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Memory]:
    """Another process's Memory on the same machine."""
    async with await Memory.open(settings, migrated=False) as memory:
        yield memory


class Reads:
    """What the replica was asked since."""

    def __init__(self) -> None:
        self.answered: list[str] = []
        self.failed: list[str] = []

    @property
    def functions(self) -> set[str]:
        return {name for name in READS if any(f" {name}(" in text for text in self.answered)}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    noted, run = Reads(), Database._run  # pyright: ignore[reportPrivateUsage]

    async def noting(database: Database, method: str, statement: str, values: Any, **options: Any) -> Any:
        read = any(f" {name}(" in statement for name in READS)
        if not (database._standby and read):  # pyright: ignore[reportPrivateUsage]
            return await run(database, method, statement, values, **options)
        noted.failed.append(statement)
        found = await run(database, method, statement, values, **options)
        noted.failed.pop()
        noted.answered.append(statement)
        return found

    monkeypatch.setattr(Database, "_run", noting)
    return noted


async def read_by_replica(memory: Memory, reads: Reads, bank: str = "anna") -> None:
    """Wait until the replica answers the reads of this bank."""

    async def answered() -> bool:
        reads.answered.clear()
        await memory.list_memories(bank)
        return bool(reads.answered)

    await until(answered)
    reads.answered.clear()


async def filled(memory: Memory, bank: str = "anna") -> dict[str, str]:
    """A bank with one of everything that a read returns; ids for paths."""
    await memory.create_bank(bank)
    told = NewMessage(
        "user", "Please remember that my sister Maria lives in Lisbon and is allergic to walnuts."
    )
    await memory.add_messages(bank, "c", [told])
    episode = await memory.remember(bank, "Anna keeps walnuts in the cellar.", tags=["cellar"])
    for place in ("Porto", "Lisbon"):
        fact = await memory.remember(bank, f"The user lives in {place}.", type="semantic")
        await settle(memory, bank)
    return {"bank_id": bank, "memory_id": str(episode.memory_id), "fact_id": str(fact.memory_id)}


ROUTES: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("POST", "recall", {"query": "walnuts"}),
    ("POST", "context", {"message": "Where do I live?", "conversation_id": "c"}),
    ("POST", "compact", {"recipient": "Maria", "purpose": "a letter"}),
    ("GET", "memories", None),
    ("GET", "memories?order=importance&limit=1", None),
    ("GET", "memories/{memory_id}", None),
    ("GET", "facts", None),
    ("GET", "facts/{fact_id}", None),
    ("GET", "facts/{fact_id}/history", None),
    ("GET", "clarifications", None),
    ("GET", "decisions", None),
    ("GET", "changes", None),
    ("GET", "stats", None),
    ("GET", "/ui/banks/anna/timeline.json", None),
    ("GET", "/ui/banks/anna/map.json", None),
)
VOLATILE = ("trace_id", "access_count")
"""Fields that differ between two calls; so do scores, by the time between them."""


def comparable(answer: httpx.Response) -> Any:
    def stable(fields: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in fields.items() if name not in VOLATILE}

    return json.loads(answer.text, object_hook=stable, parse_float=lambda _: "a number")


@pytest.mark.parametrize("role", ["admin", "read"])
async def test_each_read_answers_as_the_primary(
    memory: Memory, settings: Settings, reads: Reads, role: Any
) -> None:
    """A standby refuses what writes or locks; none of these calls falls back to the primary."""
    ids = await filled(memory)
    key = bearer(await memory.create_key(role, ["*"]))
    alone = settings.model_copy(update={"database_read_url": None})
    async with (
        await Memory.open(alone, migrated=False) as primary,
        own_client(memory) as http,
        own_client(primary) as expected,
    ):
        await read_by_replica(memory, reads)
        answered: set[str] = set()
        for method, path, body in ROUTES:
            await read_by_replica(memory, reads)
            url = path if path.startswith("/") else "/v1/banks/anna/" + path.format(**ids)
            there = await http.request(method, url, json=body, headers=key)
            here = await expected.request(method, url, json=body, headers=key)
            assert there.status_code == here.status_code == 200, there.text
            assert comparable(there) == comparable(here), path
            answered |= reads.functions
    assert reads.failed == []
    assert answered == READS


async def test_a_commit_is_found_before_the_replica_has_it(
    memory: Memory, standby: Standby, reads: Reads
) -> None:
    """Its bank is read from the primary until then, another bank from the replica."""
    await memory.create_bank("anna")
    await memory.create_bank("bo")
    await memory.remember("bo", "Bo rows.")
    await settle(memory, "bo")
    await read_by_replica(memory, reads)
    await read_by_replica(memory, reads, "bo")
    standby.pause()
    async with at_work(memory):
        committed = await memory.remember("anna", "Anna keeps walnuts in the cellar.", wait_ms=30_000)
    assert committed.status == "active"
    found = await memory.recall("anna", "walnuts")
    assert [item.memory_id for item in found.items] == [committed.memory_id]
    assert [item.memory_id for item in (await memory.list_memories("anna")).items] == [committed.memory_id]
    assert reads.answered == []
    assert len((await memory.recall("bo", "rows")).items) == 1
    assert "memory_api.recall_candidates" in reads.functions
    standby.resume()
    await read_by_replica(memory, reads)
    assert [item.memory_id for item in (await memory.recall("anna", "walnuts")).items] == [
        committed.memory_id
    ]
    assert reads.answered != []


async def test_a_write_by_another_process_of_this_machine_is_found(
    memory: Memory, other: Memory, standby: Standby, reads: Reads
) -> None:
    await memory.create_bank("anna")
    await read_by_replica(memory, reads)
    standby.pause()
    async with at_work(other):
        committed = await other.remember("anna", "Anna keeps walnuts.", wait_ms=30_000)
        assert committed.status == "active"
    assert [item.memory_id for item in (await memory.recall("anna", "walnuts")).items] == [
        committed.memory_id
    ]
    assert reads.answered == []


async def test_nothing_acknowledged_is_missing_while_the_replica_replays(
    memory: Memory, other: Memory, reads: Reads
) -> None:
    """Writes and reads by two processes, with pauses in which the replica takes the reads over."""
    await memory.create_bank("anna")
    await read_by_replica(memory, reads)
    await read_by_replica(other, reads)
    for n in range(60):
        writer, reader = (memory, other) if n % 2 else (other, memory)
        await writer.remember("anna", f"Thing number {n}.")
        for one in (reader, writer):
            assert len((await one.list_memories("anna", limit=100)).items) == n + 1
        for _ in range(n % 4):
            await asyncio.sleep(0.1)
            assert len((await reader.list_memories("anna", limit=100)).items) == n + 1
    assert reads.answered != []


async def test_a_write_during_a_comparison_is_not_taken_for_replayed(
    memory: Memory, standby: Standby, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memory.create_bank("anna")
    await read_by_replica(memory, reads)
    standby.pause()
    entered, go = asyncio.Event(), asyncio.Event()
    compare = Replica._has_replayed  # pyright: ignore[reportPrivateUsage]

    async def late(replica: Replica, database: Database, position: str) -> bool:
        entered.set()
        await go.wait()
        return await compare(replica, database, position)

    monkeypatch.setattr(Replica, "_has_replayed", late)
    await entered.wait()
    await memory.remember("anna", "Anna sings.")
    go.set()
    for _ in range(10):
        assert len((await memory.list_memories("anna")).items) == 1
        await asyncio.sleep(0.05)


async def test_what_another_machine_wrote_is_seen_once_replayed(
    memory: Memory, settings: Settings, standby: Standby, reads: Reads, tmp_path: Path
) -> None:
    """Its process has another data folder. A read that saw it on the primary is not followed by one without it."""
    await memory.create_bank("anna")
    await read_by_replica(memory, reads)
    standby.pause()
    async with await Memory.open(settings.model_copy(update={"data_dir": tmp_path}), migrated=False) as far:
        committed = await far.remember("anna", "Anna keeps walnuts.")
        assert (await memory.list_memories("anna")).items == ()
        assert (await memory.get_memory("anna", committed.memory_id)).content == "Anna keeps walnuts."
        assert len((await memory.list_memories("anna")).items) == 1
    standby.resume()
    await read_by_replica(memory, reads)
    assert len((await memory.list_memories("anna")).items) == 1


async def test_a_bank_switched_to_another_model_elsewhere_is_read_at_once(
    settings: Settings, standby: Standby, reads: Reads, tmp_path: Path, session_dir: Path
) -> None:
    """The replica still has the former model; the bank is read from the primary, which has the new one."""
    settings = settings.model_copy(
        update={"embedding_model": BUILT_IN, "local_model_dir": second_model(session_dir)}
    )
    async with (
        await Memory.open(settings, migrated=False) as near,
        await Memory.open(settings.model_copy(update={"data_dir": tmp_path}), migrated=False) as far,
    ):
        await filled(near)
        await read_by_replica(near, reads)
        standby.pause()
        model = far.models.embedder("local").name
        assert await far.reembed("anna", model, share=1) == "switched"
        near.forget_cached_bank("anna")
        found = await near.recall("anna", "walnuts in the cellar", by=["meaning"])
        assert reads.failed
        assert found.items[0].content == "Anna keeps walnuts in the cellar."
        await near.flush()
        assert (await near.get_trace("anna", found.trace_id)).embedding_model == model


async def test_a_write_in_a_transaction_marks_its_bank_at_the_commit(
    memory: Memory, standby: Standby, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mark before it would be out of date when the commit comes late."""
    await memory.create_bank("anna")
    await read_by_replica(memory, reads)
    marked: list[str] = []

    def note(_: WriteMarks, bank: str) -> None:
        marked.append(bank)

    monkeypatch.setattr(WriteMarks, "set", note)

    async def write() -> None:
        await memory.add_messages("anna", "c", [NewMessage("user", "A line.")])
        assert marked == []

    await memory.store.database.in_transaction(write)
    assert set(marked) == {"anna"}


async def test_recalls_leave_the_bank_to_the_replica(memory: Memory, reads: Reads, admin: Admin) -> None:
    """Traces and access counts are written to the primary and mark nothing."""
    await filled(memory)
    await read_by_replica(memory, reads)
    for _ in range(3):
        found = await memory.recall("anna", "walnuts")
        await memory.flush()
        assert await memory.get_trace("anna", found.trace_id)
    assert sum("recall_candidates" in text for text in reads.answered) == 3
    assert admin.execute("select count(*) from memory.retrieval_trace").fetchone() == (3,)
    query = "select max(access_count) from memory.episodic_memory"
    assert admin.execute(query).fetchone() == (3,)


async def test_a_replica_that_lags_is_not_used(
    settings: Settings, standby: Standby, reads: Reads, other: Memory
) -> None:
    short = settings.model_copy(update={"replica_lag_seconds": 1.0})
    async with await Memory.open(short, migrated=False) as memory:
        await memory.create_bank("anna")
        await memory.create_bank("bo")
        await read_by_replica(memory, reads)
        with capture_logs() as logs:
            standby.pause()
            await memory.remember("bo", "Bo rows.")  # something to replay
            await until(lambda: "it lags behind the primary" in [entry.get("reason") for entry in logs])
            reads.answered.clear()
            assert (await memory.list_memories("anna")).items == ()
            assert reads.answered == []
        standby.resume()
        await read_by_replica(memory, reads)


@pytest.mark.parametrize("how", ["killed", "hung"])
async def test_without_the_replica_the_primary_answers(
    memory: Memory, standby: Standby, reads: Reads, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("memory_service.store.replica.ANSWER_SECONDS", 0.5)
    monkeypatch.setattr("memory_service.store.replica.RETRY_SECONDS", 0.1)
    await filled(memory)
    await read_by_replica(memory, reads)
    with broken(standby, how):
        answers = await asyncio.gather(*(memory.recall("anna", "walnuts") for _ in range(8)))
        assert all(len(answer.items) > 0 for answer in answers)
        assert not any("recall_candidates" in text for text in reads.answered)
        await until(lambda: not replica_of(memory).serves("memory_api.list_memories", "anna"))
        failed = len(reads.failed)
        assert len((await memory.list_memories("anna")).items) > 0
        assert len(reads.failed) == failed
    await read_by_replica(memory, reads)


@contextmanager
def broken(standby: Standby, how: str) -> Generator[None]:
    if how == "killed":
        standby.process.kill()
        standby.process.wait()
        yield
        standby.start()
    else:
        stopped = [
            pid
            for (pid,) in standby.ask(
                "select pid from pg_stat_activity where backend_type = 'client backend'"
            )
        ]
        with frozen([standby.process.pid, *stopped]):
            yield


@contextmanager
def frozen(pids: list[int]) -> Generator[None]:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def replica_of(memory: Memory) -> Replica:
    replica = memory.store.database.replica
    assert replica is not None
    return replica


async def test_a_process_of_a_former_release_reads_neither(memory: Memory, reads: Reads) -> None:
    await memory.create_bank("anna")
    await read_by_replica(memory, reads)
    memory.store.database.refuse("migrated by another release")
    with pytest.raises(DatabaseUnsuitable, match="another release"):
        await memory.list_memories("anna")


async def test_both_servers_may_be_behind_a_pooler(settings: Settings, reads: Reads) -> None:
    pooled = settings.model_copy(update={"pooler": "transaction"})
    async with await Memory.open(pooled, migrated=False) as memory:
        assert memory.store.database.pooled
        await memory.create_bank("anna")
        await read_by_replica(memory, reads)


async def test_a_service_starts_without_its_replica(
    settings: Settings, standby: Standby, reads: Reads
) -> None:
    standby.stop()
    async with await Memory.open(settings, migrated=False) as memory:
        await memory.create_bank("anna")
        assert (await memory.list_memories("anna")).items == ()
        standby.start()
        await read_by_replica(memory, reads)


async def test_only_a_standby_of_the_primary_is_read(
    settings: Settings, database_url: str, server_url: str, template: str, standby: Standby, reads: Reads
) -> None:
    superuser = make_conninfo(standby.url_of(database_url), user="root_of_all")
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute("create role root_of_all superuser login")
        ((position,),) = admin.execute("select pg_current_wal_flush_lsn()::text").fetchall()
    while standby.ask(f"select pg_last_wal_replay_lsn() >= '{position}'::pg_lsn") != [(True,)]:
        pass
    for url, reason in (
        (database_url, "no standby"),
        (libpq_url(server_url, template), "standby of another server"),
        (superuser, "row security"),
    ):
        wrong = settings.model_copy(update={"database_read_url": SecretStr(url)})
        with capture_logs() as logs:
            async with await Memory.open(wrong, migrated=False) as memory:
                await memory.create_bank("anna")
                await memory.list_memories("anna")
                await until(lambda logs=logs: [entry for entry in logs if entry.get("reason")])
                await memory.list_memories("anna")
        assert reason in " ".join(str(entry.get("reason")) for entry in logs), logs
    assert reads.answered == []
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute("drop role root_of_all")


async def test_without_the_setting_nothing_is_followed(memory: Memory, settings: Settings) -> None:
    alone = settings.model_copy(update={"database_read_url": None})
    async with await Memory.open(alone, migrated=False) as plain:
        assert plain.store.database.replica is None
    unused = settings.model_copy(update={"database_url": None})
    with pytest.raises(InvalidInput, match="DATABASE_READ_URL: is set without DATABASE_URL"):
        find_database(unused)
    nightly = await Memory.open(settings, migrated=False, upkeep=True)
    assert not replica_of(nightly).serves("memory_api.list_memories", "anna")
    await nightly.aclose()


def test_marks_are_shared_by_the_processes_of_a_machine(tmp_path: Path) -> None:
    one, two = WriteMarks(tmp_path), WriteMarks(tmp_path)
    before = time.monotonic()
    assert two.is_before("anna", before)
    one.set("anna")
    after = time.monotonic()
    assert not two.is_before("anna", before)
    assert two.is_before("anna", after + 1)
    assert two.is_before("bo", before)
    one._times[slot_of("anna")] = after + 1e6  # pyright: ignore[reportPrivateUsage] - as of before a restart
    assert two.is_before("anna", after + 1)


async def test_doctor_reports_the_lag(
    settings: Settings, standby: Standby, memory: Memory, database_url: str
) -> None:
    async def finding() -> Any:
        found = {one.check: one for one in await asyncio.to_thread(examine, settings)}
        return found["replica"]

    await memory.create_bank("anna")
    healthy = await finding()
    assert healthy.level == "ok", healthy
    standby.pause()
    await memory.remember("anna", "Anna sings.")
    lagging = await finding()
    assert (lagging.level, "behind" in lagging.text) == ("warning", True)
    assert lagging.remedy
    standby.resume()
    primary = settings.model_copy(update={"database_read_url": SecretStr(database_url)})
    (wrong,) = [one for one in await asyncio.to_thread(examine, primary) if one.check == "replica"]
    assert (wrong.level, "no standby" in wrong.text) == ("warning", True)
    standby.stop()
    down = await finding()
    assert down.level == "warning"
    assert "DATABASE_READ_URL" in down.text
    assert down.remedy
