"""memory_text: own words, words of neighbours, speakers and answered messages, also after neighbours change."""

from __future__ import annotations

import math
import uuid
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, cast
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as properties
from hypothesis import strategies as some
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection, rows

Row = dict[str, Any]


def said(text: str, minute: float, name: str | None = None, conversation: str = "c1") -> Row:
    """Fields of an episode: its text, time and speaker."""
    return {
        "summary": text, "conversation_id": conversation,
        "occurred_at": (START + timedelta(minutes=minute)).isoformat(),
        "full_text": {"messages": [{"name": name, "content": text}]},
    }  # fmt: skip


def active(connection: Connection, bank: str, *fields: Mapping[str, object]) -> list[UUID]:
    """Episodes with these fields, active at once, with orthogonal vectors; their ids in the order of `fields`."""
    leases = steps.pending(connection, bank, *fields)
    taken = len(words_of(connection, bank))
    steps.activate(
        connection,
        bank,
        leases,
        [steps.unit_vector(taken + n) for n in range(len(leases))],
        merges=False,
        links=False,
    )
    return [UUID(lease.subject) for lease in leases]


def words_of(connection: Connection, bank: str) -> dict[UUID, Row]:
    """The bank's rows of memory_text by memory: own words, words beside by weight, speakers, neighbours."""
    with connection.transaction():
        connection.execute("select memory_internal.enter_bank(%s)", (bank,))
        found = connection.execute(
            "select memory_id, tsvector_to_array(ts_filter(search, '{a}')), "
            "tsvector_to_array(ts_filter(neighbour_words, '{b}')), "
            "tsvector_to_array(ts_filter(neighbour_words, '{d}')), speakers, before_id, after_id "
            "from memory.memory_text"
        ).fetchall()
    names = ("own", "asked", "beside", "speakers", "before", "after")
    return {row[0]: dict(zip(names, row[1:], strict=True)) for row in found}


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def test_a_memory_has_its_own_words_and_those_beside_it(service: Connection, bank: str) -> None:
    first, second, third = active(
        service, bank, said("Foxes sleep.", 0), said("Hens lay eggs.", 1), said("Geese fly.", 2)
    )
    found = words_of(service, bank)
    assert found[second]["own"] == ["egg", "hen", "lay"]
    assert (found[second]["asked"], found[second]["beside"]) == ([], ["fli", "fox", "gees", "sleep"])
    assert (found[second]["before"], found[second]["after"]) == (first, third)
    assert (found[first]["before"], found[third]["after"]) == (None, None)


def test_an_answer_knows_the_question_before_it(service: Connection, bank: str) -> None:
    asked, answer = active(service, bank, said("Where do foxes sleep?", 0), said("In a den.", 1))
    found = words_of(service, bank)
    assert (found[answer]["before"], found[answer]["asked"]) == (asked, ["fox", "sleep"])
    assert found[asked]["asked"] == []


def test_a_newcomer_changes_the_row_before_it(service: Connection, bank: str) -> None:
    """As messages come one by one."""
    (first,) = active(service, bank, said("Foxes sleep.", 0))
    assert words_of(service, bank)[first]["beside"] == []
    (second,) = active(service, bank, said("Hens lay eggs.", 1))
    found = words_of(service, bank)
    assert (found[first]["after"], found[first]["beside"]) == (second, ["egg", "hen", "lay"])


def test_who_comes_between_two_parts_them(service: Connection, bank: str) -> None:
    first, last = active(service, bank, said("Where do foxes sleep?", 0), said("Geese fly.", 2))
    assert words_of(service, bank)[last]["asked"] == ["fox", "sleep"]
    (between,) = active(service, bank, said("Hens lay eggs.", 1))
    found = words_of(service, bank)
    assert (found[first]["after"], found[last]["before"], found[last]["asked"]) == (between, between, [])
    assert found[last]["beside"] == ["egg", "hen", "lay"]


def test_an_hour_apart_is_too_far(service: Connection, bank: str) -> None:
    active(
        service,
        bank,
        said("Where do foxes sleep?", 0),
        said("In a den.", 61),
        said("Far off.", 122, conversation="c2"),
    )
    assert {(row["before"], row["after"]) for row in words_of(service, bank).values()} == {(None, None)}


