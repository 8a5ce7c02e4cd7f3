"""Duplicates become one memory with a count; texts that differ in a number, a name or a negation do not."""

from __future__ import annotations

import asyncio
from typing import cast

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_service.config import Settings
from memory_service.memory import Memory
from tests.conftest import settle

Admin = psycopg.Connection[tuple[object, ...]]

SAME = [
    ("I moved to Berlin.", "I moved to Berlin!"),
    ("Today I moved to Berlin.", "I moved to Berlin today."),
    ("Maria has two dogs.", "Maria has 2 dogs."),
    ("My sister lives in Lisbon.", "my sister lives in Lisbon"),
]
DIFFERENT = [
    ("I moved to Berlin.", "I moved to Munich.", "names"),
    ("Maria has two dogs.", "Maria has three dogs.", "numbers"),
    ("I paid 120 euros.", "I paid 1,200 euros.", "numbers"),
    ("I like coffee.", "I don't like coffee.", "negation"),
    ("I eat meat.", "I never eat meat.", "negation"),
    ("Tom called on Monday.", "Tom called on Tuesday.", "names"),
    ("We meet today.", "We meet tomorrow.", "days"),
    ("Tom likes Ines.", "Tom likes Maria.", "names"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_only_worded_otherwise_shows_no_mismatch(admin: Admin, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        assert admin.execute("select memory_api.text_difference(%s, %s)", pair).fetchone() == (None,)


WORDS = [
    "i",
    "i'm",
    "she",
    "we",
    "don't",
    "not",
    "never",
    "two",
    "2",
    "twelve",
    "1,200",
    "1200",
    "Rex",
    "Ann",
    "dogs",
    "dog",
    "films",
    "movie",
    "is",
    "was",
    "to",
    "from",
    "the",
    "glad",
    "happy",
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), st.data())
def test_what_shows_no_mismatch_has_the_same_key(admin: Admin, words: list[str], data: st.DataObject) -> None:
    """By the key alone duplicates are found: it may never tell apart what the guard lets pass."""
    swaps = {"two": "2", "film": "movie", "films": "movies", "1,200": "1200", "glad": "happy", "dogs": "dog"}
    other = [swaps.get(w, w) if data.draw(st.booleans()) else w for w in words]
    other += data.draw(st.lists(st.sampled_from(["the", "is", "really", "not", "Rex"]), max_size=2))
    one, two = " ".join(words), " ".join(data.draw(st.permutations(other)))
    row = admin.execute(
        "select memory_api.text_difference(%(a)s, %(b)s) is null, "
        "memory_internal.text_fingerprint(%(a)s) = memory_internal.text_fingerprint(%(b)s)",
        {"a": one, "b": two},
    ).fetchone()
    assert row in ((True, True), (False, True), (False, False)), (one, two)


@pytest.mark.parametrize(("one", "other", "why"), DIFFERENT)
def test_what_differs_in_what_it_states_is_a_mismatch(admin: Admin, one: str, other: str, why: str) -> None:
    for pair in ((one, other), (other, one)):
        assert admin.execute("select memory_api.text_difference(%s, %s)", pair).fetchone() == (why,)


async def test_a_memory_said_again_is_reinforced(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    first = await memory.remember("anna", "I moved to Berlin with my dog.", tags=["home"])
    await settle(memory, "anna")
    again = await memory.remember("anna", "I moved to Berlin with my dog!", tags=["dog"])
    other = await memory.remember("anna", "I moved to Munich with my dog.")
    stats = await settle(memory, "anna")
    assert stats["memories"] == {"active": 2, "merged_into": 1}
    known = await memory.get_memory("anna", first.memory_id)
    assert (known.represents, known.access_count, known.tags) == (2, 1, ("dog", "home"))
    assert known.importance == pytest.approx(0.6, abs=0.2)
    merged = await memory.get_memory("anna", again.memory_id)
    assert (merged.status, merged.merged_into_id) == ("merged_into", first.memory_id)
    assert (await memory.get_memory("anna", other.memory_id)).status == "active"
    events = admin.execute(
        "select event, reason from memory.memory_event where memory_id = %s order by event_id",
        (first.memory_id,),
    ).fetchall()
    assert [event for event, _ in events][-1] == "reinforced"


async def test_what_is_said_often_is_no_landmark_for_that(memory: Memory, admin: Admin) -> None:
    """The importance of a merged memory is the highest of its duplicates, independent of their number."""
    await memory.create_bank("anna")
    first = await memory.remember("anna", "I moved to Berlin with my dog.", importance=0.4)
    await settle(memory, "anna")
    for importance in (0.3, 0.5, 0.2, 0.4, 0.1, 0.3):
        await memory.remember("anna", "I moved to Berlin with my dog!", importance=importance)
        await settle(memory, "anna")
    known = await memory.get_memory("anna", first.memory_id)
    assert (known.represents, known.importance) == (7, 0.5)
    assert admin.execute("select bool_or(landmark) from memory.episodic_memory").fetchone() == (False,)


async def test_what_a_bank_kept_apart_is_known_once_it_merges(memory: Memory) -> None:
    await memory.create_bank("anna", {"intake": "verbatim"})
    first = await memory.remember("anna", "I moved to Berlin with my dog.")
    await settle(memory, "anna")
    await memory.update_bank("anna", {"intake": "exchange"})
    again = await memory.remember("anna", "I moved to Berlin with my dog!")
    await settle(memory, "anna")
    assert (await memory.get_memory("anna", again.memory_id)).merged_into_id == first.memory_id


async def test_verbatim_banks_keep_everything_apart(memory: Memory) -> None:
    await memory.create_bank("log", {"intake": "verbatim"})
    for _ in range(3):
        await memory.remember("log", "The same line again.")
    assert (await settle(memory, "log"))["memories"] == {"active": 3}


async def test_many_workers_at_once_keep_one_of_each(
    settings: Settings, memory: Memory, admin: Admin
) -> None:
    """Ten writers commit the same forty memories at once and three workers embed them: forty stay active."""
    await memory.create_bank("anna")
    said = [f"Drawer number {n} holds the letter {chr(65 + n % 26)}{n}." for n in range(40)]
    await asyncio.gather(*(memory.remember("anna", text) for _ in range(10) for text in said))
    others = [await Memory.open(settings, migrated=False) for _ in range(2)]
    stop = asyncio.Event()
    helping = [asyncio.create_task(other.work(stop)) for other in others]
    stats = await settle(memory, "anna")
    stop.set()
    await asyncio.gather(*helping)
    for other in others:
        await other.aclose()
    assert stats["memories"] == {"active": 40, "merged_into": 360}
    rows = admin.execute("select represents from memory.episodic_memory where status = 'active'").fetchall()
    assert {cast("int", row[0]) for row in rows} == {10}
