"""The functions of procedural memory, called once as the service."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, value

BANK = "smoke"
CONTENT = "Water the plants on Mondays."


def committed(service: Connection, *, bank: str = BANK, **fields: Any) -> UUID:
    """A committed procedure that waits for its vectors."""
    procedure: dict[str, Any] = {
        "memory_id": str(uuid.uuid4()), "kind": "habit", "content": CONTENT, "status": "pending_embedding",
        "importance": 0.5, "occurred_at": START.isoformat(), "source": "agent", "given": {}, **fields,
    }  # fmt: skip
    ((memory, _, created),) = rows(
        service,
        "commit_procedure",
        bank=bank,
        decision=steps.decision(),
        procedure=Jsonb(procedure),
        at=START,
    )
    assert created
    return memory


def everything(service: Connection, bank: str, content: str = CONTENT) -> None:
    """A row in each table of procedural memory."""
    memory = committed(service, bank=bank, content=content)
    episode, lease = steps.remember(service, bank, lesson=content)
    steps.activate(service, bank, [lease], steps.unit_vector(40))
    (work,) = steps.claim(service, "procedures")
    value(
        service, "write_procedures", bank=bank, model=MODEL, subjects=[memory], tokens=[work.token],
        procedures=Jsonb([{"subject": str(memory)}]), embeddings=vectors(0), situations=vectors(1), at=START,
    )  # fmt: skip
    rows(
        service, "write_lesson_vectors", bank=bank, model=MODEL, episodes=[episode], lessons=[content],
        embeddings=vectors(0),
    )  # fmt: skip


def activated(service: Connection, axis: int = 0, **fields: Any) -> UUID:
    """A committed procedure in use, with vectors on this axis."""
    memory = committed(service, **fields)
    assert written(service, memory, axis) == 1
    return memory


def written(service: Connection, subject: UUID, axis: int = 0, **entry: Any) -> int:
    (lease,) = [one for one in steps.claim(service, "procedures") if one.subject == str(subject)]
    return value(
        service, "write_procedures", bank=BANK, model=MODEL, subjects=[subject], tokens=[lease.token],
        procedures=Jsonb([{"subject": str(subject), **entry}]), embeddings=vectors(axis),
        situations=vectors(axis + 1), at=START,
    )  # fmt: skip


def vectors(*axes: int) -> str:
    """An array of unit vectors, as text."""
    return "{" + ",".join(f'"{steps.unit_vector(axis)}"' for axis in axes) + "}"


def an_episode(service: Connection, axis: int = 0, **fields: Any) -> UUID:
    memory, lease = steps.remember(service, BANK, **fields)
    steps.activate(service, BANK, [lease], steps.unit_vector(axis))
    return memory


def entry(service: Connection, memory: UUID) -> tuple[Any, ...]:
    found = service.execute(
        "select status, evidence_count, worked, failed, pinned from memory.procedural_memory where memory_id = %s",
        (memory,),
    ).fetchone()
    assert found is not None
    return found


def commit_procedure(service: Connection) -> None:
    assert entry(service, committed(service)) == ("pending_embedding", 0, 0, 0, False)


def write_procedures(service: Connection) -> None:
    assert entry(service, activated(service)) == ("active", 1, 0, 0, False)


def place_committed_procedure(service: Connection) -> None:
    first, second = activated(service), committed(service)
    assert written(service, second) == 1
    assert entry(service, first)[:2] == ("active", 2)
    assert entry(service, second)[0] == "merged_into"
    new = activated(service, 9, content="Water the plants with the new can.", replaces=str(first))
    assert entry(service, first)[0] == "superseded"
    assert entry(service, new)[0] == "active"
    rows(service, "enforce_caps", bank=BANK, most_procedures=0, at=START)
    assert entry(service, new)[0] == "deprecated"
    assert value(service, "restore_memory", bank=BANK, memory=new, actor="a", at=START) == "active"


def write_stated_procedure(service: Connection) -> None:
    habit: dict[str, Any] = {
        "kind": "habit",
        "content": CONTENT,
        "situation": "on Mondays",
        "steps": [],
        "stated": True,
    }
    episode = an_episode(service, signals={"procedures": [habit]})
    memory = uuid.uuid4()
    assert written(service, episode, memory_id=str(memory), **habit) == 1
    assert entry(service, memory) == ("active", 1, 0, 0, False)


def enqueue_statements(service: Connection) -> None:
    episode = an_episode(service, signals={"procedures": [{}]})
    assert [one.subject for one in steps.claim(service, "procedures")] == [str(episode)]


def may_teach(service: Connection) -> None:
    told: list[tuple[str, dict[str, Any]]] = [
        ("user", {}),
        ("tool", {}),
        ("import", {"trusted": False}),
        ("import", {"trusted": True}),
    ]
    answers = [value(service, "may_teach", source=s, metadata=Jsonb(m)) for s, m in told]
    assert answers == [True, False, False, True]


def read_procedure_texts(service: Connection) -> None:
    memory = committed(service, situation="on Mondays")
    assert rows(service, "read_procedure_texts", bank=BANK, subjects=[memory]) == [
        (memory, None, CONTENT, "on Mondays", MODEL)
    ]


def set_procedure_vectors(service: Connection) -> None:
    memory = committed(service)
    rows(
        service, "set_procedure_vectors", bank=BANK, model=MODEL, memory=memory,
        embedding=steps.unit_vector(0), situation_embedding=None,
    )  # fmt: skip
    assert service.execute("select part from memory.procedural_vector").fetchall() == [(0,)]


def find_procedure(service: Connection) -> None:
    memory = activated(service)
    asked: dict[str, Any] = {
        "bank": BANK, "model": MODEL, "content": CONTENT, "situation": "", "steps": [],
        "embedding": steps.unit_vector(0), "situation_embedding": None, "occurred_at": START,
    }  # fmt: skip
    assert value(service, "find_procedure", **asked) == memory
    elsewhere = asked | {"embedding": steps.unit_vector(9)}
    assert value(service, "find_procedure", **elsewhere) == memory
    assert value(service, "find_procedure", **elsewhere | {"content": "Water the roses on Mondays."}) is None
    assert value(service, "find_procedure", **asked | {"content": "Water no plants on Mondays."}) is None
    assert value(service, "find_procedure", **asked, excluded=[memory]) is None


def procedure_fingerprint(service: Connection) -> None:
    one, other = (
        value(service, "procedure_fingerprint", content=CONTENT, situation=s) for s in ("", "at home")
    )
    assert one != other


def procedure_words(service: Connection) -> None:
    told = value(service, "procedure_words", bank=BANK, content=CONTENT, situation="", steps=["fill the can"])
    assert "'plant'" in told
    assert "'can'" not in told
    assert "'fill'" in told


def record_procedure(service: Connection) -> None:
    memory = committed(service)
    rows(
        service, "record_procedure", bank=BANK, memory=memory, event="worked", from_status="active",
        reason="worked", actor="a", at=START, note="well",
    )  # fmt: skip
    versions = rows(service, "procedure_history", bank=BANK, memory=memory, page=9)
    assert [v[0] for v in versions] == [1, 2]
    assert versions[1][2] == "worked: well"


def refresh_procedure(service: Connection) -> None:
    memory = activated(service)
    service.execute("delete from memory.procedure_evidence")
    rows(
        service,
        "refresh_procedure",
        bank=BANK,
        memory=memory,
        event="status",
        reason="r",
        actor="a",
        at=START,
    )
    assert entry(service, memory)[0] == "deprecated"


def withdraw_procedure_evidence(service: Connection) -> None:
    memory = activated(service)
    rows(
        service, "withdraw_procedure_evidence", bank=BANK, episodes=[memory], kinds=None, reason="r", actor="a",
        at=START,
    )  # fmt: skip
    assert entry(service, memory)[:2] == ("deprecated", 0)


def update_procedure(service: Connection) -> None:
    memory = activated(service)
    changed = value(
        service, "update_procedure", bank=BANK, memory=memory, changes=Jsonb({"tags": ["a"]}),
        changed_fields=["tags"], actor="a", decision=None, at=START,
    )  # fmt: skip
    assert changed == memory


def review_procedure(service: Connection) -> None:
    memory = activated(service)
    rows(service, "review_procedure", bank=BANK, memory=memory, review="pinned", actor="a", at=START)
    assert entry(service, memory)[4] is True


def record_outcome(service: Connection) -> None:
    memory = activated(service)
    rows(
        service, "record_outcome", bank=BANK, memory=memory, outcome="failed", note=None, actor="a", at=START
    )
    assert entry(service, memory)[2:4] == (0, 1)


def read_procedure(service: Connection) -> None:
    memory = activated(service)
    assert rows(service, "read_procedure", bank=BANK, memory=memory)[0][1] == memory


def list_procedures(service: Connection) -> None:
    memory = activated(service)
    assert [row[1] for row in rows(service, "list_procedures", bank=BANK, page=9)] == [memory]
    before = START - timedelta(days=1)
    assert rows(service, "list_procedures", bank=BANK, page=9, as_of=before) == []


def set_procedure_status(service: Connection) -> None:
    memory = committed(service)
    changed = value(
        service, "set_procedure_status", bank=BANK, memory=memory, from_status="pending_embedding",
        to_status="failed", reason="r", actor="a", at=START,
    )  # fmt: skip
    assert changed
    assert entry(service, memory)[0] == "failed"
    quarantined = committed(service, status="quarantined")
    rows(service, "release_memory", bank=BANK, memory=quarantined, actor="a", at=START)
    assert entry(service, quarantined)[0] == "pending_embedding"


def procedure_weight(service: Connection) -> None:
    told = [
        value(service, "procedure_weight", worked=w, failed=f) for w, f in ((0, 1), (0, 0), (1, 0), (9, 1))
    ]
    assert told == sorted(told)
    assert [round(one, 3) for one in told] == [0, 0.2, 0.207, 0.596]


def procedure_text(service: Connection) -> None:
    assert (
        value(service, "procedure_text", content="Deploy.", steps=["test", "tag"])
        == "Deploy. (1) test (2) tag"
    )
    assert (
        value(service, "procedure_text", content="Test, then tag.", steps=["test", "tag"])
        == "Test, then tag."
    )


def is_ended_habit(service: Connection) -> None:
    assert not value(service, "is_ended_habit", bank=BANK, procedure=uuid.uuid4(), at=START)


def is_avoided(service: Connection) -> None:
    told = [value(service, "is_avoided", worked=w, failed=f) for w, f in ((0, 2), (0, 3), (1, 3), (2, 4))]
    assert told == [False, True, True, False]


def is_in_force(service: Connection) -> None:
    activated(service)
    found = service.execute(
        "select memory_internal.is_in_force(p, %s), memory_internal.is_in_force(p, %s) "
        "from memory.procedural_memory p",
        (START, START - timedelta(days=1)),
    )
    assert found.fetchone() == (True, False)


def procedure_entries(service: Connection) -> None:
    memory = activated(service)
    asked = {"bank": BANK, "model": MODEL, "at": START}
    for axis, expected in ((0, [memory]), (1, [memory]), (5, [])):
        found = rows(service, "procedure_entries", **asked, query=steps.unit_vector(axis))
        assert [row[1] for row in found] == expected
    assert rows(service, "procedure_entries", **asked, query=None) == []


def procedure_candidates(service: Connection) -> None:
    memory = activated(service)
    found = rows(service, "recall_candidates", **steps.search(BANK, steps.unit_vector(0)), procedures_count=5)
    assert [row[:2] for row in found] == [(memory, "procedural")]


def is_same_lesson(service: Connection) -> None:
    assert value(service, "is_same_lesson", one="Ask before deleting.", other="Always ask before deleting.")
    assert not value(service, "is_same_lesson", one="Ask before deleting.", other="Ask after deleting.")


def is_same_stem(service: Connection) -> None:
    assert value(service, "is_same_stem", one="deploi", other="deploiment")
    assert not value(service, "is_same_stem", one="aisl", other="window")


def taught(service: Connection) -> list[UUID]:
    """Three episodes with the same lesson, whose vectors are written."""
    lessons = ["Ask before deleting.", "Always ask before deleting.", "Ask before you delete."]
    events = ["The photos are gone.", "The invoices were lost.", "Ben misses a report."]
    episodes = [
        an_episode(service, n * 3, lesson=lesson, summary=events[n]) for n, lesson in enumerate(lessons)
    ]
    read = rows(service, "read_lessons", bank=BANK, model=MODEL, page=9)
    assert {row[0] for row in read} == set(episodes)
    rows(
        service, "write_lesson_vectors", bank=BANK, model=MODEL, episodes=episodes, lessons=lessons,
        embeddings=vectors(0, 0, 0),
    )  # fmt: skip
    assert rows(service, "read_lessons", bank=BANK, model=MODEL, page=9) == []
    return episodes


def read_lessons(service: Connection) -> None:
    taught(service)


def similar_lessons(service: Connection) -> None:
    one, *others = taught(service)
    found = rows(service, "similar_lessons", bank=BANK, model=MODEL, episode=one)
    assert {row[0] for row in found} == set(others)


def independent_episodes(service: Connection) -> None:
    one, other = an_episode(service, summary="a"), an_episode(service, 5, summary="b")
    again = rows(service, "independent_episodes", bank=BANK, model=MODEL, episodes=[one, one, other])
    assert again == [([one, other],)]


def learn_lessons(service: Connection) -> None:
    episodes = taught(service)
    asked = {"bank": BANK, "model": MODEL, "page": 9, "at": START}
    ((compared, created, reinforced),) = rows(service, "learn_lessons", **asked)
    assert (compared, len(created), reinforced) == (3, 1, [])
    assert entry(service, created[0])[:2] == ("active", 3)
    assert value(service, "taught_procedure", bank=BANK, model=MODEL, episode=episodes[0]) == created[0]
    assert rows(service, "learn_lessons", **asked) == [(0, [], [])]


def procedure_history(service: Connection) -> None:
    record_procedure(service)


def write_lesson_vectors(service: Connection) -> None:
    taught(service)


def taught_procedure(service: Connection) -> None:
    learn_lessons(service)


def add_lesson_evidence(service: Connection) -> None:
    memory, episode = activated(service), an_episode(service, 7)
    rows(service, "add_lesson_evidence", bank=BANK, memory=memory, episodes=[episode], at=START)
    assert service.execute("select count(*) from memory.procedure_evidence").fetchone() == (2,)


def create_lesson(service: Connection) -> None:
    one, *others = taught(service)
    memory = value(
        service,
        "create_lesson",
        bank=BANK,
        model=MODEL,
        leader=one,
        episodes=[one, *others],
        actor="a",
        at=START,
    )
    assert entry(service, memory)[:2] == ("active", 3)


PROCEDURES: tuple[Callable[[Connection], None], ...] = (
    commit_procedure, write_procedures, place_committed_procedure, write_stated_procedure, enqueue_statements,
    may_teach, read_procedure_texts, set_procedure_vectors, find_procedure, procedure_fingerprint, procedure_words,
    record_procedure, refresh_procedure, withdraw_procedure_evidence,
    update_procedure, review_procedure, record_outcome, read_procedure, list_procedures, set_procedure_status,
    procedure_weight, is_avoided, is_ended_habit, is_in_force, procedure_entries,
    procedure_candidates, procedure_text, is_same_lesson, is_same_stem, read_lessons, similar_lessons,
    independent_episodes, learn_lessons, procedure_history, write_lesson_vectors, taught_procedure,
    add_lesson_evidence, create_lesson,
)  # fmt: skip
