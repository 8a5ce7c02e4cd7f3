"""The user's mood: given by the caller, else detected in the message by the emotion lexicon, else of the thread.

Quoted and pasted texts and drafts to be rewritten show the mood of another text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from memory_service.recall.rerank import IMPORTANT_ANYWAY, OPPOSITE_VALENCE
from memory_service.requests import Mood
from memory_service.rules.emotions.emotions import BAD, GOOD, emotions, valence
from memory_service.rules.emotions.felt_words import felt_words
from memory_service.rules.gate.gate import HIGH_EMOTION
from memory_service.text.sentences import sentences, without_echo
from memory_service.text.text_cache import text_cache
from memory_service.types import Candidate

READ_CHARS = 4_000
"""Characters at the end of a long message from which the mood is detected."""
OPPOSITE = "opposite of a strong feeling in the message"


@dataclass(frozen=True, slots=True)
class PresentMood:
    """The mood that a context is ranked with, and the valence detected in the message."""

    mood: Mood
    """The caller's mood; emotions not given are those detected in the message."""
    felt: float | None
    """The message's valence, -1..1; None where the caller gave one."""

    def bars(self) -> dict[str, Any] | None:
        """Limits on episodes for recall_candidates, which fetches others instead; None without limits.

        Topics are in lower case, as compared there.
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
        """Why a memory is left out because of the detected valence, if it is.

        A valence given by the caller excludes memories that differ by more than 1. The lexicon errs, and people ask
        about happy things when they are sad ("I miss grandma; how was her birthday?"), so a detected valence excludes a
        memory only where both are strong (beyond 0.6) and of opposite sign, and its importance is below 0.7.
        """
        return OPPOSITE if self.felt is not None and is_opposite(candidate, self.felt) else None


def present_mood(message: str, given: Mood) -> PresentMood:
    """The caller's mood; emotions and valence that are not given are detected in the message."""
    if given.valence is not None and given.emotions is not None:
        return PresentMood(given, None)
    felt, labels = detected_mood(felt_words(without_echo(message))[-READ_CHARS:])
    if given.emotions is None:
        given = replace(given, emotions=labels or None)
    return PresentMood(given, felt if given.valence is None else None)


@text_cache(512)
def detected_mood(said: str) -> tuple[float, tuple[str, ...]]:
    """The valence and the emotions of a text, without `neutral`."""
    return valence(sentences(said)), tuple(label for label in emotions(said) if label != "neutral")


def with_thread(present: PresentMood, given: Mood, emotion: str | None) -> PresentMood:
    """The mood with the emotion of the open thread, where the caller gave none and the message shows none but those
    that are neither good nor bad: any question is curious.

    The thread's valence is no filter: one of 0.8 would leave out 5 to 7 % of the episodes that a message of the persona
    (tests/acceptance) refers to.
    """
    shown = tuple(present.mood.emotions or ())
    if emotion is None or given.emotions is not None or not (GOOD | BAD).isdisjoint(shown):
        return present
    return replace(present, mood=replace(present.mood, emotions=(*shown, emotion)))


def is_opposite(candidate: Candidate, felt: float) -> bool:
    theirs = candidate.valence or 0.0
    return (
        abs(felt) > HIGH_EMOTION
        and abs(theirs) > HIGH_EMOTION
        and felt * theirs < 0
        and candidate.importance < IMPORTANT_ANYWAY
    )
