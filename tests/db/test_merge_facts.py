"""Facts that are one: merged, found again under any of their wordings, and taken apart to what they were."""

from __future__ import annotations

import random
import threading
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import MANY, ONE, candidate, hear, say
from tests.db.steps import MODEL, Connection, rows, value, vector_of

START = datetime(2025, 1, 1, tzinfo=UTC)
BANKS = count()
NURSE = "User is a nurse."
AXES = {NURSE: 0, "User works as a nurse.": 1, "User has a job as nurse.": 2}


def day(n: float) -> datetime:
    return START + timedelta(days=n)


NIGHT = day(20)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def plain(text: str = NURSE, **more: Any) -> dict[str, Any]:
    """Said without an attribute."""
    return candidate(None, None, text=text, cardinality=MANY, **more)


def job(value: str = "nurse", attribute: str = "post", cardinality: str = ONE, **more: Any) -> dict[str, Any]:
    more.setdefault("text", f"User is a {value}.")
    return candidate(attribute, value, cardinality=cardinality, **more)


def near(text: str) -> str:
    """The vectors of these texts have a cosine of 0.9 to each other."""
    axis = AXES.get(text)
    return vector_of(
        {0: 0.9**0.5} | ({axis + 1: 0.1**0.5} if axis is not None else {10 + hash(text) % 500: 0.1**0.5})
    )


def tell(
    service: Connection, admin: Admin, bank: str, when: float, *said: dict[str, Any], **more: Any
) -> UUID:
    return say(service, admin, bank, day(when), *said, vectors=[near(one["text"]) for one in said], **more)


def candidates(
    service: Connection, bank: str, at: datetime = NIGHT
) -> list[tuple[set[UUID], str, UUID, str | None]]:
    found = rows(service, "merge_candidates", bank=bank, model=MODEL, at=at)
    return [(set(row[0]), row[3], row[4], row[5]) for row in found]


def merge_all(service: Connection, bank: str, at: datetime = NIGHT) -> int:
    """Merge all groups with verdict `merge`, as the nightly run does; return the number of merged facts."""
    merged = 0
    while clear := [group for group in candidates(service, bank, at) if group[1] == "merge"]:
        for members, *_ in clear:
            merged += len(
                value(service, "merge_facts", bank=bank, members=list(members), actor="night", at=at)
            )
    return merged


def unmerge(service: Connection, bank: str, fact: UUID, at: datetime = NIGHT) -> None:
    assert rows(service, "unmerge_fact", bank=bank, memory=fact, actor="ann", at=at)


