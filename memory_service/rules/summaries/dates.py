"""Puts the date behind words like "yesterday" or "last Friday", counted from when they were said."""

from __future__ import annotations

import re
from datetime import date, timedelta

from memory_service.rules.word_lists import DAY, MONTHS
from memory_service.text.late_pattern import compile_late

MONTH_NAMES = MONTHS.split("|")
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
_OTHER_LANGUAGES: dict[str, tuple[str, int]] = {
    "vorgestern": ("day", -2), "gestern": ("day", -1), "heute": ("day", 0), "übermorgen": ("day", 2),
    "letzte woche": ("week", -1), "nächste woche": ("week", 1), "letzten monat": ("month", -1),
    "nächsten monat": ("month", 1), "letztes jahr": ("year", -1), "nächstes jahr": ("year", 1),
    "avant-hier": ("day", -2), "aujourd'hui": ("day", 0), "demain": ("day", 1), "après-demain": ("day", 2),
    "la semaine dernière": ("week", -1), "la semaine prochaine": ("week", 1), "le mois dernier": ("month", -1),
    "le mois prochain": ("month", 1), "l'année dernière": ("year", -1), "l'an dernier": ("year", -1),
    "l'année prochaine": ("year", 1), "anteayer": ("day", -2), "ayer": ("day", -1), "hoy": ("day", 0),
    "la semana pasada": ("week", -1), "la próxima semana": ("week", 1), "el mes pasado": ("month", -1),
    "el próximo mes": ("month", 1), "el año pasado": ("year", -1), "el próximo año": ("year", 1),
    "l'altro ieri": ("day", -2), "ieri": ("day", -1), "oggi": ("day", 0), "domani": ("day", 1),
    "la settimana scorsa": ("week", -1), "la prossima settimana": ("week", 1), "il mese scorso": ("month", -1),
    "il mese prossimo": ("month", 1), "l'anno scorso": ("year", -1), "l'anno prossimo": ("year", 1),
}  # fmt: skip
"""Without the words that mean something else as well: German "morgen", French "hier" (German "here"), Spanish "mañana".
"""
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11)}
"""First and last month, north of the equator; a winter lies in two years and is left alone."""
_COUNT = "an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[0-9]{1,3}"
_UNITS = "day|week|month|year"
_RELATIVE = compile_late(
    r"(?i)\b(?:(?P<fixed>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|last night|today|tonight|"
    r"this (?:morning|afternoon|evening)|tomorrow)|(?P<which>last|next|this(?: coming| past)?) (?P<unit>week(?:end)?|"
    rf"month|year|{DAY})|(?P<side>last|next) (?P<season>spring|summer|fall|autumn)|(?:the )?(?P<twice>week(?:end)?|"
    rf"month|year) before last|(?P<count>{_COUNT}) (?P<what>night|{_UNITS})s? ago|(?:is|are|starts?|begins?|due|up|"
    rf"leaves?|leaving|arrives?|arriving|moving) in (?P<ahead>{_COUNT}) (?P<then>{_UNITS})s?|(?P<away>{_COUNT}) "
    rf"(?P<later>{_UNITS})s? from now(?! on\b)|(?P<other>{'|'.join(map(re.escape, _OTHER_LANGUAGES))}))\b(?:[’']s\b|"
    rf"(?![’']s))(?! \[| in (?:{MONTHS}|[0-9]))"
)
_SPAN_BEFORE = compile_late(
    r"(?i)(?:\b(?:the|my|our|your|his|their|its|a|one|every|each|very)|\w{3}[’']s(?= last)|"
    r"\b(?:in|for|during|on|of|until|till|is|was|it[’']s|spent|spends?) her) (?=last|next)"
)
_LONGEST_BEFORE = len(" spends her ")
_SPAN_AFTER = compile_late(r" of\b")
"""Around "last week" and the like where they are a span or one of several: "the last week", "last Monday of June"."""
_CLAUSE = 80
"""Characters before a weekday in which its verb is looked for."""
_CLAUSE_START = compile_late(
    r"[.!?;:\n]|, (?:so|I|we|he|she|they|it)\b|\b(?:and|but|because|although|while|that|which)\b|"
    r"\b(?:decid|plann?|agre|want|need|hop|promis|suppos|schedul|expect|ask)ed(?: \w+){0,2}? to\b|\btold \w+ to\b"
)
_AHEAD = compile_late(r"(?i)\b(?:to|for|due|until|till|on|by|before|from) $")
_PAST = compile_late(
    r"(?i)\b(?!(?:need|speed|feed|indeed|bed|red|hundred|supposed|scheduled|planned|arranged|booked|reserved|"
    r"invited|signed|excited|used|married)\b)\w{2,}ed\b|"
    r"\b(?:was|were|had|did|went|came|saw|met|took|made|began|bought|sold|left|lost|found|won|gave|ate|ran|"
    r"wrote|flew|drove|broke|fell|felt|held|kept|paid|sent|spoke|spent|taught|thought|understood|woke|quit)\b"
)
_STEMS = (
    "day", "night", "morning", "afternoon", "evening", "tomorrow", "week", "month", "year", "summer", "spring", "fall",
    "autumn", "gestern", "heute", "morgen", "woche", "monat", "jahr", "demain", "hier", "hui", "semaine", "mois", "ann",
    "dernier", "ayer", "hoy", "semana", "mes", "año", "ieri", "oggi", "domani", "settimana",
)  # fmt: skip
"""Without any of these nothing can match."""


