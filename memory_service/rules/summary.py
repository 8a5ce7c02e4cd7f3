"""A summary made of people's own sentences: who said it, and nothing that was not said (S1: 100-150 tokens).

When it was said is the episode's own date, which every reader shows beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_service.rules.dates import with_dates
from memory_service.rules.fact_score import raw_score
from memory_service.rules.speech import has_words, is_chatter, is_person, sentences, without_echo
from memory_service.types import Segment, Utterance

MOST_TOKENS = 150
_PIECE = re.compile(r"\w{1,9}|[^\w\s]")
_SHORT_ANSWER = 6
"""Words: a shorter answer means nothing without its question."""


@dataclass(frozen=True, slots=True)
class _Line:
    utterance: int
    text: str
    score: float
    tokens: int


def tokens(text: str) -> int:
    """Return about how many tokens a model would count."""
    return len(_PIECE.findall(text))


def summarize(segment: Segment) -> str:
    """Return the sentences that tell most, in their order, behind "name: " where somebody has one;
    empty where nobody said a word.

    Small talk goes first, then questions, then what scores least until at most 150 tokens are left. Days
    like "yesterday" get their date in brackets. A short answer carries the question that it answers.
    """
    lines = _statements(segment) or _everything(segment)
    budget = MOST_TOKENS
    chosen: list[_Line] = []
    for line in sorted(lines, key=lambda item: -item.score):
        speaker = 0 if any(other.utterance == line.utterance for other in chosen) else 3
        if line.tokens + speaker <= budget:
            chosen.append(line)
            budget -= line.tokens + speaker
    if not chosen and lines:
        best = max(lines, key=lambda item: item.score)
        chosen = [_Line(best.utterance, _cut(best.text, MOST_TOKENS - 3), best.score, MOST_TOKENS)]
    order = {id(line): position for position, line in enumerate(lines)}
    chosen.sort(key=lambda line: order.get(id(line), 0))
    return _written_out(segment, chosen)


def _cut(text: str, most: int) -> str:
    pieces = list(_PIECE.finditer(text))
    return text if len(pieces) <= most else text[: pieces[most - 1].end()] + "…"


def _statements(segment: Segment) -> list[_Line]:
    return [
        line for line in _everything(segment) if not line.text.endswith("?") and not is_chatter(line.text)
    ]


def _everything(segment: Segment) -> list[_Line]:
    found: list[_Line] = []
    for position, utterance in enumerate(segment.utterances):
        if is_person(utterance):
            for sentence in sentences(without_echo(utterance.content)):
                if has_words(sentence):
                    dated = with_dates(sentence, utterance.occurred_at.date())
                    found.append(_Line(position, dated, raw_score(sentence), tokens(dated)))
    return found


def _written_out(segment: Segment, lines: list[_Line]) -> str:
    # Where only a user without a name speaks, nothing has to say so: the episode's source does.
    alone = not any(segment.utterances[line.utterance].name for line in lines)
    parts: list[str] = []
    last: str | None = None
    answered: set[int] = set()
    for line in lines:
        name = segment.utterances[line.utterance].name or (None if alone else "user")
        question = _question_before(segment, line.utterance) if line.utterance not in answered else None
        answered.add(line.utterance)
        if question is not None:
            parts.append(f'{name or "user"}, asked "{question}": {line.text}')
        else:
            parts.append(line.text if name == last else f"{name}: {line.text}")
        last = name
    return " ".join(parts)


def _question_before(segment: Segment, position: int) -> str | None:
    """The question that the utterance at `position` answers, when the answer is too short to stand alone."""
    utterance = segment.utterances[position]
    if len(without_echo(utterance.content).split()) >= _SHORT_ANSWER:
        return None
    before: Utterance | None = None
    if position > 0:
        before = segment.utterances[position - 1]
    elif segment.context:
        before = segment.context[-1]
    if before is None or (before.role, before.name) == (utterance.role, utterance.name):
        return None
    asked = sentences(without_echo(before.content))
    return _cut(asked[-1].replace('"', "'"), 40) if asked and asked[-1].endswith("?") else None
