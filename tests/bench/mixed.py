"""Mixed load on `serve`: 50 clients with a bank each send messages, commit memories, recall and read contexts, with one
and with two HTTP processes; and live messages of 50 banks while another bank imports, beside the same without import.

Checked in the run: no call fails, and every acknowledged message is stored.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import httpx
from rich.table import Table

from tests.bench.http_load import quantile
from tests.bench.mixed_clients import MixedLoad, MixedOutcome
from tests.bench.serving import PROCESSES, resident, service

CLIENTS = 50
SECONDS = 30.0
FULL_SECONDS = 120.0
SHARES = {"messages": 0.5, "memories": 0.05, "recall": 0.2, "context": 0.25}
LIVE_PAUSE = 1.0
MOST_ROUNDS = 12
"""Rounds of 10 s of live messages beside an import; processing all of it may take longer."""
IMPORTED, FULL_IMPORTED = 20_000, 100_000


def mixed(table: Table, *, full: bool) -> None:
    """`full`: two minutes and 100,000 imported messages, as the documented figures."""
    with tempfile.TemporaryDirectory(prefix="memory-bench-mixed-") as folder:
        for processes in PROCESSES:
            with service(Path(folder) / f"data{processes}", processes) as (pid, port):
                saturate(table, pid, port, processes, FULL_SECONDS if full else SECONDS)
        with service(Path(folder) / "import", 2) as (_, port):
            beside_import(table, port, FULL_IMPORTED if full else IMPORTED)


def saturate(table: Table, pid: int, port: int, processes: int, seconds: float) -> None:
    create_banks(port, [f"chat-{n}" for n in range(CLIENTS)])
    first = finished(started(MixedLoad(port, CLIENTS, seconds / 4, SHARES, session="warm")))
    middle = resident(pid)
    found = finished(started(MixedLoad(port, CLIENTS, seconds, SHARES)))
    check_stored(port, [first, found])
    total = sum(map(len, found.milliseconds.values()))
    table.add_row(
        f"mixed load, {CLIENTS} clients, {processes} process{'es' * (processes > 1)}",
        f"{total / found.seconds:.0f}/s", "", "",
        f"{total} calls, {found.failed} failed, every acknowledged message stored",
    )  # fmt: skip
    for call, times in sorted(found.milliseconds.items()):
        table.add_row(f"  {call}", f"{quantile(times, 0.5):.0f} ms", f"{quantile(times, 0.99):.0f} ms",
                      f"{quantile(times, 0.99) / quantile(times, 0.5):.1f}", "p50, p99")  # fmt: skip
    after = resident(pid)
    table.add_row("  memory of all its processes", f"{after:.0f} MB", f"{middle:.0f} MB", f"{after / middle:.2f}",
                  "after a fifth of the load")  # fmt: skip


def beside_import(table: Table, port: int, rows: int) -> None:
    """Live messages once a second by each client, alone and while one bank imports."""
    create_banks(port, [f"chat-{n}" for n in range(CLIENTS)])
    create_banks(port, ["imported"], {"intake": "verbatim"})
    live = MixedLoad(port, CLIENTS, 20.0, {"messages": 1.0}, pause=LIVE_PAUSE)
    alone = finished(started(live))
    began = time.perf_counter()
    importing = started(
        MixedLoad(
            port, 2, 1800.0, {"messages": 1.0}, name="import", lane="import", batch=100, bank="imported", most=rows
        )
    )  # fmt: skip
    beside: list[float] = []
    rounds = 0
    while importing.poll() is None or (rounds < MOST_ROUNDS and waiting(port, "imported")):
        again = replace(live, seconds=10.0, session=f"r{rounds}")
        beside += finished(started(again)).milliseconds["messages"]
        rounds += 1
    imported = finished(importing)
    check_stored(port, [imported])
    before, during = (quantile(times, 0.99) for times in (alone.milliseconds["messages"], beside))
    table.add_row(
        f"live messages of {CLIENTS} banks, p99", f"{during:.0f} ms", f"{before:.0f} ms", f"{during / before:.1f}",
        f"the same without import; {rows} rows accepted in {imported.seconds:.0f} s ({imported.refused} refusals), "
        f"{rows - waiting(port, 'imported')} of them processed after {time.perf_counter() - began:.0f} s",
    )  # fmt: skip


def waiting(port: int, bank: str) -> int:
    """Work items of a bank."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        return client.get(f"/v1/banks/{bank}/stats").json()["queue"]["depth"]


def create_banks(port: int, names: Sequence[str], settings: dict[str, object] | None = None) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for name in names:
            client.post("/v1/banks", json={"bank_id": name, "settings": settings or {}}).raise_for_status()


def started(load: MixedLoad) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.mixed_clients"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(json.dumps(asdict(load)))
    process.stdin.close()
    process.stdin = None
    return process


def finished(process: subprocess.Popen[str]) -> MixedOutcome:
    output, _ = process.communicate()
    if process.returncode:
        raise RuntimeError("the clients failed")
    outcome = MixedOutcome(**json.loads(output))
    if outcome.failed:
        raise RuntimeError(f"{outcome.failed} calls failed")
    return outcome


def check_stored(port: int, outcomes: Sequence[MixedOutcome]) -> None:
    """Raise unless each bank has as many messages as were acknowledged."""
    acknowledged: dict[str, int] = {}
    for outcome in outcomes:
        for bank, count in outcome.acknowledged.items():
            acknowledged[bank] = acknowledged.get(bank, 0) + count
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for bank, count in acknowledged.items():
            total = client.get(f"/v1/banks/{bank}/stats").json()["messages"]["total"]
            if total != count:
                raise RuntimeError(f"{bank}: {count} messages acknowledged, {total} stored")
