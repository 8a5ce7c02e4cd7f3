"""Schema and validation of the extraction model's answer. Every text in it is checked against its segment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

import structlog
from pydantic import Field

from memory_service.models.norm_answer import NormAnswer, norms_said
from memory_service.models.structured import (
    Form,
    UnfaithfulAnswerError,
    UnusableAnswerError,
    in_order,
    parse,
)
from memory_service.rules.extractor import extract
from memory_service.rules.gate.gate import HIGH_EMOTION
from memory_service.rules.summaries.faithfulness import (
    Fault,
    Source,
    faults,
    names_something,
    supported,
    unsupported,
)
from memory_service.text.sentences import without_echo
from memory_service.types import (
    EMOTIONS,
    CandidateFact,
    Extraction,
    ImportanceFeatures,
    Segment,
    StatedProcedure,
    Verdict,
)

_MOST_EMOTIONS = 3
_MOST_LABELS = 16
_MOST_FACTS = 32
_MOST_PROCEDURES = 8
_LONGEST_PROCEDURE = 500
_LONGEST_LABEL = 100
_LONGEST_TEXT = 4_000
"""Most characters of a summary, lesson or fact; longer text is truncated."""

_LONGEST_ANSWER = 40_000
"""Schema limit of a summary in characters: a merely long summary is refused as unfaithful, not as invalid."""
_FEELING = 0.3
"""A valence beyond this contradicts emotions that all have the other sign."""
_PLEASANT = frozenset(
    ("admiration", "amusement", "approval", "caring", "excitement", "gratitude", "joy", "love", "optimism", "pride",
     "relief")
)  # fmt: skip
_UNPLEASANT = frozenset(
    ("anger", "annoyance", "disappointment", "disapproval", "disgust", "embarrassment", "fear", "grief", "nervousness",
     "remorse", "sadness")
)  # fmt: skip

log = structlog.get_logger()

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


class ProcedureAnswer(Form):
    kind: Literal["habit", "routine", "pattern", "skill"]
    text: str
    situation: str | None = None
    steps: list[str] = Field(default_factory=list[str])
    why: str | None = None


class SegmentAnswer(Form):
    segment: int
    gates: GateAnswers
    harm: Literal["none", "command", "secret", "bias", "danger"]
    summary: str = Field(max_length=_LONGEST_ANSWER)
    valence: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
    emotions: list[str]
    topics: list[str]
    entities: list[str]
    features: FeatureAnswers
    weight: Share
    lesson: str | None
    facts: list[FactAnswer]
    procedures: list[ProcedureAnswer] = Field(default_factory=list[ProcedureAnswer])
    norms: list[NormAnswer] = Field(default_factory=list[NormAnswer])


class ExtractionAnswer(Form):
    """One entry per segment of the request, in any order: each carries the segment's number."""

    segments: list[SegmentAnswer]


def read_answer(text: str, segments: Sequence[Segment], model: str) -> tuple[Extraction, ...]:
    """Validate an answer; its extractions in the order of the request.

    Facts, entities and a lesson without support in their segment are dropped.
    Errors: UnusableAnswerError when it does not match the schema, a summary is empty, or a segment is missing,
    duplicated or unknown; UnfaithfulAnswerError, with the rules' extraction in place of the model's, when a summary
    is not supported by its segment.
    """
    answer = parse(ExtractionAnswer, text)
    entries = in_order(answer.segments, "segments", lambda entry: entry.segment, len(segments))
    found: list[Extraction] = []
    problems: list[str] = []
    for entry, segment in zip(entries, segments, strict=True):
        summary = clean(entry.summary, _LONGEST_ANSWER)
        if not summary:
            raise UnusableAnswerError(f"segments.{entry.segment}.summary: empty")
        source = source_of(segment)
        wrong = faults(summary, source)
        if wrong:
            problems += [f"segments.{entry.segment}.summary: {fault.shown}" for fault in wrong]
            found.append(_by_rules(entry, segment, refused_words(model, wrong)))
        else:
            found.append(_extraction(entry, summary, segment, source, model))
    if problems:
        raise UnfaithfulAnswerError("; ".join(problems), found)
    return tuple(found)


def source_of(segment: Segment) -> Source:
    """The utterances and speakers against which the extraction of a segment is checked."""
    everybody = (*segment.utterances, *segment.context)
    return Source(
        [(without_echo(u.content), u.occurred_at.date()) for u in segment.utterances],
        frozenset(u.name for u in everybody if u.name),
        [(without_echo(u.content), u.occurred_at.date()) for u in segment.context],
    )


def refused_words(model: str, wrong: Sequence[Fault]) -> str:
    """The reason why a model's text is not used, without quoting it."""
    return f"the words of {model} were refused: {', '.join(dict.fromkeys(fault.kind for fault in wrong))}"


