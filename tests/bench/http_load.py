"""Clients over keep-alive connections in a separate process: `python -m tests.bench.http_load` reads a Load as JSON on
its standard input and writes an Outcome on its output. Bare sockets: a client library would take more of the cores than
the service."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import uvloop


@dataclass(frozen=True, slots=True)
class Load:
    """Requests that `clients` send for `seconds`, one after another each, the bodies in turn."""

    port: int
    method: str
    path: str
    bodies: list[str]
    clients: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Measurements of a Load; times in milliseconds."""

    per_second: float
    p50: float
    p99: float
    failed: int
    cpu: float
    """Processor seconds of the clients for each second."""


def request(method: str, path: str, body: str) -> bytes:
    content = body.encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: bytes) -> bytes:
    """Send a request, read its answer, and return the head of the answer."""
    writer.write(sent)
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length))
    return head


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


async def client(load: Load, number: int, requests: list[bytes], until: float, taken: list[float]) -> int:
    """Send requests until the time is over; how many were not answered with success."""
    reader, writer = await asyncio.open_connection("127.0.0.1", load.port)
    failed, place = 0, number * 7
    while (started := time.perf_counter()) < until:
        head = await exchange(reader, writer, requests[place % len(requests)])
        place += 1
        taken.append(time.perf_counter() - started)
        failed += not head.startswith(b"HTTP/1.1 2")
    writer.close()
    return failed


async def run(load: Load) -> Outcome:
    requests = [request(load.method, load.path, body) for body in load.bodies]
    taken: list[float] = []
    started, used = time.perf_counter(), time.process_time()
    failed = await asyncio.gather(
        *(client(load, n, requests, started + load.seconds, taken) for n in range(load.clients))
    )
    seconds = time.perf_counter() - started
    return Outcome(
        len(taken) / seconds,
        quantile(taken, 0.5) * 1000,
        quantile(taken, 0.99) * 1000,
        sum(failed),
        (time.process_time() - used) / seconds,
    )


if __name__ == "__main__":
    outcome = uvloop.run(run(Load(**json.load(sys.stdin))))
    sys.stdout.write(json.dumps(asdict(outcome)))
