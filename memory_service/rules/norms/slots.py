"""Slots: what a norm is about, so that a newer norm of the same slot replaces it.

The slot of "always start function names with 'a_'" is the start of function names, its value `a_`. Things that are
added or used ("add the '@retry' decorator") are part of the slot, because several such norms hold together; only its
negation replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory_service.text.late_pattern import compile_late

_LITERAL = compile_late(
    r"(?<!\w)(?:'([^']{1,40})'|\"([^\"]{1,40})\"|`([^`]{1,40})`)|(?<![\w@])(@?\w*_\w*|@\w+)|\b(\d+)\b"
)
_WORD = compile_late(r"[a-z][a-z'+#]*")
_NEGATIVE = compile_late(
    r"(?i)\b(?:never|not|don't|dont|do not|doesn't|avoids?|avoiding|stops?|no|without|refuses?|dislikes?|hates?|"
    r"loathes?|detests?|can't stand|cannot stand|ditch|instead of|rather than|no longer|opposed|aversion|skip|drop|"
    r"isn't|aren't|wasn't|phobia|allergic|allergy)\b"
)
_POSITION = compile_late(
    r"(?i)\b(?P<first>starts?|starting|begins?|beginning|prefix(?:es)?|prefixed|leading)\b|"
    r"\b(?P<last>ends?|ending|suffix(?:es)?|suffixed|finish(?:es)?|trailing)\b"
)
_CATEGORIES = (
    (
        "answers: length",
        compile_late(
            r"(?i)\b(?:answers?|replies|reply|responses?|explanations?|messages|respond|explain|"
            r"it)\b.*\b(?P<short>short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|terse(?:ly)?|to the point)|"
            r"\b(?P<short2>short(?:er)?|brief(?:er)?|concise|terse)\b.{0,30}\b(?:answers?|replies|responses?|"
            r"explanations?|messages)|"
            r"\b(?:answers?|replies|responses?|explanations?|explain|respond)\b.*\b(?P<long>long(?:er)?|detailed|"
            r"thorough(?:ly)?|in (?:more )?detail|in depth|step by step)|\b(?P<long2>long(?:er)?|(?:more )?detailed|"
            r"thorough|in-depth)\b.{0,30}\b(?:answers?|replies|responses?|explanations?)"
        ),
    ),
    ("answers: emojis", compile_late(r"(?i)\b(?P<emojis>emojis?|emoticons?|smileys?)\b")),
    (
        "answers: tone",
        compile_late(
            r"(?i)\b(?P<formal>formal(?:ly)?|professional(?:ly)?)\b|\b(?P<casual>informal(?:ly)?|casual(?:ly)?)\b"
        ),
    ),
    (
        "answers: units",
        compile_late(
            r"(?i)\b(?P<metric>metric|celsius|kilomet(?:er|re)s|si units)\b|\b(?P<imperial>imperial|"
            r"fahrenheit|miles)\b"
        ),
    ),
    (
        "answers: language",
        compile_late(
            r"\b(?:[Aa]nswer|[Rr]eply|[Rr]espond|[Ww]rite|[Ss]peak|[Tt]alk)\b.{0,40}\bin (?P<language>English|German|"
            r"French|Spanish|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Polish|Czech|Greek|Turkish|"
            r"Russian|Ukrainian|Arabic|Hebrew|Hindi|Chinese|Japanese|Korean)\b"
        ),
    ),
)
"""Slots with named values: the value is the group that matched, or its text for `language`."""
_STOP = frozenset(
    """
    a an the to of for in on at with by from and or but as is are be been do does did will would should can could must
    i me my mine we our us you your yours it its they them their this that these those user assistant wants want
    please always never ever all every any each only just also more most very really now on going forward future when
    whenever naming name names suffix prefix start starts starting begin begins end ends ending not no don't dont
    avoid avoids prefer prefers like likes love loves hate hates dislike dislikes enjoy enjoys use uses using used
    strongly strictly have has had strong aversion interest refuse refuses particular make sure ensure something
    anything things rather than instead keep them if so there
    writing write coding code standard standards convention conventions
    you're it's letter letters followed descriptive which word
    """.split()  # noqa: SIM905
)
_MOST_WORDS = 8
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Slot:
    """The slot of a norm and its value within the slot; the value may be empty."""

    name: str
    value: str


def slot_of(text: str) -> Slot:
    """The slot of an instruction or preference. A text without content words is its own slot."""
    for name, pattern in _CATEGORIES:
        if match := pattern.search(text):
            group = match.lastgroup or ""
            value = match[group].lower() if group == "language" else group.rstrip("2")
            if _NEGATIVE.search(text[: match.start(group)]) and group != "language":
                value = f"no {value}"
            return Slot(name, value)
    literals = [next(part for part in match.groups() if part) for match in _LITERAL.finditer(text)]
    rest = _LITERAL.sub(" ", text)
    stems = stems_of(rest)
    position = _POSITION.search(text)
    if position and literals:
        place = "start" if position["first"] else "end"
        return Slot(f"{place}: {' '.join(sorted(stems))}"[:_LONGEST], literals[0])
    name = " ".join([*sorted(stems)[:_MOST_WORDS], *sorted(literals)])[:_LONGEST]
    value = "no" if _NEGATIVE.search(text) else "yes"
    return Slot(name or " ".join(text.lower().split())[:_LONGEST], value)


def stems_of(text: str) -> frozenset[str]:
    """Content words without their endings."""
    return frozenset(
        _stems(_WORD.findall(text.lower().replace("colour", "color").replace("favour", "favor")))
    )


def _stems(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        if word not in _STOP and len(word) > 1:
            yield re.sub(r"(?:ing|ed|es|s|e)$", "", word) if len(word) > 4 else word.removesuffix("s")
