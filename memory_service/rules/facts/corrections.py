"""Corrections of a speaker's last message: "I can't eat shrimp" - "sorry, not shrimp, lobster".

A correction names only the value, so the last message is read again with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.clause_words import DOSE, MONTH, NUMBER
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_LONGEST = 160
"""Characters of a correction, and of the sentence in it that corrects."""
_SORRY = (
    r"(?:(?:oh|ah|ugh|no|nope|wait|sorry|oops|whoops|actually|correction|typo|my (?:mistake|bad)|hang on|hold on|"
    r"I mean|scratch that|argh)[,.:!;–-]*\s+)"
)
_VALUE = r"[\w@€$£][\w@.,:/'’+-]*(?: [\w.:/'’+-]+){0,3}?"
_CORRECTION = compile_late(
    rf"(?i)(?:^|[.!?\n]\s*){_SORRY}*(?:(?:I )?(?:meant|mean) (?P<new>{_VALUE}),? (?:and )?not (?P<old>{_VALUE})|"
    rf"(?:it['’]s |it was |that['’]s )?not (?:the |an? )?(?P<old2>{_VALUE})(?:,|;| -| but|, but) ?(?:(?:I )?(?:meant|"
    rf"mean) |it['’]s |it is |that['’]s |but )?(?:the |an? )?(?P<new2>{_VALUE})|"
    rf"I was wrong about (?:the |my )?(?P<old3>{_VALUE}),? (?:it['’]s|it is|I meant) (?:the |"
    rf"an? )?(?P<new3>{_VALUE})(?: (?:that )?I .*)?)\s*(?:[.!)]|$|, (?:sorry|my bad|typo|of course)|\s+(?:sorry|"
    r"obviously|of course|lol)\b)"
)
_EXPLICIT = compile_late(
    r"(?i)\b(?:sorry|oops|whoops|typo|correction|my (?:mistake|bad)|scratch that|I (?:meant|mean)|I was wrong|"
    r"wait)\b|^mean"
)
_CLAUSE = compile_late(r"(?i)\b(?:is|are|was|were|has|have|will|can)\b")
_NEW_ONLY = compile_late(
    rf"(?i)^{_SORRY}+(?:(?:I )?(?:meant|mean) |it['’]s |that['’]s |"
    rf"it should be )?(?P<new>{_VALUE})(?:,? not \w+)?\s*[.!]*$"
)
_PLAIN_ONLY = compile_late(rf"(?i)^(?:I )?(?:meant|mean) (?P<new>{_VALUE})\s*[.!]*$")
_DOSE = compile_late(rf"(?i){DOSE}")
_NUMBER = compile_late(r"\d[\d.,:]*")
_COUNTED = compile_late(rf"(?i)(?P<count>{NUMBER}) (?P<what>[a-z]{{3,}})")
_NAME = compile_late(r"(?:[A-Z][\w'’-]{2,})(?: [A-Z][\w'’-]+)?")
_SPELLING = compile_late(
    r"(?i),? (?:with|without) (?:an?|one|two|a double|no|the) [\w' ]{1,12}$|,? (?:spelled|spelt|written) .*$"
)
_MARKED = compile_late(rf"(?i)^{_SORRY}+(?P<rest>.+)$")
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)"
_ON_DAY = compile_late(rf"(?i)\b(?:on )?(?:the )?(?:{_DAY}|\d{{1,2}}(?:st|nd|rd|th))(?![\w])")
_DATE = compile_late(rf"(?i)\b(?:the )?{_DAY}(?![\w])")
_OF_MONTH = compile_late(r"\d{1,2}(?:st|nd|rd|th)?")
_SMALL = frozenset(
    """a an the to in on at of for it is are was i we my our me us im i'm we're it's and not but so that this will be
    going actually really date day""".split()  # noqa: SIM905
)
_SIMILAR = 0.7
"""Likeness of a misspelled name and the right one: Ana and Anna .86, Carla and Carola .91, Tom and Tim .67."""


def corrected_facts(
    before: str, message: str, speaker: str | None, said_in: int | None, *, asked: bool = False
) -> Iterator[CandidateFact]:
    """Yield the endings of the facts of a speaker's last message that a correction takes back, then the facts in their
    place. `asked`: a question stands between the two, so that "not Anna, Bob" may answer it."""
    if len(message) > _LONGEST or message.rstrip().endswith("?"):
        return
    if asked and not _EXPLICIT.search(message):
        return
    for old, new in _corrections(before, message):
        if old.lower() == new.lower() or _CLAUSE.search(new):
            continue
        reading = re.sub(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, before)
        if reading == before:
            continue
        former = list(facts_in(before, speaker, said_in))
        now = [fact for fact in facts_in(reading, speaker, said_in) if fact.holds and fact not in former]
        kept = {_answer(fact) for fact in now if fact.attribute}
        taken_back = [fact for fact in former if fact.holds and _has(fact, old) and _answer(fact) not in kept]
        if now and taken_back:
            for fact in taken_back:
                # Without an attribute a fact is known by its words.
                yield replace(fact, text=_denied(fact) if fact.attribute else fact.text, holds=False)
            yield from now
            return


def _corrections(before: str, message: str) -> Iterator[tuple[str, str]]:
    """Pairs of a value of the last message and the one in its place."""
    if match := _CORRECTION.search(message):
        groups = match.groupdict()
        old = next(text for name, text in groups.items() if name.startswith("old") and text)
        new = next(text for name, text in groups.items() if name.startswith("new") and text)
        yield old.strip(" ,."), new.strip(" ,.")
        return
    yield from _other_date(before, message)
    match = _NEW_ONLY.match(_SPELLING.sub("", message)) or _PLAIN_ONLY.match(_SPELLING.sub("", message))
    if match is None or not _EXPLICIT.search(message):
        return
    new = match["new"].strip(" ,.")
    for shape in (_DOSE, _NUMBER):
        values = shape.findall(before)
        if shape.fullmatch(new) and len(values) == 1:
            yield values[0], new
            return
    if count := _COUNTED.fullmatch(new):
        same = [one for one in _COUNTED.finditer(before) if one["what"].lower() == count["what"].lower()]
        if len(same) == 1:
            yield same[0].group(), new
        return
    first, _, rest = new.rpartition(" ")
    if first and _NUMBER.fullmatch(rest):  # "Havneveien 8" for "Havneveien 3"
        for same in re.findall(rf"(?i)(?<!\w){re.escape(first)} \d[\w.]*", before):
            yield same, new
    elif new[:1].isalpha() and " " not in new:
        named = new[:1].upper() + new[1:]
        near = [name for name in _names(before) if name[0] == named[0] and _likeness(name, named) >= _SIMILAR]
        if len(near) == 1:
            yield near[0], named


def _names(text: str) -> list[str]:
    return [name for name in dict.fromkeys(_NAME.findall(text)) if text.find(name) > 0]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def _other_date(before: str, message: str) -> Iterator[tuple[str, str]]:
    """The date of the last message and another one, where every other word of the message stands in the last one:
    "we fly to Rome on 12 december" - "actually we fly on the 13th"."""
    marked = _MARKED.match(message)
    dates, new = _DATE.findall(before), _ON_DAY.findall(marked["rest"]) if marked else []
    if marked is None or len(dates) != 1 or len(new) != 1:
        return
    words = set(re.findall(r"[\w']+", _ON_DAY.sub("", marked["rest"]).lower())) - _SMALL
    if words <= set(re.findall(r"[\w']+", before.lower())):
        day = re.sub(r"(?i)^(?:on )?(?:the )?", "", new[0])
        if not re.search(r"(?i)\d(?:st|nd|rd|th)", dates[0]):
            day = re.sub(r"(?i)(?<=\d)(?:st|nd|rd|th)", "", day)
        yield dates[0], day if _DATE.search(new[0]) else _OF_MONTH.sub(day, dates[0])


def _answer(fact: CandidateFact) -> tuple[str | None, ...]:
    form = canonical(fact)
    return form.subject, form.attribute, form.value


def _known_by(fact: CandidateFact) -> tuple[str | None, ...]:
    return _answer(fact) if fact.attribute else (fact.text,)


def _has(fact: CandidateFact, value: str) -> bool:
    return re.search(rf"(?i)(?<!\w){re.escape(value)}(?!\w)", f"{fact.value or ''} {fact.text}") is not None


def _denied(fact: CandidateFact) -> str:
    return f"It was a slip that {fact.text}"


def corrected_within(
    facts: tuple[CandidateFact, ...], said: Sequence[str], speaker: str | None, said_in: int | None
) -> tuple[CandidateFact, ...]:
    """The facts of a message, those replaced that one of its sentences takes back in the one before it."""
    for last, sentence in pairwise(said):
        fixed = list(corrected_facts(last, sentence, speaker, said_in)) if facts else []
        if fixed:
            wrong = {_known_by(fact) for fact in fixed if not fact.holds}
            right = [fact for fact in fixed if fact.holds and fact not in facts]
            facts = (*(fact for fact in facts if _known_by(fact) not in wrong), *right)
    return facts


def may_correct(message: str) -> bool:
    """Whether a message begins as a correction does: "oops, Carola"."""
    return _MARKED.match(message) is not None
