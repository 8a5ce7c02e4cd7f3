"""Banks over HTTP: create, read, configure, count; access tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memory_service.access_tokens import DEFAULT_SECONDS, AccessToken
from memory_service.client.answer import decoded
from memory_service.client.caller import Caller
from memory_service.client.request import bank_path, get, patch, post
from memory_service.results import BankLine, BankStats, Page
from memory_service.types import Bank
from memory_service.validation import check_bank_id

BANKS = "/v1/banks"


class CallsBase:
    """What the areas of methods share."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller


class BankCalls(CallsBase):
    """Methods about banks."""

    async def create_bank(
        self, bank_id: str, settings: Mapping[str, object] | None = None
    ) -> tuple[Bank, bool]:
        """Create a bank unless it exists; returns it and whether this call created it."""
        fields = {"bank_id": check_bank_id(bank_id), "settings": settings}
        answer = await self._caller.send(post(BANKS, fields, "by key"))
        return decoded(answer, Bank), answer.status == 201

    async def get_bank(self, bank_id: str) -> Bank:
        """A bank with its settings. Errors: NotFound."""
        return await self._caller.call(get(bank_path(bank_id)), Bank)

    async def list_banks(self, *, limit: int = 50, cursor: str | None = None) -> Page[BankLine]:
        """The banks that the API key covers, by name, without their settings."""
        return await self._caller.call(get(BANKS, {"limit": limit, "cursor": cursor}), Page[BankLine])

    async def update_bank(self, bank_id: str, settings: Mapping[str, object]) -> Bank:
        """Merge settings into those of a bank; None restores a default. Never repeated. Errors: NotFound."""
        return await self._caller.call(patch(bank_path(bank_id), {"settings": settings}), Bank)

    async def stats(self, bank_id: str) -> BankStats:
        """Counts of a bank's messages, memories, facts and work, and today's spending. Errors: NotFound."""
        return await self._caller.call(get(bank_path(bank_id, "stats")), BankStats)

    async def create_token(
        self, bank_id: str, *, role: Literal["read", "write"] = "read", seconds: int = DEFAULT_SECONDS
    ) -> AccessToken:
        """Sign an access token for one bank with the API key, for programs that must not have the key.

        It ends after `seconds`, at most 3600. `Memory` has no such method: it has no key. Errors: NotFound; Forbidden
        for a role above the key's; Conflict while the service has no keys.
        """
        fields = {"role": role, "seconds": seconds}
        return await self._caller.call(post(bank_path(bank_id, "tokens"), fields, "free"), AccessToken)
