"""The public keys of an OAuth issuer: a JWK set in a file or at an address."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import structlog
from jwt import PyJWK, PyJWKSet

from memory_service.errors import InvalidInput
from memory_service.server.host_check import is_loopback
from memory_service.validation import check_address

SETTING = "MEMORY_OAUTH_JWKS"
ALGORITHMS = ("RS256", "ES256", "EdDSA")
"""No algorithm with a shared secret: a public key is none."""
FETCH_SECONDS = 5.0
MAX_BYTES = 256 * 1024
RETRY_SECONDS = 60.0
"""Shortest time between two reads: tokens with unknown key ids do not cause more."""
REREAD_SECONDS = 300.0
"""Age after which the keys are read again, so that a key that the issuer withdrew ends."""
KEPT_SECONDS = 3_600.0
"""Age up to which keys are used while they cannot be read again."""

log = structlog.get_logger()


class IssuerKeys:
    """The keys by their id, read when a token needs them."""

    def __init__(self, source: str) -> None:
        """`source`: a file, or an address. Errors: InvalidInput naming MEMORY_OAUTH_JWKS."""
        check_source(source)
        self._source = source
        self._keys: dict[str, PyJWK] = {}
        self._read_at = self._tried_at = float("-inf")
        self._lock = asyncio.Lock()

    async def key(self, key_id: str) -> PyJWK | None:
        """The key with this id; None if the issuer has none."""
        if self._due(key_id) and not (key_id in self._keys and self._lock.locked()):
            async with self._lock:
                if self._due(key_id):  # another request may have read them meanwhile
                    await self._read()
        return self._keys.get(key_id) if time.monotonic() - self._read_at < KEPT_SECONDS else None

    def _due(self, key_id: str) -> bool:
        now = time.monotonic()
        wanted = key_id not in self._keys or now - self._read_at >= REREAD_SECONDS
        return wanted and now - self._tried_at >= RETRY_SECONDS

    async def _read(self) -> None:
        """Replace the keys; a failure is logged and leaves them."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                self._keys = keys_in(await self._text())
            self._read_at = began
        except Exception as error:
            log.warning("the keys of the OAuth issuer cannot be read", error=type(error).__name__)
        self._tried_at = time.monotonic()

    async def _text(self) -> str:
        if not is_address(self._source):
            return await asyncio.to_thread(Path(self._source).read_text, encoding="utf-8")
        received = bytearray()
        client = await asyncio.to_thread(httpx2.AsyncClient, follow_redirects=False)  # loads certificates
        async with client as http, http.stream("GET", self._source) as answer:
            answer.raise_for_status()
            async for chunk in answer.aiter_bytes():
                received += chunk
                if len(received) > MAX_BYTES:
                    raise ValueError(f"the answer has more than {MAX_BYTES} bytes")
        return received.decode()


def is_address(source: str) -> bool:
    return "://" in source


def check_source(source: str) -> None:
    """Errors: InvalidInput for an absent file, and for an address at which others on the network could answer."""
    if not is_address(source):
        if not Path(source).is_file():
            raise InvalidInput(SETTING, f"{source} is no file")
        return
    parts = urlsplit(check_address(source, SETTING))
    local = parts.hostname is not None and (parts.hostname == "localhost" or is_loopback(parts.hostname))
    if parts.scheme != "https" and not local:
        raise InvalidInput(SETTING, "must be a file or an https address")


def keys_in(text: str) -> dict[str, PyJWK]:
    """The keys of a JWK set that can check signatures. Errors: ValueError, PyJWTError."""
    return {
        key.key_id: key
        for key in PyJWKSet.from_json(text).keys
        if key.key_id and key.algorithm_name in ALGORITHMS and key.public_key_use in (None, "sig")
    }
