"""Conscious commits: redact, check for harm, convert into an episode or a fact."""

from __future__ import annotations

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
from memory_service.requests import MemoryChange, NewMemory
from memory_service.rules.gate.gate import ECHO, command_among, judge
from memory_service.rules.procedures.habits import situation_in
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import without_echo
from memory_service.types import Gate, Segment, Utterance, Verdict
from memory_service.validation import OPERATOR, check_optional_line

GIVEN = ("importance", "emotions", "valence", "topics", "entities", "lesson")
"""Fields that the step `annotate` extracts where the caller does not give them."""
POSITIVE_GATES = (
    Verdict("explicit_request", True, "conscious commit"),
    *(
        Verdict(gate, False, "not judged: a conscious commit skips the positive gates")
        for gate in get_args(Gate)
        if gate not in ("explicit_request", "harm_check")
    ),
)
SHORTEST_SECRET = 6
NO_SECRET = compile_late(r"[0-9a-f-]+")
"""UUIDs, hashes and numbers."""
VAGUE_KINDS = frozenset({"secret", "url_token"})
"""Kinds of secret that ordinary ids match, such as "session:key:" before a UUID or a link with a session."""


@dataclass(frozen=True, slots=True)
class CheckedCommit:
    """A redacted commit with the result of its harm check."""

    memory: NewMemory
    """Redacted."""
    memory_id: UUID
    content: str
    lesson: str | None
    occurred_at: datetime
    importance: float
    harm: tuple[Verdict, ...]
    commands: bool
    """Whether it contains a command to the agent that reads it."""
    request: dict[str, Any]
    """The whole request, compared where an idempotency key is repeated."""


