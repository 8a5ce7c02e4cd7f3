"""Validation of a bank's settings, which features.py and profiles.py document.

Errors: InvalidInput naming the setting, for each check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast, get_args

from memory_service.config import MAX_DAILY_TOKENS
from memory_service.errors import InvalidInput
from memory_service.injection.detection import command_in
from memory_service.profiles import PROFILES, profile_of
from memory_service.text.sentences import has_words
from memory_service.types import Intake, Role
from memory_service.validation import (
    LANGUAGES,
    MAX_TOKENS,
    check_choice,
    check_count,
    check_flag,
    check_number,
)

MAX_PROFILES = 16
MOST_EPISODES = 1_000_000
MOST_FACTS = 100_000
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


def check_settings(patch: object) -> dict[str, Any]:
    """A bank's settings, or a patch of them: unknown names are errors, null takes a setting back to its default."""
    if not isinstance(patch, Mapping):
        raise InvalidInput("settings", "must be an object")
    given = {name: whole(value) for name, value in cast("Mapping[object, object]", patch).items()}
    for name, value in given.items():
        check = SETTINGS.get(name) if isinstance(name, str) else None
        if check is None:
            raise InvalidInput(f"settings.{name}", f"unknown setting; known are {', '.join(SETTINGS)}")
        if value is not None:
            check(value, f"settings.{name}")
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


def check_days(value: object, name: str) -> float | None:
    return check_number(value, name, 0, MAX_DAYS)


def check_age(value: object, name: str, most: float) -> float:
    """An age for deletion, above 0."""
    age = check_number(value, name, 0, most)
    if not age:
        raise InvalidInput(name, "must be above 0; null turns it off")
    return age


def check_share(value: object, name: str) -> float | None:
    return check_number(value, name, 0, 1)


def check_tokens(value: object, name: str) -> int:
    return check_count(value, name, 0, MAX_TOKENS)


def check_threshold(value: object, name: str) -> float:
    """A cosine threshold, above 0."""
    cosine = check_number(value, name, 0, 1)
    if not cosine:
        raise InvalidInput(name, "must be above 0; null is the embedding model's own")
    return cosine


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


SETTINGS: dict[str, Callable[[object, str], object]] = {
    "subject": check_speaker,
    "agent_name": check_speaker,
    "intake": lambda value, name: check_choice(value, name, get_args(Intake)),
    "gate": check_flag,
    "merge_duplicates": check_flag,
    "merge_similar": check_flag,
    "links": check_flag,
    "language_model": check_flag,
    "embedding_fallback": lambda value, name: check_choice(value, name, ("wait", "fulltext")),
    "daily_tokens": lambda value, name: check_count(value, name, 1, MAX_DAILY_TOKENS),
    "language": lambda value, name: check_choice(value, name, LANGUAGES),
    "trace_days": check_days,
    "trace_query_days": check_days,
    "message_days": check_days,
    "empty_full_text": check_flag,
    "compress_after_years": lambda value, name: check_age(value, name, MAX_YEARS),
    "compress_keep_importance": check_share,
    "prune_after_days": lambda value, name: check_age(value, name, MAX_DAYS),
    "prune_below_importance": check_share,
    "most_active": lambda value, name: check_count(value, name, 10, MOST_EPISODES),
    "most_archived": lambda value, name: check_count(value, name, 0, MOST_EPISODES),
    "most_facts": lambda value, name: check_count(value, name, 10, MOST_FACTS),
    "duplicate_threshold": check_threshold,
    "conflict_threshold": check_threshold,
    "evidence_threshold": check_threshold,
    "merge_threshold": check_threshold,
    "landmark_valence": check_share,
    "landmark_importance": check_share,
    "clarify_importance": check_share,
    "recent_days": check_days,
    "recent_importance": check_share,
    "context_confidence": check_share,
    "deprecation_confidence": lambda value, name: check_number(value, name, 0, STABLE_CONFIDENCE),
    "recent_tokens": check_tokens,
    "knowledge_tokens": check_tokens,
    "compaction_tokens": check_tokens,
    "compaction_importance": check_share,
    "compaction_days": check_days,
    "consolidate_after_days": check_days,
    "profiles": check_profiles,
    "profile": check_profile_name,
}
"""A bank's settings and their checks."""
