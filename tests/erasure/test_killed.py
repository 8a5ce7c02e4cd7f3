"""kill -9 of `memory-service erase`: nothing is erased, or all; the same command ends it, and a restore agrees."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from memory_service import Memory, NewMessage
from memory_service.backup import create_backup, restore_backup
from memory_service.config import Settings
from tests.conftest import Admin, empty_database, settle, until
from tests.erasure.scan import rows_of, tables_with

NONCE = "zqxkilled"
MESSAGES = 40
WAITING = (
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() "
    "and wait_event_type = 'Lock'"
)
COMMIT_WAITS = """
create function public.hold() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(4711); return null; end';
create constraint trigger hold after insert on memory.erasure deferrable initially deferred
    for each row execute function public.hold()
"""


class Eraser:
    """The command of an erasure, run as separate processes."""

    def __init__(self, settings: Settings, words: list[str]) -> None:
        assert settings.database_url is not None
        self._command = [
            sys.executable, "-m", "memory_service", "erase", *words, "--bank", "b", "--yes", "--json",
        ]  # fmt: skip
        self._environment = {
            **os.environ, "DATABASE_URL": settings.database_url.get_secret_value(),
            "MEMORY_DATA_DIR": str(settings.data_dir), "MEMORY_ERASURE_LEDGER": str(settings.erasure_ledger),
        }  # fmt: skip

    async def killed_waiting(self, admin: Admin) -> int:
        """Start it, kill it while its backend waits for a lock in the transaction; return the backend's pid."""
        process = subprocess.Popen(self._command, env=self._environment, stdout=subprocess.DEVNULL)
        try:
            ((backend,),) = await until(lambda: admin.execute(WAITING.encode()).fetchall())
        finally:
            process.kill()
            process.wait()
        return backend

    async def run(self) -> dict[str, Any]:
        """The receipt."""
        done = await asyncio.to_thread(
            subprocess.run, self._command, env=self._environment, stdout=subprocess.PIPE, check=True
        )
        return json.loads(done.stdout)


async def ended(admin: Admin, backend: int) -> None:
    await until(
        lambda: not admin.execute("select from pg_stat_activity where pid = %s", [backend]).fetchall()
    )


def listed(settings: Settings) -> list[str]:
    """The erasures in the ledger."""
    assert settings.erasure_ledger is not None
    lines = [
        json.loads(text)
        for file in settings.erasure_ledger.glob("*")
        for text in file.read_text().splitlines()
    ]
    return [line["erasure"] for line in lines if "erasure" in line]


@pytest.mark.one_server("waits for locks of one server")
@pytest.mark.parametrize("words", [["conversation", "long"], ["bank"]], ids=["conversation", "bank"])
async def test_a_killed_erasure_is_nothing_or_whole(
    memory: Memory, settings: Settings, admin: Admin, server_url: str, database_url: str, tmp_path: Path,
    words: list[str],
) -> None:  # fmt: skip
    await memory.create_bank("b", {"gate": False})
    for talk, text in (("long", f"I met {NONCE} in town"), ("other", "I rowed on the lake")):
        count = MESSAGES if talk == "long" else 1
        await memory.add_messages(
            "b", talk, [NewMessage("user", f"{text}, the {n}th time.", id=f"{talk}{n}") for n in range(count)]
        )
        await memory.end_import("b", [talk])
    await settle(memory, "b")
    await asyncio.to_thread(create_backup, settings, tmp_path / "backup")
    before = rows_of(admin, "b")
    assert before["message"] == MESSAGES + 1
    whole = words == ["bank"]
    selection: dict[str, Any] = {"whole_bank": True} if whole else {"conversation_id": "long"}
    plan = await memory.plan_erasure("b", **selection)
    eraser = Eraser(settings, words)

    with psycopg.connect(database_url) as other:  # in the middle of the transaction
        other.execute("lock table memory.message in share mode")
        backend = await eraser.killed_waiting(admin)
        other.rollback()
    await ended(admin, backend)
    assert (rows_of(admin, "b"), listed(settings)) == (before, [])

    admin.execute(COMMIT_WAITS)
    admin.execute("select pg_advisory_lock(4711)")
    backend = await eraser.killed_waiting(admin)  # after the line of the ledger, before the commit
    admin.execute("select pg_terminate_backend(%s)", [backend])
    await ended(admin, backend)
    assert rows_of(admin, "b") == before
    (lost,) = listed(settings)

    backend = await eraser.killed_waiting(admin)  # the server commits, and the receipt has no receiver
    admin.execute("select pg_advisory_unlock(4711)")
    await ended(admin, backend)
    assert tables_with(admin, NONCE) == set()
    (receipt,) = (await memory.list_erasures("b")).items
    assert receipt.row_counts == plan.row_counts
    assert listed(settings) == [lost, str(receipt.erasure_id)]

    again = await eraser.run()
    assert (again["erasure_id"], again["row_counts"]) == (str(receipt.erasure_id), receipt.row_counts)
    assert (await memory.list_erasures("b")).items == (receipt,)
    assert len(listed(settings)) == 2

    with empty_database(server_url) as url:
        target = settings.model_copy(update={"database_url": SecretStr(url)})
        await asyncio.to_thread(restore_backup, target, tmp_path / "backup")
        with psycopg.connect(url, autocommit=True) as there:
            assert tables_with(there, NONCE) == set()
            left = rows_of(there, "b")
            ids = there.execute(
                "select erasure_id::text from memory.erasure order by requested_at"
            ).fetchall()
        assert left.get("message") == (None if whole else 1)
        assert {name for (name,) in ids} >= ({lost} if whole else {lost, str(receipt.erasure_id)})
