"""The queue: an item is claimed by one worker, in fair order, and completed only with its lease (docs/design.md,
"Queue")."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TypeVar

import psycopg
import pytest

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import LEASE, QUIET, START, Connection, Lease, claim, enqueue

T = TypeVar("T")

SOON = START + timedelta(seconds=10)
EXPIRED = START + LEASE + timedelta(seconds=1)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a", intake="verbatim")
    return "a"


def fill(admin: Admin, bank: str, count: int, *, lane: int = 0) -> None:
    """Many ready rows of one bank at once."""
    admin.execute(
        "insert into memory.work (bank_id, kind, subject, lane, not_before, enqueued_at) "
        "select %s, 'segment', 's' || n, %s, %s, %s from generate_series(1, %s) as n",
        (bank, lane, START, START, count),
    )


def work_rows(admin: Admin, columns: str = "subject") -> list[tuple[object, ...]]:
    return admin.execute(
        f"select {columns} from memory.work order by bank_id, kind, subject".encode()
    ).fetchall()


def claimed_in_threads(login: str, count: int, *, per_bank: int) -> list[Lease]:
    """What `count` claimers get who begin at once and take batches until there is nothing left for them."""
    together = threading.Barrier(count)

    def drain(_: int) -> list[Lease]:
        got: list[Lease] = []
        with psycopg.connect(login, autocommit=True) as connection:
            together.wait()
            while batch := claim(connection, batch=7, per_bank=per_bank):
                got += batch
        return got

    with ThreadPoolExecutor(count) as pool:
        return [lease for got in pool.map(drain, range(count)) for lease in got]


# Claiming


def test_only_claims_and_segmentation_do_not_wait_for_the_disk(service: Connection, bank: str) -> None:
    """They can be repeated after a power cut; acknowledged messages and the results of steps must not be lost."""

    def waits(call: Callable[[], T]) -> tuple[str, T]:
        with service.transaction():
            result = call()
            setting = service.execute("show synchronous_commit").fetchone()
        assert setting is not None
        return str(setting[0]), result

    def written(call: Callable[[], T]) -> T:
        setting, result = waits(call)
        assert setting == "on"
        return result

    def repeatable(call: Callable[[], list[Lease]]) -> Lease:
        setting, (lease,) = waits(call)
        assert setting == "off"
        return lease

    assert waits(lambda: claim(service)) == ("on", [])
    written(lambda: steps.add(service, bank))
    lease = repeatable(lambda: claim(service))
    assert waits(lambda: steps.segment_conversation(service, lease)) == ("off", 1)
    lease = repeatable(lambda: claim(service, "extract"))
    written(lambda: steps.decide(service, lease, memory_id=uuid.uuid4()))
    lease = repeatable(lambda: claim(service, "embed"))
    assert written(lambda: steps.activate(service, bank, [lease])) == 1
    assert service.execute("show synchronous_commit").fetchone() == ("on",)


def test_eight_claimers_at_once_get_each_row_once(admin: Admin, login: str) -> None:
    for n in range(10):
        fill(admin, f"bank{n}", 40)
    claimed = Counter((lease.bank, lease.subject) for lease in claimed_in_threads(login, 8, per_bank=1000))
    assert len(claimed) == 400
    assert set(claimed.values()) == {1}


def test_a_claimed_row_is_nobody_elses_until_its_lease_ends(service: Connection) -> None:
    enqueue(service, "a", "s")
    (first,) = claim(service)
    assert claim(service, at=START + LEASE - timedelta(seconds=1)) == []
    (second,) = claim(service, at=START + LEASE)
    assert (second.attempts, second.token != first.token) == (2, True)


def test_a_row_is_not_claimed_before_its_time(service: Connection) -> None:
    enqueue(service, "a", "s", ready_at=SOON)
    assert claim(service) == []
    assert len(claim(service, at=SOON)) == 1


def test_live_work_comes_before_imports(admin: Admin, service: Connection) -> None:
    fill(admin, "a", 10, lane=1)
    fill(admin, "b", 3)
    assert [lease.lane for lease in claim(service, batch=5)] == [0, 0, 0, 1, 1]


def test_what_became_ready_last_does_not_wait_for_a_round_of_the_others(
    admin: Admin, service: Connection
) -> None:
    for n in range(100):
        fill(admin, f"bank{n:03}", 4)
    enqueue(service, "quick", "s", ready_at=SOON)
    found = [lease.bank for lease in claim(service, batch=8, after_bank="bank050", tried=False, at=SOON)]
    assert found[0] == "quick"
    assert Counter(found[-4:]) == {"bank051": 4}


def test_a_flood_of_news_leaves_half_of_each_batch_to_the_others(admin: Admin, service: Connection) -> None:
    fill(admin, "a", 100)
    for n in range(100):
        enqueue(service, "flood", f"s{n}", ready_at=SOON)
    found = Counter(lease.bank for lease in claim(service, batch=8, tried=False, at=SOON))
    assert found == {"flood": 4, "a": 4}


def test_a_flood_of_news_does_not_hold_up_the_banks_own_oldest_row(admin: Admin, service: Connection) -> None:
    fill(admin, "flood", 1)
    (oldest,) = work_rows(admin, "subject")
    for n in range(100):
        enqueue(service, "flood", f"new{n}", ready_at=SOON)
    found = [lease.subject for lease in claim(service, batch=32, per_bank=8, tried=False, at=SOON)]
    assert len(found) == 8
    assert oldest[0] in found


def test_a_resting_banks_backlog_leaves_room_for_what_became_ready_last(
    admin: Admin, service: Connection
) -> None:
    for n in range(20):
        fill(admin, f"bank{n:03}", 4)
    enqueue(service, "quick", "s", ready_at=SOON)
    for n in range(8):
        enqueue(service, "resting", f"s{n}", ready_at=SOON + timedelta(seconds=1))
    arguments = {"batch": 8, "per_bank": 8, "lease": LEASE, "after_bank": "", "retries": False}
    found = steps.rows(
        service,
        "claim_work",
        kind="segment",
        paused_banks=["resting"],
        at=SOON + timedelta(seconds=2),
        **arguments,
    )
    assert found[0][0] == "quick"


def test_an_import_is_never_before_what_is_live(admin: Admin, service: Connection) -> None:
    fill(admin, "a", 3)
    enqueue(service, "b", "s", lane=1, ready_at=SOON)
    assert [lease.lane for lease in claim(service, batch=2, tried=False, at=SOON)] == [0, 0]


def test_a_message_keeps_its_turn_from_cut_to_embedding(service: Connection, admin: Admin, bank: str) -> None:
    """The items of later steps keep the `not_before` of the message, however late the steps run."""
    steps.add(service, bank, "c1", at=START)
    steps.segment_conversation(service, claim(service)[0], at=SOON)
    assert work_rows(admin, "kind, not_before") == [("extract", START)]
    (lease,) = claim(service, "extract", at=SOON)
    steps.decide(service, lease, memory_id=uuid.uuid4(), at=SOON)
    assert work_rows(admin, "kind, not_before") == [("embed", START)]


def test_live_news_about_an_imported_subject_make_it_live(service: Connection) -> None:
    enqueue(service, "a", "s", lane=1)
    enqueue(service, "a", "s", lane=0)
    enqueue(service, "a", "s", lane=1)
    assert [lease.lane for lease in claim(service)] == [0]


def test_no_bank_holds_more_than_its_share(admin: Admin, service: Connection) -> None:
    fill(admin, "a", 10)
    fill(admin, "b", 1)
    assert Counter(lease.bank for lease in claim(service, per_bank=4)) == {"a": 4, "b": 1}
    assert claim(service, per_bank=4) == []
    assert len(claim(service, per_bank=6)) == 2


def test_claimers_at_once_do_not_exceed_a_banks_share_together(admin: Admin, login: str) -> None:
    fill(admin, "a", 400)
    assert len(claimed_in_threads(login, 8, per_bank=10)) == 10


def test_a_finished_lease_makes_room_for_the_bank(admin: Admin, service: Connection) -> None:
    fill(admin, "a", 10)
    first, *_ = claim(service, per_bank=4)
    steps.complete(service, first)
    assert len(claim(service, per_bank=4)) == 1


def test_an_expired_lease_takes_no_room(admin: Admin, service: Connection) -> None:
    fill(admin, "a", 10)
    assert len(claim(service, per_bank=4)) == 4
    assert len(claim(service, per_bank=4, at=EXPIRED)) == 4


def test_banks_take_turns_from_the_last_one_on(service: Connection) -> None:
    for bank in ("a", "b", "c", "d"):
        enqueue(service, bank, "s", lane=1)
    assert [lease.bank for lease in claim(service, batch=2, after_bank="b")] == ["c", "d"]
    assert [lease.bank for lease in claim(service, batch=2, after_bank="b")] == ["a", "b"]


def test_the_turn_wraps_around_to_the_bank_it_began_after(admin: Admin, service: Connection) -> None:
    fill(admin, "b", 2)
    enqueue(service, "a", "s")
    assert [lease.bank for lease in claim(service, after_bank="b")] == ["a", "b", "b"]


def test_an_unknown_bank_to_begin_after_is_fine(service: Connection) -> None:
    enqueue(service, "b", "s")
    assert len(claim(service, after_bank="zzz")) == 1


def test_nobody_starves_behind_a_bank_with_a_long_backlog(admin: Admin, service: Connection) -> None:
    """20,000 rows of one bank and 50 banks with one: all of these are served within as many claims as they need."""
    fill(admin, "m", 20_000)
    for n in range(50):
        fill(admin, f"{'a' if n % 2 else 'z'}{n:02}", 1)
    served: set[str] = set()
    after_bank = ""
    for _ in range(2):
        leases = claim(service, batch=32, per_bank=8, after_bank=after_bank)
        served |= {lease.bank for lease in leases}
        after_bank = leases[-1].bank
    assert len(served) == 51


def test_one_bank_of_many_kinds_holds_its_share_of_each(service: Connection) -> None:
    enqueue(service, "a", "s", "segment")
    enqueue(service, "a", "s", "embed")
    assert [len(claim(service, kind, per_bank=1)) for kind in ("segment", "embed", "extract")] == [1, 1, 0]


# Leases


def test_renewing_moves_the_end_of_a_lease(service: Connection) -> None:
    enqueue(service, "a", "s")
    leases = claim(service)
    assert steps.renew(service, leases, at=SOON) == {leases[0].token}
    assert claim(service, at=START + LEASE) == []
    assert len(claim(service, at=SOON + LEASE)) == 1


def test_renewing_tells_which_leases_are_lost(service: Connection) -> None:
    enqueue(service, "a", "kept")
    enqueue(service, "a", "lost")
    leases = claim(service)
    lost = next(lease for lease in leases if lease.subject == "lost")
    steps.complete(service, lost)
    assert steps.renew(service, leases) == {lease.token for lease in leases} - {lost.token}


def test_giving_back_costs_no_attempt(service: Connection) -> None:
    enqueue(service, "a", "s")
    for _ in range(3):
        leases = claim(service)
        assert leases[0].attempts == 1
        assert steps.release(service, leases) == 1


def test_what_is_given_back_waits_as_long_as_asked(service: Connection) -> None:
    enqueue(service, "a", "s")
    steps.release(service, claim(service), ready_at=SOON)
    assert claim(service) == []
    assert len(claim(service, at=SOON)) == 1


def test_a_lost_lease_can_do_nothing_any_more(admin: Admin, service: Connection) -> None:
    """Fencing: the worker that was too slow neither completes, fails, gives back nor renews the other's work."""
    enqueue(service, "a", "s")
    (slow,) = claim(service)
    (fast,) = claim(service, at=EXPIRED)
    before = work_rows(admin, "*")
    assert not steps.complete(service, slow)
    assert not steps.complete(service, slow, again_at=SOON)
    assert steps.fail(service, slow) is None
    assert steps.release(service, [slow]) == 0
    assert steps.renew(service, [slow]) == set()
    assert work_rows(admin, "*") == before
    assert steps.complete(service, fast)


