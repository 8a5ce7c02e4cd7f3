"""Corrections of a speaker's last message: "I can't eat shrimp" - "sorry, not shrimp, lobster".

A correction names only the value, so the last message is read again with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.clause_words import DOSE
from memory_service.rules.facts.statements import statements
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
    rf"(?i)(?:^|[.!?\n]\s*){_SORRY}*(?:"
    rf"(?:I )?(?:meant|mean) (?P<new>{_VALUE}),? (?:and )?not (?P<old>{_VALUE})|"
    rf"(?:it['’]s |it was |that['’]s )?not (?:the |an? )?(?P<old2>{_VALUE})(?:,|;| -| but|, but)"
    rf" ?(?:(?:I )?(?:meant|mean) |it['’]s |it is |that['’]s |but )?(?:the |an? )?(?P<new2>{_VALUE})|"
    rf"I was wrong about (?:the |my )?(?P<old3>{_VALUE}),? (?:it['’]s|it is|I meant) (?:the |an? )?(?P<new3>{_VALUE})"
    r"(?: (?:that )?I .*)?)"
    r"\s*(?:[.!)]|$|, (?:sorry|my bad|typo|of course)|\s+(?:sorry|obviously|of course|lol)\b)"
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
        former = list(statements(before, speaker, said_in))
        now = [fact for fact in statements(reading, speaker, said_in) if fact.holds and fact not in former]
        kept = {_answer(fact) for fact in now}
        taken_back = [fact for fact in former if fact.holds and _has(fact, old) and _answer(fact) not in kept]
        if now and taken_back:
            yield from (replace(fact, text=_denied(fact), holds=False) for fact in taken_back)
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
    match = _NEW_ONLY.match(message) or _PLAIN_ONLY.match(message)
    if match is None or not _EXPLICIT.search(message):
        return
    new = match["new"].strip(" ,.")
    for shape in (_DOSE, _NUMBER):
        values = shape.findall(before)
        if shape.fullmatch(new) and len(values) == 1:
            yield values[0], new
            return
    first, _, rest = new.rpartition(" ")
    if first and _NUMBER.fullmatch(rest):  # "Havneveien 8" for "Havneveien 3"
        for same in re.findall(rf"(?i)(?<!\w){re.escape(first)} \d[\w.]*", before):
            yield same, new


def _answer(fact: CandidateFact) -> tuple[str | None, ...]:
    form = canonical(fact)
    return form.subject, form.attribute, form.value


def _has(fact: CandidateFact, value: str) -> bool:
    return re.search(rf"(?i)(?<!\w){re.escape(value)}(?!\w)", f"{fact.value or ''} {fact.text}") is not None


def _denied(fact: CandidateFact) -> str:
    return f"It was a slip that {fact.text}"
