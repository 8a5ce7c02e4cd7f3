"""A change of a session's data: values that are set, keys that are removed, items that are appended to lists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from memory_service.sessions.data import (
    Entry,
    Tree,
    appended,
    entries_in,
    entry_of,
    last_parts_in,
    parts_of_keys,
    session_parts,
)
from memory_service.sessions.parts import NewParts, Part, SessionParts, digest_of, text_of
from memory_service.sessions.values import CLOSING, Value
from memory_service.types import JsonObject, JsonValue


class SessionChange:
    """A redacted change. A key is in one of `values`, `removed` and `items`."""

    def __init__(
        self, values: Mapping[str, Value], removed: Sequence[str], items: Mapping[str, Value]
    ) -> None:
        self._values = values
        self._removed = removed
        self._items = items
        self.new_parts = NewParts()
        """Those of `values`."""
        self._entries = {key: entry_of(value, self.new_parts) for key, value in values.items()}

    def kept(self, entries: Mapping[str, Entry]) -> dict[str, Entry]:
        """The entries that this change neither replaces nor removes; it may append to them."""
        gone = {*self._values, *self._removed}
        return {key: entry for key, entry in entries.items() if key not in gone}

    def keeps_trees(self, parts: Mapping[bytes, Part], root: bytes) -> bool:
        """Whether the changed data has values that only stored parts hold."""
        return any(isinstance(entry, Tree) for entry in self.kept(entries_in(parts, root)).values())

    def appended_trees(self, parts: Mapping[bytes, Part], root: bytes) -> dict[str, bytes]:
        """The roots of the stored lists to which it appends, by key."""
        entries = self.kept(entries_in(parts, root))
        return {
            key: entry.root
            for key, entry in entries.items()
            if key in self._items and isinstance(entry, Tree) and entry.opening == "["
        }

    def apply(
        self, parts: Mapping[bytes, Part], root: bytes, last_parts: Mapping[str, Sequence[Part]]
    ) -> SessionParts:
        """The changed data as parts. `last_parts` of the lists of `appended_trees` (parts.write_tree).

        Errors: InvalidInput for a key to whose value nothing can be appended.
        """
        new = NewParts(self.new_parts)
        entries = entries_in(parts, root)
        for key in self._removed:
            entries.pop(key, None)
        entries |= self._entries
        for key, items in self._items.items():
            former = entries.get(key)
            entries[key] = appended(former, items, last_parts.get(key, ()), new, f"append.{key}")
        return session_parts(entries, new)

    def parts_for_the_next(self, parts: Mapping[bytes, Part], root: bytes) -> dict[bytes, Part]:
        """The parts that a later change reads: of the keys, and the last ones of the lists to which this one appended.

        `root` of the changed data; `parts` has its new ones and those of the former keys.
        """
        found = parts_of_keys(parts, root)
        entries = entries_in(parts, root)
        for key in self._items:
            entry = entries[key]
            if isinstance(entry, Tree):
                found |= {digest_of(part): part for part in last_parts_in(parts, entry.root)}
        return found

    def data(self, parts: Mapping[bytes, Part], root: bytes) -> JsonObject:
        """The changed data. `parts` has all parts of the former one that it keeps."""
        entries = entries_in(parts, root)
        for key in self._removed:
            entries.pop(key, None)
        data = {
            key: self._values[key].value if key in self._values else value_of(entry, parts)
            for key, entry in (entries | self._entries).items()
        }
        for key, items in self._items.items():
            former = cast("list[JsonValue]", data.get(key, []))
            data[key] = [*former, *cast("list[JsonValue]", items.value)]
        return data


def value_of(entry: Entry, parts: Mapping[bytes, Part]) -> JsonValue:
    """Errors: KeyError for a missing part."""
    if isinstance(entry, Value):
        return entry.value
    return json.loads(f"{entry.opening}{text_of(parts, entry.root)}{CLOSING[entry.opening]}")
