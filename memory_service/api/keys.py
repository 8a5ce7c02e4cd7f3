"""API keys: create, list, revoke, rotate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

from memory_service.api.base import MemoryBase, without_secrets
from memory_service.errors import InvalidInput, NotFound
from memory_service.intake.commit import check_id
from memory_service.keys import ApiKey, NewKey, check_grants, generate_key
from memory_service.validation import (
    OPERATOR,
    check_choice,
    check_count,
    check_number,
    check_optional_line,
    check_text,
    check_time,
)
from memory_service.vocabulary import KEY_ROLES, KeyRole

MAX_NOTE_CHARS = 500
MAX_OVERLAP_HOURS = 24 * 365
MAX_PER_MINUTE = 10_000_000
UNKNOWN_KEY = "key_id: there is no such key"


def check_limit(per_minute: int | None, field: str) -> int | None:
    """Errors: InvalidInput naming `field`."""
    return None if per_minute is None else check_count(per_minute, field, 1, MAX_PER_MINUTE)


class KeyMethods(MemoryBase):
    """Methods of `Memory` about API keys."""

    async def create_key(
        self,
        role: KeyRole,
        banks: Sequence[str],
        *,
        may_erase: bool = False,
        agent_id: str | None = None,
        note: str = "",
        expires_at: datetime | None = None,
        requests_per_minute: int | None = None,
        messages_per_minute: int | None = None,
        model_tokens_per_minute: int | None = None,
        actor: str | None = None,
    ) -> NewKey:
        """Create a key. Its text is in the answer only: the database holds a hash.

        `banks`: bank ids, or prefixes that end in `*`; `*` is every bank. `agent_id`: recorded as the agent of all that
        is written with the key. `messages_per_minute` counts messages and committed memories, `model_tokens_per_minute`
        the estimated tokens of their text; None is no limit. From the first key on, the service refuses requests
        without a key.
        Errors: InvalidInput naming the argument.
        """
        checked = cast("KeyRole", check_choice(role, "role", KEY_ROLES))
        ends = check_time(expires_at, "expires_at")
        if ends is not None and ends <= datetime.now(UTC):
            raise InvalidInput("expires_at", "is in the past")
        agent = check_optional_line(agent_id, "agent_id")
        check_id(agent, "agent_id")
        new = generate_key()
        await self.store.keys.create(
            new, checked, check_grants(banks), may_erase=may_erase,
            requests_per_minute=check_limit(requests_per_minute, "requests_per_minute"),
            messages_per_minute=check_limit(messages_per_minute, "messages_per_minute"),
            model_tokens_per_minute=check_limit(model_tokens_per_minute, "model_tokens_per_minute"),
            agent_id=agent, note=without_secrets(check_text(note, "note", MAX_NOTE_CHARS, empty=True)), expires_at=ends,
            actor=check_optional_line(actor, "actor") or OPERATOR,
        )  # fmt: skip
        return new

    async def limit_key(
        self,
        key_id: str,
        *,
        requests_per_minute: int | None,
        messages_per_minute: int | None,
        model_tokens_per_minute: int | None = None,
        actor: str | None = None,
    ) -> None:
        """Set the rate limits of a key; None is no limit. They apply within a second in every process.

        Errors: NotFound, InvalidInput naming the argument.
        """
        known = await self.store.keys.limit(
            key_id,
            check_limit(requests_per_minute, "requests_per_minute"),
            check_limit(messages_per_minute, "messages_per_minute"),
            check_limit(model_tokens_per_minute, "model_tokens_per_minute"),
            check_optional_line(actor, "actor") or OPERATOR,
        )
        if not known:
            raise NotFound(UNKNOWN_KEY)

    async def list_keys(self) -> list[ApiKey]:
        """All keys, the newest first, without their text."""
        return await self.store.keys.list()

    async def revoke_key(self, key_id: str, *, actor: str | None = None) -> datetime:
        """Revoke a key: every process refuses it within a second. Again: nothing changes. Errors: NotFound."""
        revoked_at = await self.store.keys.revoke(key_id, check_optional_line(actor, "actor") or OPERATOR)
        if revoked_at is None:
            raise NotFound(UNKNOWN_KEY)
        return revoked_at

    async def rotate_key(self, key_id: str, *, overlap_hours: float = 24, actor: str | None = None) -> NewKey:
        """Create a key with the rights of an existing one, which ends after `overlap_hours`.

        Errors: NotFound for a key that is unknown, revoked, expired or was rotated before; InvalidInput.
        """
        hours = check_number(overlap_hours, "overlap_hours", 0, MAX_OVERLAP_HOURS) or 0.0
        new = generate_key()
        ends = await self.store.keys.rotate(
            key_id, new, timedelta(hours=hours), check_optional_line(actor, "actor") or OPERATOR
        )
        if ends is None:
            raise NotFound("key_id: there is no such key, or it is revoked, expired or was rotated before")
        return replace(new, old_expires_at=ends)
