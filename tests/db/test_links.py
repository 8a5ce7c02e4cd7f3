"""Links: up to five active memories that are similar to a new one or name the same entity."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from itertools import count
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import Connection, Lease, pending, unit_vector, vector_of

BANKS = count()
APART = [unit_vector(n) for n in range(20)]
"""Orthogonal vectors."""


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def memory(lease: Lease) -> UUID:
    return UUID(lease.subject)


def links(admin: Admin, bank: str = "a") -> list[tuple[UUID, UUID, str]]:
    return admin.execute(
        "select memory_id, linked_id, reason from memory.memory_link where bank_id = %s order by 1, 2",
        (bank,),
    ).fetchall()  # type: ignore[return-value]


def pairs(admin: Admin, bank: str = "a") -> set[frozenset[UUID]]:
    found = links(admin, bank)
    unordered = {frozenset((one, other)) for one, other, _ in found}
    assert len(unordered) == len(found), "a pair is linked twice"
    return unordered


def near(other: float) -> str:
    """A vector that is so similar to the first axis."""
    return vector_of({0: other, 1: (1 - other**2) ** 0.5})


def active(service: Connection, bank: str, vector: str, **fields: object) -> UUID:
    """A memory that is active, by itself; its id."""
    (lease,) = pending(service, bank, fields)
    steps.activate(service, bank, [lease], vector, merges=False)
    return memory(lease)


def test_what_is_as_near_as_evidence_is_linked(admin: Admin, service: Connection, bank: str) -> None:
    """The model's evidence threshold is 0.75."""
    first = active(service, bank, unit_vector(0))
    below = active(service, bank, near(0.74))
    assert links(admin) == []
    admin.execute("delete from memory.memory_vector where memory_id = %s", (below,))
    above = active(service, bank, near(0.76))
    assert links(admin) == [(above, first, "similarity")]


def test_the_threshold_is_the_models_own(admin: Admin, service: Connection, bank: str) -> None:
    admin.execute(
        "update memory.embedding_model set evidence_threshold = 0.5 where name = %s", (steps.MODEL,)
    )
    first = active(service, bank, unit_vector(0))
    second = active(service, bank, near(0.6))
    assert links(admin) == [(second, first, "similarity")]


def test_at_most_five_and_the_nearest_first(admin: Admin, service: Connection, bank: str) -> None:
    known = {similarity: active(service, bank, vector_of({0: similarity, n + 2: (1 - similarity**2) ** 0.5}))
             for n, similarity in enumerate((0.76, 0.98, 0.8, 0.95, 0.83, 0.9, 0.78))}  # fmt: skip
    admin.execute("delete from memory.memory_link")
    latest = active(service, bank, unit_vector(0))
    assert {other for one, other, _ in links(admin) if one == latest} == {
        known[similarity] for similarity in (0.98, 0.95, 0.9, 0.83, 0.8)
    }


def test_similarity_comes_before_names(admin: Admin, service: Connection, bank: str) -> None:
    named = [active(service, bank, vector, entities=["Lisbon"]) for vector in APART[5:11]]
    admin.execute("delete from memory.memory_link")
    similar = [active(service, bank, near(similarity)) for similarity in (0.78, 0.9)]
    admin.execute("delete from memory.memory_link")
    latest = active(service, bank, unit_vector(0), entities=["Lisbon"])
    found = {other: reason for one, other, reason in links(admin) if one == latest}
    assert {other for other, reason in found.items() if reason == "similarity"} == set(similar)
    by_name = {other for other, reason in found.items() if reason == "entity"}
    assert len(by_name) == 3
    assert by_name <= set(named)


def test_who_is_both_near_and_named_is_linked_once(admin: Admin, service: Connection, bank: str) -> None:
    first = active(service, bank, unit_vector(0), entities=["Lisbon", "Maria"])
    second = active(service, bank, near(0.8), entities=["Maria", "Lisbon"])
    assert links(admin) == [(second, first, "similarity")]


def test_names_are_the_same_in_any_case(admin: Admin, service: Connection, bank: str) -> None:
    first = active(service, bank, APART[0], entities=["LISBON"])
    second = active(service, bank, APART[1], entities=["lisbon", "Lisbon"])
    assert links(admin) == [(second, first, "entity")]


def test_other_names_link_nothing(admin: Admin, service: Connection, bank: str) -> None:
    active(service, bank, APART[0], entities=["Lisbon", "Maria"])
    active(service, bank, APART[1], entities=["Porto", "Tom"])
    assert links(admin) == []


def test_links_within_a_batch(admin: Admin, service: Connection, bank: str) -> None:
    """Each pair once, by whichever has the later id; all that there is room for."""
    leases = pending(service, bank, *[{"entities": ["Maria"]}] * 9)
    steps.activate(service, bank, leases, APART[:9], merges=False)
    ids = [memory(lease) for lease in leases]
    found = {one: {other for here, other, _ in links(admin) if here == one} for one in ids}
    assert found == {one: set(ids[max(0, place - 5) : place]) for place, one in enumerate(ids)}


