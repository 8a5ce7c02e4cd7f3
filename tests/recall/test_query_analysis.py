"""The periods that a query names, and whether it asks what the agent said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_service.recall.query_analysis import asks_of_agent, month_of, periods_in, year_of
from tests.growth import check_growth

NOW = datetime(2026, 3, 4, 15, tzinfo=UTC)
ENDS = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), datetime(5, 6, 7, tzinfo=UTC))


@pytest.mark.parametrize(
    ("query", "periods"),
    [
        ("What did Tom say in June 2020?", [month_of(2020, 6)]),
        ("june 2020, June 2020 or just 2020 and 2021", [month_of(2020, 6), year_of(2021)]),
        ("It may rain, they march.", []),
        ("in May 2021", [month_of(2021, 5)]),
        ("last month", [month_of(2026, 2)]),
        ("last year, last year", [year_of(2025)]),
        ("in december", [month_of(year, 12) for year in range(2016, 2027)]),
        ("yesterday", [(datetime(2026, 3, 3, tzinfo=UTC), datetime(2026, 3, 4, tzinfo=UTC))]),
        ("this week", [(datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC))]),
    ],
)
def test_the_periods_a_query_names_each_once(query: str, periods: list[tuple[datetime, datetime]]) -> None:
    found = periods_in(query, NOW)
    assert sorted(found) == sorted(periods)


@pytest.mark.parametrize("at", ENDS, ids=str)
def test_periods_as_seen_from_the_ends_of_time(at: datetime) -> None:
    query = "in june, in december, yesterday, today, this week, last week, last month, this month, last year, this year"
    assert periods_in(query, at)


@pytest.mark.parametrize("words", ["may ", "may, ", "june ", "june 2020 ", "yesterday ", "2020 "])
def test_a_long_text_full_of_times_is_read_in_proportion_to_its_length(words: str) -> None:
    check_growth(lambda text: periods_in(text, NOW), words)
    assert len(periods_in((words * 32_000)[:32_000], NOW)) <= 11


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("What was the rotation you gave me?", True),
        ("the recipe you've already sent", True),
        ("Which plants did you suggest for my balcony?", True),
        ("Repeat your first answer.", True),
        ("the plan you made for me", True),
        ("As you mentioned, I like tea.", False),
        ("I followed your advice about the sleep schedule.", True),
        ("Can you suggest plants for my balcony?", False),
        ("Did you know that Bruno repairs clocks?", False),
        ("What have I told you about your answers?", False),
        ("What do you recommend?", False),
        ("Which cake shall I bake?", False),
        ("The rotation you gave me. " * 20, False),
    ],
)
def test_whether_a_query_asks_what_the_agent_said(query: str, asks: bool) -> None:
    assert asks_of_agent(query) is asks


@pytest.mark.parametrize("words", ["what ", "did you ", "you ", "your first ", "which did "])
def test_a_text_full_of_questions_is_read_in_proportion_to_its_length(words: str) -> None:
    check_growth(asks_of_agent, words)
