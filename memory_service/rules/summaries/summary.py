"""Extractive summaries: people's own sentences with their names, 100 to 150 tokens.

The date is that of the episode, which every context shows beside the summary.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby

from memory_service.rules.facts.standing_instructions import is_standing
from memory_service.rules.gate.decision_made import decision_in
from memory_service.rules.gate.sentence_score import raw_score
from memory_service.rules.summaries.dates import with_dates
from memory_service.rules.summaries.sentence_units import is_outcome, is_request, units
from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import has_words, is_chatter, is_person, sentences, without_echo
from memory_service.types import Segment, Utterance

MOST_TOKENS = 150
_AIM = 145
"""Tokens that are filled: models count a few more or less."""
_PIECE = compile_late(r"\w{1,9}|[^\w\s]")
_SHORT_ANSWER = 6
"""Words: a shorter answer means nothing without its question."""
_LONG_SENTENCE = 50
"""Tokens: a longer one is taken clause by clause."""
_CLAUSE = compile_late(
    r"(?<=[,;:–—])\s+(?=(?:and|but|so|then|because|while|although|which|who|i|we|he|she|they)\b)|;\s+"
)
_DETAIL = compile_late(
    r"(?<=[\w,;:’'\"”)-]\s)[A-ZÀ-Þ][\w’'-]*\w(?!\w)|\b\d[\w.,:/%-]*|(?i:\b(?:two|three|four|five|six|seven|eight|nine|"
    r"ten|eleven|twelve|dozen|hundred|thousand|million|half|once|twice|first|second|third|yesterday|today|tonight|"
    rf"tomorrow|last \w+|next \w+|\w+ (?:days?|weeks?|months?|years?) ago|{DAY}|january|february|march|april|june|july|"
    r"august|september|october|november|december)\b)"
)
"""Names inside a sentence, numbers, days: what a later question asks for."""
_ONE_DETAIL = 0.6
_MOST_DETAILS = 3
_DECIDES = 1.5
_DENIES = 0.3
_REQUESTS = -1.5
_ENDS = 4.0
"""Gains of a sentence beside its own score: details not yet in the summary, a decision, a negation, a request; among
several episodes also a short outcome, which takes few tokens."""
_DENIAL = compile_late(r"(?i)\b(?:not|never|no longer|cannot|without)\b|n[’']t\b")
_YOU = compile_late(r"(?i)\byou(?:rs?|rself)?\b")
_NAME = r"[^\W\d_a-z][\w'’-]*"
_LABEL = compile_late(
    rf"(?:(?<=^)|(?<=[.!?…] ))((?:user|{_NAME}(?: {_NAME}){{0,2}})(?: \(to [^()]{{1,60}}\))?"
    rf"(?:, asked (?:by (?:the assistant|user|{_NAME}(?: {_NAME}){{0,2}}) )?\"[^\"]{{1,250}}\")?): "
)
"""The label before the words of a speaker; former versions did not name who asked."""


@dataclass(frozen=True, slots=True)
class _Line:
    utterance: int
    place: int
    said: str
    text: str
    """The sentence, with dates."""
    tokens: int

    def score(self) -> float:
        return _score(self.said)

    def details(self) -> frozenset[str]:
        return details_in(self.said)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a summary, with who says it as it is written before it."""

    label: str | None
    text: str

    @property
    def tokens(self) -> int:
        """With the label, as after another speaker."""
        return tokens(self.text) + (tokens(self.label) + 1 if self.label else 0)


def _score(said: str) -> float:
    decides = _DECIDES if decision_in(said) >= 0.7 else 0.0
    requests = _REQUESTS if is_request(said) else 0.0
    return raw_score(said) + decides + requests + (_DENIES if _DENIAL.search(said) else 0.0)


def details_in(said: str) -> frozenset[str]:
    """Return the names, numbers and days in a sentence, in lower case."""
    return frozenset(detail.lower() for detail in _DETAIL.findall(said))


def tokens(text: str) -> int:
    """Return about how many tokens a model would count."""
    return len(_PIECE.findall(text))


def summarize(segment: Segment) -> str:
    """Return the most telling sentences in order, behind "name: " where the speaker has one; empty where no person
    spoke.

    Small talk is left out first, then questions without a name, number or day that are no standing instruction, then
    the lowest scores until at most 150 tokens are left; a detail that is new in the summary counts more than a
    repeated one. Relative days get their date in brackets. A short answer carries its question. The person that "you"
    means is named behind the speaker, where only one other named person is there.
    """
    everything = _everything(segment)
    lines = [line for line in everything if _tells(line.said)] or everything
    chosen = _within_budget(lines)
    if not chosen and lines:
        best = max(lines, key=_Line.score)
        chosen = [replace(best, text=_cut(best.text, MOST_TOKENS - _SPEAKER))]
    chosen.sort(key=lambda line: line.place)
    return _written_out(segment, chosen)


def spoken(summary: str) -> list[Sentence]:
    """Return what `summarize` wrote sentence by sentence, each with who says it; any other text has no labels."""
    pieces = _LABEL.split(summary)
    return [
        Sentence(label, said)
        for label, text in zip([None, *pieces[1::2]], pieces[::2], strict=True)
        for said in units(sentences(text))
    ]


