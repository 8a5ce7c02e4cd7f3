"""Moves of an event without its name: "the dentist is on Tuesday", then "moved to Thursday" or "moved to Leeds"."""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_BARE_MOVE = compile_late(
    r"(?i)^(?:(?:ok|okay|oh|so|and|but|now|actually|update|just|got|been|it['’]?s|is|was|has|all)[,:]? ){0,3}"
    r"moved (?:up |forward |back |over |out )?to\b"
)
_EVENT = compile_late(
    r"(?i)\b(?:appointments?|dentist|doctor|gp|physio|therapist|vet|hairdresser|optician|check-?up|scan|surgery|"
    r"operation|exams?|viva|interview|meetings?|call|stand-?up|retro|demo|workshop|conference|seminar|lectures?|class|"
    r"lessons?|course|training|practice|rehearsals?|match|game|tournament|race|concert|gig|festival|wedding|party|"
    r"dinner|lunch|brunch|reunion|funeral|flight|delivery|deadline|launch|release|deploy(?:ment)?|event)\b"
)
_OWN_MOVE = compile_late(r"(?i)\b(?:moving|move|relocat\w+|home|flat|house|apartment|live|living|rent\w*)\b")


def moves_event(fact: CandidateFact, sentence: str, before: str) -> bool:
    """Whether a home is in fact the new day or place of the event in the sentence or message `before`."""
    return (
        fact.attribute in ("lives_in", "lives_in_country")
        and _BARE_MOVE.match(sentence.strip()) is not None
        and _EVENT.search(before) is not None
        and _OWN_MOVE.search(before) is None
    )
