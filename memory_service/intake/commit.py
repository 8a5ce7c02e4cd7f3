"""A conscious commit on its way in: redacted, checked for harm, made into an episode (S4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast, get_args
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.errors import InvalidInput
from memory_service.importance import BASE
from memory_service.intake.gate_decision import decision_of
from memory_service.intake.json_strings import strings_in
from memory_service.redaction import redact
from memory_service.requests import NewMemory
from memory_service.rules.gate.gate import ECHO, command_among, judge
from memory_service.text.sentences import without_echo
from memory_service.types import Gate, Segment, Utterance, Verdict

GIVEN = ("importance", "emotions", "valence", "topics", "entities", "lesson")
"""Fields that are extracted where the caller does not give them."""
POSITIVE_GATES = (
    Verdict("explicit_request", True, "conscious commit"),
    *(
        Verdict(gate, False, "not judged: a conscious commit skips the positive gates")
        for gate in get_args(Gate)
        if gate not in ("explicit_request", "harm_check")
    ),
)
SHORTEST_SECRET = 6
NO_SECRET = re.compile(r"[0-9a-f-]+")
"""UUIDs, hashes and numbers."""
VAGUE_KINDS = frozenset({"secret", "url_token"})
"""What ordinary ids look like, too: "session:key:" before a UUID, a link with a session."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A commit as it may be written, and what was decided of it."""

    memory: NewMemory
    """Without secrets."""
    memory_id: UUID
    content: str
    lesson: str | None
    said_at: datetime
    importance: float
    harm: tuple[Verdict, ...]
    commands: bool
    """Whether it tries to command whoever reads it."""
    given: dict[str, Any]
    """The fields that its caller gave."""
    whole: dict[str, Any]
    """The whole request: what a repeated idempotency key is compared with."""


def judged(memory: NewMemory) -> Judged:
    """The positive gates are skipped: who commits has decided. The harm check never is (DESIGN §2)."""
    memory = redacted(memory)
    content = without_echo(redact(memory.content).text)
    lesson = None if memory.lesson is None else redact(memory.lesson).text
    said_at = memory.occurred_at or datetime.now(UTC)
    memory_id = uuids.uuid7()
    ruling = judge(Segment(memory_id, (Utterance(memory_id, "user", content, None, said_at),)))
    harm = tuple(v for v in ruling.verdicts if v.gate == "harm_check")
    # What is checked is what will be printed, wherever in the memory it stands.
    command = command_among(
        strings_in([content, lesson, memory.emotions, memory.topics, memory.entities, memory.tags,
                    memory.recipients, memory.metadata])
    )  # fmt: skip
    if not content:
        harm = (Verdict("harm_check", False, ECHO),)
    if command is not None:
        harm = (command,)
    given: dict[str, Any] = {
        name: getattr(memory, name) for name in GIVEN if getattr(memory, name) is not None
    }
    if lesson is not None:
        given["lesson"] = lesson
    whole = given | {"content": content, "tags": memory.tags, "metadata": memory.metadata,
                     "recipients": memory.recipients, "agent_id": memory.agent_id,
                     "occurred_at": memory.occurred_at.isoformat() if memory.occurred_at else None}  # fmt: skip
    importance = BASE if memory.importance is None else memory.importance
    return Judged(
        memory, memory_id, content, lesson, said_at, importance, harm, command is not None, given, whole
    )


def committed_episode(memory: NewMemory) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The decision on a commit and its episode as JSON; no episode where the harm check refuses it."""
    held = judged(memory)
    memory = held.memory
    if held.commands:
        outcome, status = "quarantined", "quarantined"
    elif any(not v.passed for v in held.harm):
        outcome, status = "refused", None
    else:
        outcome, status = "stored", "pending_embedding"
    decision = decision_of(outcome, (*POSITIVE_GATES, *held.harm), "caller")
    if status is None:
        return decision, None
    return decision, {
        "memory_id": str(held.memory_id),
        "idempotency_key": memory.idempotency_key,
        "agent_id": memory.agent_id,
        "source": "agent",
        "status": status,
        "occurred_at": held.said_at.isoformat(),
        "full_text": {"content": held.content},
        "summary": held.content,
        "importance": held.importance,
        "emotional_valence": memory.valence,
        "emotions": memory.emotions,
        "lesson": held.lesson,
        "topics": memory.topics,
        "entities": memory.entities,
        "tags": memory.tags,
        "recipients": memory.recipients,
        "metadata": memory.metadata,
        "given": held.whole,
        "reason": decision["reason"],
        "actor": "caller",
    }


def committed_fact(memory: NewMemory) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The decision on the commit of a fact and the fact as JSON; no fact where the harm check refuses it.

    There is no quarantine for facts: one that commands is refused.
    """
    held = judged(memory)
    memory = held.memory
    outcome = "stored" if all(v.passed for v in held.harm) else "refused"
    decision = decision_of(outcome, (*POSITIVE_GATES, *held.harm), "caller")
    if outcome == "refused":
        return decision, None
    return decision, {
        "memory_id": str(held.memory_id),
        "idempotency_key": memory.idempotency_key,
        "agent_id": memory.agent_id,
        "source": "agent",
        "fact": held.content,
        "occurred_at": held.said_at.isoformat(),
        "importance": held.importance,
        "tags": memory.tags,
        "recipients": memory.recipients,
        "metadata": memory.metadata,
        "given": {"type": "semantic", **held.whole},
    }


def redacted(memory: NewMemory) -> NewMemory:
    """A copy whose lists and metadata hold no secrets."""
    clear = copy(memory)
    for name in ("tags", "topics", "entities", "recipients"):
        words: Sequence[str] | None = getattr(memory, name)
        if words:
            object.__setattr__(clear, name, tuple(dict.fromkeys(redact(word).text for word in words)))
    object.__setattr__(clear, "metadata", redacted_json(memory.metadata))
    return clear


def redacted_json(value: Any, key: str = "") -> Any:
    """JSON without secrets in its keys and texts; a key such as `password` speaks for the text under it."""
    if isinstance(value, str):
        said = f"{key}: "
        text = redact(said + value).text if key else ""
        return text.removeprefix(said) if text.startswith(said) else redact(value).text
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, Any]", value)
        return {redact(name).text: redacted_json(one, name) for name, one in inner.items()}
    if isinstance(value, list | tuple):
        return [redacted_json(one, key) for one in cast("Sequence[Any]", value)]
    return value


def check_id(value: str | None, name: str) -> None:
    """Refuse a secret as an id or as the name of who acts: redacted it would no longer be that id.

    UUIDs, hashes and numbers are none, whatever number of a card or person they might be, too.
    """
    if value is not None and len(value) >= SHORTEST_SECRET and is_secret(value):
        raise InvalidInput(name, "looks like a secret; use another id")


@lru_cache(maxsize=4096)
def is_secret(value: str) -> bool:
    return not NO_SECRET.fullmatch(value) and not VAGUE_KINDS.issuperset(redact(value).kinds)