def test_a_lost_lease_cuts_nothing(admin: Admin, service: Connection, bank: str) -> None:
    steps.add(service, bank)
    (slow,) = claim(service)
    claim(service, at=EXPIRED)
    assert steps.segment_conversation(service, slow, at=EXPIRED) is None
    assert work_rows(admin, "kind") == [("segment",)]


def test_a_lost_lease_decides_nothing(admin: Admin, service: Connection, bank: str) -> None:
    slow = steps.segment(service, bank)
    (fast,) = claim(service, "extract", at=EXPIRED)
    assert not steps.decide(service, slow, memory_id=uuid.uuid4())
    assert admin.execute("select status from memory.message").fetchall() == [("pending",)]
    assert admin.execute("select from memory.gate_decision").fetchall() == []
    assert steps.decide(service, fast, outcome="refused")


def test_a_lost_lease_activates_nothing(admin: Admin, service: Connection, bank: str) -> None:
    _, slow = steps.remember(service, bank)
    (fast,) = claim(service, "embed", at=EXPIRED)
    assert steps.activate(service, bank, [slow]) == 0
    assert admin.execute("select status from memory.episodic_memory").fetchall() == [("pending_embedding",)]
    assert admin.execute("select from memory.memory_vector").fetchall() == []
    assert steps.activate(service, bank, [fast]) == 1


