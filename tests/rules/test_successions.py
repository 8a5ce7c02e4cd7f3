"""What people say has taken the place of something else: the old ends, the new holds."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements

Line = tuple[str | None, str | None, bool]


def lines(said: str) -> set[Line]:
    return {
        (form.attribute, form.value, form.holds)
        for fact in statements(said, None)
        if (form := canonical(fact))
    }


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("I'm in a shared house on Mill Road these days.", {("address", "mill road", True)}),
        ("What's open late here in Malmö?", {("lives_in", "malmö", True)}),
        ("I'm starting at the aquarium in Bergen on Monday.", {("works_at", "aquarium in bergen", True)}),
        ("I handed in my notice at Brightwell.", {("works_at", "brightwell", False)}),
        ("Friday is my last day at Hartmann.", {("works_at", "hartmann", False)}),
        ("I got a job as a lab technician.", {("works_as", "lab technician", True)}),
        ("Nils and I ended it in June.", {("partner", "nils", False)}),
        ("I'm eating fish again.", {("diet", "pescatarian", True)}),
        ("I've given up dairy.", {("does_not_eat", "dairy", True)}),
        ("I eat eggs again, by the way.", {("does_not_eat", "eggs", False), ("eats", "eggs", True)}),
        ("I stopped the fags at New Year.", {("smokes", "anything", False)}),
        ("I'm switching my major to marine biology.", {("studies", "marine biology", True)}),
        ("We went with Valkey instead of Redis.", {("uses", "redis", False), ("uses", "valkey", True)}),
        ("There is no more warfarin for me.", {("takes_medicine", "warfarin", False)}),
    ],
)  # fmt: skip
def test_what_takes_the_place_of_something_else_is_read(said: str, wanted: set[Line]) -> None:
    assert wanted <= lines(said)


@pytest.mark.parametrize(
    "said",
    [
        "Should we use Valkey instead of Redis?",
        "I might hand in my notice.",
        "My last day at school was awful.",
        "I'm here in Spain for a week.",
        "There are three of us in front of the lift.",
        "My nephew lives in a drawer.",
        "He works as hard as he can, I work as usual.",
        "I feed it and run.",
    ],
)
def test_what_only_looks_like_a_change_is_not(said: str) -> None:
    assert not lines(said)
