"""Authentication of requests by API key, and what each key may do (docs/design.md, Keys).

While no key was ever created, requests need none: the service then listens on loopback only.
"""

from __future__ import annotations

import asyncio
import contextvars
import hmac
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from memory_service import access_tokens
from memory_service.errors import MemoryServiceError, Unauthorized
from memory_service.keys import Grant, hash_of, key_id_of
from memory_service.metrics import REFUSED_KEYS

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.server.oauth import OAuthIssuer

CACHE_SECONDS = 0.5
"""Lifetime of a cache entry: a revoked key is refused at most this long after, in every process."""
CACHED_KEYS = 10_000
PARALLEL_READS = 2
WRITE_USES_SECONDS = 30.0
REFUSALS_LOGGED, REFUSAL_SECONDS = 20, 10.0
"""A flood of requests with unknown keys does not fill the log."""
SESSION, BOUND = "session ", "oauth "
EXPIRED = "the API key has expired"
UNKNOWN = "the API key is not known"
REVOKED = "the API key was revoked"
REFUSALS = {
    UNKNOWN: "unknown",
    REVOKED: "revoked",
    EXPIRED: "expired",
    access_tokens.INVALID: "invalid_token",
    access_tokens.EXPIRED: "expired_token",
}
"""Labels of memory_refused_keys_total."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Credential:
    """An API key, a token that one signed, or the id of the key that bounds a token of the OAuth issuer."""

    text: str
    check: Callable[[str, Grant, bytes | None], Grant] | None
    """The rights of a token by its signer's; None for a key."""

    @property
    def key_id(self) -> str | None:
        """The id of the key, or of the key that is said to have signed the token; None for a mistyped key. Errors:
        Unauthorized."""
        if self.check is rights_of_key:
            return self.text
        return key_id_of(self.text) if self.check is None else access_tokens.key_id_in(self.text)

    @property
    def digest(self) -> bytes:
        """The stored hash of a key. Credentials of other kinds have other digests, also of the same text."""
        if self.check is access_tokens.session_granted:
            return hash_of(f"{SESSION}{self.text}")
        return hash_of(f"{BOUND}{self.text}" if self.check is rights_of_key else self.text)


def rights_of_key(_: str, key: Grant, __: bytes | None) -> Grant:
    return key


