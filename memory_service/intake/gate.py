"""The rules that decide, without a model, what is clearly worth remembering and what is not (S2 "Memory
Write Gate").

Only the words of people count: a message with the role `user`, or an assistant's message that carries a
name. What an unnamed assistant said is context. Order: commands, harm, requests, emptiness; a command is
never outweighed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memory_service.intake.commands import command_in
from memory_service.intake.harm import harm_in
from memory_service.intake.requests import asks_to_remember
from memory_service.intake.small_talk import has_no_words, is_small_talk
from memory_service.types import Segment, Utterance, Verdict

ECHO_MARK = "[memory context]"
"""How every context text begins that the service hands out: when it comes back in a message, it is no news.
"""

ECHO_END = "[end of memory context]"
"""The line after the last remembered thing in a context text."""

Decision = Literal["keep", "refuse", "quarantine", "undecided"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of one segment; `undecided` leaves it to the extractor."""

    decision: Decision
    verdicts: tuple[Verdict, ...]


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


def judge(segment: Segment) -> Ruling:
    """Decide the clear cases of one segment; every gate that has something to say gives a verdict with its
    rule."""
    for utterance in segment.utterances:
        if is_person(utterance) or utterance.role == "tool":
            reason = command_in(without_echo(utterance.content))
            if reason is not None:
                return Ruling(
                    "quarantine", (Verdict("harm_check", False, f"command to the agent: {reason}"),)
                )

    people = [without_echo(utterance.content) for utterance in words_of_people(segment)]
    if not any(has_words(text) for text in people):
        return _refused(_why_empty(segment, people))
    said = [sentence for text in people for sentence in sentences(text)]
    for sentence in said:
        reason = harm_in(sentence)
        if reason is not None:
            return Ruling("refuse", (Verdict("harm_check", False, reason),))
    harmless = Verdict("harm_check", True, "nothing harmful found")
    if any(asks_to_remember(sentence) for sentence in said):
        return Ruling("keep", (Verdict("explicit_request", True, "asks to remember"), harmless))
    if all(is_chatter(text) for text in people):
        return _refused("small talk only")
    return Ruling("undecided", (Verdict("explicit_request", False, "no request to remember"), harmless))


def _why_empty(segment: Segment, people: list[str]) -> str:
    if not people:
        return "no words of a person"
    if any(ECHO_MARK in utterance.content for utterance in segment.utterances):
        return "an echo of remembered context"
    return "no words"


def _refused(reason: str) -> Ruling:
    return Ruling(
        "refuse",
        (Verdict("stable_fact", False, reason), Verdict("harm_check", True, "nothing harmful found")),
    )
