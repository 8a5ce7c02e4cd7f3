"""The spend ledger: a line per billed model call, opened before it, so that a daily cap holds."""

from __future__ import annotations

from memory_service.store.database import Database
from memory_service.types import Usage


class Spending:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, bank_id: str, estimate: Usage, items: int, daily_tokens: int | None) -> int | None:
        """Open a line with what the call may cost; None where the bank's daily cap forbids it."""
        return await self._database.value(
            "select memory_api.begin_model_call($1, $2, $3, $4, $5, $6, $7)",
            bank_id,
            estimate.model,
            estimate.purpose,
            items,
            estimate.input_tokens,
            estimate.output_tokens,
            daily_tokens,
        )

    async def end(self, bank_id: str, line: int, outcome: str, usage: Usage | None = None) -> None:
        """Close a line; without `usage` it keeps its estimate."""
        await self._database.value(
            "select memory_api.end_model_call($1, $2, $3, $4, $5, $6)",
            bank_id,
            line,
            outcome,
            *((usage.input_tokens, usage.output_tokens, usage.seconds) if usage else (None, None, None)),
        )

    async def today(self, bank_id: str) -> tuple[int, int]:
        """Tokens that the bank's model calls of this UTC day took, and how many of them are still an estimate of
        calls under way."""
        row = await self._database.row("select * from memory_api.tokens_today($1)", bank_id)
        return (row["tokens"], row["under_way"]) if row else (0, 0)
