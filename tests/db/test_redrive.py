"""Dead letters are listed with their reasons and brought back to life with what they are about; a memory is let out of
quarantine once; links are shown from both sides."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection, Lease, claim, enqueue, rows

SOON = START + timedelta(seconds=10)
LATER = START + timedelta(hours=1)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a", intake="verbatim")
    return "a"


def letters(
    service: Connection, bank: str | None = None, page: int = 100, **place: object
) -> list[tuple[Any, ...]]:
    return rows(service, "list_dead_work", bank=bank, page=page, **place)


def redrive(service: Connection, bank: str, page: int = 100, **more: Any) -> int:
    return rows(service, "redrive_work", bank=bank, page=page, **{"at": SOON, **more})[0][0]


def dead(service: Connection, lease: Lease) -> str:
    assert steps.fail(service, lease, max_attempts=1) == "dead"
    return lease.subject


def commit(service: Connection, bank: str, extracted_by: str | None) -> Lease:
    memory = steps.episode(uuid.uuid4(), extracted_by=extracted_by)
    rows(service, "commit_memory", bank=bank, decision=steps.decision(), episode=memory, at=START)
    return claim(service, "embed" if extracted_by else "annotate")[0]


def dead_cut(service: Connection, bank: str) -> str:
    steps.add(service, bank, contents=["one", "two"])
    return dead(service, claim(service)[0])


DEAD: dict[str, tuple[str, Callable[[Connection, str], str]]] = {
    "segment": ("conversation", dead_cut),
    "extract": ("segment", lambda service, bank: dead(service, steps.segment(service, bank))),
    "annotate": ("memory", lambda service, bank: dead(service, commit(service, bank, None))),
    "embed": ("memory", lambda service, bank: dead(service, commit(service, bank, "rules"))),
}


def states(admin: Admin) -> set[tuple[object, ...]]:
    """Of all messages and episodes; for a message, when it was decided too."""
    query = "select status::text, decided_at from memory.message union select status, null from memory.episodic_memory"
    return set(admin.execute(query).fetchall())


@pytest.mark.parametrize("kind", DEAD)
def test_a_letter_says_what_it_is_about_and_why_it_died(service: Connection, bank: str, kind: str) -> None:
    about, kill = DEAD[kind]
    subject = kill(service, bank)
    assert letters(service) == [(bank, kind, about, subject, 1, "it failed", START, START)]


@pytest.mark.parametrize("kind", DEAD)
def test_a_letter_comes_back_to_life_with_what_it_is_about(
    admin: Admin, service: Connection, bank: str, kind: str
) -> None:
    subject = DEAD[kind][1](service, bank)
    assert {status for status, _ in states(admin)} == {"failed"}
    assert redrive(service, bank) == 1
    assert states(admin) <= {("pending", None), ("pending_embedding", None)}
    assert letters(service) == []
    (lease,) = claim(service, kind, at=SOON)
    assert (lease.subject, lease.attempts) == (subject, 1)


def test_the_event_names_who_redrove(admin: Admin, service: Connection, bank: str) -> None:
    DEAD["embed"][1](service, bank)
    redrive(service, bank, actor="ops@example.org")
    events = admin.execute("select actor from memory.memory_event where reason = 're-driven'")
    assert events.fetchall() == [("ops@example.org",)]


def test_what_a_cut_had_failed_is_cut(admin: Admin, service: Connection, bank: str) -> None:
    dead_cut(service, bank)
    redrive(service, bank)
    assert steps.segment_conversation(service, claim(service, at=SOON)[0], at=SOON) == 2
    assert admin.execute("select count(*) from memory.message where segment_id is null").fetchone() == (0,)


@pytest.mark.parametrize("kind", DEAD)
def test_a_letter_that_dies_again_says_why_this_time(
    admin: Admin, service: Connection, bank: str, kind: str
) -> None:
    DEAD[kind][1](service, bank)
    redrive(service, bank)
    (lease,) = claim(service, kind, at=SOON)
    outcome = rows(
        service, "fail_work", bank=bank, kind=kind, subject=lease.subject, token=lease.token, reason="something else",
        retry_at=LATER, max_attempts=1, at=LATER,
    )  # fmt: skip
    assert outcome == [("dead",)]
    assert [(row[5], row[6]) for row in letters(service)] == [("something else", LATER)]
    decided = admin.execute("select reason, decided_at from memory.gate_decision where outcome = 'failed'")
    assert decided.fetchall() == ([("something else", LATER)] if kind == "extract" else [])
    events = admin.execute(
        "select reason from memory.memory_event where to_status = 'failed' order by event_id"
    )
    assert events.fetchall() == ([("it failed",), ("something else",)] if DEAD[kind][0] == "memory" else [])


def test_a_segment_that_was_decided_keeps_its_decision(admin: Admin, service: Connection, bank: str) -> None:
    """Whatever dies later in its name."""
    lease = steps.segment(service, bank)
    steps.decide(service, lease, outcome="refused")
    enqueue(service, bank, lease.subject, "extract")
    dead(service, claim(service, "extract")[0])
    query = "select outcome, reason from memory.gate_decision"
    assert admin.execute(query).fetchall() == [("refused", "a test decided")]


def test_messages_whose_letter_news_have_taken_over_come_back_too(
    admin: Admin, service: Connection, bank: str
) -> None:
    """Else they would stay failed, and nothing would tell of them."""
    dead_cut(service, bank)
    steps.add(service, bank, contents=["fine"], at=SOON)
    steps.segment_conversation(service, claim(service, at=SOON)[0], at=SOON)
    assert letters(service) == []
    assert redrive(service, bank, at=LATER) == 1
    assert steps.segment_conversation(service, claim(service, at=LATER)[0], at=LATER) == 2
    assert redrive(service, bank, at=LATER) == 0
    assert admin.execute("select count(distinct segment_id) from memory.message").fetchone() == (3,)


def fill(admin: Admin, bank: str, count: int) -> None:
    """Many dead letters at once, all of one moment."""
    admin.execute(
        "insert into memory.work (bank_id, kind, subject, not_before, enqueued_at, attempts, last_error, dead_at) "
        "select %s, 'segment', 's' || n, %s, %s, 5, 'x', %s from generate_series(1, %s) as n",
        (bank, START, START, START, count),
    )


def test_one_call_brings_back_one_page_the_oldest_first(admin: Admin, service: Connection, bank: str) -> None:
    fill(admin, bank, 5)
    admin.execute("update memory.work set dead_at = dead_at - interval '1 day' where subject = 's4'")
    fill(admin, "b", 9)  # of another bank: they take no room
    admin.execute("update memory.work set dead_at = dead_at - interval '2 days' where bank_id = 'b'")
    assert redrive(service, bank, 1) == 1
    assert [(lease.bank, lease.subject) for lease in claim(service, at=SOON)] == [(bank, "s4")]
    assert [redrive(service, bank, 3) for _ in range(3)] == [3, 1, 0]


def test_what_dies_after_the_first_page_waits_for_another_day(
    admin: Admin, service: Connection, bank: str
) -> None:
    """Else a letter that dies as fast as it is revived would keep its reviver forever."""
    fill(admin, bank, 2)
    assert rows(service, "redrive_work", bank=bank, page=1, at=SOON) == [(1, SOON)]
    steps.fail(service, claim(service, at=SOON)[0], max_attempts=1, at=SOON + timedelta(seconds=1))
    assert [redrive(service, bank, 1, dead_until=SOON, at=LATER) for _ in range(2)] == [1, 0]
    assert len(letters(service)) == 1


def test_redriving_often_at_once_counts_each_letter_once(
    admin: Admin, service: Connection, login: str, bank: str
) -> None:
    fill(admin, bank, 300)
    for n in range(20):
        steps.add(service, bank, f"c{n}")
    for lease in claim(service):
        dead(service, lease)
    for n in range(10):  # their letters go, what these had failed stays
        steps.add(service, bank, f"c{n}", at=SOON)
    for lease in claim(service, at=SOON):
        steps.segment_conversation(service, lease, at=SOON)
    together = threading.Barrier(4)

    def drive(_: int) -> int:
        total = 0
        with psycopg.connect(login, autocommit=True) as connection:
            together.wait()
            while count := redrive(connection, bank, 7, at=LATER):
                total += count
        return total

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(drive, range(4))) == 320
    assert letters(service) == []
    assert admin.execute("select count(*) from memory.message where status = 'failed'").fetchone() == (0,)


def test_a_letter_whose_memory_is_gone_is_just_driven_again(service: Connection, bank: str) -> None:
    enqueue(service, bank, str(uuid.uuid4()), "embed")
    dead(service, claim(service, "embed")[0])
    assert redrive(service, bank) == 1


def test_pages_show_every_letter_of_every_bank_once(admin: Admin, service: Connection, bank: str) -> None:
    """All of one moment, so that only the keys part them, in the order of the index and of no language."""
    steps.create_bank(service, "B")
    for name in ("a", "B", "gone"):
        fill(admin, name, 5)
    seen: list[tuple[str, str]] = []
    place: dict[str, object] = {}
    while page := letters(service, None, 2, **place):
        seen += [(row[0], row[3]) for row in page]
        last = page[-1]
        place = {"after_at": last[6], "after_bank": last[0], "after_kind": last[1], "after_subject": last[3]}
    assert seen == [(name, f"s{n}") for name in ("B", "a", "gone") for n in range(1, 6)]
    assert [row[0] for row in letters(service, "B")] == ["B"] * 5
    assert rows(service, "list_dead_banks") == [("B",), ("a",), ("gone",)]


@pytest.mark.parametrize("function", ["list_dead_work", "redrive_work"])
def test_an_unknown_bank_is_said_to_be_unknown(admin: Admin, service: Connection, function: str) -> None:
    fill(admin, "gone", 1)
    with pytest.raises(psycopg.Error) as refused:
        rows(service, function, bank="gone", page=1)
    assert refused.value.sqlstate == "ME001"
    assert len(letters(service)) == 1


# Quarantine


def held(service: Connection, bank: str, **fields: object) -> UUID:
    """A memory in quarantine."""
    memory_id = uuid.uuid4()
    rows(
        service, "commit_memory", bank=bank, decision=steps.decision("quarantined"),
        episode=steps.episode(memory_id, status="quarantined", **fields), at=START,
    )  # fmt: skip
    return memory_id


@pytest.mark.parametrize(("extracted_by", "kind"), [(None, "annotate"), ("rules", "embed")])
def test_a_released_memory_goes_on_where_it_was_held_back(
    admin: Admin, service: Connection, bank: str, extracted_by: str | None, kind: str
) -> None:
    memory_id = held(service, bank, extracted_by=extracted_by)
    rows(service, "release_memory", bank=bank, memory=memory_id, actor="anna", at=SOON)
    found = {
        "select status, released_at from memory.episodic_memory": ("pending_embedding", SOON),
        "select from_status, to_status, reason, actor, at from memory.memory_event where event = 'status'":
            ("quarantined", "pending_embedding", "released from quarantine", "anna", SOON),
        "select outcome, reason, decided_by, decided_at from memory.gate_decision":
            ("stored", "released: a test decided", "anna", SOON),
        "select kind, subject, lane from memory.work": (kind, str(memory_id), 0),
    }  # fmt: skip
    for query, row in found.items():
        assert admin.execute(query.encode()).fetchall() == [row]


@pytest.mark.parametrize(
    "status", ["pending_embedding", "active", "archived", "deprecated", "merged_into", "failed"]
)
def test_what_is_in_no_quarantine_is_not_released(
    admin: Admin, service: Connection, bank: str, status: str
) -> None:
    memory_id = held(service, bank)
    admin.execute("update memory.episodic_memory set status = %s", (status,))
    with pytest.raises(psycopg.Error, match=status) as refused:
        rows(service, "release_memory", bank=bank, memory=memory_id, actor="anna")
    assert refused.value.sqlstate == "ME006"
    assert admin.execute("select released_at from memory.episodic_memory").fetchall() == [(None,)]
    assert admin.execute("select outcome from memory.gate_decision").fetchall() == [("quarantined",)]


def test_of_those_who_release_at_once_one_does(
    admin: Admin, login: str, service: Connection, bank: str
) -> None:
    together = threading.Barrier(4)

    def release(memory_id: UUID) -> str:
        with psycopg.connect(login, autocommit=True) as connection:
            together.wait()
            try:
                found = rows(connection, "release_memory", bank=bank, memory=memory_id, actor="anna")
            except psycopg.Error as error:
                return f"{error.sqlstate} {error.diag.message_primary}"
            return f"{len(found)} row"

    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            memory_id = held(service, bank)
            assert sorted(pool.map(release, [memory_id] * 4)) == ["1 row"] + ["ME006 pending_embedding"] * 3
    events = admin.execute("select count(*) from memory.memory_event where event = 'status'")
    assert events.fetchone() == (5,)


# Links


def test_links_are_shown_from_both_sides_the_strongest_first_ten_at_most(
    admin: Admin, service: Connection, bank: str
) -> None:
    middle, *others = (UUID(int=n) for n in range(1, 14))
    for memory_id in (middle, *others):
        memory = steps.episode(memory_id)
        rows(service, "commit_memory", bank=bank, decision=steps.decision(), episode=memory, at=START)
    link = "insert into memory.memory_link values (%s, %s, %s, 'entity', %s, now())"
    for n, other in enumerate(others, 1):
        admin.execute(link, (bank, *((middle, other) if n % 2 else (other, middle)), n / 20))
    admin.execute(link, (bank, others[0], middle, 0.9))  # linked both ways: shown once, by the stronger
    query = "select links from memory_api.read_memory(%s, %s)"
    strongest = [others[0], *reversed(others[3:])]
    assert service.execute(query, (bank, middle)).fetchall() == [(strongest,)]
    assert service.execute(query, (bank, others[5])).fetchall() == [([middle],)]
    listed = service.execute("select memory_id, links from memory_api.list_memories(%s, 100)", (bank,))
    assert dict(listed.fetchall())[middle] == strongest
