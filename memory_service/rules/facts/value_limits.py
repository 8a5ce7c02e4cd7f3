"""Shared limits of values: words that make a statement uncertain, and words that no value ends with."""

from __future__ import annotations

from memory_service.rules.relatives import PETS
from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import LatePattern

UNSURE = LatePattern(
    r"(?i)\b(?:if|would|could|might|maybe|perhaps|wish|imagine|suppose|pretend|thinking (?:of|about)|considering|hope|"
    r"hoping|used to|almost|nearly|someday|one day|as if|dream(?:ed|t)?|guess|probably|unless|whether|joking|kidding|"
    r"said|says|told|asked|think|thinks|thought|wonder\w*|pretty sure|not sure|apparently|supposedly|feel like|like a|"
    r"(?-i:may)|should|role-?play\w*|character)\b|[’']d\b"
)
"""A clause with one of these states nothing."""
GIVEN = LatePattern(
    r"(?i)^(?!.*\bwhat\b).*\b(?:bought|buy|gave|give|got|get|showed|show|lent|lend|sent|send|taught|made|read|offered|brought|"
    r"wrote|ordered) $"
)
"""A verb before "my daughter Lego": the name is that of the thing."""
_GOT = LatePattern(r"(?i)\b(?:got|get|bought|buy) $")
_ANIMAL = LatePattern(rf"(?i)\b(?:my|our) (?:[a-z]+ ){{0,2}}(?:{PETS})\b")
_SECOND_NAME = LatePattern(r" [A-Z]")
"""Of a brand: "bought my dog Royal Canin"."""
_OBJECT = LatePattern(
    r"(?i) (?:an?|the|some|his|her|their|my|our|this|that|one|two|three|new|to|how|about|[a-z]+s)\b"
)
_TRAILING = LatePattern(
    r"(?i)\s+(?:(?:last|this) (?:week(?:end)?|month|year|spring|summer|autumn|fall|winter|night|morning)|yesterday|"
    rf"today|tonight|tomorrow|next (?:week|month|year)|(?:on |next ){DAY}|recently|lately|(?:(?:about|over|almost|"
    r"around|nearly) )?(?:a few|a couple of|\w+) (?:days?|weeks?|months?|years?) ago|at all|after all|one bit|anyway|"
    r"though|tho|(?:by )?(?:myself|ourselves)|(?:(?:just|only) )?found out|and got|from|again|a lot|so much|lol|tbh|"
    r"more|very much|much|most|already|here|there|really|"
    r"also|just|right now|now|still|these days|at the moment|currently|please|thanks|of|in|at|with|to|for|the|a|an|"
    r"and|or|"
    r"but|as well|too|if possible|by the way|right|actually|obviously|instead)$"
)
_TRAILING_IN_CHANGES = LatePattern(
    r"(?i)\s+(?:entirely|completely|altogether|for good|either|as a (?:kid|child|teen\w*)|in (?:high school|college|"
    r"school)|about|over|almost|around|nearly)$"
)
"""Behind the value of an ending ("gave up meat for good"); elsewhere part of it ("wants to start over")."""
_LONGEST_ENDING = 48
"""Characters of the longest such ending: bounds the search in long values."""


def names_gift(before: str, named: str, behind: str) -> bool:
    """Whether the name that `named` ends with is that of the thing given: "bought my daughter Lego", not "bought my
    daughter Ada a bike" and not "got my dog Rex"."""
    if GIVEN.search(before) is None or _OBJECT.match(behind) is not None:
        return False
    return (
        _GOT.search(before) is None or _ANIMAL.search(named) is None or _SECOND_NAME.match(behind) is not None
    )


def without_ending(value: str, *, of_change: bool = False) -> str:
    """Return the value without times, particles and fillers at its end; of a change, without adverbs of it, too."""
    end = len(value)
    while match := (
        _TRAILING.search(ending := value[max(0, end - _LONGEST_ENDING) : end])
        or (_TRAILING_IN_CHANGES.search(ending) if of_change else None)
    ):
        end -= len(match.group())
    return value[:end]
