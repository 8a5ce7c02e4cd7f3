"""What people say, taken apart: sentences, who is a person, small talk, and the service's own words coming back."""

from __future__ import annotations

import re

from memory_service.rules.small_talk import has_no_words, is_small_talk
from memory_service.types import Segment, Utterance

ECHO_MARK = "[memory context]"
"""How every context text begins that the service hands out: when it comes back in a message, it is no news.
"""

ECHO_END = "[end of memory context]"
"""The line after the last remembered thing in a context text."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|\n+")
_MARKER_ONLY = re.compile(r"\[redacted:[a-z_0-9]+\]")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each trimmed, none empty."""
    return [part for part in (piece.strip() for piece in _SENTENCE_END.split(text)) if part]


def without_echo(text: str) -> str:
    """Return the text without what this service itself had put into the conversation as context.

    A block ends at ECHO_END; without it at the first empty line; without that at the end of the text.
    """
    while (start := text.find(ECHO_MARK)) >= 0:
        end = text.find(ECHO_END, start)
        if end >= 0:
            end += len(ECHO_END)
        else:
            gap = text.find("\n\n", start)
            end = gap if gap >= 0 else len(text)
        text = text[:start].rstrip("> \t\"'`*#") + text[end:]
    return text.strip()


def has_words(text: str) -> bool:
    """Whether anything is left to remember besides punctuation, emoji and what was redacted."""
    return not has_no_words(_MARKER_ONLY.sub("", text))


def is_chatter(text: str) -> bool:
    """Whether the text is nothing but small talk, or no words at all."""
    return not has_words(text) or is_small_talk(text)


def is_person(utterance: Utterance) -> bool:
    """Whether a person speaks: the user, or an assistant with a name (DESIGN §1)."""
    return utterance.role == "user" or (utterance.role == "assistant" and bool(utterance.name))


def words_of_people(segment: Segment) -> tuple[Utterance, ...]:
    """Return the utterances that may be remembered: those of people."""
    return tuple(utterance for utterance in segment.utterances if is_person(utterance))
