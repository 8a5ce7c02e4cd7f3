"""Sentences, utterances of people, small talk, and echoes of contexts that this service returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_service.text.late_pattern import compile_late
from memory_service.text.small_talk import has_no_words, is_small_talk
from memory_service.text.text_cache import text_cache
from memory_service.text.unicode_folding import folded, folded_with_places
from memory_service.types import Segment, Utterance

ECHO_MARK = "[memory context]"
"""The first line of each context text: a message that holds it repeats remembered content."""

ECHO_END = "[end of memory context]"
"""The last line of each context text."""

_OPEN = r"(?:\[|【|〔|⟦|&(?:amp;){0,3}(?:#0{0,5}91|#x0{0,5}5b|lbrack|lsqb);)"
_CLOSE = r"(?:\]|】|〕|⟧|&(?:amp;){0,3}(?:#0{0,5}93|#x0{0,5}5d|rbrack|rsqb);)"
_MARK = compile_late(rf"{_OPEN}\s*(?P<closes>end\s+of\s+)?memory\s*context\s*{_CLOSE}")
"""Either mark in `folded` text."""
_EMPTY_LINE = compile_late(r"\r?\n[ \t]*\r?\n")
_MOST_NESTED = 8

_TITLE_WORDS = ("Dr", "Mr", "Mrs", "Ms", "Prof", "St", "Ste", "Mt")
_TITLES = "".join(rf"(?<!\b{title}\.)" for title in _TITLE_WORDS)
_BEFORE_INITIAL = ("with", "from", "by", "as", "signed", "for", "of", "and", "is", "to", "named", "called")
_INITIALS = "".join(
    [rf"(?<!\b{title}\. [A-Z]\.)" for title in _TITLE_WORDS]
    + [rf"(?<!\b{word} [B-HJ-Z]\.)" for word in _BEFORE_INITIAL]
    + [rf"(?<!{mark}[B-HJ-Z]\.)" for mark in (r"[\"“'‘(]", r"\. ")]
)
"""No end of a sentence after an initial, as in "signed by R. Whitcombe", unless one of these words follows."""
_BEGINS = (
    r"(?:I|I'm|I've|My|We|Our|The|This|That|These|Those|She|He|It|It's|They|You|Your|And|But|So|Then|Also|Please|No|"
    r"Yes|Not|What|When|Where|Who|Why|How|Is|Are|Do|Does|Did|Can|Could|If|In|On|At|After|Before|There|Here|Now|"
    r"Today|Tomorrow|Thanks|Ok|Okay)\b"
)
_SENTENCE_END = compile_late(
    rf"(?<=[.!?…]){_TITLES}(?:{_INITIALS}|(?=\s+(?:{_BEGINS}|[^A-Z])))[\"'”’)]*\s+|\n+|(?<=\bSt\.)\s+(?=(?:I|I'm|My|We|Our|The|She|He|"
    rf"It|They|You)\b)|(?<=[:,;.]) (?=\d\) )"
)
_MAY_SMILE = compile_late(r"[:;=][-')(DPp/]|[xX]D|[^\x00-\u25ff]|<3")
_EMOJI = r"[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]"
_SMILE_END = compile_late(
    r"(?:(?<=\s[:;=][)(DPp/])|(?<=\s[xX]D)|(?<=\s[:;]-[)(DPp/])|(?<=\s:'\())\s+(?=\w)|"
    rf"(?:(?<={_EMOJI})|(?<=\s<3))(?<!\b[IiUu] {_EMOJI})(?<!\b[IiUu] .\ufe0f)(?<!\b[IiUu] <3)(?<!\bwe {_EMOJI})\s+"
    r"(?=(?i:i|im|ive|i['’]m|i['’]ve|my|we|our|he|she|they|it['’]s|got|just|also|now|can you|could you|please|what|how)"
    r"(?![\w'’]))"
)
"""An emoticon ends a sentence; an emoji, which may stand for a word, where the next one begins: "my flat 🏠 is ..."."""
_SMILES = rf"(?:\s|[:;=][-']{{0,2}}[)(DPp/]|[xX]D|<3|{_EMOJI})++$"
_GOES_ON = compile_late(
    r"(?i)\b(?:says?|said|saying|writes?|wrote|writing|text(?:s|ed)?|texted me|messaged|replied|replies|posted|tweeted|"
    r"joked|jokes|claims?|claimed|told (?:me|us|him|her|them|everyone)|tells (?:me|us|everyone)|(?:was|were|is|are|be) "
    r"like|asks?|asked|thinks?|thought|believes?|wish(?:e[sd])?|hopes?|hoped|hoping|imagine|pretend|suppose|if|unless|"
    rf"whether|that|because|when|until),?(?-i:{_SMILES})"
)
"""Before an emoticon, a word whose clause goes on behind it: "she said :) I live in Leeds"."""
_LONGEST_BEFORE = 80
_MARKER_ONLY = compile_late(r"\[redacted:[a-z_0-9]+\]")


@text_cache(256)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, each trimmed, none empty."""
    pieces = _SENTENCE_END.split(text)
    if _MAY_SMILE.search(text):
        pieces = [part for piece in pieces for part in _without_smiles(piece)]
    return tuple([part for piece in pieces if (part := piece.strip())])


