"""Query analysis: speaker names, time periods, and the kinds of answers that a query asks for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from memory_service.speakers import Speakers, words_of_name
from memory_service.text.late_pattern import compile_late

Period = tuple[datetime, datetime]
"""Half open: from the first time to the first one after it."""

YEARS_BACK = 10
"""A month without a year matches in each of the last years."""
FIRST_VIEW = datetime(2 + YEARS_BACK, 1, 1, tzinfo=UTC)
LAST_VIEW = datetime(9998, 12, 1, tzinfo=UTC)
"""`at` is clamped to these: nearer to the ends of the calendar "last year" is out of range."""

_WORD = compile_late(r"\w+(?:[-’']\w+)*")
_ADDRESS = compile_late(
    r"\s*(?:(?:hey|hi|hello|ok|okay|so|and)\b,? +)?(?P<whom>\w+(?: \w+)?)\s*[,:!]\s*", re.IGNORECASE
)
_OF_ME = compile_late(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|i(?=['’]m|['’]ve| ))\b")
_POSSESSIVE = compile_late(r"[’']s$")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = compile_late(
    rf"\b({'|'.join(_MONTHS)})\b(?:(?: \d{{1,2}}(?:st|nd|rd|th)?)?,? (?:of )?((?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_ALSO_VERBS = compile_late(
    r"\b(?:in|since|until|of|during|by|last|this|early|late|mid|\d+(?:st|nd|rd|th)?)[ -](?:may|march)\b|"
    r"\b(?:may|march),? *\d",
    re.IGNORECASE,
)
"""May and March as months rather than verbs."""
_YEAR = compile_late(r"\b(?:19|20)\d\d\b")
_RELATIVE = compile_late(r"\b(last|this) (week|month|year)\b|\b(yesterday|today)\b", re.IGNORECASE)


_KINDS = tuple(
    (kind, compile_late(pattern, re.IGNORECASE))
    for kind, pattern in (
        (1, r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|season)\b|\bhow (?:long|often|many "
            r"(?:days|weeks|months|years|hours))\b"),
        (2, r"\bwhere\b|\b(?:what|which) (?:city|town|country|place|state|area|part|street)\b"),
        (4, r"\bwho(?:m|se)?\b|\bnames?\b|\bcalled\b"),
        (8, r"\bhow (?:many|much|old|big|tall|far)\b|\b(?:what|which) (?:number|percentage|amount|size|price)\b"),
        (16, r"\bwhy\b|\breasons?\b|\bmotivat|\binspir"),
    )
)  # fmt: skip
"""Kinds as numbered by memory_internal.mention_kinds, with the question patterns for each. English only."""


_SAID = (
    r"(?:said|told|gave|given|suggested|recommended|mentioned|showed|shown|wrote|written|proposed|advised|explained|"
    r"listed|described|provided|shared|sent|posted|quoted|drafted|generated|created|made|calculated|estimated|"
    r"came up with|put together)"
)
_OF_AGENT = compile_late(
    r"(?<!\bas )\byou(?:['’](?:ve|d)| have| had)?(?: (?:just|already|once|previously|earlier|originally|first|last))? "
    rf"{_SAID}\b|"
    r"\b(?:what|which|how|where|who|why|when)\b[^.?!]*\bdid you\b|"
    r"\byour (?:last |previous |earlier |first |second |original )?(?:suggestion|recommendation|advice|explanation|"
    r"proposal|estimate|tip)s?\b|\byour (?:last|previous|earlier|first|second|original) (?:answer|reply)\b",
    re.IGNORECASE,
)

LONGEST_QUESTION = 400
"""Characters; a longer text asks for no particular kind."""


def kinds_in(query: str) -> list[int]:
    """The kinds of answers asked for: 1 a date or period, 2 a place, 4 a name, 8 a number, 16 a reason."""
    if len(query) > LONGEST_QUESTION:
        return []
    return [kind for kind, asks in _KINDS if asks.search(query)]


def asks_of_agent(query: str) -> bool:
    """Whether the query asks what the agent said earlier ("the rotation you gave me", "what did you suggest?")."""
    return len(query) <= LONGEST_QUESTION and _OF_AGENT.search(query) is not None


def named_in(query: str, people: Collection[str]) -> list[str]:
    """The words of the query that name speakers of the bank, in lower case."""
    return list(dict.fromkeys(name for _, name in name_places(query, people)))


def without_names(query: str, named: Collection[str]) -> str:
    """The query without these names, which draw the vector towards all memories of that person; the whole query where
    nothing else is left."""
    if not named:
        return query
    places = {place for place, _ in name_places(query, named)}
    left = " ".join(_WORD.sub(lambda word: "" if word.start() in places else word[0], query).split())
    return left if _WORD.search(left) else query


def subjects_in(query: str, named: Sequence[str], speakers: Speakers) -> list[str]:
    """The words of the names that the query is about: the names in it, without the agent's where the query only
    addresses it; the bank's subject where it has no name but "I" or "me"."""
    agent = words_of_name(speakers.agent_name).intersection(named)
    if agent and (spoken := _ADDRESS.match(query)) and agent.issuperset(words_of_name(spoken["whom"])):
        asked = frozenset(name for _, name in name_places(query[spoken.end() :], agent))
        named = [name for name in named if name not in agent - asked]
    if not named and speakers.subject and _OF_ME.search(query):
        return sorted(words_of_name(speakers.subject))
    return list(named)


def name_places(query: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """The places of these names in the query, each with the name in lower case.

    In a query with capitals only capitalized words are names: a speaker named Will is not every "will".
    """
    known = frozenset(names)
    capitals = query != query.lower()
    for word in _WORD.finditer(query):
        name = _POSSESSIVE.sub("", word[0])
        if name.lower() in known and (not capitals or name[0].isupper()):
            yield word.start(), name.lower()


def periods_in(query: str, at: datetime) -> list[Period]:
    """The days, weeks, months and years in the query, each once, relative to `at`."""
    at = min(max(at, FIRST_VIEW), LAST_VIEW)
    found: list[Period] = []
    # Tested once for the whole text, which may contain "may" a thousand times.
    are_months = _ALSO_VERBS.search(query) is not None
    months = {
        (match[1].lower(), match[2])
        for match in _MONTH.finditer(query)
        if are_months or match[1].lower() not in ("may", "march")
    }
    for name, in_year in months:
        number = _MONTHS.index(name) + 1
        years = [int(in_year)] if in_year else range(at.year - YEARS_BACK, at.year + 1)
        found += [month_of(year, number) for year in years]
    with_month = {in_year for _, in_year in months}
    found += [year_of(int(year)) for year in set(_YEAR.findall(query)) - with_month]
    found += [relative(match, at) for match in _RELATIVE.finditer(query)]
    return list(dict.fromkeys(found))


def relative(match: re.Match[str], at: datetime) -> Period:
    """The period of "last month" or "yesterday", relative to `at`."""
    today = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if match[3]:
        begin = today - timedelta(days=match[3].lower() == "yesterday")
        return begin, begin + timedelta(days=1)
    back = match[1].lower() == "last"
    if match[2].lower() == "week":
        begin = today - timedelta(days=today.weekday() + 7 * back)
        return begin, begin + timedelta(days=7)
    if match[2].lower() == "year":
        return year_of(at.year - back)
    first = today.replace(day=1)
    month = first - timedelta(days=1) if back else first
    return month_of(month.year, month.month)


def month_of(year: int, month: int) -> Period:
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    return datetime(year, month, 1, tzinfo=UTC), datetime(*following, 1, tzinfo=UTC)


def year_of(year: int) -> Period:
    return datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
