"""A process that `serve` keeps running beside itself: a worker, or one more that answers HTTP."""

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
    """A command of this package in a process of its own, started again when it dies.

    It reads a pipe from this process: when this process ends, however it ends, the pipe ends and so does the child.
    """

    def __init__(self, *command: str, name: str, descriptors: Sequence[int] = ()) -> None:
        self._command = [sys.executable, "-m", "memory_service", *command, "--until-stdin-ends"]
        self._name = name
        self._descriptors = descriptors
        self._process: subprocess.Popen[bytes] | None = None
        self._asked: subprocess.Popen[bytes] | None = None
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
                start_new_session=True,  # Ctrl-C reaches this process, which stops the child when its turn comes
            )
            code = self._process.wait()
            if not self._stopping.is_set():
                log.warning(f"{self._name} died; starting another", exit_code=code)
                self._stopping.wait(RESTART_SECONDS)

    def retire(self) -> None:
        """Start it no more when it ends."""
        self._stopping.set()

    def ask(self) -> None:
        """Ask it to finish what it holds and end; it is started no more."""
        self.retire()
        process = self._process
        if process is not None and process is not self._asked:
            process.send_signal(signal.SIGTERM)
            self._asked = process

    def stop(self) -> None:
        """Ask it to end, wait, and end it if it does not."""
        self.retire()
        deadline = time.monotonic() + STOP_SECONDS
        while self._keeper.is_alive():
            self.ask()  # again: the keeper may just be starting one
            if self._process is not None and time.monotonic() > deadline:
                self._process.kill()
            self._keeper.join(timeout=0.05)
