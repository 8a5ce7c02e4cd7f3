"""Finds the service that runs on the data folder, or starts one that keeps running."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from memory_service.data_dir import default_data_dir
from memory_service.errors import ServiceUnavailable
from memory_service.running_service import DATA_DIR, RunningService, find_service, folder_of

LOCK, LOG = "start.lock", "service.log"
PORT = "MEMORY_PORT"
ANY_PORT = "0"
START_SECONDS = 300.0
"""The first start creates the cluster and converts the embedding model."""
POLL_SECONDS = 0.1


def found_or_started(environment: Mapping[str, str] = os.environ) -> RunningService:
    """The running service. Without one, `serve` is started, on a free port unless MEMORY_PORT names one; two processes
    that want a service start one. Errors: ServiceUnavailable naming the log."""
    service = find_service(environment)
    if service is not None:
        return service
    folder = folder_of(Path(environment.get(DATA_DIR) or default_data_dir()))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with locked(folder / LOCK):
        return find_service(environment) or started(folder, environment)


@contextmanager
def locked(path: Path) -> Generator[None]:
    """A block that one process at a time runs. The lock ends with its process."""
    import fcntl

    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def started(folder: Path, environment: Mapping[str, str]) -> RunningService:
    log = folder / LOG
    with log.open("ab") as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "memory_service", "serve"], env={PORT: ANY_PORT, **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True,
        )  # fmt: skip
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        service = find_service(environment)
        if service is not None:
            return service
        if process.poll() is not None:
            raise ServiceUnavailable(f"the service ended while it was starting: {log} says why")
        time.sleep(POLL_SECONDS)
    process.terminate()
    raise ServiceUnavailable(f"the service did not start within {START_SECONDS:g} s: {log} says why")
