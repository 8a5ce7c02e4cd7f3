"""Replies that make a statement only together with the message before: answers to a question, and corrections."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from memory_service.rules.extractor import extract
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.gate.gate import judge
from memory_service.types import Role, Segment, Utterance

NOW = datetime(2026, 5, 4, tzinfo=UTC)
Line = tuple[str | None, str | None, bool]


def said(*messages: tuple[Role, str]) -> Segment:
    """A segment of the last message, with the others as its context."""
    uttered = [Utterance(uuid.uuid4(), role, text, None, NOW) for role, text in messages]
    return Segment(uuid.uuid4(), (uttered[-1],), tuple(uttered[:-1]))


def lines(segment: Segment) -> set[Line]:
    facts = map(canonical, extract(segment).facts)
    return {(fact.attribute, fact.value, fact.holds) for fact in facts}


@pytest.mark.parametrize(
    ("question", "answer", "line"),
    [
        ("Still in Oslo?", "No, Bergen since May.", ("lives_in", "bergen", True)),
        ("Where do you live?", "Bergen", ("lives_in", "bergen", True)),
        ("Nice to meet you! What's your name?", "Ingrid", ("name", "ingrid", True)),
        ("Do you have any allergies?", "Peanuts and shellfish.", ("allergic_to", "shellfish", True)),
        ("Are you vegetarian?", "No", ("diet_is_not", "vegetarian", True)),
        ("Are you vegan?", "Yes, since 2019.", ("diet", "vegan", True)),
        ("Are you vegetarian?", "No, vegan", ("diet", "vegan", True)),
        ("Do you still work at the bank?", "No, at Lidl now.", ("works_at", "lidl", True)),
        ("What do you do for a living?", "a data analyst at Shell", ("works_at", "shell", True)),
        ("Which database do you use?", "Postgres", ("uses", "postgres", True)),
        ("Do you smoke?", "No.", ("habit", "does not smoke", True)),
        ("How old are you?", "34", ("age", "34", True)),
        ("What's your favourite colour?", "green", ("favorite_color", "green", True)),
        ("Where are you from?", "Lagos, Nigeria", ("from", "lagos", True)),
        ("What languages do you speak?", "Polish and German", ("speaks", "polish", True)),
    ],
)
def test_a_short_answer_is_read_with_its_question(question: str, answer: str, line: Line) -> None:
    segment = said(("assistant", question), ("user", answer))
    assert line in lines(segment)
    assert judge(segment).decision != "refuse"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you live?", "in a small flat with two cats"),
        ("Where do you live?", "why do you ask?"),
        ("Where do you live?", "I'd rather not say"),
        ("Do you have any allergies?", "None that I know of."),
        ("What do you do for a living?", "not much lol"),
        ("Where should I send it?", "Bergen"),
        ("Shall I book it?", "Yes"),
        ("Are you vegetarian or vegan?", "Yes"),
        ("I live in Bergen.", "Oslo"),
        ("What's your favourite colour?", "Depends on the day"),
        ("Are you still in pain?", "No, better"),
        ("Still in the mood for pizza?", "No, sushi"),
        ("Are you still living in Rome?", "Nope, moved"),
        ("Is the meeting still in Oslo?", "No, Bergen"),
        ("Is the meeting still at 10?", "No, 11"),
        ("Are you still at the airport?", "No, at the hotel"),
        ("Are you still working for Acme?", "No, retired"),
        ("Where do you live?", "Alone"),
        ("Where are you based?", "Remote"),
        ("Where do you work?", "Home"),
        ("Who do you work for?", "Myself"),
        ("What's your name and where do you live?", "Ingrid"),
        ("What should I call you?", "Later"),
        ("Do you have any allergies?", "Yes, lots"),
        ("Do you have any allergies?", "Just the usual ones"),
        ("Are you vegetarian?", "No idea"),
        ("Do you drink?", "No thanks, I'm driving"),
        ("Are you diabetic?", "Yes and no"),
    ],
)
def test_other_short_answers_state_nothing(question: str, answer: str) -> None:
    assert {line for line in lines(said(("assistant", question), ("user", answer))) if line[0]} == set()


@pytest.mark.parametrize(
    "question",
    [
        "Does she have any allergies?",
        "Do your kids have any allergies?",
        "Does Jonas have any allergies?",
        "Jonas, do you have any allergies?",
        "Where do you live now, Jonas?",
        "When is your birthday, Jonas?",
    ],
)
def test_an_answer_about_or_for_another_person_is_none_about_the_speaker(question: str) -> None:
    for answer in ("Peanuts.", "Delft", "October 19"):
        assert not {line for line in lines(said(("assistant", question), ("user", answer))) if line[0]}


@pytest.mark.parametrize(
    ("first", "correction", "old", "new"),
    [
        ("i cant eat shrimp, it gives me hives", "wait not shrimp, lobster",
         ("does_not_eat", "shrimp", False), ("does_not_eat", "lobster", True)),
        ("I can't eat shrimp.", "Sorry, not shrimp, I meant lobster.",
         ("does_not_eat", "shrimp", False), ("does_not_eat", "lobster", True)),
        ("I'm lactose intolerant.", "I was wrong about the lactose, it's gluten I can't have.",
         ("has_condition", "lactose intolerance", False), ("has_condition", "gluten intolerance", True)),
        ("I take 50 mg of levothyroxine.", "sorry, 50 micrograms, not mg!",
         ("levothyroxine_dose", "50 mg", False), ("levothyroxine_dose", "50 micrograms", True)),
        ("I take 50 mg of sertraline every morning.", "Sorry, I meant 25 mg.",
         ("sertraline_dose", "50 mg", False), ("sertraline_dose", "25 mg", True)),
        ("My address is Havneveien 3.", "No, sorry, Havneveien 8.",
         ("address", "havneveien 3", False), ("address", "havneveien 8", True)),
        ("My daughter is called Mia.", "Sorry, I meant Maja, not Mia.",
         ("child", "mia", False), ("child", "maja", True)),
    ],
)  # fmt: skip
def test_a_correction_takes_back_what_it_corrects(first: str, correction: str, old: Line, new: Line) -> None:
    found = lines(said(("user", first), ("assistant", "Noted."), ("user", correction)))
    assert {old, new} <= found
    assert not found & {(attribute, value, not holds) for attribute, value, holds in (old, new)}


@pytest.mark.parametrize(
    ("first", "question", "answer"),
    [
        ("I live in Berlin.", "Where does your sister live?", "Not Berlin, Munich."),
        ("My wife is called Anna.", "Shall I invite Anna?", "Not Anna, Bob."),
        ("I'm 34.", "How long have you lived here?", "actually 12"),
        ("I take 50 mg of sertraline.", "How many tablets are left?", "Oh, 20"),
        ("I like tea.", "Shall I order tea?", "not tea, coffee"),
    ],
)
def test_an_answer_to_a_question_corrects_nothing(first: str, question: str, answer: str) -> None:
    found = lines(said(("user", first), ("assistant", question), ("user", answer)))
    assert {line for line in found if line[0]} == set()


@pytest.mark.parametrize(
    ("first", "reply"),
    [
        ("I work at Google.", "not Google, but Apple is bigger"),
        ("Give me the second option.", "No, I meant the third."),
        ("I can't eat shrimp.", "Not shrimp again, please."),
        ("I can't eat shrimp.", "Did you mean lobster, not shrimp?"),
        ("I live in Hamburg.", "Sorry, I meant it."),
        ("I have two cats.", "Sorry, I meant to write earlier."),
    ],
)
def test_other_replies_take_nothing_back(first: str, reply: str) -> None:
    found = lines(said(("user", first), ("assistant", "Noted."), ("user", reply)))
    assert {line for line in found if not line[2]} == set()


@pytest.mark.parametrize(
    ("first", "correction", "old", "new"),
    [
        ("I'm on doxycycline.", "it's not doxycycline, it's azithromycin, the nurse checked my chart",
         ("takes_medicine", "doxycycline", False), ("takes_medicine", "azithromycin", True)),
        ("I'm on doxycycline.", "Scratch that, it's not doxycycline, it's azithromycin because of my stomach.",
         ("takes_medicine", "doxycycline", False), ("takes_medicine", "azithromycin", True)),
        ("I live in Tallinn.", "Sorry, I meant Turku, I always confuse them",
         ("lives_in", "tallinn", False), ("lives_in", "turku", True)),
        ("I live in Bergen.", "Oops, Bern, not Bergen - my memory is awful",
         ("lives_in", "bergen", False), ("lives_in", "bern", True)),
        ("My daughter is called Karin.", "oops, Karen, damn autocorrect",
         ("child", "karin", False), ("child", "karen", True)),
    ],
)  # fmt: skip
def test_a_correction_may_have_a_reason(first: str, correction: str, old: Line, new: Line) -> None:
    found = lines(said(("user", first), ("assistant", "Noted."), ("user", correction)))
    assert {old, new} <= found
    assert not [line for line in found if line[0] is None], "the correction is no fact of its own"


def test_what_the_reason_of_a_correction_states_is_kept() -> None:
    reply = "it's not doxycycline, it's azithromycin, because I'm allergic to latex"
    found = lines(said(("user", "I'm on doxycycline."), ("assistant", "Noted."), ("user", reply)))
    assert {("takes_medicine", "doxycycline", False), ("allergic_to", "latex", True)} <= found


@pytest.mark.parametrize(
    ("first", "reply"),
    [
        ("I can't eat squid.", "not squid, octopus, crab and mussels"),
        ("I live in Turku.", "I'm not in Turku, it's Sunday, so Tampere"),
        ("I take sertraline.", "it's not the pills, it's the noise, I know it"),
        ("My daughter is called Hanna.", "sorry, Anna, I can't come"),
        ("I live in Turku.", "sorry, I'm late, I was in Tampere"),
        ("I work at Nokia.", "It's not work, it's fun, my boss is great"),
        ("I live in Turku.", "sorry, it's Monday, I'm tired"),
    ],
)
def test_a_clause_behind_another_reply_corrects_nothing(first: str, reply: str) -> None:
    found = lines(said(("user", first), ("assistant", "Noted."), ("user", reply)))
    assert {line for line in found if not line[2]} == set()


@pytest.mark.parametrize(
    ("message", "stated"),
    [
        ("I got engaged! Just kidding", set[str]()),
        ("I bought a yacht! jk", set[str]()),
        ("I have two dogs. Only joking, it was a friend's photo.", set[str]()),
        ("I live in Turku. I bought a yacht! jk", {"lives_in"}),
        ("I live in Turku. I'm joking with the neighbours all day.", {"lives_in"}),
        ("I live in Turku. Joking aside, it is cold.", {"lives_in"}),
    ],
)
def test_a_jest_that_its_message_takes_back_is_no_fact(message: str, stated: set[str]) -> None:
    assert {line[0] for line in lines(said(("user", message))) if line[0]} == stated
