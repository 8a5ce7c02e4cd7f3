"""The commands of several servers, as real processes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict

from memory_service.config import Settings
from memory_service.login import password_of
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.store.servers import HOME
from tests.conftest import Admin, until
from tests.placement.conftest import SECOND, names_on


def environment(settings: Settings) -> dict[str, str]:
    assert settings.database_url is not None
    return {
        **os.environ,
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "MEMORY_DATA_DIR": str(settings.data_dir),
    }


def run(settings: Settings, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *words], env=environment(settings), capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def answer(settings: Settings, *words: str) -> Any:
    return json.loads(run(settings, "memory_service", *words, "--json"))


def test_servers_are_added_and_listed(settings: Settings, second_url: str, admin: Admin) -> None:
    added = answer(settings, "server", "add", "s2", "--url", second_url, "--slots", "100")
    assert added == {"server": "s2", "slots": 100}
    listed = answer(settings, "server", "list")
    assert [(line["server_id"], line["slots"], line["banks"]) for line in listed] == [
        ("home", 924, 0),
        ("s2", 100, 0),
    ]
    assert (
        answer(settings, "server", "add", "s2", "--url", second_url, "--read-url", second_url)["slots"] == 100
    )
    assert admin.execute("select read_url from memory.server where url is not null").fetchall() == [
        (second_url,)
    ]
    assert "s2" in run(settings, "memory_service", "server", "list")
    assert "no server s3" in run(settings, "memory_service", "move-bank", "anna", "--to", "s3", code=2)
    assert "no server s3" in run(settings, "memory_service", "worker", "--server", "s3", code=2)
    assert answer(settings, "migrate")["changed"] in (True, False)
    acts = admin.execute("select action, details from memory.audit_event order by audit_id").fetchall()
    assert acts == [("server_added", {"slots": 100}), ("server_added", {})]


async def test_a_worker_of_all_servers_and_a_night_beside_one(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin
) -> None:
    (bank,) = names_on(memory, HOME, 1)
    await memory.create_bank(bank)
    said = "Please remember that my sister Maria is allergic to walnuts."
    await memory.add_messages(bank, "c", [NewMessage("user", said)])
    moved = await asyncio.to_thread(answer, two_servers, "move-bank", bank, "--to", SECOND)
    assert (moved["source"], moved["target"], moved["rows"]["message"]) == (HOME, SECOND, 1)
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "memory_service", "worker", env=environment(two_servers)
    )

    async def recalled() -> bool:
        return any("walnuts" in item.content for item in (await memory.recall(bank, "walnuts")).items)

    try:
        await until(recalled)
    finally:
        worker.terminate()
        assert await worker.wait() == 0
    await asyncio.to_thread(run, two_servers, "memory_service.jobs.nightly", "--server", SECOND)
    counts = [one.execute("select count(*) > 0 from memory.job_run").fetchone() for one in (admin, second)]
    assert counts == [(False,), (True,)]
    assert len((await memory.list_nights()).items) == 1
    text = await asyncio.to_thread(run, two_servers, "memory_service", "move-bank", bank, "--to", HOME)
    assert f"{bank} is on home" in text.replace("\n", " ")
    assert await recalled()


def test_passwords_come_from_the_password_file(
    second_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libpq reads it also for a server that trusts: it is known without a server that asks for it."""
    parts = conninfo_to_dict(second_url)
    file = tmp_path / "pgpass"
    file.write_text(f"*:*:{parts['dbname']}:postgres:tides\n")
    file.chmod(0o600)
    assert password_of(second_url) == ""
    monkeypatch.setenv("PGPASSFILE", str(file))
    assert password_of(second_url) == "tides"
