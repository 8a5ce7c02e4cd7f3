"""Keyset cursors: opaque to callers, a time and what breaks its ties inside."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from memory_service.errors import InvalidInput

PROBLEM = "is not a cursor that this service gave"


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
    if of_bank != bank_id:
        raise InvalidInput("cursor", "is of another bank's list")
    if in_order != order:
        raise InvalidInput("cursor", f"is of a list in another order; this one is by {order}")
    return place


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
