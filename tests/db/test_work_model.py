"""No message is lost in any order of adding, claiming, segmenting, deciding, failing and losing leases (docs/design.md,
"Promises")."""

from __future__ import annotations

import random
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import count

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import LEASE, START, Connection, Lease, claim

CONVERSATIONS = st.sampled_from(["c1", "c2"])
LEASES = st.lists(st.integers(0, 5), min_size=1, max_size=6, unique=True)
MAX_ATTEMPTS = 1_000  # death has its tests; here everything must end well
BANKS = count()

# A message in a segment is either decided, with the segment, or waits for a live row of work.
ASTRAY = """
select 'a segment without work or decision: ' || m.segment_id from memory.message m
 where m.bank_id = %(bank)s and m.segment_id is not null
   and (select count(*) from memory.gate_decision d
         where d.bank_id = m.bank_id and d.segment_id = m.segment_id and m.message_id = any (d.message_ids))
     + (select count(*) from memory.work w
         where w.bank_id = m.bank_id and w.kind = 'extract' and w.subject = m.segment_id::text
           and w.dead_at is null) <> 1
union all
select 'a message without work: ' || m.message_id from memory.message m
 where m.bank_id = %(bank)s and m.segment_id is null
   and not exists (select from memory.work w
                    where w.bank_id = m.bank_id and w.kind = 'segment' and w.subject = m.conversation_id
                      and w.dead_at is null)
union all
select 'a segment of two conversations: ' || m.segment_id from memory.message m
 where m.bank_id = %(bank)s and m.segment_id is not null
 group by m.segment_id having count(distinct m.conversation_id) > 1
union all
select 'a status that its segment does not have: ' || m.message_id from memory.message m
  left join memory.gate_decision d on d.bank_id = m.bank_id and d.segment_id = m.segment_id
 where m.bank_id = %(bank)s and (m.status = 'pending') <> (d.decision_id is null)
union all
select 'a segment with a gap: ' || s.segment_id
  from (select m.segment_id, m.conversation_id, min(m.position) as low, max(m.position) as high, count(*) as n
          from memory.message m where m.bank_id = %(bank)s and m.segment_id is not null
         group by m.segment_id, m.conversation_id) as s
 where s.n <> (select count(*) from memory.message m
                where m.bank_id = %(bank)s and m.conversation_id = s.conversation_id
                  and m.position between s.low and s.high)
"""


def astray(admin: Admin, bank: str) -> list[object]:
    """Everything about the bank's messages that is not as promised."""
    return [row[0] for row in admin.execute(ASTRAY.encode(), {"bank": bank}).fetchall()]


def drain(service: Connection, bank: str, at: datetime) -> None:
    """Work undisturbed until there is nothing left, as far in the future as it takes."""
    for _ in range(100):
        at += LEASE + timedelta(minutes=1)
        mine = [*claim(service, "segment", at=at), *claim(service, "extract", at=at)]
        if not mine:
            return
        for lease in mine:
            assert lease.bank == bank
            settle(service, lease, at)
    raise AssertionError("the queue does not drain")


def settle(service: Connection, lease: Lease, at: datetime) -> None:
    if lease.kind == "segment":
        steps.segment_conversation(service, lease, at=at)
    else:
        steps.decide(service, lease, outcome="refused", at=at)


