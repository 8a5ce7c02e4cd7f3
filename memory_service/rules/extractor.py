"""Extraction from segments by rules alone: the results that a language model would return in one structured call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from memory_service.importance import stored_importance
from memory_service.rules.emotions.emotions import emotions, strengths
from memory_service.rules.emotions.mood_topic import mood_topic
from memory_service.rules.gate.decision_made import changes_life
from memory_service.rules.gate.gate import HIGH_EMOTION, Reading, Ruling, judge, read_segment, weighed
from memory_service.rules.norms.norms import norms_of
from memory_service.rules.summaries.summary import summarize
from memory_service.rules.summaries.topics import entities, topics
from memory_service.types import Extraction, Extractions, ImportanceFeatures, Segment, Verdict

T = TypeVar("T")

SHORT_CHARACTERS = 500
"""Segments with at most so many characters together are read on the event loop: 1 to 6 ms, also for hostile text. A
thread alone would take 0.4 ms."""


async def run_rules(call: Callable[[], T], segments: Sequence[Segment]) -> T:
    """Call a function that applies rules to these segments, in a thread where they are long: leases are renewed and
    other banks' steps go on meanwhile."""
    characters = sum(len(u.content) for s in segments for u in (*s.utterances, *s.context))
    return await asyncio.to_thread(call) if characters > SHORT_CHARACTERS else call()


class RulesExtractor:
    """An Extractor that needs no model: deterministic, well under a millisecond per exchange."""

    @property
    def name(self) -> str:
        return "rules"

    async def extract(
        self, segments: Sequence[Segment], rulings: Sequence[Ruling] | None = None, *, afford: object = None
    ) -> Extractions:
        """Return one extraction per segment; a caller that has judged the segments already passes the `rulings`.
        `afford` is for extractors whose calls cost tokens."""
        given = rulings if rulings is not None else [None] * len(segments)
        return await run_rules(
            lambda: Extractions(tuple(extract(s, ruling) for s, ruling in zip(segments, given, strict=True))),
            segments,
        )

    async def aclose(self) -> None:
        """Nothing is held open."""


def extract(segment: Segment, ruling: Ruling | None = None) -> Extraction:
    """Return what the rules make of one segment; never raises, whatever the text is."""
    ruling = ruling or judge(segment)
    reading = read_segment(segment)
    text = "\n".join(part.text for part in reading.utterances)
    names = tuple(dict.fromkeys(part.name for part in reading.utterances if part.name))
    features = _features(reading)
    labels = emotions("\n".join(reading.felt))
    verdicts = _one_per_gate((*ruling.verdicts, *weighed(reading)))
    passed = any(verdict.passed for verdict in verdicts if verdict.gate != "harm_check")
    decided = {"keep": True, "refuse": False, "quarantine": False}.get(ruling.decision)
    return Extraction(
        keep=passed if decided is None else decided,
        verdicts=verdicts,
        summary=summarize(reading.segment),
        valence=round(reading.feeling, 3),
        emotions=labels,
        topics=topics(text, names),
        entities=entities(text, names),
        features=features,
        weight=round(stored_importance(features), 3),
        lesson=_lesson(reading),
        facts=reading.facts,
        extracted_by="rules",
        norms=norms_of(segment),
        mood_topic=mood_topic(reading.felt, strengths(reading.felt, reading.feeling, labels)),
    )


def _features(reading: Reading) -> ImportanceFeatures:
    """Return the features of importance, each 0..1.

    A feature counts in proportion to the fact-bearing score of its message: "I'll go with blue" in a request and
    praise for an answer add almost nothing, a decision about life and a strong feeling count in full.
    """
    signs = reading.signs
    worth = reading.score
    certain = any(sign.identity or sign.care for sign in signs)
    strength = abs(reading.feeling)
    return ImportanceFeatures(
        emotion=round(strength if strength > HIGH_EMOTION else _MILD * strength * worth, 3),
        personal=round(max(worth, _CERTAIN) if certain else worth, 3),
        decision=round(_decision(reading), 3),
        asked=1.0
        if reading.asked and worth > 0.0
        else 0.0,  # only a message that is nothing but a redacted secret scores 0
        conflict=max((sign.conflict for sign in signs), default=0.0),
    )


_MILD = 0.5
"""Factor of feelings below high emotion, which any polite sentence has."""
_CERTAIN = 0.9
"""The least value of `personal` where a sentence states identity, a loss or an illness."""


_ORDINARY = 0.5
"""The factor of a decision that is not about work, home, family, health or faith."""


def _decision(reading: Reading) -> float:
    """The decision feature: in full for a decision about life, else in proportion to the score of its message."""
    return max(
        (
            sign.decision * (1.0 if changes_life(sentence) else _ORDINARY * part.score)
            for part in reading.utterances
            for sentence, sign in zip(part.sentences, part.read.signs, strict=True)
            if sign.decision
        ),
        default=0.0,
    )


def _one_per_gate(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The first verdict of each gate: rules go before the score."""
    kept: dict[str, Verdict] = {}
    for verdict in verdicts:
        kept.setdefault(verdict.gate, verdict)
    return tuple(kept.values())


def _lesson(reading: Reading) -> str | None:
    """The first wish about how to behave, with the name of the speaker."""
    names = [part.name for part in reading.utterances for _ in part.sentences]
    for name, sign in zip(names, reading.signs, strict=True):
        if sign.lesson:
            return f"{name or 'user'} wishes: {sign.lesson}"
    return None
