"""`memory-service export` and `import-bank` on a server, and what a killed process leaves: nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.conftest import Admin, until
from tests.db.steps import Connection
from tests.isolation.victim import fill

OPEN = "select from pg_stat_activity where datname = current_database() and backend_xid is not null"


@pytest.fixture
def environment(settings: Settings, database_url: str) -> Mapping[str, str]:
    return {
        **os.environ, "DATABASE_URL": database_url, "MEMORY_DATA_DIR": str(settings.data_dir), "COLUMNS": "200",
        "MEMORY_EMBEDDING_MODEL": "local",
    }  # fmt: skip


def run(environment: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "memory_service", *words]
    return subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )


def rows_of(admin: Admin, bank: str) -> int:
    """Rows of a bank in all tables."""
    names = admin.execute(
        "select table_name from information_schema.columns where table_schema = 'memory' and column_name = 'bank_id'"
    ).fetchall()
    counts = [
        admin.execute(f"select count(*) from memory.{name} where bank_id = %s".encode(), (bank,)).fetchone()
        for (name,) in names
    ]
    return sum(int(str(count[0])) for count in counts if count is not None)


async def test_a_bank_moves_by_commands(
    memory: Memory, environment: Mapping[str, str], tmp_path: Path
) -> None:
    await memory.create_bank("anna")
    await memory.remember("anna", "Anna moved to Porto.", wait_ms=0)
    file = tmp_path / "anna.jsonl"
    done = run(environment, "export", "anna", "--out", str(file))
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert file.stat().st_mode & 0o777 == 0o600
    assert run(environment, "export", "anna", "--out", str(file)).returncode == 2
    printed = run(environment, "export", "anna", "--without-vectors")
    assert b'"vectors": false' in printed.stdout.splitlines()[0]
    assert list(json.loads(printed.stdout.splitlines()[-1])) == ["manifest", "sha256"]
    done = run(environment, "import-bank", str(file), "--bank", "copy", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"]["episodic_memory"] == 1
    refused = run(environment, "import-bank", str(file), "--bank", "copy")
    assert (refused.returncode, b"not empty" in refused.stderr) == (1, True)
    file.write_bytes(file.read_bytes().replace(b"Porto", b"Braga"))
    refused = run(environment, "import-bank", str(file), "--bank", "new")
    assert (refused.returncode, b"they are damaged" in refused.stderr) == (2, True)
    assert run(environment, "export", "nobody", "--out", str(tmp_path / "none")).returncode == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("share", [0.3, 0.97])
async def test_a_killed_import_leaves_nothing_and_can_be_repeated(
    memory: Memory,
    service: Connection,
    admin: Admin,
    environment: Mapping[str, str],
    tmp_path: Path,
    share: float,
) -> None:
    fill(service, "b")
    file = tmp_path / "b.jsonl"
    assert run(environment, "export", "b", "--out", str(file)).returncode == 0
    data = file.read_bytes()
    words = [sys.executable, "-m", "memory_service", "import-bank", "-", "--bank", "new"]
    process = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(data[: int(len(data) * share)])
    process.stdin.flush()
    await until(lambda: admin.execute(OPEN).fetchall())
    process.send_signal(signal.SIGKILL)
    process.stdin.close()
    process.wait()
    await until(lambda: not admin.execute(OPEN).fetchall())
    assert rows_of(admin, "new") == 0
    assert run(environment, "import-bank", str(file), "--bank", "new").returncode == 0
    again = run(environment, "export", "new", "--without-vectors").stdout
    message = next(line for line in data.splitlines() if b'"content"' in line and b'"position"' in line)
    assert message in again.splitlines()
