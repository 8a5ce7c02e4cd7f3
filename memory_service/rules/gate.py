"""The rules that decide, without a model, what is clearly worth remembering and what is not (S2 "Memory
Write Gate").

Only the words of people count: a message with the role `user`, or an assistant's message that carries a
name. What an unnamed assistant said is context. Order: commands, harm, requests, emptiness; a command is
never outweighed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memory_service.rules.commands import command_in
from memory_service.rules.harm import harm_in
from memory_service.rules.requests import asks_to_remember
from memory_service.rules.speech import (
    has_echo,
    has_words,
    is_chatter,
    is_person,
    sentences,
    without_echo,
    words_of_people,
)
from memory_service.types import Segment, Verdict

ECHO = "an echo of remembered context"
"""Why a text is refused that is nothing but what this service had said."""

Decision = Literal["keep", "refuse", "quarantine", "undecided"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of one segment; `undecided` leaves it to the extractor."""

    decision: Decision
    verdicts: tuple[Verdict, ...]


def judge(segment: Segment) -> Ruling:
    """Decide the clear cases of one segment; every gate that has something to say gives a verdict with its
    rule."""
    for utterance in segment.utterances:
        read = is_person(utterance) or utterance.role == "tool"
        found = command_among([utterance.name or "", without_echo(utterance.content) if read else ""])
        if found is not None:
            return Ruling("quarantine", (found,))

    people = [without_echo(utterance.content) for utterance in words_of_people(segment)]
    if not any(has_words(text) for text in people):
        return refused(_why_empty(segment, people))
    said = [sentence for text in people for sentence in sentences(text)]
    for sentence in said:
        reason = harm_in(sentence)
        if reason is not None:
            return Ruling("refuse", (Verdict("harm_check", False, reason),))
    harmless = Verdict("harm_check", True, "nothing harmful found")
    if any(asks_to_remember(sentence) for sentence in said):
        return Ruling("keep", (Verdict("explicit_request", True, "asks to remember"), harmless))
    if all(is_chatter(text) for text in people):
        return refused("small talk only")
    return Ruling("undecided", (Verdict("explicit_request", False, "no request to remember"), harmless))


def command_among(texts: Iterable[str]) -> Verdict | None:
    """The verdict on the first of the texts that commands the agent, or None."""
    for text in texts:
        reason = command_in(text) if text else None
        if reason is not None:
            return Verdict("harm_check", False, f"command to the agent: {reason}")
    return None


def _why_empty(segment: Segment, people: list[str]) -> str:
    if not people:
        return "no words of a person"
    if any(has_echo(utterance.content) for utterance in segment.utterances):
        return ECHO
    return "no words"


def refused(reason: str) -> Ruling:
    """A refusal of what holds nothing to remember."""
    return Ruling(
        "refuse",
        (Verdict("stable_fact", False, reason), Verdict("harm_check", True, "nothing harmful found")),
    )
