"""Summaries of several episodes by rules, without a language model."""

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
"""Least token budget of a summary. A memory is printed whole or not at all, and a context of 300 tokens keeps 90 for
memories (docs/design.md, "Context"): with its date and source, one of 80 fits."""
SHARE = 0.5
"""Share of the episodes' tokens that a summary may have, where that is more, up to MOST_TOKENS."""
DATE_TOKENS = 4


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary by rules."""

    text: str
    parts: tuple[str, ...]
    """Its text for each episode."""
    kept: float
    """Share of the episodes' content words in it, small talk excluded."""


def summarize_similar(episodes: Sequence[Episode]) -> str:
    """Summary of nearly equal episodes: their number, the period, and the text of the first."""
    return f"{span_of(episodes)}: {episodes[0].content}"


def summarize(episodes: Sequence[Episode]) -> Summary:
    """Summary of a cluster: the sentences with most information within the token budget, in the order of time, without
    small talk, each day with its date where there are several."""
    by_time = sorted(episodes, key=lambda e: (e.occurred_at, e.memory_id))
    days = len({day_of(episode) for episode in by_time})
    lines = [(episode, line) for episode in by_time for line in lines_of(episode.content)]
    dates = DATE_TOKENS * days if days > 1 else 0
    chosen = best_within([line for _, line in lines], room_for(by_time) - dates)
    times: Counter[str] = Counter()
    text_of_day: dict[date, list[str]] = {}
    for _, places in groupby(chosen, key=lambda place: lines[place][0].memory_id):
        held = [lines[place] for place in places]
        episode, text = held[0][0], written(line for _, line in held)
        if text not in times:
            text_of_day.setdefault(day_of(episode), []).append(text)
        times[text] += episode.represents
    shown: list[str] = []
    for day, texts in text_of_day.items():
        counted_texts = [f"{text} ({times[text]} times)" if times[text] > 1 else text for text in texts]
        shown.append((f"{day:%-d %B %Y}: " if days > 1 else "") + " ".join(counted_texts))
    everything = {word for _, line in lines for word in stems_of(line.text)}
    kept = {word for place in chosen for word in stems_of(lines[place][1].text)}
    return Summary(" ".join(shown), tuple(times), len(kept) / max(len(everything), 1))


def stems_of(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)} | numbers_in(text)


def room_for(episodes: Iterable[Episode]) -> int:
    """Token budget of a summary of these episodes."""
    return round(min(max(SHARE * sum(map(length_of, episodes)), LEAST_TOKENS), MOST_TOKENS))


def length_of(episode: Episode) -> int:
    """Estimated tokens of an episode's sentences without small talk, and of its date."""
    return sum(line.tokens for line in lines_of(episode.content)) + DATE_TOKENS


@lru_cache(maxsize=4096)
def lines_of(content: str) -> Sequence[Sentence]:
    """An episode's sentences without small talk."""
    return telling(spoken(content))


def day_of(episode: Episode) -> date:
    return episode.occurred_at.date()


def written(lines: Iterable[Sentence]) -> str:
    """Sentences with their speakers, each speaker once for consecutive sentences."""
    parts: list[str] = []
    for label, sentences in groupby(lines, key=lambda line: line.label):
        text = " ".join(ended(line.text) for line in sentences)
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
