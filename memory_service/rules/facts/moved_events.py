"""Events that are moved.

"My flight was moved, it's the 23rd" dates one; "moved to Thursday" after "the dentist is on Tuesday" is about one.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.rules.facts.clause_words import DATE, DAY, LEAD, SURE
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.types import CandidateFact

_DATED_EVENT = (
    r"(?:wedding|exam|viva|interview|operation|surgery|flight|move|moving date|due date|deadline|launch|release|party|"
    r"appointment|train|trip|conference|concert|viewing|audition|graduation)"
)
_MOVED_THEN_DATED = LatePattern(
    rf"(?i)^{SURE}{LEAD}(?:(?:my|our|the) )?(?P<event>(?:[a-z-]+ )?{_DATED_EVENT})(?:'s| has| was| is| got| have)?(?: "
    r"been)? (?:just )?(?:moved|rescheduled|postponed|changed|delayed|pushed back|pushed|brought forward|put "
    r"back)(?:,|;| -| –| and| so|:)+ (?:so )?(?:it['’]s|it is|it['’]ll be|now|it will be|new date is|the new date is|"
    rf"it's now)(?: now)?(?: on)? (?P<value>(?:the )?(?:{DATE}|\d{{1,2}}(?:st|nd|rd|th)))(?=$|[.,;!?)]| (?:now|"
    rf"instead|and|so|at|{DAY})\b)"
)
_BARE_MOVE = compile_late(
    r"(?i)^(?:(?:ok|okay|oh|so|and|but|now|actually|update|just|got|been|it['’]?s|is|was|has|all)[,:]? ){0,3}"
    r"moved (?:up |forward |back |over |out )?to\b"
)
_ANY_EVENT = compile_late(
    r"(?i)\b(?:appointments?|dentist|doctor|gp|physio|therapist|vet|hairdresser|optician|check-?up|scan|surgery|"
    r"operation|exams?|viva|interview|meetings?|call|stand-?up|retro|demo|workshop|conference|seminar|lectures?|class|"
    r"lessons?|course|training|practice|rehearsals?|match|game|tournament|race|concert|gig|festival|wedding|party|"
    r"dinner|lunch|brunch|reunion|funeral|flight|delivery|deadline|launch|release|deploy(?:ment)?|event)\b"
)
_OWN_MOVE = compile_late(r"(?i)\b(?:moving|move|relocat\w+|home|flat|house|apartment|live|living|rent\w*)\b")


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


def moves_event(fact: CandidateFact, sentence: str, before: str) -> bool:
    """Whether a home is in fact the new day or place of the event in the sentence or message `before`."""
    return (
        fact.attribute in ("lives_in", "lives_in_country")
        and _BARE_MOVE.match(sentence.strip()) is not None
        and _ANY_EVENT.search(before) is not None
        and _OWN_MOVE.search(before) is None
    )