def telling(lines: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return those that are neither small talk nor a question without a name, number or day; all where none is left."""
    return [line for line in lines if _tells(line.text)] or lines


def best_within(lines: Sequence[Sentence], most: int) -> list[int]:
    """Return the places of the sentences that tell most in so many tokens together, in their order: each time the one
    that adds most to those before. One at least, however long."""
    if sum(line.tokens for line in lines) <= most:
        return list(range(len(lines)))
    chosen: list[int] = []
    told: set[str] = set()
    details = [details_in(line.text) for line in lines]
    scores = [_score(line.text) + (_ENDS if is_outcome(line.text) else 0.0) for line in lines]
    for best in most_telling(scores, details, told):
        if lines[best].tokens <= most or not chosen:
            chosen.append(best)
            most -= lines[best].tokens
            told |= details[best]
    return sorted(chosen)


def most_telling(scores: Sequence[float], details: Sequence[Set[str]], told: Set[str]) -> Iterator[int]:
    """Return all places, each time the one that adds most to the chosen ones; of equal ones the first.

    A text may have thousands of sentences: gains only fall as more is chosen, so few are computed again.
    """

    def weighed(place: int) -> tuple[float, int]:
        return (-scores[place] - _ONE_DETAIL * min(len(details[place] - told), _MOST_DETAILS), place)

    left = [weighed(place) for place in range(len(scores))]
    heapq.heapify(left)
    while left:
        _, place = heapq.heappop(left)
        now = weighed(place)
        if left and now > left[0]:
            heapq.heappush(left, now)
        else:
            yield place


_SPEAKER = 6
"""Tokens of "name (to name): "."""


def _within_budget(lines: Sequence[_Line]) -> list[_Line]:
    """The best lines that fit together, each time the one that adds most to those before."""
    if sum(line.tokens for line in lines) + _SPEAKER * len(lines) <= _AIM:
        return list(lines)
    budget = _AIM
    chosen: list[_Line] = []
    told: set[str] = set()
    speaking: set[int] = set()
    details = [line.details() for line in lines]
    for best in most_telling([line.score() for line in lines], details, told):
        line = lines[best]
        cost = line.tokens + (0 if line.utterance in speaking else _SPEAKER)
        if cost <= budget:
            chosen.append(line)
            budget -= cost
            told |= details[best]
            speaking.add(line.utterance)
    return chosen


def _tells(said: str) -> bool:
    asks = said.endswith("?") and _DETAIL.search(said) is None and not is_standing(said)
    return not asks and not is_chatter(said)


def _everything(segment: Segment) -> list[_Line]:
    found: list[_Line] = []
    said_before: set[tuple[str | None, str]] = set()
    for position, utterance in enumerate(segment.utterances):
        if is_person(utterance):
            said_on = utterance.occurred_at.date()
            for sentence in units(sentences(without_echo(utterance.content))):
                for part in _parts(sentence):
                    if has_words(part) and (utterance.name, part) not in said_before:
                        said_before.add((utterance.name, part))
                        dated = with_dates(part, said_on)
                        found.append(_Line(position, len(found), part, dated, tokens(dated)))
    return found


def _parts(sentence: str) -> list[str]:
    return _CLAUSE.split(sentence) if tokens(sentence) > _LONG_SENTENCE else [sentence]


def _cut(text: str, most: int) -> str:
    pieces = list(_PIECE.finditer(text))
    return text if len(pieces) <= most else text[: pieces[most - 1].end()] + "…"


def _written_out(segment: Segment, lines: Sequence[_Line]) -> str:
    # Where only a user without a name speaks, nothing has to say so: the episode's source does.
    alone = not any(segment.utterances[line.utterance].name for line in lines)
    people = [utterance for utterance in (*segment.context, *segment.utterances) if is_person(utterance)]
    names = {utterance.name for utterance in people if utterance.name}
    parts: list[str] = []
    for speaker, run in groupby(lines, key=lambda line: segment.utterances[line.utterance].name):
        said = list(run)
        name = speaker or (None if alone else "user")
        to = _addressee(said, names - {speaker}) if name else None
        label = f"{name} (to {to})" if to else name
        pieces: list[str] = []
        for first, line in _first_of_utterance(said):
            question = _question_before(segment, line.utterance) if first else None
            if question is not None:
                parts += [f"{label}: {' '.join(pieces)}"] if pieces and label else pieces
                parts.append(f"{label or 'user'}, asked by {question}: {line.text}")
                pieces = []
            else:
                pieces.append(line.text)
        if pieces:
            parts.append(f"{label}: {' '.join(pieces)}" if label else " ".join(pieces))
    return " ".join(parts)


def _first_of_utterance(lines: Sequence[_Line]) -> Iterator[tuple[bool, _Line]]:
    last = -1
    for line in lines:
        yield line.utterance != last, line
        last = line.utterance


def _addressee(lines: Sequence[_Line], others: Set[str]) -> str | None:
    """The one other person, where these lines say "you" to them."""
    if len(others) != 1 or not any(_YOU.search(line.text) for line in lines):
        return None
    return next(iter(others))


def _question_before(segment: Segment, position: int) -> str | None:
    """Who asked the question that the utterance at `position` answers, and the question, when the answer is too short
    to stand alone."""
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
    if not asked or not asked[-1].endswith("?"):
        return None
    who = before.name or ("user" if before.role == "user" else "the assistant")
    question = _cut(asked[-1].replace('"', "'"), 40)
    return f'{who} "{question}"'
