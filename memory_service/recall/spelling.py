"""Words of a query that may be misspelt or truncated."""

from __future__ import annotations

from collections.abc import Collection

from memory_service.models.token_counter import TokenCounter
from memory_service.text.late_pattern import compile_late

SHORTEST, LONGEST = 4, 40
"""Length of such a word in characters."""
MOST = 4
"""Most such words of one query; the longest are used."""

_WORD = compile_late(rf"\b[^\W\d_]{{{SHORTEST},{LONGEST}}}\b")


def doubtful_in(query: str, people: Collection[str], count: TokenCounter) -> list[str]:
    """The longest words of the query, in lower case, that are neither common English words nor a speaker's name.

    Common words are one token in the built-in model's vocabulary, which `count` uses. In the labelled chats 93 % of the
    questions' words that the bank lacks are common, and 4 % of words with one random error.
    """
    words = set(_WORD.findall(query.lower())) - set(people)
    found: list[str] = []
    for word in sorted(words, key=lambda word: (-len(word), word)):
        if count(word) > 1:
            found.append(word)
            if len(found) == MOST:
                break
    return found
