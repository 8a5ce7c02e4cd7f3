"""Sentences of summaries that belong together, short outcomes, and requests."""

from __future__ import annotations

import pytest

from memory_service.rules.summaries.sentence_units import is_outcome, is_request, units
from memory_service.rules.summaries.summary import Sentence, best_within
from tests.growth import check_growth


@pytest.mark.parametrize(
    "sentences",
    [
        ["Tidewater wants another round of changes.", "Third one."],
        ["Let's say the killer is Marta.", "No wait.", "Let's say it's the priest."],
        ["The flight is on Monday.", "Sorry, no.", "It is on Tuesday."],
        ["We meet at six.", "Scratch that.", "Seven."],
        ["I failed the test.", "For the second time."],
        ["Can you shorten this?", '"Hi, I am Susan.', 'I have two cats."'],
        ["Is it friendly?", "“I am allergic to cats.”"],
        ["Is it friendly?", '"He said no.', "I like it.", 'Bye."'],
    ],
)
def test_what_means_something_else_alone_is_joined(sentences: list[str]) -> None:
    assert units(sentences) == [" ".join(sentences)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Did you call Ann?", "No.", "I forgot."],
        ["I sold the boat.", "The third one was the best.", "I kept it."],
        ["No wait time at the dentist today.", "I was early."],
        ["I like the first house.", "Wait until you see the garden."],
        ["We moved.", "Again the landlord sold the house."],
        ["Ann called.", "She said no to the offer."],
        ["Third one.", "I count the rounds."],
        ["I read a book.", '"Dune" was great.'],
        ["Which one?", "I liked both."],
        ["a?", ""],
    ],
)
def test_other_sentences_stay_apart(sentences: list[str]) -> None:
    assert units(sentences) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["Any tips?", '"Dune" was great.', "I moved to Leith.", "I have a dog."],
        ["Which one?", '"Hi all."', "I moved to Leith."],
        ["Which one?", '"Hi', 'all."', "I moved to Leith."],
    ],
)
def test_what_follows_a_closed_quote_stays_apart(sentences: list[str]) -> None:
    assert "I moved to Leith." in units(sentences)


@pytest.mark.parametrize(
    "sentence",
    [
        "Pinefield paid.", "Approved.", "It was benign.", "She said yes!", "The results came back negative.",
        "We lost the client.", "It finally got approved yesterday.", "All cleared.", "They both passed.",
    ],
)  # fmt: skip
def test_outcomes(sentence: str) -> None:
    assert is_outcome(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "It was great.", "She is lovely.", "They are all wonderful people.", "Approved by whom?", "That was fun!",
        "I applied for the extension at work on the second of June.", "Perfect.", "It is a city in Norway.",
        "Can you help me plan next week?", "Third one.", "It was so long ago.",
    ],
)  # fmt: skip
def test_evaluations_and_requests_are_no_outcomes(sentence: str) -> None:
    assert not is_outcome(sentence)


@pytest.mark.parametrize(
    ("sentence", "requests"),
    [
        ("Can you help me plan next week?", True),
        ("ok so please make me a list of tents", True),
        ("Write me a firm email to Pinefield.", True),
        ("What should I cook on Sunday?", True),
        ("I can help you.", False),
        ("Can you keep your answers short from now on?", False),
        ("I make the list every Sunday.", False),
        ("Plan B failed.", False),
    ],
)
def test_requests(sentence: str, requests: bool) -> None:
    assert is_request(sentence) == requests


def test_an_outcome_goes_before_a_request_for_a_plan() -> None:
    lines = [
        Sentence(None, text)
        for text in (
            "My client Pinefield has not paid, and the invoice 114 is two weeks overdue.",
            "Pinefield paid.",
            "Can you help me plan the week of the 4th with Tidewater, the dentist in Bergen and 2 drafts?",
            "Approved.",
        )
    ]
    assert best_within(lines, 24) == [0, 1, 3]


@pytest.mark.parametrize("piece", ["no, ", "it was not ", "ok so please, ", "the third one again "])
def test_long_sentences_take_linear_time(piece: str) -> None:
    check_growth(lambda text: (units(["We met.", text]), is_outcome(text), is_request(text)), piece)
