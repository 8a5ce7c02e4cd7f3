"""The form of the extraction model's answer, and what becomes of one. Nothing in it is believed unchecked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from memory_service.models.structured import Form, UnusableAnswerError, in_order, parsed
from memory_service.rules.gate import HIGH_EMOTION
from memory_service.types import (
    EMOTIONS,
    CandidateFact,
    Extraction,
    ImportanceFeatures,
    Verdict,
)

_MOST_EMOTIONS = 3
_MOST_LABELS = 16
_MOST_FACTS = 32
_LONGEST_LABEL = 100
_LONGEST_TEXT = 4_000
"""Characters of one summary, lesson or fact; what is longer is cut."""

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class GateAnswers(Form):
    explicit_request: bool
    relational_damage: bool
    identity_defining: bool
    stable_fact: bool
    decision_made: bool


class FeatureAnswers(Form):
    emotion: Share
    personal: Share
    decision: Share
    asked: Share
    conflict: Share


class FactAnswer(Form):
    text: str
    subject: str | None
    attribute: str | None
    value: str | None
    stated: bool
    holds: bool = True


class SegmentAnswer(Form):
    segment: int
    gates: GateAnswers
    harm: Literal["none", "command", "secret", "bias", "danger"]
    summary: str = Field(max_length=4000)
    valence: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
    emotions: list[str]
    topics: list[str]
    entities: list[str]
    features: FeatureAnswers
    weight: Share
    lesson: str | None
    facts: list[FactAnswer]


class ExtractionAnswer(Form):
    """One entry per segment of the request, in any order: each carries the segment's number."""

    segments: list[SegmentAnswer]


def read_answer(text: str, segments: int, model: str) -> tuple[Extraction, ...]:
    """Check an answer and bring it into the order of the request.

    Errors: UnusableAnswerError when it is no JSON of this form, a number is out of its range, a summary is
    empty, or a segment is missing, doubled or unknown.
    """
    answer = parsed(ExtractionAnswer, text)
    entries = in_order(answer.segments, "segments", lambda entry: entry.segment, segments)
    return tuple(_extraction(entry, model) for entry in entries)


def _extraction(answer: SegmentAnswer, model: str) -> Extraction:
    verdicts = _verdicts(answer)
    *positive, harm_check = verdicts
    summary = clean(answer.summary)
    if not summary:
        raise UnusableAnswerError(f"segments.{answer.segment}.summary: empty")
    return Extraction(
        keep=harm_check.passed and any(verdict.passed for verdict in positive),
        verdicts=verdicts,
        summary=summary,
        valence=answer.valence,
        emotions=_emotions(answer.emotions),
        topics=_labels([topic.lower() for topic in answer.topics]),
        entities=_labels(answer.entities),
        features=ImportanceFeatures(**answer.features.model_dump()),
        weight=answer.weight,
        lesson=clean(answer.lesson),
        facts=_facts(answer.facts),
        extracted_by=model,
    )


def _verdicts(answer: SegmentAnswer) -> tuple[Verdict, ...]:
    """All seven, harm_check last. Reasons are ours: a model's own words could hold what was said."""
    gates, judged = answer.gates, "judged by the model"
    return (
        Verdict("explicit_request", gates.explicit_request, judged),
        Verdict("relational_damage", gates.relational_damage, judged),
        Verdict("identity_defining", gates.identity_defining, judged),
        Verdict("stable_fact", gates.stable_fact, judged),
        Verdict("high_emotion", abs(answer.valence) > HIGH_EMOTION, "valence"),
        Verdict("decision_made", gates.decision_made, judged),
        Verdict("harm_check", answer.harm == "none", answer.harm),
    )


def _emotions(labels: Sequence[str]) -> tuple[str, ...]:
    known = [label for label in _labels([label.lower() for label in labels]) if label in EMOTIONS]
    return tuple(known[:_MOST_EMOTIONS])


def _labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Unique and not empty, in their order."""
    cleaned = (clean(label) for label in labels)
    return tuple(dict.fromkeys(label[:_LONGEST_LABEL] for label in cleaned if label))[:_MOST_LABELS]


def _facts(answers: Sequence[FactAnswer]) -> tuple[CandidateFact, ...]:
    found = (fact_of(answer) for answer in answers)
    return tuple([fact for fact in found if fact is not None][:_MOST_FACTS])


def fact_of(answer: FactAnswer) -> CandidateFact | None:
    """None where it says nothing."""
    text = clean(answer.text)
    if text is None:
        return None
    subject, attribute, value = map(clean, (answer.subject, answer.attribute, answer.value))
    return CandidateFact(text, subject, attribute, value, answer.stated, answer.holds)


def clean(text: str | None, longest: int = _LONGEST_TEXT) -> str | None:
    """One line without control characters, which Postgres (NUL) or a later prompt could not take."""
    cleaned = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text or "").split())[:longest]
    return cleaned if any(character.isalnum() for character in cleaned) else None
