"""Openers are removed from facts that are stored as sentences."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.openers import without_opener


@pytest.mark.parametrize(
    ("statement", "shorter"),
    [
        (
            "And my brother stays with us until the roof is done",
            "My brother stays with us until the roof is done",
        ),
        ("So, yes, the garden belongs to both houses", "The garden belongs to both houses"),
        ("Also I take the bus on Fridays", "I take the bus on Fridays"),
        ("Oh, and our lift is out of order every winter", "Our lift is out of order every winter"),
        ("Before you plan anything with stairs: my knee is no good", "My knee is no good"),
        ("One more thing about meals: we eat at six", "We eat at six"),
    ],
)
def test_removed(statement: str, shorter: str) -> None:
    assert without_opener(statement) == shorter


@pytest.mark.parametrize(
    "statement",
    [
        "So far I have run two marathons",
        "Still waters is the name of my boat",
        "Now the kitchen is blue",
        "When you call my mother, speak slowly",
        "The thing in the shed: an old press",
        "Andy shares the flat with me",
        "No sugar in my tea",
        "Then",
        "Then again we moved in May",
        "So is my wife",
        "Plus size coats are what my mother sews",
    ],
)
def test_kept(statement: str) -> None:
    assert without_opener(statement) == statement
