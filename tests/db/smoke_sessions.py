"""Smoke calls of the functions about sessions."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from memory_service.sessions.data import entry_of, session_parts
from memory_service.sessions.parts import NewParts
from memory_service.sessions.values import CleanTexts, redacted_values
from tests.db.steps import START, Connection, rows, value

BANK = "smoke"
LINEAGE = uuid.uuid4()
CHECKPOINT = uuid.uuid4()
LONG = ["The harbour is closed. " * 20, "It opens on Monday. " * 20]


def arguments(data: dict[str, Any]) -> dict[str, Any]:
    """Data as the functions take it."""
    parts = NewParts()
    values = redacted_values(data, CleanTexts())
    found = session_parts({key: entry_of(one, parts) for key, one in values.items()}, parts)
    return {
        "root": found.root, "bytes": found.length, "digests": list(parts),
        "contents": [part.content for part in parts.values()],
        "children": [part.children for part in parts.values()],
    }  # fmt: skip


def session(service: Connection, session: str = "s1", lineage: UUID = LINEAGE) -> dict[str, Any]:
    """Create a session; its data as arguments."""
    data = arguments({"step": 1, "texts": LONG})
    rows(service, "create_session", bank=BANK, session=session, lineage=lineage, state="A", **data, at=START)
    return data


def create_session(service: Connection) -> None:
    session(service)
    found = service.execute("select count(*) from memory.session_part").fetchone()
    assert found is not None
    assert found[0] > 2


def read_session(service: Connection) -> None:
    data = session(service)
    ((*head, digests, contents, _, known),) = rows(
        service, "read_session", bank=BANK, session="s1", digests=[*data["digests"][:2], b"0" * 32]
    )
    assert head[2:5] == [1, "A", data["root"]]
    assert set(digests) == set(data["digests"])
    assert set(contents) == set(data["contents"])
    assert set(known) == set(data["digests"][:2])
    ((*_, keys, _, _, _),) = rows(service, "read_session", bank=BANK, session="s1", whole=False)
    assert keys == [data["root"]]


def read_last_parts(service: Connection) -> None:
    session(service)
    tree = service.execute(
        "select digest from memory.session_part where content = '' and octet_length(children) > 32"
    ).fetchone()
    assert tree is not None
    found = rows(service, "read_last_parts", bank=BANK, lineage=LINEAGE, root=tree[0])
    assert [row[0] for row in found] == [0, 1]
    assert found[1][1].endswith('It opens on Monday. "')


def update_session(service: Connection) -> None:
    former = session(service)
    change: dict[str, Any] = {
        "bank": BANK, "session": "s1", "expected": 1, "former_root": former["root"], "state": None, "kept": [],
        **arguments({"step": 2, "texts": LONG}), "at": START,
    }  # fmt: skip

    def outcome(**other: object) -> list[tuple[Any, ...]]:
        return [row[:2] for row in rows(service, "update_session", **{**change, **other})]

    assert outcome(kept=[b"0" * 32]) == [("missing", 1)]
    assert outcome(former_root=bytes(32)) == [("stale", 1)]
    assert outcome(session="s2") == []
    assert rows(service, "update_session", **change) == [("updated", 2, LINEAGE, "A", START, START)]
    assert outcome() == [("stale", 2)]


def list_sessions(service: Connection) -> None:
    session(service)
    session(service, "s2", uuid.uuid4())
    first = rows(service, "list_sessions", bank=BANK, page=1)
    assert [row[0] for row in first] == ["s2"]
    rest = rows(service, "list_sessions", bank=BANK, page=9, before_at=START, before_id="s2")
    assert [row[0] for row in rest] == ["s1"]


def create_checkpoint(service: Connection) -> None:
    session(service)
    made = rows(service, "create_checkpoint", bank=BANK, session="s1", checkpoint=CHECKPOINT, at=START)
    assert made[0][3:6] == (CHECKPOINT, 1, "A")


def list_checkpoints(service: Connection) -> None:
    create_checkpoint(service)
    assert len(rows(service, "list_checkpoints", bank=BANK, session="s1", page=9)) == 1
    assert rows(service, "list_checkpoints", bank=BANK, session="s1", page=9, before_number=1) == []


def delete_checkpoint(service: Connection) -> None:
    create_checkpoint(service)
    for found in (True, False):
        assert value(service, "delete_checkpoint", bank=BANK, session="s1", checkpoint=CHECKPOINT) is found


def restore_session(service: Connection) -> None:
    create_checkpoint(service)
    ((*head, _, _, _, _),) = rows(
        service, "restore_session", bank=BANK, session="s1", checkpoint=CHECKPOINT, at=START
    )
    assert head[2:4] == [2, "A"]


def fork_session(service: Connection) -> None:
    data = session(service)
    ((*head, _, _, _, _),) = rows(service, "fork_session", bank=BANK, session="s1", fork="s2", at=START)
    assert head[:5] == ["s2", LINEAGE, 1, "A", data["root"]]


def delete_session(service: Connection) -> None:
    session(service)
    for found in (True, False):
        assert value(service, "delete_session", bank=BANK, session="s1") is found
    assert service.execute("select count(*) from memory.session_part").fetchone() == (0,)


def expire_sessions(service: Connection) -> None:
    session(service)
    for days, expired in ((None, 0), (2.0, 0), (1.0, 1), (1.0, 0)):
        at = START + timedelta(days=1.5)
        assert value(service, "expire_sessions", bank=BANK, days=days, at=at) == expired


def sweep_sessions(service: Connection) -> None:
    update_session(service)
    assert value(service, "sweep_sessions", bank=BANK) == LINEAGE
    assert value(service, "sweep_sessions", bank=BANK, after_lineage=LINEAGE) is None
    assert value(service, "sweep_sessions", bank=BANK) is None


def banks_with_expired_sessions(service: Connection) -> None:
    session(service)
    later = START + timedelta(days=2)
    assert rows(service, "banks_with_expired_sessions", at=later) == []
    assert rows(service, "banks_with_expired_sessions", days=1.0, at=later) == [(BANK,)]


def part_children(service: Connection) -> None:
    found = rows(service, "part_children", children=b"a" * 32 + b"b" * 32)
    assert found == [(b"a" * 32,), (b"b" * 32,)]
    assert rows(service, "part_children", children=b"") == []


def lock_lineage(service: Connection) -> None:
    for exclusively in (False, True):
        rows(service, "lock_lineage", lineage=LINEAGE, exclusively=exclusively)


def session_limits(service: Connection) -> None:
    assert rows(service, "session_limits", bank=BANK) == [(10_000, 100, 1_048_576)]


def named(name: str, call: Callable[[Connection], None]) -> Callable[[Connection], None]:
    """The smoke call of an internal function that `call` reaches."""

    def reached(service: Connection) -> None:
        call(service)

    reached.__name__ = name
    return reached


SESSIONS: tuple[Callable[[Connection], None], ...] = (
    create_session, read_session, read_last_parts, update_session, list_sessions, create_checkpoint, list_checkpoints,
    delete_checkpoint, restore_session, fork_session, delete_session, expire_sessions, sweep_sessions,
    banks_with_expired_sessions, part_children, lock_lineage, session_limits,
    named("session_parts", read_session), named("insert_session_parts", create_session),
    named("check_session_cap", create_session), named("check_session_bytes", create_session),
    named("set_session_root", update_session), named("delete_unused_parts", sweep_sessions),
    named("delete_sessions", delete_session),
)  # fmt: skip
