"""First-person sentences in many voices: the facts that they state, and look-alikes that state none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.sentence_facts import facts_in

_SENTENCES = cast(
    "dict[str, list[Any]]",
    json.loads(Path(__file__).with_name("first_person.json").read_text(encoding="utf-8")),
)
_KEYS = ("text", "attribute", "value", "holds")


@pytest.mark.parametrize(_KEYS, [tuple(row[key] for key in _KEYS) for row in _SENTENCES["stated"]])
def test_a_sentence_states_a_fact(text: str, attribute: str, value: str, holds: bool) -> None:
    assert (attribute, value, holds) in [(f.attribute, f.value, f.holds) for f in facts_in(text, None)]


@pytest.mark.parametrize("text", _SENTENCES["none"])
def test_a_look_alike_states_nothing(text: str) -> None:
    assert [fact.text for fact in facts_in(text, None)] == []


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        (
            "We sit with my uncle. Tomás is allergic to peanuts, seriously allergic.",
            "Tomás",
            "allergic_to",
            "peanuts",
        ),
        ("my little sister aroha got into the team", "user", "little_sister_name", "Aroha"),
        ("my roommates a night nurse", "user's roommate", "works_as", "night nurse"),
        ("My favourite colours are black and blue.", "user", "favorite_colours", "black and blue"),
        ("My exam is on 12 June.", "user", "exam_date", "12 June"),
    ],
)
def test_names_and_contractions_are_read(text: str, subject: str, attribute: str, value: str) -> None:
    found = [(f.subject, f.attribute, f.value) for f in facts_in(text, None)]
    assert found.count((subject, attribute, value)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Tomás is allergic to peanuts. How many of 30 guests can eat the cake?",
        "Redis is a cache.",
        "I hit the door and my eyes are black and blue.",
        "Nobody is my favourite singer.",
    ],
)
def test_riddles_things_and_bruises_are_no_facts(text: str) -> None:
    assert [fact.text for fact in facts_in(text, None) if not fact.if_known] == []


def test_an_exam_is_one_fact() -> None:
    assert len(list(facts_in("My exam is on 12 June.", None))) == 1


def test_an_editor_is_one_fact_whether_a_person_or_a_program() -> None:
    for editor in ("Paulo", "Neovim"):
        facts = facts_in(f"My editor is {editor}.", None)
        assert [(fact.attribute, fact.text) for fact in facts] == [("editor", f"user's editor is {editor}.")]


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Postgres 17.", "I moved to Windows 11.", "We have moved to Kafka.", "We just moved to Notion.",
        "Sara and I split up the work.", "Me and Sara split a pizza.", "Me and Sara broke up laughing.",
        "Me and Sara are over at my mum's.", "Me and Tom split up at the airport.", "Tom proposed to me a new plan.",
        "They replaced Windows with Linux.", "They changed Berlin to Munich.", "I went to the Berlin plan meeting.",
    ],
)  # fmt: skip
def test_tools_parting_and_plans_are_read_by_what_follows(text: str) -> None:
    """No home, no end of a relationship, no medicine, no subscription."""
    attributes = {fact.attribute for fact in facts_in(text, None)} - {None}
    assert not attributes & {
        "lives_in", "partner", "separated", "relationship_status", "takes_medicine", "subscription"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "attribute", "value", "cardinality"),
    [
        ("I moved to Phoenix in May.", "lives_in", "phoenix", "one"),
        ("Me and Sara split up last week.", "partner", "sara", "one"),
        ("I live with my parents.", "lives_with", "parents", "many"),
        ("My friend lives in Oslo.", "lives_in", "oslo", "many"),
        ("My mother lives in Oslo.", "lives_in", "oslo", "one"),
        ("My new phone is a Pixel 9.", "phone_model", "pixel 9", "one"),
        ("My phone number is 0151 234567.", "phone", "0151234567", "one"),
    ],
)
def test_how_many_values_a_fact_may_have(text: str, attribute: str, value: str, cardinality: str) -> None:
    """A friend without a name may be another friend, and parents in the same flat are no second home."""
    found = [canonical(fact) for fact in facts_in(text, None)]
    assert (attribute, value, cardinality) in {(one.attribute, one.value, one.cardinality) for one in found}


@pytest.mark.parametrize(
    ("text", "is_real"),
    [
        ("Tom has a nut allergy. pls keep that in mind w/ menus", True),
        ("Tom has a nut allergy.", False),
        ("Tom has a nut allergy. Keep that in mind: what can he eat?", False),
        ("Tom has a nut allergy. Keep that in mind.\nWho may eat more than Bob?", False),
        ("Tom has a nut allergy. Keep that in mind.\nShould he eat marzipan?", False),
        ("Tom has a nut allergy. Bear this in mind, then work out who owns the fish", False),
        ("Tom has a nut allergy. Keep it in mind for chapter two", False),
        ("Tom has a nut allergy. You don't need to keep that in mind", False),
        ("Ann said keep that in mind. Tom has a nut allergy", False),
    ],
)
def test_a_fact_that_is_to_be_kept_is_no_riddle(text: str, is_real: bool) -> None:
    facts = [fact for fact in facts_in(text, None) if fact.attribute == "allergic_to"]
    assert [not fact.if_known for fact in facts] == [is_real]
