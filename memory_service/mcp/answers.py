"""Answers of the tools, small and flat: fields without a value are left out. Texts of memories are inert lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_json

T = TypeVar("T")

PIECE = re.compile(r"[A-Za-z][a-z]{0,3}|[0-9]{1,2}|[^\sA-Za-z0-9]")
BYTES_OF_OTHERS = 0.6
"""Tokens for each byte of characters beyond ASCII."""
DEFAULT_TOKENS = 2_000
CUT_MARK = " … (cut)"


@dataclass(frozen=True, slots=True)
class Remembered:
    memory_id: str
    decision: str
    status: str


@dataclass(frozen=True, slots=True)
class Recalled:
    memory_id: str
    type: str
    content: str
    date: str
    score: float
    reason: str
    reply: str | None = None
    superseded: str | None = None


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    items: list[Recalled]
    trace_id: str
    left_out: int | None = None
    degraded: bool | None = None


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    text: str
    tokens: int
    trace_id: str
    question_id: str | None = None


@dataclass(frozen=True, slots=True)
class FactLine:
    fact_id: str
    fact: str
    confidence: float
    status: str
    since: str
    until: str | None = None
    pinned: bool | None = None
    unconfirmed: bool | None = None


@dataclass(frozen=True, slots=True)
class FactsAnswer:
    items: list[FactLine]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    memory_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ForgetAnswer:
    erased: bool
    rows: dict[str, int]
    memories: list[Quoted]
    left_out: int | None = None
    confirm: str | None = None
    erasure_id: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionLine:
    question_id: str
    question: str
    facts: list[Quoted]
    status: str
    keep: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionsAnswer:
    items: list[QuestionLine]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A candidate of a read, or a source or version of a memory."""

    note: str
    text: str | None = None
    memory_id: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    about: str
    text: str | None
    items: list[Reason]
    left_out: int | None = None


@cache
def adapter_of(answer: type) -> TypeAdapter[Any]:
    return TypeAdapter(answer)


def as_json(answer: object) -> dict[str, Any]:
    """The fields of an answer that have a value."""
    return adapter_of(type(answer)).dump_python(answer, mode="json", exclude_none=True)


def tokens_of(answer: object) -> int:
    """An upper estimate of the tokens of the answer's JSON."""
    return estimated(adapter_of(type(answer)).dump_json(answer, exclude_none=True))


def estimated(text: bytes) -> int:
    """1.2 to 2 times the tokens of o200k_base, whose tables would take 70 MB."""
    ascii_text = text.decode("ascii", "ignore")
    return len(PIECE.findall(ascii_text)) + math.ceil((len(text) - len(ascii_text)) * BYTES_OF_OTHERS)


def fitting(items: Sequence[T], answer: Callable[[list[T]], object], max_tokens: int) -> list[T]:
    """The first items with which the answer has at most `max_tokens`."""
    return first_within(items, max_tokens - tokens_of(answer([])), tokens_of)


def first_within(items: Sequence[T], room: int, tokens: Callable[[T], int]) -> list[T]:
    """The first items that have at most `room` tokens, with one between two items."""
    fits: list[T] = []
    for item in items:
        room -= tokens(item) + 1
        if room < 0:
            break
        fits.append(item)
    return fits


def cut(text: str, max_tokens: int) -> str:
    """The text, or its beginning and CUT_MARK, of about `max_tokens`."""
    shown = text
    while (tokens := estimated(to_json(shown))) > max_tokens:
        shown = shown[: len(shown) * max_tokens // tokens]
    return text if shown == text else shown + CUT_MARK
