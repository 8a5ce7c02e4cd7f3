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
    (("I work at Novartis", "I meant Roche"), "user works at Roche."),
    (("I work at Novartis", "no wait, Roche not Novartis"), "user works at Roche."),
    (("I'm allergic to walnuts", "I meant cashews"), "user is allergic to cashews."),
    (("I'm allergic to walnuts", "correction: cashews, not walnuts"), "user is allergic to cashews."),
    (
        ("I'm allergic to walnuts", "wait, I mixed that up, it's cashews I'm allergic to, walnuts are fine"),
        "user is allergic to cashews.",
    ),
    (("I'm gluten intolerant", "ugh, lactose. gluten I can eat"), "user is lactose intolerant."),
    (("I'm gluten intolerant", "I meant lactose intolerant"), "user is lactose intolerant."),
    (("my daughter is 6", "sorry, she's 7"), "user's daughter is 7 years old."),
    (("my daughter is 6", "sorry, 7, she just had her birthday"), "user's daughter is 7 years old."),
    (("I have two kids", "I meant three"), "user has three kids."),
    (("I have two kids", "three kids, sorry"), "user has three kids."),
    (("I'm Christine", "sorry, it's Kristin"), "user is called Kristin."),
    (("my boss is called Ms Okonkwo", "I mean Ms Okafor"), "user's manager is called Ms Okafor."),
    (("I live in Basel", "I meant Bern"), "user lives in Bern."),
    (("I live in Basel", "thanks!", "I meant Bern"), "user lives in Bern."),
    (("i live in basel", "i meant bern"), "user lives in Bern."),
    (("i was born in 1948", "*1984 haha"), "user was born in 1984."),
    (("I'm 187 cm tall", "sorry, 178 cm"), "user is 178 cm tall."),
    (("I'm 187 cm tall", "er, 178"), "user is 178 cm tall."),
    (("we're on python 3.11 in prod", "just checked, it's 3.12"), "user uses python 3.12."),
    (("i drive a kia rio", "scratch that, a kia niro. Rio was my ex's"), "user drives kia niro."),
    (
        ("my brother Jan is a pilot", "Jonas, not Jan. Jan is my cousin lol"),
        "user's brother Jonas works as pilot.",
    ),
    (("my brother Jan is a pilot", "sorry, his name is Jonas"), "user's brother is called Jonas."),
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
    ("I work at Novartis", "I meant well"),
    ("I work at Novartis", "I meant my brother"),
    ("I live in Basel and met Marta today", "I meant Anna"),
    ("I live in Basel", "oops, Marta is calling"),
    ("I live in Basel", "sorry, it's Marta"),
    ("I live in Basel", "oh, Bern! I prefer Basel"),
    ("I live in Basel", "I mean Marta does"),
    ("I live in Basel", "correction: none"),
    ("my sister lives in Oslo", "I mean Anna"),
    ("I live in Basel", "I meant Switzerland"),
    ("I live in Basel", "Basel, not London"),
    ("I love Bern", "I work in Bern, not Basel"),
    ("I'm allergic to walnuts", "I mean seriously"),
    ("I'm allergic to walnuts", "I meant the raw ones"),
    ("I'm allergic to walnuts", "I meant last year"),
    ("I'm allergic to walnuts", "actually cashews as well"),
    ("I'm allergic to walnuts", "*sighs"),
    ("I like tea", "I meant green"),
    ("my daughter is 6", "sorry, it's 7 already, I have to go"),
    ("my daughter is 6", "sorry, 5 minutes"),
    ("I have two kids", "two questions, sorry"),
    ("I'm Christine", "sorry, it's Monday"),
    ("my name is Christine", "it's cold actually"),
    ("my daughter is called Ana", "sorry, she's German"),
    ("my boss is called Ms Okonkwo", "sorry, Ms Smith called"),
    ("I'm 187 cm tall", "sorry, 80 kg"),
    ("i drive a kia rio", "sorry, a delivery"),
    ("we're on python 3.11 in prod", "just checked, it's raining"),
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