def _without_smiles(piece: str) -> Iterator[str]:
    start = 0
    for match in _SMILE_END.finditer(piece):
        if not _GOES_ON.search(piece, max(start, match.start() - _LONGEST_BEFORE), match.start()):
            yield piece[start : match.start()]
            start = match.end()
    yield piece[start:]


@dataclass(frozen=True, slots=True)
class EchoMark:
    """The position of a mark in a text, and whether it closes a context."""

    start: int
    end: int
    closes: bool


def echo_marks(text: str) -> list[EchoMark]:
    """Return the marks in a text, in order, in any case, width, look-alike letters or escapes."""
    if text.isascii():
        if "memory" not in text and "memory" not in text.lower():
            return []
        found = _MARK.finditer(text.lower())
        return [EchoMark(match.start(), match.end(), match["closes"] is not None) for match in found]
    if not _MARK.search(folded(text)):
        return []
    plain, places = folded_with_places(text)
    return [
        EchoMark(places[match.start()], places[match.end() - 1] + 1, match["closes"] is not None)
        for match in _MARK.finditer(plain)
    ]


def has_echo(text: str) -> bool:
    """Whether the text has a mark."""
    return bool(echo_marks(text))


@text_cache(256)
def without_echo(text: str) -> str:
    """Return the text without contexts of this service.

    A context ends at ECHO_END; without it at the first empty line; without that at the end of the text. Where only
    the end mark is there, everything before it belongs to the context.
    """
    for _ in range(_MOST_NESTED):
        marks = echo_marks(text)
        if not marks:
            return text.strip()
        text = _without_blocks(text, marks)  # the rest may join into a mark again
    marks = echo_marks(text)
    return (text[: marks[0].start] if marks else text).strip()


def _without_blocks(text: str, marks: Sequence[EchoMark]) -> str:
    ends = iter([mark.end for mark in marks if mark.closes])
    end = next(ends, None)
    kept: list[str] = []
    position = 0
    for mark in marks:
        if mark.start < position:
            continue
        if mark.closes:
            kept.clear()
            position = mark.end
            continue
        kept.append(text[position : mark.start].rstrip("> \t\"'`*#"))
        while end is not None and end <= mark.start:
            end = next(ends, None)
        if end is None:
            gap = _EMPTY_LINE.search(text, mark.end)
            position = gap.start() if gap is not None else len(text)
        else:
            position = end
    return "".join([*kept, text[position:]])


def has_words(text: str) -> bool:
    """Whether the text has words, apart from punctuation, emoji and redaction markers."""
    return not has_no_words(_MARKER_ONLY.sub("", text) if "[redacted:" in text else text)


@text_cache(512)
def is_chatter(text: str) -> bool:
    """Whether the text is nothing but small talk, or no words at all."""
    return not has_words(text) or is_small_talk(text)


def is_person(utterance: Utterance) -> bool:
    """Whether a person speaks: the user, or an assistant with a name that is not the agent."""
    if utterance.role == "user":
        return True
    return utterance.role == "assistant" and bool(utterance.name) and not utterance.by_agent


def is_between_persons(segment: Segment) -> bool:
    """Whether only users speak in a segment and its context, two or more: "you" is then one of them, no assistant."""
    said = (*segment.context, *segment.utterances)
    return all(one.role == "user" for one in said) and len({(one.name or "").lower() for one in said}) > 1


def words_of_people(segment: Segment) -> tuple[Utterance, ...]:
    """Return the utterances that may be remembered: those of people."""
    return tuple(utterance for utterance in segment.utterances if is_person(utterance))
