"""Shared limits of values: words that make a statement uncertain, and words that no value ends with."""

from __future__ import annotations

from memory_service.text.lazy_pattern import LatePattern

UNSURE = LatePattern(
    r"(?i)\b(?:if|would|could|might|maybe|perhaps|wish|imagine|suppose|pretend|thinking (?:of|about)|"
    r"considering|hope|hoping|"
    r"used to|almost|nearly|someday|one day|as if|dream(?:ed|t)?|guess|probably|unless|whether|joking|"
    r"kidding|said|says|told|asked|"
    r"think|thinks|thought|wonder\w*|pretty sure|not sure|apparently|supposedly|feel like|like a|(?-i:may)|"
    r"should|role-?play\w*|character)\b|[’']d\b"
)
"""A clause with one of these states nothing."""
_TRAILING = LatePattern(
    r"(?i)\s+(?:(?:last|this) (?:week(?:end)?|month|year|spring|summer|autumn|fall|winter|night|morning)|"
    r"yesterday|today|tonight|tomorrow|next (?:week|month|year)|"
    r"(?:on |next )(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"recently|lately|"
    r"(?:a|an|one|two|three|four|five|six|\d+|a few|some) (?:days?|weeks?|months?|years?) ago|at all|one bit|"
    r"anyway|though|again|a lot|so much|lol|tbh|more|"
    r"very much|much|most|already|here|there|really|also|just|right now|now|these days|at the moment|"
    r"currently|please|thanks|of|in|at|with|to|for|"
    r"the|a|an|and|or|but|as well|too|if possible|by the way|right|actually|obviously|instead)$"
)
_LONGEST_ENDING = 48
"""Characters of the longest such ending: bounds the search in long values."""


def without_ending(value: str) -> str:
    """Return the value without times, particles and fillers at its end."""
    end = len(value)
    while match := _TRAILING.search(value[max(0, end - _LONGEST_ENDING) : end]):
        end -= len(match.group())
    return value[:end]
