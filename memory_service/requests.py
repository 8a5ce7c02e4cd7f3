"""Requests, validated on construction, so that every interface gives the same error.

Errors: InvalidInput naming the field, for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from typing import Annotated, Any, get_args, get_type_hints
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
MAX_CHARS = {"episodic": MAX_MESSAGE_CHARS, "semantic": MAX_FACT_CHARS, "procedural": MAX_PROCEDURE_CHARS}
"""Of the content, by memory type."""

Check = Callable[[Any, str], Any]


def optional(check: Callable[..., object], **limits: object) -> Check:
    """The check of a value that may be None."""
    return lambda value, name: None if value is None else check(value, name, **limits)


def some(check: Callable[..., object], **limits: object) -> Check:
    """The check of a list, of which an empty one is None."""
    return lambda value, name: check(value, name, **limits) or None


def stripped(value: object, name: str) -> str:
    return check_line(value, name).strip()


Line = Annotated[str | None, check_optional_line]
Words = Annotated[Sequence[str] | None, check_words]
Emotions = Annotated[Sequence[str] | None, partial(check_choices, choices=EMOTIONS)]
Share = Annotated[float | None, partial(check_number, low=0, high=1)]
Valence = Annotated[float | None, partial(check_number, low=-1, high=1)]
Score = Annotated[float | None, partial(check_number, low=0, high=MAX_SCORE)]
Lesson = Annotated[str | None, partial(check_optional_text, limit=MAX_LESSON_CHARS)]
Time = Annotated[datetime | None, check_time]
Past = Annotated[datetime | None, check_past]
Tokens = Annotated[int | None, optional(check_count, low=0, high=MAX_TOKENS)]
Tokenizer = Annotated[str, partial(check_choice, choices=TOKENIZERS)]
Name = Annotated[str, stripped]


class Checked:
    """A dataclass whose fields are checked, and replaced by what the check in their type returns."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, check in checks_of(type(self)):
            object.__setattr__(self, name, check(getattr(self, name), name))


@cache
def checks_of(kind: type[object]) -> tuple[tuple[str, Check], ...]:
    """The fields with a check, and the check."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        (name, hint.__metadata__[0]) for name, hint in hints.items() if hasattr(hint, "__metadata__")
    )


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to store."""

    role: Annotated[str, partial(check_choice, choices=get_args(Role))]
    content: Annotated[str, partial(check_text, limit=MAX_MESSAGE_CHARS, empty=True)]
    name: Line = None
    occurred_at: Past = None
    """Default: now."""
    id: Line = None
    """The caller's id: a message with the same id is stored once per conversation."""
    metadata: Annotated[Mapping[str, Any] | None, check_metadata] = None

    def checked(self, at: str) -> NewMessage:
        """This message, validated; `at` is its position in the request, for the field name in errors."""
        for name, check in checks_of(NewMessage):
            check(getattr(self, name), f"{at}.{name}")
        return self


@dataclass(frozen=True, slots=True)
class NewMemory(Checked):
    """An explicit commit; fields not given are extracted."""

    content: str
    type: str = "episodic"
    tags: Words = None
    metadata: Annotated[Mapping[str, Any] | None, check_metadata] = None
    importance: Share = None
    emotions: Emotions = None
    valence: Valence = None
    topics: Words = None
    entities: Words = None
    lesson: Lesson = None
    occurred_at: Past = None
    recipients: Words = None
    idempotency_key: Line = None
    agent_id: Line = None
    situation: Annotated[str | None, partial(check_optional_text, limit=MAX_SITUATION_CHARS)] = None
    """Of a procedure, as are the following: when it applies; default: read from the content."""
    steps: Annotated[Sequence[str] | None, check_steps] = None
    why: Lesson = None
    kind: Annotated[str | None, optional(check_choice, choices=PROCEDURE_KINDS)] = None
    """Default: skill with steps, else habit."""
    replaces: Annotated[UUID | None, check_id_of_memory] = None
    """A procedure that this one supersedes."""

    def __post_init__(self) -> None:
        check_text(self.content, "content", MAX_MESSAGE_CHARS)
        check_text(self.content, "content", MAX_CHARS[check_choice(self.type, "type", MEMORY_TYPES)])
        for name in PROCEDURE_FIELDS:
            if self.type != "procedural" and getattr(self, name) is not None:
                raise InvalidInput(name, "only a memory of type procedural has it")
        Checked.__post_init__(self)


