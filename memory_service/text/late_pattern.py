"""Regular expressions that are compiled at first use: compiling all of them takes a third of a process's start."""

from __future__ import annotations

import re
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
    """Compile all patterns of the imported modules, so that no request waits for it."""
    for pattern in tuple(_late):
        pattern.compiled()
