"""Banks that are due for the nightly run, their leases, and the completion or failure of a run, at given times."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import facts, steps
from tests.db.smoke_upkeep import run_row
from tests.db.steps import LEASE, START, Connection, rows, value

BEFORE = datetime(2020, 1, 1, tzinfo=UTC)
"""Earlier than any run."""


def claim(
    connection: Connection,
    at: datetime = START,
    batch: int = 9,
    since: datetime | None = None,
    **more: object,
) -> dict[str, UUID]:
    since = since or datetime.now(UTC) + timedelta(days=1)
    found = rows(connection, "claim_upkeep", batch=batch, lease=LEASE, since=since, at=at, **more)
    return {row[0]: row[1] for row in found}


def complete(
    service: Connection, bank: str, token: UUID, at: datetime = START, again: datetime | None = None
) -> bool:
    return value(
        service, "complete_upkeep", bank=bank, token=token, runs=Jsonb([]), message_days=30.0, again_at=again, at=at
    )  # fmt: skip


def begin(service: Connection, bank: str, token: UUID) -> bool:
    return value(service, "begin_upkeep", bank=bank, token=token, lease=LEASE)


def quiet(service: Connection, *banks: str, at: datetime = START) -> None:
    """Claim and complete these banks, so that they are not due."""
    for bank, token in claim(service, at).items():
        assert not banks or bank in banks
        assert begin(service, bank, token)
        assert complete(service, bank, token, at)


def state(admin: Admin, bank: str) -> tuple[Any, ...]:
    """due (text), attempts, last_error, whether leased."""
    row = admin.execute(
        "select due_at::text, attempts, last_error, lease_token is not null from memory.upkeep where bank_id = %s",
        (bank,),
    ).fetchone()
    assert row is not None
    return row


def expire_lease(admin: Admin) -> None:
    admin.execute("update memory.upkeep set not_before = now() - interval '1 s' where not_before > now()")


def test_a_bank_is_due_when_it_changes_and_not_before(service: Connection, admin: Admin) -> None:
    """Each change makes the bank due in the same transaction, whatever `at` the run has."""
    steps.create_bank(service, "a")
    steps.create_bank(service, "b")
    quiet(service, "a", "b")
    assert claim(service, START + timedelta(days=10_000)) == {}
    leases: list[steps.Lease] = []

    def activated() -> None:
        _, lease = steps.remember(service, "a")
        steps.activate(service, "a", [lease])

    def committed() -> None:
        (memory, *_), = rows(
            service, "commit_fact", bank="a", decision=steps.decision(), at=START,
            fact=Jsonb({"memory_id": str(uuid.uuid4()), "fact": "Rex barks.", "importance": 0.5,
                        "occurred_at": START.isoformat(), "source": "agent", "given": {}}),
        )  # fmt: skip
        (lease,) = steps.claim(service, "facts")
        said = {
            "text": "Rex barks.",
            "subject": "rex",
            "attribute": None,
            "value": None,
            "cardinality": "many",
        }
        rows(
            service, "place_committed_fact", bank="a", model=steps.MODEL, memory=memory, token=lease.token,
            statement=Jsonb(said), embedding=steps.unit_vector(3), at=START,
        )  # fmt: skip

    def unembedded() -> None:
        _, lease = steps.remember(service, "a")
        rows(service, "activate_unembedded", bank="a", memories=[UUID(lease.subject)], tokens=[lease.token])
        leases.append(lease)

    known = steps.fact(service, "a", "Rex is black.")
    one, other = (steps.fact(service, "a", f"Rex is {c}.", importance=0.9) for c in ("big", "small"))
    question = steps.conflict(service, "a", one, other)
    changes = {
        "settings": lambda: rows(service, "update_bank", bank="a", patch=Jsonb({"gate": False})),
        "activation": activated,
        "activation without a vector": unembedded,
        "statement": lambda: facts.say(service, admin, "a", START, facts.candidate("home", "porto")),
        "commit": committed,
        "judgement": lambda: rows(
            service, "review_fact", bank="a", memory=known, judgement="disputed", actor="x"
        ),
        "answer": lambda: rows(
            service,
            "answer_clarification",
            bank="a",
            clarification=question,
            keep=one,
            answer=None,
            actor="x",
        ),
    }
    for name, change in changes.items():
        change()
        assert state(admin, "a")[0] == "-infinity", name
        assert list(claim(service)) == ["a"], name
        admin.execute(
            "update memory.upkeep set due_at = 'infinity', lease_token = null, not_before = '-infinity'"
        )


def test_banks_are_claimed_in_the_order_in_which_they_are_due(service: Connection, admin: Admin) -> None:
    """In whatever order their rows lie on the disk."""
    for bank in "abcd":
        steps.create_bank(service, bank)
    for hours, bank in enumerate("cadb"):
        admin.execute(
            "update memory.upkeep set due_at = %s where bank_id = %s",
            (START - timedelta(hours=1 + hours), bank),
        )
    assert list(claim(service, batch=3)) == ["b", "d", "a"]
    assert list(claim(service)) == ["c"]


def test_taking_two_facts_apart_makes_their_bank_due(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    text = "User is a nurse."
    for about in ((None, None, facts.MANY), ("occupation", "nurse", facts.ONE)):
        attribute, of, cardinality = about
        said = facts.candidate(attribute, of, text=text, cardinality=cardinality, stated=True)
        facts.say(service, admin, "a", START, said)
    known = [row[0] for row in admin.execute("select memory_id from memory.semantic_memory").fetchall()]
    rows(service, "merge_facts", bank="a", members=known, actor="night", at=START)
    admin.execute("update memory.upkeep set due_at = 'infinity'")
    (lost,) = admin.execute(
        "select memory_id from memory.semantic_memory where status = 'merged_into'"
    ).fetchall()
    rows(service, "unmerge_fact", bank="a", memory=lost[0], actor="x", at=START)
    assert state(admin, "a")[0] == "-infinity"


def test_reading_and_a_failed_change_make_no_bank_due(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    _, lease = steps.remember(service, "a")
    steps.activate(service, "a", [lease])
    admin.execute("update memory.upkeep set due_at = 'infinity'")
    steps.recall(service, "a")
    steps.add(service, "a")
    rows(service, "create_bank", bank="a", settings=Jsonb({}), embedding_model=steps.MODEL)
    with pytest.raises(psycopg.Error):
        rows(service, "review_fact", bank="nobody", memory=uuid.uuid4(), judgement="pinned", actor="x")
    with service.transaction(force_rollback=True):
        rows(service, "update_bank", bank="a", patch=Jsonb({"gate": False}))
    assert state(admin, "a")[0] == "infinity"


def test_what_changes_meanwhile_keeps_the_bank_due(service: Connection, admin: Admin) -> None:
    """complete_upkeep covers the changes before begin_upkeep; a bank that stays due is not claimed twice in one run."""
    steps.create_bank(service, "a")
    begun = datetime.now(UTC)
    ((_, token),) = claim(service, since=begun).items()
    rows(service, "update_bank", bank="a", patch=Jsonb({"links": False}))  # before its turn: seen
    assert begin(service, "a", token)
    rows(service, "update_bank", bank="a", patch=Jsonb({"gate": False}))
    assert complete(service, "a", token)
    assert state(admin, "a") == ("-infinity", 0, None, False)
    assert claim(service, since=begun) == {}
    ((_, token),) = claim(service).items()
    assert begin(service, "a", token)
    assert complete(service, "a", token)
    assert state(admin, "a") == ("infinity", 0, None, False)


def test_the_night_makes_no_bank_due(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    quiet(service)
    service.execute("set memory.upkeep = 'on'")
    known = steps.fact(service, "a", "Rex is black.")
    rows(service, "review_fact", bank="a", memory=known, judgement="disputed", actor="x")
    assert state(admin, "a")[0] == "infinity"


def test_two_that_claim_at_once_share(service: Connection, login: str, admin: Admin) -> None:
    for n in range(12):
        steps.create_bank(service, f"b{n:02}")
    together = threading.Barrier(4)

    def claims(_: int) -> list[str]:
        with psycopg.connect(login, autocommit=True) as own:
            together.wait()
            return [bank for _ in range(3) for bank in claim(own, batch=2)]

    with ThreadPoolExecutor(4) as pool:
        got = [bank for banks in pool.map(claims, range(4)) for bank in banks]
    assert len(got) == len(set(got))
    assert set(got) | set(claim(service, batch=99)) == {f"b{n:02}" for n in range(12)}


def test_a_lease_that_ended_is_lost_and_costs_its_bank_a_try(service: Connection, admin: Admin) -> None:
    """Of a batch whose process dies only the bank at which it was has been tried; it comes last from then on."""
    for bank in ("a", "b", "c"):
        steps.create_bank(service, bank)
    first = claim(service)
    assert claim(service) == {}
    assert begin(service, "a", first["a"])
    assert set(rows(service, "renew_upkeep", banks=list(first), tokens=list(first.values()), lease=LEASE)) == {
        ("a",), ("b",), ("c",),
    }  # fmt: skip
    expire_lease(admin)
    second = claim(service, batch=2)
    assert list(second) == ["b", "c"]
    third = claim(service)
    assert list(third) == ["a"]
    assert state(admin, "a")[1] == 1
    assert not complete(service, "a", first["a"])
    assert not begin(service, "b", first["b"])
    fails = value(service, "fail_upkeep", bank="b", token=first["b"], reason="x", delay=LEASE, runs=Jsonb([]))
    assert not fails
    assert rows(service, "renew_upkeep", banks=list(first), tokens=list(first.values()), lease=LEASE) == []
    assert complete(service, "a", third["a"])


def test_a_bank_that_fails_rests_and_says_why(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    steps.create_bank(service, "b")
    tokens = claim(service)
    begin(service, "a", tokens["a"])
    rows(
        service, "fail_upkeep", bank="a", token=tokens["a"], reason="budget: no", delay=timedelta(hours=1),
        runs=Jsonb([run_row()]),
    )  # fmt: skip
    assert state(admin, "a") == ("-infinity", 1, "budget: no", False)
    assert claim(service) == {}
    assert rows(service, "upkeep_remaining", at=START)[0][:3] == (0, 1, 1)
    expire_lease(admin)
    assert list(claim(service)) == ["b"]
    ((bank, token),) = claim(service).items()
    begin(service, bank, token)
    assert complete(service, bank, token)
    assert state(admin, "a") == ("infinity", 0, None, False)


def test_one_bank_can_be_named_due_or_not(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    quiet(service)
    ((_, token),) = claim(service, named="a").items()
    assert claim(service, named="a") == {}, "somebody is at it"
    rows(service, "fail_upkeep", bank="a", token=token, reason="x", delay=timedelta(hours=1), runs=Jsonb([]))
    assert list(claim(service, named="a")) == ["a"], "its rest does not count"
    assert claim(service, named="b") == {}


@pytest.mark.parametrize(
    "own", [{}, {"message_days": 3}, {"compress_after_years": 1, "prune_after_days": 100}]
)
def test_a_quiet_bank_is_due_when_time_alone_changes_it(
    service: Connection, admin: Admin, own: dict[str, object]
) -> None:
    """An episode turns 30 days old, a message expires, a strategy's age is reached, a fact fades: the next of these."""
    steps.create_bank(service, "a", **own)
    _, lease = steps.remember(service, "a", importance=0.2)
    steps.activate(service, "a", [lease])
    known = steps.fact(service, "a", "Rex is black.")
    steps.fact(service, "a", "Rex is a dog.", episodes=3)  # stable: never below 0.35
    said_at = START - steps.QUIET
    month, fades = timedelta(days=30), timedelta(days=69.3147)
    expected = {
        "message": said_at + timedelta(days=own.get("message_days", 30)),  # type: ignore[arg-type]
        "episode": START + month,
        "fact": START + fades,
    }
    if "prune_after_days" in own:
        expected |= {"pruned": START + timedelta(days=100), "compressed": START + timedelta(days=365.25)}
    for moment in sorted(expected.values()):
        due = value(service, "next_upkeep_time", bank="a", message_days=30.0, at=moment - timedelta(hours=1))
        assert abs(due - moment) < timedelta(minutes=1)
        # At the very moment it has not happened yet: due a second later, never missed.
        at_it = value(service, "next_upkeep_time", bank="a", message_days=30.0, at=due - timedelta(seconds=1))
        assert at_it == due
    then = max(expected.values()) + timedelta(days=1)
    end = service.execute("select memory_internal.next_upkeep_time('a', 30, %s)::text", (then,)).fetchone()
    assert end == ("infinity",)
    rows(service, "review_fact", bank="a", memory=known, judgement="pinned", actor="x", at=START)
    quiet(service)
    assert claim(service, min(expected.values()) - timedelta(seconds=1)) == {}
    assert list(claim(service, min(expected.values()) + timedelta(seconds=2))) == ["a"]


def test_what_was_left_for_another_night_is_due_then(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    ((_, token),) = claim(service).items()
    begin(service, "a", token)
    assert complete(service, "a", token, again=START + timedelta(hours=1))
    assert claim(service, START + timedelta(minutes=59)) == {}
    assert list(claim(service, START + timedelta(minutes=60))) == ["a"]


def test_a_bank_that_is_parked_by_a_move_is_not_claimed(service: Connection, admin: Admin) -> None:
    """By its name neither: it may only be read."""
    steps.create_bank(service, "a")
    admin.execute("update memory.upkeep set not_before = now() + interval '1 h'")
    assert claim(service) == {}
    assert list(claim(service, named="a")) == ["a"]  # delayed after a failure
    admin.execute("update memory.upkeep set not_before = 'infinity', lease_token = null")
    assert claim(service, named="a") == {}
