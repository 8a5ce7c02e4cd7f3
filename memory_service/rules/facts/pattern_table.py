"""Tables of patterns with the facts that they state, tried only where one of their substrings occurs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memory_service.rules.facts.patterns import Row, Says
from memory_service.text.late_pattern import LatePattern

GRAM: Final = 3
"""Characters at the end of a substring by which it is looked up; looking for each of 760 takes 44 µs a clause."""


class PatternTable:
    """Patterns with the facts that they state; only those with a substring in the text are tried."""

    def __init__(self, rows: Sequence[Row], flags: re.RegexFlag = re.IGNORECASE) -> None:
        """`rows`: substrings divided by "|", the pattern, and the facts that it states."""
        self._rows = [(LatePattern(pattern, flags), says) for _, pattern, says in rows]
        places: dict[str, list[int]] = {}
        for place, (needles, _, _) in enumerate(rows):
            for needle in needles.split("|"):
                places.setdefault(needle, []).append(place)
        self._places: dict[str, list[tuple[str, list[int]]]] = {}
        """By the last characters of the substrings."""
        for needle, where in places.items():
            self._places.setdefault(needle[-GRAM:], []).append((needle, where))
        self._lengths = tuple(sorted({len(gram) for gram in self._places}))

    def worth_trying(self, text: str) -> list[tuple[LatePattern, tuple[Says, ...]]]:
        """Return the rows with a substring in the text, in their order."""
        grams = {
            text[start : start + length]
            for length in self._lengths
            for start in range(len(text) - length + 1)
        }
        found = {
            place
            for gram in grams & self._places.keys()
            for needle, places in self._places[gram]
            if needle in text
            for place in places
        }
        return [self._rows[place] for place in sorted(found)]
