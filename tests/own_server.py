"""A Postgres server for the tests, in a temporary folder. It never flushes: its data is deleted after the tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from memory_service.embedded.account import Account, choose_account

PORT = 5432
RECKLESS = ("fsync=off", "full_page_writes=off", "max_wal_size=256MB", "autovacuum=off", "listen_addresses=")
MEMORY_FOLDER = Path("/dev/shm")
MEMORY_NEEDED = 8 * 2**30
"""Bytes that the folder in memory has to have free: a server of each test process with a few hundred MB."""


def folder_in_memory() -> Path | None:
    """A file system in memory, where there is one with room. Each test's database is 1,000 files: on some disks making
    them takes longer than the test."""
    if (
        not os.access(MEMORY_FOLDER, os.W_OK | os.X_OK)
        or shutil.disk_usage(MEMORY_FOLDER).free < MEMORY_NEEDED
    ):
        return None
    return MEMORY_FOLDER


@contextmanager
def reachable_folder() -> Generator[Path]:
    """A short path that the server's user can enter: sockets have little room, and root's folders are closed."""
    with tempfile.TemporaryDirectory(
        prefix="pg-", dir=folder_in_memory(), ignore_cleanup_errors=True
    ) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextmanager
def running(
    programs: Path, *, locale: Sequence[str] = ("--locale=C",), settings: Sequence[str] = ()
) -> Generator[str]:
    """A fresh cluster of the programs in this folder, started; its superuser's URL. It has stopped when the block has
    ended. `locale` are options of initdb, `settings` name=value."""
    with reachable_folder() as folder:
        account = choose_account(folder / "data")
        if account.switch:
            os.chown(folder, account.uid, account.gid)
        yield from started(programs, folder, account, locale, settings)


def started(
    programs: Path, folder: Path, account: Account, locale: Sequence[str], settings: Sequence[str]
) -> Generator[str]:
    pgdata = folder / "data"
    as_user: dict[str, Any] = {}
    if account.switch:
        as_user = {"user": account.uid, "group": account.gid, "extra_groups": []}
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    subprocess.run(
        [str(programs / "initdb"), "-D", str(pgdata), "-U", "postgres", "--auth=trust", "--encoding=UTF8",
         "--no-sync", *locale],
        cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True, **as_user,
    )  # fmt: skip
    options = [word for setting in (*RECKLESS, *settings) for word in ("-c", setting)]
    server = subprocess.Popen(
        [str(programs / "postgres"), "-D", str(pgdata), "-p", str(PORT), "-k", str(folder), *options],
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
