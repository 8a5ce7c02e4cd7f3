"""Clients over keep-alive connections, in a process of their own: `python -m tests.bench.http_load` reads what to do as
JSON on its standard input and writes what came of it on its output. Bare sockets: a client library would take more
of the cores than the service."""

from __future__ import annotations

import asyncio
import json
import sys
import time
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
    """What came of it: times in milliseconds."""

    per_second: float
    p50: float
    p99: float
    failed: int
    cpu: float
    """Processor seconds of the clients for each second."""


def request(load: Load, body: str) -> bytes:
    content = body.encode()
    head = (
        f"{load.method} {load.path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


async def client(load: Load, number: int, requests: list[bytes], until: float, taken: list[float]) -> int:
    """Send requests until the time is over; how many were not answered with success."""
    reader, writer = await asyncio.open_connection("127.0.0.1", load.port)
    failed, place = 0, number * 7
    while (started := time.perf_counter()) < until:
        writer.write(requests[place % len(requests)])
        place += 1
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length))
        taken.append(time.perf_counter() - started)
        failed += not head.startswith(b"HTTP/1.1 2")
    writer.close()
    return failed


async def run(load: Load) -> Outcome:
    requests = [request(load, body) for body in load.bodies]
    taken: list[float] = []
    started, used = time.perf_counter(), time.process_time()
    failed = await asyncio.gather(
        *(client(load, n, requests, started + load.seconds, taken) for n in range(load.clients))
    )
    seconds = time.perf_counter() - started
    ordered = sorted(taken)
    return Outcome(
        len(taken) / seconds,
        ordered[len(ordered) // 2] * 1000,
        ordered[len(ordered) * 99 // 100] * 1000,
        sum(failed),
        (time.process_time() - used) / seconds,
    )


if __name__ == "__main__":
    outcome = uvloop.run(run(Load(**json.load(sys.stdin))))
    sys.stdout.write(json.dumps(asdict(outcome)))
