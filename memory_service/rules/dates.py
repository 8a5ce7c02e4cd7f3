"""Puts the date behind words like "yesterday" or "last Friday", counted from when they were said."""

from __future__ import annotations

import re
from datetime import date, timedelta

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
    )
} | {"a": 1, "an": 1}
_FIXED_DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "last night": -1,
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
_RELATIVE = re.compile(
    r"(?i)\b(?:(?P<fixed>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|last night|"
    r"today|tonight|this (?:morning|afternoon|evening)|tomorrow)"
    r"|(?P<which>last|next|this(?: coming| past)?) (?P<unit>week(?:end)?|month|year|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day)"
    r"|(?P<count>an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]{1,3}) "
    r"(?P<what>day|week|month|year)s? ago)\b(?![’']s| \[| in\b)"
)


def written(day: date) -> str:
    """Return a date as people write it, in any locale: 8 May 2023."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def with_dates(text: str, said_on: date) -> str:
    """Return the text with the date in brackets after each relative day, week, month or year.

    Vague words ("recently", "a few days ago") and dates outside the calendar are left alone.
    """

    def dated(match: re.Match[str]) -> str:
        try:
            meant = _meant(match, said_on)
        except (OverflowError, ValueError):
            meant = None
        return f"{match[0]} [{meant}]" if meant else match[0]

    return _RELATIVE.sub(dated, text)


def _meant(match: re.Match[str], said_on: date) -> str | None:
    if match["fixed"]:
        return written(said_on + timedelta(days=_FIXED_DAYS[match["fixed"].lower()]))
    if match["count"]:
        count = match["count"].lower()
        return _ago(int(count) if count.isdigit() else _NUMBERS[count], match["what"].lower(), said_on)
    which = {"last": -1, "this past": -1, "next": 1}.get(match["which"].lower(), 0)
    unit = match["unit"].lower()
    monday = said_on - timedelta(days=said_on.weekday())
    if unit == "week":
        return f"week of {written(monday + timedelta(days=7 * which))}"
    if unit == "weekend":
        return f"weekend of {written(monday + timedelta(days=7 * which + 5))}"
    if unit == "month":
        return _month(said_on, which)
    if unit == "year":
        return str(said_on.year + which)
    ahead = (_WEEKDAYS.index(unit) - said_on.weekday()) % 7
    if which < 0:
        return written(said_on + timedelta(days=ahead - 7))
    return written(said_on + timedelta(days=ahead or 7 * which))


def _ago(count: int, what: str, said_on: date) -> str:
    if what == "day":
        return written(said_on - timedelta(days=count))
    if what == "week":
        return f"week of {written(said_on - timedelta(days=said_on.weekday() + 7 * count))}"
    return _month(said_on, -count) if what == "month" else str(date(said_on.year - count, 1, 1).year)


def _month(said_on: date, offset: int) -> str:
    index = said_on.year * 12 + said_on.month - 1 + offset
    return f"{_MONTHS[index % 12]} {date(index // 12, index % 12 + 1, 1).year}"
