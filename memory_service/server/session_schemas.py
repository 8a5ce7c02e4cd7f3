"""Request bodies about sessions."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from memory_service.api.sessions import LAST_VERSION, MAX_NOTE_CHARS
from memory_service.server import value_schemas
from memory_service.server.schemas import Body
from memory_service.server.value_schemas import Whole, between, documented, text
from memory_service.validation import BANK_ID

SessionId = Annotated[str, documented({"pattern": f"^{BANK_ID.pattern}$"})]
Version = Annotated[Whole, documented(between(1, LAST_VERSION))]
Data = Annotated[dict[str, Any], documented(value_schemas.SESSION_DATA)]
Appended = Annotated[
    dict[str, list[Any]],
    documented(
        value_schemas.SESSION_DATA
        | {
            "additionalProperties": {
                "type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/SessionValue"},
            }
        }
    ),
]  # fmt: skip
CheckpointId = Annotated[UUID, Field(strict=False)]  # as text
Note = Annotated[str, documented(text(MAX_NOTE_CHARS))]


class SessionBody(Body):
    session_id: SessionId | None = Field(
        None, description="1 to 128 characters: letters, digits, _ - . : @; default: a new UUID"
    )
    state: value_schemas.Line = Field(description="name of the state", examples=["ASSET_SCANNING"])
    data: Data = Field(default={}, description="any JSON object; secrets in it are redacted")


class SessionChangeBody(Body):
    """Fields that are absent or null stay as they are."""

    version: Version = Field(description="the version that was read; 409 if the session has changed since")
    state: value_schemas.Line | None = None
    data: Data | None = Field(
        None, description="merged at the top level: replaces the values of its keys; null removes a key"
    )
    append: Appended | None = Field(None, description="items to append to lists of the data, by key")


class CheckpointBody(Body):
    name: value_schemas.Line | None = Field(
        None, description="a checkpoint with a name is kept until it is deleted"
    )
    note: Note | None = None


class RestoreSessionBody(Body):
    checkpoint_id: CheckpointId


class ForkBody(Body):
    checkpoint_id: CheckpointId | None = Field(None, description="default: the session as it is")
    session_id: SessionId | None = Field(None, description="of the new session; default: a new UUID")
