"""A bank's own thresholds and limits: each changes what it names, and only there."""

from __future__ import annotations

import math
import uuid
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import FIXED, candidate, say
from tests.db.steps import MODEL, START, Connection, rows, unit_vector, value, vector_of

LISBON, REORDERED = "Maria lives in Lisbon.", "In Lisbon Maria lives."


def near(cosine: float) -> str:
    """A vector of this cosine to the first axis."""
    return vector_of({0: cosine, 1: (1 - cosine**2) ** 0.5})


def active(service: Connection, vector: str, **fields: Any) -> UUID:
    """An episode that is active, by itself; its id."""
    (lease,) = steps.pending(service, "a", fields)
    steps.activate(service, "a", [lease], vector)
    return UUID(lease.subject)


def fact(service: Connection, text: str, vector: str) -> UUID:
    one = steps.fact(service, "a", text, timeline=str(uuid.uuid4()), subject="user", episodes=3)
    with service.transaction():
        rows(service, "enter_bank", bank="a")
        service.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "values ('a', %s, %s, 'semantic', %s)",
            (one, MODEL, vector),
        )
    return one


@pytest.mark.parametrize(("own", "statuses"), [({}, 1), ({"duplicate_threshold": 0.97}, 2)])
def test_what_is_a_near_duplicate(
    service: Connection, admin: Admin, own: dict[str, float], statuses: int
) -> None:
    steps.create_bank(service, "a", **own)
    active(service, unit_vector(0), summary=LISBON)
    active(service, near(0.95), summary=REORDERED)
    found = admin.execute("select count(*) from memory.episodic_memory where status = 'active'").fetchone()
    assert found == (statuses,)


@pytest.mark.parametrize(("own", "links"), [({}, 1), ({"evidence_threshold": 0.9}, 0)])
def test_what_is_near_enough_to_be_linked(
    service: Connection, admin: Admin, own: dict[str, float], links: int
) -> None:
    steps.create_bank(service, "a", **own)
    active(service, unit_vector(0), summary="The roof leaks.")
    active(service, near(0.8), summary="Water comes through the ceiling.")
    assert admin.execute("select count(*) from memory.memory_link").fetchone() == (links,)


@pytest.mark.parametrize(
    ("own", "members"),
    [({}, 2), ({"merge_threshold": 0.95}, 1), ({"evidence_threshold": 0.9, "duplicate_threshold": 0.95}, 1)],
)
def test_which_facts_may_be_one(service: Connection, own: dict[str, float], members: int) -> None:
    steps.create_bank(service, "a", **own)
    fact(service, "User is a nurse.", unit_vector(0))
    fact(service, "User works as a nurse.", near(0.9))
    found = rows(service, "merge_candidates", bank="a", model=MODEL, at=START)
    assert {len(one[0]) for one in found} == {members}


@pytest.mark.parametrize(("own", "pairs"), [({}, 1), ({"conflict_threshold": 0.95}, 0)])
def test_which_facts_a_judge_is_asked_about(service: Connection, own: dict[str, float], pairs: int) -> None:
    steps.create_bank(service, "a", **own)
    facts = [
        fact(service, "User owns a boat.", unit_vector(0)),
        fact(service, "User rents a loft.", near(0.9)),
    ]
    assert len(rows(service, "read_unjudged_pairs", bank="a", facts=facts)) == pairs


@pytest.mark.parametrize(
    ("own", "fields", "landmark"),
    [
        ({}, {"importance": 0.7}, False),
        ({"landmark_importance": 0.6}, {"importance": 0.7}, True),
        ({}, {"emotional_valence": -0.7}, True),
        ({"landmark_valence": 0.8}, {"emotional_valence": -0.7}, False),
        ({"landmark_importance": 0.95}, {"importance": 0.9}, False),
    ],
)
def test_what_is_a_landmark(
    service: Connection, admin: Admin, own: dict[str, float], fields: dict[str, float], landmark: bool
) -> None:
    steps.create_bank(service, "a", **own)
    active(service, unit_vector(0), **fields)
    assert admin.execute("select landmark from memory.episodic_memory").fetchone() == (landmark,)


