"""A short extract of the assistant's replies in an exchange: sentences, list items, headings and lines of code.

With the extract, recall finds what the assistant answered. No fact, gate decision, topic or feeling is derived from
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memory_service.injection.detection import command_in
from memory_service.rules.summaries.summary import details_in, most_telling, tokens
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import has_words, is_chatter, is_person, sentences, without_echo
from memory_service.text.unicode_folding import words_of
from memory_service.types import Segment

MOST_TOKENS = 100
_LONGEST_READ = 4000
"""Characters of one reply that are read."""
_SHORTEST_CUT, _LONGEST_CUT = 14, 30
"""Tokens: a longer unit is shortened to its beginning, the more units the shorter, so that many fit."""
_LONGEST_LINE = 400
"""Characters kept of a unit that has no spaces."""

_WORD = compile_late(r"\w+")
_BULLET = compile_late(r"^\s*(?:[-*+•‣–]\s+|(?:\d{1,2}|[a-z])[.)]\s+)")
_HEADING = compile_late(r"^\s*#{1,6}\s+|^\s*\*\*[^*]{1,80}\*\*:?\s*$")
_FENCE = compile_late(r"^\s*(?:```|~~~)")
_RULE = compile_late(r"^[\s|:*_=-]*$")
_EMPHASIS = compile_late(r"\*\*|__|(?<!\w)`|`(?!\w)")
_IDENTIFIER = compile_late(r"\b(?:\w+_\w+|[a-z]+[A-Z]\w*|\w+\(\)|\w+\.\w+\(|--?[a-z][\w-]+)")
_NUMBER = compile_late(r"\d")
_POLITE = compile_late(
    r"(?i)^(?:(?:please )?(?:feel free|don['’]t hesitate|let me know|do let me know|just (?:ask|say|shout|let me know)|"
    r"i(?:['’]m| am) (?:here|glad|happy|sorry|always)|happy to|glad (?:to|i|you|it)|hope (?:this|that|it|you)|"
    r"(?:that|this|it)(?:['’]s| is| sounds) (?:(?:a|an|so|really|very|such a) )?(?:great|good|wonderful|fantastic|"
    r"awesome|amazing|excellent|perfect|lovely|smart|nice)|i hope|good luck|enjoy|have (?:fun|a)|you(?:['’]re|"
    r" are) (?:very |most )?welcome|my pleasure|no problem|thank(?:s| you)|sure|certainly|absolutely|of course|got it|"
    r"understood|noted|great|congrat\w*|sounds (?:good|great)|i(?:['’]ll| will) (?:remember|keep (?:that|this|"
    r"it) in mind|make a note|note that|be here)|would you like|do you want|shall i|should i|want me to|need (?:any|"
    r"more|help)|is there anything|anything else|if you (?:have|need|want|would like|['’]d like))\b)"
)
"""How a sentence begins that offers, thanks, wishes or acknowledges."""
_POLITE_TOKENS = 24
"""A longer sentence with such a beginning has other content as well."""
_STOPPED = """
a an the and or but so if of to in on at for with from by as is are was were be been am do does did have has had i you
he she it we they me him her us them my your his its our their this that these those there here not no yes will would
can could should may might just very really too also then than what which who when where how why all some any got get
go going let make made
"""
_STOP = frozenset(_STOPPED.split())
_ECHO_SHARE = 0.85
"""Of a unit's content words: with so many from the user's own message it repeats that message."""

Kind = Literal["item", "heading", "code", "text"]
_KIND_SCORE: dict[Kind, float] = {"item": 0.6, "heading": 0.5, "code": -0.3, "text": 0.0}
_QUESTION = -1.0
_FIRST = 0.3
"""The first unit that tells something says what the reply is about."""
_LEADS_IN = -0.5
"""A sentence with a colon at its end introduces the next one."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """One sentence, list item, heading or line of code."""

    kind: Kind
    text: str
    line: int


def reply_extract(segment: Segment) -> str | None:
    """Return the most telling parts of unnamed assistants' replies in the segment, in order, at most about 100
    tokens.

    None where there is no reply, where a reply is politeness or the user's own words, and for a reply that commands
    the agent.
    """
    said = frozenset(content_words("\n".join(u.content for u in segment.utterances if is_person(u))))
    units: list[_Unit] = []
    for utterance in segment.utterances:
        if utterance.role == "assistant" and not is_person(utterance):
            text = without_echo(utterance.content)[:_LONGEST_READ]
            mine = list(_units(text, units[-1].line + 1 if units else 0))
            # As one line without emphasis, which command_in would read in several ways: a quarter of the time.
            if mine and command_in(" ".join(unit.text for unit in mine)) is None:
                units += mine
    telling = [unit for unit in units if _tells(unit.text, said)]
    if not telling:
        return None
    extract = _written(units if _size(units) <= MOST_TOKENS else _within_budget(telling))
    # Parts of one reply or of several may read as a command side by side.
    return extract if command_in(extract) is None else None


def passage(reply: str, words: frozenset[str], most: int) -> str:
    """The part of an extract of at most about `most` characters that has the most of `words` (content_words of the
    query), the first of equals; "…" marks where it was cut."""
    if len(reply) <= most:
        return reply
    spoken = _WORD.finditer(reply) if words else ()
    hits = [found.start() for found in spoken if _stem(found[0].lower()) in words]
    start = max(hits, key=lambda at: (sum(at <= hit < at + most for hit in hits), -at), default=0)
    if start <= most // 4:
        start = 0
    elif start + most > len(reply):
        start = reply.find(" ", len(reply) - most) + 1
    end = len(reply) if start + most >= len(reply) else max(reply.rfind(" ", start, start + most), start + 1)
    return f"{'…' if start else ''}{reply[start:end].rstrip()}{'…' if end < len(reply) else ''}"


def _units(text: str, line: int) -> Iterator[_Unit]:
    code = False
    for number, raw in enumerate(text.splitlines(), line):
        if _FENCE.match(raw):
            code = not code
            continue
        if _RULE.match(raw):
            continue
        shown = " ".join(raw.split() if code else _EMPHASIS.sub("", raw).split())
        if not _says(shown):
            continue
        if code:
            yield _Unit("code", shown, number)
        elif _HEADING.match(raw):
            yield _Unit("heading", shown.lstrip("# "), number)
        elif _BULLET.match(raw) or raw.count("|") > 1:
            yield _Unit("item", shown, number)
        else:
            for sentence in sentences(shown):
                if _says(sentence):
                    yield _Unit("text", sentence, number)


def _says(text: str) -> bool:
    """Whether a unit has words or numbers ("30 6 * * 1-5")."""
    return has_words(text) or _NUMBER.search(text) is not None


def _tells(text: str, said: frozenset[str]) -> bool:
    """Whether a unit is neither politeness nor a repetition of what the user said."""
    if is_chatter(text) or (
        _POLITE.match(text) and tokens(text) <= _POLITE_TOKENS and not _NUMBER.search(text)
    ):
        return False
    own = content_words(text)
    return bool(own) and sum(word in said for word in own) < _ECHO_SHARE * len(own)


def content_words(text: str) -> list[str]:
    """The words that carry meaning, without the commonest endings."""
    return [_stem(word) for word in words_of(text.lower())[0] if word not in _STOP]


@lru_cache(8_192)
def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


def _size(units: Sequence[_Unit]) -> int:
    return sum(tokens(unit.text) for unit in units)


def _within_budget(units: Sequence[_Unit]) -> list[_Unit]:
    """The units that tell most within the budget, each cut to its beginning where it is long."""
    cut = min(max(MOST_TOKENS // len(units), _SHORTEST_CUT), _LONGEST_CUT)
    short = [_Unit(unit.kind, _beginning(unit.text, cut), unit.line) for unit in units]
    details = [details_in(unit.text) | frozenset(_IDENTIFIER.findall(unit.text)) for unit in short]
    scores = [
        _KIND_SCORE[unit.kind]
        + (_FIRST if place == 0 else 0.0)
        + (_QUESTION if unit.text.endswith("?") else 0.0)
        + (_LEADS_IN if unit.kind == "text" and unit.text.endswith(":") else 0.0)
        for place, unit in enumerate(short)
    ]
    budget = MOST_TOKENS
    told: set[str] = set()
    chosen: list[int] = []
    for place in most_telling(scores, details, told):
        cost = tokens(short[place].text)
        if cost <= budget:
            chosen.append(place)
            budget -= cost
            told |= details[place]
    return [short[place] for place in sorted(chosen)]


def _beginning(text: str, most: int) -> str:
    """The text, or as many of its first words as fit."""
    if tokens(text) <= most:
        return text[:_LONGEST_LINE]
    words = text.split(" ")
    kept: list[str] = []
    count = 0
    for word in words:
        count += tokens(word)
        if count >= most:
            break
        kept.append(word)
    return (" ".join(kept) or text)[:_LONGEST_LINE] + "…"


def _written(units: Sequence[_Unit]) -> str:
    """Join sentences of one line by spaces, other units by line breaks."""
    text = ""
    for before, unit in zip([None, *units], units, strict=False):
        text += ("" if before is None else " " if before.line == unit.line else "\n") + unit.text
    return text
