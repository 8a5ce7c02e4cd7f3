"""The settings of a bank: meaning, accepted values and default of each, and their validation.

Errors: InvalidInput naming the setting, for each check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from memory_service.config import MAX_DAILY_TOKENS
from memory_service.errors import InvalidInput
from memory_service.injection.detection import command_in
from memory_service.profiles import PROFILES, profile_of
from memory_service.text.sentences import has_words
from memory_service.types import Intake, Role
from memory_service.validation import (
    LANGUAGES,
    MAX_SESSION_BYTES,
    MAX_TOKENS,
    check_choice,
    check_count,
    check_flag,
    check_number,
)

MAX_PROFILES = 16
MOST_EPISODES = 1_000_000
MOST_FACTS = 100_000
MOST_NORMS = 500
MOST_SESSIONS = 1_000_000
MOST_CHECKPOINTS = 10_000
MAX_WEIGHT = 1_000.0
MIN_WEIGHT = 1e-6
"""Of a weight that is not 0: products of smaller ones underflow, an error in Postgres."""
MAX_DAYS = 36_500.0
MAX_YEARS = 100.0
MAX_NAME = 80
STABLE_CONFIDENCE = 0.35
"""A stable fact fades no further (memory_internal.effective_confidence), so that it is never deprecated for its age."""
PROFILE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
WEIGHTS = ("similarity", "importance", "recency")
EXTRAS = ("emotion", "floor", "cut_off")
LIMITS = ("floor", "cut_off")

Schema = dict[str, Any]
PROFILE: Schema = {"format": "profile"}
"""JSON Schema of the name of a built-in profile or of a profile of the bank."""


@dataclass(frozen=True, slots=True)
class Values:
    """The values that a setting accepts: a check, and JSON Schema for the OpenAPI document and docs/settings.md."""

    check: Callable[[object, str], object]
    schema: Schema


@dataclass(frozen=True, slots=True)
class BankSetting:
    values: Values
    meaning: str | None = None
    """None: a setting of the service with the same name (config.Settings) has meaning and default."""
    default: str = ""
    """As printed. SQL functions define it, or the embedding model."""


def check_settings(patch: object) -> dict[str, Any]:
    """A bank's settings, or a patch of them: unknown names are errors, null takes a setting back to its default."""
    if not isinstance(patch, Mapping):
        raise InvalidInput("settings", "must be an object")
    given = {name: whole(value) for name, value in cast("Mapping[object, object]", patch).items()}
    for name, value in given.items():
        setting = SETTINGS.get(name) if isinstance(name, str) else None
        if setting is None:
            raise InvalidInput(f"settings.{name}", f"unknown setting; known are {', '.join(SETTINGS)}")
        if value is not None:
            setting.values.check(value, f"settings.{name}")
    return cast("dict[str, Any]", given)


def whole(value: object) -> object:
    """63.0 as 63: JSON does not distinguish them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def check_combination(settings: Mapping[str, Any]) -> None:
    """Check settings against each other once a patch is merged: the default profile must exist."""
    profile_of(settings, None)


def check_profiles(value: object, name: str) -> None:
    """A bank's own profiles: {name: {similarity, importance, recency, emotion?, floor?, cut_off?}}."""
    if not isinstance(value, Mapping):
        raise InvalidInput(name, "must be an object of profiles by name")
    own = cast("Mapping[object, object]", value)
    if len(own) > MAX_PROFILES:
        raise InvalidInput(name, f"has {len(own)} profiles; at most {MAX_PROFILES} are accepted")
    for key, weights in own.items():
        if not isinstance(key, str) or not PROFILE_NAME.fullmatch(key):
            raise InvalidInput(
                f"{name}.{key}", "is no name: 1 to 64 of letters, digits, _ and -, beginning with a letter"
            )
        if key in PROFILES:
            raise InvalidInput(f"{name}.{key}", "is the name of a profile that every bank has")
        check_weights(weights, f"{name}.{key}")


def check_weights(value: object, name: str) -> None:
    if not isinstance(value, Mapping):
        raise InvalidInput(name, f"must be an object of {', '.join((*WEIGHTS, *EXTRAS))}")
    weights = cast("Mapping[object, object]", value)
    for key in weights:
        if key not in (*WEIGHTS, *EXTRAS):
            raise InvalidInput(f"{name}.{key}", f"is unknown; known are {', '.join((*WEIGHTS, *EXTRAS))}")
    for key in WEIGHTS:
        if key not in weights:
            raise InvalidInput(f"{name}.{key}", "is missing; 0 leaves it out of the score")
    given = {key: check_number(weight, f"{name}.{key}", 0, MAX_WEIGHT) for key, weight in weights.items()}
    for key, weight in given.items():
        if weight is None:
            raise InvalidInput(f"{name}.{key}", "must be a number")
        if 0 < weight < MIN_WEIGHT and key not in LIMITS:
            raise InvalidInput(f"{name}.{key}", f"must be 0 or between {MIN_WEIGHT:g} and {MAX_WEIGHT:g}")
    if not any(given[key] for key in WEIGHTS):
        raise InvalidInput(name, f"all of {', '.join(WEIGHTS)} are 0: nothing would be ranked by it")