@pytest.mark.parametrize(
    ("own", "importance", "age", "shown"),
    [
        ({}, 0.7, 6, True),
        ({}, 0.7, 8, False),
        ({"recent_days": 9}, 0.7, 8, True),
        ({"recent_days": 0.5}, 0.7, 6, False),
        ({}, 0.5, 6, False),
        ({"recent_importance": 0.4}, 0.5, 6, True),
    ],
)
def test_what_is_recent(
    service: Connection, own: dict[str, float], importance: float, age: float, shown: bool
) -> None:
    steps.create_bank(service, "a", **own)
    memory_id = active(service, unit_vector(0), importance=importance)
    asked: dict[str, Any] = {"conversation": "c1", "undecided": 6, "episodes": 6, "refused": 6}
    found = rows(
        service, "context_entries", bank="a", model=MODEL, query=None, **asked, at=START + timedelta(days=age)
    )
    assert [row[1] for row in found] == [memory_id] * shown


@pytest.mark.parametrize(
    ("own", "attribute", "questions"),
    [
        ({}, "height", 0),
        ({"clarify_importance": 0.5}, "height", 1),
        ({}, "birthday", 1),
        ({"clarify_importance": 1}, "birthday", 0),
        ({}, "takes_medicine", 1),
    ],
)
def test_which_conflicts_are_asked_about(
    service: Connection, admin: Admin, own: dict[str, float], attribute: str, questions: int
) -> None:
    """Above clarify_importance; those of permanent and vital facts at any importance."""
    steps.create_bank(service, "a", **own)
    for n, given in enumerate(("one", "two")):
        said = candidate(attribute, given, text=f"User's {attribute} is {given}.", cardinality=FIXED)
        say(service, admin, "a", START + timedelta(days=n), said, importance=0.7, vectors=[unit_vector(n)])
    found = admin.execute("select count(*) from memory.clarification where status = 'open'").fetchone()
    assert found == (questions,)


@pytest.mark.parametrize(("own", "days"), [({}, 30), ({"consolidate_after_days": 3}, 3)])
def test_when_an_episode_is_old(service: Connection, own: dict[str, float], days: float) -> None:
    steps.create_bank(service, "a", **own)
    active(service, unit_vector(0))
    due = value(service, "next_upkeep_time", bank="a", message_days=1000.0, at=START + timedelta(days=1))
    assert due == START + timedelta(days=days, seconds=1)


def set_to(service: Connection, **settings: float | None) -> None:
    rows(service, "update_bank", bank="a", patch=Jsonb(settings), at=START)


FADES = 0.02 * 0.6
"""By day, of an importance of 0.4."""


@pytest.mark.parametrize(("own", "least"), [({}, 0.3), ({"deprecation_confidence": 0.1}, 0.1)])
def test_when_a_fact_is_deprecated(
    service: Connection, admin: Admin, own: dict[str, float], least: float
) -> None:
    steps.create_bank(service, "a", **own)
    gone = steps.fact(service, "a", "Rex is black.", importance=0.4)
    due = value(service, "next_upkeep_time", bank="a", message_days=1000.0, at=START + timedelta(days=1))
    falls = START + timedelta(days=math.log(0.6 / least) / FADES, seconds=1)
    assert abs(due - falls) < timedelta(seconds=1)
    assert value(service, "fade_facts", bank="a", at=due - timedelta(minutes=1)) == []
    assert value(service, "fade_facts", bank="a", at=due) == [gone]
    versions = admin.execute("select reason from memory.fact_version order by version desc limit 1")
    assert versions.fetchone() == (f"faded below {least}",)


def test_a_bank_may_deprecate_nothing_for_its_age(service: Connection) -> None:
    steps.create_bank(service, "a")
    steps.fact(service, "a", "Rex is black.", importance=0.4)
    later = START + timedelta(days=30_000)
    for setting in (0, 5e-324, 1e-300):
        set_to(service, deprecation_confidence=setting)
        due = service.execute(
            "select memory_internal.next_upkeep_time('a', 1000, %s)::text", (START,)
        ).fetchone()
        assert due == ("infinity",)
        assert value(service, "fade_facts", bank="a", at=later) == []


@pytest.mark.parametrize(
    ("own", "status"), [({}, "deprecated"), ({"deprecation_confidence": 0.1}, "tentative")]
)
def test_how_doubtful_a_fact_may_be(
    service: Connection, admin: Admin, own: dict[str, float], status: str
) -> None:
    steps.create_bank(service, "a", **own)
    doubted = steps.fact(service, "a", "Rex is black.")
    for _ in range(2):  # 0.6, 0.3, 0.15
        rows(service, "review_fact", bank="a", memory=doubted, judgement="disputed", actor="ann", at=START)
    assert admin.execute("select status from memory.semantic_memory").fetchone() == (status,)
    set_to(service, deprecation_confidence=0.1)
    value(service, "fade_facts", bank="a", at=START)
    assert admin.execute("select status from memory.semantic_memory").fetchone() == ("tentative",)


