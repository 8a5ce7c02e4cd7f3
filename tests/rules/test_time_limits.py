"""Ages still to come, ends of states, and values without the words behind them."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.statements import statements


def _texts(text: str) -> set[str]:
    return {fact.text for fact in statements(text, None)}


@pytest.mark.parametrize(
    "text",
    [
        "I'm 63 next month",
        "my wife turns 60 on 3 december",
        "I'm turning 50 this year",
        "my son is 5 in May",
        "my daughter will be 6 soon",
        "my dad turns 80 tomorrow",
        "we're 40 next week",
        "I'm forty in June",
        "my mum turns 71 in two weeks",
        "I turn 63 on Friday",
    ],
)
def test_an_age_to_come_is_no_age(text: str) -> None:
    assert not [fact for fact in statements(text, None) if fact.attribute == "age"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm 63",
        "I'm 63 now",
        "I'm 63 years old",
        "I turned 63 in May",
        "my wife turned 60 on 3 december",
        "my wife turns 60 today",
        "my son is 5",
        "I'm 63 and I retire next month",
        "my daughter is 6 years old",
        "I turned 40 last week",
        "I'm 28, this month we moved to Leeds",
        "My daughter is four this year she starts school",
        "My daughter is four next year she starts school",
    ],
)
def test_a_present_age_is_read(text: str) -> None:
    assert [fact for fact in statements(text, None) if fact.attribute == "age"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work at Ikea until the end of June", "user works at Ikea until the end of June."),
        (
            "I volunteer at a dog shelter until end of february",
            "user volunteers at a dog shelter until end of february.",
        ),
        ("I work at Ikea until christmas", "user works at Ikea until christmas."),
        ("I study law in Leiden until 2028", "user studies law in Leiden until 2028."),
        ("I work at Ikea until 6pm", "user works at Ikea."),
        ("I work at Ikea until late", "user works at Ikea."),
        ("I work at Aldi from 8 until christmas", "user works at Aldi."),
        ("I work at Ikea until 2020 there was Bosch", "user works at Ikea."),
        ("I work at Ikea and I'm in Spain until June", "user works at Ikea."),
        ("I work at Ikea, my lease runs until June", "user works at Ikea."),
        ("i live in exeter myself", "user lives in Exeter."),
        ("i live in graz tho", "user lives in Graz."),
        ("allergic to latex don't bring balloons", "user is allergic to latex."),
        ("we use conventional commits from now on", "user uses conventional commits."),
        ("I'm deaf in one ear", "user is deaf in one ear."),
        ("I'm deaf", "user is deaf."),
        ("I gave birth on sunday", "user gave birth."),
        ("the baby is here!", "user's baby was born."),
        ("our son was born last night", "user's baby was born."),
    ],
)
def test_values_and_their_ends(text: str, expected: str) -> None:
    assert expected in _texts(text), _texts(text)
    assert "user is deaf." not in _texts("I'm deaf in one ear")


@pytest.mark.parametrize(
    "text",
    ["the baby is here for the day", "our son was born in 2012", "I'd hate to give birth", "the baby is ill"],
)
def test_no_birth_of_now(text: str) -> None:
    assert not [fact for fact in statements(text, None) if fact.value == "pregnant"]
