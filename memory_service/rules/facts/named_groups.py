"""Names and ages of children, siblings and animals that a sentence lists: "our two kids, Ella (7) and Ben (4)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.rules.facts.patterns import NO_NAME
from memory_service.rules.facts.value_limits import UNSURE
from memory_service.rules.relatives import ONE_OF
from memory_service.text.late_pattern import LatePattern
from memory_service.types import CandidateFact

_SINGLE = "|".join(sorted({*ONE_OF.values(), "kid", "baby", "grandson", "granddaughter"}))
_NUMBER = r"(?:both|two|three|four|five|six|\d)"
_IN_BRACKETS = r" ?\((\d{1,2})(?: ?(?:years?(?: old)?|yrs|y/?o))?\)"
_PLAIN_AGE = r",? (\d{1,2})(?= ?(?:[,.;:?!&]|and\b|years|$))"
_AGE = rf"(?:{_IN_BRACKETS}|{_PLAIN_AGE})"
_NAME = rf"({NO_NAME}[A-ZÄÖÜÉÈÀÁÍÓÚÇŁŚŠŽØÅ][a-zà-ÿ-]*[a-zà-ÿ](?![\w’']))"
_LOWER_NAME = r"((?!(?:and|aged?|now|for|over|under|about|is|are)\b)[a-z]{2,12})"
_HEAD = (
    rf"\b(?:(?:my|our) (?:{_NUMBER} )?|(?:I|we)(?: have|'ve got| got|'ve|'re)(?: now| also)? (?:{_NUMBER} ))"
    rf"(?:\w+ )?(?P<kin>{'|'.join(ONE_OF)})(?: are)?(?: (?:called|named))?(?:,|:| -| –)?(?: the)? "
)
_JOIN = r"(?:, (?:and )?| and | & | n )"
_ITEM, _LOWER_ITEM = rf"{_NAME}{_AGE}?", rf"{_LOWER_NAME}{_AGE}"
_LISTS = tuple(
    (LatePattern(rf"{_HEAD}(?P<all>{item}(?:{_JOIN}{item})+)"), LatePattern(item))
    for item in (_ITEM, _LOWER_ITEM)
)
"""Names in lower case only with an age each."""
_ALONE = (
    LatePattern(rf"\b(?:my|our) (?:\w+ )?(?P<kin>{_SINGLE}),? {_NAME}{_AGE}"),
    LatePattern(rf"\b(?:I|we)(?: have|'ve got| got|'ve) an? (?:\w+ )?(?P<kin>{_SINGLE}),? {_NAME}{_AGE}?"),
)
"""One of them: behind "my" with the age, since names alone are read by the patterns of clauses."""
_STORY = LatePattern(
    r"(?i)\bin (?:a|the|my|our|this) (?:story|game|novel|dream|book|film|movie|show|play|series)\b"
)
_LATE = LatePattern(r"(?i)^(?:my|our) late\b")
_NEEDLES = (*ONE_OF, *_SINGLE.split("|"))


def listed_names(sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the names, and the ages with them, of people and animals of the speaker.

    `sentence` is in plain wording (informal_english.py).
    """
    if not any(needle in sentence for needle in _NEEDLES):
        return
    for whole, item in _LISTS:
        found = list(whole.finditer(sentence))
        for match in found:
            if _is_stated(sentence, match):
                for name, age, plain_age in (one.groups() for one in item.finditer(match["all"])):
                    yield from _stated(ONE_OF[match["kin"]], name, age or plain_age, subject)
        if found:
            return
    for pattern in _ALONE:
        for match in pattern.finditer(sentence):
            if not _is_stated(sentence, match):
                continue
            kin, name, age, plain_age = match.groups()
            yield from _stated("child" if kin == "kid" else kin, name, age or plain_age, subject)


def _is_stated(sentence: str, match: re.Match[str]) -> bool:
    """Whether the speaker has them: no supposition, no story, no words of others, none that died."""
    before = sentence[: match.start()]
    return not (UNSURE.search(before) or _STORY.search(before) or _LATE.search(match.group()))


def _stated(kin: str, name: str, age: str | None, subject: str) -> Iterator[CandidateFact]:
    name = name[0].upper() + name[1:]
    attribute = f"{kin}_name".replace(" ", "_")
    yield CandidateFact(f"{subject}'s {kin} is called {name}.", subject, attribute, name, stated=True)
    if age:
        who = f"{subject}'s {kin} {name}"
        yield CandidateFact(f"{who} is {age} years old.", who, "age", age, stated=True)
