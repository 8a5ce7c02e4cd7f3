"""What a message states with the ones before it: corrections of a value, and "he" or "she" for a relative."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory_service.rules.extractor import extract
from memory_service.types import Segment, Utterance

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def _read(*messages: str, reply: str = "Got it.") -> tuple[bool, set[str], set[str]]:
    """Whether the last of the user's messages is kept, the facts that it states, and those that it ends."""
    said: list[Utterance] = []
    for n, text in enumerate(messages):
        at = NOW + timedelta(minutes=n)
        said += [Utterance(uuid4(), "user", text, None, at), Utterance(uuid4(), "assistant", reply, None, at)]
    got = extract(Segment(uuid4(), (said[-2],), tuple(said[:-2])))
    return (
        got.keep,
        {fact.text for fact in got.facts if fact.holds},
        {fact.text for fact in got.facts if not fact.holds},
    )


CORRECTED = [
    (("we fly to Rome on 12 december", "actually we fly on the 13th"), "user flies to Rome on 13 december."),
    (("my flight to Oslo is on 3 March", "sorry, 4 March"), "user's flight to oslo is on 4 March."),
    (("I have 2 kids", "sorry, 3 kids"), "user has 3 kids."),
    (("I have two kids", "sorry, three kids"), "user has three kids."),
    (("my sister is called Ana", "i mean Anna with two n"), "user's sister is called Anna."),
    (("my wife is called Carla", "oops, Carola"), "user's wife is called Carola."),
    (("my wife is called Carla. oops, Carola",), "user's wife is called Carola."),
    (("Our wedding is on 12 June. Actually on the 14th",), "user's wedding is on 14 June."),
    (("I live in Porto", "sorry, typo, I live in Oporto Alegre not Porto"), "user lives in Oporto Alegre."),
]
NOT_CORRECTED = [
    ("we fly to Rome on 12 december", "actually we arrive on the 13th"),
    ("we fly to Rome on 12 december and back on 20 december", "actually we fly on the 13th"),
    ("I have two kids", "sorry, three dogs"),
    ("my son is called Tom", "oops, Tim"),
    ("my son is called Tom", "sorry Marta"),
    ("I met Anna in Leeds", "i mean it"),
    ("my sister is called Ana", "I mean really"),
    ("I live in Leeds", "sorry, wrong chat"),
    ("my brother Leo works with Lea", "oops, Leah and Leon"),
    ("I live in Leeds", "actually we leave on the 13th"),
    ("I love Paris.", "Well, London now"),
    ("I love Java.", "Actually, Python now."),
    ("My sister works at Aldi.", "Actually, London now."),
    ("I work at Bosch.", "Actually, Sick since Monday."),
    ("My boss is called Bob.", "no, Sorry now"),
]


@pytest.mark.parametrize(("messages", "expected"), CORRECTED)
def test_a_correction_states_the_value_in_place_of_the_former(
    messages: tuple[str, ...], expected: str
) -> None:
    kept, stated, ended = _read(*messages)
    assert kept
    assert expected in stated
    assert len(messages) == 1 or ended or "typo" in messages[-1]


@pytest.mark.parametrize("messages", NOT_CORRECTED)
def test_what_corrects_no_value(messages: tuple[str, ...]) -> None:
    assert _read(*messages)[2] == set()


NAMED = [
    (
        ("I look after my dad, Walter", "he's allergic to penicillin!"),
        "user's father is allergic to penicillin.",
    ),
    (("I went to the gym. my sister moved to Oslo", "she has asthma"), "user's sister has asthma."),
    (("I have a new boss", "he's from Ohio"), "user's manager is from Ohio."),
]
OTHERS = [
    ("I look after my dad, Walter", "she's allergic to penicillin!"),
    ("my brother lives in Leeds", "my dad is 80", "he's allergic to penicillin"),
    ("I work with Anna and Bob", "he's allergic to penicillin"),
    ("my neighbour's husband is ill", "he's allergic to penicillin"),
    ("my dad met his doctor", "he's allergic to penicillin"),
    ("my son Leo has a teacher", "he's vegan"),
    ("I watched a film", "he's a doctor"),
    ("Lena works at the zoo", "he is allergic to cats"),
    ("my dad is 80", "I went out", "it rained", "he's allergic to penicillin"),
    ("my dad is 80", "someone called", "he's allergic to penicillin"),
    ("my mum visits a lot", "my dad is 80", "she's allergic to nuts"),
    ("my sister moved to Oslo", "I went to the gym", "she has asthma"),
    ("My brother plays football.", "I saw messi on tv.", "He lives in Miami."),
    ("My dad is 70.", "I watched a film about einstein.", "He was born in Ulm."),
    ("My son Leo is 6.", "We have a babysitter.", "He is a student at Leeds."),
    ("My mum called. I bought a boat.", "She is called Daisy."),
]


@pytest.mark.parametrize(("messages", "expected"), NAMED)
def test_a_pronoun_stands_for_the_only_relative_of_its_sex(messages: tuple[str, ...], expected: str) -> None:
    assert expected in _read(*messages)[1]


@pytest.mark.parametrize("messages", OTHERS)
def test_a_pronoun_that_may_be_another_person_states_nothing(messages: tuple[str, ...]) -> None:
    assert _read(*messages)[1] == set()


def test_a_reply_may_name_another_relative() -> None:
    said = ("my dad is 80", "he's allergic to penicillin")
    assert _read(*said, reply="And how is your brother?")[1] == set()
    assert _read(*said, reply="How is your dad?")[1] == {"user's father is allergic to penicillin."}
    for reply in (
        "How is he?",
        "I watched a film with Messi.",
        "Messi is great.",
        "Anna Karenina is a great novel. She is a tragic figure.",
    ):
        assert _read(*said, reply=reply)[1] == set(), reply