def test_only_the_batch_members_that_are_still_ours_are_activated(service: Connection, bank: str) -> None:
    _, mine = steps.remember(service, bank)
    _, lost = steps.remember(service, bank)
    claim(service, "embed", at=EXPIRED, per_bank=1)
    renewed = steps.renew(service, [mine, lost])
    assert steps.activate(service, bank, [mine, lost]) == len(renewed) == 1


def test_deciding_twice_with_one_lease_decides_once(admin: Admin, service: Connection, bank: str) -> None:
    lease = steps.segment(service, bank)
    assert [steps.decide(service, lease, memory_id=uuid.uuid4()) for _ in range(2)] == [True, False]
    assert admin.execute("select count(*) from memory.episodic_memory").fetchone() == (1,)


def test_activating_twice_with_one_lease_activates_once(admin: Admin, service: Connection, bank: str) -> None:
    _, lease = steps.remember(service, bank)
    assert [steps.activate(service, bank, [lease]) for _ in range(2)] == [1, 0]
    assert admin.execute("select event from memory.memory_event order by event_id").fetchall() == [
        ("created",),
        ("status",),
    ]


# Failures


def test_a_failed_try_comes_back_when_asked(service: Connection) -> None:
    enqueue(service, "a", "s")
    assert steps.fail(service, claim(service)[0], retry_at=SOON) == "retry"
    assert claim(service) == []
    assert [lease.attempts for lease in claim(service, at=SOON)] == [2]


