"""Requests, validated on construction, so that every interface gives the same error.

Errors: InvalidInput naming the field, for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, get_args
from uuid import UUID

from memory_service.errors import InvalidInput
from memory_service.validation import (
    MAX_ANSWER_CHARS,
    MAX_FACT_CHARS,
    MAX_K,
    MAX_LESSON_CHARS,
    MAX_MESSAGE_CHARS,
    MAX_PROCEDURE_CHARS,
    MAX_QUERY_CHARS,
    MAX_SCORE,
    MAX_SITUATION_CHARS,
    MAX_TOKENS,
    MEMORY_TYPES,
    MODES,
    PROCEDURE_KINDS,
    TOKENIZERS,
    check_arms,
    check_choice,
    check_choices,
    check_count,
    check_id_of_memory,
    check_keep,
    check_line,
    check_metadata,
    check_number,
    check_optional_line,
    check_optional_text,
    check_order,
    check_past,
    check_steps,
    check_text,
    check_time,
    check_words,
)
from memory_service.vocabulary import EMOTIONS, Role

LIVE, IMPORT = 0, 1
"""Lanes of the queue: live messages are processed before imported ones."""
PROCEDURE_FIELDS = ("situation", "steps", "why", "kind", "replaces")
"""Fields that only procedures have."""


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to store."""

    role: str
    content: str
    name: str | None = None
    occurred_at: datetime | None = None
    """Default: now."""
    id: str | None = None
    """The caller's id: a message with the same id is stored once per conversation."""
    metadata: Mapping[str, Any] | None = None

    def checked(self, at: str) -> NewMessage:
        """This message, validated; `at` is its position in the request, for the field name in errors."""
        check_choice(self.role, f"{at}.role", get_args(Role))
        check_text(self.content, f"{at}.content", MAX_MESSAGE_CHARS, empty=True)
        check_optional_line(self.name, f"{at}.name")
        check_optional_line(self.id, f"{at}.id")
        if self.metadata is not None:
            check_metadata(self.metadata, f"{at}.metadata")
        if self.occurred_at is not None:
            check_past(self.occurred_at, f"{at}.occurred_at")
        return self


@dataclass(frozen=True, slots=True)
class NewMemory:
    """An explicit commit; fields not given are extracted."""

    content: str
    type: str = "episodic"
    tags: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None
    importance: float | None = None
    emotions: Sequence[str] | None = None
    valence: float | None = None
    topics: Sequence[str] | None = None
    entities: Sequence[str] | None = None
    lesson: str | None = None
    occurred_at: datetime | None = None
    recipients: Sequence[str] | None = None
    idempotency_key: str | None = None
    agent_id: str | None = None
    situation: str | None = None
    """Of a procedure, as are the following: when it applies; default: read from the content."""
    steps: Sequence[str] | None = None
    why: str | None = None
    kind: str | None = None
    """Default: skill with steps, else habit."""
    replaces: UUID | None = None
    """A procedure that this one supersedes."""

    def __post_init__(self) -> None:
        check_text(self.content, "content", MAX_MESSAGE_CHARS)
        check_choice(self.type, "type", MEMORY_TYPES)
        if self.type == "procedural":
            check_text(self.content, "content", MAX_PROCEDURE_CHARS)
        for name in PROCEDURE_FIELDS:
            if self.type != "procedural" and getattr(self, name) is not None:
                raise InvalidInput(name, "only a memory of type procedural has it")
        if self.type == "semantic":
            check_text(self.content, "content", MAX_FACT_CHARS)
        for name in ("tags", "topics", "entities", "recipients"):
            object.__setattr__(self, name, check_words(getattr(self, name), name))
        object.__setattr__(self, "emotions", check_choices(self.emotions, "emotions", EMOTIONS))
        object.__setattr__(self, "importance", check_number(self.importance, "importance", 0, 1))
        object.__setattr__(self, "valence", check_number(self.valence, "valence", -1, 1))
        object.__setattr__(self, "metadata", check_metadata(self.metadata))
        object.__setattr__(self, "occurred_at", check_past(self.occurred_at, "occurred_at"))
        check_optional_text(self.lesson, "lesson", MAX_LESSON_CHARS)
        check_optional_line(self.idempotency_key, "idempotency_key")
        check_optional_line(self.agent_id, "agent_id")
        check_optional_text(self.situation, "situation", MAX_SITUATION_CHARS)
        check_optional_text(self.why, "why", MAX_LESSON_CHARS)
        if self.kind is not None:
            check_choice(self.kind, "kind", PROCEDURE_KINDS)
        object.__setattr__(self, "steps", check_steps(self.steps, "steps"))
        object.__setattr__(self, "replaces", check_id_of_memory(self.replaces, "replaces"))


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """Changes to a memory; fields that are None stay as they are."""

    content: str | None = None
    tags: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None
    importance: float | None = None
    lesson: str | None = None
    """Empty removes it."""

    def __post_init__(self) -> None:
        check_optional_text(self.content, "content", MAX_MESSAGE_CHARS)
        object.__setattr__(self, "tags", check_words(self.tags, "tags"))
        object.__setattr__(self, "importance", check_number(self.importance, "importance", 0, 1))
        if self.metadata is not None:
            object.__setattr__(self, "metadata", check_metadata(self.metadata))
        check_optional_text(self.lesson, "lesson", MAX_LESSON_CHARS, empty=True)


