"""The top-level values of a session's data: checked, redacted, and as stretches of JSON text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.intake.commit import redacted_json
from memory_service.redaction import redact
from memory_service.sessions.parts import Part, stretches_of
from memory_service.types import JsonValue
from memory_service.validation import MAX_SESSION_BYTES, MAX_SESSION_DEPTH, check_json

MAX_CLEAN = 50_000
"""Texts known to have no secret, some 100 bytes each."""

json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""The JSON text of a value, of which json.loads makes an equal value, with its types of numbers and order of keys."""


@dataclass(frozen=True, slots=True)
class Value:
    """A top-level value with its JSON text."""

    value: JsonValue
    opening: str
    """`[`, `{` or `"`; empty for a number, true, false and null."""
    texts: tuple[str, ...]
    """Of the items, of the members, of the inner text of a string, or of the whole; without commas between them."""

    @property
    def length(self) -> int:
        """Bytes of the JSON text."""
        commas = max(0, len(self.texts) - 1) if self.opening in ("[", "{") else 0
        return sum(len(text.encode()) for text in self.texts) + commas + 2 * len(self.opening)

    @property
    def text(self) -> str:
        closing = CLOSING[self.opening]
        return f"{self.opening}{','.join(self.texts)}{closing}"

    def stretches(self, *, appended: bool = False) -> Iterator[Part]:
        """The text between opening and closing; `appended`: behind another text."""
        for place, text in enumerate(self.texts):
            for stretch in stretches_of(f",{text}" if place or appended else text):
                yield Part(stretch)


CLOSING = {"[": "]", "{": "}", '"': '"', "": ""}


class CleanTexts:
    """Texts of values that were redacted before without a change: a growing list is sent again and again."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def redacted(self, value: JsonValue, text: str, key: str) -> tuple[JsonValue, str]:
        """The redacted value and its text; `key` is checked together with its texts (redacted_json)."""
        digest = hashlib.blake2b(f"{key}\n{text}".encode(), digest_size=16).digest()
        if digest in self._known:
            return value, text
        clean = redacted_json(value, key)
        clean_text = json_text(clean)
        if clean_text == text:
            if len(self._known) >= MAX_CLEAN:
                self._known.clear()
            self._known.add(digest)
        return clean, clean_text


def checked_data(data: object, name: str = "data") -> dict[str, Any]:
    """A JSON object of any keys and values, checked deeply. Errors: InvalidInput naming the path."""
    if not isinstance(data, Mapping):
        raise InvalidInput(name, "must be an object")
    check_json(
        cast("object", data), name, max_chars=MAX_SESSION_BYTES, max_depth=MAX_SESSION_DEPTH, empty_keys=True
    )
    return dict(cast("Mapping[str, Any]", data))


def checked_items(append: object, name: str = "append") -> dict[str, list[Any]]:
    """Lists of items by key. Errors: InvalidInput naming the path."""
    lists = checked_data(append, name)
    for key, items in lists.items():
        if not isinstance(items, list | tuple) or not items:
            raise InvalidInput(f"{name}.{key}", "must be a list of items to append")
    return lists


def redacted_values(data: Mapping[str, Any], clean: CleanTexts) -> dict[str, Value]:
    """The values of checked data by redacted key. Errors: InvalidInput where they are longer than any bank allows."""
    found = {redact(key).text: redacted_value(value, key, clean) for key, value in data.items()}
    if sum(value.length for value in found.values()) > MAX_SESSION_BYTES:
        raise InvalidInput("data", f"is larger than {MAX_SESSION_BYTES:,} bytes of JSON")
    return found


def redacted_value(value: Any, key: str, clean: CleanTexts) -> Value:
    if isinstance(value, list | tuple):
        items = [clean.redacted(item, json_text(item), key) for item in cast("list[Any]", value)]
        return Value([item for item, _ in items], "[", tuple(text for _, text in items))
    if isinstance(value, Mapping):
        members: dict[str, tuple[JsonValue, str]] = {}
        for name, one in cast("Mapping[str, Any]", value).items():
            members[redact(name).text] = clean.redacted(one, json_text(one), name)
        texts = (f"{json_text(name)}:{text}" for name, (_, text) in members.items())
        return Value({name: one for name, (one, _) in members.items()}, "{", tuple(texts))
    whole, text = clean.redacted(value, json_text(value), key)
    return Value(whole, '"', (text[1:-1],)) if isinstance(whole, str) else Value(whole, "", (text,))