def written(day: date) -> str:
    """Return a date as people write it, in any locale: 8 May 2023."""
    return f"{day.day} {written_month(day)}"


def written_month(day: date) -> str:
    """Return the month of a date as people write it, in any locale: May 2023."""
    return f"{MONTH_NAMES[day.month - 1]} {day.year}"


def with_dates(text: str, said_on: date) -> str:
    """Return the text with the date in brackets after each relative day, week, month or year.

    Vague words ("recently", "a few days ago"), spans ("the last week") and dates outside the calendar are left alone.
    """

    def dated(match: re.Match[str]) -> str:
        if _is_span(match):
            return match[0]
        try:
            meant = _meant(match, said_on, over=_is_over(match))
        except (OverflowError, ValueError):
            meant = None
        return f"{match[0]} [{meant}]" if meant else match[0]

    lowered = text.lower()
    for stem in _STEMS:
        if stem in lowered:
            return _RELATIVE.sub(dated, text)
    return text


def _is_span(match: re.Match[str]) -> bool:
    """Whether "last" or "next" counts within a span, not from the day on which it was said: "the last week in Rome"."""
    if (match["which"] or match["side"] or match["fixed"] or "").lower() not in (
        "last",
        "next",
        "last night",
    ):
        return False
    before = match.string[max(match.start() - _LONGEST_BEFORE, 0) : match.start() + len("last")]
    return _SPAN_BEFORE.search(before) is not None or _SPAN_AFTER.match(match.string, match.end()) is not None


def _is_over(match: re.Match[str]) -> bool:
    """Whether the clause before the match tells of the past: "I started there this Monday"."""
    if match["which"] is None or match["which"].lower() != "this":
        return False
    clause = match.string[max(match.start() - _CLAUSE, 0) : match.start()]
    if _AHEAD.search(clause):
        return False
    return _PAST.search(_CLAUSE_START.split(clause)[-1]) is not None


def _meant(match: re.Match[str], said_on: date, *, over: bool) -> str | None:
    """The date that a match names; `over`: of something that has happened."""
    if match["fixed"]:
        return written(said_on + timedelta(days=_FIXED_DAYS[match["fixed"].lower()]))
    if match["count"]:
        return _away(match["what"], -_number(match["count"]), said_on)
    if match["ahead"]:
        return _away(match["then"], _number(match["ahead"]), said_on)
    if match["away"]:
        return _away(match["later"], _number(match["away"]), said_on)
    if match["twice"]:
        return _away(match["twice"], -2, said_on)
    if match["season"]:
        return _season(match["season"].lower(), match["side"].lower(), said_on)
    if match["other"]:
        return _away(*_OTHER_LANGUAGES[match["other"].lower()], said_on)
    which = -1 if over else {"last": -1, "this past": -1, "next": 1}.get(match["which"].lower(), 0)
    unit = match["unit"].lower()
    if unit not in _WEEKDAYS:
        before = over and (unit != "weekend" or said_on.weekday() >= _WEEKDAYS.index("saturday"))
        return _away(unit, 0 if before else which, said_on)
    ahead = (_WEEKDAYS.index(unit) - said_on.weekday()) % 7
    if over and not ahead:
        return written(said_on)
    if which < 0:
        return written(said_on + timedelta(days=ahead - 7))
    return written(said_on + timedelta(days=ahead or 7 * which))


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _away(unit: str, count: int, said_on: date) -> str:
    """What lies so many units before or after: a day, "week of" its Monday, a month, a year."""
    unit = unit.lower()
    if unit in ("day", "night"):
        return written(said_on + timedelta(days=count))
    if unit == "month":
        return _month(said_on, count)
    if unit == "year":
        return str(date(said_on.year + count, 1, 1).year)
    monday = said_on + timedelta(days=7 * count - said_on.weekday())
    return (
        f"week of {written(monday)}"
        if unit == "week"
        else f"weekend of {written(monday + timedelta(days=5))}"
    )


def _season(season: str, side: str, said_on: date) -> str:
    """The last one that is over, or the next one that has not begun."""
    first, last = _SEASONS[season]
    if side == "last":
        year = said_on.year if said_on.month > last else said_on.year - 1
    else:
        year = said_on.year if said_on.month < first else said_on.year + 1
    return f"{season} {date(year, 1, 1).year}"


def _month(said_on: date, offset: int) -> str:
    index = said_on.year * 12 + said_on.month - 1 + offset
    return written_month(date(index // 12, index % 12 + 1, 1))