def shown(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    return admin.execute(
        "select attribute, value, status, evidence_count, round(confidence::numeric, 6)::float8, valid_from, valid_to "
        "from memory.semantic_memory where bank_id = %s order by status, valid_from, attribute nulls first", (bank,),
    ).fetchall()  # fmt: skip


def sure(n: int, birth: float = 0.9) -> float:
    return round(1 - (1 - birth) * 0.95 ** (n - 1), 6)


TABLES = ("semantic_memory", "fact_evidence", "fact_judgement", "fact_conflict", "clarification", "memory_vector",
          "memory_text", "bank", "merge_decision")  # fmt: skip


def state(admin: Admin | Connection, bank: str) -> dict[str, list[str]]:
    """All that is known of a bank's facts, to the last column; not how it came to be."""
    return {
        table: sorted(
            str(row[0])
            for row in admin.execute(
                f"select t::text from memory.{table} t where t.bank_id = %s".encode(), (bank,)
            ).fetchall()
        )
        for table in TABLES
    }


def test_two_that_say_the_same_become_one(service: Connection, admin: Admin, bank: str) -> None:
    """Each episode counts once; the surer keeps its row, takes the place of what it is about, and a change ends it."""
    tell(service, admin, bank, 0, plain(stated=True))
    tell(service, admin, bank, 1, plain(stated=True), job())
    tell(service, admin, bank, 2, job())
    tell(service, admin, bank, 3, job("teacher", text="User is a teacher.", subject="user's sister"))
    assert [row[3] for row in shown(admin, bank)] == [2, 2, 1]
    assert merge_all(service, bank) == 1
    assert shown(admin, bank) == [
        ("post", "nurse", "merged_into", 1, 0.6, day(1), None),
        ("post", "nurse", "stable", 3, sure(3), day(0), None),
        ("post", "teacher", "tentative", 1, 0.6, day(3), None),
    ]
    events = admin.execute(
        "select event, to_status, reason, actor from memory.memory_event where at = %s", (NIGHT,)
    ).fetchall()
    assert sorted(events) == [
        ("status", "merged_into", "merged", "night"),
        ("status", "stable", "merged", "night"),
    ]
    tell(service, admin, bank, 5, job("teacher"))
    assert ("post", "nurse", "stable", 3, sure(3), day(0), day(5)) in shown(admin, bank)
    assert merge_all(service, bank) == 0


def test_what_was_merged_is_found_by_each_of_its_wordings(
    service: Connection, admin: Admin, bank: str
) -> None:
    """Whether it names the attribute or not, also when it arrives late or is heard twice; and an ending ends it."""
    works, has = (
        plain("User works as a nurse."),
        job(attribute="job", cardinality=MANY, text="User has a job as nurse."),
    )
    for n, one in enumerate((job(stated=True), job(), works, has)):
        tell(service, admin, bank, n, one)
    ((members, verdict, winner, _),) = candidates(service, bank)
    assert (len(members), verdict) == (3, "doubt")
    judged_same(service, admin, bank)
    assert merge_all(service, bank) == 2
    again = [(7, works), (-2, has), (8, job()), (9, plain())]
    for when, one in again:
        episode = tell(service, admin, bank, when, one, at=day(30))
        hear(service, bank, [(episode, one)], vectors=[near(one["text"])], at=day(31))
    ((fact, evidence, since, until),) = live(admin, bank, "memory_id, evidence_count, valid_from, valid_to")
    assert (fact, evidence, since, until) == (winner, 8, day(-2), None)
    tell(service, admin, bank, 12, has | {"holds": False})
    assert live(admin, bank, "memory_id, valid_to") == [(winner, day(12))]
    tell(service, admin, bank, 4, job("teacher"), at=day(30))
    assert [row[:3] for row in live(admin, bank, "value, valid_from, valid_to")] == [
        ("nurse", day(-2), day(4)), ("teacher", day(4), day(7)), ("nurse", day(7), day(12)),
    ]  # fmt: skip
    for loser in losers(admin, bank):
        unmerge(service, bank, loser)
    told = "fact, array(select e.occurred_at from memory.fact_evidence e where e.fact_id = f.memory_id order by 1)"
    assert live(admin, bank, told) == [
        (NURSE, [day(-2), day(0), day(1)]),
        (works["text"], [day(2)]),
        (has["text"], [day(3)]),
        ("User is a teacher.", [day(4)]),
        (NURSE, [day(7), day(8), day(9), day(12)]),
    ]


def test_an_unmerged_pair_is_not_merged_again(service: Connection, admin: Admin, bank: str) -> None:
    tell(service, admin, bank, 0, plain(stated=True))
    tell(service, admin, bank, 1, job())
    before = state(admin, bank)
    assert merge_all(service, bank) == 1
    (loser,) = losers(admin, bank)
    for _ in range(2):
        unmerge(service, bank, loser)
    assert state(admin, bank) == before
    assert merge_all(service, bank) == 0
    assert admin.execute("select undone_at, undone_by from memory.fact_merge").fetchall() == [(NIGHT, "ann")]


def test_a_chain_is_not_merged_by_rule(service: Connection, admin: Admin, bank: str) -> None:
    """A is B and B is C, but one has one each of A and C: nothing is merged, unless a model says more."""
    tell(service, admin, bank, 0, plain(stated=True))
    tell(service, admin, bank, 1, job(stated=True))
    tell(service, admin, bank, 2, job(attribute="title", stated=True))
    ((members, verdict, _, reason),) = candidates(service, bank)
    assert (len(members), verdict, reason) == (3, "doubt", "doubt")
    assert merge_all(service, bank) == 0
    assert value(service, "merge_facts", bank=bank, members=list(members), actor="night", at=NIGHT) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (plain(stated=True), job(subject="user's sister", stated=True)),
        (plain(stated=True), plain("User is no nurse.", stated=True)),
        (plain("User has 2 dogs.", stated=True), job("dogs", "has", MANY, text="User has 3 dogs.", stated=True)),
        (plain("User lives in Bern.", stated=True), job("Rome", "lives_in", text="User lives in Rome.", stated=True)),
        (plain(), job()),
        (plain(stated=True), plain("User works as a nurse.", stated=True)),
    ],
)  # fmt: skip
def test_what_is_not_one_by_rule_stays_two(
    service: Connection, admin: Admin, bank: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    """Another subject, number, name or sign; where neither is sure; and other words, which are in doubt."""
    for n, said in enumerate((one, other)):
        tell(service, admin, bank, n, said)
    doubtful = other["text"] == "User works as a nurse."
    assert {group[1] for group in candidates(service, bank)} <= ({"doubt"} if doubtful else {"alone"})
    assert merge_all(service, bank) == 0


def test_what_is_in_conflict_is_never_merged(service: Connection, admin: Admin, bank: str) -> None:
    tell(service, admin, bank, 0, plain(stated=True))
    tell(service, admin, bank, 1, job(stated=True))
    ((members, verdict, *_),) = candidates(service, bank)
    assert verdict == "merge"
    steps.conflict(service, bank, *members, at=day(2))
    assert candidates(service, bank) == []
    assert value(service, "merge_facts", bank=bank, members=list(members), actor="night", at=NIGHT) == []


def test_history_is_not_rewritten(service: Connection, admin: Admin, bank: str) -> None:
    """Two facts that each have predecessors in different timelines are not merged; and a merge moves no evidence into
    the period of another value."""
    for when, one in ((3, plain(stated=True)), (0, job("teacher")), (5, job(stated=True))):
        tell(service, admin, bank, when, one)
    assert [group[3] for group in candidates(service, bank)] == ["earlier"]
    assert merge_all(service, bank) == 0
    steps.create_bank(service, "b")
    for when, one in ((7, plain(stated=True)), (0, job("teacher")), (5, job())):
        tell(service, admin, "b", when, one)
    assert merge_all(service, "b") == 1
    assert shown(admin, "b") == [
        ("post", "nurse", "merged_into", 0, 0.6, day(5), None),
        ("post", "teacher", "tentative", 1, 0.6, day(0), day(5)),
        ("post", "nurse", "tentative", 2, sure(2), day(5), None),
    ]
    (loser,) = losers(admin, "b")
    unmerge(service, "b", loser)
    assert [row[0] for row in shown(admin, "b")] == ["post", "post", None]


def test_what_was_merged_on_comes_apart_from_its_end(service: Connection, admin: Admin, bank: str) -> None:
    tell(service, admin, bank, 0, plain(stated=True))
    tell(service, admin, bank, 1, job())
    merge_all(service, bank)
    (first,) = losers(admin, bank)
    for n in range(2, 5):
        tell(service, admin, bank, n, plain("User works as a nurse.", stated=True))
    judged_same(service, admin, bank)
    before = state(admin, bank)
    assert merge_all(service, bank) == 1
    with pytest.raises(psycopg.Error) as refused:
        unmerge(service, bank, first)
    assert refused.value.sqlstate == "ME007"
    unmerge(service, bank, losers(admin, bank)[0])
    assert state(admin, bank) == before
    unmerge(service, bank, first)
    assert sorted(row[3] for row in shown(admin, bank)) == [1, 1, 3]


# Of any facts

STATEMENTS = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.lists(
            st.tuples(
                st.sampled_from([
                    plain(), plain("User works as a nurse."), job(), job("nurse", "is", MANY),
                    job("nurse", "role", MANY), job("teacher"),
                    candidate("likes", "tea", cardinality=MANY, opposes="dislikes"),
                    candidate("dislikes", "tea", cardinality=MANY, opposes="likes"),
                ]),
                st.booleans(),
            ),
            min_size=1, max_size=3,
        ),
        st.sampled_from([[], ["work"], ["home", "work"]]),
    ),
    min_size=2, max_size=7, unique_by=lambda s: s[0],
)  # fmt: skip
VERDICTS = st.lists(
    st.tuples(st.sampled_from(["pinned", "unpinned", "disputed", "confirmed"]), st.integers(0, 5)), max_size=3
)
SOME = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def told(service: Connection, admin: Admin, statements: list[Any], verdicts: list[Any]) -> str:
    """A bank of which these things were said, and that was judged so."""
    bank = f"told-{next(BANKS)}"
    steps.create_bank(service, bank)
    for when, said, tags in statements:
        episode = tell(
            service, admin, bank, when, *({**one, "stated": stated} for one, stated in said), at=day(13)
        )
        admin.execute(
            "update memory.semantic_memory f set tags = %s from memory.fact_evidence e where f.bank_id = %s "
            "and e.bank_id = f.bank_id and e.fact_id = f.memory_id and e.episode_id = %s and %s <> '{}'::text[] "
            "and f.tags = '{}'", (tags, bank, episode, tags),
        )  # fmt: skip
    for n, (verdict, which) in enumerate(verdicts):
        found = live(admin, bank, "memory_id, attribute, value, retracted_at is null")
        fact, *_, stands = found[which % len(found)]
        if stands:  # a retracted fact, also one that lost to a confirmed one, accepts no judgement
            rows(service, "review_fact", bank=bank, memory=fact, judgement=verdict, actor="a", at=day(14 + n))
    return bank


