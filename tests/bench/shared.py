"""Two agent processes on one bank: from the acknowledgement of one's write until the other recalls it, beside the
embedding model's own time for that text. The service is idle but for them; the second agent asks again and again."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx
from rich.table import Table

from tests.bench.http_load import quantile
from tests.bench.intake import bare_model
from tests.bench.serving import service
from tests.bench.words import sentences

BANK = "shared"
WRITES = 60
WARM = 6
"""Recalls of a text before it is written, so that every process has its embedding."""
MOST_SECONDS = 10.0


def shared(table: Table) -> None:
    """Commits, and messages of a bank without gate, with two HTTP processes and a worker."""
    with tempfile.TemporaryDirectory(prefix="memory-bench-shared-") as folder:
        with service(Path(folder) / "data", 2) as (_, port), reader(port) as other:
            create_bank(port)
            texts = sentences(2 * WRITES, seed=11)
            commits = [recalled_after(port, other, text, commit=True) for text in texts[:WRITES]]
            messages = [recalled_after(port, other, text, commit=False) for text in texts[WRITES:]]
        model = bare_model(Path(folder) / "data")
        own: list[float] = []
        for text in texts:
            began = time.perf_counter()
            model.embed(model.tokenize([text]))
            own.append(time.perf_counter() - began)
    for name, times in (("commit", commits), ("message, verbatim", messages)):
        seconds, asked = ([one[place] for one in times] for place in (0, 1))
        beyond, before = ((median(values) - median(own)) * 1000 for values in (seconds, asked))
        table.add_row(
            f"{name} of one agent until another recalls it", f"{median(seconds) * 1000:.1f} ms",
            f"{median(own) * 1000:.1f} ms", f"{median(seconds) / median(own):.1f}",
            f"the model on the same text; {beyond:+.1f} ms, {before:+.1f} ms until it asks, "
            f"p90 {quantile(seconds, 0.9) * 1000:.0f} ms",
        )  # fmt: skip


def create_bank(port: int) -> None:
    body = {"bank_id": BANK, "settings": {"intake": "verbatim"}}
    httpx.post(f"http://127.0.0.1:{port}/v1/banks", json=body).raise_for_status()


def recalled_after(
    port: int, other: subprocess.Popen[str], text: str, *, commit: bool
) -> tuple[float, float]:
    """Seconds from the acknowledgement until the other process has an answer with the text, and asked for it."""
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(json.dumps(text) + "\n")
    other.stdin.flush()
    other.stdout.readline()  # it asks now
    base = f"http://127.0.0.1:{port}/v1/banks/{BANK}"
    if commit:
        httpx.post(f"{base}/memories", json={"content": text}).raise_for_status()
    else:
        body = {"conversation_id": "c", "messages": [{"role": "user", "content": text}]}
        httpx.post(f"{base}/messages", json=body).raise_for_status()
    acknowledged = time.monotonic()
    asked, answered = (float(word) - acknowledged for word in other.stdout.readline().split())
    return answered, max(0.0, asked)


@contextmanager
def reader(port: int) -> Generator[subprocess.Popen[str]]:
    """The second agent's process."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.shared", str(port)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process
        assert process.stdin is not None
        process.stdin.close()


def read(port: int) -> None:
    """For each text on stdin: ask until it is found; print when the last question and its answer were, on the clock
    that processes share."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for line in sys.stdin:
            text = json.loads(line)
            for _ in range(WARM):
                found(client, text)
            print(flush=True)
            began = time.monotonic()
            asked = began
            while not found(client, text):
                asked = time.monotonic()
                if asked - began > MOST_SECONDS:
                    raise RuntimeError("it was never recalled")
            print(asked, time.monotonic(), flush=True)


def found(client: httpx.Client, text: str) -> bool:
    answer = client.post(f"/v1/banks/{BANK}/recall", json={"query": text, "k": 3, "min_score": 0})
    answer.raise_for_status()
    return any(item["content"] == text for item in answer.json()["items"])


if __name__ == "__main__":
    read(int(sys.argv[1]))
