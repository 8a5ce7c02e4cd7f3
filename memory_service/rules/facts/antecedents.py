"""Who "he" or "she" is, where the speaker has just named one of their people: "my sister rang, she's a vet"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_service.rules.facts.clauses import PEOPLE, Clause

_WOMEN = frozenset(
    """
    mom mum mam mother wife daughter sister girlfriend fiancée grandma grandmother aunt niece nan gran granny
    granddaughter stepmother stepsister stepdaughter landlady
    """.split()  # noqa: SIM905
)
_MEN = frozenset(
    """
    dad father husband son brother boyfriend fiancé grandpa grandfather uncle nephew granddad grandson stepfather
    stepbrother stepson landlord
    """.split()  # noqa: SIM905
)
_NOBODY = frozenset(
    """
    dog cat puppy kitten rabbit horse parrot hamster tortoise dogs cats team kids children child sons daughters twins
    parents siblings brothers sisters friends colleagues coworkers co-workers flatmates housemates roommates neighbours
    neighbors in-laws grandchildren grandkids grandparents
    """.split()  # noqa: SIM905
)
_NAMED = re.compile(rf"(?i)\b(?:my|our) (?P<kin>{PEOPLE})\b(?!'s)")
_PRONOUN = re.compile(r"(?:[Hh]e|[Ss]he)(?=['’ ])")


def person_in(text: str) -> str | None:
    """Which one of the speaker's people the text is about; None where it names none or several."""
    if "my " not in (lowered := text.lower()) and "our " not in lowered:
        return None
    found = {match["kin"].lower() for match in _NAMED.finditer(text)}
    return found.pop() if len(found) == 1 and found.isdisjoint(_NOBODY) else None


def speaks_of_person(text: str) -> bool:
    """Whether a sentence goes on about the one named before it."""
    return _PRONOUN.match(text) is not None


def resolved(parts: Sequence[Clause], before: str | None) -> list[Clause]:
    """The clauses that begin with "he" or "she" as told of the person named in a clause before them, or in the sentence
    before (`before`)."""
    found: list[Clause] = []
    person = before
    for part in parts:
        match = _PRONOUN.match(part.text)
        if match is None:
            person = person_in(part.text) or person
        elif person is not None and part.kind == "other":
            others = _MEN if match.group().lower() == "she" else _WOMEN
            if not others.intersection(re.split(r"[ -]", person)):
                found.append(Clause(f"my {person}{part.text[match.end() :]}", "statement"))
    return found
