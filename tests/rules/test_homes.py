"""Days, shifts, teams and floors are no homes, and an event that moves is no move of the user."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements
from tests.rules.said import found, said_after

NO_HOMES = [
    "moved to thursday at 11",
    "moved to friday, same time",
    "Moved to Wednesday because the dentist is ill.",
    "moved to 3pm",
    "moved to march",
    "moved to Foundry",
    "moved to Monzo",
    "moved to nights at work",
    "moved to the night shift",
    "moved to the data team",
    "moved to marketing",
]
HOMES = [
    ("moved to Leeds", "leeds"),
    ("moved to leeds last month", "leeds"),
    ("moved to Frankfurt on Tuesday", "frankfurt"),
    ("I moved to Friday Harbor", "friday harbor"),
    ("I moved to Sunderland", "sunderland"),
    ("We moved to Marchwood.", "marchwood"),
    ("we moved to Newcastle upon Tyne", "newcastle upon tyne"),
    ("I moved to Bath in may", "bath"),
]


@pytest.mark.parametrize("text", NO_HOMES)
def test_a_day_a_shift_a_team_or_a_product_is_no_home(text: str) -> None:
    assert not [one for one in found(text) if (one[0] or "").startswith("lives_in")]


@pytest.mark.parametrize(("text", "town"), HOMES)
def test_a_town_with_a_similar_name_is_a_home(text: str, town: str) -> None:
    assert ("lives_in", town, True) in found(text)


def test_a_floor_stands_beside_the_town() -> None:
    (fact,) = statements("I live on the 3rd floor.", None)
    assert (fact.attribute, canonical(fact).cardinality) == ("floor", "many")
    (fact,) = statements("I live in Southend on Sea.", None)
    assert canonical(fact).cardinality == "one"
    assert found("I live alone.") == {("lives_with", "alone", True)}


def test_a_bare_move_behind_an_event_is_about_the_event() -> None:
    assert said_after("The conference is in London in May", "moved to Birmingham")[1] == ()
    assert [f.value for f in said_after("The conference is in London", "I moved to Birmingham")[1]] == [
        "Birmingham"
    ]
    assert [f.value for f in said_after("We are moving house, no dentist yet", "moved to Leeds")[1]] == [
        "Leeds"
    ]
    assert found("The dentist is in Leeds. Moved to York.") == set()
