"""Caps, storage strategies and expiry: archived, deprecated and deleted rows, their order, the rows that remain, and
restore_memory."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import facts, steps
from tests.db.steps import MODEL, START, Connection, rows, value

DAY = timedelta(days=1)


def episode(
    admin: Connection | Admin,
    bank: str,
    *,
    age: float = 0,
    importance: float = 0.5,
    status: str = "active",
    landmark: bool = False,
    merged_into: UUID | None = None,
) -> UUID:
    """An episode with its vector, `age` days before START."""
    memory_id = uuid.uuid4()
    admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance, landmark, merged_into_id, entities) values (%s, %s, 'user', %s, %s, %s, '{}', 'said', "
        "%s, %s, %s, '{Rex}')",
        (bank, memory_id, status, START - age * DAY, START, importance, landmark, merged_into),
    )
    admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
        "values (%s, %s, %s, 'episodic', %s)",
        (bank, memory_id, MODEL, steps.unit_vector(0)),
    )
    return memory_id


def statuses(admin: Admin, bank: str) -> dict[UUID, str]:
    found = admin.execute("select memory_id, status from memory.episodic_memory where bank_id = %s", (bank,))
    return {UUID(str(row[0])): str(row[1]) for row in found.fetchall()}


def keep(
    service: Connection, bank: str, active: int, archived: int, most_facts: int = 500, **more: object
) -> int:
    """enforce_caps by pages until nothing is left; how many acts."""
    total = 0
    arguments: dict[str, Any] = {
        "bank": bank, "most_active": active, "most_archived": archived, "most_facts": most_facts, "at": START, **more,
    }  # fmt: skip
    while acts := rows(service, "enforce_caps", **arguments):
        total += len(acts)
    return total


EPISODES = st.lists(
    st.tuples(
        st.sampled_from(["active", "archived"]),
        st.floats(0, 1).map(lambda x: round(x, 2)),
        st.integers(0, 400),
        st.booleans(),
    ),
    max_size=14,
)


def test_the_worth_least_go_first_and_the_caps_hold(service: Connection, admin: Admin) -> None:
    """0.6 importance + 0.4 recency, of equals landmarks last; by pages or at once, and once more changes nothing."""

    @settings(max_examples=25, deadline=None)
    @given(EPISODES, st.integers(0, 5), st.integers(0, 5), st.integers(1, 4))
    def hold(made: list[tuple[str, float, int, bool]], active: int, archived: int, page: int) -> None:
        whole, paged = (f"b{uuid.uuid4().hex}" for _ in range(2))
        worth: dict[str, dict[UUID, tuple[float, bool]]] = {}
        order: dict[str, list[UUID]] = {}
        for bank in (whole, paged):
            steps.create_bank(service, bank)
            ids = [
                episode(admin, bank, age=age, importance=weight, status=status, landmark=landmark)
                for status, weight, age, landmark in made
            ]
            order[bank] = ids
            worth[bank] = {
                one: (0.6 * weight + 0.4 / (1 + age / 30), landmark)
                for one, (_, weight, age, landmark) in zip(ids, made, strict=True)
            }
        before = statuses(admin, whole)
        keep(service, whole, active, archived)
        keep(service, paged, active, archived, page=page)
        ended = statuses(admin, whole)
        assert sum(s == "active" for s in ended.values()) == min(
            active, sum(s == "active" for s in before.values())
        )
        assert sum(s == "archived" for s in ended.values()) <= archived
        rank = ("active", "archived", "deprecated")
        for one, other in ((a, b) for a in ended for b in ended if before[a] == before[b]):
            if worth[whole][one] > worth[whole][other]:
                assert rank.index(ended[one]) <= rank.index(ended[other])
        # Of equal worth either may go; the numbers are the same.
        assert sorted(ended.values()) == sorted(statuses(admin, paged).values())
        assert keep(service, whole, active, archived) == 0
        vectors = admin.execute(
            "select memory_id from memory.memory_vector where bank_id = %s", (whole,)
        ).fetchall()
        assert {row[0] for row in vectors} == {one for one, status in ended.items() if status != "deprecated"}

    hold()


def test_facts_of_which_we_are_least_sure_are_dropped_pinned_ones_last(
    service: Connection, admin: Admin
) -> None:
    """Faded confidence counts, and being dropped is part of what settles a fact: it stays so until more is known."""
    steps.create_bank(service, "a")
    sure = steps.fact(service, "a", "Rex barks.", episodes=4)
    fresh = steps.fact(service, "a", "Rex is black.")
    faded = steps.fact(service, "a", "Rex is a dog.", at=START - 30 * DAY)
    pinned = steps.fact(service, "a", "Rex is old.", at=START - 60 * DAY)
    rows(service, "review_fact", bank="a", memory=pinned, judgement="pinned", actor="x", at=START)

    def standing() -> set[UUID]:
        found = admin.execute("select memory_id from memory.semantic_memory where status <> 'deprecated'")
        return {row[0] for row in found.fetchall()}  # type: ignore[misc]

    assert [keep(service, "a", 9, 9, n) for n in (4, 3)] == [0, 1]
    assert standing() == {sure, fresh, pinned}
    keep(service, "a", 9, 9, 1)
    assert standing() == {pinned}
    rows(service, "refresh_facts", bank="a", facts=[sure, fresh], reason="again", actor="x", at=START)
    assert standing() == {pinned}, "settling does not bring it back"
    told = admin.execute(
        "select from_status, to_status, reason, actor from memory.memory_event where memory_id = %s order by event_id",
        (faded,),
    ).fetchall()
    assert told[-1] == ("tentative", "deprecated", "over the cap of 3 facts", "budget")
    versions = [row[1] for row in rows(service, "fact_history", bank="a", memory=faded, page=9)]
    assert len(versions) == 2
    # A dropped fact returns by more evidence, a confirmation, restore_memory or a pin.
    steps.said(service, "a", sure, START + DAY)
    rows(service, "review_fact", bank="a", memory=fresh, judgement="confirmed", actor="x", at=START + DAY)
    assert standing() == {pinned, sure, fresh}
    assert value(service, "restore_memory", bank="a", memory=faded, actor="x", at=START) == "tentative"
    keep(service, "a", 9, 9, 0)
    rows(service, "review_fact", bank="a", memory=faded, judgement="pinned", actor="x", at=START)
    assert standing() == {faded}
    dropped = admin.execute(
        "select count(*) from memory.semantic_memory where dropped_at is not null"
    ).fetchone()
    assert dropped == (3,)


def test_what_was_put_away_comes_back(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    memory_id, lease = steps.remember(service, "a")
    steps.activate(service, "a", [lease])
    keep(service, "a", 0, 9)
    assert value(service, "restore_memory", bank="a", memory=memory_id, actor="x", at=START) == "active"
    with pytest.raises(psycopg.Error, match="active"):
        rows(service, "restore_memory", bank="a", memory=memory_id, actor="x", at=START)
    assert rows(service, "restore_memory", bank="a", memory=uuid.uuid4(), actor="x") == []
    keep(service, "a", 0, 0)
    assert steps.recall(service, "a", statuses=["active", "archived"]) == []
    assert (
        value(service, "restore_memory", bank="a", memory=memory_id, actor="x", at=START)
        == "pending_embedding"
    )
    (lease,) = steps.claim(service, "embed")
    assert steps.activate(service, "a", [lease]) == 1
    assert steps.recall(service, "a") == [memory_id]


def test_a_bank_sets_its_own_caps(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a", most_active=10, most_archived=2)
    for age in range(15):
        episode(admin, "a", age=age)
    rows(service, "enforce_caps", bank="a", at=START)
    found = Counter(statuses(admin, "a").values())
    assert found == {"active": 10, "archived": 2, "deprecated": 3}


def test_a_verbatim_bank_has_no_caps(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a", intake="verbatim")
    for _ in range(3):
        episode(admin, "a")
    assert keep(service, "a", 1, 1, 0) == 0


def test_the_caps_are_looked_at_every_fifty_activations(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a", merge_duplicates=False)
    admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance) select 'a', gen_random_uuid(), 'user', 'active', %s, %s, '{}', 'old', 0.1 "
        "from generate_series(1, 1000)",
        (START - 90 * DAY, START),
    )
    for batch, archived in ((49, 0), (1, 50), (49, 50), (1, 100)):
        leases = steps.pending(service, "a", *(dict[str, object]() for _ in range(batch)))
        steps.activate(service, "a", leases, merges=False, links=False)
        assert list(statuses(admin, "a").values()).count("archived") == archived
    events = admin.execute(
        "select distinct reason from memory.memory_event where to_status = 'archived'"
    ).fetchall()
    assert events == [("over the cap of 1000 active episodes",)]


STRATEGIES: list[tuple[dict[str, object], set[str]]] = [
    ({}, set()),
    ({"compress_keep_importance": 0.9, "prune_below_importance": 0.9}, set()),
    ({"compress_after_years": 5}, {"ancient", "ancient, archived", "dull"}),
    ({"compress_after_years": 5, "compress_keep_importance": 0.4}, {"dull"}),
    ({"prune_after_days": 365}, {"dull", "dull, of last year"}),
    ({"prune_after_days": 10, "prune_below_importance": 0.6}, {"ancient", "dull",
                                                               "dull, of last year", "of last month"}),
]  # fmt: skip


@pytest.mark.parametrize(("own", "gone"), STRATEGIES)
def test_strategies_delete_what_they_name_and_only_where_they_are_on(
    service: Connection, admin: Admin, own: dict[str, object], gone: set[str]
) -> None:
    for bank, chosen in (("a", own), ("b", {})):
        steps.create_bank(service, bank, **chosen)
    made = {
        "ancient": {"age": 1900, "importance": 0.5},
        "ancient, archived": {"age": 1900, "importance": 0.7, "status": "archived"},
        "ancient and dear": {"age": 1900, "importance": 0.71},
        "ancient landmark": {"age": 1900, "importance": 0.2, "landmark": True},
        "dull": {"age": 1900, "importance": 0.29},
        "dull, of last year": {"age": 366, "importance": 0.29},
        "not quite dull": {"age": 366, "importance": 0.6},
        "of last month": {"age": 31, "importance": 0.1},
        "of yesterday": {"age": 1, "importance": 0.1},
        "in quarantine": {"age": 1900, "importance": 0.1, "status": "quarantined"},
    }
    ids = {bank: {name: episode(admin, bank, **m) for name, m in made.items()} for bank in "ab"}  # type: ignore[arg-type]
    while rows(service, "prune_episodes", bank="a", page=1, at=START):
        pass
    assert {name for name, one in ids["a"].items() if one not in statuses(admin, "a")} == gone
    assert len(statuses(admin, "b")) == len(made)


def test_what_is_repeated_is_kept_while_a_repetition_would_be(service: Connection, admin: Admin) -> None:
    """Its near duplicates go with it: none of them may be a landmark or too young for the strategy, through chains."""
    steps.create_bank(service, "a", prune_after_days=365, compress_after_years=5)
    winner = {
        name: episode(admin, "a", age=1900, importance=0.1) for name in ("old", "young", "chain", "landmark")
    }
    of_years = episode(admin, "a", age=1900, importance=0.5)
    episode(admin, "a", age=400, status="merged_into", merged_into=winner["old"])
    young = episode(admin, "a", age=1, status="merged_into", merged_into=winner["young"])
    link = episode(admin, "a", age=1800, status="merged_into", merged_into=winner["chain"])
    chained = episode(admin, "a", age=1, status="merged_into", merged_into=link)
    dear = episode(admin, "a", age=1800, status="merged_into", merged_into=winner["landmark"], landmark=True)
    too_young = episode(admin, "a", age=400, status="merged_into", merged_into=of_years)
    rows(service, "prune_episodes", bank="a", at=START)
    kept = {
        winner["young"],
        young,
        winner["chain"],
        link,
        chained,
        winner["landmark"],
        dear,
        of_years,
        too_young,
    }
    assert set(statuses(admin, "a")) == kept
    rows(service, "update_bank", bank="a", patch=Jsonb({"compress_after_years": None}))
    due = value(service, "next_upkeep_time", bank="a", message_days=30.0, at=START)
    assert due == START + 364 * DAY + timedelta(seconds=1), "then the young ones are old enough"
    rows(service, "prune_episodes", bank="a", at=due)
    assert set(statuses(admin, "a")) == {winner["landmark"], dear, of_years, too_young}


@pytest.mark.parametrize("own", [{"intake": "verbatim"}, {}])
def test_a_verbatim_bank_is_not_due_for_consolidation(
    service: Connection, admin: Admin, own: dict[str, str]
) -> None:
    steps.create_bank(service, "a", **own)
    episode(admin, "a")
    due = "select memory_internal.next_upkeep_time('a', 30, %s, default_intake => %s)::text"
    consolidated = START + 30 * DAY + timedelta(seconds=1)
    for at, expected in ((START + DAY, consolidated), (START + 31 * DAY, None)):
        found = [service.execute(due, (at, default)).fetchone() for default in ("verbatim", "exchange")]
        if own:
            expected = again = None
        else:
            again = at + 30 * DAY  # the default may be another then
        assert found == [(str(one or "infinity").removesuffix(":00"),) for one in (again, expected)]


def test_what_a_landmark_repeats_becomes_one(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    known = episode(admin, "a", importance=0.1)
    again = episode(admin, "a", importance=0.1, landmark=True)
    rows(service, "reinforce_episode", bank="a", memory=again, known=known, at=START)
    row = admin.execute(
        "select landmark from memory.episodic_memory where memory_id = %s", (known,)
    ).fetchone()
    assert row == (True,)


def test_what_is_deleted_is_gone_completely_and_what_was_learned_stays(
    service: Connection, admin: Admin
) -> None:
    steps.create_bank(service, "a", prune_after_days=1)
    old, lease = steps.remember(
        service, "a", importance=0.1, summary="I have a dog called Rex.", entities=["Rex"]
    )
    steps.activate(service, "a", [lease])
    beside, lease = steps.remember(service, "a", importance=0.9, summary="Rex barks.", entities=["Rex"])
    steps.activate(service, "a", [lease])
    again = episode(admin, "a", status="merged_into", merged_into=old, importance=0.9)
    known = facts.candidate("pet", "rex")
    facts.hear(service, "a", [(old, known)], at=START)
    believed = facts.believed(admin, "a")
    pet = admin.execute("select memory_id from memory.semantic_memory").fetchone()
    gone = rows(service, "prune_episodes", bank="a", at=START + 9 * DAY)
    assert {row[0] for row in gone} == {old, again}
    assert set(statuses(admin, "a")) == {beside}
    assert facts.believed(admin, "a") == believed
    for table, column in (
        ("memory_vector", "memory_id"), ("memory_text", "memory_id"), ("memory_link", "memory_id"),
        ("memory_link", "linked_id"), ("memory_entity", "memory_id"),
    ):  # fmt: skip
        left = admin.execute(
            f"select from memory.{table} where bank_id = 'a' and {column} = any (%s)".encode(),
            ([old, again],),
        )
        assert left.fetchall() == [], table
    said = admin.execute(
        "select content, expired_at is not null, memory_id = %s from memory.message order by 3", (old,)
    )
    assert said.fetchall() == [("hello", False, False), ("", True, True)]
    told = admin.execute(
        "select event, reason from memory.memory_event where event = 'deleted' order by event_id"
    )
    assert {(row[0], str(row[1])[:14]) for row in told.fetchall()} == {
        ("deleted", "older than 1 d"), ("deleted", "near duplicate"),
    }  # fmt: skip
    assert pet is not None
    assert set(steps.recall(service, "a")) == {beside, pet[0]}


def test_raw_messages_expire_once_they_are_decided_about(service: Connection, admin: Admin) -> None:
    """The time to expiry counts from `recorded_at`; the row keeps its client id, so that a repeated message is stored
    once."""
    for bank, own in (("a", {}), ("b", {"message_days": 90})):
        steps.create_bank(service, bank, **own)
    steps.segment(service, "b")
    (kept,) = steps.add(service, "a", client_ids=["m1"])
    steps.segment_conversation(service, steps.claim(service)[0], at=START + DAY)
    (lease,) = (one for one in steps.claim(service, "extract", at=START + DAY) if one.bank == "a")
    assert value(service, "expire_messages", bank="a", days=30.0, at=START + 99 * DAY) == 0
    steps.decide(service, lease, outcome="refused", at=START + DAY)
    assert [value(service, "expire_messages", bank="a", days=30.0, at=START + d * DAY) for d in (30, 31)] == [
        0,
        1,
    ]
    row = admin.execute(
        "select content, metadata, status::text from memory.message where bank_id = 'a'"
    ).fetchone()
    assert row == ("", {}, "refused")
    assert steps.add(service, "a", contents=["whatever"], client_ids=["m1"]) == [kept]
    admin.execute("update memory.message set status = 'failed' where bank_id = 'b'")
    assert value(service, "expire_messages", bank="b", days=30.0, at=START + 99 * DAY) == 0
    admin.execute("update memory.message set status = 'stored' where bank_id = 'b'")
    assert [value(service, "expire_messages", bank="b", days=30.0, at=START + d * DAY) for d in (60, 99)] == [
        0,
        1,
    ]


def test_a_preview_is_what_happens_and_changes_nothing(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a", prune_after_days=365)
    for n in range(1004):
        episode(admin, "a", age=n / 3, importance=0.5)
    gone = episode(admin, "a", age=400, importance=0.1)
    rows(service, "record_traces", bank="a", traces=Jsonb([]), at=START)
    tables = ("episodic_memory", "memory_event", "memory_vector", "semantic_memory")

    def dump() -> list[object]:
        return [
            admin.execute(f"select t::text from memory.{t} t order by 1".encode()).fetchall() for t in tables
        ]

    before = dump()
    ((acts, _, _),) = rows(
        service,
        "preview_budget",
        bank="a",
        message_days=30.0,
        trace_days=30.0,
        trace_query_days=7.0,
        at=START,
    )
    assert dump() == before
    assert len(acts) == 5
    done = rows(service, "prune_episodes", bank="a", at=START) + rows(
        service, "enforce_caps", bank="a", at=START
    )
    assert {(a["memory_id"], a["act"]) for a in acts} == {(str(row[0]), row[2]) for row in done}
    assert (str(gone), "deleted") in {(a["memory_id"], a["act"]) for a in acts}