def check_profile_name(value: object, name: str) -> None:
    """Its form; `check_combination` checks that the bank has it."""
    if not isinstance(value, str) or not PROFILE_NAME.fullmatch(value):
        raise InvalidInput(name, f"must be one of {', '.join(PROFILES)}, or of the bank's own profiles")


def number(low: float, high: float) -> Values:
    return Values(
        lambda value, name: check_number(value, name, low, high),
        {"type": "number", "minimum": low, "maximum": high},
    )


def count(low: int, high: int) -> Values:
    return Values(
        lambda value, name: check_count(value, name, low, high),
        {"type": "integer", "minimum": low, "maximum": high},
    )


def positive(high: float, null: str) -> Values:
    """A number above 0; `null` says what to set instead of 0."""

    def check(value: object, name: str) -> float:
        found = check_number(value, name, 0, high)
        if not found:
            raise InvalidInput(name, f"must be above 0; null {null}")
        return found

    return Values(check, {"type": "number", "exclusiveMinimum": 0, "maximum": high})


def choice(choices: tuple[str, ...]) -> Values:
    return Values(lambda value, name: check_choice(value, name, choices), {"enum": list(choices)})


def check_speaker(value: object, name: str) -> str:
    """The name of a person or an agent, as printed before their messages."""
    if not isinstance(value, str):
        raise InvalidInput(name, "must be a name")
    if not 1 <= len(value) <= MAX_NAME or not value.isprintable() or value != " ".join(value.split()):
        raise InvalidInput(
            name, f"must be 1 to {MAX_NAME} characters, without control characters and outer spaces"
        )
    if not has_words(value) or value.casefold() in get_args(Role) or command_in(value) is not None:
        raise InvalidInput(name, "is no name of a person or an agent")
    return value


FLAG = Values(check_flag, {"type": "boolean"})
SPEAKER = Values(check_speaker, {"type": "string", "minLength": 1, "maxLength": MAX_NAME, "format": "name"})
DAYS = number(0, MAX_DAYS)
SHARE = number(0, 1)
TOKENS = count(0, MAX_TOKENS)
COSINE = positive(1, "is the embedding model's own")
WEIGHT: Schema = {"anyOf": [{"const": 0}, {"type": "number", "minimum": MIN_WEIGHT, "maximum": MAX_WEIGHT}]}
OWN_PROFILES = Values(
    check_profiles,
    {
        "type": "object",
        "maxProperties": MAX_PROFILES,
        "propertyNames": {"pattern": f"^{PROFILE_NAME.pattern}$", "not": {"enum": list(PROFILES)}},
        "additionalProperties": {
            "type": "object",
            "required": list(WEIGHTS),
            "additionalProperties": False,
            "properties": {
                **dict.fromkeys((*WEIGHTS, "emotion"), WEIGHT),
                **dict.fromkeys(LIMITS, number(0, MAX_WEIGHT).schema),
            },
            "anyOf": [{"properties": {name: {"type": "number", "minimum": MIN_WEIGHT}}} for name in WEIGHTS],
        },
    },
)

