"""A shared server: it starts when the first process opens it and stops when the last one closes it."""

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

from memory_service.embedded.binaries import Readiness, find_binaries
from memory_service.embedded.folder import PORT, Address, Folder, log_tail
from memory_service.embedded.lock import POLL_SECONDS, Deadline, Lock, open_private
from memory_service.errors import DataFolderInUse, EmbeddedPostgresFailed

UNREACHABLE_SECONDS = 2.0
STOP_SECONDS = 60.0
REPORT_SECONDS = 5.0
WAL_SEGMENT_BYTES = 16 * 1024 * 1024
"""Free disk space that Postgres needs to start."""
INHERITED = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
    "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE",
)  # fmt: skip
"""Variables passed to the guardian, which outlives the process that started it and needs none of its API keys."""


class Server:
    """A use of the embedded server of one data folder, which runs as long as any process uses it.

    A use ends with `close` or with its process. Children forked without exec share the use of their parent.
    """

    def __init__(self, folder: Folder, users: Lock, socket_dir: Path) -> None:
        self.data_dir = folder.root
        self.socket_dir = socket_dir
        self._folder = folder
        self._users = users
        self._reviving = threading.Lock()
        self._stop_by = float("inf")

    def url(self, user: str = "postgres", database: str = "postgres") -> str:
        """A URL for libpq and asyncpg through the unix socket, without password."""
        where = quote(str(self.socket_dir), safe="")
        return f"postgresql://{quote(user, safe='')}@/{quote(database, safe='')}?host={where}&port={PORT}"

    def revive(self, timeout: float = 120.0) -> bool:
        """Start the server where it does not answer and has no guardian; whether its address has changed.

        Blocks only while a server is being started. Any number of threads and processes may call it at once: one of
        them starts the server. A running guardian restarts its server itself. After `close` nothing is started.

        Errors: as `open_server`.
        """
        with self._reviving:
            before = self.socket_dir
            try:
                if not self._closed() and _readiness(self._folder) is not Readiness.ACCEPTING:
                    self._restart(Deadline(timeout))
                address = self._folder.address()
                if (
                    not self._closed()
                    and address is not None
                    and _readiness(self._folder) is Readiness.ACCEPTING
                ):
                    self.socket_dir = Path(address.socket_dir)
            except OSError as error:
                raise EmbeddedPostgresFailed(f"{self._folder.root}: {error}") from error
            return self.socket_dir != before

    def failure_reason(self) -> str | None:
        """Why the server cannot run, where that is known."""
        with suppress(OSError):
            if shutil.disk_usage(self._folder.root).free < WAL_SEGMENT_BYTES:
                return f"the disk of {self._folder.root} is full"
        return None

    def _restart(self, deadline: Deadline) -> None:
        """Start a guardian unless one runs or another process starts one."""
        start, guardian = self._folder.start_lock(), self._folder.guardian_lock()
        try:
            if not deadline.wait_for(lambda: self._closed() or start.try_exclusive()):
                return  # another process is opening the server, and starts it or raises
            if not self._closed() and guardian.try_exclusive():
                guardian.release()
                _start(self._folder, deadline, lambda: time.monotonic() > self._stop_by)
        finally:
            start.close()
            guardian.close()

    def _closed(self) -> bool:
        return self._users.descriptor < 0

    def close(self) -> None:
        """End this use of the server. The last one waits until the server has stopped, at most a minute."""
        if self._closed():
            return
        self._stop_by = time.monotonic() + STOP_SECONDS
        self._users.close()
        with self._reviving:  # wait for a guardian that is just being started
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
    """Use the server of this data folder, which is started if it does not run.

    Blocks. Any number of processes may call it at once for one folder. `timeout` in seconds limits the wait for a
    server that does not respond; while it reports that it is starting, the wait goes on: crash recovery may be long.

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
    deadline = Deadline(timeout, lambda: _readiness(folder) is Readiness.STARTING)
    users, start, guardian = folder.users_lock(), folder.start_lock(), folder.guardian_lock()
    try:
        _require(
            deadline, start.try_exclusive, f"another process is still opening the server of {folder.root}"
        )
        stopping = Deadline(deadline.left, folder.shutting_down)
        _require(stopping, users.try_shared, f"the server of {folder.root} is still stopping")
        return Server(folder, users, _join_or_start(folder, guardian, deadline))
    except BaseException:
        users.close()
        raise
    finally:
        start.close()
        guardian.close()


def _require(deadline: Deadline, attempt: Callable[[], bool], problem: str) -> None:
    if not deadline.wait_for(attempt):
        raise EmbeddedPostgresFailed(f"{problem} after {deadline.seconds:.0f} s")


def _readiness(folder: Folder) -> Readiness:
    address = folder.address()
    if address is None or not _reachable(folder, address):
        return Readiness.NO_RESPONSE
    return find_binaries().readiness(Path(address.socket_dir), PORT)


def _reachable(folder: Folder, address: Address) -> bool:
    try:
        return address.reachable(folder.owner())
    except OSError:
        return False


def _join_or_start(folder: Folder, guardian: Lock, deadline: Deadline) -> Path:
    """The socket folder of a server that accepts connections; it is started unless another process does so."""
    unreachable_since: float | None = None

    def settled() -> bool:
        nonlocal unreachable_since
        if guardian.try_exclusive():
            guardian.release()
            _start(folder, deadline)
        address = folder.address()
        if address is None:
            return False
        if _reachable(folder, address):
            unreachable_since = None
            return _readiness(folder) is Readiness.ACCEPTING
        unreachable_since = unreachable_since or time.monotonic()
        if time.monotonic() - unreachable_since > UNREACHABLE_SECONDS:
            raise DataFolderInUse(
                f"another server holds the data folder {folder.root}, and its socket in {address.socket_dir} "
                "cannot be reached: it runs in another container, or the socket was removed. "
                "Stop that server, or use another folder"
            )
        return False

    if not deadline.wait_for(settled):
        raise EmbeddedPostgresFailed(
            f"the server of {folder.root} did not respond for {deadline.seconds:.0f} s:\n"
            f"{log_tail(folder.log)}"
        )
    address = folder.address()
    if address is None:
        raise EmbeddedPostgresFailed(f"the server of {folder.root} stopped while it was being opened")
    return Path(address.socket_dir)


def _start(folder: Folder, deadline: Deadline, unwanted: Callable[[], bool] = lambda: False) -> None:
    """Start a guardian and wait for its report; return early when `unwanted` becomes true."""
    path = os.pathsep.join(map(os.path.abspath, sys.path))  # the guardian imports from the same places
    command = [sys.executable, "-P", "-m", "memory_service.embedded.guardian", str(folder.root)]
    errors = open_private(folder.guardian_log, os.O_WRONLY | os.O_TRUNC)
    read, write = os.pipe()
    try:
        launcher = subprocess.Popen(
            [*command, str(deadline.left)],
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
        # A little longer than the guardian's own limit, whose error message is more precise.
        waiting = Deadline(deadline.left + REPORT_SECONDS, deadline.in_progress)
        if not waiting.wait_for(lambda: unwanted() or bool(select.select([read], [], [], 0)[0])):
            raise EmbeddedPostgresFailed(
                f"Postgres in {folder.pgdata} did not start within {deadline.seconds:.0f} s:\n"
                f"{log_tail(folder.log)}"
            )
        if unwanted():
            return
        line = os.read(read, 65_536)
    finally:
        os.close(read)
    report: dict[str, str] = json.loads(line) if line.endswith(b"\n") else {"error": "", "message": ""}
    if "error" in report:
        kind = DataFolderInUse if report["error"] == DataFolderInUse.__name__ else EmbeddedPostgresFailed
        died = f"the guardian of {folder.root} died:\n{log_tail(folder.guardian_log)}"
        raise kind(report["message"] or died)


def _wait_until_stopped(users: Lock, guardian: Lock, server: Lock) -> None:
    """Wait until the guardian and Postgres have ended, unless other processes use the server.

    The users' lock may also be held by the guardian, at the moment when it starts to stop: other users count only when
    they were seen three times in a row.
    """
    others, deadline = 0, time.monotonic() + STOP_SECONDS
    while others < 3 and time.monotonic() < deadline:
        if guardian.try_shared() and server.try_shared():
            return
        guardian.release()
        stopping = not users.try_shared()
        others = others + 1 if not stopping and not users.try_exclusive() else 0
        users.release()
        time.sleep(POLL_SECONDS)
