"""Sentences that place an activity at another time, and those that only add a time or speak of one week."""

from __future__ import annotations

import pytest

from tests.rules.test_successions import Line, lines

CHANGED: list[tuple[str, set[Line]]] = [
    (
        "We release every second Tuesday now.",
        {
            ("schedule", "releases every second tuesday", False),
            ("habit", "releases every second tuesday", True),
        },
    ),
    (
        "yoga is on Wednesdays now",
        {("schedule", "yoga on wednesdays", False), ("yoga_day", "wednesdays", True)},
    ),
    (
        "I moved my yoga to Wednesdays",
        {("schedule", "yoga on wednesdays", False), ("yoga_day", "wednesdays", True)},
    ),
    ("I moved my yoga from Mondays to Wednesdays.", {("former_schedule", "yoga mondays", False)}),
    ("I work out in the evenings now", {("schedule", "works out in the evenings", False)}),
    ("I go to yoga on Tuesdays from now on.", {("schedule", "goes to yoga on tuesdays", False)}),
    (
        "I go to yoga on Tuesdays now instead of Mondays.",
        {("former_schedule", "goes to yoga mondays", False)},
    ),
    ("I no longer play tennis on Mondays.", {("former_schedule", "plays tennis on mondays", False)}),
    ("I don't play tennis on Mondays anymore.", {("former_schedule", "plays tennis on mondays", False)}),
    ("I switched my run to the evenings.", {("schedule", "run is in the evenings", False)}),
    ("Our team meeting is on Thursdays now.", {("team_meeting_day", "thursdays", True)}),
    ("I now run in the evenings.", {("schedule", "runs in the evenings", False)}),
    ("These days I swim at weekends.", {("schedule", "swims at weekends", False)}),
    ("I swim three times a week now.", {("schedule", "swims three times a week", False)}),
    ("We moved our meeting to the afternoons", {("habit", "meeting is in the afternoons", True)}),
    ("As of March I go to yoga on Thursdays", {("schedule", "goes to yoga on thursdays", False)}),
    ("I no longer go to the gym every day", {("former_schedule", "goes to the gym every day", False)}),
    (
        "I run on Tuesdays, Thursdays and Sundays now",
        {("habit", "runs on tuesdays, thursdays and sundays", True)},
    ),
]
UNCHANGED = [
    "I go to yoga on Mondays.",
    "I also go to yoga on Thursdays.",
    "I go to yoga on Thursdays as well now.",
    "I go to yoga on Wednesdays now too.",
    "Yoga is on Wednesday this week.",
    "I run in the evenings this week, not in the mornings.",
    "I run in the evenings for now.",
    "I run in the evenings until my knee is better.",
    "Should I move my yoga to Wednesdays?",
    "If yoga is on Wednesdays now I can't come.",
    "I might move my yoga to Wednesdays.",
    "I go to yoga on Mondays, now I need a mat.",
    "I usually run in the mornings but now I'm tired.",
    "I run in the mornings now and then.",
    "I moved to Lisbon and I go to yoga on Mondays.",
    "I moved my savings to another bank.",
    "I don't play tennis on Mondays.",
    "My lesson has moved to Thursdays.",
    "I sometimes swim on Sundays now.",
    "We moved our meeting to the afternoon",
    "I moved the kids to Mondays",
    "We switched the car to Mondays",
    "I moved the kids to every other week",
    "I clean on Sundays now and then",
    "I run on Tuesdays now and again.",
]
NO_HABIT = [
    "We moved our meeting to the afternoon",
    "I moved the kids to Mondays",
    "We switched our old car to Mondays",
    "I clean on Sundays now and then",
    "I swim on Mondays now and again.",
]


@pytest.mark.parametrize(("sentence", "expected"), CHANGED)
def test_another_time_of_an_activity_ends_the_former_one(sentence: str, expected: set[Line]) -> None:
    assert expected <= set(lines(sentence))


@pytest.mark.parametrize("sentence", UNCHANGED)
def test_a_further_time_or_one_week_ends_no_schedule(sentence: str) -> None:
    assert not [line for line in lines(sentence) if line[0] in ("schedule", "former_schedule")]


@pytest.mark.parametrize("sentence", NO_HABIT)
def test_a_move_for_once_and_now_and_then_are_no_habit(sentence: str) -> None:
    assert not [line for line in lines(sentence) if line[0] == "habit" or str(line[0]).endswith("_day")]
