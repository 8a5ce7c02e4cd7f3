"""How a memory is printed: as quoted data with date and source, its own delimiters made harmless (promise 7)."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from memory_service.rules.plain_text import is_invisible
from memory_service.rules.speech import echo_marks

LONGEST_SOURCE = 40
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»″‶＂〝〞〟❝❞', "'"))
_LEADERS = re.compile(r"(?:-(?:\s+|$)|#+\s*)+")
"""How a line of ours begins: a line of the text must not go on looking like one."""


def quoted(text: str, occurred_at: datetime, source: str) -> str:
    """One line: date, source, and the text between quotation marks that it cannot close itself."""
    return f'- {occurred_at:%Y-%m-%d} ({_plain_name(source)}): "{_without_marks(_one_line(text))}"'


def _plain_name(source: str) -> str:
    """A source comes from outside too: letters, digits and . _ ' - are all that a name needs."""
    shown = "".join(
        character if unicodedata.category(character)[0] in "LMN" or character in "._'-" else " "
        for character in unicodedata.normalize("NFC", source[: 4 * LONGEST_SOURCE])
        if not is_invisible(character)
    )
    return " ".join(shown.split())[:LONGEST_SOURCE].strip() or "user"


def _one_line(text: str) -> str:
    seen = text if text.isprintable() else "".join(c for c in text if not is_invisible(c))
    lines = (line.strip() for line in seen.splitlines())
    told = (line[found.end() :] if (found := _LEADERS.match(line)) else line for line in lines)
    return " ".join(" ".join(told).split()).translate(_QUOTES)


def _without_marks(text: str) -> str:
    # Found as `without_echo` finds them: what this leaves, it does not take for the end of the context either.
    for mark in reversed(echo_marks(text)):
        name = "(end of memory context)" if mark.closes else "(memory context)"
        text = text[: mark.start] + name + text[mark.end :]
    return text
