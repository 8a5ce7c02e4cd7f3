"""Habits, routines, patterns and skills in a sentence of a person about themselves (docs/design.md, "Procedures").

Prefers precision: a missed habit is stated again, a wrong one is shown whenever its situation comes up. English only.
"""

from __future__ import annotations

import re

from memory_service.rules.procedures.habit_patterns import (
    AGAIN,
    APPROACH,
    ELSEWHERE,
    FIRST_PERSON,
    HABITUAL,
    IN_THE_HABIT,
    NO_HABIT,
    OFTEN,
    OPINIONS,
    POINTS_ELSEWHERE,
    PRESENT_ED,
    REACTION,
    ROUTINE,
    SITUATION,
    SKILL,
    STATES,
    TRADITION,
    WHENEVER,
    WHY,
)
from memory_service.types import StatedProcedure
from memory_service.vocabulary import ProcedureKind

LONGEST = 400
"""Characters of a sentence that is read; a longer one is no habit."""
SHORTEST_WORDS = 4
NOT_BESIDE = OPINIONS | {"was", "were", "had", "will"}
"""Verbs of the first person that no sentence about a habit has."""
_STEPS = re.compile(r"\s*(?:,\s*(?:and\s+)?(?:then\s+)?|;\s*(?:then\s+)?|\s+(?:and\s+)?then\s+)", re.I)
_LEAD = re.compile(r"^.*?\b(?:is|consists of|starts with|begins with|includes|goes)\b[:\s]*", re.I)
_NO_SURPRISE = re.compile(r",? (?:(?:so|and) )?(?:please )?(?:don['’]?t|do not) be surprised\b.*$", re.I)
_FIRST = re.compile(r"^(?:i\s+)?(?:first\s+|start by\s+|begin by\s+)?", re.I)


def habit_in(sentence: str) -> StatedProcedure | None:
    """The procedure that a sentence states about its speaker, or None."""
    text = _NO_SURPRISE.sub("", " ".join(sentence.split()))
    if len(text) > LONGEST or len(text.split()) < SHORTEST_WORDS or text.endswith("?"):
        return None
    if ELSEWHERE.search(text):
        return None
    kind, stated = _kind_of(text)
    if kind is None:
        return None
    why = WHY.search(text)
    steps = _steps_in(text) if kind in ("routine", "skill") else ()
    return StatedProcedure(
        kind, text, situation_in(text), steps, why.group(1).strip() if why else None, stated
    )


def situation_in(text: str) -> str:
    """The clause of a text that says when it applies, empty without one."""
    found = SITUATION.search(text)
    if found:
        return found.group().strip(" ,;.!")
    routine = ROUTINE.search(text)
    return (routine["when"] or "").strip() if routine else ""


def _kind_of(text: str) -> tuple[ProcedureKind | None, bool]:
    if ROUTINE.search(text):
        return "routine", True
    if APPROACH.search(text) or SKILL.search(text):
        return "skill", True
    if IN_THE_HABIT.search(text) or TRADITION.search(text):
        return "habit", True
    if AGAIN.search(text):
        return "habit", False
    verbs = list(FIRST_PERSON.finditer(text))
    if not any(_is_habitual(match["verb"].lower(), match["adverbs"].lower()) for match in verbs):
        return None, False
    if any(match["verb"].lower() in NOT_BESIDE for match in verbs):
        return None, False
    if REACTION.search(text):
        return "pattern", True
    if POINTS_ELSEWHERE.search(text):
        return None, False
    if any(
        HABITUAL.search(match["adverbs"]) and _is_habitual(match["verb"].lower(), match["adverbs"].lower())
        for match in verbs
    ) or (HABITUAL.search(text) and WHENEVER.search(text)):
        return "habit", True
    return ("habit", True) if OFTEN.search(text) else (None, False)


def _is_habitual(verb: str, adverbs: str) -> bool:
    """Whether a verb of the first person may state a habit: the present tense of something that one does."""
    verb = verb.replace("’", "'")
    if verb in NO_HABIT and not ("to" in adverbs.split() and verb not in STATES):
        return False
    return not verb.endswith("ed") or verb in PRESENT_ED


def _steps_in(text: str) -> tuple[str, ...]:
    """The steps of a routine: its parts between commas, from two on."""
    told = _LEAD.sub("", text, count=1) if ROUTINE.search(text) else text.partition(",")[2]
    steps = [_FIRST.sub("", part.strip(" .!,"), count=1) for part in _STEPS.split(told)]
    steps = [step for step in steps if step]
    return tuple(steps) if len(steps) > 1 else ()
