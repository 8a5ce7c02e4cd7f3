"""A cache for functions of one text, bounded by the length of the texts as well as their number."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Result = TypeVar("Result")

SHORT_CHARS = 1_000
LONG_TEXTS = 8
"""Several rules read the same long message, so the results of the last few are kept. Those of 512 messages of 32,000
characters took 1.3 MB each."""


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
