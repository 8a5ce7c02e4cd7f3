"""Messages of other products as messages of this service: dated, with their origin, in parts that are stored whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from memory_service.errors import InvalidInput
from memory_service.requests import NewMemory, NewMessage
from memory_service.text.late_pattern import compile_late
from memory_service.validation import MAX_FACT_CHARS, MAX_MESSAGE_CHARS

_UNSTORABLE = compile_late("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Part:
    """Messages of one conversation that are stored all or none, and explicit commits, each by itself."""

    conversation_id: str
    messages: list[NewMessage]
    commits: list[NewMemory] = field(default_factory=list[NewMemory])
    agent_id: str | None = None
    """The writer of the messages and commits."""
    by_content: bool = False
    """Whether ids are made from the content: the same id with another date is the same statement."""


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

    def messages(self, place: str, key: str | None = None) -> Iterator[NewMessage]:
        """The text as messages, several if it is longer than one may be; none if it is empty.

        `key`: id of the first one, by default the original id; the others come from it, so that a second import stores
        nothing. Errors: InvalidInput naming the field.
        """
        for piece_id, piece in self._pieces(key or self.original_id):
            message = NewMessage(self.role, piece, self.name, self.at, piece_id, self._metadata)
            yield message.checked(place)

    def commits(self, key: str, place: str, *, fact: bool) -> Iterator[NewMemory]:
        """The text as an explicit commit of an agent with the product's name: with `fact`, and if it is short enough, a
        fact, else an episode. Several if it is longer than one may be; none if it is empty.

        `key`: idempotency key of the first one. Errors: InvalidInput naming the field.
        """
        for piece_key, piece in self._pieces(key):
            try:
                yield NewMemory(
                    piece,
                    "semantic" if fact and len(piece) <= MAX_FACT_CHARS else "episodic",
                    metadata=self._metadata,
                    occurred_at=self.at,
                    idempotency_key=piece_key,
                    agent_id=self.product,
                )
            except InvalidInput as error:
                raise InvalidInput(f"{place}.{error.field}", error.problem) from None

    @property
    def _metadata(self) -> dict[str, Any]:
        return {**(self.more or {}), "imported_from": self.product, "original_id": self.original_id}

    def _pieces(self, key: str) -> Iterator[tuple[str, str]]:
        """Id and text of each piece; the first one's is `key`."""
        text = _UNSTORABLE.sub("\ufffd", self.text).strip()
        for number, piece in enumerate(pieces(text)):
            yield key if not number else str(uuid5(NAMESPACE_OID, f"{key}/{number}")), piece


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
