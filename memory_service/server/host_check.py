"""Middleware that refuses requests of web pages (DNS rebinding); programs on this machine may call.

A web page can resolve its host name to 127.0.0.1 and then read a service without keys as same-origin. The browser still
sends that name in Host, and the page's address in Origin.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from memory_service.server.problems import problem

HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]?#\\]+)(?::[0-9]{1,5})?")

MAX_VALUE_BYTES = 300
"""Limit of a Host or Origin; a name has at most 255 bytes."""


async def no_keys(_: str) -> bool:
    return False


class LocalOnly:
    """Answers 421 to a Host, and 403 to an Origin, that is not a name of this machine, while no API key exists.

    With keys it refuses nothing: a web page has no key.
    """

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str] = (), keys_exist: Callable[[str], Awaitable[bool]] = no_keys
    ) -> None:
        """`keys_exist` is called with the path of a request whose Host or Origin is foreign."""
        self._app = app
        self._keys_exist = keys_exist
        self._hosts = frozenset(host.lower().strip("[]") for host in hosts)
        self._allowed = lru_cache(maxsize=256)(self._is_allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            answer = self._refusal(scope)
            if answer is not None and not await self._keys_exist(scope["path"]):
                return await answer(scope, receive, send)
        return await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """The problem document for a request with a foreign Host or Origin."""
        hosts: list[bytes] = []
        origins: list[bytes] = []
        for name, value in scope["headers"]:
            if name == b"host":
                hosts.append(value)
            elif name == b"origin":
                origins.append(value)
        if len(hosts) != 1 or not self._is_short_and_allowed(hosts[0]):
            refusal = "is not a name of this service; call it as localhost or 127.0.0.1"
            return problem(421, f"host: {refusal}", [{"field": "host", "problem": refusal}])
        if not all(self._is_short_and_allowed(origin, origin=True) for origin in origins):
            refusal = "web pages of other hosts may not call this service"
            return problem(403, f"origin: {refusal}", [{"field": "origin", "problem": refusal}])
        return None

    def _is_short_and_allowed(self, value: bytes, *, origin: bool = False) -> bool:
        """Values longer than MAX_VALUE_BYTES do not enter the cache."""
        return len(value) <= MAX_VALUE_BYTES and self._allowed(value, origin=origin)

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
