"""Order in which memories fill a context: by score and length; and which of them say the same."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory_service.rules.summaries.assistant_reply import content_words

LONG_LINE = 240
"""Characters beyond which a line must be worth its length. Without the rule, contexts of RealMem held 4 points less of
the evidence, those of other sets the same within 1; with all lengths counted, own chats lost 2 points."""
SAME = 0.8
"""Share of a text's content words that another must have to say all of it."""


def by_worth(scores: Sequence[float], lines: Sequence[str]) -> list[int]:
    """The places, best first, by score divided by the root of the line's length; lines up to LONG_LINE count alike."""
    worth = [score / max(len(line), LONG_LINE) ** 0.5 for score, line in zip(scores, lines, strict=True)]
    return sorted(range(len(worth)), key=lambda n: -worth[n])


MOST_REPEATED = 240
"""Characters of the longest episode that is compared with facts: longer ones say more than a fact does."""


def repeats(text: str, facts: Sequence[tuple[UUID, frozenset[str]]]) -> frozenset[UUID]:
    """The facts, given with their content words, that say all that an episode says."""
    if not facts or len(text) > MOST_REPEATED:
        return frozenset()
    words = frozenset(word for word in content_words(text) if len(word) > 1)  # "m" of "I'm" says nothing
    least = SAME * len(words)
    return frozenset(fact for fact, said in facts if words and len(words & said) >= least)


def says_no_more(text: str, than: str) -> bool:
    """Whether a text has no content beyond that of another."""
    words = frozenset(content_words(text))
    return bool(words) and len(words & frozenset(content_words(than))) >= SAME * len(words)
