"""The versions of a fact or norm as changes: the wording by words, the other fields by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_service.person_results import NormVersion
from memory_service.results import FactVersion
from memory_service.ui.text import Change, day, difference, percent

FIELDS = ("status", "confidence", "evidence_count", "valid_from", "valid_to", "pinned")

Version = FactVersion | NormVersion


@dataclass(frozen=True, slots=True)
class FieldChange:
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class VersionChange:
    """One version beside the version before it."""

    version: Version
    wording: tuple[Change, ...]
    """Of the first version, and where it did not change, all of it as kept words."""
    fields: tuple[FieldChange, ...]


def changes_of(versions: Sequence[Version]) -> list[VersionChange]:
    """The changes, newest first."""
    before: Version | None = None
    changes: list[VersionChange] = []
    for one in versions:
        wording = difference(wording_of(before or one), wording_of(one))
        fields = () if before is None else fields_changed(before, one)
        changes.append(VersionChange(one, tuple(wording), fields))
        before = one
    return changes[::-1]


def wording_of(version: Version) -> str:
    return version.fact if isinstance(version, FactVersion) else version.norm


def fields_changed(before: Version, after: Version) -> tuple[FieldChange, ...]:
    pairs = [(name, getattr(before, name), getattr(after, name)) for name in FIELDS]
    return tuple(
        FieldChange(name, plain(old), plain(new)) for name, old, new in pairs if plain(old) != plain(new)
    )


def plain(value: object) -> str:
    match value:
        case None:
            return "open"
        case bool():
            return "yes" if value else "no"
        case float():
            return percent(value)
        case datetime():
            return day(value)
        case _:
            return str(value).replace("_", " ")
