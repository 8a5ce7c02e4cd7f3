"""Pair judging: the effect of each verdict on facts and conflicts, in any order of statements and verdicts."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import MANY, candidate, say
from tests.db.steps import Connection, rows, unit_vector, value

START = datetime(2025, 1, 1, tzinfo=UTC)
BANKS = count()
LOFT, BOAT, CAVE = "She sleeps in a loft.", "She sleeps on a boat.", "She sleeps in a cave."


def day(n: float) -> datetime:
    return START + timedelta(days=n)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def told(text: str, **changes: Any) -> dict[str, Any]:
    return candidate(None, None, text=text, cardinality=MANY, **changes)


def near(
    service: Connection,
    admin: Admin,
    bank: str,
    n: float,
    *said: dict[str, Any],
    known: float = 99,
    **given: Any,
) -> UUID:
    """Said on that day, all as near to each other as can be without being the same."""
    vectors = [unit_vector(0)] * len(said)
    return say(service, admin, bank, day(n), *said, vectors=vectors, at=day(known), **given)


def judged(service: Connection, admin: Admin, bank: str, verdict: str) -> int:
    """Every doubt judged so, until there is none; how many there were."""
    asked = 0
    while True:
        facts = [row[0] for row in admin.execute("select memory_id from memory.semantic_memory").fetchall()]
        pairs = rows(service, "read_unjudged_pairs", bank=bank, facts=facts)
        if not pairs:
            return asked
        for older, newer, *_ in pairs:
            assert steps.judged(service, bank, older, newer, verdict) == 1
            asked += 1


def shown(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    """Text, time, successor, confidence, evidence of each fact."""
    return admin.execute(
        "select f.fact, extract(day from f.valid_from - %s)::int, extract(day from f.valid_to - %s)::int, s.fact, "
        "round(f.confidence::numeric, 6)::float8, f.evidence_count from memory.semantic_memory f "
        "left join memory.semantic_memory s on s.bank_id = f.bank_id and s.memory_id = f.superseded_by "
        "where f.bank_id = %s and f.status <> 'merged_into' order by f.valid_from, f.fact",
        (START, START, bank),
    ).fetchall()


def test_a_pair_is_asked_about_once_the_older_first(service: Connection, admin: Admin, bank: str) -> None:
    near(service, admin, bank, 9, told(BOAT), known=98)
    near(service, admin, bank, 0, told(LOFT))
    known = {
        r[0]: r[1] for r in admin.execute("select fact, memory_id from memory.semantic_memory").fetchall()
    }
    ((older, newer, similarity, one, other),) = rows(
        service, "read_unjudged_pairs", bank=bank, facts=[known[LOFT]]
    )
    assert (older, newer, round(similarity, 3)) == (known[LOFT], known[BOAT], 1.0)
    assert (one["text"], other["text"], one["attribute"], one["cardinality"]) == (LOFT, BOAT, None, MANY)
    assert rows(service, "read_unjudged_pairs", bank=bank, facts=[known[BOAT]]) == []  # it was there before
    assert judged(service, admin, bank, "compatible") == 1
    assert [row[2:5] for row in shown(admin, bank)] == [(None, None, 0.6)] * 2


@pytest.mark.parametrize(
    "other",
    [
        told(BOAT, subject="her sister"),
        told("She does not sleep in a loft."),  # what rules judge is a conflict already
        candidate("dislikes", "lofts", text=BOAT, cardinality=MANY, opposes="likes", holds=False),
    ],
)
def test_no_doubt_where_rules_or_subjects_tell(
    service: Connection, admin: Admin, bank: str, other: dict[str, Any]
) -> None:
    near(service, admin, bank, 0, told(LOFT))
    near(service, admin, bank, 9, other)
    assert judged(service, admin, bank, "conflict") == 0


def test_a_judged_conflict_is_one_like_any(service: Connection, admin: Admin, bank: str) -> None:
    near(service, admin, bank, 0, told(LOFT), importance=0.9)
    near(service, admin, bank, 9, told(BOAT))
    assert judged(service, admin, bank, "conflict") == 1
    assert [row[4] for row in shown(admin, bank)] == [pytest.approx(0.42), 0.6]
    questions = admin.execute("select question from memory.clarification where status = 'open'").fetchall()
    assert len(questions) == 1


def test_what_was_replaced_ends_without_a_penalty(service: Connection, admin: Admin, bank: str) -> None:
    near(service, admin, bank, 0, told(LOFT))
    near(service, admin, bank, 9, told(BOAT))
    judged(service, admin, bank, "successor")
    assert shown(admin, bank) == [(LOFT, 0, 9, BOAT, 0.6, 1), (BOAT, 9, None, None, 0.6, 1)]
    near(service, admin, bank, 5, told(BOAT))  # it began earlier than was known
    assert shown(admin, bank)[0] == (LOFT, 0, 5, BOAT, 0.6, 1)
    boat = value(service, "find_matching_fact", **found(bank, BOAT))
    rows(service, "review_fact", bank=bank, memory=boat, judgement="retracted", actor="user", at=day(99))
    assert shown(admin, bank)[0] == (LOFT, 0, None, None, 0.6, 1)


def found(bank: str, text: str) -> dict[str, Any]:
    return {
        "bank": bank, "model": steps.MODEL, "of_timeline": "-", "content": text, "of_subject": "user",
        "of_attribute": None, "of_value": None, "key": 0, "vector": unit_vector(0),
    }  # fmt: skip


def test_a_chain_of_replacements(service: Connection, admin: Admin, bank: str) -> None:
    for n, text in ((0, LOFT), (4, BOAT), (8, CAVE)):
        near(service, admin, bank, n, told(text))
        judged(service, admin, bank, "successor")
    assert [row[:4] for row in shown(admin, bank)] == [
        (LOFT, 0, 4, BOAT), (BOAT, 4, 8, CAVE), (CAVE, 8, None, None),
    ]  # fmt: skip


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(st.tuples(st.integers(0, 30), st.sampled_from([LOFT, BOAT, CAVE])), min_size=2, max_size=7,
                  unique_by=lambda s: s[0]),
    seed=st.integers(0, 10**6),
)  # fmt: skip
def test_replacements_do_not_depend_on_the_order_of_arrival(
    service: Connection, admin: Admin, said: list[tuple[int, str]], seed: int
) -> None:
    ends: list[list[tuple[Any, ...]]] = []
    for order in (sorted(said), random.Random(seed).sample(said, len(said))):
        bank = f"pairs-{next(BANKS)}"
        steps.create_bank(service, bank)
        for n, text in order:
            near(service, admin, bank, n, told(text))
            judged(service, admin, bank, "successor")
        ends.append(shown(admin, bank))
        assert sum(row[2] is None for row in ends[-1]) == 1
    assert ends[0] == ends[1]
