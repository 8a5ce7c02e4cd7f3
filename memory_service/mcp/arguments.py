"""Arguments of the tools. The methods of `MemoryMethods` check values further."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from memory_service.mcp.answers import DEFAULT_TOKENS
from memory_service.validation import MAX_K
from memory_service.vocabulary import FactStatus, MemoryType

MAX_FORGOTTEN = 20
"""Ids that one call of `forget` takes."""
MAX_LISTED = 50

Limit = Annotated[int, Field(ge=1, le=MAX_LISTED)]


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Remember(Arguments):
    content: Annotated[str, Field(description="one statement that makes sense alone")]
    type: Annotated[MemoryType, Field(description="an event, a lasting fact, or a way of doing things")] = (
        "episodic"
    )
    occurred_at: datetime | None = None
    importance: Annotated[float, Field(ge=0, le=1)] | None = None


class Recall(Arguments):
    query: str
    limit: Annotated[int, Field(ge=1, le=MAX_K)] = 10
    since: datetime | None = None
    until: datetime | None = None
    max_tokens: Annotated[int, Field(ge=200, le=20_000)] = DEFAULT_TOKENS


class Context(Arguments):
    message: Annotated[str, Field(description="the user's message")]
    conversation_id: str | None = None


class Facts(Arguments):
    status: list[FactStatus] | None = None
    as_of: Annotated[datetime | None, Field(description="true at this time")] = None
    known_at: Annotated[datetime | None, Field(description="as known at this time")] = None
    limit: Limit = 20
    cursor: str | None = None


class Correct(Arguments):
    fact_id: UUID
    action: Literal["confirm", "dispute", "retract", "pin"]


class Forget(Arguments):
    memory_ids: Annotated[list[UUID], Field(min_length=1, max_length=MAX_FORGOTTEN)]
    confirm: Annotated[str | None, Field(description="from the dry run of the same ids")] = None


class Questions(Arguments):
    question_id: Annotated[UUID | None, Field(description="answers this question")] = None
    keep: Annotated[
        UUID | Literal["both"] | None,
        WithJsonSchema({"type": "string"}),
        Field(description="fact_id that is right, or both"),
    ] = None
    text: Annotated[str | None, Field(description="the user's words")] = None
    limit: Limit = 10
    cursor: str | None = None


class Why(Arguments):
    trace_id: Annotated[UUID | None, Field(description="of a recall or context")] = None
    memory_id: Annotated[UUID | None, Field(description="or fact_id")] = None