def test_the_last_try_is_a_dead_letter_with_its_reason(admin: Admin, service: Connection) -> None:
    enqueue(service, "a", "s")
    outcomes = [steps.fail(service, claim(service)[0], max_attempts=3) for _ in range(3)]
    assert outcomes == ["retry", "retry", "dead"]
    assert claim(service, at=EXPIRED) == []
    assert work_rows(admin, "last_error, dead_at") == [("it failed", START)]


def test_a_dead_letter_counts_as_dead_and_not_as_waiting(service: Connection) -> None:
    enqueue(service, "a", "s")
    steps.fail(service, claim(service)[0], max_attempts=1)
    assert steps.value(service, "queue_stats", bank="a", at=SOON) == {
        "depth": 0,
        "oldest_seconds": 0,
        "dead": 1,
    }


def test_a_dead_cut_fails_the_messages_it_was_about(admin: Admin, service: Connection, bank: str) -> None:
    steps.add(service, bank, contents=["one", "two"])
    steps.fail(service, claim(service)[0], max_attempts=1)
    assert (
        admin.execute("select status, decided_at from memory.message").fetchall() == [("failed", START)] * 2
    )


def test_a_dead_extraction_fails_its_segment_with_a_decision(
    admin: Admin, service: Connection, bank: str
) -> None:
    steps.fail(service, steps.segment(service, bank), max_attempts=1)
    assert admin.execute("select status from memory.message").fetchall() == [("failed",)]
    assert admin.execute("select outcome, reason from memory.gate_decision").fetchall() == [
        ("failed", "it failed")
    ]


