"""What one connection may send and how long it may take, on real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn

from memory_service.server import connection
from memory_service.server.connection import Connection
from memory_service.server.serve import listen
from tests.conftest import until

HEAD = b"POST /x HTTP/1.1\r\nHost: localhost\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body and answers with its length."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"7")]})
    await send({"type": "http.response.body", "body": b"%7d" % size})


@pytest.fixture
async def server() -> AsyncIterator[uvicorn.Server]:
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(app, http=Connection, ws="none", log_config=None, lifespan="off")
    serving = uvicorn.Server(config)
    serving.port = listener.getsockname()[1]  # type: ignore[attr-defined]
    task = asyncio.create_task(serving.serve(sockets=[listener]))
    await until(lambda: serving.started)
    yield serving
    serving.should_exit = True
    await task
    listener.close()


async def answered(server: uvicorn.Server, *parts: bytes) -> bytes:
    """All that comes until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)  # type: ignore[attr-defined]
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
    except ConnectionError:
        pass
    try:
        async with asyncio.timeout(30):
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def status_of(answer: bytes) -> int:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    document = json.loads(body)
    assert int(head.split()[1]) == document["status"]
    return document["status"]


@pytest.mark.parametrize(
    "headers",
    [
        b"X: " + b"x" * 200_000 + b"\r\n\r\n",
        b"".join(b"X-%d: %s\r\n" % (n, b"x" * 100) for n in range(1_000)) + b"\r\n",
        b"X: " + b"x" * 200_000,
    ],
    ids=["one", "many", "endless"],
)
async def test_headers_have_a_limit(server: uvicorn.Server, headers: bytes) -> None:
    assert status_of(await answered(server, HEAD, headers)) == 431


async def test_headers_below_the_limit_are_taken(server: uvicorn.Server) -> None:
    wide = b"X: " + b"x" * 40_000 + b"\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
    assert (await answered(server, HEAD, wide)).endswith(b"      3")


async def test_trailers_have_a_limit(server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MAX_REQUEST_BYTES", 200_000)
    chunked = b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: " + b"x" * 300_000
    assert status_of(await answered(server, HEAD, chunked)) == 413


@pytest.mark.parametrize(
    ("setting", "sent"),
    [
        ("HEADER_SECONDS", (HEAD,)),
        ("BODY_SECONDS", (HEAD, b"Content-Length: 100\r\n\r\nabc")),
        ("BODY_SECONDS", (HEAD, b"Transfer-Encoding: chunked\r\n\r\n5\r\nab")),
    ],
    ids=["headers", "body", "chunks"],
)
async def test_a_request_that_is_never_whole_is_closed(
    server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch, setting: str, sent: tuple[bytes, ...]
) -> None:
    monkeypatch.setattr(connection, setting, 0.3)
    assert status_of(await answered(server, *sent)) == 408


async def test_a_connection_that_sends_nothing_is_closed(
    server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.3)
    assert await answered(server) == b""
    await until(lambda: not server.server_state.connections)


async def test_bytes_one_by_one_do_not_prolong_a_request(
    server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.5)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)  # type: ignore[attr-defined]
    writer.write(HEAD)

    async def drip() -> None:
        while True:
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    async with asyncio.timeout(30):
        assert status_of(await reader.read()) == 408
    dripping.cancel()
    writer.close()


async def test_what_is_no_http_is_answered_by_a_problem_document(server: uvicorn.Server) -> None:
    assert status_of(await answered(server, b"\x16\x03\x01 nonsense\r\n\r\n")) == 400


async def test_a_second_request_on_the_connection_has_its_own_time(
    server: uvicorn.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = HEAD + b"Content-Length: 3\r\n\r\nabc"
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.4)
    answer = await answered(server, whole, HEAD)
    first, _, second = answer.partition(b"      3")
    assert first.startswith(b"HTTP/1.1 200")
    assert status_of(second) == 408
