"""The command `worker`: one intake worker in a separate process, without HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

from memory_service.config import Settings
from memory_service.memory import Memory

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
NICENESS = 10
SWITCH_SECONDS = 0.001
"""Longest time for which one thread keeps the interpreter while another waits. With Python's 5 ms, the embedding of a
live message began after its rules were run, instead of beside them: 3 ms later."""


async def run_worker(settings: Settings, *, alone: bool, until_stdin_ends: bool) -> None:
    """Work until SIGINT or SIGTERM, or with `until_stdin_ends` until the parent process ends.

    `alone`: for the server of the settings only, not for the others of its map.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    stop = stop_event(until_stdin_ends=until_stdin_ends)
    if until_stdin_ends:
        yield_to_requests()
    async with await Memory.open(settings, migrated=False) as memory:
        await memory.work(stop, alone=alone)


def yield_to_requests() -> None:
    """Lower the priority of this process and of its operating-system session below that of the HTTP processes."""
    with suppress(OSError):
        os.nice(NICENESS)
    # Linux can schedule sessions as groups: the niceness of a process then counts within its session only.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))


def stop_event(*, until_stdin_ends: bool) -> asyncio.Event:
    """An event set by SIGINT, SIGTERM or, with `until_stdin_ends`, the end of standard input."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop.set)
    if until_stdin_ends:
        threading.Thread(target=wait_for_end, args=(loop, stop), daemon=True).start()
    return stop


def wait_for_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    while os.read(0, 4096):
        continue
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(stop.set)
