"""Keyset cursors: opaque to callers, a time and an id inside."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from uuid import UUID

from memory_service.errors import InvalidInput


def write_cursor(at: datetime, item_id: UUID) -> str:
    return base64.urlsafe_b64encode(f"{at.isoformat()} {item_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Errors: InvalidInput where this is no cursor of ours."""
    if cursor is None:
        return None
    try:
        text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
        at, _, item_id = text.partition(" ")
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None:
            raise ValueError(at)
        return moment.astimezone(UTC), UUID(item_id)
    except (binascii.Error, ValueError, UnicodeDecodeError, OverflowError):
        raise InvalidInput("cursor", "is not a cursor that this service gave") from None
