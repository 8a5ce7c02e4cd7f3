"""Messages of other products as messages of this service: dated, with their origin, in parts that are stored whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from memory_service.errors import InvalidInput
from memory_service.requests import NewMessage
from memory_service.text.late_pattern import compile_late
from memory_service.validation import MAX_MESSAGE_CHARS

_UNSTORABLE = compile_late("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Part:
    """Messages of one conversation that are stored all or none."""

    conversation_id: str
    messages: list[NewMessage]


@dataclass(frozen=True, slots=True)
class Statement:
    """A text of another product."""

    product: str
    original_id: str
    role: str
    text: str
    at: datetime
    name: str | None = None
    more: Mapping[str, Any] | None = None
    """Metadata beside the origin."""

    def messages(self, place: str) -> Iterator[NewMessage]:
        """The text as messages, several if it is longer than one may be; none if it is empty. Their ids come from the
        original one, so that a second import stores nothing.

        Errors: InvalidInput naming the field.
        """
        metadata = {"imported_from": self.product, "original_id": self.original_id, **(self.more or {})}
        text = _UNSTORABLE.sub("\ufffd", self.text).strip()
        for number, piece in enumerate(pieces(text)):
            piece_id = (
                self.original_id if not number else str(uuid5(NAMESPACE_OID, f"{self.original_id}/{number}"))
            )
            message = NewMessage(self.role, piece, self.name, self.at, piece_id, metadata)
            yield message.checked(place)


def pieces(text: str) -> Iterator[str]:
    """The text in pieces of at most MAX_MESSAGE_CHARS, cut at the end of a paragraph, line or word."""
    while len(text) > MAX_MESSAGE_CHARS:
        end = next(
            (at for mark in ("\n\n", "\n", " ") if (at := text.rfind(mark, 1, MAX_MESSAGE_CHARS)) > 0),
            MAX_MESSAGE_CHARS,
        )
        yield text[:end].rstrip()
        text = text[end:].lstrip()
    if text:
        yield text


def unix_time(value: object, place: str) -> datetime | None:
    """A time in seconds since 1970; None for None. Errors: InvalidInput naming `place`."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(place, "must be a time in seconds since 1970")
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        raise InvalidInput(place, "is out of range") from None


def path_to(
    nodes: Mapping[str, Mapping[str, Any]], leaf: str, parent: str, place: str
) -> list[Mapping[str, Any]]:
    """The nodes of a tree from the root to a leaf, by their field `parent`. A parent that is no node ends the path.

    Errors: InvalidInput if a node is its own ancestor.
    """
    path: dict[str, Mapping[str, Any]] = {}
    at: object = leaf
    while isinstance(at, str) and at in nodes:
        if at in path:
            raise InvalidInput(f"{place}: {parent}", "leads in a circle")
        path[at] = nodes[at]
        at = nodes[at].get(parent)
    return list(path.values())[::-1]
