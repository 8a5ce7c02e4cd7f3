"""Keyset pagination: opaque cursors that hold the sort key of a page's last item and which list it is of."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from memory_service.errors import InvalidInput
from memory_service.results import Page, T
from memory_service.validation import check_count

MAX_PAGE = 200
MALFORMED = "is not a cursor that this service gave"
OTHER_LIST = {
    "bank": "is of another bank's list",
    "fact": "is of another fact's history",
    "session": "is of another session's checkpoints",
    "order": "is of a list in another order; this one is by {}",
}
"""Why a cursor is refused, by the property of its list that differs, in the order of the checks."""


P = TypeVar("P", bound=tuple[Any, ...])
"""A sort key: a time, then what breaks ties."""


Share = Annotated[float, (0, 1)]
Number = Annotated[int, (1, 2**31 - 1)]
BigNumber = Annotated[int, (1, 2**63 - 1)]
Xid = Annotated[int, (0, 2**63 - 1)]
"""Numbers in a cursor, each with the range that is accepted."""


class MemoryPlace(NamedTuple):
    occurred_at: datetime
    memory_id: UUID
    importance: Share


class FactPlace(NamedTuple):
    last_confirmed: datetime
    memory_id: UUID


class ProcedurePlace(NamedTuple):
    occurred_at: datetime
    memory_id: UUID


class VersionPlace(NamedTuple):
    at: datetime
    version: Number


class QuestionPlace(NamedTuple):
    created_at: datetime
    clarification_id: UUID
    importance: Share


class DecisionPlace(NamedTuple):
    decided_at: datetime
    decision_id: UUID


class ChangePlace(NamedTuple):
    cluster: str
    xid: Xid
    change_id: BigNumber


class TimelinePlace(NamedTuple):
    change_id: BigNumber


class AuditPlace(NamedTuple):
    at: datetime
    audit_id: BigNumber


class NightPlace(NamedTuple):
    started_at: datetime


class TracePlace(NamedTuple):
    at: datetime
    trace_id: UUID


class ErasurePlace(NamedTuple):
    requested_at: datetime
    erasure_id: UUID


class ThreadPlace(NamedTuple):
    started_at: datetime
    thread_id: UUID


class DeadLetterPlace(NamedTuple):
    dead_at: datetime
    bank_id: str
    kind: str
    subject: str


class SessionPlace(NamedTuple):
    updated_at: datetime
    session_id: str


class CheckpointPlace(NamedTuple):
    number: Number


def page_of(items: Sequence[T], limit: int, cursor_after: Callable[[T], str]) -> Page[T]:
    """The first `limit` of the items; the caller fetched one more, which shows whether another page follows."""
    more = len(items) > limit
    return Page(tuple(items[:limit]), cursor_after(items[limit - 1]) if more else None)


@dataclass(frozen=True, slots=True)
class PageRequest(Generic[P]):
    """Which page of a list is requested: at most `limit` items after a place."""

    kind: type[P]
    limit: int
    after: P | None
    of_list: Mapping[str, object]

    @property
    def fetched(self) -> int:
        """One item more than the page has, which shows whether another page follows."""
        return self.limit + 1

    def page(self, items: Sequence[T]) -> Page[T]:
        """The page of these items, which have the fields of their place."""
        names = get_type_hints(self.kind)

        def cursor_after(item: T) -> str:
            return write_cursor([getattr(item, name) for name in names], **self.of_list)

        return page_of(items, self.limit, cursor_after)


def page_request(limit: int, cursor: str | None, kind: type[P], **of_list: object) -> PageRequest[P]:
    """Errors: InvalidInput naming limit or cursor, as read_cursor."""
    return PageRequest(
        kind, check_count(limit, "limit", 1, MAX_PAGE), read_cursor(cursor, kind, **of_list), of_list
    )


def write_cursor(place: Sequence[object], **of_list: object) -> str:
    """The cursor after this place; `of_list` are properties of the list (OTHER_LIST)."""
    return encode_cursor(*place, *of_list.values())


def encode_cursor(*values: object) -> str:
    """The values one per line, none of which may hold a line break, in base64."""
    lines = (value.isoformat() if isinstance(value, datetime) else str(value) for value in values)
    return base64.urlsafe_b64encode("\n".join(lines).encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, kind: type[P], **of_list: object) -> P | None:
    """The place after which a page begins; None without a cursor.

    Errors: InvalidInput where the cursor is malformed or of another list than `of_list`, as given to write_cursor.
    """
    if cursor is None:
        return None
    parsers, make = parsers_of(kind), cast("Callable[..., P]", kind)
    try:
        lines = decode_cursor(cursor)
        place = make(*(parse(line) for parse, line in zip(parsers, lines[: len(parsers)], strict=True)))
        found = dict(zip(of_list, lines[len(parsers) :], strict=True))
    except (ValueError, OverflowError):
        raise InvalidInput("cursor", MALFORMED) from None
    for name, problem in OTHER_LIST.items():
        if name in of_list and found[name] != str(of_list[name]):
            raise InvalidInput("cursor", problem.format(of_list[name]))
    return place


def decode_cursor(cursor: str) -> list[str]:
    """Errors: ValueError, of which binascii.Error and UnicodeDecodeError are subclasses."""
    text = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    if "\0" in text:
        raise ValueError(cursor)
    return text.split("\n")


def parse_time(text: str) -> datetime:
    """Errors: ValueError, also for a time without an offset; OverflowError."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(text)
    return time.astimezone(UTC)


@cache
def parsers_of(kind: type[object]) -> tuple[Callable[[str], object], ...]:
    """What makes each field of a place from its line."""
    hints = get_type_hints(kind, include_extras=True).values()
    return tuple(parse_time if hint is datetime else parser_within(hint) for hint in hints)


def parser_within(hint: Any) -> Callable[[str], object]:
    """What makes a value of this type from its line. Errors: ValueError, also for a number out of its range."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, (low, high) = get_args(hint)

    def parse(text: str) -> object:
        if not low <= (number := kind(text)) <= high:
            raise ValueError(text)
        return number

    return parse
