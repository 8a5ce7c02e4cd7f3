"""What cannot be true together, by the words alone; in doubt nothing is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Admin

APART: list[tuple[str, str, str]] = [
    ("User eats meat.", "User does not eat meat.", "negation"),
    ("User can swim.", "User can't swim.", "negation"),
    ("The shop opens on Sundays.", "The shop never opens on Sundays.", "negation"),
    ("User has two dogs.", "User has three dogs.", "numbers"),
    ("User pays 900 euros of rent.", "User pays 1,100 euros of rent.", "numbers"),
    ("User likes sushi.", "User hates sushi.", "opposites"),
    ("User enjoys running.", "User dislikes running.", "opposites"),
    ("User is married.", "User is single.", "opposites"),
    ("The museum is open on Mondays.", "The museum is closed on Mondays.", "opposites"),
]
TOGETHER: list[tuple[str, str]] = [
    ("User likes tea.", "User hates coffee."),
    ("User likes tea.", "User does not like coffee."),
    ("User has two dogs.", "User has three cats."),
    ("User is married.", "User is happy."),
    ("User lives in Berlin.", "User lives in Berlin."),
    ("User moved from Rome to Oslo.", "User moved from Oslo to Rome."),
    ("I like you.", "You do not like me."),
    ("Yes.", "No."),
    ("", ""),
]


def rules(admin: Admin, one: str, other: str) -> set[Any]:
    """What the function says, whichever text comes first."""
    query = "select memory_api.incompatible(%s, %s)"
    return {row[0] for pair in ((one, other), (other, one)) for row in admin.execute(query, pair).fetchall()}


@pytest.mark.parametrize(("one", "other", "rule"), APART)
def test_what_cannot_be_true_together_names_its_rule(admin: Admin, one: str, other: str, rule: str) -> None:
    assert rules(admin, one, other) == {rule}


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_what_may_both_be_true_is_no_conflict(admin: Admin, one: str, other: str) -> None:
    assert rules(admin, one, other) == {None}
