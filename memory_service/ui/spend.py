"""Spend: the model calls of a bank by day, purpose and model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from fastapi import APIRouter, Request, Response

from memory_service.results import DailySpend
from memory_service.server.dependencies import ReadMemory
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view

DAYS = 30
COLUMNS = ("day", "purpose", "model", "calls", "failed", "items", "input_tokens", "output_tokens", "seconds")

spend = APIRouter(prefix="/ui/banks/{bank_id}/spend", route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class DayTotal:
    day: date
    tokens: int
    height: float
    """Of its bar, 0 to 100."""


def totals(spent: Sequence[DailySpend], days: Sequence[date]) -> list[DayTotal]:
    """The tokens of each day; the highest bar is 100."""
    tokens = [sum(one.input_tokens + one.output_tokens for one in spent if one.day == day) for day in days]
    highest = max(tokens) or 1
    return [
        DayTotal(day, count, round(100 * count / highest, 1)) for day, count in zip(days, tokens, strict=True)
    ]


@view(spend, "", csv=True)
async def by_day(request: Request, memory: ReadMemory, bank_id: str) -> Response:
    spent = await memory.spend_by_day(bank_id, days=DAYS)
    table = table_of(COLUMNS, spent)
    today = datetime.now(UTC).date()
    days = [today - timedelta(days=before) for before in reversed(range(DAYS))]
    return shown(
        request, "spend.html", {"spend": spent}, table, totals=totals(spent, days),
        limit=memory.settings.daily_tokens,
    )  # fmt: skip
