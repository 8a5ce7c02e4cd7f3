"""Memory text within Markdown: it is read as written, and makes no heading, link, image, list or HTML."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from memory_service.rules.summaries.dates import written, written_month
from memory_service.text.late_pattern import compile_late
from memory_service.text.unicode_folding import visible_line

_SPECIAL = compile_late(r"[\\`*\[<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#|\w+;)")
_BLOCK = compile_late(r"^(?:(?=[#+=>-])|(?P<number>\d{1,9})(?=[.)]))")
"""The beginning of a heading, list item, underline or quotation."""
_AUTOLINK = compile_late(
    r"(?:(?:https?|ftp)://|(?:mailto|xmpp):|www\.)[^\s`]*[^\s`.,:;!?'\")\]]|"
    # The lookbehind: a long word is searched once, not from each of its letters.
    r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?:[\w.+@-]*\w)?",
    re.IGNORECASE,
)
"""Addresses that GitHub and others link without any mark."""


def inert(text: str) -> str:
    """The text as one line of Markdown that is displayed as written; addresses are code, so that they are no links."""
    line = visible_line(text)
    parts: list[str] = []
    end = 0
    for found in _AUTOLINK.finditer(line):
        parts += [escaped(line[end : found.start()]), f"`{found[0]}`"]
        end = found.end()
    return _BLOCK.sub(r"\g<number>\\", "".join([*parts, escaped(line[end:])]))


def escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def day(at: datetime) -> str:
    """The date in UTC: 2 March 2024."""
    return written(at.astimezone(UTC))


def month(at: datetime) -> str:
    """The month in UTC: March 2024."""
    return written_month(at.astimezone(UTC))