class WritePath(RuleBasedStateMachine):
    """The write path with a simulated clock, and leases that are used late, twice or never."""

    admin: Admin
    service: Connection
    intake: str

    def __init__(self) -> None:
        super().__init__()
        self.bank = f"bank{next(BANKS)}"
        self.now = START
        self.said: list[uuid.UUID] = []
        self.leases: list[Lease] = []
        steps.create_bank(self.service, self.bank, intake=self.intake)

    @rule(conversation=CONVERSATIONS, size=st.integers(1, 8), role=st.sampled_from(["user", "assistant"]))
    def add(self, conversation: str, size: int, role: str) -> None:
        self.said += steps.add(
            self.service, self.bank, conversation, ["hello"] * size, role=role, at=self.now
        )

    @rule(batch=st.integers(1, 9))
    def take(self, batch: int) -> None:
        for kind in ("segment", "extract"):
            self.leases += claim(self.service, kind, batch=batch, at=self.now)

    @rule(which=LEASES)
    def work(self, which: list[int]) -> None:
        for lease in self.some(which):
            settle(self.service, lease, self.now)

    @rule(which=LEASES)
    def fail(self, which: list[int]) -> None:
        for lease in self.some(which):
            steps.fail(self.service, lease, max_attempts=MAX_ATTEMPTS, retry_at=self.now, at=self.now)

    @rule(which=LEASES)
    def give_back(self, which: list[int]) -> None:
        for lease in self.some(which):
            steps.release(self.service, [lease], ready_at=self.now)

    @rule(which=LEASES)
    def renew(self, which: list[int]) -> None:
        for lease in self.some(which):
            steps.renew(self.service, [lease], at=self.now)

    @rule(conversation=CONVERSATIONS)
    def end_import(self, conversation: str) -> None:
        steps.rows(self.service, "end_import", bank=self.bank, conversations=[conversation], at=self.now)

    @rule(seconds=st.sampled_from([1, 6, 61]))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    def some(self, which: list[int]) -> list[Lease]:
        """Leases by how long ago they were got; they stay at hand, so that they are used again when they are lost."""
        return [self.leases[-1 - n] for n in which if n < len(self.leases)]

    @invariant()
    def nothing_is_astray(self) -> None:
        assert astray(self.admin, self.bank) == []

    def teardown(self) -> None:
        drain(self.service, self.bank, self.now)
        kept = self.admin.execute(
            "select message_id from memory.message where bank_id = %s and segment_id is not null "
            "and status = 'refused'",
            (self.bank,),
        ).fetchall()
        assert {row[0] for row in kept} == set(self.said)
        assert self.admin.execute("select from memory.work where bank_id = %s", (self.bank,)).fetchall() == []


@pytest.mark.parametrize("intake", ["exchange", "snippet", "verbatim"])
def test_no_order_of_steps_loses_a_message(admin: Admin, service: Connection, intake: str) -> None:
    service.execute("set synchronous_commit = off")
    WritePath.admin, WritePath.service, WritePath.intake = admin, service, intake
    run_state_machine_as_test(
        WritePath,
        settings=settings(
            max_examples=100,
            stateful_step_count=40,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            derandomize=True,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


def test_no_message_is_lost_among_workers_that_die(admin: Admin, login: str, service: Connection) -> None:
    """Three adders and three workers at once, of whom each abandons every fifth lease, in real time."""
    steps.create_bank(service, "a", intake="snippet")
    adding = threading.Event()

    def add(seed: int) -> list[uuid.UUID]:
        chance = random.Random(seed)
        said: list[uuid.UUID] = []
        with psycopg.connect(login, autocommit=True) as connection:
            for _ in range(60):
                size = chance.randint(1, 4)
                said += steps.add(connection, "a", f"c{chance.randint(1, 3)}", ["hello"] * size, at=START)
        return said

    def work(seed: int) -> None:
        chance = random.Random(seed)
        at = START
        with psycopg.connect(login, autocommit=True) as connection:
            while not adding.is_set():
                # Each worker's clock runs ahead: leases that a neighbour holds or left end soon.
                at += timedelta(seconds=20)
                for lease in [*claim(connection, "segment", at=at), *claim(connection, "extract", at=at)]:
                    time.sleep(chance.random() / 1000)
                    if chance.random() < 0.8:
                        settle(connection, lease, at)

    with ThreadPoolExecutor(6) as pool:
        workers = [pool.submit(work, seed) for seed in range(3)]
        try:
            said = [message for got in pool.map(add, range(3)) for message in got]
        finally:
            adding.set()
        for worker in workers:
            worker.result()
    drain(service, "a", START + timedelta(days=365))
    assert astray(admin, "a") == []
    refused = admin.execute("select message_id from memory.message where status = 'refused'").fetchall()
    assert sorted(str(row[0]) for row in refused) == sorted(map(str, said))
    decided = "select count(*), count(distinct m) from memory.gate_decision, unnest(message_ids) as m"
    assert admin.execute(decided.encode()).fetchone() == (len(said), len(said))
