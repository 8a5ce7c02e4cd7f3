"""A session's data as parts: small values stand in the text of their keys, each larger one is a separate tree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.sessions.parts import (
    HOLE,
    MARK,
    NewParts,
    Part,
    SessionParts,
    digests_in,
    text_of,
    write_tree,
)
from memory_service.sessions.values import CLOSING, Value, json_text
from memory_service.types import JsonObject, JsonValue

INLINE_BYTES = 256
"""A longer value is a separate tree."""
PLACEHOLDER = "\0"
"""Begins a string in place of a tree where the text of the keys is parsed; data has no NUL."""
TREE = re.compile(rf'(\[|\{{|"){HOLE.pattern}(?:\]|\}}|")')


@dataclass(frozen=True, slots=True)
class Tree:
    """A value as a separate tree: the text between its brackets or quotation marks."""

    opening: str
    root: bytes
    length: int
    """Bytes of this text."""


Entry = Value | Tree
"""A small value, or a reference to a large one."""


def entry_of(value: Value, parts: NewParts) -> Entry:
    """A value as an entry; the parts of a large one are added to `parts`."""
    if value.length <= INLINE_BYTES or not value.opening:
        return value
    return Tree(value.opening, write_tree(parts, value.stretches()), value.length - 2)


def entries_in(parts: Mapping[bytes, Part], root: bytes) -> dict[str, Entry]:
    """The entries of a session's data; `parts` has at least those of its keys."""
    texts: list[str] = []
    holes: list[bytes] = []
    for part in leaves_below(parts, root):
        texts.append(part.content)
        holes += digests_in(part.children)
    trees: list[Tree] = []

    def placeholder(found: re.Match[str]) -> str:
        trees.append(Tree(found[1], holes[len(trees)], int(found[2])))
        return json.dumps(f"{PLACEHOLDER}{len(trees) - 1}")

    values: dict[str, Any] = json.loads("{" + TREE.sub(placeholder, "".join(texts)) + "}")
    return {key: known_entry(value, trees) for key, value in values.items()}


def leaves_below(parts: Mapping[bytes, Part], root: bytes) -> Iterator[Part]:
    """The leaves of the text of the keys, in order."""
    part = parts[root]
    if part.content or not part.children:
        yield part
        return
    for child in digests_in(part.children):
        yield from leaves_below(parts, child)


def known_entry(value: Any, trees: Sequence[Tree]) -> Entry:
    if isinstance(value, str) and value.startswith(PLACEHOLDER):
        return trees[int(value[1:])]
    text = json_text(value)
    if isinstance(value, str):
        return Value(value, '"', (text[1:-1],))
    if isinstance(value, list):
        items = cast("list[JsonValue]", value)
        return Value(items, "[", tuple(map(json_text, items)))
    return Value(cast("JsonValue", value), "", (text,))


def session_parts(entries: Mapping[str, Entry], parts: NewParts) -> SessionParts:
    """The parts of a session's data; those of its values are in `parts` already, or stored."""
    length = 2
    stretches: list[Part] = []
    for key, entry in entries.items():
        name = f"{',' if stretches else ''}{json_text(key)}:"
        length += len(name.encode())
        if isinstance(entry, Tree):
            hole = f"{entry.opening}{MARK}{entry.length}{MARK}{CLOSING[entry.opening]}"
            stretches.append(Part(name + hole, entry.root))
            length += entry.length + 2
        else:
            stretches.append(Part(name + entry.text))
            length += entry.length
    return SessionParts(write_tree(parts, stretches), length, parts)


def appended(
    former: Entry | None, items: Value, last_parts: Sequence[Part], parts: NewParts, name: str
) -> Entry:
    """The list `former` with further items; `last_parts` of its tree (parts.write_tree), if it has one.

    Errors: InvalidInput naming `name` where it is no list.
    """
    if former is None:
        return entry_of(items, parts)
    if former.opening != "[":
        raise InvalidInput(name, "is not a list in this session; `data` replaces it")
    if isinstance(former, Value):
        known = cast("list[JsonValue]", former.value)
        both = Value([*known, *cast("list[JsonValue]", items.value)], "[", (*former.texts, *items.texts))
        return entry_of(both, parts)
    root = write_tree(parts, items.stretches(appended=True), last_parts)
    return Tree("[", root, former.length + 1 + items.length - 2)


def data_in(parts: Mapping[bytes, Part], root: bytes) -> JsonObject:
    """A session's data. Errors: KeyError for a missing part."""
    return json.loads("{" + text_of(parts, root) + "}")


def last_parts_in(parts: Mapping[bytes, Part], root: bytes) -> list[Part]:
    """The root of a tree, its last child, and so on down to a leaf."""
    found = [parts[root]]
    while found[-1].children:
        found.append(parts[digests_in(found[-1].children)[-1]])
    return found


def parts_of_keys(parts: Mapping[bytes, Part], root: bytes) -> dict[bytes, Part]:
    """The parts of the text of the keys."""
    part = parts[root]
    found = {root: part}
    if not part.content:
        for child in digests_in(part.children):
            found |= parts_of_keys(parts, child)
    return found