@pytest.mark.parametrize("kind", ["annotate", "embed"])
def test_dead_embedding_work_fails_the_episode(
    admin: Admin, service: Connection, bank: str, kind: str
) -> None:
    extracted_by = None if kind == "annotate" else "rules"
    memory = steps.episode(uuid.uuid4(), extracted_by=extracted_by)
    steps.rows(service, "commit_memory", bank=bank, decision=steps.decision(), episode=memory, at=START)
    (lease,) = claim(service, kind)
    steps.fail(service, lease, max_attempts=1)
    assert admin.execute("select status from memory.episodic_memory").fetchall() == [("failed",)]


def test_new_work_brings_a_dead_row_back_to_life(service: Connection) -> None:
    enqueue(service, "a", "s")
    steps.fail(service, claim(service)[0], max_attempts=1)
    enqueue(service, "a", "s", ready_at=SOON)
    assert [lease.attempts for lease in claim(service, at=SOON)] == [1]


def test_a_message_after_a_dead_cut_is_cut(admin: Admin, service: Connection, bank: str) -> None:
    steps.add(service, bank, contents=["poison"])
    steps.fail(service, claim(service)[0], max_attempts=1)
    steps.add(service, bank, contents=["fine"], at=SOON)
    assert steps.segment_conversation(service, claim(service, at=SOON)[0], at=SOON) == 1
    statuses = "select content, status, segment_id is not null from memory.message order by position"
    assert admin.execute(statuses.encode()).fetchall() == [
        ("poison", "failed", False),
        ("fine", "pending", True),
    ]


def test_news_during_the_last_try_save_the_row_from_death(service: Connection) -> None:
    enqueue(service, "a", "s")
    (lease,) = claim(service)
    enqueue(service, "a", "s")
    assert steps.fail(service, lease, max_attempts=1) == "retry"
    assert len(claim(service)) == 1


def test_success_forgives_earlier_failures(service: Connection) -> None:
    enqueue(service, "a", "s")
    steps.fail(service, claim(service)[0])
    steps.complete(service, claim(service)[0], again_at=START)
    assert [lease.attempts for lease in claim(service)] == [1]


# Completing


def test_completed_work_is_gone(admin: Admin, service: Connection) -> None:
    enqueue(service, "a", "s")
    assert steps.complete(service, claim(service)[0])
    assert work_rows(admin) == []


def test_work_completed_for_now_is_ready_when_asked(service: Connection) -> None:
    enqueue(service, "a", "s")
    assert steps.complete(service, claim(service)[0], again_at=SOON)
    assert claim(service) == []
    assert len(claim(service, at=SOON)) == 1


@pytest.mark.parametrize("again_at", [None, EXPIRED])
def test_news_during_the_lease_survive_completion_and_are_ready_at_once(
    service: Connection, again_at: None
) -> None:
    enqueue(service, "a", "s")
    (lease,) = claim(service)
    enqueue(service, "a", "s")
    assert steps.complete(service, lease, again_at=again_at)
    assert [(lease.generation, lease.attempts) for lease in claim(service)] == [(2, 1)]


def test_news_do_not_move_a_lease(service: Connection) -> None:
    enqueue(service, "a", "s")
    claim(service)
    enqueue(service, "a", "s")
    assert claim(service, at=SOON) == []


def test_waiting_work_enqueued_again_is_not_put_off(service: Connection) -> None:
    enqueue(service, "a", "s", ready_at=START)
    enqueue(service, "a", "s", ready_at=SOON)
    assert len(claim(service)) == 1


def test_waiting_work_wanted_earlier_is_ready_earlier(service: Connection) -> None:
    enqueue(service, "a", "s", ready_at=SOON)
    enqueue(service, "a", "s", ready_at=START)
    assert len(claim(service)) == 1


# A message that arrives while its conversation is being cut


def uncut(admin: Admin) -> list[str]:
    query = "select content from memory.message where segment_id is null order by position"
    return [str(row[0]) for row in admin.execute(query).fetchall()]