def checked_commit(memory: NewMemory) -> CheckedCommit:
    """Redact a commit and check it for harm; the positive gates are skipped (docs/design.md, "Gate")."""
    memory = redacted(memory)
    content = without_echo(redact(memory.content).text)
    lesson = None if memory.lesson is None else redact(memory.lesson).text
    occurred_at = memory.occurred_at or datetime.now(UTC)
    memory_id = uuids.uuid7()
    ruling = judge(Segment(memory_id, (Utterance(memory_id, "user", content, None, occurred_at),)))
    harm = tuple(v for v in ruling.verdicts if v.gate == "harm_check")
    # All values that recall may return.
    command = command_among(
        strings_in([content, lesson, memory.emotions, memory.topics, memory.entities, memory.tags,
                    memory.recipients, memory.metadata, memory.situation, memory.steps, memory.why])
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
    request = given | {
        "content": content, "tags": memory.tags, "metadata": memory.metadata,
        "recipients": memory.recipients, "agent_id": memory.agent_id,
        "occurred_at": memory.occurred_at.isoformat() if memory.occurred_at else None,
    }  # fmt: skip
    importance = BASE if memory.importance is None else memory.importance
    return CheckedCommit(
        memory, memory_id, content, lesson, occurred_at, importance, harm, command is not None, request
    )


def committed_episode(memory: NewMemory) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The gate decision on a commit and its episode as JSON; no episode where the harm check refuses it."""
    commit = checked_commit(memory)
    memory = commit.memory
    outcome, status = outcome_of(commit)
    decision = decision_of(outcome, (*POSITIVE_GATES, *commit.harm), "caller")
    if status is None:
        return decision, None
    return decision, {
        **fields_of_all(commit),
        "status": status,
        "full_text": {"content": commit.content},
        "summary": commit.content,
        "emotional_valence": memory.valence,
        "emotions": memory.emotions,
        "lesson": commit.lesson,
        "topics": memory.topics,
        "entities": memory.entities,
        "given": commit.request,
        "reason": decision["reason"],
        "actor": "caller",
    }


def committed_fact(memory: NewMemory) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The gate decision on the commit of a fact and the fact as JSON; no fact where the harm check refuses it.

    Facts have no quarantine: one that contains a command is refused.
    """
    commit = checked_commit(memory)
    outcome = "stored" if all(v.passed for v in commit.harm) else "refused"
    decision = decision_of(outcome, (*POSITIVE_GATES, *commit.harm), "caller")
    if outcome == "refused":
        return decision, None
    given = {"type": "semantic", **commit.request}
    return decision, {**fields_of_all(commit), "fact": commit.content, "given": given}


def committed_procedure(memory: NewMemory) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The gate decision on the commit of a procedure and the procedure as JSON; none where the harm check refuses it.

    One that contains a command is quarantined.
    """
    commit = checked_commit(memory)
    memory = commit.memory
    outcome, status = outcome_of(commit)
    decision = decision_of(outcome, (*POSITIVE_GATES, *commit.harm), "caller")
    if status is None:
        return decision, None
    own = {
        "situation": memory.situation, "steps": memory.steps, "why": memory.why, "kind": memory.kind,
        "replaces": None if memory.replaces is None else str(memory.replaces),
    }  # fmt: skip
    return decision, {
        **own,
        **fields_of_all(commit),
        "status": status,
        "kind": memory.kind or ("skill" if memory.steps else "habit"),
        "content": commit.content,
        "situation": situation_in(commit.content) if memory.situation is None else memory.situation.strip(),
        "steps": memory.steps or (),
        "given": {"type": "procedural", **commit.request, **own},
    }


def fields_of_all(commit: CheckedCommit) -> dict[str, Any]:
    """The fields that commits of all types have, as JSON."""
    memory = commit.memory
    same = ("idempotency_key", "agent_id", "tags", "recipients", "metadata")
    return {name: getattr(memory, name) for name in same} | {
        "memory_id": str(commit.memory_id), "source": "agent", "occurred_at": commit.occurred_at.isoformat(),
        "importance": commit.importance,
    }  # fmt: skip


def outcome_of(commit: CheckedCommit) -> tuple[str, str | None]:
    """The outcome of the gate decision on a commit, and the status of its memory; no status where it is refused."""
    if commit.commands:
        return "quarantined", "quarantined"
    if any(not v.passed for v in commit.harm):
        return "refused", None
    return "stored", "pending_embedding"


@dataclass(frozen=True, slots=True)
class CheckedChange:
    """A redacted change of a memory with the decision on it."""

    changes: dict[str, Any]
    """As memory_api.update_memory takes them."""
    decision: dict[str, Any]
    refused: str | None = None
    """The field in which the harm check found harm: then nothing is changed."""


def checked_change(change: MemoryChange) -> CheckedChange:
    """Redact a change and check it for harm. A memory is in use: what a commit would quarantine is refused here."""
    changes: dict[str, Any] = {}
    if change.tags is not None:
        changes["tags"] = redacted_words(change.tags)
    if change.metadata is not None:
        changes["metadata"] = redacted_json(change.metadata)
    if change.importance is not None:
        changes["importance"] = change.importance
    if change.lesson is not None:
        changes["lesson"] = redact(change.lesson).text
    harm = {
        name: command for name in changes if (command := command_among(strings_in(changes[name]))) is not None
    }
    verdicts: tuple[Verdict, ...] = ()
    if change.content is not None:
        commit = checked_commit(NewMemory(change.content))
        changes |= {"content": commit.content, "fact_id": str(commit.memory_id)}
        verdicts = commit.harm
        for verdict in verdicts:
            if not verdict.passed:
                harm["content"] = verdict
    if harm:
        field, verdict = next(iter(harm.items()))
        return CheckedChange(changes, decision_of("refused", (*POSITIVE_GATES, verdict), "caller"), field)
    return CheckedChange(changes, decision_of("stored", (*POSITIVE_GATES, *verdicts), "caller"))


def redacted_words(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(redact(word).text for word in words))


def redacted(memory: NewMemory) -> NewMemory:
    """A copy with redacted lists and metadata."""
    clear = copy(memory)
    for name in ("tags", "topics", "entities", "recipients"):
        words: Sequence[str] | None = getattr(memory, name)
        if words:
            object.__setattr__(clear, name, redacted_words(words))
    for name in ("situation", "why"):
        text: str | None = getattr(memory, name)
        if text is not None:
            object.__setattr__(clear, name, redact(text).text)
    if memory.steps is not None:
        object.__setattr__(clear, "steps", tuple(redact(step).text for step in memory.steps))
    object.__setattr__(clear, "metadata", redacted_json(memory.metadata))
    return clear


def redacted_json(value: Any, key: str = "") -> Any:
    """JSON with redacted keys and texts; a text is checked together with its key, such as `password`."""
    if isinstance(value, str):
        prefix = f"{key}: "
        text = redact(prefix + value).text if key else ""
        return text.removeprefix(prefix) if text.startswith(prefix) else redact(value).text
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, Any]", value)
        return {redact(name).text: redacted_json(one, name) for name, one in inner.items()}
    if isinstance(value, list | tuple):
        return [redacted_json(one, key) for one in cast("Sequence[Any]", value)]
    return value


def check_id(value: str | None, name: str) -> None:
    """Refuse a secret as an id or as the name of an actor: redacted it would be another id.

    UUIDs, hashes and numbers are accepted, although some are valid numbers of cards or persons. Errors: InvalidInput.
    """
    if value is not None and len(value) >= SHORTEST_SECRET and is_secret(value):
        raise InvalidInput(name, "looks like a secret; use another id")


def checked_actor(actor: str | None) -> str:
    """The name that is recorded as the actor. Errors: InvalidInput."""
    check_id(check_optional_line(actor, "actor"), "actor")
    return actor or OPERATOR


@lru_cache(maxsize=4096)
def is_secret(value: str) -> bool:
    return not NO_SECRET.fullmatch(value) and not VAGUE_KINDS.issuperset(redact(value).kinds)
