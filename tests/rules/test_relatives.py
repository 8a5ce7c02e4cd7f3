"""Words for relatives: SQL and Python name the same ones; which of them are names of persons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory_service.rules import relatives
from memory_service.rules.emotions.emotions import valence
from memory_service.rules.facts.sentence_facts import facts_in

FUNCTIONS = Path(__file__).parents[2] / "db" / "functions"
ONE_WORD = re.compile(r"'\{([\w,]+)\}'\) then '(\w+)'")
PARTNERS = re.compile(r"\((partner\|[a-z|]*?)(?:\|fianc\\w\*)?\)")


def test_sql_reduces_the_names_of_parents_and_grandparents_to_the_same_word() -> None:
    source = (FUNCTIONS / "facts" / "kin_word.sql").read_text("utf-8")
    in_sql = {role: set(words.split(",")) for words, role in ONE_WORD.findall(source)}
    lists = (relatives.MOTHER, relatives.FATHER, relatives.GRANDMOTHER, relatives.GRANDFATHER)
    assert in_sql == {role: set(words) for role, *words in (one.split("|") for one in lists)}
    assert set(re.findall(r"= '(\w+)' then", source)) < set(relatives.PETS.split("|"))


def test_sql_takes_the_same_words_for_a_partner() -> None:
    own = set(relatives.PARTNER.split("|")) - {"fianc[ée]e?"}
    found = [
        (file.name, own ^ set(words.split("|")))
        for file in sorted(FUNCTIONS.rglob("*.sql"))
        for words in PARTNERS.findall(file.read_text("utf-8"))
    ]
    assert len(found) > 2
    assert [(name, missing) for name, missing in found if missing] == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Grandad lives in Hull.", "user's grandad lives in Hull."),
        ("Nana is 84.", "user's nana is 84 years old."),
        ("Daddy works at the port.", "user's father works at the port."),
        ("My colleague Nana lives in Kumasi.", "user's colleague is called Nana."),
        ("Nana is my girlfriend.", "user's girlfriend is called Nana."),
        ("Papa Kwesi lives in Accra.", "Papa Kwesi lives in Accra."),
        ("Auntie Grace lives in Lagos.", "Auntie Grace lives in Lagos."),
    ],
)
def test_a_word_for_a_relative_may_be_a_name(text: str, fact: str) -> None:
    facts = [one.text.rstrip(".") for one in facts_in(text, None)]
    assert fact.rstrip(".") in facts
    assert not any("mother is called" in one or "father is called" in one for one in facts)


def test_a_lost_thing_of_a_relative_is_no_grief() -> None:
    assert valence(["I lost my girlfriend's number."]) > -0.5
    assert valence(["I lost my girlfriend in May."]) < -0.5
    assert valence(["I lost my girlfriend's horse."]) < -0.5
