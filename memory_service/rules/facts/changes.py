"""Candidate facts from sentences that state an ending, a beginning or a denial.

Questions, wishes, conditions, plans, quotes and other times ("when I left Berlin ...") give no fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memory_service.rules.facts.arrival_patterns import ARRIVALS
from memory_service.rules.facts.beginnings import BEGINNINGS
from memory_service.rules.facts.clause_facts import fact_of
from memory_service.rules.facts.clauses import BARE_KIN
from memory_service.rules.facts.denials import DENIALS
from memory_service.rules.facts.endings import ENDINGS
from memory_service.rules.facts.pattern_table import PatternTable
from memory_service.rules.facts.patterns import GAMES, Says
from memory_service.rules.facts.value_limits import names_gift, without_ending
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_CHANGES = PatternTable((*ENDINGS, *BEGINNINGS, *ARRIVALS, *DENIALS), re.NOFLAG)
_UNSURE = compile_late(
    r"(?i)\b(?:if|would|could|might|should|shall|will|maybe|perhaps|wish\w*|imagin\w*|suppos\w*|pretend\w*|"
    r"thinking (?:of|about)|hop(?:e|ed|ing)|almost|nearly|someday|one day|dream\w*|guess|probably|unless|whether|said|"
    r"says|say|told|asked|thinks?|thought|claims?|claimed|wonder\w*|wants?|wanted|plan\w*|going to|afraid|fear\w*|"
    r"worr\w*|heard|what if|how|lest|in case|nightmare|novel|movie|film|game|story|song|episode|role-?play\w*|"
    rf"hypothetically|jok\w*|kidding|jk|{GAMES})\b|\b(?:I|we|he|she|they)[’'](?:d|ll)\b"
)
"""Searched in the sentence before the change."""
_ANOTHER_TIME = compile_late(
    r"(?i)\b(?:when(?:ever)?|before|after|until|till|by the time|once|since|while|every time|each time|"
    r"the (?:first time|last time|day|year|week|month|night|moment|reason)|as soon as|not|never|hardly|barely|without|"
    r"nobody)\b|n[’']t\b"
)
"""Searched in the clause before the change."""
_TAKEN_BACK = compile_late(
    r"(?i)\b(?:back together|got(?:ten)? back|(?:came|come|coming|moved|went) back|returned|reconciled|made up again|"
    r"still (?:do|does|am|are|is|have|live|work|love|like|play)\b|(?:in|for) (?:a|the|my) (?:movie|film|game|dream|"
    r"play|story|novel|role-?play)|just kidding|jok(?:e|ing)|lol jk)\b"
)
"""Searched after the change."""
_NO_VALUE = compile_late(
    r"(?i)\[(?:redacted|…)|\b(?:i|me|my|we|us|our|you|your|this|that|it|them|here|there)\b"
)
_LONGEST_VALUE = 6
"""Words."""


def changes(sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the endings (`holds` false), beginnings and denials that a sentence, which is no question, states."""
    if bare := BARE_KIN.match(sentence):
        sentence = f"my {bare.group().lower()}{sentence[bare.end() :]}"
    for pattern, says in _CHANGES.worth_trying(sentence):
        for match in pattern.finditer(sentence):
            found = match.groupdict()
            start = match.start("who") if found.get("who") else match.start()
            gift = says[-1].attribute == "{kin}_name" and names_gift(
                sentence[:start], sentence[start : match.end()], sentence[match.end() :]
            )
            if not gift and not _doubtful(sentence, start, match.end()):
                yield from _stated(found, says, subject)


def _doubtful(sentence: str, start: int, end: int) -> bool:
    before = sentence[:start]
    clause = re.split(r"[,;–—]| and | but ", before)[-1]
    return bool(
        before.count('"') % 2
        or "“" in before
        or _UNSURE.search(before)
        or _ANOTHER_TIME.search(clause)
        or _TAKEN_BACK.search(sentence, end)
    )


def _stated(found: Mapping[str, str | None], says: tuple[Says, ...], subject: str) -> Iterator[CandidateFact]:
    who = found.get("who") or "I"
    about = f"{subject}'s {who[3:]}" if who.lower().startswith("my ") else subject
    groups = {name: value for name, text in found.items() if name != "who" and (value := _trimmed(text))}
    if "other" in groups:  # the second group for the value, in another word order
        groups["value"] = groups["other"]
    if any(map(_NO_VALUE.search, groups.values())):
        return
    groups |= {"who": about, "subject": subject}
    for say in says:
        fact = fact_of(say, groups)
        if fact is not None and len((fact.value or "").split()) <= _LONGEST_VALUE:
            yield fact


def _trimmed(text: str | None) -> str | None:
    return without_ending((text or "").strip(" -–—'’"), of_change=True) or None
