"""Wishes for silence and about the form of address in natural wordings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory_service.rules.facts.statements import statements
from memory_service.rules.norms.norms import norms_of
from memory_service.types import CandidateNorm, Segment, Utterance

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def _norms(*messages: str) -> tuple[CandidateNorm, ...]:
    """The norms of the last message."""
    said = [
        Utterance(uuid4(), "user", text, None, NOW + timedelta(minutes=n)) for n, text in enumerate(messages)
    ]
    return norms_of(Segment(uuid4(), (said[-1],), tuple(said[:-1])))


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("id rather u didnt bring otto up", "otto"),
        ("Otto is off limits.", "Otto"),
        ("Please no questions about Otto.", "Otto"),
        ("Please, no more messages about the stillbirth.", "the stillbirth"),
        ("lets not talk about otto ever again", "otto"),
        ("can u stop asking abt my cousin", "the user's cousin"),
        ("Can we not talk about my cousin?", "the user's cousin"),
        ("I don't want to hear Otto's name again.", "Otto"),
    ],
)
def test_a_wish_for_silence_is_read_in_natural_wordings(text: str, topic: str) -> None:
    assert [norm.norm for norm in _norms(text)] == [f"user does not want to talk about {topic}"]


@pytest.mark.parametrize("text", ["pls dont bring him up unless i do", "I don't want to hear his name."])
def test_him_is_the_person_whom_an_earlier_message_names_gravely(text: str) -> None:
    norm = "user does not want to talk about the user's uncle"
    assert [norm.norm for norm in _norms("My uncle Otto died in May.", text)] == [norm]
    assert _norms("My uncle Otto plays golf.", text) == ()
    assert _norms("My aunt Hilda died in May.", text) == ()


def test_it_is_nothing_where_earlier_messages_name_two_grave_matters() -> None:
    assert _norms("My uncle Otto died.", "My sister has cancer.", "please don't talk about it") == ()


@pytest.mark.parametrize(
    "text",
    [
        "don't mention it",
        "no questions about costs in the slides",
        "I don't want to hear excuses.",
        "The bed is off limits for the cat.",
        "The garage is off limits.",
        "I can't talk right now.",
        "Can we not talk about the rota right now?",
        "Could you not mention the price in the ad?",
    ],
)
def test_what_is_no_wish_for_silence(text: str) -> None:
    assert not any(norm.kind == "sensitivity" for norm in _norms(text))


@pytest.mark.parametrize(
    ("text", "norms"),
    [
        (
            "Could you speak plainly and not use all those emojis?",
            ["user wants the assistant to speak plainly", "user wants the assistant not to use emojis"],
        ),
        ("can u text me in lowercase", ["user wants the assistant to text the user in lowercase"]),
        ("Would you mind not calling me 'love'?", ["user wants the assistant not to call the user 'love'"]),
        ("Call me J.", ["user wants the assistant to call the user J"]),
        ("Could you write a poem in English?", []),
    ],
)
def test_the_form_of_address_in_natural_wordings(text: str, norms: list[str]) -> None:
    assert [norm.norm for norm in _norms(text)] == norms


@pytest.mark.parametrize(("text", "name"), [("pls call me robin", "Robin"), ("I go by J.", "J")])
def test_a_name_to_be_called_by(text: str, name: str) -> None:
    assert [fact.value for fact in statements(text, None) if fact.attribute == "preferred_name"] == [name]


def test_no_means_of_travel_is_a_name() -> None:
    assert list(statements("I go by Uber.", None)) == []


def test_a_remark_behind_a_marker_is_no_part_of_the_order() -> None:
    assert [fact.value for fact in statements("pls no caps lol it feels like shouting", None)] == ["no caps"]
