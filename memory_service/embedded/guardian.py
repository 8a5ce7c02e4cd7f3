"""The parent process of Postgres: starts it, restarts it after a crash, stops it when its last user has left.

Run by `open_server` as `python -m memory_service.embedded.guardian FOLDER SECONDS`. It writes one JSON line to standard
output when the server is ready or cannot be started.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from memory_service.embedded.account import choose_account, take_over
from memory_service.embedded.binaries import Readiness, binaries_for
from memory_service.embedded.cluster import Cluster
from memory_service.embedded.folder import PORT, TOKEN_FILE, Folder, log_tail, make_socket_dir
from memory_service.embedded.lock import Deadline, Lock, open_private
from memory_service.errors import DataFolderInUse, EmbeddedPostgresFailed, MemoryServiceError

TICK_SECONDS = 0.2
TOUCH_SECONDS = 3600.0
LOG_BYTES = 4_000_000
FAST_STOP_SECONDS = 300.0
HANGING_STOP_SECONDS = 3.0
IDLE_STOP_SECONDS = 5.0
"""Longest wait until a fast stop begins to write its checkpoint."""
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 30.0

_log = logging.getLogger("memory_service.embedded.guardian")


class Guardian:
    """Runs the server of one data folder until no process uses it."""

    def __init__(self, folder: Folder, timeout: float) -> None:
        self.folder = folder
        self.timeout = timeout
        self.stop_requested = False
        self._touched = time.monotonic()
        self._deadline = Deadline(timeout)
        self._users = folder.users_lock()
        self._guardian_lock = folder.guardian_lock()
        self._postgres_log = open_private(folder.log, os.O_WRONLY | os.O_APPEND)

    def run(self) -> None:
        """Run the server until its last user has left.

        Errors: DataFolderInUse when another server holds the data; EmbeddedPostgresFailed with the cause.
        """
        if not self._deadline.wait_for(self._guardian_lock.try_exclusive):
            raise DataFolderInUse(f"another guardian runs the server of {self.folder.root}")
        lock = self._lock_server()
        self.folder.remove_socket_dir()
        account = choose_account(self.folder.pgdata)
        take_over(self.folder.pgdata, account)
        self._binaries = binaries_for(account)
        cluster = Cluster(self.folder, account, self._binaries)
        if not cluster.exists():
            cluster.create(lock, self._deadline.left)
        self._socket_dir, token = make_socket_dir(account)
        try:
            self.folder.publish(self._socket_dir, token)
            self._serve(cluster, lock)
        finally:
            self.folder.withdraw()
            shutil.rmtree(self._socket_dir, ignore_errors=True)

    def stop_soon(self, _signal: int, _frame: FrameType | None) -> None:
        """Signal handler for a system shutdown: stop, even while the server is in use."""
        self.stop_requested = True

    def _serve(self, cluster: Cluster, lock: Lock) -> None:
        self._run_once(cluster, lock, first=True)
        failures = 0
        while not self._should_stop():
            # Backends of the dead server may run a moment longer and share the old lock with this process: only a
            # newly opened lock shows that all of them have ended.
            lock.close()
            self._deadline = Deadline(self.timeout)
            try:
                lock = self._lock_server()
                _log.warning("starting Postgres again in %s", self.folder.pgdata)
                self._run_once(cluster, lock, first=False)
                failures = 0
            except (MemoryServiceError, OSError) as error:
                # A full disk or a wrong setting may be corrected, and the remaining users depend on this process.
                _log.error("%s", error)
                self._pause(min(FIRST_PAUSE_SECONDS * 2**failures, LONGEST_PAUSE_SECONDS))
                failures = min(failures + 1, 10)

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._should_stop():
            time.sleep(TICK_SECONDS)

    def _should_stop(self) -> bool:
        return self.stop_requested or self._users.try_exclusive()

    def _lock_server(self) -> Lock:
        """The server's lock, newly opened, once no Postgres process of this data is left."""
        lock = self.folder.server_lock()
        if Deadline(min(1.0, self._deadline.left)).wait_for(lock.try_exclusive):
            return lock
        orphan = self.folder.orphan()
        if orphan is not None:
            _log.warning("stopping Postgres %d, which outlived its guardian", orphan)
            self._stop_fast(lambda: self.folder.orphan() or 0, lock.try_exclusive, self._deadline.left / 2)
        if not self._deadline.wait_for(lock.try_exclusive):
            lock.close()
            raise DataFolderInUse(
                f"a Postgres process still holds the data folder {self.folder.root}, perhaps in another "
                "container; stop it first"
            )
        return lock

    def _run_once(self, cluster: Cluster, lock: Lock, *, first: bool) -> None:
        """Run the server until it ends or is to be stopped. Errors: EmbeddedPostgresFailed when it does not start."""
        start = os.fstat(self._postgres_log).st_size
        process = cluster.start(self._socket_dir, lock, self._postgres_log)
        problem: str | None = "was abandoned"
        try:
            problem = self._wait_until_ready(process)
            if problem is None:
                self._watch(process, first=first)
        finally:
            self._stop(process, HANGING_STOP_SECONDS if problem else FAST_STOP_SECONDS)
        if problem is not None:
            tail = log_tail(self.folder.log, start)
            raise EmbeddedPostgresFailed(f"Postgres in {self.folder.pgdata} {problem}:\n{tail}")
        _log.warning("Postgres ended with code %s", process.returncode)

    def _watch(self, process: subprocess.Popen[bytes], *, first: bool) -> None:
        if first:
            report({"ready": True})
        while process.poll() is None:
            if self._should_stop():
                self.folder.withdraw()
                return
            self._maintain()
            time.sleep(TICK_SECONDS)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> str | None:
        """Wait until the server accepts connections, as long as it reports that it starts; the problem, or None."""

        def readiness() -> Readiness:
            return self._binaries.readiness(self._socket_dir, PORT)

        def settled() -> bool:
            return process.poll() is not None or self.stop_requested or readiness() is Readiness.ACCEPTING

        self._deadline.in_progress = lambda: readiness() is Readiness.STARTING
        if not self._deadline.wait_for(settled):
            return f"did not respond for {self.timeout:.0f} s"
        if process.returncode is not None:
            return f"ended with code {process.returncode} while starting"
        return "was stopped while starting" if self.stop_requested else None

    def _stop(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        """Stop the server fast (open transactions roll back, a checkpoint is written); immediately in crash recovery.

        When a fast stop interrupts crash recovery, Postgres 18 never signals the checkpointer and waits for it forever.
        An immediate stop loses no committed transaction; the next start recovers.
        """
        if process.poll() is not None:
            return
        if (
            self._binaries.readiness(self._socket_dir, PORT) is Readiness.STARTING
            and not self.folder.stop_requested()
        ):
            process.send_signal(signal.SIGQUIT)
        else:
            self._stop_fast(lambda: process.pid, lambda: process.poll() is not None, seconds)
        process.wait()

    def _stop_fast(self, pid: Callable[[], int], ended: Callable[[], bool], seconds: float) -> None:
        """Stop the server `pid` (0: none) fast, then immediately where it hangs: it may have crashed meanwhile."""
        deadline = time.monotonic() + seconds

        def progress() -> bool:
            return time.monotonic() < deadline and self.folder.shutting_down()

        _send(pid(), signal.SIGINT)
        if not Deadline(min(seconds, IDLE_STOP_SECONDS), progress).wait_for(ended):
            _send(pid(), signal.SIGQUIT)

    def _maintain(self) -> None:
        if os.fstat(self._postgres_log).st_size > LOG_BYTES:
            self._truncate_log()
        if time.monotonic() - self._touched > TOUCH_SECONDS:
            # Cleaners of /tmp remove files not touched for days; Postgres touches its own.
            self._touched = time.monotonic()
            with contextlib.suppress(OSError):
                os.utime(self._socket_dir / TOKEN_FILE, follow_symlinks=False)

    def _truncate_log(self) -> None:
        # The server appends to the open file, so it is copied and truncated. On a full disk the copy is lost.
        older = self.folder.log.with_name("postgres.log.1")
        try:
            older.unlink(missing_ok=True)
            with self.folder.log.open("rb") as source, os.fdopen(open_private(older), "wb") as target:
                shutil.copyfileobj(source, target)
        except OSError:
            _log.exception("the log could not be kept")
        os.ftruncate(self._postgres_log, 0)


def _send(pid: int, signum: signal.Signals) -> None:
    if pid > 0:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signum)


def report(message: dict[str, object]) -> None:
    """Write the one line to standard output; the opener may have ended."""
    try:
        os.write(1, json.dumps(message).encode() + b"\n")
    except BrokenPipeError:
        _log.info("the opener has ended")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def main() -> None:
    """Detach from the opener, so that it has no child to wait for, and run the server."""
    folder, timeout = Folder(Path(sys.argv[1])), float(sys.argv[2])
    if os.fork():
        os._exit(0)
    logging.basicConfig(format="%(asctime)s [%(process)d] %(message)s", level=logging.INFO)
    os.umask(0o077)
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    try:
        guardian = Guardian(folder, timeout)
        signal.signal(signal.SIGTERM, guardian.stop_soon)
        guardian.run()
    except MemoryServiceError as error:
        _log.error("%s", error)
        report({"error": type(error).__name__, "message": str(error)})
    except OSError as error:
        _log.exception("the operating system refused")
        report({"error": EmbeddedPostgresFailed.__name__, "message": f"{folder.root}: {error}"})


if __name__ == "__main__":
    main()
