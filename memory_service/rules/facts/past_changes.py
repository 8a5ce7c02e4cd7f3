"""Changes of the past whose result need not hold: "I moved to Rome after school and came back two years later".

Such a change gives no fact about the present, else it would close the one that holds.
"""

from __future__ import annotations

import re

from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.relatives import PARENT
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

OLD_YEARS = 10
"""Years after which the result of a dated change is taken for the past."""

_CHANGED = compile_late(
    r"(?i)\b(?:moved|relocated|lived|joined|started|began|begun|got|gotten|landed|found|took|promoted|hired|became|"
    r"become|bought|adopted|rescued|went|gone|switched|migrated|changed|upgraded|turned|married|engaged|worked|studied|"
    r"retrained|qualified|trained)\b"
)
"""Verbs of changes and of the past, one of which stands before or behind the value, in its clause."""
_WHEN_YOUNG = compile_late(
    r"(?i)\b(?:when (?:I|we) (?:(?:was|were|am|had|got) |(?:first )?(?:turned|finished|graduated|left|started|lived|"
    r"worked|studied))|as an? (?:kid|child|teen\w*|boy|girl|student|intern|trainee|apprentice|young (?:man|woman))\b|"
    r"(?:in|during|after|straight out of|right (?:after|out of)) (?:my (?:teens|youth|childhood|twenties|thirties|"
    r"student days|studies|degree)|(?:high |secondary |primary )?school|college|uni(?:versity)?)\b|"
    r"back in (?:the|my|19|20)|in (?:the )?(?:\w+ )?(?:19|20)?\d0[’']?s\b|(?:long|ages|decades|many years) ago\b|"
    r"back then\b|in those days\b|at the time\b|in my (?:\w+ )?(?:life|twenties|thirties|teens)\b)"
)
"""In the clause of the change."""
_FOR_A_WHILE = compile_late(
    r"(?i)\bfor (?:about |only |just |almost )?(?:an?|one|two|three|four|five|six|\d+|some|a few|a couple of|several) "
    r"(?:short |whole )?(?:days?|weeks?|months?|years?|summers?|winters?|semesters?|terms?|while)\b(?! now\b)"
)
_YEAR = compile_late(r"(?i)\b(?:in|during|since|from|until|around|about) (?:\w+ )?(?P<year>(?:19|20)\d\d)\b")
_SINCE = compile_late(r"(?i)\b(?:since|still)\b")
_PERFECT = compile_late(r"(?i)\b(?:I|we|\w+)(?:['’](?:ve|s)| have| has)\b")
_THEN = (
    r"(?:\b(?:and|but|then|before)|[,;–—]) (?:(?:I|we) )?(?:(?:then|later|soon|eventually|quickly|now|finally|just|"
    r"after that) )*"
)
_UNDONE = compile_late(
    rf"(?i){_THEN}(?:(?:came|come|coming|went|moved|got|flew) (?:\w+ )?(?:back|home)\b|returned\b|back (?:to|in)\b)|"
    r"\b(?:I['’]m|we['’]re|I am|we are) (?:now )?back (?:home|in|at|to)\b|"
    r"\b(?:hated|regretted) (?:it|every)\b|\b(?:didn['’]t|did not|never) (?:last|work out|stick)\b|"
    r"\b(?:different|another) (?:time|life|era)\b|^,? my (?:very )?first (?:car|job|flat|apartment|house|phone|dog|cat|"
    r"laptop|bike|marriage)\b|"
    rf"{_THEN}(?:quit|left|sold it|gave (?:it )?up|gave it away|dropped out|got fired|got sacked|was fired|was sacked)"
    r"(?: it| there| again)? (?:after|again|within|soon|(?:an?|one|two|three|four|five|six|\d+|some|a few) (?:days?|"
    r"weeks?|months?|years?)|in (?:19|20)\d\d)\b"
)
"""Behind the value, in its clause or a later one."""
_PARTED = compile_late(
    rf"(?i){_THEN}(?:got |we got )?(?:divorced|separated|split(?: up)?|broke up|broke it off|called it off)\b"
)
_STAY = compile_late(
    r"(?i)\b(?:(?:this|for the) (?:week(?:end)?|month|summer|winter|holidays|semester|time being)|for (?:an?|one|two|"
    r"three|four|five|six|\d+|a few|a couple of|some|several) (?:days?|nights?|weeks?|weekends?|fortnights?)|"
    r"for a (?:fortnight|month|few months)|during (?:the|my|our) \w+|for (?:the|my|an?|our) (?:\w+ )?(?:exchange|"
    r"internship|semester|term|course|training|conference|placement|fellowship|treatment|rehab|project)|(?:until|"
    r"till) (?:next |the end of )?\w+|temporarily|"
    r"on (?:holiday|vacation|a (?:business )?trip)|just visiting)\b"
)
_STAYED = compile_late(
    r"(?i)\b(?:never left|stayed|staying(?! (?:until|till|for)\b)|still (?:here|there|live|love))\b"
)
_UNTIL = compile_late(r"(?i)^, (?:but )?(?:only )?(?:until|till|during|just for)\b")
_BECAME = compile_late(r"(?i)\b(?:became|become|qualified|retrained|trained|diagnosed)\b")
"""What one becomes by age, school or diagnosis lasts unless it is undone."""
_FAMILY = compile_late(rf"(?i)\b(?:{PARENT}|parent|grand\w+|widow(?:er)?)\b")
_NO_HOME = compile_late(
    r"(?i)\b(?:hotel|hostel|airbnb|library|office|lab|hospital|gym|studio at work|past|moment|pyjamas|pajamas)\b"
)
_CLAUSE_END = compile_late(r"[.,;:!?()–—]| (?:and|but|so|because|which|where|then) ")
_LEAD = compile_late(
    r"(?i)^(?:and |but |so )?(?:back )?in (?:\w+ )?(?:19|20)\d\d,? |^as an? \w+,? |^after \w+,? "
)
_YEARS_AGO = compile_late(r"(?i)\byears ago\b")
_JOBS = frozenset({"job_held", "works_at"})
_HOMES = frozenset({"lives_in", "lives_in_country"})
_COUPLES = frozenset({"relationship_status", "is", "partner"})
_LASTS = frozenset(
    {"born_in", "birthday", "grew_up_in", "from", "has_done", "has_sold", "has_died", "separated", "instruction",
     "has_condition", "allergic_to", "takes_medicine"}
)  # fmt: skip
"""Attributes of which a sentence about the past is true as well."""


