"""A loopback fake of the Gemini API over real HTTP, stdlib only, deterministic, with scripted faults."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import random
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, cast

EMBED = "batchEmbedContents"
GENERATE = "generateContent"

Json = dict[str, Any]

STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


@dataclass(frozen=True)
class Fault:
    """What happens to one request instead of, or on the way to, its answer."""

    status: int | None = None
    """Answer with this error; the message quotes the request, as some of Google's do."""
    details: tuple[Json, ...] = ()
    error_status: str | None = None
    """Instead of the name that goes with the status."""
    drop: bool = False
    """Close the connection without a word."""
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


def rate_limited(delay: str = "7.5s") -> Fault:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    return Fault(429, details=(info,))


def fewer_vectors(answer: Json) -> Json:
    return {**answer, "embeddings": answer["embeddings"][:-1]}


@dataclass
class Request:
    verb: str
    model: str
    path: str
    headers: dict[str, str]
    body: Json


@dataclass
class FakeGemini:
    """`with FakeGemini() as fake:` serves at `fake.url`; `fake.requests` has the received requests.

    `reply` gives the text of a generated answer for a request's body. `fail` scripts the next requests of a
    verb: None lets one pass.
    """

    reply: Callable[[Json], str] = lambda body: "ok"
    counts_tokens: bool = True
    requests: list[Request] = field(default_factory=list[Request])

    def __post_init__(self) -> None:
        self._faults: dict[str, list[Fault | None]] = {}
        self._closing = threading.Event()
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def fail(self, verb: Literal["batchEmbedContents", "generateContent"], *faults: Fault | None) -> None:
        self._faults[verb] = list(faults)

    def next_fault(self, verb: str) -> Fault:
        queue = self._faults.get(verb)
        return (queue.pop(0) if queue else None) or Fault()

    def wait_for_end(self, seconds: float = 30) -> bool:
        return self._closing.wait(seconds)

    def answer(self, request: Request) -> Json:
        return self._embed(request) if request.verb == EMBED else self._generate(request)

    def _generate(self, request: Request) -> Json:
        text = self.reply(request.body)
        answer: Json = {
            "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
            "modelVersion": request.model,
        }
        if self.counts_tokens:
            answer["usageMetadata"] = {
                "promptTokenCount": 100,
                "candidatesTokenCount": 40,
                "thoughtsTokenCount": 2,
                "totalTokenCount": 142,
            }
        return answer

    def _embed(self, request: Request) -> Json:
        # gemini-embedding-001 gives vectors of unit length at 3072 dimensions only.
        length = 0.7 if "001" in request.model else 1.0
        vectors = [
            embedding(content_text(entry["content"]), int(entry.get("outputDimensionality", 3072)), length)
            for entry in request.body["requests"]
        ]
        return {"embeddings": [{"values": vector} for vector in vectors]}


def embedding(text: str, dimensions: int, length: float = 1.0) -> list[float]:
    """A bag of hashed words: texts that share words are alike."""
    vector = [0.0] * dimensions
    for word in text.lower().split() or [""]:
        vector = [sum(pair) for pair in zip(vector, _word_vector(word, dimensions), strict=True)]
    norm = math.sqrt(sum(value * value for value in vector))
    return [value / norm * length for value in vector]


@functools.cache
def _word_vector(word: str, dimensions: int) -> tuple[float, ...]:
    noise = random.Random(hashlib.sha256(word.encode()).digest())
    return tuple(noise.gauss(0, 1) for _ in range(dimensions))


def content_text(content: Json) -> str:
    return " ".join(part.get("text", "") for part in content.get("parts", []))


def prompt_texts(body: Json) -> list[str]:
    """The text of each content of a generateContent request."""
    return [content_text(content) for content in body["contents"]]


class _Server(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeGemini

    def log_request(self, code: Any = "-", size: Any = "-") -> None:
        """Tests read `requests` instead."""

    def do_POST(self) -> None:
        body = cast("Json", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        model, _, verb = self.path.split("?")[0].rpartition("/")[2].partition(":")
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(verb, model, self.path, headers, body)
        self.fake.requests.append(request)
        fault = self.fake.next_fault(verb)
        if fault.hang:
            self.fake.wait_for_end()
        if fault.hang or fault.drop:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif fault.trickle:
            self._trickle()
        elif fault.location is not None:
            self._send(307, b"", location=fault.location + self.path)
        elif fault.status is not None:
            self._refuse(fault, fault.status, body)
        elif fault.body is not None:
            self._send(200, fault.body)
        elif verb == EMBED and len(body["requests"]) > 100:
            self._refuse(Fault(400), 400, {})
        elif verb in (EMBED, GENERATE):
            answer = self.fake.answer(request)
            self._send(200, json.dumps(fault.change(answer) if fault.change else answer).encode())
        else:
            self._refuse(Fault(404), 404, {})

    def _refuse(self, fault: Fault, status: int, body: Json) -> None:
        error = {
            "code": status,
            "message": f"fake {status}: {json.dumps(body)[:500]}",
            "status": fault.error_status or STATUS.get(status, "UNKNOWN"),
            "details": list(fault.details),
        }
        self._send(status, json.dumps({"error": error}).encode())

    def _trickle(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.fake.wait_for_end(0.02):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _send(self, status: int, content: bytes, location: str | None = None) -> None:
        self.send_response(status)
        if location is not None:
            self.send_header("Location", location)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