@dataclass(frozen=True, slots=True)
class ClarificationAnswer:
    """An answer to a question about two facts."""

    keep: UUID | str
    """Id of the fact that is right, or both."""
    text: str | None = None
    """The user's words."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "keep", check_keep(self.keep, "keep"))
        check_optional_text(self.text, "text", MAX_ANSWER_CHARS)


@dataclass(frozen=True, slots=True)
class Filters:
    """Hard filters of a read, combined with and; `tags` matches any of them."""

    tags: Sequence[str] | None = None
    since: datetime | None = None
    until: datetime | None = None
    recipient: str | None = None
    agent: str | None = None
    min_importance: float | None = None
    """Of the stored importance, 0 to 1, inclusive."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tags", check_words(self.tags, "tags") or None)
        object.__setattr__(self, "min_importance", check_number(self.min_importance, "min_importance", 0, 1))
        for name in ("since", "until"):
            object.__setattr__(self, name, check_time(getattr(self, name), name))
        check_order(self.since, self.until)
        check_optional_line(self.recipient, "recipient")
        check_optional_line(self.agent, "agent")


@dataclass(frozen=True, slots=True)
class Mood:
    """Present mood and topics, used by profiles and context filters."""

    emotions: Sequence[str] | None = None
    valence: float | None = None
    topics: Sequence[str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "emotions", check_choices(self.emotions, "emotions", EMOTIONS))
        object.__setattr__(self, "valence", check_number(self.valence, "valence", -1, 1))
        object.__setattr__(self, "topics", check_words(self.topics, "topics") or None)


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A recall: query, ranking and filters."""

    query: str
    k: int = 10
    mode: str = "tool"
    profile: str | None = None
    """A name of profiles.PROFILES or of the bank's profiles; default: the bank's."""
    types: Sequence[str] | None = None
    filters: Filters = field(default_factory=Filters)
    mood: Mood = field(default_factory=Mood)
    as_of: datetime | None = None
    min_score: float | None = None
    """Lowest score returned, in place of the profile's cut-off; 0 returns everything found."""
    by: Sequence[str] | None = None
    """Arms that find candidates and make up the similarity; None: all. With `words` alone only memories with one of
    the query's words are found."""

    def __post_init__(self) -> None:
        check_text(self.query, "query", MAX_QUERY_CHARS)
        check_count(self.k, "k", 1, MAX_K)
        check_choice(self.mode, "mode", MODES)
        check_optional_line(self.profile, "profile")
        object.__setattr__(self, "types", check_choices(self.types, "types", MEMORY_TYPES) or None)
        object.__setattr__(self, "as_of", check_time(self.as_of, "as_of"))
        object.__setattr__(self, "min_score", check_number(self.min_score, "min_score", 0, MAX_SCORE))
        object.__setattr__(self, "by", check_arms(self.by, "by"))


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """A context: message, budgets and ranking."""

    message: str
    conversation_id: str | None = None
    recent_tokens: int | None = None
    knowledge_tokens: int | None = None
    """Default: the bank's."""
    profile: str | None = None
    """A name of profiles.PROFILES or of the bank's profiles; default: the bank's."""
    mood: Mood = field(default_factory=Mood)
    tokenizer: str = "wordpiece"
    as_of: datetime | None = None
    min_score: float | None = None
    """Lowest score of facts and episodes, in place of the profile's cut-off; not applied to RECENT."""

    def __post_init__(self) -> None:
        check_text(self.message, "message", MAX_MESSAGE_CHARS)
        check_optional_line(self.conversation_id, "conversation_id")
        for name in ("recent_tokens", "knowledge_tokens"):
            if getattr(self, name) is not None:
                check_count(getattr(self, name), name, 0, MAX_TOKENS)
        check_optional_line(self.profile, "profile")
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        object.__setattr__(self, "as_of", check_time(self.as_of, "as_of"))
        object.__setattr__(self, "min_score", check_number(self.min_score, "min_score", 0, MAX_SCORE))


@dataclass(frozen=True, slots=True)
class CompactQuery:
    """A compaction: recipient, purpose and size."""

    recipient: str
    purpose: str
    max_tokens: int | None = None
    """Default: the bank's."""
    tokenizer: str = "wordpiece"
    as_of: datetime | None = None

    def __post_init__(self) -> None:
        for name in ("recipient", "purpose"):
            object.__setattr__(self, name, check_line(getattr(self, name), name).strip())
        if self.max_tokens is not None:
            check_count(self.max_tokens, "max_tokens", 0, MAX_TOKENS)
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        object.__setattr__(self, "as_of", check_time(self.as_of, "as_of"))
