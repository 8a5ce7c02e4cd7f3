"""Norms in the extraction model's answer: each must quote the person's own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

import structlog
from pydantic import Field

from memory_service.injection.detection import command_in
from memory_service.models.structured import Form
from memory_service.rules.facts.user_text import own_words
from memory_service.rules.norms.norms import SENSITIVE, sensitivity
from memory_service.rules.norms.slots import slot_of
from memory_service.rules.summaries.faithfulness import Source, unsupported
from memory_service.text.sentences import without_echo
from memory_service.types import CandidateNorm, Segment

MOST_NORMS = 16
LONGEST_NORM, LONGEST_SITUATION = 500, 200
SHORTEST_QUOTE = 8
"""Characters of a quote: a shorter one occurs by chance."""
STATED_STYLE = "stated"
"""Slot of a style that is stated, beside those that are observed."""

log = structlog.get_logger()


class NormAnswer(Form):
    kind: Literal["instruction", "preference", "sensitivity", "style"]
    text: str
    quote: str
    situation: str | None = None
    level: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None


def norms_said(answers: Sequence[NormAnswer], segment: Segment, model: str) -> tuple[CandidateNorm, ...]:
    """The norms whose quotes occur in messages of the user, each slot of a speaker once, the last one holding.

    Dropped are those that are empty or too long, that command the agent against its instructions, and whose names and
    numbers the user did not say.
    """
    users = [utterance for utterance in segment.utterances if utterance.role == "user"]
    texts = [own_words(without_echo(utterance.content)) for utterance in users]
    subject = next((utterance.name for utterance in users if utterance.name), "user")
    source = Source(
        [(text, utterance.occurred_at.date()) for text, utterance in zip(texts, users, strict=True)],
        frozenset({subject}),
        [],
    )
    said = [plain(text) for text in texts]
    found: dict[tuple[str | None, str, str], CandidateNorm] = {}
    dropped = 0
    for answer in answers:
        norm = norm_of(answer, said, source, subject)
        if norm is None:
            dropped += 1
            continue
        quote = plain(answer.quote)
        name = next((user.name for user, text in zip(users, said, strict=True) if quote in text), None)
        speaker = name if norm.kind != "communication_style" else None
        found.pop((speaker, norm.kind, norm.slot), None)
        found[speaker, norm.kind, norm.slot] = replace(norm, speaker=speaker)
    if dropped:
        log.info("dropped extracted norms without support in the segment", model=model, norms=dropped)
    return tuple(found.values())[:MOST_NORMS]


def norm_of(answer: NormAnswer, said: Sequence[str], source: Source, subject: str) -> CandidateNorm | None:
    """A candidate norm; None where it is dropped. `said`: the user's messages as `plain` has them."""
    text, quote = one_line(answer.text), plain(answer.quote)
    situation = one_line(answer.situation or "")
    if (
        not any(character.isalnum() for character in text)
        or len(text) > LONGEST_NORM
        or len(situation) > LONGEST_SITUATION
        or len(quote) < SHORTEST_QUOTE
        or not any(quote in message for message in said)
        or any(command_in(part) is not None for part in (text, answer.quote, situation))
        or unsupported(f"{text} {situation}".strip(), source)
    ):
        return None
    if answer.kind == "style":
        return CandidateNorm("communication_style", text, situation, STATED_STYLE, None)
    if answer.kind == "sensitivity":
        level = SENSITIVE if answer.level is None else answer.level
        return sensitivity(subject, text, level, situation)
    slot = slot_of(text, situation)
    return CandidateNorm(answer.kind, text, situation, slot.name, slot.value)


def one_line(text: str) -> str:
    """The text as one line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def plain(text: str) -> str:
    """The text in one form of spaces, quotation marks and case, to compare a quote with its message."""
    return one_line(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()
