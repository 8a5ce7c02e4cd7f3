"""Announced times of facts: "I start at Nokia on 1 December", "my last day is 30 November", "on leave until July 1".

A fact begins, and an ending takes effect, at the time that its sentence or the next one names, if that is later than
the message. A notice without a time leaves the job current.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from memory_service.rules.facts.known_names import is_town_or_country
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.word_lists import DAY, MONTHS
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_FAR = 300
"""Days ahead from which a date without a year is the one that has passed."""
_MONTHS = [name.lower() for name in MONTHS.split("|")]
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"


def _when(name: str) -> str:
    """Pattern of a date; the names of its groups end in `name`."""
    return (
        rf"(?:the )?(?:(?P<part{name}>end|start|beginning|middle) of )?(?:early |mid-?|late )?"
        rf"(?:(?P<month{name}>{MONTHS})(?: (?:the )?(?P<day{name}>{_ORDINAL})(?! ?(?:am|pm|o'clock)\b)(?!:))?(?:,? "
        rf"(?P<year{name}>20\d\d))?|(?P<day2{name}>{_ORDINAL})(?: of)? (?P<month2{name}>{MONTHS})(?:,? "
        rf"(?P<year2{name}>20\d\d))?|(?P<nth{name}>\d{{1,2}}(?:st|nd|rd|th))|(?:next |this |the )?"
        rf"(?P<weekday{name}>{DAY})|(?P<span{name}>next (?:week|month|year)|tomorrow|this month|the month|the year|"
        rf"christmas|new year)|(?P<only{name}>20\d\d))(?![\w:])"
    )


_END = r"(?=$|[.,;!?)–—-]| (?:and|but|so|because|then|only|though|at|as|for|with|when|in|next|now|or)\b)"
_UNTIL = compile_late(rf"(?i)\b(?:until|till|through|thru) {_when('')}{_END}")
_FROM_TO = compile_late(rf"(?i)\bfrom {_when('1')} (?:to|until|till|through) {_when('')}{_END}")
_FROM = compile_late(
    rf"(?i)\b(?:from|as of|as from|effective|starting(?: on| in| from)?|beginning(?: on| in)?) {_when('')}"
    rf"(?! ?(?:to|until|till|through|and|-|–) ?(?:\d|{DAY}|{MONTHS}))(?:{_END}|(?= (?:I|we)\b))"
)
_STARTS = compile_late(
    rf"(?i)\b(?:start|begin|join|starting|beginning|joining)\b(?! (?:salary|pay|rate|point|date|time)\b)"
    rf"(?:(?!\b(?:and|but|because|until|till|was|were)\b)[^.,;:!?]){{0,40}}? (?:(?:on|in|at) )?{_when('')}{_END}"
)
_FIRST_DAY = compile_late(
    rf"(?i)\b(?:first day(?: (?:there|at|with)(?: [\w'’&-]+){{0,3}}?)?(?:['’]s| is| will be|:)|"
    rf"I start(?: there| work)?|I['’]m starting(?: there| work)?) (?:(?:on|in|at) )?{_when('')}{_END}"
)
_OFFER = compile_late(r"(?i)\b(?:job|offer|signed|hired|joining|accepted|got)\b")
_LAST_DAY = compile_late(
    rf"(?i)\blast (?:working )?day(?: (?:at|with|in|of|there)(?: [\w'’&-]+){{0,3}}?)?(?:['’]s| is| will be|:) "
    rf"(?:on )?{_when('')}{_END}"
)
_STAYS = compile_late(
    rf"(?i)\b(?:stay|staying|work|working|remain|there|employed|notice(?: period)?)\b[^.,;:!?]{{0,30}}? "
    rf"(?:until|till|through) {_when('')}{_END}"
)
_LEAVES = compile_late(
    rf"(?i)\b(?:leave|leaving|finish|finishing|done|out|gone)\b(?: (?!(?:for|to|with|a|the|my)\b)[\w'’&-]+){{0,3}}? "
    rf"(?:on|at|in|by) {_when('')}{_END}"
)
_NOTICE = compile_late(
    r"(?i)\bnotice\b(?P<home>[^.;]{0,30}\b(?:flat|apartment|lease|landlord|landlady|room|house|gym|membership)\b)?"
)
_STILL = compile_late(
    r"(?i)\b(?:still|stay(?:ing)?|after all)\b(?!.*\b(?:until|till|through|notice|last day|leav\w+)\b)"
)
"""Takes an announced ending back."""
_JOBS = frozenset({"works_at", "works_as", "works_in", "job_held"})
_BEHIND = compile_late(rf"(?i) (?:from|in|on|as of|starting(?: in| on)?) {_when('')}$")
_OF_NOW = compile_late(
    r"(?:goal|appointment|instruction|age|cancelled|wants|hopes|plans|.*_(?:date|day|time))"
)
"""Attributes of what holds when it is said, though it names a later time."""
_WILL = compile_late(
    r"(?i)\b(I|we)(?:['’]ll| will|['’]m going to| am going to|['’]re going to)(?: be)? (?=\w)"
)
_LIVING = compile_late(r"(?i)\b(I|we)(?:['’]ll| will) be (\w+ing)\b")
_LEAVES_JOB = compile_late(
    rf"(?:^|[.,;] |\b(?:and|so|but) )(?:(?:and|so|but) )?I(?:[’']m leaving| am leaving| leave|[’']ll leave| "
    rf"will leave) (?P<old>[A-Z][\w'’&-]+(?: [A-Z][\w'’&-]+){{0,2}}) (?:(?:on|in) (?=(?:the )?(?:\d|{MONTHS}))|"
    r"at (?=(?:the )?end of))"
)
_LEADS = compile_late(r"(?i)(?:and|but|so|then)?[ ,]*")
_PARTICIPLE = compile_late(r"(?i)(?:starting|beginning|effective|as of)\b")
_CLAUSE_END = compile_late(r"(?i)[.,;:!?]|\b(?:and|but|because|so)\b")
_WORTH = compile_late(
    rf"(?i)\b(?:{MONTHS}|{DAY}|next|tomorrow|notice|christmas|new year|\d{{1,2}}(?:st|nd|rd|th)|20\d\d|month|"
    r"year)\b"
)


def with_times(
    facts: tuple[CandidateFact, ...], said: Sequence[str], speaker: str | None, said_at: datetime
) -> tuple[CandidateFact, ...]:
    """The facts of a message with the sentences `said`, with their announced times; further ones that only such a time
    makes certain ("from May I'll live in Lund"); without the ending of a job by a notice without a time."""
    if not any(_WORTH.search(one) or _STILL.search(one) for one in said):
        return facts
    subject = speaker or "user"
    for place, sentence in enumerate(said):
        following = said[place + 1] if place + 1 < len(said) else ""
        if not (_WORTH.search(f"{sentence} {following}") or _STILL.search(sentence)):
            continue
        own = {_key(fact) for fact in facts_in(sentence, speaker, said_at.year)}
        facts = tuple(
            one
            for fact in facts
            for one in (_timed(fact, sentence, following, said_at) if _key(fact) in own else (fact,))
        )
        facts = tuple(
            {_key(fact): fact for fact in (*_announced(sentence, subject, speaker, said_at), *facts)}.values()
        )
    return facts


def _key(fact: CandidateFact) -> tuple[str | None, str | None, str | None, bool]:
    return fact.subject, fact.attribute, fact.value or fact.text, fact.holds


def _timed(fact: CandidateFact, sentence: str, following: str, said_at: datetime) -> Iterator[CandidateFact]:
    """The fact with its announced times; none of a job that a notice without a time ends."""
    if not fact.holds:
        notice = _NOTICE.search(sentence)
        if fact.attribute not in _JOBS:
            yield fact
        elif notice and notice["home"]:
            return
        elif moment := _end_of_job(sentence, said_at) or _end_of_job(following, said_at):
            yield replace(fact, starts_at=moment)
        elif not notice:
            yield fact
        return
    if _OF_NOW.fullmatch(fact.attribute or ""):
        yield fact
        return
    span = _FROM_TO.search(sentence)
    if span and not (span["weekday1"] or span["weekday"]) and _is_beside(fact, sentence, span):
        start, end = _moment(span, "1", said_at), _moment(span, "", said_at, end=True)
        yield replace(fact, starts_at=start if fact.attribute else None, ends_at=end) if end else fact
        return
    if fact.attribute == "works_at" and _STILL.search(sentence):
        yield replace(fact, starts_at=said_at.isoformat())
        return
    until = _UNTIL.search(sentence)
    end = _moment(until, "", said_at, end=True) if until and _is_beside(fact, sentence, until) else None
    match = _start_of(fact, sentence, following)
    start = _moment(match, "", said_at) if match else None
    if start:
        fact = _without_time(fact)
    yield replace(fact, starts_at=start, ends_at=end) if start or end else fact


def _start_of(fact: CandidateFact, sentence: str, following: str) -> re.Match[str] | None:
    """The time at which a typed fact begins."""
    if fact.attribute is None:
        return None
    for shape in (_FROM, _STARTS) if fact.attribute in _JOBS else (_FROM,):
        for match in shape.finditer(sentence):
            if _LEADS.fullmatch(sentence[: match.start()]) or _is_beside(fact, sentence, match):
                return match
    if fact.attribute in _JOBS and _OFFER.search(sentence):
        return _FIRST_DAY.search(sentence) or _FIRST_DAY.search(following)
    return None


def _is_beside(fact: CandidateFact, sentence: str, match: re.Match[str]) -> bool:
    """Whether a time stands in the clause of a fact's value; of a fact without one, in a sentence of one clause."""
    value = fact.value.lower() if fact.value and fact.attribute else ""
    place = sentence.lower().rfind(value) if value else -1
    if match.start() <= place < match.end():
        return True
    if place > match.start():
        return False
    between = sentence[place + len(value) if place >= 0 else 0 : match.start()]
    if _PARTICIPLE.match(match[0]):
        between = between.rstrip(" ,")
    return _CLAUSE_END.search(between) is None


