"""Request and response bodies. Shapes and types are checked here, values by the methods of Memory."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar, cast
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from memory_service.access_tokens import DEFAULT_SECONDS, MAX_SECONDS
from memory_service.errors import InvalidInput
from memory_service.iso_time import parsed_time
from memory_service.profiles import PROFILES
from memory_service.requests import PROCEDURE_FIELDS
from memory_service.results import QueueStats, SupersededFact
from memory_service.server import value_schemas
from memory_service.validation import MAX_K, MAX_LIST, MAX_MESSAGES, TOKENIZERS


def parse_time(value: object) -> object:
    """A datetime from ISO 8601 text with a zone. Errors: ValueError, also for numbers, which pydantic would accept."""
    if isinstance(value, datetime):
        return value
    try:
        return parsed_time(value, "")
    except InvalidInput as error:
        raise ValueError(error.problem) from None


Time = Annotated[datetime, BeforeValidator(parse_time)]


def at_most(limit: int) -> BeforeValidator:
    """Validator that limits a list's length before pydantic validates its entries."""

    def check(value: object) -> object:
        count = len(cast("list[object]", value)) if isinstance(value, list) else 0
        if count > limit:
            raise ValueError(f"has {count} entries; at most {limit} are accepted")
        return cast("object", value)

    return BeforeValidator(check)


T = TypeVar("T")
ListOf = Annotated[list[T], Field(max_length=MAX_LIST, fail_fast=True), at_most(MAX_LIST)]
Words = ListOf[value_schemas.Line]
Steps = ListOf[value_schemas.Step]
Emotions = ListOf[value_schemas.Emotion]
Types = ListOf[value_schemas.MemoryType]
Arms = Annotated[ListOf[value_schemas.Arm], Field(json_schema_extra={"minItems": 1})]

BANKS_BUDGET = "token budget; default: the bank's"
ONE_TOKENIZER = f"tokenizer that counts the text: one of {', '.join(TOKENIZERS)}"


class Body(BaseModel):
    """Base of request bodies. Unknown fields are errors: a misspelt filter must not widen a search."""

    model_config = ConfigDict(strict=True, extra="forbid")


class BankBody(Body):
    bank_id: value_schemas.BankId = Field(
        description="1 to 128 characters: letters, digits, _ - . : @", examples=["anna"]
    )
    settings: value_schemas.Settings = Field(
        default={}, description="settings of the bank, such as intake: exchange, snippet or verbatim"
    )


class SettingsBody(Body):
    settings: value_schemas.Settings = Field(
        description="merged with the present settings; null restores a default"
    )


class MessageBody(Body):
    role: value_schemas.Role = Field(description="user, assistant, system or tool")
    content: value_schemas.Said
    name: value_schemas.Line | None = None
    occurred_at: Time | None = None
    id: value_schemas.Line | None = Field(
        None, description="the client's id; messages with the same id are stored once"
    )
    metadata: value_schemas.Metadata | None = None


class MessagesBody(Body):
    conversation_id: value_schemas.Line
    agent_id: value_schemas.Line | None = None
    lane: Literal["live", "import"] = "live"
    messages: Annotated[
        list[MessageBody],
        Field(max_length=MAX_MESSAGES, fail_fast=True, json_schema_extra={"minItems": 1}),
        at_most(MAX_MESSAGES),
    ]


OF_PROCEDURES: dict[str, Any] = {
    "if": {"properties": {"type": {"const": "procedural"}}, "required": ["type"]},
    "then": {},
    "else": {"properties": {name: {"type": "null"} for name in PROCEDURE_FIELDS}},
}
"""JSON Schema: other types do not have the fields of procedures."""


