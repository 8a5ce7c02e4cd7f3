"""Deduplication: a repeated text is merged once and only into the same text, in any order of commits, activations and
lost leases."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import timedelta
from itertools import count
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import LEASE, START, Connection, Lease, claim, vector_of

TEXTS = ("I moved to Berlin.", "I moved to Munich.", "I never moved to Berlin.", "I moved to Berlin 2 times.")
TEXT = st.sampled_from(TEXTS)
BANK = st.integers(0, 1)
LEASES = st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=True)
BANKS = count()

# Every episode that was activated is an active one or is counted by one that is.
ASTRAY = """
select 'counts that do not add up' where
    (select coalesce(sum(e.represents), 0) from memory.episodic_memory e
      where e.bank_id = %(bank)s and e.status = 'active')
    <> (select count(*) from memory.episodic_memory e
         where e.bank_id = %(bank)s and e.status in ('active', 'merged_into'))
union all
select 'merged into what is not active: ' || e.memory_id
  from memory.episodic_memory e
  left join memory.episodic_memory k on k.bank_id = e.bank_id and k.memory_id = e.merged_into_id
 where e.bank_id = %(bank)s and (e.status = 'merged_into') <> (k.status is not distinct from 'active')
union all
select 'another text swallowed: ' || e.summary || ' by ' || k.summary
  from memory.episodic_memory e
  join memory.episodic_memory k on k.bank_id = e.bank_id and k.memory_id = e.merged_into_id
 where e.bank_id = %(bank)s and e.summary <> k.summary
union all
select 'an own count that its own merges do not explain: ' || e.memory_id
  from memory.episodic_memory e
 where e.bank_id = %(bank)s and e.status = 'active'
   and (e.represents, e.access_count) <> (
       select (1 + count(*))::integer, count(*)::integer from memory.episodic_memory f
        where f.bank_id = e.bank_id and f.merged_into_id = e.memory_id)
union all
select 'events that do not tell its way: ' || e.memory_id
  from memory.episodic_memory e
 where e.bank_id = %(bank)s
   and (select count(*) filter (where v.from_status = 'pending_embedding')
             + 10 * count(*) filter (where v.event = 'status' and v.to_status = 'merged_into')
             + 100 * count(*) filter (where v.event = 'reinforced')
          from memory.memory_event v where v.bank_id = e.bank_id and v.memory_id = e.memory_id)
       <> (e.status <> 'pending_embedding')::integer + 10 * (e.status = 'merged_into')::integer
          + 100 * (e.represents - 1)
union all
select 'an event that changes nothing: ' || v.memory_id
  from memory.memory_event v
 where v.bank_id = %(bank)s and v.event = 'status' and v.from_status = v.to_status
union all
select 'not one vector: ' || e.memory_id
  from memory.episodic_memory e
 where e.bank_id = %(bank)s and e.status in ('active', 'merged_into')
   and (select count(*) from memory.memory_vector v where v.bank_id = e.bank_id and v.memory_id = e.memory_id)
     + (select count(*) from memory.work w
         where w.bank_id = e.bank_id and w.kind = 'embed' and w.subject = e.memory_id::text) <> 1
union all
select 'pending without work: ' || e.memory_id
  from memory.episodic_memory e
 where e.bank_id = %(bank)s and e.status = 'pending_embedding'
   and not exists (select from memory.work w
                    where w.bank_id = e.bank_id and w.kind = 'embed' and w.subject = e.memory_id::text)
union all
select 'linked twice: ' || l.memory_id
  from memory.memory_link l
  join memory.memory_link r on r.bank_id = l.bank_id and r.memory_id = l.linked_id and r.linked_id = l.memory_id
 where l.bank_id = %(bank)s
