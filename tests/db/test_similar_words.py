"""Words of a query that the bank does not have: edit distance, and the similar words that stand in for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import psycopg
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as properties
from hypothesis import strategies as some

from memory_service.connect import SERVICE_ROLE, driver_url
from memory_service.db.migrate import migrate
from tests.conftest import Admin, libpq_url
from tests.db import steps
from tests.db.steps import Connection, rows, value
from tests.db.test_words import active, said

WORDS = some.text(alphabet="abcé'\\🦊", max_size=9)


def distance(one: str, other: str) -> int:
    """Optimal string alignment by its recursive definition."""

    @cache
    def between(n: int, m: int) -> int:
        if n == 0 or m == 0:
            return n + m
        ways = [
            between(n - 1, m) + 1,
            between(n, m - 1) + 1,
            between(n - 1, m - 1) + (one[n - 1] != other[m - 1]),
        ]
        if n > 1 and m > 1 and one[n - 1] == other[m - 2] and one[n - 2] == other[m - 1]:
            ways.append(between(n - 2, m - 2) + 1)
        return min(ways)

    return between(len(one), len(other))


@pytest.mark.changes_nothing
@properties(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(one="ab", other="ba", most=1)
@example(one="ca", other="abc", most=2)
@example(one="typescript", other="typsecript", most=1)
@given(one=WORDS, other=WORDS, most=some.integers(0, 4))
def test_the_distance_is_that_of_the_definition(admin: Admin, one: str, other: str, most: int) -> None:
    found = admin.execute("select memory_internal.edit_distance(%s, %s, %s)", (one, other, most)).fetchone()
    expected = distance(one, other)
    assert found == (expected if expected <= most else None,)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def similar(connection: Connection, given: str, language: str = "english") -> list[tuple[str, float]]:
    """The similar words in the bank and the share of each."""
    found = rows(connection, "similar_words", bank="a", language=language, given=given)
    return [(word, share) for _, word, _, share in found]


TEXT = (
    "Melanie's TypeScript and MongoDB project in Portugal: allergic to walnuts, 日本語 Füchse, "
    "a sunflower, an apartment."
)


@pytest.mark.parametrize(
    ("given", "found", "share"),
    [
        ("typsecript", "typescript", 0.7),
        ("typescrpt", "typescript", 0.7),
        ("typescr", "typescript", 0.7),
        ("tipesript", "typescript", 0.5),
        ("mongod", "mongodb", 0.7),
        ("alergic", "allerg", 0.7),
        ("portgual", "portug", 0.7),  # the stemmer leaves the ending
        ("melaine", "melani", 0.7),
        ("nelanie", "melani", 0.7),
        ("walntus", "walnut", 0.7),
        ("füchs", "füchse", 0.7),
        ("walnutcracker", None, None),  # less than 60 %
        ("sunflowerseed", "sunflow", 0.7),
        ("wal", None, None),
        ("typo", None, None),
        ("mongodb", None, None),  # it is there
    ],
)
def test_similar_words_of_the_bank_are_found(
    service: Connection, bank: str, given: str, found: str | None, share: float | None
) -> None:
    active(service, bank, said(TEXT, 0))
    assert similar(service, given) == ([] if found is None else [(found, share)])


def test_at_most_three_of_the_nearest_are_taken_by_frequency(service: Connection, bank: str) -> None:
    texts = ["boat coat", "boat moat", "boat coat goat", "boats"]
    active(service, bank, *(said(text, 100 * n) for n, text in enumerate(texts)))
    assert [word for word, _ in similar(service, "zoat")] == ["boat", "coat", "goat"]


def test_other_banks_have_no_part_in_it(service: Connection, bank: str) -> None:
    steps.create_bank(service, "b")
    active(service, "b", said(TEXT, 0))
    assert similar(service, "typsecript") == []


@pytest.mark.parametrize(
    "given",
    ["", " ", "'", "\\", "a'b\\c", "x" * 5000, "日" * 39, "🦊🦊🦊🦊", "e\u0301e\u0301e\u0301e\u0301", "a b c d",
     "\U0010ffff" * 4, "the", "%%%%", "tsquery | & !", "12345"],
)  # fmt: skip
def test_no_word_is_an_error(service: Connection, bank: str, given: str) -> None:
    active(service, bank, said(TEXT, 0))
    assert similar(service, given) == []
    steps.recall(service, bank, words=f"{given} typsecript", doubtful=[given, "typsecript"])


@properties(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given=some.text(max_size=50).filter(lambda text: "\0" not in text and text.isprintable()))
def test_any_text_is_accepted(service: Connection, given: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("bank")
    similar(service, given)


def test_a_doubtful_word_finds_memories_by_a_similar_one(service: Connection, bank: str) -> None:
    memory_id, *_ = active(service, bank, said("TypeScript it is.", 0), said("Hens lay eggs.", 100))
    asked = {"words": "typsecript", "query": None, "salient_count": None}
    assert found(service, **asked) == {}
    assert found(service, **asked, doubtful=["typsecript"]) == {
        memory_id: pytest.approx(0.7 * 0.6079, abs=1e-3)
    }


def found(connection: Connection, **asked: object) -> dict[object, float]:
    """The share of the words in each memory found."""
    arguments = steps.search("a", **asked)  # type: ignore[arg-type]
    named = ", ".join(f"{name} => %({name})s" for name in arguments)
    select = f"select memory_id, found from memory_api.recall_candidates({named})"
    return dict(connection.execute(select.encode(), arguments).fetchall())  # type: ignore[arg-type]


def weights(connection: Connection, words: str, doubtful: Sequence[str] | None) -> dict[str, float]:
    row = rows(connection, "query_words", bank="a", language="english", words=words, doubtful=doubtful)[0]
    return dict(zip(row[1], row[2], strict=True))


def test_a_similar_word_has_a_share_of_its_rarity_and_the_rest_counts_against_all(
    service: Connection, bank: str
) -> None:
    active(service, bank, said("TypeScript it is.", 0), said("Hens lay eggs.", 100))
    known = weights(service, "typescript hens", None)
    assert weights(service, "typsecript hens", ["typsecript"]) == {
        "'hen'": known["'hen'"],
        "'typescript'": pytest.approx(0.7 * known["'typescript'"]),
        "'typsecript'": pytest.approx(0.3 * known["'typescript'"]),
    }


def test_a_word_of_the_query_itself_keeps_its_rarity(service: Connection, bank: str) -> None:
    active(service, bank, said("TypeScript it is.", 0), said("Hens lay eggs.", 100))
    known = weights(service, "typescript", None)
    both = weights(service, "typescript typsecript", ["typsecript"])
    assert both["'typescript'"] == known["'typescript'"]


def test_words_that_are_not_doubtful_are_left_alone(service: Connection, bank: str) -> None:
    active(service, bank, said("TypeScript it is.", 0))
    assert list(weights(service, "typsecript", None)) == ["'typsecript'"]
    assert list(weights(service, "typescript", ["typescript"])) == ["'typescript'"]


def test_the_longest_doubtful_words_are_looked_up(service: Connection, bank: str) -> None:
    active(service, bank, said("TypeScript, walnuts.", 0))
    odd = [f"zzzzzzzzzzzzz{letter}" for letter in "abcd"]
    text = " ".join([*odd, "walntus"])
    assert "'walnut'" not in weights(service, text, [*odd, "walntus"])
    assert "'walnut'" in weights(service, text, [*odd[1:], "walntus"])


def test_postgres_16_finds_the_same(server16_url: str) -> None:
    with psycopg.connect(server16_url, autocommit=True) as admin:
        admin.execute("create database similar_words")
        url = libpq_url(server16_url, "similar_words")
        migrate(url, release="test")
        with psycopg.connect(driver_url(url, SERVICE_ROLE), autocommit=True) as service:
            steps.create_bank(service, "a")
            active(service, "a", said(TEXT, 0))
            assert similar(service, "typsecript") == [("typescript", 0.7)]
            assert similar(service, "portgual") == [("portug", 0.7)]
        admin.execute("drop database similar_words with (force)")


def test_the_function_is_null_without_a_word(service: Connection) -> None:
    assert value(service, "edit_distance", one=None, other="a", most=1) is None