def test_a_message_during_the_lease_is_cut_with_it_or_later(
    admin: Admin, service: Connection, bank: str
) -> None:
    steps.add(service, bank, contents=["one"])
    (lease,) = claim(service)
    steps.add(service, bank, contents=["two"])
    steps.segment_conversation(service, lease)
    assert uncut(admin) == []
    (again,) = claim(service)
    assert steps.segment_conversation(service, again) == 0
    assert work_rows(admin, "kind") == [("extract",), ("extract",)]


def test_a_message_after_the_cut_has_work_of_its_own(admin: Admin, service: Connection, bank: str) -> None:
    steps.add(service, bank, contents=["one"])
    steps.segment_conversation(service, claim(service)[0])
    steps.add(service, bank, contents=["two"])
    assert steps.segment_conversation(service, claim(service)[0]) == 1
    assert uncut(admin) == []


def test_the_first_message_of_an_open_transaction_is_not_claimed(
    service: Connection, login: str, bank: str
) -> None:
    with psycopg.connect(login) as adding:
        steps.add(adding, bank)
        assert claim(service) == []
        adding.commit()
    assert len(claim(service)) == 1


def test_a_message_rolled_back_leaves_no_work(admin: Admin, login: str, bank: str) -> None:
    with psycopg.connect(login) as adding:
        steps.add(adding, bank)
        adding.rollback()
    assert work_rows(admin) == []


@pytest.mark.parametrize("order", ["said then claimed", "claimed then said"])
def test_cutting_waits_for_a_message_on_its_way_and_takes_it_along(
    admin: Admin, service: Connection, login: str, bank: str, order: str
) -> None:
    """Whether the row waited or was leased when the message came: the cut ends after it and loses nothing."""
    steps.add(service, bank, contents=["one"])
    with psycopg.connect(login) as adding, ThreadPoolExecutor(1) as pool:
        if order == "said then claimed":
            steps.add(adding, bank, contents=["two"])
        (lease,) = claim(service)
        if order == "claimed then said":
            steps.add(adding, bank, contents=["two"])
        cutting = pool.submit(steps.segment_conversation, service, lease)
        wait_until_blocked(admin)
        adding.commit()
        assert cutting.result() == 2
    assert uncut(admin) == []


def test_the_dead_letter_waits_for_a_message_on_its_way(
    admin: Admin, service: Connection, login: str, bank: str
) -> None:
    """It came while the row was still waiting: it is not left pending behind a dead row."""
    steps.add(service, bank, contents=["one"])
    with psycopg.connect(login) as adding, ThreadPoolExecutor(1) as pool:
        steps.add(adding, bank, contents=["two"])
        (lease,) = claim(service)
        failing = pool.submit(steps.fail, service, lease, max_attempts=1)
        wait_until_blocked(admin)
        adding.commit()
        assert failing.result() == "dead"
    assert admin.execute("select from memory.message where status = 'pending'").fetchall() == []


def test_a_message_waits_for_an_open_cut_and_has_work_of_its_own(
    admin: Admin, service: Connection, login: str, bank: str
) -> None:
    """Cut deletes the work row in an open transaction: the add behind it makes a new one."""
    steps.add(service, bank, contents=["one"])
    (lease,) = claim(service)
    with psycopg.connect(login) as cutting, ThreadPoolExecutor(1) as pool:
        assert steps.segment_conversation(cutting, lease) == 1
        adding = pool.submit(steps.add, service, bank, contents=["two"])
        wait_until_blocked(admin)
        cutting.commit()
        adding.result()
    assert uncut(admin) == ["two"]
    assert steps.segment_conversation(service, claim(service)[0]) == 1


def test_a_message_waits_for_an_open_cut_that_is_undone(
    admin: Admin, service: Connection, login: str, bank: str
) -> None:
    steps.add(service, bank, contents=["one"])
    (lease,) = claim(service)
    with psycopg.connect(login) as cutting, ThreadPoolExecutor(1) as pool:
        assert steps.segment_conversation(cutting, lease) == 1
        adding = pool.submit(steps.add, service, bank, contents=["two"])
        wait_until_blocked(admin)
        cutting.rollback()
        adding.result()
    assert steps.segment_conversation(service, lease) == 2
    assert uncut(admin) == []


