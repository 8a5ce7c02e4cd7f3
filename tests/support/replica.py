"""A primary and a streaming replica of it, of the embedded server's programs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from memory_service.embedded.account import choose_account
from memory_service.embedded.binaries import binaries_for
from memory_service.embedded.cluster import INITIAL_SETTINGS, LOCALE
from tests.own_server import PORT, reachable_folder, running, when_accepting

SETTINGS = tuple(f"{name}={value}" for name, value in INITIAL_SETTINGS.items())


class Standby:
    """A replica that can be paused, stopped, killed and started."""

    def __init__(self, programs: Path, folder: Path, primary_url: str) -> None:
        account = choose_account(folder / "unmade")
        self._as_user: dict[str, Any] = {}
        if account.switch:
            os.chown(folder, account.uid, account.gid)
            self._as_user = {"user": account.uid, "group": account.gid, "extra_groups": []}
        self._programs, self._folder = programs, folder
        self.url = f"postgresql://postgres@/postgres?host={folder}&port={PORT}"
        self._run("pg_basebackup", "-D", str(folder / "data"), "-R", "-X", "stream", "-c", "fast", "--no-sync",
                  "-d", primary_url)  # fmt: skip
        self.start()

    def _run(self, program: str, *words: str) -> None:
        subprocess.run([str(self._programs / program), *words], cwd=self._folder, check=True, **self._as_user)

    def start(self) -> None:
        options = [
            word for setting in ("fsync=off", "listen_addresses=", *SETTINGS) for word in ("-c", setting)
        ]
        self.process = subprocess.Popen(
            [str(self._programs / "postgres"), "-D", str(self._folder / "data"), "-p", str(PORT),
             "-k", str(self._folder), *options],
            cwd=self._folder, stderr=subprocess.DEVNULL, **self._as_user,
        )  # fmt: skip
        when_accepting(self._folder, self.process)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def ask(self, statement: str, url: str | None = None) -> list[tuple[Any, ...]]:
        with psycopg.connect(url or self.url, autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def pause(self) -> None:
        """Replay nothing from now on."""
        self.ask("select pg_wal_replay_pause()")
        while self.ask("select pg_get_wal_replay_pause_state()") != [("paused",)]:
            pass

    def resume(self) -> None:
        self.ask("select pg_wal_replay_resume()")

    def url_of(self, primary_url: str) -> str:
        """The URL of the same database here."""
        parts = conninfo_to_dict(primary_url)
        return f"postgresql://{parts['user']}@/{parts['dbname']}?host={self._folder}&port={PORT}"


@contextmanager
def primary_and_standby() -> Generator[tuple[str, Standby]]:
    """A superuser's URL of the primary, and its replica."""
    with reachable_folder() as folder:
        programs = binaries_for(choose_account(folder / "unmade")).folder
        with running(programs, locale=LOCALE, settings=SETTINGS) as url, reachable_folder() as other:
            standby = Standby(programs, other, url)
            try:
                yield url, standby
            finally:
                standby.process.send_signal(signal.SIGCONT)
                standby.stop()
                shutil.rmtree(other / "data", ignore_errors=True)
