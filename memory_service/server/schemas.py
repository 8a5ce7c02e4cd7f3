"""The HTTP contract's bodies. Shapes and types are checked here, values where the inputs are made."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, cast
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from memory_service.profiles import PROFILES
from memory_service.server import value_schemas
from memory_service.types import QueueStats, SupersededFact
from memory_service.validation import MAX_K, MAX_LIST, MAX_MESSAGES, TOKENIZERS


def parse_time(value: object) -> object:
    """ISO 8601 only: a bare number is no time, and one without a zone is nobody's."""
    if value is None or isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("must be a time such as 2026-03-01T09:30:00Z")
    try:
        # Unprintable: Python itself ignores NULs at the end and takes anything at all for the T.
        parsed = datetime.fromisoformat(value if value.isprintable() else "")
    except ValueError:
        raise ValueError("must be a time such as 2026-03-01T09:30:00Z") from None
    if parsed.tzinfo is None:
        raise ValueError("has no time zone; write 2026-03-01T09:30:00Z or +01:00")
    return parsed


Time = Annotated[datetime, BeforeValidator(parse_time)]


def at_most(limit: int) -> BeforeValidator:
    """Counts a list before any of its entries is looked at."""

    def check(value: object) -> object:
        count = len(cast("list[object]", value)) if isinstance(value, list) else 0
        if count > limit:
            raise ValueError(f"has {count} entries; at most {limit} are accepted")
        return cast("object", value)

    return BeforeValidator(check)


Words = Annotated[list[value_schemas.Line], Field(max_length=MAX_LIST, fail_fast=True), at_most(MAX_LIST)]
Emotions = Annotated[
    list[value_schemas.Emotion], Field(max_length=MAX_LIST, fail_fast=True), at_most(MAX_LIST)
]
Types = Annotated[
    list[value_schemas.MemoryType], Field(max_length=MAX_LIST, fail_fast=True), at_most(MAX_LIST)
]
Arms = Annotated[
    list[value_schemas.Arm],
    Field(max_length=MAX_LIST, fail_fast=True, json_schema_extra={"minItems": 1}),
    at_most(MAX_LIST),
]


BANKS_BUDGET = "tokens; default the bank's"
ONE_TOKENIZER = f"counts the text: one of {', '.join(TOKENIZERS)}"


class Body(BaseModel):
    """Unknown fields are errors: a misspelt filter must not silently widen a search."""

    model_config = ConfigDict(strict=True, extra="forbid")


class BankBody(Body):
    bank_id: value_schemas.BankId = Field(
        description="1 to 128 of letters, digits, _ - . : @", examples=["anna"]
    )
    settings: value_schemas.Settings = Field(default={}, description="intake: exchange, snippet or verbatim")


class SettingsBody(Body):
    settings: value_schemas.Settings = Field(
        description="merged with what is set; null takes one back to its default"
    )


class MessageBody(Body):
    role: value_schemas.Role = Field(description="user, assistant, system or tool")
    content: value_schemas.Said
    name: value_schemas.Line | None = None
    occurred_at: Time | None = None
    id: value_schemas.Line | None = Field(None, description="your own id; the same id again is stored once")
    metadata: value_schemas.Metadata | None = None


class MessagesBody(Body):
    conversation_id: value_schemas.Line
    agent_id: value_schemas.Line | None = None
    messages: Annotated[
        list[MessageBody],
        Field(max_length=MAX_MESSAGES, fail_fast=True, json_schema_extra={"minItems": 1}),
        at_most(MAX_MESSAGES),
    ]


class MemoryBody(Body):
    type: value_schemas.CommittedType = Field(
        "episodic", description="episodic: what happened; semantic: what is true, a fact"
    )
    content: value_schemas.Text
    tags: Words | None = None
    metadata: value_schemas.Metadata | None = None
    importance: value_schemas.Share | None = None
    emotions: Emotions | None = None
    valence: value_schemas.Valence | None = None
    topics: Words | None = None
    entities: Words | None = None
    lesson: value_schemas.Lesson | None = None
    occurred_at: Time | None = None
    recipients: Words | None = None
    agent_id: value_schemas.Line | None = None
    idempotency_key: value_schemas.Line | None = None
    wait_ms: value_schemas.Wait = 0


