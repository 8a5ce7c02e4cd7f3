"""The ledger of model calls: a row is opened with an estimate before each billed call, so that daily limits hold."""

from __future__ import annotations

from datetime import datetime

from memory_service.results import DailySpend
from memory_service.store.area import Area
from memory_service.types import Usage


class Spending(Area):
    async def begin(self, bank_id: str, estimate: Usage, items: int, daily_tokens: int | None) -> int | None:
        """Open a row with the estimated tokens of a call; its id, None where that exceeds the daily token limit."""
        return await self._database.value(
            "memory_api.begin_model_call",
            bank=bank_id,
            model=estimate.model,
            purpose=estimate.purpose,
            items=items,
            input_tokens=estimate.input_tokens,
            output_tokens=estimate.output_tokens,
            daily_tokens=daily_tokens,
        )

    async def end(self, bank_id: str, line: int, outcome: str, usage: Usage | None = None) -> None:
        """Close a row with the tokens used; without `usage` it keeps its estimate."""
        await self._database.value(
            "memory_api.end_model_call",
            bank=bank_id,
            call=line,
            outcome=outcome,
            input_tokens=usage and usage.input_tokens,
            output_tokens=usage and usage.output_tokens,
            seconds=usage and usage.seconds,
        )

    async def today(self, bank_id: str) -> tuple[int, int]:
        """Tokens of the bank's model calls of this UTC day, and how many of them are estimates of open rows."""
        row = await self._database.row("memory_api.tokens_today", bank=bank_id)
        return (row["tokens"], row["under_way"]) if row else (0, 0)

    async def by_day(self, bank_id: str, since: datetime) -> list[DailySpend]:
        """The bank's model calls since a time by UTC day, purpose and model, the latest day first. Errors: NotFound."""
        return await self._records(DailySpend, "memory_api.spend_by_day", bank=bank_id, since=since)
