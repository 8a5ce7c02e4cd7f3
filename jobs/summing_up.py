"""The words of one memory that stands for several, without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_service.rules.fact_score import fact_score
from memory_service.store.consolidation import Episode

MOST_CHARACTERS = 850
"""Of what is told of them: with when it was, what one vector is made of."""


def counted(episodes: Sequence[Episode]) -> str:
    """What nearly equal episodes say, in the words of the first, how often and from when to when (S5)."""
    return f"{span_of(episodes)}: {episodes[0].content}"


def told(episodes: Sequence[Episode]) -> str:
    """How often and from when to when, then what the most typical one says, the first; and as long as there is room, of
    the others what somebody may want to know later and was not said yet, in the order of time. What is left out is in
    the archive."""
    chosen = [episodes[0]]
    left = list(episodes[1:])
    room = MOST_CHARACTERS - len(episodes[0].content)
    worth = {episode.memory_id: fact_score(episode.content) + episode.importance for episode in left}

    def gain(episode: Episode) -> tuple[float, UUID]:
        said = max(float(episode.vector @ other.vector) for other in chosen)
        return (worth[episode.memory_id] - said, episode.memory_id)

    while left:
        best = max(left, key=gain)
        left.remove(best)
        if len(best.content) < room:
            chosen.append(best)
            room -= len(best.content) + 1
    chosen.sort(key=lambda e: (e.occurred_at, e.memory_id))
    said = dict.fromkeys(ended(episode.content) for episode in chosen)
    return f"{span_of(episodes)}: {' '.join(said)}"


def ended(text: str) -> str:
    return text if text[-1:] in ".!?…" else f"{text}."


def span_of(episodes: Sequence[Episode]) -> str:
    """ "50 times between March 2024 and May 2025"."""
    times = sum(episode.represents for episode in episodes)
    first = min(episode.since for episode in episodes)
    last = max(episode.occurred_at for episode in episodes)
    if month(first) == month(last):
        return f"{times} times in {month(last)}"
    return f"{times} times between {month(first)} and {month(last)}"


def month(moment: datetime) -> str:
    return f"{moment:%B %Y}"
