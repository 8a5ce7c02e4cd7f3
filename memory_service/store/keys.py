"""API keys. They belong to the service as a whole, not to a bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memory_service.access_tokens import public_key
from memory_service.cursors import AuditPlace
from memory_service.keys import ApiKey, Grant, NewKey, hash_of
from memory_service.results import AuditEvent
from memory_service.store.area import Area
from memory_service.store.records import record

if TYPE_CHECKING:
    from memory_service.vocabulary import KeyRole, LimitedResource


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A stored key with its hash."""

    hash: bytes
    revoked_at: datetime | None
    grant: Grant
    token_public_key: bytes | None
    """Checks access tokens; None for a key of a release without them."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Units taken from a key's bucket."""

    granted: float
    remaining: float
    retry_after: float
    """Seconds until the units are available, where none were granted."""


class Keys(Area):
    async def create(
        self,
        new: NewKey,
        role: KeyRole,
        banks: Sequence[str],
        *,
        may_erase: bool,
        agent_id: str | None,
        note: str,
        expires_at: datetime | None,
        actor: str,
        requests_per_minute: int | None,
        messages_per_minute: int | None,
        model_tokens_per_minute: int | None,
    ) -> None:
        await self._database.value(
            "memory_api.create_key",
            key_id=new.key_id,
            hash=hash_of(new.key),
            role=role,
            banks=banks,
            may_erase=may_erase,
            agent=agent_id,
            note=note,
            expires_at=expires_at,
            actor=actor,
            requests_per_minute=requests_per_minute,
            messages_per_minute=messages_per_minute,
            model_tokens_per_minute=model_tokens_per_minute,
            token_public_key=public_key(new.key),
        )

    async def limit(
        self,
        key_id: str,
        requests_per_minute: int | None,
        messages_per_minute: int | None,
        model_tokens_per_minute: int | None,
        actor: str,
    ) -> bool:
        """Set the rate limits of a key; whether it exists."""
        return await self._database.value(
            "memory_api.limit_key",
            key_id=key_id,
            requests_per_minute=requests_per_minute,
            messages_per_minute=messages_per_minute,
            model_tokens_per_minute=model_tokens_per_minute,
            actor=actor,
        )

    async def take_allowance(
        self, key_id: str, resource: LimitedResource, per_minute: int, cost: float, wanted: float
    ) -> Taken:
        """Take `cost` to `wanted` units from a key's bucket, or none."""
        (row,) = await self._database.rows(
            "memory_api.take_allowance",
            key_id=key_id,
            resource=resource,
            per_minute=per_minute,
            cost=cost,
            wanted=wanted,
        )
        return record(Taken, row)

    async def read(self, key_id: str) -> StoredKey | None:
        """A key with its hash; None for an unknown id."""
        row = await self._database.row("memory_api.read_key", key_id=key_id)
        if row is None:
            return None
        grant = record(Grant, row, key_id=key_id)
        return StoredKey(row["hash"], row["revoked_at"], grant, row["token_public_key"])

    async def any_exists(self) -> bool:
        """Whether a key was ever created."""
        return await self._database.value("memory_api.any_key_exists")

    async def list(self) -> list[ApiKey]:
        """All keys, the newest first."""
        return await self._records(ApiKey, "memory_api.list_keys")

    async def audit(self, limit: int, before: AuditPlace | None) -> list[AuditEvent]:
        """Administrative acts of all servers, newest first, before the given one."""
        rows = await self._database.rows_of_all(
            "memory_api.list_audit",
            page=limit,
            before_at=before and before.at,
            before_id=before and before.audit_id,
        )
        newest = sorted(rows, key=lambda row: (row["at"], row["audit_id"]), reverse=True)
        return [record(AuditEvent, row) for row in newest[:limit]]

    async def revoke(self, key_id: str, actor: str) -> datetime | None:
        """Revoke a key; the time from which it is revoked, None for an unknown id."""
        return await self._database.value("memory_api.revoke_key", key_id=key_id, actor=actor)

    async def rotate(self, key_id: str, new: NewKey, overlap: timedelta, actor: str) -> datetime | None:
        """Store a successor; the end of the old key, None if it is unknown, revoked, expired or was rotated before."""
        return await self._database.value(
            "memory_api.rotate_key",
            key_id=key_id,
            new_key_id=new.key_id,
            hash=hash_of(new.key),
            overlap=overlap,
            actor=actor,
            token_public_key=public_key(new.key),
        )

    async def record_uses(self, uses: Mapping[str, datetime]) -> None:
        """Store when keys were last used."""
        await self._database.value(
            "memory_api.record_key_uses", key_ids=list(uses), used_at=list(uses.values())
        )
