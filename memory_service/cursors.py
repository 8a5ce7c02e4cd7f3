"""Keyset cursors: opaque to callers, a time and what breaks its ties inside."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from memory_service.errors import InvalidInput
from memory_service.types import Page, T

MAX_PAGE = 200
PROBLEM = "is not a cursor that this service gave"


def page_of(items: Sequence[T], limit: int, cursor_after: Callable[[T], str]) -> Page[T]:
    """The first `limit` of the items, which were fetched one beyond it to know whether more follow."""
    more = len(items) > limit
    return Page(tuple(items[:limit]), cursor_after(items[limit - 1]) if more else None)


def write_cursor(at: datetime, *keys: object) -> str:
    """The place after this time and these keys; keys are lines (`check_line`), so a line break parts them."""
    text = "\n".join((at.isoformat(), *map(str, keys)))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """A time and an item's id. Errors: InvalidInput where this is no cursor of ours."""
    if cursor is None:
        return None
    try:
        at, (item_id,) = parts_of(cursor)
        return at, UUID(item_id)
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", PROBLEM) from None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of memories ended."""

    at: datetime
    memory_id: UUID
    importance: float


def write_place(place: Place, bank_id: str, order: str) -> str:
    """A cursor that says of which list it is: a place in one order means nothing in another."""
    return write_cursor(place.at, place.memory_id, repr(place.importance), bank_id, order)


def read_place(cursor: str | None, bank_id: str, order: str) -> Place | None:
    """The place in this bank's list in this order. Errors: InvalidInput where the cursor is of another, or none of
    ours."""
    if cursor is None:
        return None
    try:
        at, (memory_id, importance, of_bank, in_order) = parts_of(cursor)
        place = Place(at, UUID(memory_id), float(importance))
        if not 0 <= place.importance <= 1:
            raise ValueError(importance)
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", PROBLEM) from None
    check_same_bank(of_bank, bank_id)
    if in_order != order:
        raise InvalidInput("cursor", f"is of a list in another order; this one is by {order}")
    return place


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where a page of facts ended."""

    last_confirmed: datetime
    memory_id: UUID


def read_fact_place(cursor: str | None, bank_id: str) -> FactPlace | None:
    """The place in this bank's list. Errors: InvalidInput where the cursor is of another, or none of ours."""
    if cursor is None:
        return None
    try:
        at, (memory_id, of_bank) = parts_of(cursor)
        place = FactPlace(at, UUID(memory_id))
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", PROBLEM) from None
    check_same_bank(of_bank, bank_id)
    return place


def read_version(cursor: str | None, bank_id: str, fact_id: UUID) -> int:
    """The version after which the next page of a fact's history begins. Errors: as above."""
    if cursor is None:
        return 0
    try:
        _, (number, of_fact, of_bank) = parts_of(cursor)
        version, same = int(number), UUID(of_fact) == fact_id
        if not 0 < version < 2**31:
            raise ValueError(number)
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", PROBLEM) from None
    check_same_bank(of_bank, bank_id)
    if not same:
        raise InvalidInput("cursor", "is of another fact's history")
    return version


@dataclass(frozen=True, slots=True)
class QuestionPlace:
    """Where a page of questions ended."""

    importance: float
    created_at: datetime
    clarification_id: UUID


def read_question_place(cursor: str | None, bank_id: str) -> QuestionPlace | None:
    """The place in this bank's list. Errors: as above."""
    if cursor is None:
        return None
    try:
        at, (clarification_id, importance, of_bank) = parts_of(cursor)
        place = QuestionPlace(float(importance), at, UUID(clarification_id))
        if not 0 <= place.importance <= 1:
            raise ValueError(importance)
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", PROBLEM) from None
    check_same_bank(of_bank, bank_id)
    return place


def check_same_bank(of_bank: str, bank_id: str) -> None:
    if of_bank != bank_id:
        raise InvalidInput("cursor", "is of another bank's list")


def read_letter_cursor(cursor: str | None) -> tuple[datetime, str, str, str] | None:
    """When a letter died, its bank, kind and subject. Errors: InvalidInput where this is no cursor of ours."""
    if cursor is None:
        return None
    try:
        at, (bank_id, kind, subject) = parts_of(cursor)
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", PROBLEM) from None
    return at, bank_id, kind, subject


def parts_of(cursor: str) -> tuple[datetime, list[str]]:
    """Errors: ValueError (of which binascii.Error and UnicodeDecodeError are kinds), OverflowError."""
    text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    at, *keys = text.split("\n")
    moment = datetime.fromisoformat(at)
    if moment.tzinfo is None or "\0" in text:
        raise ValueError(cursor)
    return moment.astimezone(UTC), keys
