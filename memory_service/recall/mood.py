"""The present mood, where the caller does not say: read from the message by the lexicon (DESIGN §8)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from memory_service.recall.rerank import IMPORTANT_ANYWAY, OPPOSITE_VALENCE
from memory_service.requests import Mood
from memory_service.rules.emotions.emotions import emotions, valence
from memory_service.rules.gate.gate import HIGH_EMOTION
from memory_service.text.sentences import sentences, without_echo
from memory_service.types import Candidate

READ_CHARS = 4_000
"""A mood is read from the end of a long message: that is where it stands now."""
OPPOSITE = "opposite of a strong feeling in the message"


@dataclass(frozen=True, slots=True)
class PresentMood:
    """The mood that a context is ranked with, and the feeling that the message shows by itself."""

    mood: Mood
    """What the caller gave; emotions that were not given are the message's."""
    felt: float | None
    """The message's valence, -1..1; None where the caller gave one."""

    def bars(self) -> dict[str, Any] | None:
        """What keeps an episode out, for the search to find others instead; None where nothing does.

        Topics stand as they are compared there, in lower case.
        """
        bars: dict[str, Any] = {}
        if self.mood.valence is not None:
            bars |= {"valence": self.mood.valence, "apart": OPPOSITE_VALENCE}
        if self.mood.topics:
            bars |= {"topics": sorted({low for t in self.mood.topics for low in (t.lower(), t.casefold())})}
        if self.felt is not None and abs(self.felt) > HIGH_EMOTION:
            bars |= {"felt": self.felt, "strong": HIGH_EMOTION}
        return bars | {"important": IMPORTANT_ANYWAY} if bars else None

    def out_of_place(self, candidate: Candidate) -> str | None:
        """Why a memory is left out for a feeling that nobody but the lexicon saw, if it is.

        A valence that the caller gives filters as S2 says: whatever is more than 1 apart stays out. The lexicon errs,
        and people ask about glad things when they are sad ("I miss grandma; how was her birthday?"). So a feeling that
        was only read leaves out only what would jar: both strong (beyond 0.6), of opposite sign, and the memory not
        important (0.7, as S2's filter of topics has it).
        """
        return OPPOSITE if self.felt is not None and jars(candidate, self.felt) else None


def present_mood(message: str, given: Mood) -> PresentMood:
    """The caller's mood, completed from the message: its emotions to be ranked by, its valence to filter with care."""
    if given.valence is not None and given.emotions is not None:
        return PresentMood(given, None)
    said = without_echo(message)[-READ_CHARS:]
    felt = valence(sentences(said)) if given.valence is None else None
    if given.emotions is None:
        labels = tuple(label for label in emotions(said) if label != "neutral")
        given = replace(given, emotions=labels or None)
    return PresentMood(given, felt)


def jars(candidate: Candidate, felt: float) -> bool:
    theirs = candidate.valence or 0.0
    return (
        abs(felt) > HIGH_EMOTION
        and abs(theirs) > HIGH_EMOTION
        and felt * theirs < 0
        and candidate.importance < IMPORTANT_ANYWAY
    )
