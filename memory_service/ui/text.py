"""Filters of the templates: texts, times and numbers as they are shown."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode

from pydantic_core import to_json

UNSEEN = (
    *(0x061C, 0x200E, 0x200F), *range(0x202A, 0x202F), *range(0x2066, 0x206A),  # of bidirectional text
    *range(9), 11, 12, *range(14, 32), *range(127, 160),  # control characters
    *(0xAD, 0x034F, 0x180E, 0x200B, 0xFEFF, 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0), *range(0x2060, 0x2066),
    *range(0x206A, 0x2070), *range(0xFE00, 0xFE0F), *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE01F0),  # tags and variation selectors, which can hide a whole text
)  # fmt: skip
"""Characters that reorder a text or do not show in it. The joiners of emoji and scripts, and the
selector of emoji U+FE0F, are none of them."""
MARKS = {code: f"⟨U+{code:04X}⟩" for code in UNSEEN}
ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
FIELD = re.compile(r"[a-z_][\w.\[\]]*: ")
WORDS = re.compile(r"\s+|[^\s]+")

Change = tuple[Literal["same", "removed", "added"], str]


def visible(text: object) -> str:
    """The text with characters made visible that would reorder it, or hide in it from the person who reviews it."""
    return str(text).translate(MARKS)


def moment(at: datetime | None) -> str:
    """Date and time in UTC, to the minute."""
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def day(at: datetime | None) -> str:
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%d}"


def ago(at: datetime, now: datetime) -> str:
    """The time since, in its largest unit: "3 days ago"."""
    passed = now - at
    ahead = passed < timedelta(0)
    seconds = abs(passed.total_seconds())
    for unit, size in (
        ("year", 31_557_600),
        ("month", 2_629_800),
        ("day", 86_400),
        ("hour", 3_600),
        ("minute", 60),
    ):
        if seconds >= size:
            count = int(seconds // size)
            plural = "" if count == 1 else "s"
            return f"in {count} {unit}{plural}" if ahead else f"{count} {unit}{plural} ago"
    return "just now"


def percent(share: float) -> str:
    return f"{share:.0%}"


def figure(number: float) -> str:
    """A number with at most three decimals."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def grouped(number: float) -> str:
    return f"{number:,}"


def words(name: str) -> str:
    """A name of the API as words: "merged_into" is "merged into"."""
    return name.replace("_", " ")


def difference(before: str, after: str) -> list[Change]:
    """The words of two wordings: kept, removed and added."""
    old, new = WORDS.findall(before), WORDS.findall(after)
    changes: list[Change] = []
    for tag, i, j, m, n in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            changes.append(("same", "".join(old[i:j])))
            continue
        if i < j:
            changes.append(("removed", "".join(old[i:j])))
        if m < n:
            changes.append(("added", "".join(new[m:n])))
    return changes


def reason(text: str) -> tuple[str, str, str]:
    """A reason in words, cut at the first id of a memory in it: before, the id or "", after."""
    found = ID.search(text)
    before, after = (text, "") if found is None else (text[: found.start()], text[found.end() :])
    return words(before), found.group() if found else "", words(after)


def sentence(text: str) -> str:
    """The message of an error as a sentence. The name of a field at its beginning stays as it is."""
    first = text[:1] if FIELD.match(text) else text[:1].upper()
    return f"{first}{text[1:].rstrip('.')}."


def as_json(value: object) -> str:
    return to_json(value).decode()


def with_cursor(query: str, cursor: str) -> str:
    """The parameters of an address, with another cursor."""
    kept = [(name, value) for name, value in parse_qsl(query) if name not in ("cursor", "act")]
    return urlencode([*kept, ("cursor", cursor)])


def groupby_day(items: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    """Consecutive items by the UTC day of their `at`."""
    return [(name, list(group)) for name, group in groupby(items, key=lambda one: day(one.at))]


FILTERS: dict[str, Callable[..., Any]] = {
    "visible": visible,
    "moment": moment,
    "day": day,
    "ago": ago,
    "percent": percent,
    "figure": figure,
    "grouped": grouped,
    "words": words,
    "difference": difference,
    "sentence": sentence,
    "as_json": as_json,
    "with_cursor": with_cursor,
    "reason": reason,
    "groupby_day": groupby_day,
}
