"""Who may call: programs of this machine, not the web pages that its browsers show.

A page of others can point a name of its own at 127.0.0.1 and then read an open service as if it were its own
server (DNS rebinding). The browser still says the name in Host, and the page's own address in Origin.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from memory_service.server.problems import problem

HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]?#\\]+)(?::[0-9]{1,5})?")

LONGEST = 300
"""Bytes of a Host or Origin: a name has at most 255."""


class LocalOnly:
    """Answers 421 to a Host that is not this machine and 403 to an Origin that is not."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = frozenset(host.lower().strip("[]") for host in hosts)
        self._allowed = lru_cache(maxsize=256)(self._is_allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            hosts: list[bytes] = []
            origins: list[bytes] = []
            for name, value in scope["headers"]:
                if name == b"host":
                    hosts.append(value)
                elif name == b"origin":
                    origins.append(value)
            if len(hosts) != 1 or not self._is_short_and_allowed(hosts[0]):
                refusal = "is not a name of this service; call it as localhost or 127.0.0.1"
                answer = problem(421, f"host: {refusal}", [{"field": "host", "problem": refusal}])
                return await answer(scope, receive, send)
            if not all(self._is_short_and_allowed(origin, origin=True) for origin in origins):
                refusal = "web pages of other hosts may not call this service"
                answer = problem(403, f"origin: {refusal}", [{"field": "origin", "problem": refusal}])
                return await answer(scope, receive, send)
        return await self._app(scope, receive, send)

    def _is_short_and_allowed(self, value: bytes, *, origin: bool = False) -> bool:
        """Longer ones than any name are not kept."""
        return len(value) <= LONGEST and self._allowed(value, origin=origin)

    def _is_allowed(self, value: bytes, *, origin: bool = False) -> bool:
        text = value.decode("latin-1")
        if origin:
            try:
                parts = urlsplit(text)
            except ValueError:
                return False
            if parts.scheme not in ("http", "https"):
                return False
            text = parts.netloc
        match = HOST.fullmatch(text)
        if match is None:
            return False
        name = match["name"].lower().strip("[]")
        return name == "localhost" or name in self._hosts or is_loopback(name)


def is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
