"""Sentences that are kept whatever their fact-bearing score: standing instructions (gate relational_damage), choices of
tools and conventions, and conditions of the body (both gate stable_fact)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_service.rules.gate.worth_patterns import BODY, CHOICES, OTHER_LANGUAGES, STANDING
from memory_service.text.late_pattern import LatePattern
from memory_service.text.text_cache import text_cache
from memory_service.text.unicode_folding import words_of

_LONGEST = 400
"""Characters read per sentence."""
_FIRST_LETTERS = 5

_Rows = tuple[tuple[frozenset[str], LatePattern], ...]


@dataclass(frozen=True, slots=True)
class LastingKinds:
    """Which kinds of lasting content one sentence has."""

    standing: bool
    """An instruction about how to behave from now on."""
    choice: bool
    """A choice of a tool, a convention or a set-up."""
    body: bool
    """A condition of the body, or a consequence of one."""


def _compiled(rows: Sequence[tuple[str, str]]) -> _Rows:
    return tuple(
        (frozenset(word[:_FIRST_LETTERS] for word in words.split()), LatePattern(f"(?i){pattern}"))
        for words, pattern in rows
    )


_OTHER_LANGUAGES = LatePattern(rf"(?i)(?:^|[.,;:] |\b(?:und|et|y|e) )(?:{'|'.join(OTHER_LANGUAGES)})")
_STANDING, _CHOICES, _BODY = _compiled(STANDING), _compiled(CHOICES), _compiled(BODY)
_NONE = LastingKinds(standing=False, choice=False, body=False)


@text_cache(512)
def lasting_kinds_of(sentence: str) -> LastingKinds:
    """Return which kinds of lasting content the sentence has; a question has at most a standing instruction."""
    sentence = sentence[:_LONGEST]
    starts = frozenset([word[:_FIRST_LETTERS] for word in words_of(sentence.lower())[1]])
    standing = _any(_STANDING, sentence, starts)
    asks = sentence.rstrip().endswith("?")
    choice = not asks and _any(_CHOICES, sentence, starts)
    body = not asks and _any(_BODY, sentence, starts)
    return LastingKinds(standing, choice, body) if standing or choice or body else _NONE


def _any(rows: _Rows, sentence: str, starts: frozenset[str]) -> bool:
    for words, pattern in rows:  # noqa: SIM110 - any() with a generator takes twice as long
        if not words.isdisjoint(starts) and pattern.search(sentence):
            return True
    return False


@text_cache(512)
def states_in_other_language(sentence: str) -> bool:
    """Whether the sentence states a fact about its speaker in German, French, Spanish or Italian.

    The fact-bearing score knows English only. No fact is extracted from such a sentence; its episode is kept.
    """
    return not sentence.rstrip().endswith("?") and _OTHER_LANGUAGES.search(sentence[:_LONGEST]) is not None
