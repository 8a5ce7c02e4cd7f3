"""The words of one memory that stands for several, without a language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby

from memory_service.rules.summaries.faithfulness import content_words, numbers_in, stem
from memory_service.rules.summaries.summary import MOST_TOKENS, Sentence, best_within, spoken, telling
from memory_service.store.consolidation import Episode

LEAST_TOKENS = 80
"""What a summary has room for. A memory is printed whole or not at all, and of 300 tokens a context keeps 90 for
memories (DESIGN §5): with its date and source, one of so many fits."""
SHARE = 0.5
"""Of long episodes a summary tells this share, where that is more, up to what one episode may have."""
DATE_TOKENS = 4


@dataclass(frozen=True, slots=True)
class Told:
    """A summary, and what it says of each of its episodes, by which it is found."""

    text: str
    parts: tuple[str, ...]
    kept: float
    """The share of the content words of all that the episodes tell, small talk apart."""


def counted(episodes: Sequence[Episode]) -> str:
    """What nearly equal episodes say, in the words of the first, how often and from when to when (S5)."""
    return f"{span_of(episodes)}: {episodes[0].content}"


def told(episodes: Sequence[Episode]) -> Told:
    """What the episodes say, in the order of time, each day with its date where there are several, without small talk;
    of more than there is room for, the sentences that tell most. The archive has the rest."""
    by_time = sorted(episodes, key=lambda e: (e.occurred_at, e.memory_id))
    days = len({day_of(episode) for episode in by_time})
    lines = [(episode, line) for episode in by_time for line in lines_of(episode.content)]
    dates = DATE_TOKENS * days if days > 1 else 0
    chosen = best_within([line for _, line in lines], room_for(by_time) - dates)
    times: Counter[str] = Counter()
    said: dict[date, list[str]] = {}
    for _, places in groupby(chosen, key=lambda place: lines[place][0].memory_id):
        held = [lines[place] for place in places]
        episode, text = held[0][0], written(line for _, line in held)
        if text not in times:
            said.setdefault(day_of(episode), []).append(text)
        times[text] += episode.represents
    shown: list[str] = []
    for day, texts in said.items():
        counted_texts = [f"{text} ({times[text]} times)" if times[text] > 1 else text for text in texts]
        shown.append((f"{day:%-d %B %Y}: " if days > 1 else "") + " ".join(counted_texts))
    everything = {word for _, line in lines for word in stems_of(line.text)}
    kept = {word for place in chosen for word in stems_of(lines[place][1].text)}
    return Told(" ".join(shown), tuple(times), len(kept) / max(len(everything), 1))


def stems_of(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)} | numbers_in(text)


def room_for(episodes: Iterable[Episode]) -> int:
    """About how many tokens a summary of these has."""
    return round(min(max(SHARE * sum(map(length_of, episodes)), LEAST_TOKENS), MOST_TOKENS))


def length_of(episode: Episode) -> int:
    """About how many tokens it takes to say all that an episode tells, and when."""
    return sum(line.tokens for line in lines_of(episode.content)) + DATE_TOKENS


@lru_cache(maxsize=4096)
def lines_of(content: str) -> Sequence[Sentence]:
    """What an episode tells."""
    return telling(spoken(content))


def day_of(episode: Episode) -> date:
    return episode.occurred_at.date()


def written(lines: Iterable[Sentence]) -> str:
    """Sentences with who says them, each speaker once in a row."""
    parts: list[str] = []
    for label, said in groupby(lines, key=lambda line: line.label):
        text = " ".join(ended(line.text) for line in said)
        parts.append(f"{label}: {text}" if label else text)
    return " ".join(parts)


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
