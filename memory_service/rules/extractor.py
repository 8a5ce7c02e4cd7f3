"""Judges and summarizes segments by rules alone: DESIGN §2's structured call without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_service.importance import stored_importance
from memory_service.rules.fact_score import KEEP_AT, fact_score
from memory_service.rules.gate import judge
from memory_service.rules.moods import emotions, valence
from memory_service.rules.requests import asks_to_remember
from memory_service.rules.signs import Signs, signs_of
from memory_service.rules.speech import is_chatter, is_person, sentences, without_echo, words_of_people
from memory_service.rules.statements import statements
from memory_service.rules.summary import summarize
from memory_service.rules.topics import entities, topics
from memory_service.types import (
    CandidateFact,
    Extraction,
    Extractions,
    ImportanceFeatures,
    Segment,
    Utterance,
    Verdict,
)

HIGH_EMOTION = 0.6
"""S2: a valence beyond this, good or bad, is worth remembering by itself."""
_CLEAR_DECISION = 0.7
_LONGEST_READ = 6000
"""Characters of one message that the rules read: the rest of a pasted document is in the full text anyway."""
_LONGEST_SEGMENT = 24_000
"""Characters of all its messages together."""


class RulesExtractor:
    """An Extractor that needs no model: deterministic, about a millisecond per exchange."""

    @property
    def name(self) -> str:
        return "rules"

    async def extract(self, segments: Sequence[Segment]) -> Extractions:
        # In a thread: leases are renewed and other banks' steps go on while long texts are read.
        return await asyncio.to_thread(lambda: Extractions(tuple(extract(segment) for segment in segments)))

    async def aclose(self) -> None:
        """Nothing is held open."""


@dataclass(frozen=True, slots=True)
class _Said:
    """One person's words in one message."""

    name: str | None
    text: str
    sentences: tuple[str, ...]


def extract(segment: Segment) -> Extraction:
    """Return what the rules make of one segment; never raises, whatever the text is."""
    ruling = judge(segment)
    segment = _within_limits(segment)
    said = [
        _Said(utterance.name, utterance.content, tuple(sentences(utterance.content)))
        for utterance in words_of_people(segment)
    ]
    everything = [sentence for part in said for sentence in part.sentences]
    telling = [sentence for sentence in everything if not is_chatter(sentence)]
    text = "\n".join(part.text for part in said)
    feeling = valence(telling)
    signs = [signs_of(sentence) for sentence in everything]
    facts = tuple(dict.fromkeys(fact for part in said for fact in statements(part.text, part.name)))
    features = _features(everything, signs, feeling)
    score = max((fact_score(part.text) for part in said), default=0.0)
    verdicts = (*ruling.verdicts, *_verdicts(signs, facts, feeling, score))
    decided = {"keep": True, "refuse": False, "quarantine": False}.get(ruling.decision)
    passed = any(verdict.passed for verdict in verdicts if verdict.gate != "harm_check")
    names = tuple(dict.fromkeys(part.name for part in said if part.name))
    return Extraction(
        keep=passed if decided is None else decided,
        verdicts=_one_per_gate(verdicts, refused=decided is False),
        summary=summarize(segment),
        valence=round(feeling, 3),
        emotions=emotions(text),
        topics=topics(text, names),
        entities=entities(text, names),
        features=features,
        weight=round(stored_importance(features), 3),
        lesson=_lesson(said, signs),
        facts=facts,
        extracted_by="rules",
    )


def _within_limits(segment: Segment) -> Segment:
    """The segment with people's words without echoes, and no more of them than the rules read."""
    left = _LONGEST_SEGMENT
    utterances: list[Utterance] = []
    for utterance in segment.utterances:
        if is_person(utterance):
            text = without_echo(utterance.content)[: min(_LONGEST_READ, left)]
            left -= len(text)
            utterances.append(replace(utterance, content=text))
        else:
            utterances.append(utterance)
    return replace(segment, utterances=tuple(utterances))


def _features(said: Sequence[str], signs: Sequence[Signs], feeling: float) -> ImportanceFeatures:
    return ImportanceFeatures(
        emotion=round(abs(feeling), 3),
        personal=round(max((sign.personal for sign in signs), default=0.0), 3),
        decision=max((sign.decision for sign in signs), default=0.0),
        asked=1.0 if any(asks_to_remember(sentence) for sentence in said) else 0.0,
        conflict=max((sign.conflict for sign in signs), default=0.0),
    )


def _verdicts(
    signs: Sequence[Signs], facts: Sequence[CandidateFact], feeling: float, score: float
) -> tuple[Verdict, ...]:
    cares = any(sign.care or sign.lesson for sign in signs) or any(sign.conflict >= 1.0 for sign in signs)
    identity = any(sign.identity for sign in signs)
    decided = any(sign.decision >= _CLEAR_DECISION for sign in signs)
    if facts:
        stable = Verdict("stable_fact", True, "states a fact about the person or their world")
    elif score >= KEEP_AT:
        stable = Verdict("stable_fact", True, f"fact-bearing score {score:.2f}, kept from {KEEP_AT:.2f}")
    else:
        stable = Verdict("stable_fact", False, f"fact-bearing score {score:.2f}, kept from {KEEP_AT:.2f}")
    strong = abs(feeling) > HIGH_EMOTION
    return (
        Verdict(
            "relational_damage", cares, "a wish, a loss or a conflict" if cares else "nothing to hurt by"
        ),
        Verdict(
            "identity_defining", identity, "says who the person is" if identity else "says not who they are"
        ),
        stable,
        Verdict("high_emotion", strong, f"valence {feeling:+.2f}, strong beyond {HIGH_EMOTION}"),
        Verdict("decision_made", decided, "a decision or a dated intention" if decided else "no decision"),
    )


def _one_per_gate(verdicts: Sequence[Verdict], *, refused: bool) -> tuple[Verdict, ...]:
    """The first verdict of each gate: what the clear rules say goes before what the score says."""
    kept: dict[str, Verdict] = {}
    for verdict in verdicts:
        if refused and verdict.passed and verdict.gate != "harm_check":
            continue
        kept.setdefault(verdict.gate, verdict)
    return tuple(kept.values())


def _lesson(said: Sequence[_Said], signs: Sequence[Signs]) -> str | None:
    """The first clear wish about how to behave, with whose wish it is."""
    names = [part.name for part in said for _ in part.sentences]
    for name, sign in zip(names, signs, strict=True):
        if sign.lesson:
            return f"{name or 'user'} wishes: {sign.lesson}"
    return None
