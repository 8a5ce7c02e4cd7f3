"""An HTTP connection with limits on size and time of a request, which uvicorn with httptools does not have."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from memory_service.server.problems import problem

MAX_HEADER_BYTES = 64 * 1024
"""Limit of the request line and all headers together."""
MAX_REQUEST_BYTES = 16 * 1024 * 1024
"""Limit of a request as transmitted: a body of 1 MiB in chunks of one byte takes 6 MiB."""
HEADER_SECONDS = 10.0
"""From the connection, or the first byte of the next request, to the end of the headers."""
BODY_SECONDS = 30.0
"""From the end of the headers to the end of the body."""
IDLE_SECONDS = 5
"""From an answer to the next request."""
LINGER_SECONDS = 1.0
"""From a refusal to closing the connection."""

TOO_LARGE = (431, f"the request line and headers are larger than {MAX_HEADER_BYTES // 1024} KiB")
TOO_LONG = (413, f"the request is larger than {MAX_REQUEST_BYTES // 1024 // 1024} MiB")
TOO_SLOW = (408, "the request did not arrive in time")
MALFORMED = (400, "the request is not valid HTTP")


class RefusedError(Exception):
    """Raised in a callback of the parser to stop it."""


class Connection(HttpToolsProtocol):
    """uvicorn's connection; it refuses a request that is too large or too slow, and closes."""

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
        self._set_deadline(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_deadline(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._deadline is None and self._in_headers:
            self._set_deadline(HEADER_SECONDS)
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
            self._set_deadline(HEADER_SECONDS)
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._set_deadline(BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_headers = True
        self._begun = False
        self._received = 0
        self._set_deadline(None)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal)

    def _count(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > MAX_HEADER_BYTES:
            self._refusal = TOO_LARGE
            raise RefusedError

    def _set_deadline(self, seconds: float | None) -> None:
        """Set the deadline after which the connection is refused as too slow; None removes it."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = (
            None if seconds is None else self.loop.call_later(seconds, lambda: self._refuse(TOO_SLOW))
        )

    def _refuse(self, refusal: tuple[int, str]) -> None:
        """Answer with a problem document and close; only close if no request has begun or an answer is being sent."""
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
        # Closing with unread bytes would reset the connection before the client reads the answer.
        self.transport.write_eof()
        self._set_deadline(None)
        self._deadline = self.loop.call_later(LINGER_SECONDS, self.transport.close)
