"""Erasures: erase, plan, list receipts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import cast
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.errors import LedgerUnavailable
from memory_service.results import Erasure, ErasureItems, ErasurePlan
from memory_service.store.actor import acting
from memory_service.store.area import Area
from memory_service.store.database import Row, at_time, roll_back
from memory_service.types import JsonObject, JsonValue
from memory_service.vocabulary import ErasureScope

Selector = Mapping[str, JsonValue]


class Erasures(Area):
    async def erase(
        self,
        bank_id: str,
        scope: ErasureScope,
        selector: Selector,
        reason: str | None,
        actor: str | None,
        record: Callable[[JsonObject], Awaitable[None]],
        at: datetime | None = None,
    ) -> Erasure | None:
        """The receipt, or the former one if nothing is left to erase; None if nothing was ever there.

        `record` writes a line of the ledger before the commit: no erasure is missing there. Errors: NotFound for an
        unknown bank, unless `scope` is bank; LedgerUnavailable of `record`, after which nothing is erased.
        """

        async def erased() -> Row | None:
            row = await self._call(bank_id, scope, selector, reason, actor, dry_run=False, at=at)
            if row is not None and row["created"]:
                line = await self._database.value(
                    "memory_api.erasure_line", bank=bank_id, erasure=row["erasure_id"]
                )
                try:
                    await record(line)
                except LedgerUnavailable:
                    roll_back()
                    raise
            return row

        row = await self._database.in_transaction(erased, bank=bank_id)
        if row is None:
            return None
        return Erasure(
            row["erasure_id"], row["erased_scope"], row["erased_selector"], row["status"], row["erased_by"],
            row["erased_reason"], row["requested_at"], row["unreachable_at"], row["scrubbed_at"], row["row_counts"],
        )  # fmt: skip

    async def plan(
        self, bank_id: str, scope: ErasureScope, selector: Selector, at: datetime | None = None
    ) -> ErasurePlan:
        """What `erase` would delete: it is done and rolled back. Errors: as `erase`."""
        row = await self._call(bank_id, scope, selector, None, None, dry_run=True, at=at)
        if row is None or row["status"] != "planned":
            return ErasurePlan(scope, dict(selector), {}, ErasureItems((), (), (), (), (), ()))
        items = cast("dict[str, list[str]]", row["items"])

        def ids(kind: str) -> tuple[UUID, ...]:
            return tuple(map(UUID, items.get(kind, ())))

        return ErasurePlan(
            scope,
            dict(selector),
            cast("dict[str, int]", row["row_counts"]),
            ErasureItems(
                ids("episodes"), ids("facts"), ids("procedures"), ids("norms"), ids("messages"),
                tuple(items.get("conversations", ())),
            ),
        )  # fmt: skip

    async def list(self, bank_id: str, limit: int, after: UUID | None) -> list[Erasure]:
        """Receipts, the newest first. Errors: NotFound for a bank that neither exists nor was erased."""
        return await self._records(Erasure, "memory_api.list_erasures", bank=bank_id, page=limit, after=after)

    async def _call(
        self,
        bank_id: str,
        scope: ErasureScope,
        selector: Selector,
        reason: str | None,
        actor: str | None,
        *,
        dry_run: bool,
        at: datetime | None,
    ) -> Row | None:
        who = acting()
        return await self._database.row(
            "memory_api.erase",
            bank=bank_id,
            erasure=uuids.uuid7(),
            scope=scope,
            selector=dict(selector),
            actor=actor or who["actor"],
            key=who["key"],
            reason=reason,
            dry_run=dry_run,
            **at_time(at),
        )
