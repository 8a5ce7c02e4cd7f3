"""A forked process of tests/support/forked.py is as an executed one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forked import Forker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")

COMMAND = [sys.executable, "-m", "memory_service"]


@pytest.mark.parametrize("words", [["--help"], ["nothing"], ["bank", "list", "--json"]], ids=" ".join)
def test_it_prints_and_exits_as_executed(words: list[str], tmp_path: Path, forker: Forker) -> None:
    environment = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "COLUMNS": "90"}

    def ran() -> tuple[int, str, str]:
        done = subprocess.run(
            [*COMMAND, *words], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    forked = ran()
    forker.forks = False
    assert ran() == forked


def test_it_is_a_child_in_its_own_session_until_a_signal(tmp_path: Path) -> None:
    environment = {**os.environ, "MEMORY_DATA_DIR": str(tmp_path / "data")}
    with subprocess.Popen(
        [*COMMAND, "bank", "list"],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        os.kill(process.pid, signal.SIGSTOP)
        place = Path(f"/proc/{process.pid}")
        assert os.waitpid(process.pid, os.WUNTRACED)[0] == process.pid
        assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid
        assert (place / "cmdline").read_bytes().rstrip(b"\0").split(b"\0") == [
            *map(os.fsencode, COMMAND),
            b"bank",
            b"list",
        ]
        assert os.fsencode(f"MEMORY_DATA_DIR={tmp_path / 'data'}") in (place / "environ").read_bytes().split(
            b"\0"
        )
        assert f"PPid:\t{os.getpid()}\n" in (place / "status").read_text()
        process.kill()
        assert process.wait() == -signal.SIGKILL
