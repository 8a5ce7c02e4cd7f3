"""What callers open: a server that starts when the first one comes and stops when the last one leaves."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from memory_service.embedded.binaries import Answer, find_binaries
from memory_service.embedded.folder import PORT, Address, Folder, log_tail
from memory_service.embedded.lock import POLL_SECONDS, Lock, Patience, open_private
from memory_service.errors import DataFolderInUse, EmbeddedPostgresFailed

UNREACHABLE_SECONDS = 2.0
STOP_SECONDS = 60.0
REPORT_SECONDS = 5.0
WAL_SEGMENT_BYTES = 16 * 1024 * 1024
"""What Postgres must be able to write to start."""
INHERITED = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
    "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE",
)  # fmt: skip
"""The guardian's environment: it outlives who started it, and needs none of the keys there."""


class Server:
    """A place at the embedded server of one data folder. The server runs as long as somebody has one.

    A process that dies leaves by dying. Children forked without exec share the place with their parent.
    """

    def __init__(self, folder: Folder, users: Lock, socket_dir: Path) -> None:
        self.data_dir = folder.root
        self.socket_dir = socket_dir
        self._folder = folder
        self._users = users
        self._reviving = threading.Lock()
        self._leave_by = float("inf")

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """Get a URL for libpq and asyncpg; it goes through the unix socket and needs no password."""
        where = quote(str(self.socket_dir), safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={where}&port={PORT}"

    def revive(self, timeout: float = 120.0) -> bool:
        """Start a new server where this one does not answer and nobody looks after it; True when it has another
        address since.

        Blocks while a server is being started, and only then. Any number of threads and processes may call it
        at once: they share what one of them starts. While a guardian is alive it is left to that to bring its
        server back, and who has left starts nothing.

        Errors: as `open_server`.
        """
        with self._reviving:
            before = self.socket_dir
            try:
                if not self._left() and _ask(self._folder) is not Answer.ACCEPTING:
                    self._replace(Patience(timeout))
                address = self._folder.address()
                if not self._left() and address is not None and _ask(self._folder) is Answer.ACCEPTING:
                    self.socket_dir = Path(address.socket_dir)
            except OSError as error:
                raise EmbeddedPostgresFailed(f"{self._folder.root}: {error}") from error
            return self.socket_dir != before

    def trouble(self) -> str | None:
        """Why the server cannot run, where that is known."""
        with suppress(OSError):
            if shutil.disk_usage(self._folder.root).free < WAL_SEGMENT_BYTES:
                return f"the disk of {self._folder.root} is full"
        return None

    def _replace(self, patience: Patience) -> None:
        """Start a guardian unless there is one, or another process starts one."""
        start, turn = self._folder.start_lock(), self._folder.guardian_lock()
        try:
            if not patience.wait_for(lambda: self._left() or start.try_exclusive()):
                return  # whoever opens the server will have it up, or say why not
            if not self._left() and turn.try_exclusive():
                turn.release()
                _start(self._folder, patience, lambda: time.monotonic() > self._leave_by)
        finally:
            start.close()
            turn.close()

    def _left(self) -> bool:
        return self._users.descriptor < 0

    def close(self) -> None:
        """Leave. Whoever leaves last waits until the server has stopped, at most a minute."""
        if self._left():
            return
        self._leave_by = time.monotonic() + STOP_SECONDS
        self._users.close()
        with self._reviving:  # a guardian that is just being started could not be seen to stop
            pass
        locks = self._folder.users_lock(), self._folder.guardian_lock(), self._folder.server_lock()
        try:
            _wait_until_stopped(*locks)
        finally:
            for lock in locks:
                lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_server(data_dir: Path, *, timeout: float = 120.0) -> Server:
    """Get a place at the server of this data folder, starting it if it does not run.

    Blocks. Any number of processes may call it at once for one folder. `timeout` in seconds limits the wait
    for a server that gives no sign of life; while it reports that it is starting up, the wait goes on: crash
    recovery takes as long as it takes.

    Errors: DataFolderInUse when a server that cannot be reached from here, such as one in another container,
    holds the folder; EmbeddedPostgresFailed with the cause otherwise.
    """
    folder = Folder(data_dir)
    folder.prepare()
    try:
        return _open(folder, timeout)
    except OSError as error:
        raise EmbeddedPostgresFailed(f"{folder.root}: {error}") from error


def _open(folder: Folder, timeout: float) -> Server:
    patience = Patience(timeout, lambda: _ask(folder) is Answer.STARTING)
    users, start, turn = folder.users_lock(), folder.start_lock(), folder.guardian_lock()
    try:
        _insist(
            patience, start.try_exclusive, f"another process is still opening the server of {folder.root}"
        )
        stopping = Patience(patience.left, folder.shutting_down)
        _insist(stopping, users.try_shared, f"the server of {folder.root} is still stopping")
        return Server(folder, users, _join_or_start(folder, turn, patience))
    except BaseException:
        users.close()
        raise
    finally:
        start.close()
        turn.close()


def _insist(patience: Patience, attempt: Callable[[], bool], problem: str) -> None:
    if not patience.wait_for(attempt):
        raise EmbeddedPostgresFailed(f"{problem} after {patience.seconds:.0f} s")


def _ask(folder: Folder) -> Answer:
    address = folder.address()
    if address is None or not _reachable(folder, address):
        return Answer.SILENT
    return find_binaries().ask(Path(address.socket_dir), PORT)


def _reachable(folder: Folder, address: Address) -> bool:
    try:
        return address.reachable(folder.owner())
    except OSError:
        return False


def _join_or_start(folder: Folder, turn: Lock, patience: Patience) -> Path:
    """Get the socket's folder of a server that takes connections, whoever started it."""
    unreachable_since: float | None = None

    def settled() -> bool:
        nonlocal unreachable_since
        if turn.try_exclusive():
            turn.release()
            _start(folder, patience)
        address = folder.address()
        if address is None:
            return False
        if _reachable(folder, address):
            unreachable_since = None
            return _ask(folder) is Answer.ACCEPTING
        unreachable_since = unreachable_since or time.monotonic()
        if time.monotonic() - unreachable_since > UNREACHABLE_SECONDS:
            raise DataFolderInUse(
                f"another server holds the data folder {folder.root}, and its socket in {address.socket_dir} "
                "is out of reach from here: it runs in another container, or somebody removed the socket. "
                "Stop that server, or use another folder"
            )
        return False

    if not patience.wait_for(settled):
        raise EmbeddedPostgresFailed(
            f"the server of {folder.root} gave no sign of life for {patience.seconds:.0f} s:\n"
            f"{log_tail(folder.log)}"
        )
    address = folder.address()
    if address is None:
        raise EmbeddedPostgresFailed(f"the server of {folder.root} stopped while it was being opened")
    return Path(address.socket_dir)


def _start(folder: Folder, patience: Patience, unwanted: Callable[[], bool] = lambda: False) -> None:
    """Start a guardian and wait for its report, unless that becomes unwanted meanwhile."""
    path = os.pathsep.join(map(os.path.abspath, sys.path))  # the guardian finds what this process finds
    command = [sys.executable, "-P", "-m", "memory_service.embedded.guardian", str(folder.root)]
    errors = open_private(folder.guardian_log, os.O_WRONLY | os.O_TRUNC)
    read, write = os.pipe()
    try:
        launcher = subprocess.Popen(
            [*command, str(patience.left)],
            cwd="/",
            env={**{name: os.environ[name] for name in INHERITED if name in os.environ}, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=write,
            stderr=errors,
            start_new_session=True,  # Ctrl-C reaches the owner, not the database under it
        )
    finally:
        os.close(write)
        os.close(errors)
    try:
        launcher.wait()
        # A little longer than the guardian's own limit: it knows better what is wrong.
        waiting = Patience(patience.left + REPORT_SECONDS, patience.sign_of_life)
        if not waiting.wait_for(lambda: unwanted() or bool(select.select([read], [], [], 0)[0])):
            raise EmbeddedPostgresFailed(
                f"Postgres in {folder.pgdata} did not start within {patience.seconds:.0f} s:\n"
                f"{log_tail(folder.log)}"
            )
        if unwanted():
            return
        said = os.read(read, 65_536)
    finally:
        os.close(read)
    report: dict[str, str] = json.loads(said) if said.endswith(b"\n") else {"error": "", "message": ""}
    if "error" in report:
        kind = DataFolderInUse if report["error"] == DataFolderInUse.__name__ else EmbeddedPostgresFailed
        died = f"the guardian of {folder.root} died:\n{log_tail(folder.guardian_log)}"
        raise kind(report["message"] or died)


def _wait_until_stopped(users: Lock, turn: Lock, server: Lock) -> None:
    """Wait for the guardian and for Postgres to end, unless others still use the server.

    A lock that one cannot get alone may also be the guardian's, at the moment when it takes over: others are
    believed in only when they were seen three times in a row.
    """
    others, deadline = 0, time.monotonic() + STOP_SECONDS
    while others < 3 and time.monotonic() < deadline:
        if turn.try_shared() and server.try_shared():
            return
        turn.release()
        stopping = not users.try_shared()
        others = others + 1 if not stopping and not users.try_exclusive() else 0
        users.release()
        time.sleep(POLL_SECONDS)
