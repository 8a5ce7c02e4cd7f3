"""Restored backups: erasures from after the backup are repeated before the service answers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from psycopg.types.json import Jsonb
from pydantic import SecretStr
from sqlalchemy import create_engine

from memory_service import LedgerUnavailable, Memory, NewMessage
from memory_service.backup import create_backup, restore_backup
from memory_service.config import Settings
from memory_service.erasure.replay import replay_ledger
from memory_service.errors import DatabaseUnsuitable
from memory_service.results import Erasure
from tests.acceptance.running import run_command
from tests.conftest import Admin, empty_database, settle
from tests.erasure.carrier import CARRIED, NONCE, START, Carrier, carry
from tests.erasure.scan import files_with, rows_of, tables_with
from tests.erasure.test_scrub import dumped
from tests.support.scripted import ScriptedEmbedder, script

BANK = "b"


@pytest.fixture
def target(server_url: str, settings: Settings) -> Iterator[Settings]:
    """Settings with an empty database of the same server."""
    with empty_database(server_url) as url:
        yield settings.model_copy(update={"database_url": SecretStr(url)})


def url_of(settings: Settings) -> str:
    assert settings.database_url
    return settings.database_url.get_secret_value()


def ledger_of(settings: Settings) -> Path:
    assert settings.erasure_ledger
    (file,) = settings.erasure_ledger.iterdir()
    return file


async def backed_up(settings: Settings, tmp_path: Path) -> Path:
    await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    return tmp_path / "backup"


def has_begun(connection: psycopg.Connection[tuple[object, ...]]) -> bool:
    """Whether a restore keeps the service out of the database."""
    row = connection.execute("select to_regnamespace('memory_restore') is not null").fetchone()
    return row == (True,)


async def erase_memory(memory: Memory, episode: UUID) -> Erasure:
    return await memory.erase(BANK, memory_ids=[episode])


async def erase_conversation(memory: Memory, _: UUID) -> Erasure:
    return await memory.erase(BANK, conversation_id="one")


async def erase_period(memory: Memory, _: UUID) -> Erasure:
    return await memory.erase(BANK, since=START - timedelta(days=1), until=START + timedelta(days=1))


async def erase_bank(memory: Memory, _: UUID) -> Erasure:
    return await memory.erase_bank(BANK)


@pytest.mark.parametrize("erased", [erase_memory, erase_conversation, erase_period, erase_bank])
async def test_a_backup_from_before_holds_nothing_of_what_was_erased(
    memory: Memory,
    settings: Settings,
    admin: Admin,
    target: Settings,
    server_url: str,
    tmp_path: Path,
    erased: Callable[[Memory, UUID], Awaitable[Erasure]],
) -> None:
    episode = await carry(memory, admin)
    folder = await backed_up(settings, tmp_path)
    receipt = await erased(memory, episode)
    left = rows_of(admin, BANK)

    if erased is erase_memory:  # the backups of all four hold the same
        await check_it_comes_back_without_the_ledger(settings, server_url, folder)

    done = await asyncio.to_thread(restore_backup, target, folder)
    assert done.erasures == 1
    with psycopg.connect(url_of(target), autocommit=True) as there:
        assert tables_with(there, NONCE) == set()
        assert tables_with(there, NONCE, "analytics") == set()
        assert {k: n for k, n in rows_of(there, BANK).items() if k != "work"} == {
            k: n for k, n in left.items() if k != "work"
        }
    assert NONCE.lower().encode() not in dumped(url_of(target))
    async with await Memory.open(target, migrated=False) as restored:
        script(restored, embedder=ScriptedEmbedder(), extractor=Carrier())
        (again,) = (await restored.list_erasures(BANK)).items
        assert (again.erasure_id, again.scope, again.selector, again.requested_at) == (
            receipt.erasure_id, receipt.scope, receipt.selector, receipt.requested_at,
        )  # fmt: skip
        assert again.status == "unreachable"
        assert again.row_counts
        if erased is not erase_bank:
            await settle(restored, BANK)
            assert tables_with_url(url_of(target)) == set()
            found = await restored.recall(BANK, f"work at {NONCE}", mode="tool", k=100)
            assert [item.content for item in found.items if NONCE in item.content] == []
        # The same erasure again finds nothing and returns the receipt.
        assert (await erased(restored, episode)) == again
    assert await asyncio.to_thread(replay_ledger, target) == 0


async def check_it_comes_back_without_the_ledger(settings: Settings, server_url: str, folder: Path) -> None:
    with empty_database(server_url) as url:
        other = settings.model_copy(update={"database_url": SecretStr(url)})
        done = await asyncio.to_thread(restore_backup, other, folder, without_ledger=True)
        assert done.erasures == 0
        with psycopg.connect(url, autocommit=True) as there:
            assert tables_with(there, NONCE) >= CARRIED


def tables_with_url(url: str) -> set[str]:
    with psycopg.connect(url, autocommit=True) as there:
        return tables_with(there, NONCE)


async def test_what_was_changed_between_backup_and_erasure_is_erased(
    memory: Memory, settings: Settings, admin: Admin, target: Settings, tmp_path: Path
) -> None:
    """A message that became an episode after the backup, one that expired, and an agent's: by other ids than those of
    the erasure, or without any."""
    await memory.create_bank(BANK, {"gate": False})
    await memory.add_messages(BANK, "late", [NewMessage("user", f"I live in {NONCE}.", id="1")])
    await memory.add_messages(BANK, "gone", [NewMessage("user", f"I like {NONCE}.", id="2")])
    await memory.add_messages(BANK, "by", [NewMessage("user", f"I saw {NONCE}.", id="3")], agent_id="bo")
    folder = await backed_up(settings, tmp_path)
    await memory.end_import(BANK, ["late", "gone", "by"])
    await settle(memory, BANK)
    found = admin.execute(
        "select memory_id from memory.episodic_memory where bank_id = 'b' and conversation_id = 'late'"
    ).fetchall()
    admin.execute("delete from memory.message where conversation_id in ('gone', 'by')")
    await memory.erase(BANK, memory_ids=[UUID(str(found[0][0]))])
    await memory.erase(BANK, conversation_id="gone")
    await memory.erase(BANK, agent_id="bo")
    assert (await asyncio.to_thread(restore_backup, target, folder)).erasures == 3
    assert tables_with_url(url_of(target)) == set()


async def test_a_ledger_names_nothing(memory: Memory, settings: Settings, admin: Admin) -> None:
    episode = await carry(memory, admin)
    await memory.add_messages(
        BANK, "private-talk", [NewMessage("user", "Hello there.", id="h")], agent_id="private-agent"
    )
    await memory.erase(BANK, agent_id="private-agent")
    await memory.erase(BANK, conversation_id="one", reason="private-reason", actor="private-actor")
    await memory.erase_bank("never")
    text = ledger_of(settings).read_text()
    assert len(text.splitlines()) == 3
    for word in (NONCE, "private", "never", '"one"', '"b"', str(episode)):
        assert word.lower() not in text.lower()
    selectors = admin.execute("select selector::text from memory.erasure order by requested_at").fetchall()
    assert all("private" not in str(row) and '"one"' not in str(row) for row in selectors)
    assert oct(ledger_of(settings).stat().st_mode & 0o777) == "0o600"


def test_selectors_of_former_receipts_are_hashed(admin: Admin, database_url: str) -> None:
    """Migration 0046."""
    former = {
        1: {"memory_ids": [str(UUID(int=1)), str(UUID(int=2))]}, 2: {"conversation_id": "talk"}, 3: {"agent_id": "bo"},
        4: {"since": "2026-01-01T00:00:00+00:00", "until": "2026-01-02T00:00:00+00:00"}, 5: {},
    }  # fmt: skip
    for number, selector in former.items():
        admin.execute(
            "insert into memory.erasure (bank_id, erasure_id, scope, selector, status, actor, requested_at, "
            "unreachable_at) values ('b', %s, 'memory', %s, 'unreachable', 'a', now(), now())",
            [UUID(int=number), Jsonb(selector)],
        )
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(database_url))
    with engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
        import_module("memory_service.db.versions.0046_erasure_selector").upgrade()
    engine.dispose()
    for number, selector in former.items():
        compared = admin.execute(
            "select selector, memory_internal.hashed_selector(%s) from memory.erasure where erasure_id = %s",
            [Jsonb(selector), UUID(int=number)],
        ).fetchone()
        assert compared
        assert compared[0] == compared[1]


async def test_nothing_is_erased_while_the_ledger_cannot_be_written(
    memory: Memory, settings: Settings, admin: Admin
) -> None:
    await carry(memory, admin)
    assert settings.erasure_ledger
    settings.erasure_ledger.write_text("a file in place of the folder")
    before = rows_of(admin, BANK)
    with pytest.raises(LedgerUnavailable, match="MEMORY_ERASURE_LEDGER"):
        await memory.erase(BANK, conversation_id="one")

    async def within() -> None:  # as a request with an idempotency key
        with pytest.raises(LedgerUnavailable):
            await memory.erase(BANK, conversation_id="one")

    await memory.store.database.in_transaction(within, bank=BANK)
    assert rows_of(admin, BANK) == before
    assert (await memory.list_erasures(BANK)).items == ()
    settings.erasure_ledger.unlink()
    await memory.erase(BANK, conversation_id="one")
    assert tables_with(admin, NONCE) == set()


async def test_a_ledger_that_may_lack_erasures_is_refused(
    memory: Memory, settings: Settings, admin: Admin, target: Settings, tmp_path: Path
) -> None:
    await memory.create_bank(BANK)
    await memory.create_bank("never")
    await memory.erase_bank("never")
    older = ledger_of(settings).read_text()
    folder = await backed_up(settings, tmp_path)
    await memory.erase_bank(BANK)
    ledger = ledger_of(settings)
    good = ledger.read_text()

    ledger.unlink()
    with pytest.raises(LedgerUnavailable, match="is missing"):  # before anything is restored
        await asyncio.to_thread(restore_backup, target, folder)
    with psycopg.connect(url_of(target)) as there:
        assert there.execute("select to_regnamespace('memory')::text").fetchone() == (None,)
    ledger.write_text(older)
    with pytest.raises(LedgerUnavailable, match="older than the backup"):
        await asyncio.to_thread(restore_backup, target, folder)
    with pytest.raises(DatabaseUnsuitable, match="has not ended"):
        await Memory.open(target)
    # The receipts that the backup holds have to be listed, too.
    ledger.write_text("".join(line + "\n" for line in good.splitlines() if "backup" in line))
    with pytest.raises(LedgerUnavailable, match="older than the backup"):
        await asyncio.to_thread(restore_backup, target, folder)
    lines = good.splitlines(keepends=True)
    ledger.write_text(lines[0] + lines[1][:20] + "\n" + lines[2])
    with pytest.raises(LedgerUnavailable, match=r"damaged: .* line 2"):
        await asyncio.to_thread(restore_backup, target, folder)

    # Another backup cannot be restored over it; the same one continues, with a copy from elsewhere.
    fields = json.loads((folder / "manifest.json").read_text())
    with psycopg.connect(url_of(target)) as there:
        there.execute("update memory_restore.backup set sha256 = 'x'")
        there.commit()
        with pytest.raises(DatabaseUnsuitable, match="another backup"):
            await asyncio.to_thread(restore_backup, target, folder)
        there.execute("update memory_restore.backup set sha256 = %s", [fields["sha256"]])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ledger.name).write_text(good + '{"erasure":"cut o')  # a crash cut the last line off
    ledger.unlink()
    assert (await asyncio.to_thread(restore_backup, target, folder, [elsewhere])).erasures == 1
    assert ledger.read_text() == good
    async with await Memory.open(target):
        assert rows_of_url(url_of(target)) == {}


def rows_of_url(url: str) -> dict[str, int]:
    with psycopg.connect(url, autocommit=True) as there:
        return rows_of(there, BANK)


async def test_a_line_that_was_cut_off_is_replaced(memory: Memory, settings: Settings) -> None:
    for bank in ("a", "b"):
        await memory.create_bank(bank)
    await memory.erase_bank("a")
    ledger = ledger_of(settings)
    whole = ledger.read_text()
    ledger.write_text(whole + "x" * 100_000)
    await memory.erase_bank("b")
    first, second = ledger.read_text().splitlines()
    assert first + "\n" == whole
    assert json.loads(second)["scope"] == "bank"


async def test_erasures_by_sql_are_listed_with_the_next_backup(
    memory: Memory, settings: Settings, admin: Admin, tmp_path: Path
) -> None:
    await memory.create_bank(BANK)
    erasure = UUID(int=7)
    admin.execute(
        "select memory_api.erase(bank => 'b', erasure => %s, scope => 'bank', selector => '{}', actor => 'ann')",
        [erasure],
    )
    await backed_up(settings, tmp_path)
    first, second = map(json.loads, ledger_of(settings).read_text().splitlines())
    assert (first["erasure"], "backup" in second) == (str(erasure), True)


async def test_a_restore_that_is_killed_continues(
    memory: Memory, settings: Settings, admin: Admin, target: Settings, tmp_path: Path
) -> None:
    """kill -9 as soon as a restore has begun, after 0.8 s, 1.2 s, ...: until its end no service opens the database."""
    await carry(memory, admin)
    folder = await backed_up(settings, tmp_path)
    await memory.erase(BANK, conversation_id="one")
    await memory.erase_bank("never")
    environment = {
        **os.environ, "DATABASE_URL": url_of(target), "MEMORY_DATA_DIR": str(settings.data_dir),
        "MEMORY_ERASURE_LEDGER": str(settings.erasure_ledger),
    }  # fmt: skip
    refusals: set[str] = set()
    for attempt in range(1, 100):
        running = subprocess.Popen(
            [sys.executable, "-m", "memory_service", "backup", "restore", str(folder)],
            env=environment, stdout=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            with psycopg.connect(url_of(target), autocommit=True) as connection:
                while attempt == 1 and running.poll() is None and not has_begun(connection):
                    await asyncio.sleep(0.005)
            assert await asyncio.to_thread(running.wait, 0.4 * (attempt - 1)) == 0
            break
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # its pg_restore as well
            running.wait()
        try:
            async with await Memory.open(target, migrated=False):
                break  # killed between its end and its last line
        except DatabaseUnsuitable as error:
            refusals.add(str(error))
    assert any("has not ended" in text for text in refusals)
    async with await Memory.open(target, migrated=False):
        assert tables_with_url(url_of(target)) == set()


def test_last_nights_backup_on_the_embedded_server(tmp_path: Path) -> None:
    """By commands, with a data folder per server; after --scrub no file of the restored one has the erased text."""

    def command(*words: str, folder: str = "first") -> str:
        code, answer, error = run_command({"MEMORY_DATA_DIR": str(tmp_path / folder)}, words)
        assert code == 0, error
        return answer

    command("bank", "create", "anna")
    command("remember", f"Anna is allergic to {NONCE}.", "--bank", "anna")
    command("remember", "Anna rows on Sundays.", "--bank", "anna")
    command("backup", "create", str(tmp_path / "backup"))
    (found,) = json.loads(command("recall", NONCE, "--bank", "anna", "-k", "1", "--json"))["items"]
    command("erase", "memories", found["memory_id"], "--bank", "anna", "--yes")

    assert "0 erasures" in command(
        "backup", "restore", str(tmp_path / "backup"), "--without-ledger", folder="control"
    )
    assert NONCE in command("recall", NONCE, "--bank", "anna", folder="control")

    said = command("backup", "restore", str(tmp_path / "backup"), "--scrub", folder="restored")
    assert "1 erasures since then" in said
    assert "the ledger in" in said
    assert files_with(tmp_path / "restored", NONCE) == []
    answer = command("recall", f"{NONCE}, or who rows?", "--bank", "anna", folder="restored")
    assert NONCE not in answer
    assert "rows on Sundays" in answer
    assert files_with(tmp_path / "control", NONCE) != []
    assert "0 erasures" in command("erase", "replay", folder="restored")
