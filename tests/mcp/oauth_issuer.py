"""An OAuth authorization server as far as this service sees one: signed tokens, and its keys on a loopback address."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as new_ec_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as new_rsa_key
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER, AUDIENCE = "https://login.example.org/realms/home", "https://memory.example.org"


@cache
def private_key(algorithm: str, number: int = 0) -> Any:
    """A key of this kind, another for each number."""
    if algorithm == "RS256":
        return new_rsa_key(65537, 1024 if number == 9 else 2048)
    return new_ec_key(SECP256R1()) if algorithm == "ES256" else Ed25519PrivateKey.generate()


def key_set(*keys: tuple[str, int], **members: str) -> str:
    """The JWK set with the public halves; the id of a key is its algorithm and number."""
    kinds = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm}
    found = [
        kinds[algorithm].to_jwk(private_key(algorithm, number).public_key(), as_dict=True)
        | {"kid": f"{algorithm}-{number}"}
        | members
        for algorithm, number in keys
    ]
    return json.dumps({"keys": found})


def token(
    algorithm: str = "EdDSA", number: int = 0, *, signed_as: str | None = None, secret: Any = None,
    head: dict[str, Any] | None = None, **changes: object,
) -> str:  # fmt: skip
    """A token that reads bank anna for a minute, with `changes` of its claims; None removes one."""
    now = int(time.time())
    head = {"kid": f"{algorithm}-{number}"} | (head or {})
    claims: dict[str, Any] = {
        "iss": ISSUER, "aud": AUDIENCE, "sub": "anna-1", "iat": now, "exp": now + 60, "scope": "openid memory:read",
        "memory_banks": ["anna"],
    } | changes  # fmt: skip
    return jwt.encode(
        {name: value for name, value in claims.items() if value is not None},
        private_key(algorithm, number) if secret is None else secret,
        signed_as or algorithm,
        headers={name: value for name, value in head.items() if value is not None},
    )


class KeyServer(ThreadingHTTPServer):
    """Answers with `answer`, and counts the requests."""

    daemon_threads = True
    answer = key_set(("EdDSA", 0))
    status = 200
    requests = 0
    held: threading.Event | None = None
    """Answers wait for it."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/keys"


class Handler(BaseHTTPRequestHandler):
    server: KeyServer  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        self.server.requests += 1
        if self.server.held is not None:
            self.server.held.wait(30)
        status = 200 if self.path == "/moved" else self.server.status
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/moved")
        body = self.server.answer.encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - name of the library
        pass


@contextmanager
def key_server() -> Generator[KeyServer]:
    server = KeyServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
