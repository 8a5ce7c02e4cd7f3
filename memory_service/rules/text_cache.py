"""A cache for functions of one text that is bounded by the length of what it holds, not only by its number."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Result = TypeVar("Result")

SHORT_CHARS = 1_000
LONG_TEXTS = 8
"""A message of 32,000 characters is looked at by several rules, so that its own results are kept; with those of the
last 512 such messages a process held 1.3 MB for each."""


def text_cache(size: int) -> Callable[[Callable[[str], Result]], Callable[[str], Result]]:
    """Keep the results for the last `size` texts of up to SHORT_CHARS characters, and for LONG_TEXTS longer ones."""

    def decorate(function: Callable[[str], Result]) -> Callable[[str], Result]:
        of_short = lru_cache(size)(function)
        of_long = lru_cache(LONG_TEXTS)(function)

        @wraps(function)
        def cached(text: str) -> Result:
            return of_short(text) if len(text) <= SHORT_CHARS else of_long(text)

        return cached

    return decorate
