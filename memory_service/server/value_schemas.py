"""JSON Schemas of values, for the OpenAPI document only; the methods of Memory check the values."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from memory_service.api.writes import MAX_WAIT_MS
from memory_service.bank_settings import (
    EXTRAS,
    MAX_DAYS,
    MAX_NAME,
    MAX_PROFILES,
    MAX_WEIGHT,
    MAX_YEARS,
    MIN_WEIGHT,
    MOST_EPISODES,
    MOST_FACTS,
    PROFILE_NAME,
    SETTINGS,
    STABLE_CONFIDENCE,
    WEIGHTS,
    whole,
)  # fmt: skip
from memory_service.config import MAX_DAILY_TOKENS
from memory_service.profiles import PROFILES
from memory_service.validation import (
    ARMS,
    BANK_ID,
    BOTH,
    LANGUAGES,
    MAX_ANSWER_CHARS,
    MAX_ID_CHARS,
    MAX_K,
    MAX_MESSAGE_CHARS,
    MAX_METADATA_CHARS,
    MAX_QUERY_CHARS,
    MAX_SCORE,
    MAX_TOKENS,
    MEMORY_TYPES,
    MODES,
    TOKENIZERS,
)  # fmt: skip
from memory_service.vocabulary import EMOTIONS

Schema = dict[str, Any]

_SPACE = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
LINE: Schema = {
    "minLength": 1, "maxLength": MAX_ID_CHARS, "pattern": f"^[^{_CONTROL}]*[^{_CONTROL}{_SPACE}][^{_CONTROL}]*$",
}  # fmt: skip
"""A single line that is not blank."""
PROFILE: Schema = {"format": "profile"}
"""The name of a built-in profile or of a profile of the bank."""


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
Text = Annotated[str, documented(text(MAX_MESSAGE_CHARS))]
Said = Annotated[str, documented(text(MAX_MESSAGE_CHARS, empty=True))]
Query = Annotated[str, documented(text(MAX_QUERY_CHARS))]
Lesson = Annotated[str, documented(text(2_000))]
Answer = Annotated[str, documented(text(MAX_ANSWER_CHARS))]
BankId = Annotated[str, documented({"pattern": f"^{BANK_ID.pattern}$"})]
Keep = Annotated[str, documented({"anyOf": [{"const": BOTH}, {"format": "uuid"}]})]
ProfileName = Annotated[str, documented(PROFILE)]
Role = Annotated[str, documented(one_of(("user", "assistant", "system", "tool")))]
CommittedType = Annotated[str, documented(one_of(("episodic", "semantic")))]
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
_OBJECT: Schema = {
    "type": "object",
    "propertyNames": text(MAX_ID_CHARS),
    "additionalProperties": {"$ref": "#/components/schemas/JsonValue"},
}
JSON_VALUE: Schema = {
    "title": "JsonValue",
    "anyOf": [
        {"type": ["null", "boolean", "number"]},
        {"type": "string", **text(MAX_METADATA_CHARS, empty=True)},
        {"type": "array", "items": {"$ref": "#/components/schemas/JsonValue"}},
        _OBJECT,
    ],
}
"""A value in metadata."""
Metadata = Annotated[dict[str, Any], documented(_OBJECT)]

_FLAG: Schema = {"type": "boolean"}
_DAYS: Schema = {"type": "number", **between(0, MAX_DAYS)}
_THRESHOLD: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
_TOKENS: Schema = {"type": "integer", **between(0, MAX_TOKENS)}
_SHARE: Schema = {"type": "number", **between(0, 1)}
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_NAME, "format": "name"}
_WEIGHT: Schema = {"anyOf": [{"const": 0}, {"type": "number", **between(MIN_WEIGHT, MAX_WEIGHT)}]}
_SETTINGS: dict[str, Schema] = {
    "subject": _NAME,
    "agent_name": _NAME,
    "intake": one_of(("exchange", "snippet", "verbatim")),
    "embedding_fallback": one_of(("wait", "fulltext")),
    "daily_tokens": {"type": "integer", **between(1, MAX_DAILY_TOKENS)},
    "language": one_of(LANGUAGES),
    "trace_days": _DAYS,
    "trace_query_days": _DAYS,
    "message_days": _DAYS,
    "compress_after_years": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_YEARS},
    "compress_keep_importance": _SHARE,
    "prune_after_days": {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_DAYS},
    "prune_below_importance": _SHARE,
    "most_active": {"type": "integer", **between(10, MOST_EPISODES)},
    "most_archived": {"type": "integer", **between(0, MOST_EPISODES)},
    "most_facts": {"type": "integer", **between(10, MOST_FACTS)},
    **dict.fromkeys(
        ("duplicate_threshold", "conflict_threshold", "evidence_threshold", "merge_threshold"), _THRESHOLD
    ),
    **dict.fromkeys(
        (
            "landmark_valence",
            "landmark_importance",
            "clarify_importance",
            "recent_importance",
            "context_confidence",
            "compaction_importance",
        ),
        _SHARE,
    ),
    **dict.fromkeys(("recent_days", "compaction_days", "consolidate_after_days"), _DAYS),
    **dict.fromkeys(("recent_tokens", "knowledge_tokens", "compaction_tokens"), _TOKENS),
    "deprecation_confidence": {"type": "number", **between(0, STABLE_CONFIDENCE)},
    "profile": {"type": "string", **PROFILE},
    "profiles": {
        "type": "object",
        "maxProperties": MAX_PROFILES,
        "propertyNames": {"pattern": f"^{PROFILE_NAME.pattern}$", "not": {"enum": list(PROFILES)}},
        "additionalProperties": {
            "type": "object",
            "required": list(WEIGHTS),
            "additionalProperties": False,
            "properties": {
                **dict.fromkeys((*WEIGHTS, "emotion"), _WEIGHT),
                **{
                    name: {"type": "number", **between(0, MAX_WEIGHT)} for name in EXTRAS if name != "emotion"
                },
            },
            "anyOf": [{"properties": {name: {"type": "number", "minimum": MIN_WEIGHT}}} for name in WEIGHTS],
        },
    },
}
"""JSON Schema by setting; a setting that is not listed is a boolean."""
SETTINGS_SHAPE: Schema = {
    "additionalProperties": False,
    "properties": {name: {"anyOf": [_SETTINGS.get(name, _FLAG), {"type": "null"}]} for name in SETTINGS},
}
Settings = Annotated[dict[str, Any], documented(SETTINGS_SHAPE)]
