"""JSON Schemas of values, for the OpenAPI document only; the methods of Memory check the values."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from memory_service.api.writes import MAX_WAIT_MS
from memory_service.bank_settings import PROFILE, SETTINGS, Schema, whole
from memory_service.validation import (
    ARMS,
    BANK_ID,
    BOTH,
    MAX_ANSWER_CHARS,
    MAX_ID_CHARS,
    MAX_K,
    MAX_LESSON_CHARS,
    MAX_MESSAGE_CHARS,
    MAX_METADATA_CHARS,
    MAX_NOTE_CHARS,
    MAX_QUERY_CHARS,
    MAX_SCORE,
    MAX_SITUATION_CHARS,
    MAX_STEP_CHARS,
    MAX_TOKENS,
    MEMORY_TYPES,
    MODES,
    PROCEDURE_KINDS,
    PROCEDURE_OUTCOMES,
    TOKENIZERS,
)  # fmt: skip
from memory_service.vocabulary import EMOTIONS

_SPACE = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
LINE: Schema = {
    "minLength": 1, "maxLength": MAX_ID_CHARS, "pattern": f"^[^{_CONTROL}]*[^{_CONTROL}{_SPACE}][^{_CONTROL}]*$",
}  # fmt: skip
"""A single line that is not blank."""


def text(limit: int, *, empty: bool = False) -> Schema:
    pattern = r"^[^\x00]*$" if empty else rf"^[^\x00]*[^\x00{_SPACE}][^\x00]*$"
    return {"minLength": 0 if empty else 1, "maxLength": limit, "pattern": pattern}


def one_of(choices: tuple[str, ...]) -> Schema:
    return {"enum": list(choices)}


def between(low: float, high: float) -> Schema:
    return {"minimum": low, "maximum": high}


def documented(schema: Schema) -> Any:
    """A Field that documents `schema` without validating it."""
    return Field(json_schema_extra=schema)


Line = Annotated[str, documented(LINE)]
Actor = Annotated[Line | None, Field(description="name recorded as the actor; default: operator")]
Text = Annotated[str, documented(text(MAX_MESSAGE_CHARS))]
Said = Annotated[str, documented(text(MAX_MESSAGE_CHARS, empty=True))]
Query = Annotated[str, documented(text(MAX_QUERY_CHARS))]
Lesson = Annotated[str, documented(text(MAX_LESSON_CHARS))]
ChangedLesson = Annotated[str, documented(text(MAX_LESSON_CHARS, empty=True))]
Situation = Annotated[str, documented(text(MAX_SITUATION_CHARS))]
Step = Annotated[str, documented(text(MAX_STEP_CHARS))]
ProcedureKind = Annotated[str, documented(one_of(PROCEDURE_KINDS))]
Outcome = Annotated[str, documented(one_of(PROCEDURE_OUTCOMES))]
Note = Annotated[str, documented(text(MAX_NOTE_CHARS))]
MemoryId = Annotated[str, documented({"format": "uuid"})]
Answer = Annotated[str, documented(text(MAX_ANSWER_CHARS))]
BankId = Annotated[str, documented({"pattern": f"^{BANK_ID.pattern}$"})]
Keep = Annotated[str, documented({"anyOf": [{"const": BOTH}, {"format": "uuid"}]})]
ProfileName = Annotated[str, documented(PROFILE)]
Role = Annotated[str, documented(one_of(("user", "assistant", "system", "tool")))]
CommittedType = Annotated[str, documented(one_of(MEMORY_TYPES))]
Mode = Annotated[str, documented(one_of(MODES))]
Tokenizer = Annotated[str, documented(one_of(TOKENIZERS))]
Emotion = Annotated[str, documented(one_of(EMOTIONS))]
MemoryType = Annotated[str, documented(one_of(MEMORY_TYPES))]
Arm = Annotated[str, documented(one_of(ARMS))]
Share = Annotated[float, documented(between(0, 1))]
Valence = Annotated[float, documented(between(-1, 1))]
Score = Annotated[float, documented(between(0, MAX_SCORE))]
Whole = Annotated[int, BeforeValidator(whole)]
Count = Annotated[Whole, documented(between(1, MAX_K))]
Tokens = Annotated[Whole, documented(between(0, MAX_TOKENS))]
Wait = Annotated[Whole, documented(between(0, MAX_WAIT_MS))]
_ENTRIES: Schema = {
    "propertyNames": text(MAX_ID_CHARS),
    "additionalProperties": {"$ref": "#/components/schemas/JsonValue"},
}
JSON_VALUE: Schema = {
    "title": "JsonValue",
    **text(MAX_METADATA_CHARS, empty=True),
    "items": {"$ref": "#/components/schemas/JsonValue"},
    **_ENTRIES,
}
"""A value in metadata, of any type: each keyword limits one type. Generators of clients refuse a recursive `anyOf`."""
Metadata = Annotated[dict[str, Any], documented({"type": "object", **_ENTRIES})]
_TEXT: Schema = {"pattern": r"^[^\x00]*$"}
SESSION_DATA: Schema = {
    "type": "object",
    "propertyNames": _TEXT,
    "additionalProperties": {"$ref": "#/components/schemas/SessionValue"},
}
SESSION_VALUE: Schema = {
    "title": "SessionValue",
    **_TEXT,
    "items": {"$ref": "#/components/schemas/SessionValue"},
    "propertyNames": _TEXT,
    "additionalProperties": {"$ref": "#/components/schemas/SessionValue"},
}
"""A value in a session's data, of any type."""

SETTINGS_SHAPE: Schema = {
    "additionalProperties": False,
    "properties": {name: {"anyOf": [one.values.schema, {"type": "null"}]} for name, one in SETTINGS.items()},
}
Settings = Annotated[dict[str, Any], documented(SETTINGS_SHAPE)]