@pytest.mark.parametrize(("own", "shown"), [({}, False), ({"deprecation_confidence": 0.2}, True)])
def test_which_facts_are_found(service: Connection, admin: Admin, own: dict[str, float], shown: bool) -> None:
    """By tools and compactions; a caller's own least confidence is never below the bank's."""
    steps.create_bank(service, "a", **own)
    faint = fact(service, "Rex is black.", unit_vector(0))
    admin.execute("update memory.semantic_memory set confidence = 0.25, status = 'tentative'")
    for least in (None, 0.0):
        assert steps.recall(service, "a", least_confidence=least, at=START) == [faint] * shown
    found = rows(
        service, "compaction_candidates", bank="a", recipient="Tom", purpose="x", statuses=["active"],
        fetch_count=9, importance_weight=0.6, recency_weight=0.4, recency_days=30.0, at=START,
    )  # fmt: skip
    assert [row[0] for row in found] == [faint] * shown


def test_what_was_known_does_not_change_with_the_setting(service: Connection) -> None:
    steps.create_bank(service, "a")
    steps.fact(service, "a", "Rex is black.", importance=0.4)
    doubted = steps.fact(service, "a", "Rex is brown.", importance=0.4)
    rows(
        service,
        "review_fact",
        bank="a",
        memory=doubted,
        judgement="disputed",
        actor="ann",
        at=START + timedelta(days=1),
    )
    days = [START + timedelta(days=day) for day in (0.5, 1.5, 2, 40, 100, 170)]
    nights = iter([*days[2:], *(START + timedelta(days=day) for day in (180, 190, 200))])

    def night() -> None:
        value(service, "fade_facts", bank="a", at=next(nights))

    def known() -> list[list[tuple[Any, ...]]]:
        return [rows(service, "list_facts", bank="a", page=9, known_at=at) for at in days]

    for _ in days[2:]:
        night()
    before = known()
    assert [len(one) for one in before] == [2, 2, 1, 1, 0, 0]
    for setting in (0.1, 0.35, None):
        set_to(service, deprecation_confidence=setting)
        night()
        assert known() == before


@pytest.mark.parametrize(
    ("own", "importance", "age", "taken"),
    [
        ({}, 0.8, 91, False),
        ({}, 0.81, 91, True),
        ({}, 0.1, 90, True),
        ({"compaction_importance": 0.9}, 0.81, 91, False),
        ({"compaction_importance": 0.5}, 0.8, 91, True),
        ({"compaction_days": 10}, 0.1, 11, False),
        ({"compaction_days": 100}, 0.1, 99, True),
    ],
)
def test_what_a_compaction_takes(
    service: Connection, own: dict[str, float], importance: float, age: float, taken: bool
) -> None:
    steps.create_bank(service, "a", **own)
    memory_id = active(service, unit_vector(0), importance=importance)
    found = rows(
        service, "compaction_candidates", bank="a", recipient="Tom", purpose="x", statuses=["active"],
        fetch_count=9, importance_weight=0.6, recency_weight=0.4, recency_days=30.0, at=START + timedelta(days=age),
    )  # fmt: skip
    assert [row[0] for row in found] == [memory_id] * taken


def test_what_was_known_of_a_faded_fact_does_not_change_when_it_comes_back(service: Connection) -> None:
    steps.create_bank(service, "a")
    memory_id = steps.fact(service, "a", "Rex is black.", importance=0.4)
    faded, between, said = (START + timedelta(days=day) for day in (80, 90, 100))
    assert value(service, "fade_facts", bank="a", at=faded) == [memory_id]

    def known() -> list[int]:
        """Numbers of facts known at `between`, as of the day before the fact faded and as of `faded`."""
        moments = (faded - timedelta(days=1), faded)
        return [
            len(rows(service, "list_facts", bank="a", page=9, as_of=at, known_at=between)) for at in moments
        ]

    assert known() == [1, 0]
    steps.said(service, "a", memory_id, said)
    assert known() == [1, 0]
    assert value(service, "fade_facts", bank="a", at=START + timedelta(days=300)) == [memory_id]
    assert known() == [1, 0]
