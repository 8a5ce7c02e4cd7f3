"""Validation of values: limits, choices and one check per kind.

A check returns the normalized value, or raises InvalidInput naming the field.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit
from uuid import UUID

from memory_service.errors import InvalidInput
from memory_service.vocabulary import (
    Arm,
    ClarificationStatus,
    DecisionOutcome,
    FactStatus,
    MemoryStatus,
    MemoryType,
    Mode,
    Order,
    ProcedureKind,
    ProcedureOutcome,
    ProcedureStatus,
    Tokenizer,
)

MAX_MESSAGE_CHARS = 32_000
MAX_MESSAGES = 100
MAX_ID_CHARS = 256
MAX_LIST = 64
MAX_FACT_CHARS = 2_000
"""A fact is one or a few sentences; a longer text is an episode."""
MAX_LESSON_CHARS = 2_000
MAX_PROCEDURE_CHARS = 4_000
MAX_SITUATION_CHARS = 500
MAX_STEP_CHARS = 1_000
MAX_NOTE_CHARS = 1_000
MAX_ANSWER_CHARS = 2_000
MAX_METADATA_CHARS = 16_000
MAX_SESSION_BYTES = 16 * 1024 * 1024
"""Largest value of the bank setting session_bytes."""
MAX_SESSION_DEPTH = 100
MAX_DIGITS = 4_300
"""Of an integer in JSON: Python converts no longer ones to text and back, which takes quadratic time."""
BEYOND_DIGITS = 10**MAX_DIGITS
MAX_SCORE = 10.0
"""Of min_score: the weights of a bank's profile may add up to more than 1."""
MAX_K = 100
MAX_QUERY_CHARS = 8_000
MAX_TOKENS = 100_000
PRECISION = 0.95
EVIDENCE_PRECISION = 0.8
"""Default precision of a calibration, for duplicates and for evidence."""

FIRST_MOMENT = datetime.min.replace(tzinfo=UTC) + timedelta(microseconds=1)
LAST_MOMENT = datetime.max.replace(tzinfo=UTC) - timedelta(microseconds=1)
"""asyncpg sends the calendar's very first and last moment as infinities, from which Postgres 16 subtracts nothing."""
EARLIEST = datetime(1800, 1, 1, tzinfo=UTC)
"""Old diaries are accepted; an earlier date is a unit mistake (seconds read as years)."""
FUTURE_TOLERANCE = timedelta(days=1)
"""Future times are refused, except for clocks that are wrong by this much."""

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
BANK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}")

_INFINITE = (math.inf, -math.inf)

MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
STATUSES: tuple[str, ...] = get_args(MemoryStatus)
FACT_STATUSES: tuple[str, ...] = get_args(FactStatus)
PROCEDURE_STATUSES: tuple[str, ...] = get_args(ProcedureStatus)
PROCEDURE_KINDS: tuple[str, ...] = get_args(ProcedureKind)
PROCEDURE_OUTCOMES: tuple[str, ...] = get_args(ProcedureOutcome)
DECISION_OUTCOMES: tuple[DecisionOutcome, ...] = get_args(DecisionOutcome)
CLARIFICATION_STATUSES: tuple[str, ...] = get_args(ClarificationStatus)
BOTH: Literal["both"] = "both"
"""Answer to a question about two facts that keeps both."""
OPERATOR = "operator"
"""Default actor."""
MODES: tuple[Mode, ...] = get_args(Mode)
ARMS: tuple[Arm, ...] = get_args(Arm)
TOKENIZERS: tuple[Tokenizer, ...] = get_args(Tokenizer)
ORDERS: tuple[Order, ...] = get_args(Order)
LANGUAGES = (
    "simple", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""Postgres' text search configurations, those of every supported version: how words are stemmed in full-text search."""


def check_bank_id(value: object, name: str = "bank_id") -> str:
    if not isinstance(value, str) or not BANK_ID.fullmatch(value):
        raise InvalidInput(
            name, "must be 1 to 128 of letters, digits, _ - . : @ and begin with a letter or digit"
        )
    return value


def check_session_id(value: object, name: str = "session_id") -> str:
    """A session's id, which is part of paths."""
    return check_bank_id(value, name)


def check_text(value: object, name: str, limit: int, *, empty: bool = False) -> str:
    """Text that Postgres can store: no NUL, no lone surrogates, within the limit of characters."""
    if not isinstance(value, str):
        raise InvalidInput(name, f"must be a string, not {type(value).__name__}")
    if not empty and not value.strip():
        raise InvalidInput(name, "must not be empty")
    if len(value) > limit:
        raise InvalidInput(name, f"is {len(value):,} characters long; at most {limit:,} are accepted")
    if "\0" in value:
        raise InvalidInput(name, "contains a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(name, "contains a lone surrogate, which is no character") from None
    return value


def check_address(address: str, name: str) -> str:
    """The base address of an HTTP API. Errors: InvalidInput, which does not quote it: it may hold a password."""
    address = address.strip()
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    else:
        known = known and parts.username is None and not parts.query and not parts.fragment
    if not known or any(character.isspace() or not character.isprintable() for character in address):
        raise InvalidInput(
            name, "must be an http or https address, such as http://127.0.0.1:11434/v1, and nothing more"
        )
    return address


def check_line(value: object, name: str, limit: int = MAX_ID_CHARS) -> str:
    """Text of one line: names, ids, tags. A line break in one could forge lines where it is printed."""
    line = check_text(value, name, limit)
    if not line.isprintable() and CONTROL.search(line):
        raise InvalidInput(name, "contains a line break or another control character")
    return line


def check_optional_line(value: object, name: str) -> str | None:
    return None if value is None else check_line(value, name)


def check_optional_text(value: object, name: str, limit: int, *, empty: bool = False) -> str | None:
    return None if value is None else check_text(value, name, limit, empty=empty)


def check_time(value: object, name: str) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise InvalidInput(name, "must be a time such as 2026-03-01T09:30:00Z")
    if value.tzinfo is None or value.utcoffset() is None:
        raise InvalidInput(name, "has no time zone; write 2026-03-01T09:30:00Z or +01:00")
    try:
        at = value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(name, "is out of range") from None
    return min(max(at, FIRST_MOMENT), LAST_MOMENT)


def check_order(since: datetime | None, until: datetime | None) -> None:
    """Refuse since > until: nothing would match."""
    if since is not None and until is not None and since > until:
        raise InvalidInput("since", "is after until")


def check_past(value: object, name: str) -> datetime | None:
    """A time of an event: not before 1800, not after tomorrow."""
    at = check_time(value, name)
    if at is not None and at < EARLIEST:
        raise InvalidInput(name, "is before the year 1800")
    if at is not None and at > datetime.now(UTC) + FUTURE_TOLERANCE:
        raise InvalidInput(name, "is in the future")
    return at


def check_number(value: object, name: str, low: float, high: float) -> float | None:
    """A finite number from `low` to `high`, as a float; -0.0 becomes 0.0."""
    if value is None:
        return None
    # Compared as it is: an integer beyond any float is out of range, and converting it would raise OverflowError.
    if isinstance(value, bool) or not isinstance(value, int | float) or value in _INFINITE or value != value:
        raise InvalidInput(name, "must be a finite number")
    if not low <= value <= high:
        raise InvalidInput(name, f"must be between {low:g} and {high:g}")
    return float(value) + 0.0


def check_flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(name, "must be true or false")
    return value


def check_count(value: object, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(name, "must be a whole number")
    if not low <= value <= high:
        raise InvalidInput(name, f"must be between {low:,} and {high:,}")
    return value


def check_list(value: object, name: str) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(name, "must be a list of strings")
    items = cast("Sequence[object]", value)
    if len(items) > MAX_LIST:
        raise InvalidInput(name, f"has {len(items)} entries; at most {MAX_LIST} are accepted")
    return items


def check_words(value: object, name: str) -> tuple[str, ...] | None:
    """A list of short strings: tags, topics, recipients. Order kept, repetitions dropped."""
    if value is None:
        return None
    return tuple(dict.fromkeys(check_line(v, f"{name}[{i}]") for i, v in enumerate(check_list(value, name))))


def check_steps(value: object, name: str) -> tuple[str, ...] | None:
    """The steps of a procedure, in order: a list of texts."""
    if value is None:
        return None
    steps = check_list(value, name)
    return tuple(check_text(step, f"{name}[{i}]", MAX_STEP_CHARS).strip() for i, step in enumerate(steps))


def check_arms(value: object, name: str) -> tuple[str, ...]:
    """Some of ARMS, at least one, in their order, repetitions dropped; None is all."""
    wanted = ARMS if value is None else check_choices(value, name, ARMS)
    if not wanted:
        raise InvalidInput(name, f"must name at least one of {', '.join(ARMS)}")
    return tuple(arm for arm in ARMS if arm in wanted)


def check_choice(value: object, name: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise InvalidInput(name, f"must be one of {', '.join(choices)}")
    return cast("str", value)


def check_choices(value: object, name: str, choices: Sequence[str]) -> tuple[str, ...] | None:
    """A list of words, each one of the choices."""
    words = check_words(value, name)
    for i, word in enumerate(words or ()):
        check_choice(word, f"{name}[{i}]", choices)
    return words


def check_keep(value: object, name: str) -> UUID | Literal["both"]:
    """A fact's id, as UUID or text, or both."""
    return (
        BOTH
        if value == BOTH
        else check_uuid(value, name, f"must be the memory_id of one of the two facts, or {BOTH}")
    )


def check_id_of_memory(value: object, name: str) -> UUID | None:
    return None if value is None else check_uuid(value, name, "must be the memory_id of a memory")


def check_uuid(value: object, name: str, problem: str = "must be a UUID") -> UUID:
    """An id that the service made, as UUID or text."""
    try:
        return value if isinstance(value, UUID) else UUID(check_line(value, name))
    except ValueError:
        raise InvalidInput(name, problem) from None


def check_object(value: object, name: str) -> Mapping[str, Any]:
    """A JSON object; its fields are checked by the caller."""
    if not isinstance(value, Mapping):
        raise InvalidInput(name, "must be an object")
    return cast("Mapping[str, Any]", value)


def check_metadata(value: object, name: str = "metadata") -> dict[str, Any]:
    """A JSON object, checked deeply: jsonb refuses NUL and NaN only at the insert."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(name, "must be an object")
    check_json(cast("object", value), name)
    plain = dict(cast("Mapping[str, Any]", value))
    if len(json.dumps(plain)) > MAX_METADATA_CHARS:
        raise InvalidInput(name, f"is larger than {MAX_METADATA_CHARS:,} characters of JSON")
    return plain


def check_json(
    root: object,
    name: str,
    *,
    max_chars: int = MAX_METADATA_CHARS,
    max_depth: int = 32,
    empty_keys: bool = False,
) -> None:
    """Check a JSON value without recursion: deep nesting is an error, not a crash.

    `max_chars`: of one text, and with `empty_keys`, which accepts any text as a key, also of one key.
    """
    key_chars = max_chars if empty_keys else MAX_ID_CHARS
    stack: list[tuple[object, str, int]] = [(root, name, 0)]
    while stack:
        value, path, depth = stack.pop()
        if depth > max_depth:
            raise InvalidInput(name, f"is nested deeper than {max_depth} levels")
        if isinstance(value, str):
            check_text(value, path, max_chars, empty=True)
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise InvalidInput(path, "must be a finite number")
        elif isinstance(value, Mapping):
            for key, inner in cast("Mapping[object, object]", value).items():
                check_text(key, f"{path} key", key_chars, empty=empty_keys)
                stack.append((inner, f"{path}.{key}", depth + 1))
        elif isinstance(value, list | tuple):
            for i, inner in enumerate(cast("Sequence[object]", value)):
                stack.append((inner, f"{path}[{i}]", depth + 1))
        elif isinstance(value, int):
            if not -BEYOND_DIGITS < value < BEYOND_DIGITS:
                raise InvalidInput(path, f"has more than {MAX_DIGITS:,} digits")
        elif value is not None:
            raise InvalidInput(path, f"is of type {type(value).__name__}, which JSON does not have")
