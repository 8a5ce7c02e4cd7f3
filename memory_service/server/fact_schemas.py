"""The HTTP contract's bodies about facts."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from memory_service import requests
from memory_service.server import value_schemas
from memory_service.server.schemas import Body


class JudgeBody(Body):
    actor: value_schemas.Line | None = Field(None, description="who says so; default operator")


class AnswerBody(Body):
    keep: value_schemas.Keep = Field(description="the memory_id of the fact that is right, or both")
    text: value_schemas.Answer | None = Field(None, description="what the user said, in words")
    actor: value_schemas.Line | None = Field(None, description="who says so; default operator")

    def to_input(self) -> requests.ClarificationAnswer:
        return requests.ClarificationAnswer(self.keep, self.text)


class EarlierAnswer(BaseModel):
    fact: str
    retired: datetime
    reason: str | None


class FactAnswer(BaseModel):
    memory_id: UUID
    fact: str
    subject: str | None
    attribute: str | None
    value: str | None
    confidence: float = Field(description="0 to 1, faded to the moment that was asked about")
    status: str = Field(description="tentative, stable, deprecated or merged_into")
    importance: float
    evidence_count: int = Field(description="episodes that say so")
    first_observed: datetime
    last_confirmed: datetime
    valid_from: datetime
    valid_to: datetime | None = Field(description="until when it was true; null while it is")
    superseded_by: UUID | None = Field(description="the fact that became true in its place")
    merged_into_id: UUID | None = Field(description="the fact that stands for this one")
    retracted_at: datetime | None = Field(description="when somebody said that it was never true")
    pinned: bool = Field(description="does not fade")
    unconfirmed: bool = Field(description="in a conflict that is still to be settled")
    tags: list[str]
    recipients: list[str]
    metadata: dict[str, Any]
    recorded_at: datetime
    source: str
    agent_id: str | None
    extracted_by: str | None
    contradictions: list[UUID] = Field(description="facts that it contradicts")
    derived_from: list[UUID] = Field(description="the episodes that say so, the oldest first")
    version_history: list[EarlierAnswer] = Field(
        description="what it said, and what held in its place, before; every state of it: /history"
    )


class FactsAnswer(BaseModel):
    items: list[FactAnswer]
    next_cursor: str | None


class VersionAnswer(BaseModel):
    version: int
    at: datetime = Field(description="when this became known")
    reason: str
    actor: str
    fact: str
    status: str
    confidence: float = Field(description="as of the last confirmation, not faded")
    importance: float
    evidence_count: int
    first_observed: datetime
    last_confirmed: datetime
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: UUID | None
    merged_into_id: UUID | None
    retracted_at: datetime | None
    pinned: bool


class VersionsAnswer(BaseModel):
    items: list[VersionAnswer]
    next_cursor: str | None


class AskedAboutAnswer(BaseModel):
    memory_id: UUID
    fact: str
    status: str
    valid_from: datetime


class ClarificationAnswer(BaseModel):
    clarification_id: UUID
    question: str
    facts: list[AskedAboutAnswer] = Field(description="the two that it is about, the older first")
    importance: float
    status: str = Field(description="open, answered or void")
    created_at: datetime
    offered_at: datetime | None = Field(description="when a context last asked it")
    answered_at: datetime | None
    keep: str | UUID | None = Field(description="the answer: a fact's memory_id or both")
    answer: str | None = Field(description="what the user said, without secrets")
    actor: str | None


class ClarificationsAnswer(BaseModel):
    items: list[ClarificationAnswer]
    next_cursor: str | None