SETTINGS: dict[str, BankSetting] = {
    "subject": BankSetting(
        SPEAKER,
        "name of the user: messages with role `user` and no name are theirs, and facts about the user are about this "
        "person",
    ),
    "agent_name": BankSetting(SPEAKER, "name of the agent, for messages with role `assistant` and no name"),
    "language": BankSetting(
        choice(LANGUAGES), "text search configuration of Postgres, which stems words for full-text search", "english"
    ),
    "intake": BankSetting(choice(get_args(Intake))),
    "gate": BankSetting(FLAG),
    "merge_duplicates": BankSetting(FLAG),
    "merge_similar": BankSetting(FLAG),
    "links": BankSetting(FLAG),
    "relational": BankSetting(FLAG),
    "language_model": BankSetting(FLAG),
    "embedding_fallback": BankSetting(choice(("wait", "fulltext"))),
    "emotional_thread": BankSetting(
        FLAG, "whether the mood that the user carries on is recorded and shown in contexts", "true"
    ),
    "daily_tokens": BankSetting(count(1, MAX_DAILY_TOKENS)),
    "recent_tokens": BankSetting(TOKENS),
    "knowledge_tokens": BankSetting(TOKENS),
    "compaction_tokens": BankSetting(TOKENS),
    "context_confidence": BankSetting(SHARE),
    "trace_days": BankSetting(DAYS),
    "trace_query_days": BankSetting(DAYS),
    "message_days": BankSetting(DAYS),
    "profile": BankSetting(
        Values(check_profile_name, {"type": "string", **PROFILE}), "default profile of reads (tuning.md)", "relevant"
    ),
    "profiles": BankSetting(
        OWN_PROFILES,
        "profiles of the bank, by name: {similarity, importance, recency, emotion?, floor?, cut_off?}; a patch "
        "replaces all of them",
    ),
    "recent_days": BankSetting(DAYS, "age of episodes up to which RECENT shows the important ones", "7"),
    "recent_importance": BankSetting(SHARE, "importance from which RECENT shows an episode", "0.7"),
    "compaction_importance": BankSetting(SHARE, "importance above which a compaction includes a memory", "0.8"),
    "compaction_days": BankSetting(DAYS, "age up to which a compaction includes a memory", "90"),
    "duplicate_threshold": BankSetting(
        COSINE, "cosine from which two texts without a difference are duplicates", "of the embedding model"
    ),
    "evidence_threshold": BankSetting(
        COSINE, "cosine from which an episode can be evidence of a fact, and episodes are linked",
        "of the embedding model",
    ),
    "conflict_threshold": BankSetting(
        COSINE, "cosine above which two facts are checked for a contradiction", "of the embedding model"
    ),
    "merge_threshold": BankSetting(
        COSINE, "cosine from which two facts are merge candidates", "evidence + (duplicate - evidence) x 10/17"
    ),
    "landmark_valence": BankSetting(SHARE, "absolute valence above which an episode is a landmark", "0.6"),
    "landmark_importance": BankSetting(SHARE, "importance above which an episode is a landmark", "0.8"),
    "clarify_importance": BankSetting(
        SHARE, "importance above which a conflict of facts becomes a question to the user; below 1 those of vital or "
        "permanent facts always do", "0.8"
    ),
    "deprecation_confidence": BankSetting(
        number(0, STABLE_CONFIDENCE), "confidence below which a fact is deprecated", "0.3"
    ),
    "consolidate_after_days": BankSetting(DAYS, "age from which the nightly run compresses episodes", "30"),
    "most_active": BankSetting(count(10, MOST_EPISODES), "cap of active episodes", "1000"),
    "most_archived": BankSetting(count(0, MOST_EPISODES), "cap of archived episodes", "5000"),
    "most_facts": BankSetting(count(10, MOST_FACTS), "cap of facts", "500"),
    "most_norms": BankSetting(count(1, MOST_NORMS), "cap of norms in force", "50"),
    "most_sessions": BankSetting(count(1, MOST_SESSIONS), "cap of sessions", "10000"),
    "most_checkpoints": BankSetting(
        count(1, MOST_CHECKPOINTS),
        "cap of the checkpoints of a session without a name, of which the oldest are deleted, and of those with a name",
        "100",
    ),
    "session_bytes": BankSetting(
        count(2, MAX_SESSION_BYTES), "limit of a session's data, as JSON text in bytes", "1048576"
    ),
    "session_days": BankSetting(positive(MAX_DAYS, "restores the default")),
    "procedure_cap": BankSetting(count(10, MOST_FACTS), "cap of procedures", "200"),
    "empty_full_text": BankSetting(
        FLAG, "whether the full text of an episode expires with its messages; summary and facts remain", "false"
    ),
    "compress_after_years": BankSetting(
        positive(MAX_YEARS, "turns it off"),
        "storage strategy: age in years from which only episodes above `compress_keep_importance` are kept", "off",
    ),
    "compress_keep_importance": BankSetting(
        SHARE, "importance above which `compress_after_years` keeps an episode", "0.7"
    ),
    "prune_after_days": BankSetting(
        positive(MAX_DAYS, "turns it off"),
        "storage strategy: age in days from which episodes below `prune_below_importance` are deleted", "off",
    ),
    "prune_below_importance": BankSetting(
        SHARE, "importance below which `prune_after_days` deletes an episode", "0.3"
    ),
}  # fmt: skip
"""The settings of a bank, in the order of docs/settings.md."""
