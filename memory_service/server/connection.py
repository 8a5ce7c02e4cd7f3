"""One HTTP connection with limits on what it may send and how long it may take (uvicorn has neither with httptools)."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from memory_service.server.problems import problem

MAX_HEADER_BYTES = 64 * 1024
"""Of the request line and all headers together."""
MAX_REQUEST_BYTES = 16 * 1024 * 1024
"""Of a whole request as it is sent: a body of 1 MiB in chunks of a byte takes six."""
HEADER_SECONDS = 10.0
"""From the connection, or the first byte of the next request, until its headers are whole."""
BODY_SECONDS = 30.0
"""From the headers until the body is whole."""
IDLE_SECONDS = 5
"""From an answer until the next request."""
LINGER_SECONDS = 1.0
"""From a refusal until the connection is closed."""

TOO_LARGE = (431, f"the request line and headers are larger than {MAX_HEADER_BYTES // 1024} KiB")
TOO_LONG = (413, f"the request is larger than {MAX_REQUEST_BYTES // 1024 // 1024} MiB")
TOO_SLOW = (408, "the request did not arrive in time")
MALFORMED = (400, "this is no HTTP request")


class RefusedError(Exception):
    """Raised in the parser's callbacks to stop it."""


class Connection(HttpToolsProtocol):
    """uvicorn's connection, which refuses a request that is too large or too slow and closes."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._refused = False
        self._in_headers = True
        self._begun = False
        self._received = 0
        self._header_bytes = 0
        self._refusal = MALFORMED

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._allow(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._allow(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._deadline is None and self._in_headers:
            self._allow(HEADER_SECONDS)
        self._received += len(data)
        super().data_received(data)
        if self._in_headers and self._received > MAX_HEADER_BYTES:
            self._refuse(TOO_LARGE)
        elif self._received > MAX_REQUEST_BYTES:
            self._refuse(TOO_LONG)

    def on_message_begin(self) -> None:
        self._begun = self._in_headers = True
        self._header_bytes = 0
        if self._deadline is None:
            self._allow(HEADER_SECONDS)
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._allow(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_headers = True
        self._begun = False
        self._received = 0
        self._allow(None)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal)

    def _count(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > MAX_HEADER_BYTES:
            self._refusal = TOO_LARGE
            raise RefusedError

    def _allow(self, seconds: float | None) -> None:
        """Close the connection after this time; None takes the limit away."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = (
            None if seconds is None else self.loop.call_later(seconds, lambda: self._refuse(TOO_SLOW))
        )

    def _refuse(self, refusal: tuple[int, str]) -> None:
        """Answer with a problem document, where a request has begun and no other answer is under way, and close."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        cycle = cast("RequestResponseCycle | None", self.cycle)
        answering = cycle is not None and cycle.response_started and not cycle.response_complete
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        if answering or (refusal is TOO_SLOW and not self._begun):
            self.transport.close()
            return
        status, detail = refusal
        body = bytes(problem(status, detail).body)
        self.transport.write(
            STATUS_LINE[status]
            + b"content-type: application/problem+json\r\nconnection: close\r\n"
            + f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        # Closed at once, with bytes unread, the answer would be lost to a reset.
        self.transport.write_eof()
        self._allow(None)
        self._deadline = self.loop.call_later(LINGER_SECONDS, self.transport.close)