def is_past(fact: CandidateFact, sentence: str, said_in: int | None) -> bool:
    """Whether a sentence states a change of the past, or a stay, whose result the fact takes for the present.

    `said_in`: the year of the message; None: years do not count.
    """
    attribute = fact.attribute
    if not fact.holds and fact.value is None and attribute in _JOBS:
        return _is_old_ending(plainly(sentence), said_in)
    if not fact.holds or attribute is None or fact.value is None or attribute in _LASTS:
        return False
    text = plainly(sentence)
    start, end = _place_of(fact.value, text)
    clause, after = _clause_around(text, start, end), text[end:]
    perfect = _PERFECT.search(text[max(0, start - 60) : start]) is not None
    if attribute in _HOMES and _NO_HOME.search(fact.value):
        return True
    if _STAYED.search(after):
        return False
    if attribute in _HOMES and not perfect and (_STAY.search(clause) or _UNTIL.match(after)):
        return True
    if not _CHANGED.search(clause) or _SINCE.search(clause):
        return False
    if _UNDONE.search(after) or (attribute in _COUPLES and _PARTED.search(after)):
        return True
    if _BECAME.search(clause) or attribute == "partner" or _FAMILY.search(fact.value):
        return False
    if not perfect and (_WHEN_YOUNG.search(clause) or _FOR_A_WHILE.search(clause)):
        return True
    year = _YEAR.search(clause)
    return year is not None and said_in is not None and int(year["year"]) <= said_in - OLD_YEARS


def _is_old_ending(text: str, said_in: int | None) -> bool:
    """Whether a job of an earlier year has ended: "I was laid off in 2009"; the present one is another."""
    year = _YEAR.search(text)
    return (
        _YEARS_AGO.search(text) is not None
        or _WHEN_YOUNG.search(text) is not None
        or (year is not None and said_in is not None and int(year["year"]) <= said_in - OLD_YEARS)
    )


def _place_of(value: str, text: str) -> tuple[int, int]:
    """Where the value, or as much of its beginning as is found, stands in the text; its start if nowhere."""
    lower, words = text.lower(), re.sub(r"^(?:an?|the) ", "", value.lower()).split()
    for cut in range(len(words)):
        said = " ".join(words[: len(words) - cut])
        if (found := lower.rfind(said)) >= 0:
            return found, found + len(said)
    return 0, 0


def _clause_around(text: str, start: int, end: int) -> str:
    """The clause with a place, with a time at the start of the sentence."""
    begins = max((match.end() for match in _CLAUSE_END.finditer(text, 0, start)), default=0)
    ends = _CLAUSE_END.search(text, end)
    clause = text[begins : ends.start() if ends else len(text)]
    lead = _LEAD.match(text)
    return f"{lead.group()}{clause}" if lead and lead.end() == begins else clause
