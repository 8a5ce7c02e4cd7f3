"""The cost of a nightly run: time per changed bank with ten times as many unchanged banks, with two processes beside
one, and the memory of a process.

Each changed bank is at its caps (1,000 active and 5,000 archived episodes, 500 facts) and has 15 new exchanges, five of
which state a fact: 15 episodes are archived, 15 deprecated, and five facts dropped. Each run has other changed banks
than the run before; unchanged banks are not due. There are

- with --full (20 GB of disk, half an hour): 1,000 banks in all, each at its caps, of which 5 % change per run; then
  9,000 more small ones, of 20 episodes and five facts
- without: 200 at their caps, of which 20 change per run, and small ones up to 400 in all; then up to 4,000

No language model, and the built-in embedding model.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import asyncpg
from rich.table import Table

from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import Report
from memory_service.jobs.runner import DONE, NightlyRun, RunOptions
from memory_service.memory import Memory
from tests.bench.caps import AT_CAPS, SMALL, Caps

NIGHTS = 2
"""Of each kind, by turns where they are compared."""


@dataclass(frozen=True, slots=True)
class Scale:
    at_caps: int
    changed: int
    few: int
    """Banks in all, then"""
    many: int
    hungry: tuple[int, int]
    """Changed banks of two nights whose memory is compared; processes share as many as the second has, at most half of
    those at their caps."""


USUAL = Scale(at_caps=200, changed=20, few=400, many=4_000, hungry=(5, 100))
FULL = Scale(at_caps=1_000, changed=50, few=1_000, many=10_000, hungry=(5, 200))


@dataclass(frozen=True, slots=True)
class Shared:
    """What a night of several processes took."""

    commands: float
    """Seconds from the start of the commands to the end of the last."""
    banks: float
    """Seconds from when the first began with a bank to when the last was through with one."""
    peak: int
    """The most megabytes that one of them took."""


class Clock(Report):
    """A report that notes when each bank was begun."""

    def __init__(self) -> None:
        self.began_at: list[float] = []

    def began(self, bank_id: str) -> None:
        self.began_at.append(time.perf_counter())


class Nights:
    """Consecutive nightly runs, each a day later and with other banks that have changed."""

    def __init__(self, memory: Memory, admin: asyncpg.Connection[Any], folder: Path, scale: Scale) -> None:
        self._memory = memory
        self._admin = admin
        self._folder = folder
        self._at = datetime.now(UTC)
        self.caps = Caps(memory, admin, self._at)
        self._banks = [f"caps-{n}" for n in range(scale.at_caps)]
        self._next = 0

    async def fill(self, scale: Scale) -> None:
        await self.caps.make(self._banks[0], AT_CAPS)
        await self.caps.copy(self._banks[0], self._banks[1:])
        await self.caps.make("unchanged-0", SMALL)
        await self.grow(scale.at_caps + 1, scale.few)

    async def grow(self, since: int, until: int) -> None:
        await self.caps.copy("unchanged-0", [f"unchanged-{n}" for n in range(since, until)])
        await self._admin.execute("vacuum analyze")

    async def day(self, changed: int, days: int = 1) -> datetime:
        """A day passes, and only in so many banks something happens. No day: in so many others, on the same day."""
        banks = [self._banks[(self._next + n) % len(self._banks)] for n in range(changed)]
        self._next += changed
        self._at += timedelta(days=days)
        await self.caps.rest()
        await self.caps.pass_day(banks, self._at)
        await self._admin.execute("truncate memory.job_run")
        return self._at

    async def per_bank(self, changed: int) -> list[float]:
        """Milliseconds of each changed bank, in this process."""
        at = await self.day(changed)
        clock = Clock()
        run = NightlyRun(self._memory, PASSES, RunOptions(at), clock)
        assert await run.run() == DONE
        assert run.done == changed
        ends = [*clock.began_at, time.perf_counter()]
        return [(end - start) * 1000 for start, end in pairwise(ends)]

    async def processes(self, changed: int, count: int, days: int = 1) -> Shared:
        """A night of so many processes, each its own command."""
        at = await self.day(changed, days)
        start = time.perf_counter()
        peaks = await asyncio.gather(*(asyncio.to_thread(self._process, at) for _ in range(count)))
        commands = time.perf_counter() - start
        banks = await self._admin.fetchval(
            "select extract(epoch from max(ended_at) - min(started_at))::float8 from memory.job_run"
        )
        return Shared(commands, banks, max(peaks))

    def _process(self, at: datetime) -> int:
        environment = {
            "MEMORY_DATA_DIR": str(self._folder), "MEMORY_POOL_SIZE": "3", "MEMORY_LOG_LEVEL": "error",
        }  # fmt: skip
        command = [sys.executable, "-m", "jobs.nightly", "--as-of", at.isoformat()]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, env={**os.environ, **environment}, cwd=Path(__file__).parents[2]
        ) as process:
            assert process.stdout is not None
            said = process.stdout.read().decode().splitlines()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert json.loads(said[-1])["exit_code"] == DONE
        return usage.ru_maxrss // (1024 * 1024 if sys.platform == "darwin" else 1024)


async def nights(
    memory: Memory, admin: asyncpg.Connection[Any], folder: Path, table: Table, *, full: bool = False
) -> None:
    scale = FULL if full else USUAL
    night = Nights(memory, admin, folder, scale)
    await night.fill(scale)
    await night.per_bank(scale.changed)  # warms up
    few = [await night.per_bank(scale.changed) for _ in range(NIGHTS)]
    await night.grow(scale.few, scale.many)
    await night.per_bank(scale.changed)
    many = [await night.per_bank(scale.changed) for _ in range(NIGHTS)]
    typical = [statistics.median(chain.from_iterable(found)) for found in (few, many)]
    table.add_row(
        f"a night, per changed bank at its caps, of {scale.many:,} banks in all", f"{typical[1]:.0f} ms",
        f"{typical[0]:.0f} ms", f"{typical[1] / typical[0]:.2f}", f"the same of {scale.few:,}",
    )  # fmt: skip
    await beside_one(night, scale, table)
    sizes: Sequence[int] = scale.hungry
    peaks = [(await night.processes(size, 1)).peak for size in sizes]
    table.add_row(
        f"memory of the process in a night of {sizes[1]} changed banks", f"{peaks[1]} MB", f"{peaks[0]} MB",
        f"{peaks[1] / peaks[0]:.2f}", f"the same of {sizes[0]}",
    )  # fmt: skip


async def beside_one(night: Nights, scale: Scale, table: Table) -> None:
    """On the same days, each with half of the banks, by turns: what there is to compress differs from day to day, by as
    much in all banks that were copied alike."""
    found: dict[int, list[Shared]] = {1: [], 2: []}
    for turn in range(NIGHTS):
        for days, count in ((1, 1 + turn % 2), (0, 2 - turn % 2)):
            found[count].append(await night.processes(scale.hungry[1], count, days))
    whole = f"a night of {scale.hungry[1]} changed banks by two processes"
    for what, name in ((whole, "commands"), ("  from their first bank to their last", "banks")):
        alone, together = (statistics.mean(getattr(one, name) for one in found[count]) for count in (1, 2))
        table.add_row(
            what, f"{together:.2f} s", f"{alone:.2f} s", f"{together / alone:.2f}", "one process",
        )  # fmt: skip
