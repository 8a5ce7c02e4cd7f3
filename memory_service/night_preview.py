"""Dry run of the next nightly run over one bank, in a child process: this package does not import its jobs."""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from pydantic_core import from_json

from memory_service.config import Settings, environment_of
from memory_service.embedded.lock import Lock
from memory_service.errors import Conflict, MemoryServiceError
from memory_service.running_service import folder_of

COMMAND = (sys.executable, "-P", "-m", "memory_service.jobs.nightly")
LOCK = "night-preview.lock"
SECONDS = 60.0
"""Longest dry run."""
STOP_SECONDS = 5.0
MOST_BYTES = 16_000_000
"""Longest output: a change of a memory is a line of about 220 bytes."""


class NightPreviewFailed(MemoryServiceError):
    """The dry run of the nightly jobs failed."""

    status = 503


class NightPreviewRunning(Conflict):
    """Another dry run of the nightly jobs is in progress: one at a time. Try again in a minute."""


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A change of one memory that a pass would make."""

    memory_id: UUID
    type: str
    act: str
    reason: str


@dataclass(slots=True)
class PassPreview:
    """The counts and changes of one pass in the bank."""

    name: str
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    changes: list[PlannedChange] = field(default_factory=list[PlannedChange])


@dataclass(frozen=True, slots=True)
class NightPreview:
    """The next nightly run over a bank, by pass. Models are not called, so their decisions are not foreseen."""

    bank_id: str
    seconds: float
    passes: tuple[PassPreview, ...]


async def preview_night(settings: Settings, bank_id: str) -> NightPreview:
    """Run `python -m jobs.nightly --dry-run` over an existing bank; it changes nothing.

    Errors: NightPreviewRunning while another one runs on this data folder; NightPreviewFailed with the
    reason, also where the process cannot be started, and after SECONDS.
    """
    with only_one(settings):
        began = time.monotonic()
        try:
            process = await asyncio.create_subprocess_exec(
                *COMMAND, "--dry-run", f"--bank={bank_id}", stdin=DEVNULL, stdout=PIPE, stderr=PIPE,
                env=environment_of(settings),
            )  # fmt: skip
        except OSError as error:  # no memory, processes or open files left
            raise NightPreviewFailed(
                f"the dry run cannot be started ({error.strerror}); try again when the host has memory and processes "
                f"to spare, or run it in a terminal: python -m jobs.nightly --dry-run --bank={bank_id}"
            ) from error
        try:
            async with asyncio.timeout(SECONDS):
                output, problems, code = await outcome(process)
        except TimeoutError:
            raise NightPreviewFailed(
                f"the dry run took longer than {SECONDS:g} s; run it in a terminal: "
                f"python -m jobs.nightly --dry-run --bank={bank_id}"
            ) from None
        finally:
            await stop(process)
        # The last line of a process that was killed is cut off.
        lines = [from_json(line) for line in output[: output.rfind(b"\n") + 1].splitlines()]
        if code != 0:
            raise NightPreviewFailed(f"the dry run failed: {problem_of(lines, problems, code)}")
        return NightPreview(bank_id, time.monotonic() - began, tuple(passes_of(lines)))


@contextmanager
def only_one(settings: Settings) -> Generator[None]:
    """A block for one task at a time of all processes on the data folder. Errors: NightPreviewRunning."""
    folder = folder_of(settings.data_dir)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = Lock(folder / LOCK)
    try:
        if not lock.try_exclusive():
            raise NightPreviewRunning
        yield
    finally:
        lock.close()


async def outcome(process: Process) -> tuple[bytes, bytes, int]:
    """Standard output, standard error and exit code; reads to the end, so that the pipes are closed.

    Errors: NightPreviewFailed above MOST_BYTES, on which the process is killed.
    """

    async def text_of(stream: asyncio.StreamReader | None) -> bytes:
        found = bytearray()
        while stream is not None and (part := await stream.read(65_536)):
            if len(found) <= MOST_BYTES:
                found += part
            else:
                with suppress(ProcessLookupError):
                    process.kill()
        return bytes(found)

    output, problems = await asyncio.gather(text_of(process.stdout), text_of(process.stderr))
    if max(len(output), len(problems)) > MOST_BYTES:
        raise NightPreviewFailed(f"the dry run lists more than {MOST_BYTES // 1_000_000} MB of changes")
    return output, problems, await process.wait()


async def stop(process: Process) -> None:
    """Terminate the process unless it has ended; kill it after STOP_SECONDS."""
    if process.returncode is not None:
        return
    for end in (process.terminate, process.kill):
        with suppress(ProcessLookupError):
            end()
        with suppress(TimeoutError, NightPreviewFailed):
            await asyncio.wait_for(outcome(process), STOP_SECONDS)
        if process.returncode is not None:
            return


def problem_of(lines: Iterable[Mapping[str, Any]], problems: bytes, code: int) -> str:
    """The reason of a failed run: that of the failed bank, else the last line of standard error that is no log."""
    for line in lines:
        if line["event"] == "failed":
            return str(line["reason"])
    said = [one for one in problems.decode(errors="replace").splitlines() if one and not one.startswith("{")]
    return said[-1].removeprefix("error: ") if said else f"exit code {code}"


def passes_of(lines: Iterable[Mapping[str, Any]]) -> list[PassPreview]:
    """The passes in the order in which they run."""
    found: dict[str, PassPreview] = {}
    for line in lines:
        if line["event"] != "would":
            continue
        one = found.setdefault(line["pass"], PassPreview(line["pass"]))
        if "counts" in line:
            one.counts = line["counts"]
        else:
            one.changes.append(
                PlannedChange(UUID(line["memory_id"]), line["type"], line["act"], line["reason"])
            )
    return list(found.values())