"""


def vector(text: str) -> str:
    """Vectors nearer to each other than any duplicate threshold: only text_difference keeps the texts apart."""
    return vector_of({0: 1.0, 1 + TEXTS.index(text): 0.1})


class Saying(RuleBasedStateMachine):
    """Two banks with a simulated clock, and leases that are used late, twice or never."""

    admin: Admin
    service: Connection

    def __init__(self) -> None:
        super().__init__()
        number = next(BANKS)
        self.banks = [f"bank{number}-{n}" for n in range(2)]
        self.now = START
        self.leases: list[Lease] = []
        self.said: dict[tuple[str, str], str] = {}
        """The text of each memory and of each segment, by bank and id."""
        self.expected = 0
        for bank in self.banks:
            steps.create_bank(self.service, bank)

    @rule(bank=BANK, text=TEXT, times=st.integers(1, 3))
    def commit(self, bank: int, text: str, times: int) -> None:
        episodes = [steps.episode(uuid.uuid4(), summary=text).obj for _ in range(times)]
        self.said |= {(self.banks[bank], one["memory_id"]): text for one in episodes}
        steps.rows(self.service, "insert_episodes", bank=self.banks[bank], episodes=steps.Jsonb(episodes),
                   at=self.now)  # fmt: skip
        self.expected += times

    @rule(bank=BANK, texts=st.lists(TEXT, min_size=1, max_size=3))
    def say(self, bank: int, texts: list[str]) -> None:
        steps.add(self.service, self.banks[bank], "c1", texts, at=self.now)
        self.expected += len(texts)

    @rule(batch=st.integers(1, 9))
    def take(self, batch: int) -> None:
        for kind in ("segment", "extract", "embed"):
            self.leases += claim(self.service, kind, batch=batch, at=self.now)

    @rule(which=LEASES)
    def work(self, which: list[int]) -> None:
        self.settle(self.some(which))

    @rule()
    def work_off(self) -> None:
        self.take(9)
        self.settle(self.leases[-9:])

    @rule()
    def activate_without_vectors(self) -> None:
        self.take(9)
        for bank in self.banks:
            mine = [lease for lease in self.leases[-9:] if (lease.bank, lease.kind) == (bank, "embed")]
            if mine:
                steps.rows(self.service, "activate_unembedded", bank=bank, at=self.now,
                           memories=[UUID(one.subject) for one in mine],
                           tokens=[one.token for one in mine])  # fmt: skip

    @rule(which=LEASES)
    def give_back(self, which: list[int]) -> None:
        for lease in self.some(which):
            steps.release(self.service, [lease], ready_at=self.now)

    @rule()
    def lose_every_lease(self) -> None:
        """All leases expire, and their work items are claimed again."""
        self.now += LEASE + timedelta(seconds=1)
        self.take(9)

    def some(self, which: Iterable[int]) -> list[Lease]:
        """Leases by age, the latest is 0; they are kept, so that lost leases are used again."""
        return [self.leases[-1 - n] for n in which if n < len(self.leases)]

    def settle(self, leases: list[Lease]) -> None:
        for lease in leases:
            if lease.kind == "segment":
                steps.segment_conversation(self.service, lease, at=self.now)
            elif lease.kind == "extract":
                self.decide(lease)
        for bank in self.banks:
            mine: list[Lease] = [lease for lease in leases if (lease.bank, lease.kind) == (bank, "embed")]
            while mine:  # no batch holds two leases on the same
                latest: dict[str, Lease] = {lease.subject: lease for lease in mine}
                batch = list(latest.values())
                vectors = [vector(self.said[bank, lease.subject]) for lease in batch]
                steps.activate(self.service, bank, batch, vectors, at=self.now)
                mine = [lease for lease in mine if lease not in batch]

    def decide(self, lease: Lease) -> None:
        row = self.admin.execute(
            "select content from memory.message where segment_id = %s", (lease.subject,)
        ).fetchone()
        assert row is not None
        memory_id = uuid.uuid4()
        text = str(row[0])
        self.said[lease.bank, str(memory_id)] = text
        steps.decide(self.service, lease, memory_id=memory_id, summary=text, at=self.now)

    @invariant()
    def nothing_is_astray(self) -> None:
        for bank in self.banks:
            assert self.admin.execute(ASTRAY.encode(), {"bank": bank}).fetchall() == []

    def teardown(self) -> None:
        for _ in range(100):
            self.now += LEASE + timedelta(seconds=1)
            mine = [
                lease
                for kind in ("segment", "extract", "embed")
                for lease in claim(self.service, kind, at=self.now)
            ]
            if not mine:
                break
            self.settle(mine)
        self.nothing_is_astray()
        told = {(bank, text) for (bank, _), text in self.said.items()}
        rows = self.admin.execute(
            "select bank_id, summary, represents from memory.episodic_memory "
            "where status = 'active' and bank_id = any (%s)",
            (self.banks,),
        ).fetchall()
        assert sum(int(str(represents)) for *_, represents in rows) == self.expected
        stored = {(str(bank), str(text)) for bank, text, _ in rows}
        assert stored == told, "a text is lost, or was never said"
        assert len(rows) == len(told), "the same is kept twice"


def test_no_order_of_steps_miscounts_or_mismatches(admin: Admin, service: Connection) -> None:
    service.execute("set synchronous_commit = off")
    Saying.admin, Saying.service = admin, service
    run_state_machine_as_test(
        Saying,
        settings=settings(
            max_examples=60,
            stateful_step_count=25,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            derandomize=True,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


@pytest.mark.own_database
def test_among_many_that_look_alike_the_guard_is_asked_a_bounded_number_of_times(
    admin: Admin, service: Connection, login: str
) -> None:
    """It costs half a millisecond: asked about each of a thousand, a batch would outlast its statement's timeout."""
    steps.create_bank(service, "a")
    known = steps.pending(service, "a", *[{"summary": f"Locker number {n} is mine."} for n in range(60)])
    steps.activate(service, "a", known, merges=False)
    admin.execute(f"alter database \"{admin.info.dbname}\" set track_functions = 'all'".encode())
    leases = steps.pending(
        service,
        "a",
        {"summary": "Locker number 5 is mine."},
        *[{"summary": f"Locker {n}00"} for n in range(9)],
    )
    with psycopg.connect(login, autocommit=True) as fresh:
        steps.activate(fresh, "a", leases)
    query = "select calls from pg_stat_user_functions where funcname = 'text_difference'"
    calls = admin.execute(query.encode()).fetchone()
    assert calls is not None
    assert int(str(calls[0])) <= 20 * len(leases)
    merged = admin.execute(
        "select memory_id from memory.episodic_memory where status = 'merged_into'"
    ).fetchall()
    assert merged == [(UUID(leases[0].subject),)]
