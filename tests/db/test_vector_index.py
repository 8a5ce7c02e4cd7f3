"""The HNSW index of large banks holds the vectors of the table, whatever is written meanwhile."""

from __future__ import annotations

import random
from uuid import UUID

import pytest
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, value, vector_of

BANK = "anna"
ENTER_ABOVE = 20
TABLE = "select memory_id, part, embedding::text from memory.memory_vector where bank_id = %s order by 1, 2"
INDEX = "select memory_id, part, embedding::text from memory.indexed_vector where bank_id = %s order by 1, 2"


def activate(service: Connection, count: int, chance: random.Random) -> list[UUID]:
    """New active episodes with different vectors."""
    made = [steps.remember(service, BANK, summary=f"item {chance.random()}") for _ in range(count)]
    vectors = [vector_of({axis: chance.uniform(-1, 1) for axis in range(8)}) for _ in made]
    steps.activate(service, BANK, [lease for _, lease in made], vectors)
    return [memory for memory, _ in made]


def extend(service: Connection, page: int = 7, **named: object) -> int:
    return value(
        service, "extend_vector_index", bank=BANK, model=MODEL, page=page, enter_above=ENTER_ABOVE, at=START, **named
    )  # fmt: skip


def build(service: Connection) -> None:
    while extend(service):
        pass


def state(admin: Admin) -> str | None:
    row = admin.execute("select state from memory.vector_index where bank_id = %s", (BANK,)).fetchone()
    return None if row is None else str(row[0])


def contents(admin: Admin, query: str) -> list[tuple[object, ...]]:
    return admin.execute(query.encode(), (BANK,)).fetchall()


def test_only_a_bank_above_the_threshold_enters(service: Connection, admin: Admin) -> None:
    chance = random.Random(1)
    steps.create_bank(service, BANK)
    activate(service, ENTER_ABOVE, chance)
    assert (extend(service), state(admin)) == (0, None)
    activate(service, 1, chance)
    assert (extend(service, dry_run=True), state(admin)) == (ENTER_ABOVE + 1, None)
    assert [extend(service) for _ in range(5)] == [7, 7, 7, 0, 0]
    assert state(admin) == "ready"
    assert contents(admin, INDEX) == contents(admin, TABLE) != []


@pytest.mark.parametrize("seed", range(3))
def test_index_equals_table_after_writes_and_deletions_at_any_stage(
    service: Connection, admin: Admin, seed: int
) -> None:
    chance = random.Random(seed)
    steps.create_bank(service, BANK)
    activate(service, ENTER_ABOVE + 1, chance)

    def write() -> None:
        activate(service, chance.randint(1, 3), chance)

    def put_away() -> None:
        rows(service, "enforce_caps", bank=BANK, most_active=ENTER_ABOVE - 2, most_archived=2, at=START)

    def delete() -> None:
        held = contents(admin, TABLE)
        admin.execute("set role memory_service")
        rows(
            admin,
            "delete_episodes",
            bank=BANK,
            memories=[chance.choice(held)[0]],
            reason="test",
            actor="test",
            at=START,
        )
        admin.execute("reset role")

    for step in chance.choices([write, put_away, delete, lambda: extend(service, 3)], [3, 1, 1, 4], k=40):
        step()
        vectors, indexed = contents(admin, TABLE), contents(admin, INDEX)
        assert set(indexed) <= set(vectors)
        if state(admin) == "ready":
            assert indexed == vectors
    build(service)
    if state(admin) == "ready":
        assert contents(admin, INDEX) == contents(admin, TABLE)


def test_a_bank_that_shrinks_leaves(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, BANK)
    activate(service, ENTER_ABOVE + 5, random.Random(1))
    build(service)
    admin.execute(
        "delete from memory.memory_vector where bank_id = %s and memory_id = any (array(select memory_id "
        "from memory.memory_vector where bank_id = %s order by memory_id limit 17))", (BANK, BANK),
    )  # fmt: skip
    extend(service, 1)
    assert state(admin) == "removing"
    build(service)
    assert (state(admin), contents(admin, INDEX)) == (None, [])