class MemoryBody(Body):
    model_config = ConfigDict(json_schema_extra=OF_PROCEDURES)

    type: value_schemas.CommittedType = Field(
        "episodic", description="episodic: an event; semantic: a fact; procedural: a procedure"
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
    situation: value_schemas.Situation | None = Field(
        None, description="of a procedure: when it applies; default: read from the content"
    )
    steps: Steps | None = Field(None, description="of a procedure, in order")
    why: value_schemas.Lesson | None = Field(None, description="of a procedure: the reason for it")
    kind: value_schemas.ProcedureKind | None = Field(
        None, description="of a procedure; default: skill with steps, else habit"
    )
    replaces: value_schemas.MemoryId | None = Field(
        None, description="of a procedure: memory_id of the procedure that it supersedes"
    )
    wait_ms: value_schemas.Wait = 0


class MemoryChangeBody(Body):
    """Fields that are absent or null stay as they are."""

    content: value_schemas.Text | None = Field(
        None, description="new content; it is extracted and embedded again, and derived facts are rechecked"
    )
    tags: Words | None = Field(None, description="replace the former tags")
    metadata: value_schemas.Metadata | None = Field(None, description="replaces the former metadata")
    importance: value_schemas.Share | None = None
    lesson: value_schemas.ChangedLesson | None = Field(None, description="of an episode; empty removes it")
    actor: value_schemas.Actor = None


class TokenBody(Body):
    role: Literal["read", "write"] = Field("read", description="at most the key's role")
    seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS, description="lifetime")] = DEFAULT_SECONDS


class TokenAnswer(BaseModel):
    token: str = Field(description="sent as Authorization: Bearer TOKEN")
    expires_at: datetime


PROFILE = f"{', '.join(PROFILES)}, or a profile of the bank; default: the bank's"


MIN_SCORE = "lowest score returned; replaces the profile's cut-off, 0 returns all candidates"


class RecallBody(Body):
    query: value_schemas.Query
    k: value_schemas.Count = Field(10, description=f"1 to {MAX_K}")
    mode: value_schemas.Mode = "tool"
    profile: value_schemas.ProfileName | None = Field(None, description=PROFILE)
    types: Types | None = None
    tags: Words | None = None
    min_importance: value_schemas.Share | None = Field(None, description="lowest stored importance, 0 to 1")
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
        description="recall arms: meaning (the query's vector), words, salience (importance and recency); default: all",
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
    recipient: value_schemas.Line = Field(description="person that the message is for", examples=["Michael"])
    purpose: value_schemas.Line = Field(
        description="purpose of the message; memories tagged with it, or with a word of it, are included",
        examples=["farewell"],
    )
    max_tokens: value_schemas.Tokens | None = Field(None, description=BANKS_BUDGET)
    tokenizer: value_schemas.Tokenizer = Field("wordpiece", description=ONE_TOKENIZER)
    as_of: Time | None = None


class ReleaseBody(Body):
    actor: value_schemas.Actor = None


class RestoreBody(Body):
    actor: value_schemas.Actor = None


class BankAnswer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    bank_id: str
    settings: dict[str, Any]
    embedding_model: str
    created_at: datetime


class MessagesAnswer(BaseModel):
    message_ids: list[UUID]
    queue_seconds: float
    """How long the oldest due message or memory of all banks has waited for intake; at most 5 s old."""


class CommittedAnswer(BaseModel):
    memory_id: UUID
    status: str
    created: bool = Field(description="false where the field `idempotency_key` had been used before")


class RecalledAnswer(BaseModel):
    """`RecalledMemory` whose fields `superseded` and `components` may be absent."""

    memory_id: UUID
    type: str
    content: str
    reply: str | None = Field(description="an extract of the assistant's reply")
    from_reply: bool = Field(description="the query matches the reply better than the content")
    occurred_at: datetime
    score: float
    metadata: dict[str, Any]
    reason: str
    components: dict[str, float] | None = Field(
        None,
        description="with `explain`: similarity, importance as used in the score, recency (0 to 1 each), emotion "
        "(labels shared with the mood), stored_importance, age_days; for a fact also its decayed confidence",
    )
    superseded: SupersededFact | None = Field(
        None, description="the fact that the episode states and that is no longer true; absent otherwise"
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
    queue: QueueStats | None = None
