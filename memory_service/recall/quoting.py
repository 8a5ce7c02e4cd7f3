"""How a memory is printed: as quoted data with date and source, its own delimiters made harmless (promise 7)."""

from __future__ import annotations

import re
from datetime import datetime

from memory_service.rules.speech import ECHO_END, ECHO_MARK

_MARKS = re.compile("|".join(re.escape(mark) for mark in (ECHO_MARK, ECHO_END)), re.IGNORECASE)
_QUOTES = str.maketrans({'"': "'", "“": "'", "”": "'", "„": "'"})


def quoted(text: str, occurred_at: datetime, source: str) -> str:
    """One line: date, source, and the text between quotation marks that it cannot close itself."""
    flat = " ".join(text.split())
    plain = _MARKS.sub(lambda match: match.group().translate(str.maketrans("[]", "()")), flat)
    return f'- {occurred_at:%Y-%m-%d} ({source}): "{plain.translate(_QUOTES)}"'