def _extraction(
    answer: SegmentAnswer, summary: str, segment: Segment, source: Source, model: str
) -> Extraction:
    emotions = _emotions(answer.emotions)
    if _contradicts(answer.valence, emotions):
        answer = answer.model_copy(update={"valence": extract(segment).valence})
    verdicts = _verdicts(answer)
    facts = _facts(answer.facts)
    backed = tuple(fact for fact in facts if supported(f"{fact.text} {fact.value or ''}", source))
    labels = _labels(answer.entities)
    entities = tuple(label for label in labels if names_something(label, source))
    if len(backed) < len(facts) or len(entities) < len(labels):
        dropped = {"facts": len(facts) - len(backed), "entities": len(labels) - len(entities)}
        log.info("dropped extracted values without support in the segment", model=model, **dropped)
    lesson = clean(answer.lesson)
    return Extraction(
        keep=_keeps(verdicts),
        verdicts=verdicts,
        summary=summary[:_LONGEST_TEXT],
        valence=answer.valence,
        emotions=emotions,
        topics=_labels([topic.lower() for topic in answer.topics]),
        entities=entities,
        features=ImportanceFeatures(**answer.features.model_dump()),
        weight=answer.weight,
        lesson=None if lesson is None or unsupported(lesson, source) else lesson,
        facts=backed,
        extracted_by=model,
        procedures=_procedures(answer.procedures, segment),
        norms=norms_said(answer.norms, segment, model),
    )


def _by_rules(answer: SegmentAnswer, segment: Segment, refused: str) -> Extraction:
    """The rules' extraction of a segment whose summary was refused, with the model's verdicts; kept if the model or the
    rules keep it."""
    verdicts = _verdicts(answer)
    extraction = extract(segment)
    keep = verdicts[-1].passed and (extraction.keep or _keeps(verdicts))
    return replace(extraction, verdicts=verdicts, keep=keep, refused=refused)


def _keeps(verdicts: Sequence[Verdict]) -> bool:
    *positive, harm_check = verdicts
    return harm_check.passed and any(verdict.passed for verdict in positive)


def _contradicts(valence: float, emotions: Sequence[str]) -> bool:
    """Whether a valence has clearly the opposite sign of all emotions that have one."""
    pleasant, unpleasant = _PLEASANT.intersection(emotions), _UNPLEASANT.intersection(emotions)
    return (valence > _FEELING and bool(unpleasant) and not pleasant) or (
        valence < -_FEELING and bool(pleasant) and not unpleasant
    )


def _verdicts(answer: SegmentAnswer) -> tuple[Verdict, ...]:
    """All seven verdicts, harm_check last. Reasons are fixed strings: a model's own could quote the conversation."""
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
    """The labels without duplicates and empty ones, in their order."""
    cleaned = (clean(label) for label in labels)
    return tuple(dict.fromkeys(label[:_LONGEST_LABEL] for label in cleaned if label))[:_MOST_LABELS]


def _facts(answers: Sequence[FactAnswer]) -> tuple[CandidateFact, ...]:
    found = (fact_of(answer) for answer in answers)
    return tuple([fact for fact in found if fact is not None][:_MOST_FACTS])


def _procedures(answers: Sequence[ProcedureAnswer], segment: Segment) -> tuple[StatedProcedure, ...]:
    """The procedures whose words the user said; texts of assistants and tools teach none."""
    source = source_of(
        replace(segment, utterances=tuple(u for u in segment.utterances if u.role == "user"), context=())
    )
    found = (procedure_of(answer) for answer in answers)
    return tuple(
        [
            one
            for one in found
            if one is not None and supported(" ".join((one.content, *one.steps, one.why or "")), source)
        ][:_MOST_PROCEDURES]
    )


def procedure_of(answer: ProcedureAnswer) -> StatedProcedure | None:
    """A candidate procedure; None where its text is empty."""
    text = clean(answer.text, _LONGEST_PROCEDURE)
    if text is None:
        return None
    steps = [step for step in (clean(step, _LONGEST_PROCEDURE) for step in answer.steps) if step]
    return StatedProcedure(
        answer.kind,
        text,
        clean(answer.situation, _LONGEST_PROCEDURE) or "",
        tuple(steps[:_MOST_LABELS]),
        clean(answer.why, _LONGEST_PROCEDURE),
    )


def fact_of(answer: FactAnswer) -> CandidateFact | None:
    """A candidate fact; None where its text is empty."""
    text = clean(answer.text)
    if text is None:
        return None
    subject, attribute, value = map(clean, (answer.subject, answer.attribute, answer.value))
    return CandidateFact(text, subject, attribute, value, answer.stated, answer.holds)


def clean(text: str | None, longest: int = _LONGEST_TEXT) -> str | None:
    """The text as one line without control characters: Postgres refuses NUL, and a prompt needs one line per value.
    None where it has no letter or digit."""
    cleaned = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text or "").split())[:longest]
    return cleaned if any(character.isalnum() for character in cleaned) else None
