"""Authentication of requests by API key, and what each key may do (docs/design.md, Keys).

While no key was ever created, requests need none: the service then listens on loopback only.
"""

from __future__ import annotations

import asyncio
import contextvars
import hmac
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from memory_service.errors import MemoryServiceError, Unauthorized
from memory_service.keys import Grant, hash_of, key_id_of

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.store.keys import StoredKey

CACHE_SECONDS = 0.5
"""For which a key is not read again: a revoked key is refused at most this long after, in every process."""
CACHED_KEYS = 10_000
WRITE_USES_SECONDS = 30.0

log = structlog.get_logger()


class Authenticator:
    """Checks keys against memory.api_key, with a cache of CACHE_SECONDS."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cache: dict[bytes, tuple[float, Grant | str]] = {}
        """By the key's hash: until when, and the key's rights or why it is refused."""
        self._keys_exist = False
        self._checked_at = float("-inf")
        self._uses: dict[str, datetime] = {}
        self._uses_written_at = time.monotonic()
        self._writer: asyncio.Task[None] | None = None

    @property
    def keys_exist(self) -> bool:
        """Whether a key existed when that was last read; once true, it stays true."""
        return self._keys_exist

    async def refresh(self) -> bool:
        """Read whether a key was ever created, at most every CACHE_SECONDS. Errors: DatabaseUnavailable."""
        if not self._keys_exist and time.monotonic() - self._checked_at >= CACHE_SECONDS:
            self._keys_exist = await self._memory.store.keys.any_exists()
            self._checked_at = time.monotonic()
        return self._keys_exist

    async def grant(self, authorization: str | None) -> Grant | None:
        """The rights that a request's Authorization header proves; None while the service has no keys.

        Errors: Unauthorized naming the reason; DatabaseUnavailable.
        """
        if not self._keys_exist and not await self.refresh():
            return None
        if authorization is None:
            raise Unauthorized("this service needs an API key: Authorization: Bearer mem_...")
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthorized("the Authorization header must be: Bearer mem_...")
        digest = hash_of(key)
        cached = self._cache.get(digest)
        if cached is None or cached[0] <= time.monotonic():
            found = await self._read(key, digest)
            if len(self._cache) >= CACHED_KEYS:
                self._cache.clear()
            self._cache[digest] = (time.monotonic() + CACHE_SECONDS, found)
        else:
            found = cached[1]
        if isinstance(found, str):
            raise Unauthorized(found)
        if found.expires_at is not None and found.expires_at <= datetime.now(UTC):
            raise Unauthorized("the API key has expired")
        return found

    async def _read(self, key: str, digest: bytes) -> Grant | str:
        """The rights of a key, or why it is refused; a refusal is logged with the key's id, never the key."""
        key_id = key_id_of(key)
        if key_id is None:
            return "the API key is mistyped: its checksum does not match"
        stored = await self._memory.store.keys.read(key_id)
        if stored is None or not hmac.compare_digest(stored.hash, digest):
            reason = "the API key is not known"
        elif stored.revoked_at is not None:
            reason = "the API key was revoked"
        else:
            self._note_use(key_id)
            return to_grant(key_id, stored)
        log.warning("request refused", key_id=key_id, reason=reason)
        return reason

    def _note_use(self, key_id: str) -> None:
        """Record the use of a key, written with others every WRITE_USES_SECONDS."""
        self._uses[key_id] = datetime.now(UTC)
        due = time.monotonic() - self._uses_written_at >= WRITE_USES_SECONDS
        if due and (self._writer is None or self._writer.done()):
            # Not in the context of the request, which may be read-only.
            self._writer = asyncio.create_task(self._write_uses(), context=contextvars.Context())

    async def _write_uses(self) -> None:
        self._uses_written_at = time.monotonic()
        uses, self._uses = self._uses, {}
        if uses:
            with suppress(MemoryServiceError):
                await self._memory.store.keys.record_uses(uses)

    async def aclose(self) -> None:
        """Write the uses that are not written yet."""
        if self._writer is not None:
            await self._writer
        await self._write_uses()


def to_grant(key_id: str, stored: StoredKey) -> Grant:
    return Grant(key_id, stored.role, stored.banks, stored.may_erase, stored.agent_id, stored.expires_at)
