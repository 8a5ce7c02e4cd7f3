"""The shipped crontab under the real cron: its lines as they are, with other paths and every minute."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.conftest import Admin, until

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "jobs" / "crontab"
JOBS = Path("/etc/cron.d")
SCHEDULE = re.compile(r"^(?:[\d*/,-]+ +){5}")
NIGHTLY = "jobs.nightly"

needs_cron = pytest.mark.skipif(
    shutil.which("cron") is None or os.geteuid() != 0 or not JOBS.is_dir(),
    reason="needs root and Debian's package cron",
)


def every_minute(log: Path, environment: dict[str, str]) -> str:
    """The shipped file as one of /etc/cron.d: this checkout and this log, a user, a schedule that is soon due, and the
    service's environment."""
    lines = SHIPPED.read_text().splitlines()
    jobs = [line for line in lines if SCHEDULE.match(line)]
    assert [NIGHTLY in line for line in jobs] == [True], "one line of the shipped file is a job, the night's"
    at = lines.index(jobs[0])
    lines[at] = SCHEDULE.sub("* * * * * root ", jobs[0]).replace("/var/log/memory-nightly.jsonl", str(log))
    assert str(log) in lines[at]
    homes = [n for n, line in enumerate(lines) if line == "SERVICE_HOME=/opt/memory-service"]
    assert len(homes) == 1
    lines[homes[0]] = f"SERVICE_HOME={ROOT}"
    return "\n".join([*(f'{name}="{value}"' for name, value in environment.items()), *lines, ""])


@contextmanager
def under_cron(text: str) -> Generator[None]:
    """A file of this text in /etc/cron.d, and a cron daemon; the machine's own where one is running."""
    file = JOBS / f"memory-test-{uuid.uuid4().hex}"
    unready = file.with_name(f".{file.name}")  # cron reads no file with a dot in its name
    daemon = None
    try:
        unready.write_text(text)
        unready.chmod(0o600)
        unready.rename(file)
        daemon = subprocess.Popen(["cron", "-f"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield
    finally:
        file.unlink(missing_ok=True)
        unready.unlink(missing_ok=True)
        if daemon is not None:
            daemon.terminate()
            daemon.wait()


def said(log: Path) -> list[dict[str, Any]]:
    """The whole lines of the log: JSON, each of them, or it fails here."""
    text = log.read_text() if log.exists() else ""
    lines = text[: text.rfind("\n") + 1].splitlines()
    assert all(line.startswith("{") for line in lines), text
    return [json.loads(line) for line in lines]


@needs_cron
async def test_the_shipped_crontab_runs_a_night(
    memory: Memory, settings: Settings, admin: Admin, tmp_path: Path
) -> None:
    await memory.create_bank("anna")
    assert settings.database_url is not None
    log = tmp_path / "nightly.jsonl"
    environment = {
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "MEMORY_DATA_DIR": str(settings.data_dir),
    }

    def summary() -> dict[str, Any] | None:
        return next((line for line in said(log) if line["event"] == "summary"), None)

    with under_cron(every_minute(log, environment)):
        figures = await until(summary, seconds=240)
    assert (figures["exit_code"], figures["failed"], figures["left"]) == (0, 0, 0)
    assert figures["done"] == 1
    assert admin.execute(
        "select count(*) > 0 from memory.job_run where 'anna' = any (bank_ids)"
    ).fetchone() == (True,)
