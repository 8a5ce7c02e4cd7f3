"""Canonical forms of facts in the third person, read by the patterns of statements: "Ines lives in Porto", "the
user's birthday is ...".

A capital at the beginning does not prove a name, and a value that changes closes the one before: a text that may be
about a thing ("Redis works as a cache", "Aspirin works for headaches") is left without attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_service.rules.facts.named_persons import ONE_NAME
from memory_service.rules.facts.patterns import ROLES
from memory_service.rules.facts.statements import statements
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_USER = compile_late(r"^(?:the )?user(?P<whose>['’]s)?\b", re.IGNORECASE)
_NAMED = compile_late(
    rf"^(?P<name>{ONE_NAME}(?: {ONE_NAME})?)(?:(?P<whose>['’]s|(?<=s)['’])(?= [a-z])|"
    r"(?= (?:(?:really|also|now|currently|still|just|absolutely|usually|mostly|recently|finally|never|officially|"
    r"actually) )*(?:is|isn[’']t|has|was|does|doesn[’']t|can[’']t|grew|got|began|became|[a-z]+s|[a-z]+ed)\b))"
)
"""Singular verbs: "Cats live ..." and "Today we ..." are about no person."""
_SPEAKS = compile_late(r"(?<![\w'’])(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]urs?|[Yy]ou|[Yy]ours?)(?!\w)")
_OF_THINGS_TOO = frozenset({"works_at", "works_as", "drives", "uses", "studies"})
_A_ROLE = compile_late(rf"(?i)(?:^|\s)(?:{ROLES})$")
_GOES_ON = compile_late(r"[.!?;]\s*\w|,?\s(?:and|but|while|whereas|who|whose|which|that)\s")
_WHEN = compile_late(
    r"(?:,? (?:now|today|currently|recently|lately|again|already|too|as well|alone|years old|these days|"
    r"at the moment|(?:last|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter)|"
    r"(?:since|in|on|for) [\w ]{1,25}|with (?:his|her|their) [\w ]{1,25}))*[\s.!]*"
)
_WITH_THEIRS = compile_late(r" with (?:his|her|their)(?= [a-z])")
_BY_NAME = compile_late(r" (?:named|called) ")
_LIVING = compile_late(
    r" (?:(?:really|also|now|still|always|never|mostly) )*(?:(?:does not|doesn[’']t) )?(?:"
    r"(?:eat|drink|smoke|think|want|believe|trust|distrust|love|like|hate|enjoy|prefer|know|own)s?)\b"
)
"""Of persons and animals alone."""


@dataclass(frozen=True, slots=True)
class SubjectAndFact:
    """The subject of a text, and the fact that it states, where rules find them."""

    subject: str | None
    statement: CandidateFact | None
    """The only fact that the text states; None where it states two, or an ending."""


def subject_and_fact(text: str) -> SubjectAndFact:
    """Read a text about the user, or about the first person that it names; "I" is the user too."""
    user = _USER.match(text)
    named = None if user or _SPEAKS.search(text) else _NAMED.match(text)
    if user:
        subject, spoken = "user", _USER.sub("my" if user["whose"] else "I", text)
    elif named:
        subject, spoken = named["name"], _NAMED.sub("my" if named["whose"] else "I", text)
    else:
        subject, spoken = None, text
    found = list(statements(_WITH_THEIRS.sub(" with my", spoken) if subject else text, subject))
    if len(found) == 1 and _says_all(found[0], text) and (named is None or _of_a_person(found[0], text)):
        return SubjectAndFact(found[0].subject, found[0])
    whole = user["whose"] is None if user else named is not None and _LIVING.match(text, named.end())
    return SubjectAndFact(subject if whole else None, None)


def _says_all(fact: CandidateFact, text: str) -> bool:
    """Whether the text states nothing else, which would be lost in deduplication. Two dogs with names are two."""
    named = fact.attribute == "has" and _BY_NAME.search(fact.value or "")
    return fact.holds and not named and not _GOES_ON.search(_behind(fact, text))


def _behind(fact: CandidateFact, text: str) -> str:
    """Return the text behind the value; all of it where the value is worded otherwise."""
    return text.rpartition(fact.value)[2] if fact.value else text


def _of_a_person(fact: CandidateFact, text: str) -> bool:
    """Whether the text states nothing else, and is not likely about a thing ("Edmunds has a dog beach")."""
    value = fact.value or ""
    return _WHEN.fullmatch(_behind(fact, text)) is not None and (
        fact.attribute not in _OF_THINGS_TOO
        or value != value.lower()
        or (fact.attribute == "works_as" and _A_ROLE.search(value) is not None)
    )