def test_other_conversations_are_not_beside(service: Connection, bank: str) -> None:
    active(service, bank, said("Foxes sleep.", 0), said("Hens lay eggs.", 1, conversation="c2"))
    assert {row["before"] or row["after"] for row in words_of(service, bank).values()} == {None}


@pytest.mark.parametrize("status", ["deprecated", "merged_into", "quarantined"])
def test_what_goes_leaves_no_words_behind(service: Connection, bank: str, status: str) -> None:
    first, second, third = active(
        service, bank, said("Where do foxes sleep?", 0), said("Hens lay eggs.", 1), said("In a den.", 2)
    )
    move(service, bank, second, status)
    found = words_of(service, bank)
    assert found.keys() == {first, third}
    assert (found[first]["after"], found[third]["before"]) == (third, first)
    assert found[third]["asked"] == ["fox", "sleep"]
    assert "egg" not in str(found)
    move(service, bank, second, "active")
    assert words_of(service, bank)[third]["before"] == second


def test_archived_memories_keep_their_words(service: Connection, bank: str) -> None:
    (only,) = active(service, bank, said("Foxes sleep.", 0))
    before = words_of(service, bank)
    move(service, bank, only, "archived")
    assert words_of(service, bank) == before


def test_a_memory_without_a_vector_has_words(service: Connection, bank: str) -> None:
    leases = steps.pending(service, bank, said("Foxes sleep.", 0))
    rows(
        service, "activate_unembedded", bank=bank, memories=[UUID(lease.subject) for lease in leases],
        tokens=[lease.token for lease in leases], at=START,
    )  # fmt: skip
    assert [row["own"] for row in words_of(service, bank).values()] == [["fox", "sleep"]]


def test_what_waits_or_is_merged_has_no_words(service: Connection, bank: str) -> None:
    steps.pending(service, bank, said("Foxes sleep.", 0))
    assert words_of(service, bank) == {}
    other = steps.pending(service, bank, said("Foxes sleep.", 5), said("Foxes sleep.", 6))
    steps.activate(service, bank, other, steps.unit_vector(0), links=False)
    assert len(words_of(service, bank)) == 1


def test_who_speaks_is_known_by_each_word_of_the_name(service: Connection, bank: str) -> None:
    (only,) = active(service, bank, said("Foxes sleep.", 0, "Maria Del Mar"))
    assert words_of(service, bank)[only]["speakers"] == ["del", "mar", "maria"]
    (people,) = service.execute("select people from memory_api.read_bank(%s)", (bank,)).fetchone() or (None,)
    assert people == ["del", "mar", "maria"]


def test_another_language_makes_other_words(service: Connection, bank: str) -> None:
    (only,) = active(service, bank, said("Die Füchse schlafen", 0))
    assert words_of(service, bank)[only]["own"] == ["die", "füchse", "schlafen"]
    patch = Jsonb({"language": "german"})
    rows(service, "update_bank", bank=bank, patch=patch)
    assert words_of(service, bank)[only]["own"] == ["fuchs", "schlaf"]
    assert counted(service, bank) == {f" {bank}": 1, "fuchs": 1, "schlaf": 1}
    assert rows(service, "query_words", bank=bank, language="german", words="Schlafen die Füchse?")[0][1] == [
        "'fuchs'",
        "'schlaf'",
    ]


@pytest.mark.parametrize(("others", "counted"), [(127, True), (128, False)])
def test_of_a_long_text_the_longest_words_are_looked_up(
    service: Connection, bank: str, others: int, counted: bool
) -> None:
    """However many there are."""
    active(service, bank, said("Foxes sleep.", 0))
    text = " ".join(["sleep", *(f"unheard{n}" for n in range(others))])
    terms = rows(service, "query_words", bank=bank, language="english", words=text)[0][1]
    assert ("'sleep'" in terms) == counted


