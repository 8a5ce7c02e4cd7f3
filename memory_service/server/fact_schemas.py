"""Request bodies about facts."""

from __future__ import annotations

from pydantic import Field

from memory_service.server import value_schemas
from memory_service.server.schemas import Body


class JudgeBody(Body):
    actor: value_schemas.Actor = None


class AnswerBody(Body):
    keep: value_schemas.Keep = Field(description="memory_id of the fact that is right, or `both`")
    text: value_schemas.Answer | None = Field(None, description="the user's answer as text")
    actor: value_schemas.Actor = None
