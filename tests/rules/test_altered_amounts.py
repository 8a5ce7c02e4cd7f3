"""Amounts, numbers and dates of a matter that a user names: what a later sentence puts in their place."""

from __future__ import annotations

import pytest

from tests.rules.test_successions import Line, lines

READ: list[tuple[str, set[Line]]] = [
    ("The budget is 380,000.", {("budget", "380,000", True)}),
    ("the budget is 340,000 now", {("budget", None, False), ("budget", "340,000", True)}),
    ("we lowered the budget to 340,000", {("budget", None, False), ("budget", "340,000", True)}),
    ("Our new budget is 340,000.", {("budget", None, False), ("budget", "340,000", True)}),
    ("There are 95 guests.", {("number_of_guests", "95", True)}),
    ("We're expecting 95 guests at our wedding.", {("number_of_guests", "95", True)}),
    ("95 guests are coming to the wedding", {("number_of_guests", "95", True)}),
    ("The final number of guests is 91.", {("number_of_guests", "91", True)}),
    ("We're down to 91 guests.", {("number_of_guests", "91", True)}),
    ("My flight is on the 22nd.", {("flight_date", "22nd", True)}),
    ("flight was moved, it's the 23rd", {("flight_date", None, False), ("flight_date", "23rd", True)}),
    ("My flight has moved to the 23rd.", {("flight_date", None, False), ("flight_date", "23rd", True)}),
    (
        "The wedding was moved, it's the 5th of June now.",
        {("wedding_date", "5th of june", True)},
    ),
    ("limit is 5 requests per second", {("limit_per_second", "5 requests per second", True)}),
    (
        "The rate limit is 12 per second now.",
        {("rate_limit_per_second", None, False), ("rate_limit_per_second", "12 per second", True)},
    ),
    (
        "My limit is 500 requests/day now",
        {("limit_per_day", None, False), ("limit_per_day", "500 requests/day", True)},
    ),
    ("Our quota is 20 per hour.", {("quota_per_hour", "20 per hour", True)}),
    ("Our limit is 5 per user.", {("limit", "5 per user", True)}),
    ("The budget is 5k.", {("budget", "5k", True)}),
    ("The budget is €5000.", {("budget", "€5000", True)}),
    ("The budget is 5000 euros.", {("budget", "5000 euros", True)}),
    ("My appointment is the 5th in Leeds.", {("appointment_date", "5th", True)}),
    ("Our stand-up is at 10 now.", {("stand_up_time", None, False), ("stand_up_time", "10", True)}),
]
NOT_READ = [
    "We have 3 guests tonight.",
    "There are 120 guests at the hotel across the road.",
    "The hotel has 120 guests.",
    "If the budget is 5000 we can do it.",
    "What if the budget is 340,000 now?",
    "The budget is tight.",
    "The budget is 3 pages long.",
    "The budget is 300 pages long.",
    "The budget is 100% approved.",
    "The budget is 2026.",
    "The limit is 3 per user.",
    "The limit is 3 per day.",
    "My move is the 3rd in two years.",
    "My appointment is the 5th on the list.",
    "My exam is the 2nd one.",
    "The flight is the 3rd this month.",
    "It's the 23rd.",
    "The exam was moved, it's the third one I missed.",
    "The speed limit is 50.",
    "The limit is 3 drinks.",
    "Is the limit 5 requests per second?",
]
NOT_ENDED = [
    "My shift is at 2 now.",
    "The meeting is at 4 now.",
    "The budget for the kitchen is 5000 now.",
    "The budget is 380,000.",
    "Our rent is also lowered to 900.",
    "The rate limit is 5 requests per second.",
]


@pytest.mark.parametrize(("sentence", "expected"), READ)
def test_a_changed_amount_or_date_ends_the_former_one(sentence: str, expected: set[Line]) -> None:
    assert expected <= set(lines(sentence))


@pytest.mark.parametrize("sentence", NOT_READ)
def test_other_numbers_state_nothing(sentence: str) -> None:
    wrong = ("budget", "number_of_guests", "flight_date", "exam_date", "move_date", "appointment_date")
    assert not [line for line in lines(sentence) if line[0] in wrong or "limit" in str(line[0])]


@pytest.mark.parametrize("sentence", NOT_ENDED)
def test_a_plain_or_ambiguous_number_ends_nothing(sentence: str) -> None:
    assert not [line for line in lines(sentence) if not line[2]]