@pytest.mark.parametrize(
    ("matches", "found"),
    [
        ([300, 600, 2_000], "'a' | 'b'"),
        ([300, 2_000, 3_000, 40_000], "'b' & 'c' | 'a'"),
        ([300, 2_000, 3_000, 20_000], "'b' & 'c' | 'a' | 'b' & 'd'"),
        ([0, 300], "'b'"),
        ([5_000, 5_001], "'a' & 'b'"),
        ([5_000], "'a'"),
        ([5_000, 40_000], "'a'"),
        ([5_001, 5_002], None),
        ([], None),
    ],
)
def test_a_large_bank_is_searched_for_rare_words_and_pairs(
    service: Connection, matches: list[int], found: str | None
) -> None:
    """Of 100,000 memories some 1,000 are expected, and 5,000 entries of the index are read."""
    rarity = [math.log(1 + (100_000 - n + 0.5) / (n + 0.5)) for n in matches]
    (answer,) = service.execute(
        "select memory_internal.selective_query(100000, %s::text[]::tsquery[], %s::float8[], 1000, 5000)::text",
        ([f"'{word}'" for word in "abcd"[: len(matches)]], rarity),
    ).fetchone() or ("",)
    assert answer == found


def make_large(admin: Admin, service: Connection, bank: str) -> None:
    """Move its vectors into the index, and let all words be a thousand times as frequent as they are."""
    for _ in range(2):
        steps.value(
            service, "extend_vector_index", bank=bank, model=steps.MODEL, page=1_000, enter_above=0, at=START
        )
    admin.execute("update memory.word_count set memories = memories * 1000 where bank_id = %s", (bank,))


def test_words_of_a_large_bank_find_first_what_contains_several(
    admin: Admin, service: Connection, bank: str
) -> None:
    """And as many as in a small bank, with filters that few, most and none pass; archived ones only if wanted."""
    texts = [*["Foxes run."] * 20, *["Foxes drink tea."] * 10, *["Tea is hot."] * 30, *["Stones."] * 20]
    made = active(service, bank, *(said(text, 60.0 * n, None, f"c{n}") for n, text in enumerate(texts)))
    admin.execute("update memory.episodic_memory set tags = '{usual}', importance = 0.5")
    admin.execute(
        "update memory.episodic_memory set tags = '{rare}' where memory_id = any (%s)", (made[::8],)
    )
    admin.execute(
        "update memory.episodic_memory set status = 'archived' where memory_id = any (%s)", (made[1::4],)
    )
    both = {*made[20:30]}

    def found(count: int, **filters: Any) -> list[UUID]:
        more: dict[str, Any] = {"statuses": ["active", "archived"], **filters}
        return steps.recall(
            service, bank, query=None, words="Foxes and tea?", fetch_count=count, salient_count=None, **more
        )  # fmt: skip

    filters: list[dict[str, Any]] = [
        {}, {"tags": ["rare"]}, {"tags": ["usual"]}, {"tags": ["none"]}, {"statuses": ["active"]},
        {"statuses": ["active"], "tags": ["usual"]}, {"bars": Jsonb({"topics": ["x"], "important": 0.4})},
        {"bars": Jsonb({"topics": ["x"], "important": 0.7})},
    ]  # fmt: skip
    small = [set(found(100, **more)) for more in filters]
    assert [len(one) for one in small] == [60, 8, 52, 0, 45, 37, 60, 0]
    make_large(admin, service, bank)
    assert [set(found(100, **more)) for more in filters] == small
    assert set(found(5)) < both
    assert {*found(10)} == both
    assert both < set(found(25))
    assert len(found(25)) == 25
    assert set(found(5, tags=["usual"])) < both


def test_of_a_common_word_only_some_rows_are_ranked(service: Connection, bank: str) -> None:
    made = active(service, bank, *(said("Foxes run.", 60.0 * n, None, f"c{n}") for n in range(12)))

    def found(*limits: object) -> set[UUID]:
        answer = service.execute(
            "select memory_id from memory_internal.matching_texts(%s, 'fox', '{0.1,0.2,0.4,1}', %s, %s, %s)",
            (bank, *limits),
        ).fetchall()
        return {row[0] for row in answer}

    assert [len(found(*limits, None)) for limits in ((5, 3), (3, 5), (20, None), (None, 12))] == [
        3,
        3,
        12,
        12,
    ]
    assert found(20, 3, made[4:9]) == {*made[4:9]}


