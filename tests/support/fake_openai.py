"""A loopback fake of an OpenAI-compatible server over real HTTP, stdlib only, with scripted faults and habits."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, cast

from tests.support.fake_gemini import embedding

EMBED = "/v1/embeddings"
CHAT = "/v1/chat/completions"

Json = dict[str, Any]


@dataclass(frozen=True)
class Fault:
    """What happens to one request instead of, or on the way to, its answer."""

    status: int | None = None
    """Answer with this error; the message quotes the request, as those of some servers do."""
    code: str | int | None = None
    """Of that error."""
    headers: tuple[tuple[str, str], ...] = ()
    drop: bool = False
    """Close the connection without a word."""
    cut: bool = False
    """Close the connection in the middle of the answer."""
    hang: bool = False
    """Say nothing until the server closes."""
    trickle: bool = False
    """Send an answer that never ends, a byte at a time."""
    location: str | None = None
    """Redirect there."""
    body: bytes | None = None
    """Answer 200 with these bytes."""
    change: Callable[[Json], Json] | None = None
    """Answer normally, but changed."""


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: Json


@dataclass
class FakeOpenAI:
    """`with FakeOpenAI() as fake:` serves at `fake.url`; `fake.requests` has the received requests.

    `reply` gives the text of a chat answer for a request's body. `fail` scripts the next requests of a path:
    None lets one pass. The other fields are habits in which such servers differ.
    """

    reply: Callable[[Json], str] = lambda body: "ok"
    native_dimensions: int = 384
    reduces: Literal["yes", "ignores", "refuses"] = "yes"
    """Its handling of `dimensions`: Ollama and OpenAI, older servers, vLLM without Matryoshka."""
    forms: tuple[str, ...] = ("json_schema", "json_object", "text")
    """The response formats that it accepts; it answers 400 to others."""
    counts_tokens: bool = True
    requests: list[Request] = field(default_factory=list[Request])

    def __post_init__(self) -> None:
        self._faults: dict[str, list[Fault | None]] = {}
        self._closing = threading.Event()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.url = f"{self.origin}/v1"

    def __enter__(self) -> FakeOpenAI:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def fail(self, path: str, *faults: Fault | None) -> None:
        self._faults[path] = list(faults)

    def next_fault(self, path: str) -> Fault:
        queue = self._faults.get(path)
        return (queue.pop(0) if queue else None) or Fault()

    def wait_for_end(self, seconds: float = 30) -> bool:
        return self._closing.wait(seconds)

    def refuses(self, request: Request) -> bool:
        if request.path == EMBED:
            return self.reduces == "refuses" and "dimensions" in request.body
        return request.body.get("response_format", {"type": "text"})["type"] not in self.forms

    def answer(self, request: Request) -> Json:
        answer = self._embed(request.body) if request.path == EMBED else self._chat(request.body)
        if self.counts_tokens:
            answer["usage"] = {"prompt_tokens": 100, "completion_tokens": 40, "total_tokens": 140}
        return answer

    def _embed(self, body: Json) -> Json:
        asked = int(body.get("dimensions", self.native_dimensions))
        dimensions = asked if self.reduces == "yes" else self.native_dimensions
        vectors = [embedding(text, dimensions, length=0.7) for text in body["input"]]
        data = [{"object": "embedding", "index": n, "embedding": v} for n, v in enumerate(vectors)]
        return {"object": "list", "model": body["model"], "data": data}

    def _chat(self, body: Json) -> Json:
        message = {"role": "assistant", "content": self.reply(body)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "chatcmpl-1", "object": "chat.completion", "model": body["model"], "choices": [choice]}


def user_text(body: Json) -> str:
    """What the user of a chat request says."""
    (message,) = (message for message in body["messages"] if message["role"] == "user")
    return cast("str", message["content"])


def system_text(body: Json) -> str:
    return cast("str", body["messages"][0]["content"])


class _Server(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 20  # an answer in pieces would wait 40 ms for each acknowledgement
    fake: FakeOpenAI

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        """Tests read `requests` instead."""

    def do_POST(self) -> None:
        body = cast("Json", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, body)
        self.fake.requests.append(request)
        fault = self.fake.next_fault(self.path)
        if fault.hang:
            self.fake.wait_for_end()
        if fault.hang or fault.drop:
            self._close()
        elif fault.trickle:
            self._trickle()
        elif fault.location is not None:
            self._send(307, b"", ("Location", fault.location + self.path))
        elif fault.status is not None:
            self._refuse(fault.status, body, fault)
        elif fault.body is not None:
            self._send(200, fault.body)
        elif self.path not in (EMBED, CHAT):
            self._refuse(404, body)
        elif self.fake.refuses(request):
            self._refuse(400, body)
        else:
            answer = self.fake.answer(request)
            content = json.dumps(fault.change(answer) if fault.change else answer).encode()
            if fault.cut:
                self._send(200, content[: len(content) // 2], length=len(content))
                self._close()
            else:
                self._send(200, content)

    def _refuse(self, status: int, body: Json, fault: Fault | None = None) -> None:
        quoted = f"fake {status}: {json.dumps(body)[:500]} {self.headers.get('Authorization')}"
        error = {"message": quoted, "type": "fake", "param": None, "code": fault.code if fault else None}
        self._send(status, json.dumps({"error": error}).encode(), *(fault.headers if fault else ()))

    def _trickle(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.fake.wait_for_end(0.02):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _send(
        self, status: int, content: bytes, *headers: tuple[str, str], length: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        self.wfile.write(content)

    def _close(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
