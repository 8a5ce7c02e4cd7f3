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
    (("i work at novartis", "no wait roche"), "user works at roche."),
    (("i work at novartis", "i meant roche"), "user works at roche."),
    (("i live in basel", "wait no bern"), "user lives in Bern."),
    (("i was born in basel", "oh no wait, bern lol"), "user was born in Bern."),
    (("I live in Basel", "thanks!", "I meant Bern"), "user lives in Bern."),
    (("I live in Basel", "sorry, I meant Bern, not Basel"), "user lives in Bern."),
    (("I drive a Kia", "I meant Skoda"), "user drives Skoda."),
    (("I have asthma", "I meant eczema"), "user has eczema."),
    (("I take 100 mg of sertraline", "no sorry 50 mg"), "user's dose of sertraline is 50 mg."),
    (("I have a dog", "it's a cat, not a dog"), "user has a cat."),
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
    ("I live in Basel.", "scratch that, let's eat"),
    ("i live in basel", "scratch that, pizza"),
    ("i work at novartis", "i meant remote"),
    ("i work at novartis", "i meant manager"),
    ("i work at novartis", "no wait hybrid"),
    ("i work at novartis", "no wait leave"),
    ("i work at novartis", "i meant unemployed"),
    ("i work at novartis", "no wait basel"),
    ("i live in basel", "no wait explain"),
    ("i live in basel", "i meant suburbs"),
    ("i live in basel", "no wait novartis"),
    ("i work at novartis", "i meant part time"),
    ("i work at novartis", "no wait stop"),
    ("i work at novartis", "no wait lol"),
    ("i live in basel", "no wait what"),
    ("i live in basel", "i meant abroad"),
    ("i work at novartis and live in basel", "i meant roche"),
    ("i like basel", "i meant bern"),
    ("i live in basel", "sorry bern"),
    ("I'm allergic to peanuts.", "make that bold"),
    ("I'm allergic to peanuts.", "make that two"),
    ("I'm allergic to nuts", "scratch that please"),
    ("I'm allergic to nuts", "I meant to say hello"),
    ("I'm allergic to nuts", "I meant help"),
    ("I'm allergic to nuts", "correction: intolerant"),
    ("I'm allergic to nuts. Make that bold.",),
    ("I live in Basel", "Edit: Solved!"),
    ("I live in Basel", "No wait, Sorry"),
    ("I live in Basel", "I mean Wow"),
    ("I live in Basel", "I meant Spanish"),
    ("I live in Basel", "Scratch that. Done."),
    ("I live in Basel", "no wait, Tesla!"),
    ("i work at google", "i meant to say thanks"),
    ("I work at Google", "I meant Amazon, the river"),
    ("I work at Google", "I meant Tom"),
    ("My name is Anna", "I meant Basel"),
    ("I live in Basel", "Book Bern, not Basel"),
    ("I drive a Kia Rio", "I meant Kia"),
    ("I have asthma", "I meant help"),
    ("I take sertraline", "I meant daily"),
    ("I take 100 mg of sertraline", "er, 9"),
    ("my daughter is 6", "sorry, it's 10"),
    ("my daughter is 6", "sorry, 3, 4 or 5 works"),
    ("my daughter is 6", "wait, 10!"),
    ("I'm allergic to walnuts", "order a pizza please", "make that sushi"),
    ("I'm allergic to walnuts", "order a pizza please", "I meant cashews"),
    ("my daughter is 6", "set a timer for ten minutes", "make that 15"),
    ("I live in Basel. Forget my address please", "thanks", "I meant Bern"),
    ("My brother Jan is a pilot", "sorry, her name is Eva"),
    ("My dad is 80", "sorry, she's 81"),
    ("I work at Bosch", "sorry, its name is Rex"),
    ("I live in Basel", "sorry, my name is Bern"),
]
OF_THE_REPLY = [
    ("my daughter is 6", "Table for 4?", "make that 5"),
    ("my daughter is 6", "Reminder set for 9.", "sorry, 8"),
    ("my daughter is 6", "What time should I book?", "sorry, 7"),
    ("I weigh 80 kg", "I set the timer for 20 minutes", "make that 30"),
    ("I weigh 80 kg", "I set the timer for 20 minutes", "sorry, 30"),
    ("I live in Basel", "hotels in Rome", "I meant Milan"),
    ("I live in Basel", "Where do you work?", "I meant Roche"),
    ("I live in Basel", "Here are restaurants in Basel", "I meant Bern, not Basel"),
    ("I'm allergic to nuts", "Did you mean pasta or rice?", "i meant rice"),
    ("I'm allergic to nuts", "I ordered fish", "i meant beef"),
    ("I'm allergic to walnuts", "Here's a recipe with walnuts.", "cashews, not walnuts"),
    ("My dog Rex is 4", "And your cat?", "sorry, her name is Mia"),
]


@pytest.mark.parametrize(("messages", "expected"), CORRECTED)
def test_a_correction_states_the_value_in_place_of_the_former(
    messages: tuple[str, ...], expected: str
) -> None:
    kept, stated, ended = _read(*messages)
    assert kept
    assert expected in stated
    assert len(messages) == 1 or ended or "typo" in messages[-1]


@pytest.mark.parametrize(("before", "reply", "message"), OF_THE_REPLY)
def test_what_corrects_the_reply(before: str, reply: str, message: str) -> None:
    assert _read(before, message, reply=reply)[2] == set()


@pytest.mark.parametrize(
    ("before", "reply", "message", "expected"),
    [
        (
            "I'm allergic to walnuts",
            "Noted, you're allergic to walnuts.",
            "I meant cashews",
            "is allergic to cashews.",
        ),
        (
            "I'm allergic to walnuts",
            "Thanks for telling me!",
            "sorry, cashews, not walnuts",
            "is allergic to cashews.",
        ),
        ("I live in Basel", "Nice, you live in Basel.", "I meant Bern", "lives in Bern."),
        ("I live in Basel", "Do you like it there?", "I meant Bern, not Basel", "lives in Bern."),
    ],
)
def test_a_reply_that_repeats_the_statement(before: str, reply: str, message: str, expected: str) -> None:
    assert _read(before, message, reply=reply)[1] == {f"user {expected}"}


def test_a_question_of_another_person_is_answered() -> None:
    said = [
        Utterance(uuid4(), "user", text, name, NOW + timedelta(minutes=n))
        for n, (name, text) in enumerate(
            [("Anna", "I work at Google"), ("Ben", "which phone do you want?"), ("Anna", "I meant Apple!")]
        )
    ]
    assert all(fact.holds for fact in extract(Segment(uuid4(), (said[-1],), tuple(said[:-1]))).facts)


@pytest.mark.parametrize(
    ("message", "ends"), [("I meant cashews", False), ("sorry, cashews, not walnuts", True)]
)
def test_a_value_alone_corrects_only_soon(message: str, ends: bool) -> None:
    before = Utterance(uuid4(), "user", "I'm allergic to walnuts", None, NOW)
    later = Utterance(uuid4(), "user", message, None, NOW + timedelta(days=3))
    facts = extract(Segment(uuid4(), (later,), (before,))).facts
    assert any(not fact.holds for fact in facts) is ends


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
