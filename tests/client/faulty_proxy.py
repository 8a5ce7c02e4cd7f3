"""An HTTP proxy in front of the real service that fails as a test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

import httpx

from memory_service.server.serve import address_of, listen

Fault = Literal[
    "lost request", "lost answer", "no answer", "slow answer", "no space", "busy", "gateway", "none"
]
"""Connection closed before the service got the request; after it answered; never answered; one byte of the body every
50 ms; 429 and 503 as the service sends them; 502 of a proxy; forwarded."""
CANNED: dict[Fault, bytes] = {
    "no space": b'HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-type: application/problem+json\r\n'
    b'content-length: 69\r\n\r\n{"status": 429, "detail": "the key is used up; try again in 1 s"}    ',
    "busy": b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 0\r\ncontent-type: application/problem+json\r\n"
    b'content-length: 57\r\n\r\n{"status": 503, "detail": "the database does not answer"}',
    "gateway": b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\noops",
}  # fmt: skip


@dataclass(slots=True)
class FaultyProxy:
    """Forwards requests; the first ones meet the faults, in order."""

    upstream: str
    faults: list[Fault]
    address: str = ""
    requests: list[tuple[str, str, dict[str, str]]] = field(
        default_factory=list[tuple[str, str, dict[str, str]]]
    )
    """Method, path and headers of each request."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._answer(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection stays open."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {
            line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in head[1:] if line
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.requests.append((method, path, headers))
        fault: Fault = self.faults.pop(0) if self.faults else "none"
        if fault == "lost request":
            return False
        if fault == "no answer":
            await asyncio.sleep(3600)
        if fault in CANNED:
            writer.write(CANNED[fault])
            await writer.drain()
            return True
        answer = await self._forward(method, path, headers, body)
        if fault == "lost answer":
            return False
        if fault == "slow answer":
            head, _, answer = answer.partition(b"\r\n\r\n")
            writer.write(head + b"\r\n\r\n")
            while answer:
                writer.write(answer[:1])
                await writer.drain()
                await asyncio.sleep(0.05)
                answer = answer[1:]
        writer.write(answer)
        await writer.drain()
        return True

    async def _forward(self, method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
        """The service's answer as bytes."""
        sent = {
            name: value for name, value in headers.items() if name not in ("connection", "accept-encoding")
        }
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.request(method, self.upstream + path, headers=sent, content=body)
        lines = [
            f"HTTP/1.1 {answer.status_code} Answer",
            *(f"{name}: {value}" for name, value in answer.headers.items()),
        ]
        return "\r\n".join((*lines, "", "")).encode() + answer.content


@asynccontextmanager
async def faulty(upstream: str, faults: Sequence[Fault]) -> AsyncGenerator[FaultyProxy]:
    """A proxy on a loopback socket in this event loop."""
    proxy = FaultyProxy(upstream, list(faults))
    listener = listen("127.0.0.1", 0)
    proxy.address = address_of(listener)
    open_ones: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_ones.add(task)
        with suppress(asyncio.CancelledError):
            await proxy.serve(reader, writer)

    server = await asyncio.start_server(serve, sock=listener)
    try:
        yield proxy
    finally:
        server.close()
        for task in open_ones:
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
