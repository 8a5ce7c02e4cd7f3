"""Times in a sentence that limit its facts: an age that is still to come, an end ("until the end of June")."""

from __future__ import annotations

import re
from dataclasses import replace

from memory_service.rules.facts.clause_words import DAY, MONTH
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_TO_COME = compile_late(
    r"(?i)(?:\b(?:turns?|turning|be|becomes?)|['’](?:m|s)|\b(?:am|is)) (?:\d{1,3}|[a-z]+(?:-[a-z]+)?)(?: years old)?"
    rf" (?:(?:later |early |at the end of )?(?:next [a-z]+|this (?:year|month|week|coming|{DAY}|spring|summer|autumn|"
    rf"winter))\b|"
    rf"soon\b|tomorrow\b|in (?:{MONTH}|a few|(?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?))\b|"
    rf"on (?:the )?(?:{DAY}|\d|{MONTH} \d))(?!,? (?:I|we|he|she|they|it|you|my|our)\b)"
)
_UNTIL = compile_late(
    rf"(?i)^(?: (?!but\b|not\b|and\b|never\b|from\b|\d)[\w'’-]+){{0,3}}? "
    rf"(?P<until>(?:until|till) (?:the )?(?:(?:end|start|"
    rf"beginning|middle) of )?(?:(?:next|this) (?:week|month|year|spring|summer|autumn|winter|{DAY})|(?:early |mid-?"
    rf"|late )?{MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?: (?:19|20)\d\d)?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}|"
    r"(?:19|20)\d\d|christmas|easter|new year|summer|autumn|winter|spring|the (?:summer|autumn|winter|spring)|"
    r"the (?:year|month|term|semester)))(?=$|[.,;:!?)]| (?:and|but|so|because|then|only|though|at (?:least|the latest)"
    r"|or)\b)"
)
_FROM_HOUR = compile_late(r"(?i) from \d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?$")
"""Working hours behind a workplace: "Aldi from 8"."""
_ENDING = frozenset({"works_at", "works_as", "works_in", "habit", "hobby", "studies", "studies_at", "lives_in",
                     "lives_with", "takes_medicine", "plays", "member_of", "home"})  # fmt: skip
"""Attributes of states that an "until" ends."""


def is_to_come(fact: CandidateFact, sentence: str) -> bool:
    """Whether an age is that of a birthday still to come: "I'm 63 next month"."""
    return fact.attribute == "age" and fact.holds and _TO_COME.search(sentence) is not None


def with_until(fact: CandidateFact, sentence: str) -> CandidateFact:
    """The fact with the end that the sentence names behind its value: "works at Ikea until the end of June"."""
    if fact.attribute == "works_at" and fact.value and (hours := _FROM_HOUR.search(fact.value)):
        kept = re.sub(rf"(?i){re.escape(hours.group())}(?=\.?$)", "", fact.text)
        return replace(fact, text=kept, value=fact.value[: hours.start()])
    if fact.attribute not in _ENDING or not fact.holds or not fact.value or " until " in fact.text:
        return fact
    words = fact.value.split()[-1]
    for place in re.finditer(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", sentence):
        if until := _UNTIL.match(sentence[place.end() :]):
            return replace(fact, text=f"{fact.text.rstrip('.')} {until['until']}.")
    return fact
