"""The JSON of an episode: the fields of its extraction and the origin of its segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import uuid_utils.compat as uuids

from memory_service.features import Features
from memory_service.importance import stored_importance
from memory_service.rules.norms.signals import signals_of
from memory_service.rules.procedures.candidates import procedure_candidates
from memory_service.rules.summaries.assistant_reply import reply_extract
from memory_service.store.messages import StoredSegment
from memory_service.text.sentences import is_person, without_echo
from memory_service.types import CandidateFact, Extraction, ImportanceFeatures, Segment

LEAST_VALENCE = 0.2
"""Absolute valence below which an episode without a label has no mood (read_mood)."""


def episode_of(
    stored: StoredSegment,
    features: Features,
    lane: int,
    extraction: Extraction,
    status: str,
    decision: Mapping[str, Any],
) -> dict[str, Any]:
    """An episode as memory_api.decide_segments takes it."""
    utterances = stored.segment.utterances
    by_weight = features.intake == "snippet" and extraction.weight is not None
    importance = extraction.weight if by_weight else stored_importance(extraction.features)
    return {
        "memory_id": str(uuids.uuid7()),
        "agent_id": stored.agent_id,
        "source": source_of(stored.segment, features, lane),
        "status": status,
        "lane": lane,
        "occurred_at": utterances[0].occurred_at.isoformat(),
        "full_text": {
            "messages": [
                {
                    "message_id": str(u.message_id),
                    "role": u.role,
                    "name": u.name,
                    "content": u.content,
                    "occurred_at": u.occurred_at.isoformat(),
                }
                for u in utterances
            ]
        },
        "summary": summary_of(stored, features, extraction),
        "reply": None if features.intake == "verbatim" else reply_extract(stored.segment),
        "metadata": stored.metadata,
        "reason": decision["reason"],
        "actor": decision["decided_by"],
        **extracted_fields(extraction, importance or 0.0),
        # Verbatim intake stores messages only.
        **({"candidate_facts": []} if features.intake == "verbatim" else {}),
        "signals": mood_signal(extraction)
        | ({} if features.intake == "verbatim" else signals_of_episode(stored.segment, features, extraction)),
    }


def mood_signal(extraction: Extraction) -> dict[str, Any]:
    """What a mood by rules is about, null where it is about nothing that its sentence names; empty without a mood."""
    felt = extraction.emotions[:1] != ("neutral",) or abs(extraction.valence) >= LEAST_VALENCE
    return {"mood_topic": extraction.mood_topic} if felt and extraction.extracted_by == "rules" else {}


def signals_of_episode(segment: Segment, features: Features, extraction: Extraction) -> dict[str, Any]:
    """The relational signals of a segment and its candidate procedures."""
    signals = signals_of(segment, extraction.norms) if features.relational else {}
    procedures = procedure_candidates(segment, extraction.procedures, extraction.extracted_by)
    return signals | {"procedures": procedures} if procedures else signals


def extracted_fields(extraction: Extraction, importance: float) -> dict[str, Any]:
    """The columns of an episode that come from its extraction."""
    return {
        "importance": importance,
        "importance_features": fields_of(extraction.features),
        "emotional_valence": extraction.valence,
        "emotions": extraction.emotions,
        "lesson": extraction.lesson,
        "topics": extraction.topics,
        "entities": extraction.entities,
        "candidate_facts": [fields_of(fact) for fact in extraction.facts],
        "extracted_by": extraction.extracted_by,
    }


def source_of(segment: Segment, features: Features, lane: int) -> str:
    """`source` of an episode: the role of an assistant's or tool's message with verbatim intake, else by lane."""
    if features.intake == "verbatim" and not is_person(segment.utterances[0]):
        role = segment.utterances[0].role
        if role in ("assistant", "tool"):
            return role
    return "import" if lane else "user"


def summary_of(stored: StoredSegment, features: Features, extraction: Extraction) -> str:
    return verbatim_text(stored.segment) if features.intake == "verbatim" else extraction.summary


def verbatim_text(segment: Segment) -> str:
    """The message with its speaker's name, without memories of this service that it quotes."""
    first = segment.utterances[0]
    content = without_echo(first.content)
    return f"{first.name}: {content}" if first.name else content


def recallable_values(stored: StoredSegment, features: Features, extraction: Extraction) -> list[Any]:
    """All values of an episode that recall may return."""
    return [
        summary_of(stored, features, extraction),
        extraction.lesson,
        extraction.topics,
        extraction.entities,
        extraction.emotions,
        [[fact.text, fact.subject, fact.attribute, fact.value] for fact in extraction.facts],
        [[one.content, one.situation, one.steps, one.why] for one in extraction.procedures],
        [utterance.name for utterance in stored.segment.utterances],
        stored.metadata,
    ]


def fields_of(record: CandidateFact | ImportanceFeatures) -> dict[str, Any]:
    """A flat dataclass as JSON; `asdict` copies deeply, which takes as long as extraction by rules."""
    return {field.name: getattr(record, field.name) for field in fields(record)}
