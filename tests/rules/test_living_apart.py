"""Sentences that end with whom a person lives."""

from __future__ import annotations

import pytest

from tests.rules.test_successions import lines


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("I moved out.", None),
        ("I've finally moved out of my parents' house.", None),
        ("I moved out last month.", None),
        ("I live alone now.", None),
        ("I'm living on my own again.", None),
        ("I now live alone.", None),
        ("My flatmate moved out.", "flatmate"),
        ("My partner Sam has moved out.", "partner"),
    ],
)
def test_moving_out_ends_living_with_somebody(sentence: str, value: str | None) -> None:
    assert ("lives_with", value, False) in lines(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I moved out of the way.",
        "I moved out of my comfort zone.",
        "I moved out here in 2010.",
        "I moved out to the country.",
        "I moved out at 18.",
        "If I moved out I'd miss them.",
        "I might live alone now.",
        "I want to live alone.",
        "I lived alone for years.",
        "I live alone.",
        "My flatmate moved out of the way.",
        "My neighbour moved out.",
        "I never moved out.",
    ],
)
def test_other_moves_end_no_company(sentence: str) -> None:
    assert not [line for line in lines(sentence) if line[0] == "lives_with" and not line[2]]