def judged_same(service: Connection, admin: Admin, bank: str) -> None:
    """Record a model's decision that all facts of the bank have the same meaning."""
    facts = live(admin, bank, "memory_id, fact")
    pairs = [
        {"one": str(a), "other": str(b), "texts": [x, y], "same": True}
        for a, x in facts for b, y in facts if a < b
    ]  # fmt: skip
    rows(service, "record_merge_decisions", bank=bank, pairs=Jsonb(pairs), decided_by="a model", at=NIGHT)


def live(admin: Admin, bank: str, columns: str) -> list[Any]:
    """Columns of the facts that are not merged, the oldest first."""
    query = f"select {columns} from memory.semantic_memory f where bank_id = %s and status <> 'merged_into'"
    return admin.execute(
        f"{query} order by valid_from, fact, attribute nulls first, value".encode(), (bank,)
    ).fetchall()


def losers(admin: Admin, bank: str) -> list[UUID]:
    """The last merged first."""
    found = admin.execute(
        "select loser_id from memory.fact_merge where bank_id = %s and undone_at is null order by merge_id desc",
        (bank,),
    ).fetchall()
    return [UUID(str(row[0])) for row in found]


@SOME
@given(statements=STATEMENTS, verdicts=VERDICTS, model=st.booleans(), seed=st.integers(0, 10**6))
def test_unmerging_restores_what_was(
    service: Connection, admin: Admin, statements: list[Any], verdicts: list[Any], model: bool, seed: int
) -> None:
    """All tables as before, whatever was said and judged of the facts; merging twice is merging once."""
    bank = told(service, admin, statements, verdicts)
    if model:
        judged_same(service, admin, bank)
    before = state(admin, bank)
    if merge_all(service, bank):
        merged = state(admin, bank)
        assert merged != before
        for row in admin.execute(
            "select f.evidence_count, (select count(distinct e.episode_id) from memory.fact_evidence e "
            "  where e.bank_id = f.bank_id and e.fact_id = f.memory_id and e.holds) "
            "from memory.semantic_memory f where f.bank_id = %s and f.status <> 'merged_into'", (bank,),
        ):  # fmt: skip
            assert row[0] == row[1]
    else:
        merged = before
    assert merge_all(service, bank) == 0
    assert state(admin, bank) == merged
    for loser in losers(admin, bank):
        unmerge(service, bank, loser)
    assert state(admin, bank) == before


