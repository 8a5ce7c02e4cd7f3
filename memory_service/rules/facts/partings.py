"""Facts from sentences that state the separation of other persons: "Margaret and Colin have split up"."""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.rules.facts.clause_facts import one_of
from memory_service.rules.facts.given_names import is_given_name
from memory_service.rules.facts.named_persons import ONE_NAME
from memory_service.rules.facts.patterns import APART, LATELY
from memory_service.rules.relatives import PARTNER, RELATIVES
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_LEAD = r"^(?:(?:[Aa]nd|[Ss]o|[Bb]ut|[Ss]adly|[Ww]ell|[Aa]pparently),? )*"
_PERSON = rf"(?:[Mm]y (?P<kin>{RELATIVES})(?:,? (?P<called>{ONE_NAME}),?)?|(?P<name>{ONE_NAME}))"
_OTHER = (
    rf"(?:(?:her|his|their) (?:{PARTNER})(?: (?P<their>{ONE_NAME}))?|"
    rf"(?P<other>{ONE_NAME}))"
)
_PERFECT = r"(?:['’]ve|['’]s| have| has)?"
_PATTERNS = (
    ("separated", compile_late(
        rf"{_LEAD}{_PERSON} and {_OTHER}{_PERFECT}{LATELY} (?:broken? up|split(?: up)?|separated|called it quits|"
        rf"parted ways|(?:called off|broken off) their (?:wedding|engagement)){APART}")),
    ("divorced", compile_late(
        rf"{_LEAD}{_PERSON} and {_OTHER}{_PERFECT}{LATELY} (?:(?:got(?:ten)? )?divorced|are divorced|finali[sz]ed "
        rf"their divorce)(?: now)?{APART}")),
    ("divorced", compile_late(
        rf"{_LEAD}{_PERSON}['’]s divorce(?: from {_OTHER})?{_PERFECT}(?: is| was)?{LATELY} (?:came through|"
        rf"come through|(?:been )?finali[sz]ed|went through|gone through|final|done){APART}")),
    ("separated", compile_late(
        rf"{_LEAD}{_PERSON}{_PERFECT}{LATELY} (?P<left>left|dumped|walked out on|broken? up with|split(?: up)? from|"
        rf"separated from) {_OTHER}{APART}")),
)  # fmt: skip
_HINTS = (
    "broke",
    "split",
    "separat",
    "quits",
    "ways",
    "divorce",
    " left ",
    "dumped",
    "walked out",
    "called off",
)
"""Of which such a sentence has one."""


def partings_of_others(sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield what the separation of two persons ends for each of them, and their status; `sentence` in plain wording.

    A name without its role is read for persons whom the bank knows.
    """
    if not any(hint in sentence for hint in _HINTS):
        return
    for status, pattern in _PATTERNS:
        match = pattern.match(sentence)
        if match is None:
            continue
        found = match.groupdict()
        other = found["other"] or found["their"]
        if found.get("left") and found["other"] and not is_given_name(found["other"]):
            return  # an employer or a town
        first = (
            one_of(subject, found["kin"], found["called"]) if found["kin"] else found["name"],
            found["called"] or found["name"],
            not found["kin"],
        )
        pairs = [(*first, other)]
        if found["other"]:
            pairs.append((found["other"], found["other"], True, first[1]))
        for about, _, if_known, ex in pairs:
            if about is not None:
                yield from _parted(about, ex, status, if_known=if_known)
        return


def _parted(about: str, ex: str | None, status: str, *, if_known: bool) -> Iterator[CandidateFact]:
    """The facts of one of the two."""
    ended = f"{about} is no longer with {ex or 'the former partner'}."
    for attribute, value in (("partner", ex), ("lives_with", ex)):
        if value is not None or attribute == "partner":
            yield CandidateFact(ended, about, attribute, value, stated=True, holds=False, if_known=if_known)
    yield CandidateFact(
        f"{about} is {status}.", about, "relationship_status", status, stated=True, if_known=if_known
    )