def test_what_is_no_longer_active_takes_no_room(admin: Admin, service: Connection, bank: str) -> None:
    kept = active(service, bank, APART[0], entities=["Maria"])
    leases = pending(service, bank, *[{"entities": ["Maria"]}] * 6)
    steps.activate(service, bank, leases, APART[1:7], merges=False)
    admin.execute("delete from memory.memory_link")
    admin.execute(
        "update memory.episodic_memory set status = 'archived' where memory_id = any (%s)",
        ([memory(lease) for lease in leases],),
    )
    latest = active(service, bank, APART[8], entities=["Maria"])
    assert links(admin) == [(latest, kept, "entity")]


@pytest.mark.parametrize("status", ["archived", "deprecated", "quarantined", "failed", "pending_embedding"])
def test_only_active_memories_are_linked(admin: Admin, service: Connection, bank: str, status: str) -> None:
    gone = active(service, bank, unit_vector(0), entities=["Maria"])
    admin.execute("update memory.episodic_memory set status = %s where memory_id = %s", (status, gone))
    active(service, bank, unit_vector(0), entities=["Maria"])
    assert links(admin) == []


def test_what_is_merged_is_never_linked(admin: Admin, service: Connection, bank: str) -> None:
    """Neither a duplicate in the batch of its original nor a later one has links; the original has."""
    other = active(service, bank, near(0.8), summary="Something else.")
    leases = pending(service, bank, {}, {})
    steps.activate(service, bank, leases, unit_vector(0))
    (again,) = pending(service, bank, {})
    steps.activate(service, bank, [again], unit_vector(0))
    merged = admin.execute("select count(*) from memory.episodic_memory where status = 'merged_into'")
    assert merged.fetchone() == (2,)
    assert pairs(admin) == {frozenset((memory(leases[0]), other))}


def test_banks_are_not_linked(admin: Admin, service: Connection, bank: str) -> None:
    """Not even where memories of two banks have the same ids."""
    steps.create_bank(service, "b")
    ids = [uuid.uuid4(), uuid.uuid4()]
    for name in (bank, "b"):
        for memory_id in ids[: 1 if name == bank else 2]:
            rows = [steps.episode(memory_id, entities=["Maria"]).obj]
            steps.rows(service, "insert_episodes", bank=name, episodes=steps.Jsonb(rows), at=steps.START)
            (lease,) = steps.claim(service, "embed")
            steps.activate(service, name, [lease], unit_vector(0), merges=False)
    assert links(admin) == []
    assert links(admin, "b") == [(ids[1], ids[0], "similarity")]


def test_without_the_feature_nothing_is_linked(admin: Admin, service: Connection, bank: str) -> None:
    leases = pending(service, bank, *[{"entities": ["Maria"]}] * 2)
    steps.activate(service, bank, leases, links=False, merges=False)
    assert links(admin) == []
    assert admin.execute("select from memory.memory_entity").fetchall() == []


NAMES = st.sets(st.sampled_from(["Maria", "MARIA", "Tom", "Lisbon"]), max_size=2)
PLACES = st.sampled_from([(0, 1.0), (0, 0.8), (1, 1.0)])
MEMORIES = st.lists(st.tuples(NAMES, PLACES), min_size=2, max_size=5)


@given(memories=MEMORIES, data=st.data())
@settings(
    max_examples=40, deadline=None, database=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
def test_the_order_of_activation_changes_no_pair(
    admin: Admin, service: Connection, memories: list[tuple[set[str], tuple[int, float]]], data: st.DataObject
) -> None:
    """In any order and in any batches the same pairs, as long as there is room for all."""
    bank = f"bank{next(BANKS)}"
    steps.create_bank(service, bank)
    leases = pending(service, bank, *[{"entities": sorted(names)} for names, _ in memories])
    order = data.draw(st.permutations(range(len(leases))))
    first = data.draw(st.integers(1, len(leases)))
    for batch in (order[:first], order[first:]):
        if batch:
            vectors = [point(memories[n][1]) for n in batch]
            steps.activate(service, bank, [leases[n] for n in batch], vectors, merges=False)
    assert pairs(admin, bank) == {
        frozenset((memory(leases[one]), memory(leases[other])))
        for one in range(len(leases))
        for other in range(one)
        if related(memories[one], memories[other])
    }


def point(place: tuple[int, float]) -> str:
    axis, part = place
    return vector_of({axis: part, 2: (1 - part**2) ** 0.5})


def related(one: tuple[set[str], tuple[int, float]], other: tuple[set[str], tuple[int, float]]) -> bool:
    return bool(lowered(one[0]) & lowered(other[0])) or one[1][0] == other[1][0]


def lowered(names: set[str] | Sequence[str]) -> set[str]:
    return {name.lower() for name in names}