@SOME
@given(statements=STATEMENTS, verdicts=VERDICTS, seed=st.integers(0, 10**6))
def test_what_was_said_meanwhile_stays_the_winners(
    service: Connection, admin: Admin, statements: list[Any], verdicts: list[Any], seed: int
) -> None:
    """New evidence arrives at the winner while others are merged into it: after they are taken out again, in whatever
    order, all is as if it had arrived without them."""
    bank = told(service, admin, statements, verdicts)
    judged_same(service, admin, bank)
    ends: list[dict[str, list[str]]] = []
    winners: set[UUID] = set()
    for merged in (True, False):
        with admin.transaction(force_rollback=True):
            if merged:
                merge_all(admin, bank)
                winners = {row[0] for row in admin.execute(
                    "select winner_id from memory.fact_merge where bank_id = %s and undone_at is null", (bank,))}  # type: ignore[misc]  # fmt: skip
            for n, winner in enumerate(sorted(winners)):
                admin.execute(
                    "insert into memory.fact_evidence (bank_id, fact_id, episode_id, importance, occurred_at, "
                    "recorded_at) values (%s, %s, %s, 0.9, %s, %s)", (bank, winner, UUID(int=n + 1), NIGHT, NIGHT),
                )  # fmt: skip
                admin.execute(
                    "select memory_internal.rebuild_timeline(%s, (select timeline from memory.semantic_memory "
                    "where memory_id = %s), 'said', 'worker', %s)", (bank, winner, NIGHT),
                )  # fmt: skip
            out = losers(admin, bank)
            for loser in random.Random(seed).sample(out, len(out)):
                unmerge(admin, bank, loser, day(21))
            ends.append(state(admin, bank))
    assert ends[0] == ends[1]


