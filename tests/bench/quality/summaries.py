"""Summaries by rules on LoCoMo: their length, the share of the source that they keep, and added words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import quantiles
from typing import cast
from uuid import UUID

from memory_service.models.token_counter import token_counter
from memory_service.rules.gate.sentence_features import read_features
from memory_service.rules.summaries.summary import summarize
from memory_service.text.sentences import sentences
from memory_service.transfer.transcripts import read_transcript
from memory_service.types import Role, Segment, Utterance
from tests.bench.quality.data import conversations, out, table

BUDGET = 150
"""Most tokens of a summary, counted with the tokenizer of the built-in embedding model."""
_WORD = re.compile(r"\w+(?:[.,:/'’]\w+)*")
_MID_CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-zß-ÿ]+")
_DATE_WORDS = (  # noqa: SIM905
    "january february march april june july august september october november december monday tuesday "
    "wednesday thursday friday saturday sunday yesterday today tonight tomorrow"
).split()  # fmt: skip
_NUMBER = re.compile(
    r"\b\d+(?:[.,:/]\d+)*[a-z]*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred)\b",
    re.I,
)
_DATE = re.compile(
    rf"\b(?:{'|'.join(_DATE_WORDS)}|(?:last|next) (?:week|weekend|month|year)|"
    r"\w+ (?:days?|weeks?|months?|years?) ago)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"\[(?:(?:week|weekend) of |spring |summer |fall |autumn )?(?:\d{1,2} )?(?:[A-Z][a-z]+ )?\d{4}\]"
)
_NO_NAMES = frozenset("I I'm It Here God Wow Yeah Hey Thanks The This That What We You He She They".split())  # noqa: SIM905
_ALLOWED = frozenset(("asked", "user", "to"))
"""Words of the frame, not of the source."""


@dataclass
class Kept:
    """Counts over many summaries."""

    tokens: list[int] = field(default_factory=list[int])
    source: list[int] = field(default_factory=list[int])
    wanted: Counter[str] = field(default_factory=Counter[str])
    held: Counter[str] = field(default_factory=Counter[str])
    lost: list[str] = field(default_factory=list[str])
    words: int = 0
    invented: list[str] = field(default_factory=list[str])
    summaries_inventing: int = 0


def measure(folder: Path, examples: bool) -> None:
    files = conversations(folder)
    if not files:
        return
    exchanges = [segment for file in files for segment in _segments(file, 2)]
    snippets = [segment for file in files for segment in _segments(file, 6)]
    counts = token_counter("wordpiece")
    groups: dict[str, list[Segment]] = {
        "exchanges that fit": [s for s in exchanges if counts(_source(s)) <= BUDGET],
        "exchanges that do not": [s for s in exchanges if counts(_source(s)) > BUDGET],
        "snippets of 6": [s for s in snippets if counts(_source(s)) > BUDGET],
    }
    lengths = table(
        "Summaries, LoCoMo, tokens (target 100-150, shorter when the source is)",
        *("source", "n", "source p50", "p10", "p50", "p90", "max", "in 100-150", "over 150"),
    )
    kept = table(
        "Summaries, LoCoMo, kept in percent",
        *("source", "names", "numbers", "dates", "decisions", "negations", "words not in the source"),
    )
    for name, segments in groups.items():
        if not segments:
            continue
        found = _measured(segments)
        tenths = quantiles(found.tokens, n=10) if len(found.tokens) > 1 else found.tokens * 9
        within = sum(100 <= n <= BUDGET for n in found.tokens) / len(found.tokens)
        over = sum(n > BUDGET for n in found.tokens) / len(found.tokens)
        lengths.add_row(
            name,
            str(len(segments)),
            f"{quantiles(found.source, n=2)[0]:.0f}",
            *(f"{tenths[place]:.0f}" for place in (0, 4, 8)),
            str(max(found.tokens)),
            f"{100 * within:.0f} %",
            f"{100 * over:.1f} %",
        )
        kept.add_row(
            name,
            *(f"{_share(found, kind)}" for kind in ("name", "number", "date", "decision", "negation")),
            f"{len(found.invented)} of {found.words} words, {found.summaries_inventing} summaries",
        )
        if examples:
            for text in [*found.invented[:5], *found.lost[:: max(1, len(found.lost) // 5)][:5]]:
                out.print(f"  {name}: {text}", markup=False)
    out.print(lengths)
    out.print(kept)


def _share(found: Kept, kind: str) -> str:
    wanted = found.wanted[kind]
    return f"{100 * found.held[kind] / wanted:.1f} of {wanted}" if wanted else "-"


def _segments(file: Path, size: int) -> Iterator[Segment]:
    for _, turns in groupby(read_transcript(file), key=lambda turn: turn.conversation_id):
        said = [
            Utterance(
                UUID(int=n), cast("Role", turn.message.role), turn.message.content, turn.message.name, at
            )
            for n, turn in enumerate(turns, 1)
            if (at := turn.message.occurred_at) is not None
        ]
        for start in range(0, len(said) - size + 1, size):
            yield Segment(UUID(int=0), tuple(said[start : start + size]))


def _source(segment: Segment) -> str:
    return "\n".join(utterance.content for utterance in segment.utterances)


def _measured(segments: Sequence[Segment]) -> Kept:
    count = token_counter("wordpiece")
    kept = Kept()
    for segment in segments:
        source, summary = _source(segment), summarize(segment)
        kept.tokens.append(count(summary))
        kept.source.append(count(source))
        words = _words(summary)
        speakers = {u.name.lower() for u in segment.utterances if u.name}
        for kind, item in _items(source):
            if kind == "name" and any(one.startswith(item.lower()) for one in speakers):
                continue  # a speaker, by name or short: every line says whose it is
            held = (_words(item) & words) == _words(item) if kind != "decision" else _mostly(item, words)
            kept.wanted[kind] += 1
            kept.held[kind] += held
            if not held:
                kept.lost.append(f"lost {kind} {item!r}: {summary}")
        known = _words(source) | _ALLOWED | {part for name in speakers for part in _words(name)}
        written = _words(_BRACKETED.sub(" ", summary))
        made_up = sorted(word for word in written if word not in known)
        kept.words += len(written)
        kept.invented += [f"made up {word!r}: {summary}" for word in made_up]
        kept.summaries_inventing += bool(made_up)
    return kept


def _words(text: str) -> set[str]:
    return {word.lower().replace("’", "'").removesuffix("'s") for word in _WORD.findall(text)}


def _items(source: str) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(_MID_CAPITAL.findall(source)):
        if name not in _NO_NAMES and name.lower() not in _DATE_WORDS:
            yield "name", name
    for number in dict.fromkeys(match[0].lower() for match in _NUMBER.finditer(source)):
        yield "number", number
    for date in dict.fromkeys(match[0].lower() for match in _DATE.finditer(source)):
        yield "date", date
    for sentence in sentences(source):
        if read_features(sentence).decision >= 0.7:
            yield "decision", sentence
        for match in re.finditer(r"(?i)\b(?:(?:never|not|cannot)|\w+n[’']t) \w+ \w+", sentence):
            if not sentence.endswith("?"):
                yield "negation", match[0]


def _mostly(sentence: str, words: set[str]) -> bool:
    wanted = _words(sentence)
    return len(wanted & words) >= 0.8 * len(wanted)
