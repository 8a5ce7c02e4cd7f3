"""`serve` with one HTTP process and with two: 16 clients over keep-alive connections in a separate process read and
write in a bank of 700 memories. Requests per second depend on the other load of the machine; the processor time of each
request, in service, database and clients, depends on it less: two cores have 2,000 ms per second."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx
from rich.table import Table

from tests.acceptance.running import processes_of
from tests.bench.http_load import Load, Outcome
from tests.bench.words import sentences, turns

CLIENTS = 16
SECONDS = 10.0
MEMORIES = 700
QUERIES = 50
"""Different ones, each embedded once before the time is taken."""
PROCESSES = (1, 2)


def serving(table: Table) -> None:
    """Requests a second with one and two processes, beside `GET /healthz` of the same processes and clients."""
    with tempfile.TemporaryDirectory(prefix="memory-bench-serve-") as folder:
        for processes in PROCESSES:
            with service(Path(folder) / "data", processes) as (pid, port):
                fill(port)
                measure(pid, port, Path(folder) / "data", processes, table)


def measure(pid: int, port: int, data: Path, processes: int, table: Table) -> None:
    queries = sentences(QUERIES, seed=5)
    bodies: dict[str, tuple[str, str, list[Any]]] = {
        "healthz": ("GET", "/healthz", [None]),
        "recalls": ("POST", "/v1/banks/served/recall", [{"query": q, "k": 10} for q in queries]),
        "contexts": ("POST", "/v1/banks/served/context", [{"message": q} for q in queries]),
        "messages": (
            "POST",
            "/v1/banks/written/messages",
            [{"conversation_id": "load", "messages": [{"role": "user", "content": q}]} for q in queries],
        ),
    }
    before = resident(pid)
    bare: Outcome | None = None
    for name, (method, path, contents) in bodies.items():
        texts = ["" if content is None else json.dumps(content) for content in contents]
        loaded(Load(port, method, path, texts, CLIENTS, 3.0))  # each process embeds the queries once
        used = {name: processor_seconds(group) for name, group in groups(pid, data).items()}
        found = loaded(Load(port, method, path, texts, CLIENTS, SECONDS))
        cost = {
            name: (processor_seconds(group) - used[name]) * 1000 / (found.per_second * SECONDS)
            for name, group in groups(pid, data).items()
        }
        cost["clients"] = found.cpu * 1000 / found.per_second
        told = ", ".join(f"{who} {milliseconds:.2f} ms" for who, milliseconds in cost.items())
        if found.failed:
            raise RuntimeError(f"{found.failed} {name} failed")
        bare = bare or found
        table.add_row(
            f"{name}, {CLIENTS} clients, {processes} process{'es' * (processes > 1)}",
            f"{found.per_second:.0f}/s", f"{bare.per_second:.0f}/s", f"{bare.per_second / found.per_second:.1f}",
            f"GET /healthz; p50 {found.p50:.0f} ms, p99 {found.p99 / found.p50:.1f} x that",
        )  # fmt: skip
        table.add_row("  its processor time", f"{sum(cost.values()):.2f} ms", "", "", told)
    after = resident(pid)
    table.add_row("  memory of all its processes", f"{after:.0f} MB", f"{before:.0f} MB", f"{after / before:.2f}",
                  "before the load")  # fmt: skip


def loaded(load: Load) -> Outcome:
    command = [sys.executable, "-m", "tests.bench.http_load"]
    ended = subprocess.run(
        command, input=json.dumps(asdict(load)), capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise RuntimeError(f"the clients failed: {ended.stderr[-2000:]}")
    return Outcome(**json.loads(ended.stdout))


@contextmanager
def service(data: Path, processes: int) -> Generator[tuple[int, int]]:
    """A service on a data folder, once all its processes answer; its process and its port."""
    environment = {
        **os.environ,
        "MEMORY_DATA_DIR": str(data),
        "MEMORY_PORT": "0",
        "MEMORY_PROCESSES": str(processes),
    }
    log = data.with_name("serve.log")
    log.unlink(missing_ok=True)
    with log.open("ab") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "memory_service", "serve"],
            env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
        )  # fmt: skip
    assert process.stdout is not None
    found = None
    for line in process.stdout:
        if found := re.search(r"answers on http://127.0.0.1:(\d+)", line):
            break
    if found is None:
        raise RuntimeError(f"the service did not start: {log.read_text()[-2000:]}")
    draining = threading.Thread(target=process.stdout.read, daemon=True)
    draining.start()
    try:
        while log.read_text().count("one more HTTP process answers") < processes - 1:
            time.sleep(0.05)
        yield process.pid, int(found[1])
    finally:
        process.terminate()
        process.wait()
        draining.join()
        process.stdout.close()


def fill(port: int) -> None:
    """A bank of so many memories, everything decided; again, it is there already."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        made = client.post("/v1/banks", json={"bank_id": "served", "settings": {"intake": "verbatim"}})
        if made.status_code == 201:
            texts = turns(MEMORIES, seed=3)
            for start in range(0, len(texts), 100):
                messages = [{"role": "user", "content": text} for text in texts[start : start + 100]]
                body = {"conversation_id": f"c{start}", "messages": messages}
                client.post("/v1/banks/served/messages", json=body).raise_for_status()
        client.post("/v1/banks", json={"bank_id": "written"})
        for bank_id in ("served", "written"):
            while client.get(f"/v1/banks/{bank_id}/stats").json()["queue"]["depth"]:
                time.sleep(0.2)


def resident(pid: int) -> float:
    """Megabytes of a process and its children."""
    return sum(memory_of(member) for member in (pid, *children(pid)))


def groups(pid: int, data: Path) -> dict[str, set[int]]:
    """The processes of the service, and those of its database, whose place is the data folder."""
    own = {pid, *children(pid)}
    return {"service": own, "database": set(processes_of(data)) - own}


def processor_seconds(pids: set[int]) -> float:
    ticks = 0
    for pid in pids:
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> Sequence[int]:
    listed: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        listed += map(int, (task / "children").read_text().split())
    return listed


def memory_of(pid: int) -> float:
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
    return 0.0
