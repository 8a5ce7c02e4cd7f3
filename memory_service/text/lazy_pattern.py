"""Regular expressions that are compiled at first use, so that a process that needs none starts without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from memory_service.rules.facts.patterns import Row, Says


class LatePattern:
    """A pattern with the methods of `re.Pattern` that the rules use."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        return self._compiled.search

    @cached_property
    def match(self) -> Callable[[str], re.Match[str] | None]:
        return self._compiled.match

    def match_at(self, text: str, start: int) -> re.Match[str] | None:
        """The match that begins at `start`."""
        return self._compiled.match(text, start)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._compiled.finditer(text)

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self._compiled.sub(by, text)

    def findall(self, text: str) -> list[str]:
        return [match.group() for match in self._compiled.finditer(text)]

    def split(self, text: str) -> list[str]:
        return [part or "" for part in self._compiled.split(text)]

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)


class PatternTable:
    """Patterns with the facts that they state; only those with a substring in the text are tried."""

    def __init__(self, rows: Sequence[Row], flags: re.RegexFlag = re.IGNORECASE) -> None:
        """`rows`: substrings divided by "|", the pattern, and the facts that it states."""
        self._rows = [(LatePattern(pattern, flags), says) for _, pattern, says in rows]
        places: dict[str, list[int]] = {}
        for place, (needles, _, _) in enumerate(rows):
            for needle in needles.split("|"):
                places.setdefault(needle, []).append(place)
        self._places = tuple(places.items())

    def worth_trying(self, text: str) -> list[tuple[LatePattern, tuple[Says, ...]]]:
        """Return the rows with a substring in the text, in their order."""
        found = {place for needle, places in self._places if needle in text for place in places}
        return [self._rows[place] for place in sorted(found)]