def test_a_message_during_an_open_claim_is_cut_by_it(
    admin: Admin, service: Connection, login: str, bank: str
) -> None:
    steps.add(service, bank, contents=["one"])
    with psycopg.connect(login) as claiming:
        (lease,) = claim(claiming)
        steps.add(service, bank, contents=["two"])
        claiming.commit()
    assert steps.segment_conversation(service, lease) == 2
    assert uncut(admin) == []


def test_completion_by_an_old_lease_leaves_the_message_to_the_new_one(
    admin: Admin, service: Connection, bank: str
) -> None:
    steps.add(service, bank, contents=["one"])
    (slow,) = claim(service)
    (fast,) = claim(service, at=EXPIRED)
    steps.add(service, bank, contents=["two"], at=EXPIRED)
    assert not steps.complete(service, slow)
    assert steps.segment_conversation(service, slow, at=EXPIRED) is None
    assert steps.segment_conversation(service, fast, at=EXPIRED) == 2
    assert uncut(admin) == []


def test_an_open_exchange_comes_back_after_its_quiet(admin: Admin, service: Connection) -> None:
    steps.create_bank(service, "a")
    steps.add(service, "a", contents=["a question"])
    assert steps.segment_conversation(service, claim(service)[0]) == 0
    assert claim(service, at=START + QUIET - timedelta(seconds=1)) == []
    assert steps.segment_conversation(service, claim(service, at=START + QUIET)[0], at=START + QUIET) == 1
    assert uncut(admin) == []


def test_adders_on_one_conversation_do_not_deadlock(
    admin: Admin, login: str, service: Connection, bank: str
) -> None:
    """The same new client ids in opposite order, concurrently: each is stored once, and no call fails."""
    rounds = [[f"r{r}m{n}" for n in range(50)] for r in range(20)]
    together = threading.Barrier(4)

    def send(backwards: bool) -> None:
        with psycopg.connect(login, autocommit=True) as connection:
            for ids in rounds:
                order = ids[::-1] if backwards else ids
                together.wait(20)  # a failed thread breaks the barrier, and the test fails
                steps.add(connection, bank, contents=order, client_ids=order)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(send, [False, True, False, True]))
    assert admin.execute("select count(*) from memory.message").fetchone() == (1000,)


def test_cutting_and_the_end_of_an_import_do_not_deadlock(login: str, service: Connection) -> None:
    steps.create_bank(service, "a")
    conversations = [f"c{n}" for n in range(5)]
    stop = threading.Event()

    def cut_all() -> None:
        with psycopg.connect(login, autocommit=True) as connection:
            while not stop.is_set():
                for lease in claim(connection):
                    steps.segment_conversation(connection, lease)

    def end_all(_: int) -> None:
        with psycopg.connect(login, autocommit=True) as connection:
            for _ in range(60):
                for conversation in conversations:
                    steps.add(connection, "a", conversation)
                steps.rows(connection, "end_import", bank="a", conversations=conversations, at=START)

    with ThreadPoolExecutor(4) as pool:
        cutting = [pool.submit(cut_all) for _ in range(2)]
        try:
            list(pool.map(end_all, range(2)))
        finally:
            stop.set()
        for worker in cutting:
            worker.result()


def wait_until_blocked(admin: Admin) -> None:
    """Until one of the service's connections waits for a lock."""
    query = (
        "select from pg_stat_activity where usename = 'memory_service' and datname = current_database() "
        "and wait_event_type = 'Lock'"
    )
    for _ in range(1000):
        if admin.execute(query).fetchone() is not None:
            return
        admin.execute("select pg_sleep(0.005)")
    raise AssertionError("nobody waits")


def test_what_a_dead_worker_held_comes_back_one_by_one(service: Connection) -> None:
    """One of them may have killed it: the others must not be lost with it again and again."""
    steps.create_bank(service, "a")
    for subject in ("1", "2", "3"):
        steps.enqueue(service, "a", subject, "extract")
    assert len(steps.claim(service, "extract")) == 3
    later = START + 2 * steps.LEASE
    steps.enqueue(service, "a", "4", "extract", ready_at=later, at=later)
    assert [lease.subject for lease in steps.claim(service, "extract", tried=False, at=later)] == ["4"]
    assert len(steps.claim(service, "extract", batch=1, tried=True, at=later)) == 1