def _without_time(fact: CandidateFact) -> CandidateFact:
    """The fact without the time behind its value: "Nokia from March"."""
    if not fact.value or not (cut := _BEHIND.sub("", fact.value)):
        return fact
    return replace(fact, text=fact.text.replace(fact.value, cut), value=cut)


def _end_of_job(sentence: str, said_at: datetime) -> str | None:
    for shape in (_LAST_DAY, _STAYS, _LEAVES):
        if (match := shape.search(sentence)) and (moment := _moment(match, "", said_at, end=True)):
            return moment
    return None


def _announced(
    sentence: str, subject: str, speaker: str | None, said_at: datetime
) -> Iterator[CandidateFact]:
    """The job that a person leaves on a day, and what "will" be from a day on."""
    leaves = _LEAVES_JOB.search(sentence)
    if (
        leaves
        and not is_town_or_country(leaves["old"])
        and (moment := _end_of_job(sentence[leaves.start() :], said_at))
    ):
        for attribute in ("works_at", "job_held"):
            text = f"{subject} no longer works at {leaves['old']}."
            yield CandidateFact(
                text, subject, attribute, leaves["old"], stated=True, holds=False, starts_at=moment
            )
    if _FROM.search(sentence) and (will := _WILL.search(sentence)):
        living = _LIVING.search(sentence)
        plain = (
            f"{sentence[: living.start()]}{living[1]} am {living[2]}{sentence[living.end() :]}"
            if living
            else f"{sentence[: will.start()]}{will[1]} {sentence[will.end() :]}"
        )
        for fact in facts_in(plain, speaker, said_at.year):
            if fact.attribute and fact.holds and fact.subject == subject:
                for one in _timed(fact, plain, "", said_at):
                    if one.starts_at:
                        yield one