def test_a_bank_is_one_lexeme_that_no_text_yields(admin: Admin, service: Connection, bank: str) -> None:
    """Else a query for the bank's own name would find all of it."""
    active(service, bank, said("Foxes sleep.", 0))
    assert (
        rows(service, "query_words", bank=bank, language="english", words="a ' a' \" a\" @ a")[0][1] is None
    )
    configurations = admin.execute("select cfgname::text from pg_ts_config").fetchall()
    for (name,) in configurations:
        lexemes = admin.execute(
            "select tsvector_to_array(to_tsvector(%s::regconfig, %s))", (name, " a  a\ta 'a' :a a:1 \u00a0a")
        ).fetchone()
        assert lexemes is not None
        assert not [one for one in cast("list[str]", lexemes[0]) if one.startswith(" ")]


def move(connection: Connection, bank: str, memory: UUID, status: str) -> None:
    assert rows(
        connection, "set_episodes_status", bank=bank, memories=[memory],
        from_statuses=["active", "archived", "deprecated", "merged_into", "quarantined"], to_status=status,
        reason="a test", actor="a test",
    ) == [(1,)]  # fmt: skip


TEXTS = ("Where do foxes sleep?", "In a den.", "Hens lay eggs.", "Do geese fly?")


@properties(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    memories=some.lists(some.tuples(some.integers(0, 5), some.sampled_from(TEXTS)), min_size=1, max_size=7),
    batches=some.lists(some.integers(1, 3), min_size=1, max_size=7),
    gone=some.sets(some.integers(0, 6), max_size=3),
)
def test_however_they_came_and_went_the_words_are_the_same(
    service: Connection, memories: list[tuple[int, str]], batches: list[int], gone: set[int]
) -> None:
    """Written one by one, in any order, with some gone again: as if all had been written at once."""
    bank = f"b-{uuid.uuid4()}"
    steps.create_bank(service, bank)
    fields = [said(text, 25 * place) for place, text in memories]
    ids: list[UUID] = []
    for size in [*batches, len(fields)]:
        some_fields = fields[len(ids) : len(ids) + size]
        if some_fields:
            ids += active(service, bank, *some_fields)
    for place in gone:
        if place < len(ids):
            move(service, bank, ids[place], "deprecated")
    grown = words_of(service, bank)
    rows(service, "index_episode_words", bank=bank, memories=sorted(ids))
    assert words_of(service, bank) == grown
    assert linked(grown) == expected(service, bank)
    assert counted(service, bank) == Counter(
        chain([f" {bank}"] * len(grown), *(row["own"] for row in grown.values()))
    )


def counted(connection: Connection, bank: str) -> dict[str, int]:
    """How many memories have each word, as recalls weigh it."""
    with connection.transaction():
        connection.execute("select memory_internal.enter_bank(%s)", (bank,))
        return dict(connection.execute("select word, memories from memory.word_count").fetchall())


def linked(found: Mapping[UUID, Row]) -> dict[UUID, tuple[UUID | None, UUID | None]]:
    return {memory: (row["before"], row["after"]) for memory, row in found.items()}


def expected(service: Connection, bank: str) -> dict[UUID, tuple[UUID | None, UUID | None]]:
    """Who is beside whom, worked out from the episodes themselves."""
    items = rows(service, "list_memories", bank=bank, page=100, statuses=["active"])
    columns = [
        column.name
        for column in service.execute("select * from memory_api.memory_item limit 0").description or []
    ]
    places: list[tuple[datetime, UUID]] = sorted(
        (row[columns.index("occurred_at")], row[columns.index("memory_id")]) for row in items
    )
    hour = timedelta(hours=1)

    def near(one: tuple[datetime, UUID], other: tuple[datetime, UUID] | None) -> UUID | None:
        return other[1] if other is not None and abs(one[0] - other[0]) <= hour else None

    around = [None, *places, None]
    return {place[1]: (near(place, around[n]), near(place, around[n + 2])) for n, place in enumerate(places)}