@dataclass(frozen=True, slots=True)
class MemoryChange(Checked):
    """Changes to a memory; fields that are None stay as they are."""

    content: Annotated[str | None, partial(check_optional_text, limit=MAX_MESSAGE_CHARS)] = None
    tags: Words = None
    metadata: Annotated[Mapping[str, Any] | None, optional(check_metadata)] = None
    importance: Share = None
    lesson: Annotated[str | None, partial(check_optional_text, limit=MAX_LESSON_CHARS, empty=True)] = None
    """Empty removes it."""


@dataclass(frozen=True, slots=True)
class ClarificationAnswer(Checked):
    """An answer to a question about two facts."""

    keep: Annotated[UUID | str, check_keep]
    """Id of the fact that is right, or both."""
    text: Annotated[str | None, partial(check_optional_text, limit=MAX_ANSWER_CHARS)] = None
    """The user's words."""


@dataclass(frozen=True, slots=True)
class Filters(Checked):
    """Hard filters of a read, combined with and; `tags` matches any of them."""

    tags: Annotated[Sequence[str] | None, some(check_words)] = None
    since: Time = None
    until: Time = None
    recipient: Line = None
    agent: Line = None
    min_importance: Share = None
    """Of the stored importance, 0 to 1, inclusive."""

    def __post_init__(self) -> None:
        Checked.__post_init__(self)
        check_order(self.since, self.until)


@dataclass(frozen=True, slots=True)
class Mood(Checked):
    """Present mood and topics, used by profiles and context filters."""

    emotions: Emotions = None
    valence: Valence = None
    topics: Annotated[Sequence[str] | None, some(check_words)] = None


@dataclass(frozen=True, slots=True)
class RecallQuery(Checked):
    """A recall: query, ranking and filters."""

    query: Annotated[str, partial(check_text, limit=MAX_QUERY_CHARS)]
    k: Annotated[int, partial(check_count, low=1, high=MAX_K)] = 10
    mode: Annotated[str, partial(check_choice, choices=MODES)] = "tool"
    profile: Line = None
    """A name of profiles.PROFILES or of the bank's profiles; default: the bank's."""
    types: Annotated[Sequence[str] | None, some(check_choices, choices=MEMORY_TYPES)] = None
    filters: Filters = field(default_factory=Filters)
    mood: Mood = field(default_factory=Mood)
    as_of: Time = None
    min_score: Score = None
    """Lowest score returned, in place of the profile's cut-off; 0 returns everything found."""
    by: Annotated[Sequence[str] | None, check_arms] = None
    """Arms that find candidates and make up the similarity; None: all. With `words` alone only memories with one of
    the query's words are found."""


@dataclass(frozen=True, slots=True)
class ContextQuery(Checked):
    """A context: message, budgets and ranking."""

    message: Annotated[str, partial(check_text, limit=MAX_MESSAGE_CHARS)]
    conversation_id: Line = None
    recent_tokens: Tokens = None
    knowledge_tokens: Tokens = None
    """Default: the bank's."""
    profile: Line = None
    """A name of profiles.PROFILES or of the bank's profiles; default: the bank's."""
    mood: Mood = field(default_factory=Mood)
    tokenizer: Tokenizer = "wordpiece"
    as_of: Time = None
    min_score: Score = None
    """Lowest score of facts and episodes, in place of the profile's cut-off; not applied to RECENT."""


@dataclass(frozen=True, slots=True)
class CompactQuery(Checked):
    """A compaction: recipient, purpose and size."""

    recipient: Name
    purpose: Name
    max_tokens: Tokens = None
    """Default: the bank's."""
    tokenizer: Tokenizer = "wordpiece"
    as_of: Time = None