def _moment(match: re.Match[str], name: str, said_at: datetime, *, end: bool = False) -> str | None:
    """The time that a match names, if it is later than the message's: the start of a day, of the next one for an end
    on that day."""
    found = _date(match, name, said_at.date())
    if found is None:
        return None
    day, is_day = found
    if end and is_day:
        day += timedelta(days=1)
    return datetime.combine(day, time(), said_at.tzinfo).isoformat() if day > said_at.date() else None


def _date(match: re.Match[str], name: str, today: date) -> tuple[date, bool] | None:
    """The named date, and whether it is a day rather than the start of a month or year."""
    part = (match[f"part{name}"] or "").lower()
    try:
        if month_name := match[f"month{name}"] or match[f"month2{name}"]:
            number = match[f"day{name}"] or match[f"day2{name}"]
            year = match[f"year{name}"] or match[f"year2{name}"]
            return _in_month(today, _MONTHS.index(month_name.lower()) + 1, number, year, part)
        if nth := match[f"nth{name}"]:
            day = int(nth[:-2])
            this = date(today.year, today.month, day)
            return (this if this > today else date(*_after(today.year, today.month), day)), True
        if weekday := match[f"weekday{name}"]:
            ahead = (_WEEKDAYS.index(weekday.lower()) - today.weekday()) % 7
            return today + timedelta(days=ahead or 7), True
        if only := match[f"only{name}"]:
            return date(int(only), 1, 1), False
        span = (match[f"span{name}"] or "").lower()
        if span in ("this month", "the month", "next month"):
            year, month = (
                (today.year, today.month) if span != "next month" else _after(today.year, today.month)
            )
            return _in_month(today, month, None, str(year), part)
        if span in ("next year", "the year"):
            if part == "end":
                return date(today.year + (span == "next year"), 12, 31), True
            return date(today.year + 1, 1, 1), False
        if span == "next week":
            return today + timedelta(days=7 - today.weekday()), False
        return {
            "tomorrow": (today + timedelta(days=1), True),
            "christmas": (date(today.year, 12, 25), True),
            "new year": (date(today.year + 1, 1, 1), False),
        }[span]
    except (ValueError, KeyError):
        return None


def _in_month(
    today: date, month: int, number: str | None, year: str | None, part: str
) -> tuple[date, bool] | None:
    day = int(re.sub(r"\D", "", number)) if number else 15 if part == "middle" else 1
    found = date(int(year) if year else today.year, month, day)
    last = part == "end" and not number
    if not year and (_last_day(found) if last else found) < today:
        found = date(today.year + 1, month, day)
        if (found - today).days > _FAR:
            return None
    return (_last_day(found), True) if last else (found, bool(number or part == "middle"))


def _last_day(day: date) -> date:
    return date(*_after(day.year, day.month), 1) - timedelta(days=1)


def _after(year: int, month: int) -> tuple[int, int]:
    return year + month // 12, month % 12 + 1
