"""What cannot be true together, by the words alone; in doubt nothing is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Admin

pytestmark = pytest.mark.changes_nothing

APART: list[tuple[str, str, str]] = [
    ("User eats meat.", "User does not eat meat.", "negation"),
    ("User can swim.", "User can't swim.", "negation"),
    ("The shop opens on Sundays.", "The shop never opens on Sundays.", "negation"),
    ("User does not eat meat.", "User eats meat on Sundays.", "negation"),
    ("User does not like pizza.", "User likes pizza with ham.", "negation"),
    ("User has no dogs.", "User has three dogs.", "negation"),
    ("Nobody in the family smokes.", "User's brother in the family smokes.", "negation"),
    ("User quit smoking.", "User smokes.", "negation"),
    ("User’s flat isn’t big.", "User's flat is big.", "negation"),
    ("User has two dogs.", "User has three dogs.", "numbers"),
    ("User pays 900 euros of rent.", "User pays 1,100 euros of rent.", "numbers"),
    ("User likes sushi.", "User hates sushi.", "opposites"),
    ("User enjoys running.", "User dislikes running.", "opposites"),
    ("User is married.", "User is single.", "opposites"),
    ("The museum is open.", "The museum is closed.", "opposites"),
    ("User's flat is big.", "User's flat is small.", "opposites"),
    ("User supports the plan.", "User opposes the plan.", "opposites"),
]
TOGETHER: list[tuple[str, str]] = [
    ("User likes tea.", "User hates coffee."),
    ("User likes tea.", "User does not like coffee."),
    ("User does not eat meat on Sundays.", "User eats meat."),
    ("User does not drink milk.", "User drinks milk tea."),
    ("User does not have a dog.", "User has a dog allergy."),
    ("User does not like dogs.", "User's sister likes dogs."),
    ("User does not have three dogs.", "User has dogs."),
    ("A girl in a black hat wears a bikini.", "A black girl without a bikini wears a hat."),
    ("User likes tea but not coffee.", "User likes coffee but not tea."),
    ("User has two dogs.", "User has three cats."),
    ("User has two cats and three dogs.", "User has three cats and two dogs."),
    ("User visited Rome in 2019.", "User visited Rome in 2023."),
    ("User goes to Rome in 2019.", "User goes to Rome in 2023."),
    ("Tom says that Anna likes tea.", "Anna says that Tom hates tea."),
    ("User visited two countries.", "User visited three countries."),
    ("User ran 5 km.", "User ran 10 km."),
    ("User was in Rome for 3 days.", "User was in Rome for 5 days."),
    *(
        (f"User's exam is on 4 {month}.", f"User's exam is on 6 {month}.")
        for month in ("January", "May", "June", "September", "December")
    ),
    ("User has a big dog.", "User has a small dog."),
    ("User likes tea in the morning.", "User hates tea in the evening."),
    ("User likes that Tom hates tea.", "User hates that Tom likes tea."),
    ("User is married.", "User is happy."),
    ("User lives in Berlin.", "User lives in Berlin."),
    ("User moved from Rome to Oslo.", "User moved from Oslo to Rome."),
    ("I like you.", "You do not like me."),
    ("Yes.", "No."),
    ("", ""),
]


def rules(admin: Admin, one: str, other: str) -> set[Any]:
    """What the function says, whichever text comes first."""
    query = "select memory_internal.contradiction_rule(%s, %s)"
    return {row[0] for pair in ((one, other), (other, one)) for row in admin.execute(query, pair).fetchall()}


@pytest.mark.parametrize(("one", "other", "rule"), APART)
def test_what_cannot_be_true_together_names_its_rule(admin: Admin, one: str, other: str, rule: str) -> None:
    assert rules(admin, one, other) == {rule}


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_what_may_both_be_true_is_no_conflict(admin: Admin, one: str, other: str) -> None:
    assert rules(admin, one, other) == {None}
