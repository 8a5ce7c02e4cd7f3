"""Tables and commands of docs/operations.md that the runner of all pages cannot check."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.embedded.binaries import find_binaries
from memory_service.jobs import runner
from memory_service.jobs.nightly import PASSES
from memory_service.memory import Memory
from tests.conftest import OWN_SERVER, libpq_url, settle

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text()


def test_all_exit_codes_are_listed() -> None:
    codes = {runner.DONE, runner.FAILED, runner.MISUSED, runner.LATE, runner.NO_DATABASE}
    listed = re.findall(r"^\| (\d+(?:, \d+)?) \|", PAGE, re.MULTILINE)
    assert ", ".join(listed) == ", ".join(map(str, [*sorted(codes), 130, 143]))


def test_the_passes_are_listed_in_their_order() -> None:
    assert re.findall(r"^\| `(\w+)` \| .*`python -m jobs\.(\w+)` \|$", PAGE, re.MULTILINE) == [
        (one.name, one.name) for one in PASSES
    ]
    for one in PASSES:
        assert (ROOT / "jobs" / f"{one.name}.py").exists()


@pytest.mark.skipif(OWN_SERVER is not None, reason="the embedded pg_dump may be older than the server")
async def test_a_dump_of_your_own_server_restores(
    memory: Memory, settings: Settings, server_url: str, database_url: str, tmp_path: Path
) -> None:
    await memory.create_bank("anna", {"intake": "verbatim"})
    await memory.remember("anna", "Anna is allergic to walnuts.")
    await settle(memory, "anna")
    (commands,) = re.findall(r"```text\n(pg_dump .*?)```", PAGE, re.DOTALL)
    name = f"memory_restored_{uuid.uuid4().hex[:12]}"
    new_url = libpq_url(server_url, name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "db").symlink_to(ROOT / "db")
    environment = os.environ | {
        "PATH": f"{find_binaries().folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        "DATABASE_URL": database_url, "NEW_URL": new_url,
    }  # fmt: skip
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f'create database "{name}"'.encode())
        try:
            ran = subprocess.run(
                ["sh", "-euc", commands],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, ran.stderr
            restored = Settings.model_validate({**settings.model_dump(), "DATABASE_URL": new_url})
            async with await Memory.open(restored, migrated=False) as opened:
                found = await opened.recall("anna", "walnuts", k=1, min_score=0)
                assert [item.content for item in found.items] == ["Anna is allergic to walnuts."]
        finally:
            admin.execute(f'drop database "{name}" with (force)'.encode())
