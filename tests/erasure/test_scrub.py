"""Scrubbing: after it no file of the server contains erased text."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from memory_service import Memory
from memory_service.config import Settings
from memory_service.embedded.account import choose_account
from memory_service.embedded.binaries import binaries_for, find_binaries
from memory_service.embedded.cluster import INITIAL_SETTINGS, LOCALE
from memory_service.erasure.scrub import ScrubFailed, check_rights, rewrite, rewrite_tables, scrub
from memory_service.errors import DatabaseUnsuitable
from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import Report
from memory_service.jobs.runner import FAILED, NightlyRun, RunOptions
from tests import own_server
from tests.acceptance.running import run_command
from tests.conftest import OLDEST_POSTGRES, Admin, empty_database
from tests.db.postgres16 import Programs, running_oldest
from tests.erasure.carrier import NONCE, carry
from tests.erasure.scan import files_with

BANK = "b"


@pytest.fixture(scope="module")
def running() -> Iterator[str]:
    """A superuser's URL of a server of this module's own, of which all files are searched."""
    if OLDEST_POSTGRES:
        with own_server.reachable_folder() as folder, running_oldest(Programs(folder)) as url:
            yield url
        return
    programs = binaries_for(choose_account(Path("/unmade"))).folder
    with own_server.running(
        programs, locale=LOCALE, settings=[f"{name}={value}" for name, value in INITIAL_SETTINGS.items()]
    ) as url:
        yield url


@pytest.fixture(scope="module")
def data(running: str) -> Path:
    """The data folder of the server."""
    return Path(str(conninfo_to_dict(running)["host"])) / "data"


@pytest.fixture
def database_url(running: str) -> Iterator[str]:
    with empty_database(running) as url:
        yield url


@pytest.fixture
async def memory(settings: Settings) -> AsyncIterator[Memory]:
    async with await Memory.open(settings) as opened:
        yield opened


def dumped(url: str, *options: str) -> bytes:
    command = [str(find_binaries().folder / "pg_dump"), f"--dbname={url}", *options]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.lower()


async def test_no_file_holds_what_was_scrubbed(
    memory: Memory, settings: Settings, admin: Admin, database_url: str, data: Path
) -> None:
    await carry(memory, admin)
    admin.execute("analyze")
    assert NONCE.lower().encode() in dumped(database_url, "--statistics")
    receipt = await memory.erase(BANK, conversation_id="one")
    assert receipt.status == "unreachable"

    # Control: without a scrub the deleted rows are still in the files.
    for statement in ("vacuum", "checkpoint"):
        admin.execute(statement.encode())
    found = files_with(data, NONCE)
    assert {Path(name).parts[0] for name in found} == {"base", "pg_wal"}
    assert NONCE.lower().encode() in dumped(database_url, "--statistics")

    done = await asyncio.to_thread(scrub, settings)
    assert done.erasure_ids == (receipt.erasure_id,)
    assert done.tables > 40
    assert files_with(data, NONCE) == []
    for options in ((), ("--statistics",)):
        assert NONCE.lower().encode() not in dumped(database_url, *options)
    (listed,) = (await memory.list_erasures(BANK)).items
    assert (listed.status, listed.scrubbed_at) == ("scrubbed", done.scrubbed_at)
    assert (await memory.erase(BANK, conversation_id="one")) == listed

    again = await asyncio.to_thread(scrub, settings)
    assert (again.erasure_ids, again.tables) == ((), 0)


async def test_statistics_of_an_emptied_table_are_removed(
    memory: Memory, settings: Settings, admin: Admin, database_url: str
) -> None:
    """ANALYZE keeps the statistics of a table without rows."""
    await carry(memory, admin)
    admin.execute("analyze")
    for bank in (BANK, "never"):
        await memory.erase_bank(bank)
    admin.execute("analyze")
    assert NONCE.lower().encode() in dumped(database_url, "--statistics")
    await asyncio.to_thread(scrub, settings)
    assert NONCE.lower().encode() not in dumped(database_url, "--statistics")


async def test_a_snapshot_that_sees_erased_rows_is_waited_for_then_named(
    memory: Memory, settings: Settings, admin: Admin, database_url: str, data: Path
) -> None:
    await carry(memory, admin)
    with psycopg.connect(database_url, application_name="long read") as reader:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("select 1")
        receipt = await memory.erase(BANK, conversation_id="one")
        with pytest.raises(ScrubFailed, match="long read"):
            await asyncio.to_thread(scrub, settings, 0.5)
        (listed,) = (await memory.list_erasures(BANK)).items
        assert listed == receipt
        waiting = asyncio.create_task(asyncio.to_thread(scrub, settings))
        await asyncio.sleep(0.5)
        assert not waiting.done()
        reader.rollback()
        assert (await waiting).erasure_ids == (receipt.erasure_id,)
    assert files_with(data, NONCE) == []


async def test_wal_that_a_replication_slot_keeps_is_reported(
    memory: Memory, settings: Settings, admin: Admin, data: Path
) -> None:
    await carry(memory, admin)
    admin.execute("select pg_create_physical_replication_slot('standby', true)")
    await memory.erase(BANK, conversation_id="one")
    with pytest.raises(ScrubFailed, match="replication slot standby"):
        await asyncio.to_thread(scrub, settings, 0.5)
    (listed,) = (await memory.list_erasures(BANK)).items
    assert listed.status == "unreachable"
    admin.execute("select pg_drop_replication_slot('standby')")
    await asyncio.to_thread(scrub, settings)
    assert files_with(data, NONCE) == []


async def test_one_scrub_runs_at_a_time(memory: Memory, settings: Settings, admin: Admin) -> None:
    await memory.create_bank(BANK)
    await memory.erase_bank(BANK)
    admin.execute("select pg_advisory_lock(hashtext('memory.scrub'))")
    with pytest.raises(ScrubFailed, match="Another process"):
        await asyncio.to_thread(scrub, settings)
    admin.execute("select pg_advisory_unlock_all()")
    assert (await asyncio.to_thread(scrub, settings)).erasure_ids


async def test_reads_and_writes_go_on_beside_a_scrub(
    memory: Memory, settings: Settings, admin: Admin
) -> None:
    await carry(memory, admin)
    await memory.erase(BANK, conversation_id="one")
    working = asyncio.create_task(asyncio.to_thread(scrub, settings))
    calls = 0
    while not working.done():
        await memory.remember(BANK, f"Line {calls} of a long list.")
        assert (await memory.recall(BANK, "another conversation", mode="tool")).items
        calls += 1
    assert (await working).erasure_ids
    assert calls > 3


async def test_the_next_night_scrubs(
    memory: Memory, settings: Settings, database_url: str, data: Path
) -> None:
    for bank in (BANK, "other"):
        await memory.create_bank(bank)
    await memory.remember(BANK, f"A {NONCE}.")
    receipt = await memory.erase_bank(BANK)
    environment = {**os.environ, "DATABASE_URL": database_url, "MEMORY_DATA_DIR": str(settings.data_dir)}
    for scrubs, level in (("false", "unreachable"), ("true", "scrubbed")):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "memory_service.jobs.nightly",
            env={**environment, "MEMORY_NIGHTLY_SCRUB": scrubs}, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        assert await process.wait() == 0
        (listed,) = (await memory.list_erasures(BANK)).items
        assert (listed.erasure_id, listed.status) == (receipt.erasure_id, level)
        assert (files_with(data, NONCE) == []) is (level == "scrubbed")
    last, former = (await memory.list_nights()).items
    (scrubbed,) = [one for one in last.passes if one.name == "scrub"]
    assert (scrubbed.counts["scrubbed"], scrubbed.failed) == (1, 0)
    assert "scrub" not in {one.name for one in former.passes}


async def test_a_scrub_that_fails_at_night_is_recorded(
    memory: Memory, settings: Settings, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memory.create_bank(BANK)
    await memory.create_bank("other")
    await memory.erase_bank(BANK)
    monkeypatch.setattr("memory_service.jobs.scrub.WAIT_SECONDS", 0.2)
    night = NightlyRun(memory, PASSES[-1:], RunOptions(datetime.now(UTC)), Report(), scrubbed=settings)
    with psycopg.connect(database_url, application_name="long read") as reader:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("select 1")
        assert await night.run() == FAILED
    (last,) = (await memory.list_nights()).items
    passes = {one.name: one for one in last.passes}
    assert passes["vector_index"].banks == 1
    assert passes["scrub"].failed == 1
    assert "long read" in passes["scrub"].errors[0]


async def test_the_service_may_not_mark_an_erasure(memory: Memory) -> None:
    for statement in (
        "select memory_internal.finish_scrub('{}', '{}', now())",
        "update memory.erasure set status = 'scrubbed'",
        "insert into memory.erased_item select 'b', gen_random_uuid(), 'memory', sha256('x')",
    ):
        with pytest.raises(Exception, match="permission denied"):
            await memory.store.database.query_value(statement)


def test_commands(data: Path, database_url: str) -> None:
    environment = {
        "MEMORY_DATA_DIR": str(data),
        "COLUMNS": "80",
        "MEMORY_OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }
    code, _, error = run_command(environment, ["remember", "--create", f"A {NONCE}.", "--bank", BANK])
    assert code == 0, error
    code, _, error = run_command(environment, ["erase", "bank", "--bank", BANK, "--scrub"])
    assert (code, "--scrub: needs --yes" in error) == (2, True)
    code, answer, error = run_command(environment, ["erase", "bank", "--bank", BANK, "--yes", "--scrub"])
    assert code == 0, error
    year = datetime.now(UTC).year
    assert f": scrubbed since {year}" in answer
    assert "backups: " in answer
    assert "model provider: text was sent to http://127.0.0.1:9/v1" in answer
    assert files_with(data, NONCE) == []
    code, answer, error = run_command(environment, ["scrub"])
    assert code == 0, error
    assert "No erasure waits for a scrub." in answer
    code, answer, error = run_command(environment, ["scrub", "--json"])
    assert code == 0, error
    assert '"erasure_ids": []' in answer


def test_a_login_without_the_rights_is_refused(memory: Memory, admin: Admin, database_url: str) -> None:
    name = admin.info.dbname
    admin.execute("create role keeper login createrole")
    try:
        with psycopg.connect(database_url, user="keeper", autocommit=True) as connection:
            with pytest.raises(DatabaseUnsuitable, match="pg_checkpoint, execute on function pg_switch_wal"):
                check_rights(connection)
            admin.execute("grant pg_monitor, pg_checkpoint to keeper")
            admin.execute("grant execute on function pg_switch_wal() to keeper")
            check_rights(connection)
            with pytest.raises(DatabaseUnsuitable, match=r"may vacuum pg_catalog\.pg_statistic"):
                rewrite(connection, "pg_catalog.pg_statistic", "full", 1)
            admin.execute("grant memory_owner to keeper")
            admin.execute(f"alter database {name} owner to keeper".encode())
            assert rewrite_tables(connection, 60) > 40
    finally:
        admin.execute(f"alter database {name} owner to postgres".encode())
        admin.execute("drop owned by keeper")
        admin.execute("drop role keeper")
