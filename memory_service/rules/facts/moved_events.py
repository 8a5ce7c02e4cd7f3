"""Events that a sentence moves and then dates: "my flight was moved, it's the 23rd"."""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.rules.facts.clause_words import DATE, DAY, LEAD, SURE
from memory_service.text.lazy_pattern import LatePattern
from memory_service.types import CandidateFact

_EVENT = (
    r"(?:wedding|exam|viva|interview|operation|surgery|flight|move|moving date|due date|deadline|launch|release|party|"
    r"appointment|train|trip|conference|concert|viewing|audition|graduation)"
)
_MOVED_THEN_DATED = LatePattern(
    rf"(?i)^{SURE}{LEAD}(?:(?:my|our|the) )?(?P<event>(?:[a-z-]+ )?{_EVENT})(?:'s| has| was| is| got| have)?(?: been)? "
    r"(?:just )?(?:moved|rescheduled|postponed|changed|delayed|pushed back|pushed|brought forward|put back)"
    r"(?:,|;| -| –| and| so|:)+ (?:so )?(?:it['’]s|it is|it['’]ll be|now|it will be|new date is|the new date is|"
    rf"it's now)(?: now)?(?: on)? (?P<value>(?:the )?(?:{DATE}|\d{{1,2}}(?:st|nd|rd|th)))(?=$|[.,;!?)]| (?:now|"
    rf"instead|and|"
    rf"so|at|{DAY})\b)"
)


def moved_events(sentence: str, subject: str) -> Iterator[CandidateFact]:
    """Yield the new date of an event that a sentence says has been moved."""
    if match := _MOVED_THEN_DATED.search(sentence):
        event = match["event"].lower()
        yield CandidateFact(
            f"{subject}'s {event} is on {match['value']}.",
            subject,
            f"{event.replace(' ', '_').replace('-', '_')}_date",
            match["value"],
            stated=True,
        )
