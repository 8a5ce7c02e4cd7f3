"""Banks: what is remembered for one subject, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memory_service.errors import NotFound
from memory_service.store.database import Database, Row
from memory_service.types import Bank, CosineScale


class Banks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, bank_id: str, settings: dict[str, Any], embedding_model: str) -> tuple[Bank, bool]:
        """The bank, and whether this call made it; an existing one stays as it is."""
        row = await self._database.row(
            "select * from memory_api.create_bank($1, $2, $3)", bank_id, settings, embedding_model
        )
        if row is None:
            raise NotFound("bank_id: there is no such bank")
        return to_bank(row["bank_row"]), row["created"]

    async def read(self, bank_id: str) -> Bank:
        """The bank with the names of who speaks in it and its model's scale. Errors: NotFound."""
        row = await self._database.row("select * from memory_api.read_bank($1)", bank_id)
        bank = to_bank(row)
        return bank if row is None else replace(bank, people=tuple(row["people"]), scale=to_scale(row))

    async def update(self, bank_id: str, patch: dict[str, Any]) -> Bank:
        """The bank after its settings were merged with the patch. Errors: NotFound."""
        row = await self._database.row("select * from memory_api.update_bank($1, $2)", bank_id, patch)
        return to_bank(row)

    async def list(self, limit: int, after: str) -> list[Bank]:
        """The banks by name, after the given one, without their settings."""
        rows = await self._database.rows("select * from memory_api.list_banks($1, $2)", limit, after)
        return [Bank(row["bank_id"], {}, row["embedding_model"], row["created_at"]) for row in rows]

    async def stats(self, bank_id: str) -> dict[str, Any]:
        """DESIGN §8's stats. Errors: NotFound."""
        return await self._database.value("select memory_api.bank_stats($1)", bank_id)

    async def queue_stats(self) -> dict[str, Any]:
        """Depth, age and dead letters of the whole queue."""
        return await self._database.value("select memory_api.queue_stats()")

    async def register_embedding_model(self, name: str, dimensions: int) -> None:
        await self._database.value("select memory_api.register_embedding_model($1, $2)", name, dimensions)


def to_bank(row: Row | Mapping[str, Any] | None) -> Bank:
    if row is None:
        raise NotFound("bank_id: there is no such bank")
    return Bank(row["bank_id"], row["settings"], row["embedding_model"], row["created_at"])


def to_scale(row: Row) -> CosineScale | None:
    """A model's own scale; None where it is as the built-in model's."""
    mean = row["unrelated_mean"]
    return None if mean is None else CosineScale(mean, row["unrelated_spread"])