@SOME
@given(statements=STATEMENTS, verdicts=VERDICTS, seed=st.integers(0, 10**6))
def test_merging_does_not_depend_on_the_order_of_rows(
    service: Connection, admin: Admin, statements: list[Any], verdicts: list[Any], seed: int
) -> None:
    """Other ids, other places in the table: the same facts become the same."""
    bank = told(service, admin, statements, verdicts)
    ends: list[list[tuple[Any, ...]]] = []
    for shuffled in (False, True):
        with admin.transaction(force_rollback=True):
            if shuffled:
                shuffle_ids(admin, bank, seed)
            merge_all(admin, bank)
            ends.append(
                admin.execute(
                    "select f.fact, f.attribute, f.value, f.status, f.evidence_count, round(f.confidence::numeric, 9), "
                    "f.valid_from, f.valid_to, f.pinned, w.fact, w.attribute, w.valid_from "
                    "from memory.semantic_memory f left join memory.semantic_memory w on w.bank_id = f.bank_id "
                    "and w.memory_id = f.merged_into_id where f.bank_id = %s "
                    "order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", (bank,),
                ).fetchall()
            )  # fmt: skip
    assert ends[0] == ends[1]


def shuffle_ids(admin: Admin, bank: str, seed: int) -> None:
    """Gives the facts other ids, and writes their rows in another order."""
    with admin.transaction():
        admin.execute("set constraints all deferred")
        facts = [row[0] for row in admin.execute(
            "select memory_id from memory.semantic_memory where bank_id = %s order by memory_id", (bank,))]  # fmt: skip
        random.Random(seed).shuffle(facts)
        for n, old in enumerate(facts):
            new = UUID(int=random.Random(seed + n).getrandbits(128))
            for table, columns in (("semantic_memory", ("memory_id", "superseded_by", "merged_into_id")),
                                   ("fact_evidence", ("fact_id",)), ("fact_version", ("fact_id",)),
                                   ("fact_judgement", ("fact_id",)), ("memory_vector", ("memory_id",)),
                                   ("memory_text", ("memory_id",)), ("memory_event", ("memory_id",))):  # fmt: skip
                for column in columns:
                    admin.execute(
                        f"update memory.{table} set {column} = %s where bank_id = %s and {column} = %s".encode(),
                        (new, bank, old),
                    )
            for pair in ("fact_conflict", "clarification"):
                admin.execute(
                    f"update memory.{pair} set one_id = least(new.a, new.b), other_id = greatest(new.a, new.b) from "
                    "(select one_id as o, other_id as p, case when one_id = %(old)s then %(new)s else one_id end as a, "
                    f"case when other_id = %(old)s then %(new)s else other_id end as b from memory.{pair} "
                    f"where bank_id = %(bank)s) as new where bank_id = %(bank)s and one_id = new.o "
                    "and other_id = new.p".encode(), {"old": old, "new": new, "bank": bank},
                )  # fmt: skip


def test_two_nights_at_once_are_one(service: Connection, admin: Admin, bank: str, login: str) -> None:
    tell(service, admin, bank, 0, plain(stated=True))
    tell(service, admin, bank, 1, job())
    ((members, *_),) = candidates(service, bank)
    start = threading.Barrier(2)
    found: list[list[UUID]] = []

    def night() -> None:
        with psycopg.connect(login, autocommit=True) as connection:
            start.wait()
            asked = {"bank": bank, "members": list(members), "actor": "night", "at": NIGHT}
            found.append(value(connection, "merge_facts", **asked))

    threads = [threading.Thread(target=night) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(losers) for losers in found) == [0, 1]


def test_no_bank_merges_anothers(service: Connection, admin: Admin, bank: str) -> None:
    steps.create_bank(service, "b")
    for one in (bank, "b"):
        tell(service, admin, one, 0, plain(stated=True))
        tell(service, admin, one, 1, job())
    other = state(admin, "b")
    ((theirs, *_),) = candidates(service, "b")
    assert value(service, "merge_facts", bank=bank, members=list(theirs), actor="n", at=NIGHT) == []
    assert rows(service, "unmerge_fact", bank=bank, memory=next(iter(theirs)), actor="n", at=NIGHT) == []
    assert merge_all(service, bank) == 1
    assert state(admin, "b") == other
