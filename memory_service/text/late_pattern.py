"""Regular expressions that are compiled at first use: compiling all of them takes a third of a process's start.

`compile_late` is for those that requests need: `compile_all` compiles them once the service has started. `LatePattern`
is for those of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, cast

_late: list[_Late] = []


class _Late:
    """Stands for `re.compile(pattern, flags)`, which is called when anything but the pattern's text is needed."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None
        _late.append(self)

    def __getattr__(self, name: str) -> Any:
        """Called once for each method: the compiled pattern's method becomes an attribute."""
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.compiled(), name)
        setattr(self, name, found)
        return found

    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        return self._compiled


def compile_late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at first use; re.error for an invalid one is raised then."""
    return cast("re.Pattern[str]", _Late(pattern, flags))


def compile_all() -> None:
    """Compile the patterns of `compile_late` in the imported modules, so that no request waits for it."""
    for pattern in tuple(_late):
        pattern.compiled()


class LatePattern:
    """A pattern with the methods of `re.Pattern` that the rules use; `compile_all` leaves it out.

    The rules have some 1,700 of them, and a process that extracts no facts needs few.
    """

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
        """The whole matches, also of a pattern with groups."""
        return [match.group() for match in self._compiled.finditer(text)]

    def split(self, text: str) -> list[str]:
        return [part or "" for part in self._compiled.split(text)]

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)