PROFILE = f"{', '.join(PROFILES)}, or one of the bank's own; the bank's default where not given"


MIN_SCORE = "lowest score that is returned, in place of the profile's cut-off; 0 returns whatever is found"


class RecallBody(Body):
    query: value_schemas.Query
    k: value_schemas.Count = Field(10, description=f"1 to {MAX_K}")
    mode: value_schemas.Mode = "tool"
    profile: value_schemas.ProfileName | None = Field(None, description=PROFILE)
    types: Types | None = None
    tags: Words | None = None
    min_importance: value_schemas.Share | None = Field(None, description="0 to 1, of the stored importance")
    since: Time | None = None
    until: Time | None = None
    recipient: value_schemas.Line | None = None
    agent: value_schemas.Line | None = None
    emotions: Emotions | None = None
    valence: value_schemas.Valence | None = None
    topics: Words | None = None
    as_of: Time | None = None
    explain: bool = False
    min_score: value_schemas.Score | None = Field(None, description=MIN_SCORE)
    by: Arms | None = Field(
        None,
        description="what to go by, any of meaning (the query's vector), words, salience (importance and recency); "
        "all where not given",
        examples=[["meaning"]],
    )


class ContextBody(Body):
    message: value_schemas.Text
    conversation_id: value_schemas.Line | None = None
    recent_tokens: value_schemas.Tokens | None = Field(None, description=BANKS_BUDGET)
    knowledge_tokens: value_schemas.Tokens | None = Field(None, description=BANKS_BUDGET)
    profile: value_schemas.ProfileName | None = Field(None, description=PROFILE)
    emotions: Emotions | None = None
    valence: value_schemas.Valence | None = None
    topics: Words | None = None
    tokenizer: value_schemas.Tokenizer = Field("wordpiece", description=ONE_TOKENIZER)
    as_of: Time | None = None
    min_score: value_schemas.Score | None = Field(None, description=f"of facts and episodes: {MIN_SCORE}")


class CompactBody(Body):
    recipient: value_schemas.Line = Field(description="whom the message is for", examples=["Michael"])
    purpose: value_schemas.Line = Field(
        description="what it is for; memories tagged with it, or a word of it, come in", examples=["farewell"]
    )
    max_tokens: value_schemas.Tokens | None = Field(None, description=BANKS_BUDGET)
    tokenizer: value_schemas.Tokenizer = Field("wordpiece", description=ONE_TOKENIZER)
    as_of: Time | None = None


class ReleaseBody(Body):
    actor: value_schemas.Line | None = Field(None, description="who vouches for the memory; default operator")


class RestoreBody(Body):
    actor: value_schemas.Line | None = Field(None, description="who wants the memory back; default operator")


class BankAnswer(BaseModel):
    bank_id: str
    settings: dict[str, Any]
    embedding_model: str
    created_at: datetime


class MessagesAnswer(BaseModel):
    message_ids: list[UUID]


class CommittedAnswer(BaseModel):
    memory_id: UUID
    status: str


class RecalledAnswer(BaseModel):
    """`RecalledMemory` with optional fields."""

    memory_id: UUID
    type: str
    content: str
    reply: str | None = Field(description="an extract of the assistant's reply")
    from_reply: bool = Field(description="the query matches the reply better than the content")
    occurred_at: datetime
    score: float
    metadata: dict[str, Any]
    reason: str
    superseded: SupersededFact | None = Field(
        None, description="of an episode that states a fact which is no longer true: that fact; else absent"
    )
    components: dict[str, float] | None = Field(
        None,
        description="with `explain`: similarity, importance as ranked with, recency (0 to 1 each), emotion (labels "
        "shared with the mood), stored_importance, age_days; of a fact its decayed confidence",
    )


class RecallAnswer(BaseModel):
    items: list[RecalledAnswer]
    degraded: bool
    trace_id: UUID


class RestoredAnswer(BaseModel):
    memory_id: UUID
    status: str = Field(description="pending_embedding until it is embedded again")


class RedrivenAnswer(BaseModel):
    redriven: int


class ReadyAnswer(BaseModel):
    status: Literal["ready", "degraded"]
    queue: QueueStats
