"""Facts about different things never contradict each other, however alike their words are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import MANY, candidate, say
from tests.db.steps import START, Connection, rows, unit_vector, value

NAMES = ("Ana", "Anna", "Anne", "Jan", "Jane", "Maria", "Mario", "Rex", "O'Neill", "Zoë", "Lee", "Leigh")
NUMBERED = (
    "Server",
    "Room",
    "Bus",
    "Person",
    "Ticket",
    "Node",
    "The server",
    "The room in wing",
    "Model",
    "Port",
)
POSSESSED = ("sister", "brother", "dog", "car", "boss", "neighbour")
CLAIMS = (
    ("runs Debian", "does not run Debian"),
    ("is open", "is closed"),
    ("is open", "is not open"),
    ("has 3 cats", "has 4 cats"),
    ("eats meat", "does not eat meat"),
    ("likes tea", "hates tea"),
    ("starts at 10", "starts at 11"),
    ("costs 900 euros", "costs 1,100 euros"),
    ("is married", "is single"),
    ("works at company {}", "works at company {}"),
)
SUBJECTS = st.one_of(
    st.sampled_from(NAMES),
    st.builds("{} {}".format, st.sampled_from(NUMBERED), st.integers(0, 40)),
    st.builds(
        "{}{}".format, st.sampled_from(("Person", "Room B-", "Ticket ABC-", "node", "#")), st.integers(1, 40)
    ),
    st.builds("{}'s {}".format, st.sampled_from(NAMES), st.sampled_from(POSSESSED)),
    st.builds(
        "{}'s {} {}".format, st.sampled_from(NAMES), st.sampled_from(("server", "room")), st.integers(1, 9)
    ),
)


@given(SUBJECTS, SUBJECTS, st.sampled_from(CLAIMS), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.changes_nothing
def test_facts_whose_subjects_differ_never_conflict(
    service: Connection, one: str, other: str, claims: tuple[str, str], first: int, second: int
) -> None:
    assume(one.lower() != other.lower())
    texts = (f"{one} {claims[0].format(first)}.", f"{other} {claims[1].format(second)}.")
    for a, b in (texts, texts[::-1]):
        assert value(service, "contradiction_rule", one=a, other=b) is None, texts


@pytest.mark.changes_nothing
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Server 10 runs Debian.", ["10"]), ("Person5 works at company 5.", ["person5", "5"]),
        ("Ticket ABC-12 is open.", ["abc-12"]), ("Ana drives a Model 3.", ["3"]),
        ("The train leaves from platform nine.", ["nine"]),
        ("Rex is 4 years old.", []), ("User has two dogs.", []), ("User pays 900 euros of rent.", []),
        ("The meeting starts at 10.", []), ("I run 5km in 30 min.", []), ("We have about 3 rooms.", []),
    ],
)  # fmt: skip
def test_numbers_name_or_count(service: Connection, text: str, named: list[str]) -> None:
    assert value(service, "identifying_numbers", content=text) == named


def test_people_of_one_sentence_pattern_keep_their_confidence(service: Connection, admin: Admin) -> None:
    """No conflict is found at the write or in the nightly run, although all vectors are the same."""
    steps.create_bank(service, "a")
    texts = [
        *(f"Person{n} works at company {n}." for n in range(15)),
        *(f"Server {n} runs Debian." for n in range(15)),
        "Ana's sister eats meat.", "Ana's brother does not eat meat.", "Jan eats meat.", "Jane does not eat meat.",
    ]  # fmt: skip
    for n, text in enumerate(texts):
        said = candidate(None, None, text=text, subject=None, cardinality=MANY, stated=True)  # type: ignore[arg-type]
        say(service, admin, "a", START + timedelta(minutes=n), said, vectors=[unit_vector(3)])
    found = rows(service, "find_similar_conflicts", bank="a", model=steps.MODEL, at=START + timedelta(days=1))
    assert found == []
    kept = admin.execute(
        "select fact from memory.semantic_memory where confidence = 0.9 order by 1"
    ).fetchall()
    assert [row[0] for row in kept] == sorted(texts)
