"""The hooks of plugin/ as a coding agent runs them, beside a Python process that does nothing: a running service with
a bank of 700 memories, a port without a listener, and a service that accepts connections and never answers."""

from __future__ import annotations

import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.table import Table

from tests.bench.serving import fill, service
from tests.bench.words import sentences

HOOK = Path(__file__).parents[2] / "plugin" / "hooks" / "memory_hook.py"
PYTHON = [sys.executable, "-I", "-S"]
ROUNDS = 100


def hooks(table: Table) -> None:
    """Milliseconds of a hook from its start to its end, p50 and p95."""
    with tempfile.TemporaryDirectory(prefix="memory-bench-hooks-") as folder:
        with service(Path(folder) / "data", 1) as (_, port), socket.create_server(("127.0.0.1", 0)) as silent:
            fill(port)
            prompts = sentences(ROUNDS, seed=7)
            transcript = Path(folder) / "session.jsonl"
            transcript.write_text("".join(line(number, text) for number, text in enumerate(prompts)))

            def run(event: str, asked: int, number: int) -> int:
                environment = {
                    "HOME": folder, "MEMORY_BANK": "served", "MEMORY_URL": f"http://127.0.0.1:{asked}",
                }  # fmt: skip
                given = {"session_id": "s1", "transcript_path": str(transcript), "prompt": prompts[number]}
                command = [*PYTHON, str(HOOK), event]
                done = subprocess.run(
                    command,
                    input=json.dumps(given).encode(),
                    env=environment,
                    capture_output=True,
                    check=True,
                )
                return len(done.stdout)

            with socket.create_server(("127.0.0.1", 0)) as closed:
                unused = closed.getsockname()[1]
            operations: dict[str, Callable[[int], object]] = {
                "bare": lambda _: subprocess.run([*PYTHON, "-c", "pass"], check=True),
                "context before a prompt": lambda number: run("context", port, number),
                "store after an answer": lambda number: run("store", port, number),
                "context, no service": lambda number: run("context", unused, number),
                "context, a silent service": lambda number: run("context", silent.getsockname()[1], number),
            }
            taken: dict[str, list[float]] = {name: [] for name in operations}
            printed = 0
            for number in range(ROUNDS):
                for name, operation in operations.items():
                    began = time.perf_counter()
                    result = operation(number)
                    taken[name].append((time.perf_counter() - began) * 1000)
                    if name == "context before a prompt":
                        printed += bool(result)
        bare = statistics.median(taken.pop("bare"))
        for name, values in taken.items():
            p50, p95 = statistics.median(values), statistics.quantiles(values, n=20)[-1]
            compared = f"python -c pass; p95 {p95:.0f} ms"
            if name == "context before a prompt":
                compared += f"; {printed} of {ROUNDS} printed one"
            table.add_row(f"hook: {name}", f"{p50:.0f} ms", f"{bare:.0f} ms", f"{p50 / bare:.1f}", compared)


def line(number: int, text: str) -> str:
    entry = {
        "type": "user", "message": {"role": "user", "content": text}, "uuid": f"u{number}",
        "timestamp": "2026-03-01T09:00:00Z",
    }  # fmt: skip
    return json.dumps(entry) + "\n"
