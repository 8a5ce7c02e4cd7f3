"""Times in ISO 8601 that a caller gives as text."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from memory_service.errors import InvalidInput


def parsed_time(value: object, name: str) -> datetime | None:
    """Parse ISO 8601 with a time zone; None for None. Errors: InvalidInput naming the field `name`."""
    if value is None:
        return None
    try:
        text = cast("str", value)
        # fromisoformat ignores trailing NULs and accepts any character in place of the T.
        at = datetime.fromisoformat(text if text.isprintable() else "")
    except (AttributeError, TypeError, ValueError):
        raise InvalidInput(name, "must be a time such as 2026-03-01T09:30:00Z") from None
    if at.tzinfo is None:
        raise InvalidInput(name, "has no time zone; write 2026-03-01T09:30:00Z or +01:00")
    return at


def parsed_day(value: object, name: str) -> datetime | None:
    """The beginning of a day such as 2026-03-01, or a time; None for None. Errors: InvalidInput."""
    whole = f"{value}T00:00:00Z" if isinstance(value, str) and len(value) == len("2026-03-01") else value
    return parsed_time(whole, name)