def test_a_large_bank_answers_as_a_small_one(service: Connection, admin: Admin) -> None:
    """With every filter state: unfiltered, rare and common tags, archived ones among the nearest, moods."""
    chance = random.Random(2)
    steps.create_bank(service, BANK)
    made = activate(service, 60, chance)
    admin.execute(
        "update memory.episodic_memory "
        "set tags = case when memory_id = any (%s) then '{rare}' else '{usual}' end::text[]",
        (made[::10],),
    )
    admin.execute(
        "update memory.episodic_memory set status = 'archived' where memory_id = any (%s)", (made[1::2],)
    )
    for number, memory in enumerate(made):
        admin.execute(
            "update memory.episodic_memory set importance = %s, emotional_valence = %s, topics = %s "
            "where memory_id = %s",
            (number % 10 / 10, (None, -0.9, -0.3, 0.4, 0.8)[number % 5], [["Dance"], ["tea", "dance"], []][number % 3],
             memory),
        )  # fmt: skip
    queries = [vector_of({axis: chance.uniform(-1, 1) for axis in range(8)}) for _ in range(5)]
    important = {"important": 0.7}

    def answers() -> list[set[UUID]]:
        return [
            set(steps.recall(service, BANK, query, fetch_count=5, **filters))
            for query in queries
            for filters in (
                {},
                {"tags": ["rare"]},
                {"tags": ["usual"]},
                {"statuses": ["active"]},
                {"tags": ["none"]},
                {"bars": Jsonb({"valence": 0.5, "apart": 1, **important})},
                {"bars": Jsonb({"topics": ["dance"], **important})},
                {"bars": Jsonb({"felt": -0.7, "strong": 0.6, **important})},
                {
                    "bars": Jsonb({"valence": 0.5, "apart": 1, "topics": ["tea"], **important}),
                    "tags": ["usual"],
                },
            )
        ]

    before = answers()
    build(service)
    assert state(admin) == "ready"
    assert answers() == before


def test_a_memory_of_several_parts_takes_one_place(service: Connection, admin: Admin) -> None:
    chance = random.Random(4)
    steps.create_bank(service, BANK)
    long, *others = activate(service, 60, chance)
    admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, part, embedding) "
        "select %s, %s, %s, 'episodic', n, %s::halfvec from generate_series(1, 50) n",
        (BANK, long, MODEL, vector_of({0: 1})),
    )
    build(service)
    found = rows(
        service, "nearest_indexed", bank=BANK, model=MODEL, query=vector_of({0: 1}), count=8, statuses=["active"],
        least_confidence=0.3,
    )  # fmt: skip
    memories = [memory for memory, _ in found]
    assert (memories[0], len(set(memories)), len(memories)) == (long, 8, 8)
    assert set(memories[1:]) <= set(others)


@pytest.mark.own_database
@pytest.mark.parametrize("version", ["0.8.0", "0.8.3"])
def test_no_bank_is_in_the_index_of_an_old_pgvector(service: Connection, admin: Admin, version: str) -> None:
    """Banks that a newer pgvector has indexed leave the index, whole or half built; none enters."""
    chance = random.Random(6)
    steps.create_bank(service, BANK)
    activate(service, 3 * ENTER_ABOVE, chance)
    for built in (0, 3, 100):
        admin.execute("update pg_extension set extversion = '0.8.4' where extname = 'vector'")
        for _ in range(built):
            if not extend(service):
                break
        assert state(admin) == {0: None, 3: "building", 100: "ready"}[built]
        admin.execute("update pg_extension set extversion = %s where extname = 'vector'", (version,))
        while extend(service):
            pass
        assert state(admin) is None
        assert contents(admin, INDEX) == []
        assert len(contents(admin, TABLE)) == 3 * ENTER_ABOVE
