"""Idempotency keys: the answers to requests that were sent with one."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memory_service.store.area import Area
from memory_service.store.records import record


@dataclass(frozen=True, slots=True)
class RepeatableRequest:
    """A request with an idempotency key."""

    bank_id: str
    holder: str
    """Id of the API key that sent it; empty without keys."""
    key: str
    hash: bytes
    """SHA-256 of method, path and body."""
    subject: UUID | None
    """The memory or session that it is about."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The answer to the first request with an idempotency key."""

    status: int
    body: str


class IdempotencyKeys(Area):
    async def claim(self, request: RepeatableRequest) -> StoredAnswer | None:
        """The answer to this request, if it was answered before. Called within Database.in_transaction.

        Errors: RequestInProgress; InvalidInput where the key was used with another request.
        """
        row = await self._database.row(
            "memory_api.claim_idempotency_key",
            bank=request.bank_id,
            holder=request.holder,
            key=request.key,
            request_hash=request.hash,
        )
        return None if row is None else record(StoredAnswer, row)

    async def store(self, request: RepeatableRequest, answer: StoredAnswer) -> None:
        """Store the answer of a claimed request, in the transaction of its claim and its effect."""
        await self._database.value(
            "memory_api.store_answer",
            bank=request.bank_id,
            holder=request.holder,
            key=request.key,
            request_hash=request.hash,
            status=answer.status,
            body=answer.body,
            subject=request.subject,
        )

    async def expire(self, bank_id: str, page: int) -> int:
        """Delete expired keys of a bank, up to `page`; how many."""
        return await self._database.value("memory_api.expire_idempotency_keys", bank=bank_id, page=page)

    async def banks_with_expired_keys(self) -> list[str]:
        """The banks in which `expire` has keys to delete."""
        return await self._banks("memory_api.banks_with_expired_keys")