class Authenticator:
    """Checks keys against memory.api_key, with a cache of CACHE_SECONDS."""

    def __init__(self, memory: Memory, *, required: bool = False, oauth: OAuthIssuer | None = None) -> None:
        """`required`: keys are needed even while none exists, as on any address but loopback; with `oauth` always."""
        self._memory = memory
        self._oauth = oauth
        self._cache: dict[bytes, tuple[float, Grant | str]] = {}
        """By the key's hash: expiry of the entry, and the grant or the refusal's reason."""
        self._reads = {True: asyncio.Semaphore(PARALLEL_READS), False: asyncio.Semaphore(PARALLEL_READS)}
        """Of keys that were valid before, and of others: a flood of unknown keys does not delay known ones."""
        self._keys_exist = required or oauth is not None
        self._checked_at = float("-inf")
        self._refusals: list[float] = []
        """Times of the latest log lines about refusals."""
        self._omitted = 0
        self._uses: dict[str, datetime] = {}
        self._writer: asyncio.Task[None] | None = None

    @property
    def keys_known(self) -> bool:
        """Whether keys are needed, as far as this process knows without reading the database."""
        return self._keys_exist

    async def refresh(self) -> bool:
        """Whether keys are needed: a key was ever created. Read at most every CACHE_SECONDS until it is true.

        Errors: DatabaseUnavailable.
        """
        if not self._keys_exist and time.monotonic() - self._checked_at >= CACHE_SECONDS:
            began = time.monotonic()
            if await self._memory.store.keys.any_exists():
                self._keys_exist = True
            self._checked_at = began
        return self._keys_exist

    async def grant(self, authorization: str | None, mcp_bank: str | None = None) -> Grant | None:
        """The rights that a request's Authorization header proves; None while no key is needed.

        Tokens of the OAuth issuer are used for requests at `/mcp/` only, which name their bank.

        Errors: Unauthorized naming the reason; DatabaseUnavailable.
        """
        if not self._keys_exist and not await self.refresh():
            return None
        if authorization is None:
            raise Unauthorized("this service needs an API key: Authorization: Bearer mem_...")
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthorized("the Authorization header must be: Bearer mem_...")
        if access_tokens.looks_like_token(key):
            if self._oauth is not None and mcp_bank is not None and self._oauth.names_issuer(key):
                return await self._granted_by_issuer(self._oauth, key, mcp_bank)
            return await self._granted(Credential(key, access_tokens.granted))
        return await self._granted(Credential(key, None))

    async def session_grant(self, token: str | None) -> Grant | None:
        """The rights that the session of a page proves; None while no key is needed. Errors: as grant."""
        if not self._keys_exist and not await self.refresh():
            return None
        if token is None:
            raise Unauthorized("there is no session")
        return await self._granted(Credential(token, access_tokens.session_granted))

    async def _granted_by_issuer(self, oauth: OAuthIssuer, token: str, bank_id: str) -> Grant:
        """Errors: as _granted."""
        try:
            rights = await oauth.rights(token, bank_id)
        except Unauthorized as error:
            self._count(REFUSALS[str(error)])
            self._log_refusal(oauth.key_id, f"{error}: {type(error.__cause__).__name__}")
            raise
        return rights.within(await self._granted(Credential(oauth.key_id, rights_of_key)))

    async def _granted(self, credential: Credential) -> Grant:
        """Errors: Unauthorized naming the reason; DatabaseUnavailable."""
        try:
            key_id = credential.key_id
        except Unauthorized:
            self._count(REFUSALS[access_tokens.INVALID])
            raise
        if key_id is None:
            self._count("mistyped")
            raise Unauthorized("the API key is mistyped: its checksum does not match")
        found = self._cached(credential.digest)
        if found is None:
            found = await self._read_once(key_id, credential)
        if isinstance(found, str) or found.expired:
            expired = EXPIRED if credential.check is None else access_tokens.EXPIRED
            reason = found if isinstance(found, str) else expired
            self._count(REFUSALS[reason])
            raise Unauthorized(reason)
        return found

    def _count(self, reason: str) -> None:
        self._memory.store.counts.count(REFUSED_KEYS, reason)

    def _cached(self, digest: bytes) -> Grant | str | None:
        entry = self._cache.get(digest)
        return entry[1] if entry is not None and entry[0] > time.monotonic() else None

    async def _read_once(self, key_id: str, credential: Credential) -> Grant | str:
        """Read a key into the cache; requests that waited for the same key share the result."""
        digest = credential.digest
        known = digest in self._cache and isinstance(self._cache[digest][1], Grant)
        async with self._reads[known]:
            found = self._cached(digest)
            if found is None:
                began = time.monotonic()
                found = await self._read(key_id, credential)
                self._make_room()
                # An older read than the cached one does not replace it.
                if began + CACHE_SECONDS > self._cache.get(digest, (0.0,))[0]:
                    self._cache[digest] = (began + CACHE_SECONDS, found)
        return found

    def _make_room(self) -> None:
        """Drop the refusals, and then all entries, once there are CACHED_KEYS."""
        if len(self._cache) >= CACHED_KEYS:
            self._cache = {
                digest: entry for digest, entry in self._cache.items() if isinstance(entry[1], Grant)
            }
        if len(self._cache) >= CACHED_KEYS:
            self._cache.clear()

    async def _read(self, key_id: str, credential: Credential) -> Grant | str:
        """The grant of a key or token, or the reason of its refusal, which is logged with the key's id only."""
        stored = await self._memory.store.keys.read(key_id)
        if stored is None:
            reason = UNKNOWN if credential.check is None else access_tokens.INVALID
        elif credential.check is None and not hmac.compare_digest(stored.hash, credential.digest):
            reason = UNKNOWN
        elif stored.revoked_at is not None:
            reason = REVOKED
        elif stored.grant.expired:
            reason = EXPIRED
        else:
            try:
                grant = stored.grant
                if credential.check is not None:
                    grant = credential.check(credential.text, grant, stored.token_public_key)
            except Unauthorized as error:
                reason = str(error)
            else:
                self._note_use(key_id)
                return grant
        self._log_refusal(key_id, reason)
        return reason

    def _log_refusal(self, key_id: str, reason: str) -> None:
        """At most REFUSALS_LOGGED lines in REFUSAL_SECONDS; `omitted` counts the refusals without a line before."""
        now = time.monotonic()
        self._refusals = [at for at in self._refusals if now - at < REFUSAL_SECONDS]
        if len(self._refusals) >= REFUSALS_LOGGED:
            self._omitted += 1
            return
        self._refusals.append(now)
        log.warning("request refused", key_id=key_id, reason=reason, omitted=self._omitted)
        self._omitted = 0

    def _note_use(self, key_id: str) -> None:
        """Record the use of a key; uses are written together, WRITE_USES_SECONDS after the first of them."""
        self._uses[key_id] = datetime.now(UTC)
        if self._writer is None or self._writer.done():
            # Not in the context of the request, which may be read-only.
            self._writer = asyncio.create_task(self._write_later(), context=contextvars.Context())

    async def _write_later(self) -> None:
        await asyncio.sleep(WRITE_USES_SECONDS)
        await self._write_uses()

    async def _write_uses(self) -> None:
        uses = dict(self._uses)
        if not uses:
            return
        with suppress(MemoryServiceError):  # written with the next ones
            await self._memory.store.keys.record_uses(uses)
            self._uses = {key_id: at for key_id, at in self._uses.items() if uses.get(key_id) != at}

    async def aclose(self) -> None:
        """Write the uses that are not written yet."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait([self._writer])
        await self._write_uses()
