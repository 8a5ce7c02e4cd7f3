"""Sparklines, and the charts of `stats` and `nights`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

from memory_service.cli.inspect import activity_charts
from memory_service.cli.nights import cells_of, night_charts
from memory_service.cli.sparkline import charts, sparkline
from memory_service.results import DailyActivity, Night, NightPass

AT = datetime(2026, 11, 2, 3, tzinfo=UTC)


def test_blocks_grow_with_the_values() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8]) == ".▂▃▄▅▆▇██"
    assert sparkline([0.001, 100]) == "▁█", "a small value is no zero"
    assert sparkline([0.5, 0.25], top=1) == "▅▃"
    assert (sparkline([]), sparkline([0, 0])) == ("", "..")


def test_charts_are_aligned() -> None:
    assert charts([("a", [1], "one"), ("long", [0, 2], "")]) == ["a     █  one", "long  .█"]


def test_days_without_activity_are_zeros() -> None:
    found = [DailyActivity(date(2026, 11, 25), 8, 1), DailyActivity(date(2026, 11, 23), 4, 2)]
    assert activity_charts(found, date(2026, 11, 25)) == [
        "messages  ...........▅.█  12, at most 8 a day",
        "memories  ...........█.▅  3, at most 2 a day",
    ]


def test_a_night_is_the_sum_of_its_passes() -> None:
    def night(tokens: int, failed: int) -> Night:
        first = NightPass("merge", AT, 1.25, 12, failed, {"merged": 3}, 1, tokens, ())
        second = NightPass("budget", AT, 0.25, 11, 0, {}, 0, 0, ())
        return Night(UUID(int=tokens), AT, (first, second))

    assert cells_of(night(1500, 1)) == ("2026-11-02 03:00", "12", "1", "1,500", "1,500", "merged 3")
    assert night_charts([night(0, 0), night(1500, 1)]) == [
        "banks   ██  12 to 12",
        "ms      ██  1,500 to 1,500",
        "tokens  .█  0 to 1,500",
    ]
