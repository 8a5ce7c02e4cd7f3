"""The price of a night: time per changed bank as banks that did not change become ten times as many, and two processes
beside one. A bank costs here what the budget pass does with ten episodes too many; other passes add their own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import PIPE
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
from rich.table import Table

from jobs.nightly import PASSES
from jobs.reporting import Lines
from jobs.running import DONE, Order, Run
from memory_service.memory import Memory

CHANGED = 40
SHARED = 120
"""Changed banks of the nights that processes share."""
QUIET = (400, 4_000)
"""Banks in which nothing changes, with 20 episodes each."""
EPISODES = 1_010
"""Active ones of a changed bank: ten over the cap."""


class Silent(Lines):
    """A report that keeps the summary alone."""

    def batch(self, runs: list[dict[str, Any]]) -> None: ...

    def summary(self, figures: Any) -> None: ...


async def nights(memory: Memory, admin: asyncpg.Connection[Any], folder: Path, table: Table) -> None:
    await memory.create_bank("model")  # registers the embedding model
    per_bank: dict[int, float] = {}
    made = 0
    for quiet in QUIET:
        await make(admin, f"quiet-{quiet}", quiet - made, 20)
        made = quiet
        await admin.execute("update memory.upkeep set due_at = 'infinity'")
        await make(admin, f"beside-{quiet}", CHANGED, EPISODES)
        await admin.execute("vacuum analyze")
        started = time.perf_counter()
        run = Run(memory, PASSES, Order(datetime.now(UTC)), Silent())
        assert await run.run() == DONE
        assert run.done == CHANGED
        per_bank[quiet] = (time.perf_counter() - started) / CHANGED * 1000
    few, many = QUIET
    table.add_row(
        f"a night, per changed bank, beside {many:,} that are not", f"{per_bank[many]:.1f} ms",
        f"{per_bank[few]:.1f} ms", f"{per_bank[many] / per_bank[few]:.2f}", f"the same beside {few:,}",
    )  # fmt: skip
    alone, together = [await processes(admin, folder, count, f"by-{count}") for count in (1, 2)]
    table.add_row(
        f"a night of {SHARED} changed banks, two processes", f"{together:.2f} s", f"{alone:.2f} s",
        f"{together / alone:.2f}", "one process",
    )  # fmt: skip


async def make(admin: asyncpg.Connection[Any], name: str, banks: int, episodes: int) -> None:
    """Banks that are due, with active episodes of the last year and their vectors."""
    (model,) = await admin.fetchrow("select embedding_model from memory.bank where bank_id = 'model'") or (
        "",
    )
    await admin.execute(
        "insert into memory.bank (bank_id, embedding_model) select $1 || '-' || n, $3 from generate_series(1, $2) as n",
        name, banks, model,
    )  # fmt: skip
    await admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance) select $1 || '-' || n, gen_random_uuid(), 'user', 'active', "
        "now() - e * interval '8 hours', now() - e * interval '8 hours', '{}', 'They told of day ' || e || '.', "
        "0.3 + 0.5 * random() from generate_series(1, $2) as n, generate_series(1, $3) as e",
        name, banks, episodes,
    )  # fmt: skip
    await admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
        "select e.bank_id, e.memory_id, $2, 'episodic', array_fill(0.036, array[768])::public.halfvec "
        "from memory.episodic_memory e where e.bank_id like $1 || '-%'",
        name, model,
    )  # fmt: skip
    await admin.execute(
        "insert into memory.upkeep (bank_id, changed_at) select bank_id, now() from memory.bank "
        "where bank_id like $1 || '-%'",
        name,
    )


async def processes(admin: asyncpg.Connection[Any], folder: Path, count: int, name: str) -> float:
    """Seconds from when the first of these processes began with a bank to when the last one was through with one."""
    await make(admin, name, SHARED, EPISODES)
    await admin.execute("truncate memory.job_run")
    environment = {
        **os.environ,
        "MEMORY_DATA_DIR": str(folder),
        "MEMORY_POOL_SIZE": "3",
        "MEMORY_LOG_LEVEL": "error",
    }
    running = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "jobs.nightly", stdout=PIPE, env=environment,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(count)
    ]  # fmt: skip
    for one in running:
        said, _ = await one.communicate()
        assert json.loads(said.decode().splitlines()[-1])["exit_code"] == DONE
    return await admin.fetchval(
        "select extract(epoch from max(ended_at) - min(started_at))::float8 from memory.job_run"
    )
