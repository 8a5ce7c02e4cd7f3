"""Child processes of `serve`: workers and further HTTP servers."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import structlog

log = structlog.get_logger()

STOP_SECONDS = 20.0
RESTART_SECONDS = 1.0


class ChildProcess:
    """Runs a command of this package in a child process and restarts it when it exits.

    The child reads a pipe from this process and exits when the pipe is closed, so also after a crash of this process.
    """

    def __init__(self, *command: str, name: str, descriptors: Sequence[int] = ()) -> None:
        self._command = [sys.executable, "-P", "-m", "memory_service", *command, "--until-stdin-ends"]
        self._name = name
        self._descriptors = descriptors
        self._process: subprocess.Popen[bytes] | None = None
        self._terminated: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        self._keeper.start()

    def _keep(self) -> None:
        while not self._stopping.is_set():
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                pass_fds=self._descriptors,
                start_new_session=True,  # Ctrl-C reaches this process only, which then stops the child
            )
            code = self._process.wait()
            if not self._stopping.is_set():
                log.warning(f"{self._name} died; starting another", exit_code=code)
                self._stopping.wait(RESTART_SECONDS)

    def retire(self) -> None:
        """Do not restart the child when it exits."""
        self._stopping.set()

    def terminate(self) -> None:
        """Send SIGTERM once, on which the child finishes its current work and exits; it is not restarted."""
        self.retire()
        process = self._process
        if process is not None and process is not self._terminated:
            process.send_signal(signal.SIGTERM)
            self._terminated = process

    def stop(self) -> None:
        """Terminate the child and wait; kill it after STOP_SECONDS."""
        self.retire()
        deadline = time.monotonic() + STOP_SECONDS
        while self._keeper.is_alive():
            self.terminate()  # repeated: the thread may just have started another process
            if self._process is not None and time.monotonic() > deadline:
                self._process.kill()
            self._keeper.join(timeout=0.05)
