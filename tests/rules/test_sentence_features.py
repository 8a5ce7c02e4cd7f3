"""What one sentence shows: decisions, promises and plans above all."""

from __future__ import annotations

import pytest

from memory_service.rules.gate.decision_made import decision_in
from memory_service.rules.gate.sentence_features import read_features
from tests.growth import check_growth


@pytest.mark.parametrize(
    "text",
    [
        "I've decided to move.",
        "We finally booked the flight.",
        "I quit my job.",
        "I promise.",
        "It's settled.",
    ],
)
def test_a_decision_counts_in_full(text: str) -> None:
    assert read_features(text).decision == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "I'll send you the papers.",
        "We will pick you up at the station.",
        "I’ll call her tomorrow.",
        "I ' ll call her .",
        "I'll take it.",
        "Yes, I will.",
        "I'll ring her if you like.",
        "Count me in!",
        "You can count on me.",
        "Leave it to me.",
        "I can do that for you.",
        "I'd be happy to help.",
        "It's a deal.",
        "I'll be there.",
        "I won't let you down.",
        "We are going to paint the kitchen this weekend.",
        "I'm going to see the doctor on Friday.",
        "Ich verspreche es dir.",
        "Je te promets de venir.",
        "Te lo prometo.",
    ],
)
def test_a_promise_or_a_dated_plan_passes_the_gate(text: str) -> None:
    assert read_features(text).decision == 0.7


@pytest.mark.parametrize("text", ["We are going to paint the kitchen.", "I plan to learn Dutch."])
def test_an_intention_is_less(text: str) -> None:
    assert read_features(text).decision == 0.4


@pytest.mark.parametrize(
    "text",
    [
        "I'll be 30 in May.",
        "We usually paint the walls white.",
        "Sometimes I'll walk home.",
        "I'll call my mother every week.",
        "I'll never forget that day.",
        "Let me see.",
        "Let me know.",
        "Will you call her?",
        "Shall I call her?",
        "If he asks, I'll call her.",
        "Maybe we will go.",
        "She will send the papers.",
        "I have a car.",
        "The parcel will arrive tomorrow.",
        "I haven't decided.",
        "Sure.",
    ],
)
def test_age_habit_question_condition_and_others_deeds_commit_nobody(text: str) -> None:
    assert read_features(text).decision == 0.0


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("I've decided to quit, which my mother would hate.", 1.0),
        ("I decided to take the job because it would pay more.", 1.0),
        ("I decided it would be best to move.", 1.0),
        ("I quit because I couldn't bear it.", 1.0),
        ("I promise I would never hurt you.", 1.0),
        ("It would be nice, but I'll take the bus.", 0.7),
        ("I said I would, and I'll call her.", 0.7),
        ("I would have decided to move.", 0.0),
        ("I'm afraid I'll be late.", 0.0),
        ("I'll stay if it rains.", 0.0),
        ("Perhaps I'll call her.", 0.0),
    ],
)
def test_doubt_counts_in_the_clause_of_the_decision_and_a_condition_anywhere(
    text: str, decision: float
) -> None:
    assert read_features(text).decision == decision


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("I'm Muslim.", True),
        ("I'm a Muslim.", True),
        ("I have ADHD.", True),
        ("i'm jewish", True),
        ("I AM A NURSE", True),
        ("I'm from Ghana", True),
        ("Please call me Max", True),
        ("I'm from home today", False),
        ("I'm off, from Monday on", False),
    ],
)
def test_who_somebody_is_counts_in_either_case(text: str, identity: bool) -> None:
    assert read_features(text).identity is identity


@pytest.mark.parametrize(
    "text", ["I've decided to move.", "I'll call her.", "Will you?", "It rained.", "We plan to go."]
)
def test_the_decision_alone_is_the_same(text: str) -> None:
    assert decision_in(text) == read_features(text).decision


def test_other_signs() -> None:
    assert read_features("I am a nurse.").identity
    assert read_features("I'm allergic to nuts.").care
    assert read_features("We argued, but we made up.").conflict == 1.0
    assert read_features("We had an argument.").conflict == 0.3
    assert read_features("My wife and I met my brother.").personal == 1.0
    assert read_features("Please don't use emojis.").lesson == "don't use emojis"
    assert read_features("Would you please never call me Bob?").lesson is None


@pytest.mark.parametrize(
    "piece",
    [
        "and ",
        "I'll ",
        "I would, I'll ",
        "i quit maybe ",
        "let me ",
        "please ",
        "ok, ",
        "oh oh ",
        "i ",
        "my ",
        "’ ",
    ],
)
def test_hostile_text_ends_soon(piece: str) -> None:
    check_growth(read_features, piece)


@pytest.mark.parametrize("text", ["I'm a vegan chef.", "I am a nurse."])
def test_who_somebody_is_in_a_game_only_is_no_identity(text: str) -> None:
    assert read_features(text).identity
    assert not read_features(f"Imagine {text}").identity
    assert not read_features(f"OK, let's say {text}").identity
