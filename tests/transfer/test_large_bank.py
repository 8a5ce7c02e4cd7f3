"""The memory of export and import does not grow with the bank: `ROWS=1000000` for the full size."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from memory_service.memory import Memory
from tests.conftest import Admin
from tests.transfer.test_transfer_commands import environment

__all__ = ["environment"]

SMALL = 1_000
LARGE = int(os.environ.get("ROWS", "30000"))
FILL = """
insert into memory.message
    (bank_id, message_id, conversation_id, position, role, content, occurred_at, recorded_at, status)
select %(bank)s, gen_random_uuid(), 'c' || n / 1000, n %% 1000 + 1, 'user', repeat('word ' || n || ' ', 20), now(),
       now(), 'refused'
  from generate_series(0, %(rows)s - 1) as n
"""
GROWTH = 10 * 1024
"""Kilobytes: half of what 30,000 rows take at once."""


MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Run in a small process, because the peak of a child is at least the memory of the process that starts it."""


def peak(environment: Mapping[str, str], *words: str) -> int:
    """The largest resident memory of a command, in kilobytes. Errors: CalledProcessError if it fails."""
    command = [sys.executable, "-c", MEASURED, sys.executable, "-m", "memory_service", *words]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return int(done.stdout)


async def test_memory_is_bounded(
    memory: Memory, admin: Admin, environment: Mapping[str, str], tmp_path: Path
) -> None:
    peaks: dict[str, list[int]] = {"export": [], "import": []}
    for bank, rows in (("small", SMALL), ("large", LARGE)):
        await memory.create_bank(bank)
        admin.execute(FILL.encode(), {"bank": bank, "rows": rows})
        file = str(tmp_path / bank)
        peaks["export"].append(peak(environment, "export", bank, "--out", file))
        peaks["import"].append(peak(environment, "import-bank", file, "--bank", f"{bank}-copy"))
        counted = admin.execute(
            "select count(*) from memory.message where bank_id = %s", (f"{bank}-copy",)
        ).fetchone()
        assert counted == (rows,)
    print(f"peak kB, {SMALL} and {LARGE} rows: {peaks}")
    for small, large in peaks.values():
        assert large < small + GROWTH
