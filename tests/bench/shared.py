"""Two agent processes on one bank: from the acknowledgement of one's write until the other recalls it, beside the
embedding model's own time for that text. The service is idle but for them: the second agent asks once for each write.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import httpx
from rich.table import Table

from tests.bench.intake import bare_model
from tests.bench.serving import service
from tests.bench.words import sentences

BANK = "shared"
WRITES = 60
WARM = 6
"""Recalls of a text before it is written, so that every process has its embedding."""
FIRST_DELAY = 0.02
STEP_SECONDS = 0.002
PAUSE_SECONDS = 0.1
"""Before each write, so that the writes before it have left the worker."""


def shared(table: Table) -> None:
    """Commits, and messages of a bank without gate, with two HTTP processes and a worker."""
    with tempfile.TemporaryDirectory(prefix="memory-bench-shared-") as folder:
        with service(Path(folder) / "data", 2) as (_, port), reader(port) as other:
            create_bank(port)
            texts = sentences(2 * WRITES, seed=11)
            commits = staircase(port, other, texts[:WRITES], commit=True)
            messages = staircase(port, other, texts[WRITES:], commit=False)
        model = bare_model(Path(folder) / "data")
        own: list[float] = []
        for text in texts:
            time.sleep(PAUSE_SECONDS)
            began = time.perf_counter()
            model.embed(model.tokenize([text]))
            own.append(time.perf_counter() - began)
    for name, times in (("commit", commits), ("message, verbatim", messages)):
        asked, answered = (median(one[place] for one in times) for place in (0, 1))
        table.add_row(
            f"{name} of one agent until another recalls it: asked, answered",
            f"{asked * 1000:.1f}, {answered * 1000:.1f} ms", f"{median(own) * 1000:.1f} ms",
            f"{asked / median(own):.1f}, {answered / median(own):.1f}",
            f"the model on the same text; {(asked - median(own)) * 1000:+.1f}, "
            f"{(answered - median(own)) * 1000:+.1f} ms",
        )  # fmt: skip


def staircase(
    port: int, other: subprocess.Popen[str], texts: Sequence[str], *, commit: bool
) -> list[tuple[float, float]]:
    """Write each text, and let the other process ask for it once, after a delay that is shortened where it was found,
    else lengthened: it settles where half of the answers have the text (Dixon and Mood 1948). Seconds from the
    acknowledgement until it asked and was answered, of the second half of the texts. Nothing else runs meanwhile."""
    delay = FIRST_DELAY
    times: list[tuple[float, float]] = []
    for text in texts:
        time.sleep(PAUSE_SECONDS)
        found, asked, answered = asked_after(port, other, text, delay, commit=commit)
        times.append((asked, answered))
        delay = max(0.0, delay + (-STEP_SECONDS if found else STEP_SECONDS))
    return times[len(times) // 2 :]


def create_bank(port: int) -> None:
    body = {"bank_id": BANK, "settings": {"intake": "verbatim"}}
    httpx.post(f"http://127.0.0.1:{port}/v1/banks", json=body).raise_for_status()


def asked_after(
    port: int, other: subprocess.Popen[str], text: str, delay: float, *, commit: bool
) -> tuple[bool, float, float]:
    """Whether the other process found the text, asked for it `delay` seconds after the acknowledgement; seconds from
    the acknowledgement until it asked and had its answer."""
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(json.dumps(text) + "\n")
    other.stdin.flush()
    other.stdout.readline()  # its embedding is cached
    time.sleep(PAUSE_SECONDS)
    base = f"http://127.0.0.1:{port}/v1/banks/{BANK}"
    if commit:
        httpx.post(f"{base}/memories", json={"content": text}).raise_for_status()
    else:
        body = {"conversation_id": "c", "messages": [{"role": "user", "content": text}]}
        httpx.post(f"{base}/messages", json=body).raise_for_status()
    acknowledged = time.monotonic()
    time.sleep(delay)
    other.stdin.write("\n")
    other.stdin.flush()
    found, asked, answered = other.stdout.readline().split()
    return found == "True", float(asked) - acknowledged, float(answered) - acknowledged


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
    """For each text on stdin: have its embedding cached; at the next line ask for it, and print whether it was found,
    and the times of question and answer on the clock that processes share."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for line in sys.stdin:
            text = json.loads(line)
            for _ in range(WARM):
                found(client, text)
            print(flush=True)
            sys.stdin.readline()
            asked = time.monotonic()
            answer = found(client, text)
            print(answer, asked, time.monotonic(), flush=True)


def found(client: httpx.Client, text: str) -> bool:
    answer = client.post(f"/v1/banks/{BANK}/recall", json={"query": text, "k": 3, "min_score": 0})
    answer.raise_for_status()
    return any(item["content"] == text for item in answer.json()["items"])


if __name__ == "__main__":
    read(int(sys.argv[1]))
