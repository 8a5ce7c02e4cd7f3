"""Backups: made while the service works, restored with the same answers, refused where they would do harm."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from memory_service import backup
from memory_service.backup import (
    DUMP,
    MANIFEST,
    BackupFailed,
    Manifest,
    create_backup,
    load,
    restore_backup,
)
from memory_service.config import Settings
from memory_service.errors import DatabaseUnsuitable, InvalidInput, NotFound
from memory_service.keys import NewKey, hash_of
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import Admin, empty_database, settle
from tests.db.postgres16 import Programs, running_oldest
from tests.own_server import reachable_folder


@pytest.fixture
def target(server_url: str, settings: Settings) -> Iterator[Settings]:
    """Settings with an empty database of the same server."""
    with empty_database(server_url) as url:
        yield settings.model_copy(update={"database_url": SecretStr(url)})


def too_old(program: str) -> int:
    return 15


async def lived(memory: Memory) -> NewKey:
    """A bank with messages, episodes, facts, a trace and a key."""
    await memory.create_bank("anna", {"subject": "Anna"})
    await memory.create_bank("ben")
    await memory.add_messages(
        "anna", "c", [NewMessage("user", "Please remember that I live in Porto.", id="m1")]
    )
    await memory.remember("anna", "Anna is allergic to walnuts.", tags=["food"], metadata={"n": 1})
    await memory.remember("anna", "Anna works as a nurse", type="semantic")
    await settle(memory, "anna")
    await memory.recall("anna", "walnuts")
    await memory.trace_writer.flush()
    return await memory.create_key("read", ["anna"])


async def answers(memory: Memory) -> list[object]:
    """What readers see, without the ids and times of the reads themselves."""
    at = (await memory.get_bank("anna")).created_at.replace(year=2030)
    memories = await memory.list_memories("anna")  # first: recall counts accesses
    recalled = await memory.recall("anna", "Where does Anna live, and what must she not eat?", as_of=at)
    context = await memory.context("anna", "What shall I cook?", conversation_id="c", as_of=at)
    facts = [
        replace(fact, confidence=round(fact.confidence, 5))  # it falls while the test runs
        for fact in (await memory.list_facts("anna")).items
    ]
    return [
        recalled.items, context.text, facts, memories,
        await memory.list_keys(), await memory.list_decisions("anna"), (await memory.list_changes("anna")).items,
        await memory.get_bank("anna"), await memory.list_banks(),
    ]  # fmt: skip


async def test_a_restored_bank_gives_the_same_answers(
    memory: Memory, settings: Settings, target: Settings, tmp_path: Path
) -> None:
    key = await lived(memory)
    await memory.trace_writer.flush()
    made = await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    before = await answers(memory)  # after the backup: these reads count accesses
    assert (made.rows["bank"], made.rows["message"]) == (2, 1)
    assert "metric" not in made.rows
    await asyncio.to_thread(restore_backup, target, tmp_path / "backup")
    async with await Memory.open(target, migrated=False) as restored:
        assert await answers(restored) == before
        stored = await restored.store.keys.read(key.key_id)
        assert stored is not None
        assert stored.hash == hash_of(key.key)
        with pytest.raises(NotFound):
            await restored.recall("nobody", "walnuts")
        # Sequences go on, and new writes are processed.
        again = await restored.add_messages("anna", "c", [NewMessage("user", "I moved to Faro.", id="m2")])
        repeated = await restored.add_messages(
            "anna", "c", [NewMessage("user", "Please remember that I live in Porto.", id="m1")]
        )
        assert again != repeated
        await restored.remember("anna", "Anna rows on Sundays.")
        await settle(restored, "anna")
        changes = (await restored.list_changes("anna")).items
        assert len(changes) > len((await memory.list_changes("anna")).items)
        assert (await restored.recall("anna", "rows")).items[0].content == "Anna rows on Sundays."


async def test_a_backup_is_restored_into_the_oldest_postgres(
    memory: Memory, settings: Settings, tmp_path: Path
) -> None:
    """Its server does not know all parameters that pg_restore sets."""
    await lived(memory)
    await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    before = await answers(memory)
    with (
        reachable_folder() as folder,
        running_oldest(Programs(folder)) as server,
        empty_database(server) as url,
    ):
        cut = tmp_path / "cut"
        cut.write_bytes((tmp_path / "backup" / DUMP).read_bytes()[:-20_000])
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("create extension vector")
            with pytest.raises(BackupFailed, match="pg_restore"):
                await asyncio.to_thread(load, url, cut)
            assert connection.execute("select to_regnamespace('memory')").fetchone() == (None,)
        oldest = settings.model_copy(update={"database_url": SecretStr(url)})
        await asyncio.to_thread(restore_backup, oldest, tmp_path / "backup")
        async with await Memory.open(oldest, migrated=False) as restored:
            assert await answers(restored) == before


async def test_row_security_holds_after_a_restore(
    memory: Memory, settings: Settings, target: Settings, tmp_path: Path
) -> None:
    await lived(memory)
    await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    await asyncio.to_thread(restore_backup, target, tmp_path / "backup")
    async with await Memory.open(target, migrated=False) as restored:
        database = restored.store.database
        assert await database.query_value("select session_user::text") == "memory_service"
        assert await database.query_value("select count(*) from memory.episodic_memory") == 0


async def test_everything_acknowledged_before_the_start_is_in_the_backup(
    memory: Memory, settings: Settings, target: Settings, tmp_path: Path
) -> None:
    await memory.create_bank("anna")
    acknowledged = 0
    stopping = asyncio.Event()

    async def write() -> None:
        nonlocal acknowledged
        while not stopping.is_set():
            text = f"Line {acknowledged}"
            await memory.add_messages("anna", "c", [NewMessage("user", text, id=str(acknowledged))])
            acknowledged += 1

    writing = asyncio.create_task(write())
    while acknowledged < 20:
        await asyncio.sleep(0.01)
    least = acknowledged
    made = await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    stopping.set()
    await writing
    assert least <= made.rows["message"] < acknowledged
    await asyncio.to_thread(restore_backup, target, tmp_path / "backup")
    async with await Memory.open(target, migrated=False) as restored:
        stats = await restored.stats("anna")
        assert stats["messages"]["total"] == made.rows["message"]
        await settle(restored, "anna")  # the work of the backup's moment is done after it


async def test_only_the_owner_reads_a_backup(memory: Memory, settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    await asyncio.to_thread(create_backup, settings, folder)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / DUMP, folder / MANIFEST)]
    assert modes == [0o700, 0o600, 0o600]


async def test_what_would_be_overwritten_is_refused(
    memory: Memory, settings: Settings, tmp_path: Path
) -> None:
    await memory.create_bank("anna")
    folder = tmp_path / "backup"
    await asyncio.to_thread(create_backup, settings, folder)
    with pytest.raises(InvalidInput, match=r"FOLDER: .* exists"):
        await asyncio.to_thread(create_backup, settings, folder)
    with pytest.raises(DatabaseUnsuitable, match="already"):
        await asyncio.to_thread(restore_backup, settings, folder)
    assert (await memory.get_bank("anna")).bank_id == "anna"


async def test_damaged_and_newer_backups_are_refused(
    memory: Memory, settings: Settings, target: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    await asyncio.to_thread(create_backup, settings, folder)
    good = (folder / DUMP).read_bytes()
    (folder / DUMP).write_bytes(good[:-100])
    with pytest.raises(InvalidInput, match="damaged"):
        await asyncio.to_thread(restore_backup, target, folder)
    (folder / DUMP).write_bytes(good)
    manifest = json.loads((folder / MANIFEST).read_text())
    for wrong, message in (
        ({"revision": "9999"}, "newer"), ({"format": 2}, "newer"), ({"sha256": 1, "x": 1}, "is no backup"),
    ):  # fmt: skip
        (folder / MANIFEST).write_text(json.dumps(manifest | wrong))
        with pytest.raises(InvalidInput, match=message):
            await asyncio.to_thread(restore_backup, target, folder)
    with pytest.raises(InvalidInput, match="is no backup"):
        await asyncio.to_thread(restore_backup, target, tmp_path)
    (folder / MANIFEST).write_text(json.dumps(manifest))
    await asyncio.to_thread(restore_backup, target, folder)  # the refusals have left nothing behind


async def test_missing_rows_are_found(
    memory: Memory, settings: Settings, target: Settings, tmp_path: Path
) -> None:
    await memory.create_bank("anna")
    folder = tmp_path / "backup"
    made = await asyncio.to_thread(create_backup, settings, folder)
    fields = json.loads((folder / MANIFEST).read_text())
    fields["rows"]["bank"] = made.rows["bank"] + 1
    (folder / MANIFEST).write_text(json.dumps(fields))
    with pytest.raises(BackupFailed, match="bank"):
        await asyncio.to_thread(restore_backup, target, folder)


async def test_a_backup_that_fails_leaves_no_folder(
    memory: Memory, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "SCHEMAS", ("no_such_schema",))
    with pytest.raises(BackupFailed, match=r"pg_dump failed: .*no matching schemas"):
        await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()
    monkeypatch.setattr(backup, "major_of", too_old)
    with pytest.raises(BackupFailed, match=r"pg_dump \d+ or newer is needed"):
        await asyncio.to_thread(create_backup, settings, tmp_path / "backup")


async def test_other_schemas_of_the_database_are_left_out(
    memory: Memory, settings: Settings, target: Settings, admin: Admin, tmp_path: Path
) -> None:
    admin.execute("create table public.other (umbrella text)")
    made = await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    assert isinstance(made, Manifest)
    assert b"umbrella" not in (tmp_path / "backup" / DUMP).read_bytes()
    await asyncio.to_thread(restore_backup, target, tmp_path / "backup")
