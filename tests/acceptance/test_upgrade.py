"""A newer release migrates the database under a running service: the service stops, the newer one goes on."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory_service import __version__
from memory_service.db.migrate import API_VERSION
from tests.acceptance.running import (
    DEADLINE,
    REST,
    Clients,
    Service,
    administrator,
    check_exactly_once,
    nothing_left,
    settled,
    until,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def newer_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this package with the next API version, which has add_message under another name."""
    copy = tmp_path_factory.mktemp("newer")
    for folder in ("memory_service", "db", "jobs"):
        # With the bytecode, which stays valid: times of modification are copied, too, and edits change them.
        shutil.copytree(ROOT / folder, copy / folder, symlinks=True)
    edit(copy / "db/migrate.py", f"API_VERSION = {API_VERSION}\n", f"API_VERSION = {API_VERSION + 1}\n")
    edit(copy / "memory_service/__init__.py", r'(?m)^__version__ = ".*"$', '__version__ = "9.9.9"')
    functions = copy / "db/functions/messages"
    for name in ("add_message", "add_messages"):
        edit(functions / f"{name}.sql", "add_message", "append_message")
        (functions / f"{name}.sql").rename(functions / f"{name.replace('add', 'append')}.sql")
    edit(copy / "memory_service/store/messages.py", "memory_api.add_message", "memory_api.append_message")
    return copy


def edit(file: Path, pattern: str, replacement: str) -> None:
    text, number = re.subn(pattern, replacement, file.read_text())
    assert number, f"{file.name}: {pattern}"
    file.write_text(text)


def test_an_older_release_notices_a_newer_one_and_does_not_start_again(
    tmp_path: Path, newer_release: Path
) -> None:
    data = tmp_path / "data"
    newer = {"PYTHONPATH": str(newer_release), "PYTHONSAFEPATH": "1"}  # not the working directory
    old = Service(data, MEMORY_PROCESSES="2")
    services = [old]
    with old, Clients(lambda: services[-1].address, threads=2, rest=REST / 2) as clients:
        clients.wait_for(40)
        migrated = subprocess.run(
            [sys.executable, "-m", "memory_service", "migrate"],
            env={**old.env, **newer}, capture_output=True, text=True, timeout=DEADLINE, check=False,
        )  # fmt: skip
        assert migrated.returncode == 0, migrated.stderr
        assert "release 9.9.9" in migrated.stdout
        assert old.process.wait(DEADLINE) == 1
        assert (
            f"(release 9.9.9); release {__version__} works with {API_VERSION}. Restart this process"
            in old.log.read_text()
        )
        until(lambda: old.workers() == [], "the workers of the old service end")
        with Service(data, **newer) as new:
            services.append(new)
            clients.wait_for(20)
            clients.finish()
            assert settled(new)["queue"]["dead"] == 0
            assert new.stop() == 0
    assert clients.statuses <= {202, 503}
    nothing_left(data)
    again = subprocess.run(
        [sys.executable, "-m", "memory_service", "bank", "create", "ben"],
        env=old.env, capture_output=True, text=True, timeout=DEADLINE, check=False,
    )  # fmt: skip
    assert again.returncode == 1
    assert "was migrated by a newer release (9.9.9" in " ".join(again.stderr.split())
    nothing_left(data)
    with administrator(data) as admin:
        check_exactly_once(admin, clients)
