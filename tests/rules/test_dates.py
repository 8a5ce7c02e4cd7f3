"""Days that are counted from when they were named."""

from __future__ import annotations

from datetime import date

import pytest

from memory_service.rules.summaries.dates import with_dates
from tests.growth import check_growth

_MONDAY = date(2023, 5, 8)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("yesterday", "yesterday [7 May 2023]"),
        ("Yesterday's race", "Yesterday's [7 May 2023] race"),
        ("the day after tomorrow", "the day after tomorrow [10 May 2023]"),
        ("two nights ago", "two nights ago [6 May 2023]"),
        ("last month in Rome", "last month [April 2023] in Rome"),
        ("last summer", "last summer [summer 2022]"),
        ("next spring", "next spring [spring 2024]"),
        ("next fall", "next fall [fall 2023]"),
        ("the week before last", "the week before last [week of 24 April 2023]"),
        ("the month before last", "the month before last [March 2023]"),
        ("the exam is in three weeks", "the exam is in three weeks [week of 29 May 2023]"),
        ("ten days from now", "ten days from now [18 May 2023]"),
        ("gestern und vorgestern", "gestern [7 May 2023] und vorgestern [6 May 2023]"),
        ("la semaine dernière", "la semaine dernière [week of 1 May 2023]"),
        ("el mes pasado", "el mes pasado [April 2023]"),
        ("ieri sera", "ieri [7 May 2023] sera"),
    ],
)
def test_a_relative_day_gets_its_date(text: str, dated: str) -> None:
    assert with_dates(text, _MONDAY) == dated


@pytest.mark.parametrize(
    "text",
    [
        "she joins me for the last week, in Santiago",
        "in hospital the last week of May",
        "the last year of school",
        "the last Monday of June",
        "the next week I quit",
        "over the last month I ran a lot",
        "the very last weekend in Rome",
        "my last year at university",
        "it was Anna's last week there",
        "the last night of the trip",
        "in her last week at work",
        "he worked there last week of May",
        "the last summer before the war",
        "we pay within 30 days from now on",
        "La última semana fue bonita",
    ],
)
def test_a_span_gets_no_date(text: str) -> None:
    assert with_dates(text, _MONDAY) == text


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("I met her last week", "I met her last week [week of 1 May 2023]"),
        ("told Mia last Friday, of course", "told Mia last Friday [5 May 2023], of course"),
        ("the race last Sunday", "the race last Sunday [7 May 2023]"),
        ("the wedding's next month", "the wedding's next month [June 2023]"),
        ("It's last Friday I mean", "It's last Friday [5 May 2023] I mean"),
        ("moving there next month", "moving there next month [June 2023]"),
        ("a month from now, on a Monday", "a month from now [June 2023], on a Monday"),
    ],
)
def test_a_day_beside_such_words_gets_its_date(text: str, dated: str) -> None:
    assert with_dates(text, _MONDAY) == dated


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I start there this Friday", "12 May 2023"),
        ("I started there this Friday", "5 May 2023"),
        ("I was there this Monday", "8 May 2023"),
        ("I went to the doctor this Thursday", "4 May 2023"),
        ("I was told that the exam is this Thursday", "11 May 2023"),
        ("We decided to meet this Thursday", "11 May 2023"),
        ("I booked a table this Thursday", "11 May 2023"),
        ("It rained and I am leaving this Sunday", "14 May 2023"),
        ("My sister visited me this weekend", "weekend of 6 May 2023"),
        ("My sister visits me this weekend", "weekend of 13 May 2023"),
        ("I finished it this month", "May 2023"),
        ("My interview was moved to this Thursday", "11 May 2023"),
        ("I finished the report due this Thursday", "11 May 2023"),
        ("I met Tom, he leaves this Thursday", "11 May 2023"),
    ],
)
def test_this_day_is_past_where_its_clause_is(text: str, meant: str) -> None:
    assert with_dates(text, _MONDAY) == f"{text} [{meant}]"


@pytest.mark.parametrize(
    "text",
    [
        "recently",
        "a few days ago",
        "I read it in two days.",
        "last year in May",
        "last winter",
        "Guten Morgen",
        "yesterday [7 May 2023]",
        "yesterday's [7 May 2023] race",
        "The daylight faded.",
        "I have five days left.",
    ],
)
def test_what_is_vague_means_something_else_or_is_dated_stays(text: str) -> None:
    assert with_dates(text, _MONDAY) == text


def test_twice_is_once_and_the_calendar_has_an_end() -> None:
    once = with_dates("We met last Friday, and 3 weeks ago.", _MONDAY)
    assert with_dates(once, _MONDAY) == once
    assert with_dates("999 years ago", date(900, 1, 1)) == "999 years ago"


def test_hostile_text_ends_soon() -> None:
    for piece in ("is in the week before last ", "2 "):
        check_growth(lambda text: with_dates(text, _MONDAY), piece)
