"""The process that parents Postgres: starts it, restarts it after a crash, stops it when nobody is left.

Run as `python -m memory_service.embedded.guardian FOLDER SECONDS`; only `open_server` does so. It writes one
JSON line to standard output when the server is ready or cannot be started.
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
from memory_service.embedded.binaries import Answer, binaries_for
from memory_service.embedded.cluster import Cluster
from memory_service.embedded.folder import PORT, TOKEN_FILE, Folder, log_tail, make_socket_dir
from memory_service.embedded.lock import Lock, Patience, open_private
from memory_service.errors import DataFolderInUse, EmbeddedPostgresFailed, MemoryServiceError

TICK_SECONDS = 0.2
TOUCH_SECONDS = 3600.0
LOG_BYTES = 4_000_000
FAST_STOP_SECONDS = 300.0
HANGING_STOP_SECONDS = 3.0
IDLE_STOP_SECONDS = 5.0
"""How long a fast stop may take until it begins to write its checkpoint."""
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 30.0

_log = logging.getLogger("memory_service.embedded.guardian")


class Guardian:
    """Looks after the server of one folder until nobody uses it."""

    def __init__(self, folder: Folder, timeout: float) -> None:
        self.folder = folder
        self.timeout = timeout
        self.told_to_stop = False
        self._touched = time.monotonic()
        self._patience = Patience(timeout)
        self._users = folder.users_lock()
        self._turn = folder.guardian_lock()
        self._log_file = open_private(folder.log, os.O_WRONLY | os.O_APPEND)

    def run(self) -> None:
        """Serve until the last user has left.

        Errors: DataFolderInUse when another server holds the data; EmbeddedPostgresFailed with the cause.
        """
        if not self._patience.wait_for(self._turn.try_exclusive):
            raise DataFolderInUse(f"another guardian looks after {self.folder.root}")
        lock = self._lock_server()
        self.folder.remove_socket_dir()
        account = choose_account(self.folder.pgdata)
        take_over(self.folder.pgdata, account)
        self._binaries = binaries_for(account)
        cluster = Cluster(self.folder, account, self._binaries)
        if not cluster.exists():
            cluster.create(lock, self._patience.left)
        self._socket_dir, token = make_socket_dir(account)
        try:
            self.folder.publish(self._socket_dir, token)
            self._serve(cluster, lock)
        finally:
            self.folder.withdraw()
            shutil.rmtree(self._socket_dir, ignore_errors=True)

    def stop_soon(self, _signal: int, _frame: FrameType | None) -> None:
        """Signal handler: the system is going down, whoever still uses the server."""
        self.told_to_stop = True

    def _serve(self, cluster: Cluster, lock: Lock) -> None:
        self._run_once(cluster, lock, first=True)
        failures = 0
        while not self._over():
            # Backends of the dead server may live a moment longer, and they share the old lock with us: only
            # a newly opened one tells that all of them are gone.
            lock.close()
            self._patience = Patience(self.timeout)
            try:
                lock = self._lock_server()
                _log.warning("starting Postgres again in %s", self.folder.pgdata)
                self._run_once(cluster, lock, first=False)
                failures = 0
            except (MemoryServiceError, OSError) as error:
                # A full disk or a mistake in a setting may pass, and whoever is left has nobody else to wait for.
                _log.error("%s", error)
                self._pause(min(FIRST_PAUSE_SECONDS * 2**failures, LONGEST_PAUSE_SECONDS))
                failures = min(failures + 1, 10)

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._over():
            time.sleep(TICK_SECONDS)

    def _over(self) -> bool:
        return self.told_to_stop or self._users.try_exclusive()

    def _lock_server(self) -> Lock:
        """Get the server's lock, newly opened, once no Postgres process of this data is left."""
        lock = self.folder.server_lock()
        if Patience(min(1.0, self._patience.left)).wait_for(lock.try_exclusive):
            return lock
        orphan = self.folder.orphan()
        if orphan is not None:
            _log.warning("stopping Postgres %d, which outlived its guardian", orphan)
            self._stop_fast(lambda: self.folder.orphan() or 0, lock.try_exclusive, self._patience.left / 2)
        if not self._patience.wait_for(lock.try_exclusive):
            lock.close()
            raise DataFolderInUse(
                f"a Postgres process still holds the data folder {self.folder.root}, perhaps in another "
                "container; stop it first"
            )
        return lock

    def _run_once(self, cluster: Cluster, lock: Lock, *, first: bool) -> None:
        """Run the server to its end or to ours. Errors: EmbeddedPostgresFailed when it does not come up."""
        start = os.fstat(self._log_file).st_size
        process = cluster.start(self._socket_dir, lock, self._log_file)
        problem: str | None = "was left"
        try:
            problem = self._wait_until_ready(process)
            if problem is None:
                self._attend(process, first=first)
        finally:
            self._stop(process, HANGING_STOP_SECONDS if problem else FAST_STOP_SECONDS)
        if problem is not None:
            tail = log_tail(self.folder.log, start)
            raise EmbeddedPostgresFailed(f"Postgres in {self.folder.pgdata} {problem}:\n{tail}")
        _log.warning("Postgres ended with code %s", process.returncode)

    def _attend(self, process: subprocess.Popen[bytes], *, first: bool) -> None:
        if first:
            report({"ready": True})
        while process.poll() is None:
            if self._over():
                self.folder.withdraw()
                return
            self._keep_house()
            time.sleep(TICK_SECONDS)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> str | None:
        """Wait while the server starts and says so, however long it takes; get what is wrong, or None."""

        def ask() -> Answer:
            return self._binaries.ask(self._socket_dir, PORT)

        def settled() -> bool:
            return process.poll() is not None or self.told_to_stop or ask() is Answer.ACCEPTING

        self._patience.sign_of_life = lambda: ask() is Answer.STARTING
        if not self._patience.wait_for(settled):
            return f"gave no sign of life for {self.timeout:.0f} s"
        if process.returncode is not None:
            return f"ended with code {process.returncode} while starting"
        return "was told to stop while starting" if self.told_to_stop else None

    def _stop(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        """Stop the server fast, which rolls back what is open and writes a checkpoint, or at once where it is
        in crash recovery.

        After a crash, Postgres 18 never signals the checkpointer if a fast stop interrupts the recovery, and waits
        for it for ever. An immediate stop loses nothing that was committed; the next start recovers.
        """
        if process.poll() is not None:
            return
        if self._binaries.ask(self._socket_dir, PORT) is Answer.STARTING and not self.folder.told_to_stop():
            process.send_signal(signal.SIGQUIT)
        else:
            self._stop_fast(lambda: process.pid, lambda: process.poll() is not None, seconds)
        process.wait()

    def _stop_fast(self, pid: Callable[[], int], ended: Callable[[], bool], seconds: float) -> None:
        """Stop the server `pid` (0: none) fast, then at once where it hangs: it may have crashed meanwhile."""
        deadline = time.monotonic() + seconds

        def progress() -> bool:
            return time.monotonic() < deadline and self.folder.shutting_down()

        _send(pid(), signal.SIGINT)
        if not Patience(min(seconds, IDLE_STOP_SECONDS), progress).wait_for(ended):
            _send(pid(), signal.SIGQUIT)

    def _keep_house(self) -> None:
        if os.fstat(self._log_file).st_size > LOG_BYTES:
            self._cut_log()
        if time.monotonic() - self._touched > TOUCH_SECONDS:
            # Cleaners of /tmp remove what nobody has touched for days; Postgres touches its own files.
            self._touched = time.monotonic()
            with contextlib.suppress(OSError):
                os.utime(self._socket_dir / TOKEN_FILE, follow_symlinks=False)

    def _cut_log(self) -> None:
        # The server keeps the file open to append, so it is copied and emptied. A full disk costs the copy.
        older = self.folder.log.with_name("postgres.log.1")
        try:
            older.unlink(missing_ok=True)
            with self.folder.log.open("rb") as source, os.fdopen(open_private(older), "wb") as target:
                shutil.copyfileobj(source, target)
        except OSError:
            _log.exception("the log could not be kept")
        os.ftruncate(self._log_file, 0)


def _send(pid: int, how: signal.Signals) -> None:
    if pid > 0:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)


def report(message: dict[str, object]) -> None:
    """Tell the opener, once; it may be gone by now."""
    try:
        os.write(1, json.dumps(message).encode() + b"\n")
    except BrokenPipeError:
        _log.info("the opener is gone")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def main() -> None:
    """Detach from the opener, so that it has no child to wait for, and guard."""
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
