"""What the modules of this package share: calls of memory_api whose rows become records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from memory_service.errors import NotFound
from memory_service.results import Committed
from memory_service.store.database import Database, Row
from memory_service.store.records import record

T = TypeVar("T")
Json = Mapping[str, Any]

NO_BANK = "bank_id: there is no such bank"


class Area:
    """The functions of one area of memory_api."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _records(self, kind: type[T], function: str, /, **arguments: Any) -> list[T]:
        """The rows of a function, each as a record. `arguments`: as Database.rows."""
        return [record(kind, row) for row in await self._database.rows(function, **arguments)]

    async def _banks(self, function: str, /, **arguments: Any) -> list[str]:
        """The banks that a function returns on all servers that answer."""
        return [
            row["bank_id"] for row in await self._database.rows_of_all(function, partly=True, **arguments)
        ]

    async def _found(self, missing: str | None, function: str, /, **arguments: Any) -> Row:
        """The row of a function, `arguments` as Database.row. Errors: NotFound with the text `missing` without one."""
        row = await self._database.row(function, **arguments)
        if row is None:
            raise NotFound(missing)
        return row

    async def _commit(self, function: str, /, bank_id: str, decision: Json, **memory: Json) -> Committed:
        """Write a committed memory with its gate decision. Errors: NotFound (the bank)."""
        row = await self._found(NO_BANK, function, urgent=True, bank=bank_id, decision=decision, **memory)
        if row["created"]:
            self._database.counts.count_decision(decision)
        return record(Committed, row)
