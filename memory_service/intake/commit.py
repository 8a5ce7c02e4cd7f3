"""A conscious commit on its way in: redacted, checked for harm, made into an episode (S4)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import uuid_utils.compat as uuids

from memory_service.importance import BASE
from memory_service.inputs import NewMemory
from memory_service.intake.extract import LANDMARK_IMPORTANCE, decision_of
from memory_service.intake.redaction import redact
from memory_service.rules.gate import judge
from memory_service.types import Segment, Utterance, Verdict

GIVEN = ("importance", "emotions", "valence", "topics", "entities", "lesson")
"""Fields that are extracted where the caller does not give them."""


def committed_episode(memory: NewMemory) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The decision on a commit and its episode as JSON; no episode where the harm check refuses it.

    The positive gates are skipped: who commits has decided. The harm check never is (DESIGN §2).
    """
    content = redact(memory.content).text
    lesson = None if memory.lesson is None else redact(memory.lesson).text
    said_at = memory.occurred_at or datetime.now(UTC)
    memory_id = uuids.uuid7()
    ruling = judge(Segment(memory_id, (Utterance(memory_id, "user", content, None, said_at),)))
    harm = tuple(v for v in ruling.verdicts if v.gate == "harm_check")
    if ruling.decision == "quarantine":
        outcome, status = "quarantined", "quarantined"
    elif any(not v.passed for v in harm):
        outcome, status = "refused", None
    else:
        outcome, status = "stored", "pending_embedding"
    request = Verdict("explicit_request", True, "conscious commit")
    decision = decision_of(outcome, (request, *harm), "caller")
    if status is None:
        return decision, None
    given: dict[str, Any] = {
        name: getattr(memory, name) for name in GIVEN if getattr(memory, name) is not None
    }
    if lesson is not None:
        given["lesson"] = lesson
    importance = BASE if memory.importance is None else memory.importance
    # `given` is also what a repeated idempotency key is compared with, so it holds the whole request.
    given |= {"content": content, "tags": memory.tags, "metadata": memory.metadata,
              "recipients": memory.recipients,
              "occurred_at": memory.occurred_at.isoformat() if memory.occurred_at else None}  # fmt: skip
    return decision, {
        "memory_id": str(memory_id),
        "idempotency_key": memory.idempotency_key,
        "agent_id": memory.agent_id,
        "source": "agent",
        "status": status,
        "occurred_at": said_at.isoformat(),
        "full_text": {"content": content},
        "summary": content,
        "importance": importance,
        "emotional_valence": memory.valence,
        "emotions": memory.emotions,
        "lesson": lesson,
        "topics": memory.topics,
        "entities": memory.entities,
        "tags": memory.tags,
        "recipients": memory.recipients,
        "metadata": memory.metadata,
        "landmark": importance > LANDMARK_IMPORTANCE,
        "given": given,
        "reason": decision["reason"],
        "actor": "caller",
    }
