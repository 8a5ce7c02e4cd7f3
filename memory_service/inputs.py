"""What callers hand in, checked when it is made: every door builds these, so every door gives the same error.

Errors: InvalidInput naming the field, for each of them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast, get_args
from uuid import UUID

from memory_service.errors import InvalidInput
from memory_service.types import EMOTIONS, Role

MAX_MESSAGE_CHARS = 32_000
MAX_MESSAGES = 100
MAX_ID_CHARS = 256
MAX_LIST = 64
MAX_FACT_CHARS = 2_000
"""A fact is a sentence or a few; a longer text is an episode."""
MAX_ANSWER_CHARS = 2_000
MAX_METADATA_CHARS = 16_000
MAX_K = 100
MAX_QUERY_CHARS = 8_000
MAX_TOKENS = 100_000

EARLIEST = datetime(1800, 1, 1, tzinfo=UTC)
"""Diaries of grandparents are welcome; a date before this is a unit mistake (seconds read as years)."""
FUTURE_TOLERANCE = timedelta(days=1)
"""What has not happened is no memory; a clock may be wrong by this much."""

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
BANK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}")

MEMORY_TYPES = ("episodic", "semantic", "procedural")
STATUSES = (
    "pending_embedding", "active", "archived", "deprecated", "merged_into", "quarantined", "failed",
    "tentative", "stable",
)  # fmt: skip
FACT_STATUSES = ("tentative", "stable", "deprecated", "merged_into")
CLARIFICATION_STATUSES = ("open", "answered", "void")
BOTH: Literal["both"] = "both"
"""The answer to a question about two facts that keeps both."""
OPERATOR = "operator"
"""Who acts where nobody says who."""
MODES = ("tool", "passive")
ARMS = ("meaning", "words", "salience")
"""What a recall may go by: the query's vector; its words; what stands out by importance and recency."""
TOKENIZERS = ("wordpiece", "o200k_base", "cl100k_base", "chars4")
ORDERS = ("recency", "importance")
"""Of a list of memories."""
LANGUAGES = (
    "simple", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""Postgres' text search configurations, those of every supported version: how words are stemmed in full-text search."""


def check_bank_id(value: object, name: str = "bank_id") -> str:
    if not isinstance(value, str) or not BANK_ID.fullmatch(value):
        raise InvalidInput(
            name, "must be 1 to 128 of letters, digits, _ - . : @ and begin with a letter or digit"
        )
    return value


def check_text(value: object, name: str, limit: int, *, empty: bool = False) -> str:
    """Text that Postgres can store: no NUL, no lone surrogates, within the limit of characters."""
    if not isinstance(value, str):
        raise InvalidInput(name, f"must be a string, not {type(value).__name__}")
    if not empty and not value.strip():
        raise InvalidInput(name, "must not be empty")
    if len(value) > limit:
        raise InvalidInput(name, f"is {len(value):,} characters long; at most {limit:,} are accepted")
    if "\0" in value:
        raise InvalidInput(name, "contains a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(name, "contains a lone surrogate, which is no character") from None
    return value


def check_line(value: object, name: str, limit: int = MAX_ID_CHARS) -> str:
    """Text of one line: names, ids, tags. A line break in one could forge lines where it is printed."""
    line = check_text(value, name, limit)
    if not line.isprintable() and CONTROL.search(line):
        raise InvalidInput(name, "contains a line break or another control character")
    return line


def check_optional_line(value: object, name: str) -> str | None:
    return None if value is None else check_line(value, name)


def check_time(value: object, name: str) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise InvalidInput(name, "must be a time such as 2026-03-01T09:30:00Z")
    if value.tzinfo is None or value.utcoffset() is None:
        raise InvalidInput(name, "has no time zone; write 2026-03-01T09:30:00Z or +01:00")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(name, "is out of range") from None


def check_order(since: datetime | None, until: datetime | None) -> None:
    """Two checked times that bound a read from either side: turned round they would let nothing through."""
    if since is not None and until is not None and since > until:
        raise InvalidInput("since", "is after until")


def check_past(value: object, name: str) -> datetime | None:
    """When something happened: not before 1800, not after tomorrow."""
    at = check_time(value, name)
    if at is not None and at < EARLIEST:
        raise InvalidInput(name, "is before the year 1800")
    if at is not None and at > datetime.now(UTC) + FUTURE_TOLERANCE:
        raise InvalidInput(name, "is in the future")
    return at


def check_number(value: object, name: str, low: float, high: float) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidInput(name, "must be a finite number")
    if not low <= value <= high:
        raise InvalidInput(name, f"must be between {low:g} and {high:g}")
    return float(value)


def check_flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(name, "must be true or false")
    return value


def check_count(value: object, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(name, "must be a whole number")
    if not low <= value <= high:
        raise InvalidInput(name, f"must be between {low:,} and {high:,}")
    return value


def check_words(value: object, name: str) -> tuple[str, ...] | None:
    """A list of short strings: tags, topics, recipients. Order kept, repetitions dropped."""
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(name, "must be a list of strings")
    items = cast("Sequence[object]", value)
    if len(items) > MAX_LIST:
        raise InvalidInput(name, f"has {len(items)} entries; at most {MAX_LIST} are accepted")
    return tuple(dict.fromkeys(check_line(v, f"{name}[{i}]") for i, v in enumerate(items)))


def check_arms(value: object, name: str) -> tuple[str, ...]:
    """Some of ARMS, at least one, in their order, repetitions dropped; None is all."""
    wanted = ARMS if value is None else check_words(value, name) or ()
    if not wanted:
        raise InvalidInput(name, f"must name at least one of {', '.join(ARMS)}")
    for i, arm in enumerate(wanted):
        check_choice(arm, f"{name}[{i}]", ARMS)
    return tuple(arm for arm in ARMS if arm in wanted)


def check_choice(value: object, name: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise InvalidInput(name, f"must be one of {', '.join(choices)}")
    return cast("str", value)


def check_keep(value: object, name: str) -> UUID | Literal["both"]:
    """A fact's id, as such or as text, or both."""
    if value == BOTH:
        return BOTH
    try:
        return value if isinstance(value, UUID) else UUID(check_line(value, name))
    except ValueError:
        raise InvalidInput(name, f"must be the memory_id of one of the two facts, or {BOTH}") from None


def check_emotions(value: object, name: str) -> tuple[str, ...] | None:
    labels = check_words(value, name)
    for i, label in enumerate(labels or ()):
        check_choice(label, f"{name}[{i}]", EMOTIONS)
    return labels


def check_metadata(value: object, name: str = "metadata") -> dict[str, Any]:
    """A JSON object of plain values; checked deeply, because jsonb refuses NUL and NaN only when it is too late."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(name, "must be an object")
    check_json(cast("object", value), name)
    plain = dict(cast("Mapping[str, Any]", value))
    if len(json.dumps(plain)) > MAX_METADATA_CHARS:
        raise InvalidInput(name, f"is larger than {MAX_METADATA_CHARS:,} characters of JSON")
    return plain


def check_json(root: object, name: str) -> None:
    """Walk a JSON value without recursion, so that a deep one is an error and not a crash."""
    stack: list[tuple[object, str, int]] = [(root, name, 0)]
    while stack:
        value, path, depth = stack.pop()
        if depth > 32:
            raise InvalidInput(name, "is nested deeper than 32 levels")
        if isinstance(value, str):
            check_text(value, path, MAX_METADATA_CHARS, empty=True)
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise InvalidInput(path, "must be a finite number")
        elif isinstance(value, Mapping):
            for key, inner in cast("Mapping[object, object]", value).items():
                check_text(key, f"{path} key", MAX_ID_CHARS)
                stack.append((inner, f"{path}.{key}", depth + 1))
        elif isinstance(value, list | tuple):
            for i, inner in enumerate(cast("Sequence[object]", value)):
                stack.append((inner, f"{path}[{i}]", depth + 1))
        elif value is not None and not isinstance(value, bool | int):
            raise InvalidInput(path, f"is of type {type(value).__name__}, which JSON does not have")


@dataclass(frozen=True, slots=True)
class NewMessage:
    """One raw utterance to be taken in (S2 raw log)."""

    role: str
    content: str
    name: str | None = None
    occurred_at: datetime | None = None
    """When it was said; now, where not given."""
    id: str | None = None
    """The caller's own id: the same id again is stored once."""
    metadata: Mapping[str, Any] | None = None

    def checked(self, at: str) -> NewMessage:
        """This message, checked; `at` is where it stands in the request, for the error's field name."""
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
    """A conscious commit (S4): fields that are not given are extracted."""

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

    def __post_init__(self) -> None:
        check_text(self.content, "content", MAX_MESSAGE_CHARS)
        check_choice(self.type, "type", MEMORY_TYPES)
        if self.type == "procedural":
            raise InvalidInput("type", "procedural memories cannot be committed yet; the other types can")
        if self.type == "semantic":
            check_text(self.content, "content", MAX_FACT_CHARS)
        for name in ("tags", "topics", "entities", "recipients"):
            object.__setattr__(self, name, check_words(getattr(self, name), name))
        object.__setattr__(self, "emotions", check_emotions(self.emotions, "emotions"))
        object.__setattr__(self, "importance", check_number(self.importance, "importance", 0, 1))
        object.__setattr__(self, "valence", check_number(self.valence, "valence", -1, 1))
        object.__setattr__(self, "metadata", check_metadata(self.metadata))
        object.__setattr__(self, "occurred_at", check_past(self.occurred_at, "occurred_at"))
        if self.lesson is not None:
            check_text(self.lesson, "lesson", 2_000)
        check_optional_line(self.idempotency_key, "idempotency_key")
        check_optional_line(self.agent_id, "agent_id")


@dataclass(frozen=True, slots=True)
class ClarificationAnswer:
    """What the user said to a question about two facts."""

    keep: UUID | str
    """The id of the fact that is right, or both."""
    text: str | None = None
    """What was said, in words."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "keep", check_keep(self.keep, "keep"))
        if self.text is not None:
            check_text(self.text, "text", MAX_ANSWER_CHARS)


@dataclass(frozen=True, slots=True)
class Filters:
    """Hard filters of a read, all optional, combined with and; `tags` matches any of them (S5)."""

    tags: Sequence[str] | None = None
    since: datetime | None = None
    until: datetime | None = None
    recipient: str | None = None
    agent: str | None = None
    min_importance: float | None = None
    """As stored, 0 to 1; what is exactly as important passes."""

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
    """What the caller knows of the present mood and matter: S2's context filters go by it."""

    emotions: Sequence[str] | None = None
    valence: float | None = None
    topics: Sequence[str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "emotions", check_emotions(self.emotions, "emotions"))
        object.__setattr__(self, "valence", check_number(self.valence, "valence", -1, 1))
        object.__setattr__(self, "topics", check_words(self.topics, "topics") or None)


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What to recall, how it is ranked and filtered (DESIGN §8)."""

    query: str
    k: int = 10
    mode: str = "tool"
    profile: str | None = None
    """One of profiles.PROFILES or of the bank's own; the bank's default where not given."""
    types: Sequence[str] | None = None
    filters: Filters = field(default_factory=Filters)
    mood: Mood = field(default_factory=Mood)
    as_of: datetime | None = None
    explain: bool = False
    by: Sequence[str] | None = None
    """Which of ARMS find and judge them, None: all. By `words` alone, only memories come that have one of them."""

    def __post_init__(self) -> None:
        check_text(self.query, "query", MAX_QUERY_CHARS)
        check_count(self.k, "k", 1, MAX_K)
        check_choice(self.mode, "mode", MODES)
        check_optional_line(self.profile, "profile")
        object.__setattr__(self, "types", check_words(self.types, "types") or None)
        for i, name in enumerate(self.types or ()):
            check_choice(name, f"types[{i}]", MEMORY_TYPES)
        object.__setattr__(self, "as_of", check_time(self.as_of, "as_of"))
        object.__setattr__(self, "by", check_arms(self.by, "by"))


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """What a context is to be made for, and how large (DESIGN §5)."""

    message: str
    conversation_id: str | None = None
    recent_tokens: int = 300
    knowledge_tokens: int = 700
    profile: str | None = None
    """One of profiles.PROFILES or of the bank's own; the bank's default where not given."""
    mood: Mood = field(default_factory=Mood)
    tokenizer: str = "wordpiece"
    as_of: datetime | None = None

    def __post_init__(self) -> None:
        check_text(self.message, "message", MAX_MESSAGE_CHARS)
        check_optional_line(self.conversation_id, "conversation_id")
        check_count(self.recent_tokens, "recent_tokens", 0, MAX_TOKENS)
        check_count(self.knowledge_tokens, "knowledge_tokens", 0, MAX_TOKENS)
        check_optional_line(self.profile, "profile")
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        object.__setattr__(self, "as_of", check_time(self.as_of, "as_of"))


@dataclass(frozen=True, slots=True)
class CompactQuery:
    """For whom and for what a bank is compacted, and how large (S5 "Context compaction process")."""

    recipient: str
    purpose: str
    max_tokens: int = 8000
    tokenizer: str = "wordpiece"
    as_of: datetime | None = None

    def __post_init__(self) -> None:
        for name in ("recipient", "purpose"):
            object.__setattr__(self, name, check_line(getattr(self, name), name).strip())
        check_count(self.max_tokens, "max_tokens", 0, MAX_TOKENS)
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        object.__setattr__(self, "as_of", check_time(self.as_of, "as_of"))
