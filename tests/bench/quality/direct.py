"""Statements of a benchmark on the service's own database, beside its doors."""

from __future__ import annotations

from typing import Any

import asyncpg


async def rows_in_bank(
    connection: Any, bank_id: str, statement: str, *arguments: object
) -> list[asyncpg.Record]:
    """What the statement returns with row security set to one bank."""
    async with connection.transaction():
        await connection.execute("select memory_internal.enter_bank($1)", bank_id)
        return await connection.fetch(statement, *arguments)
