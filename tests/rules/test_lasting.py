"""Sentences that no pattern knows: which are kept as facts, and how they are put into the third person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_service.rules.facts import lasting
from memory_service.rules.facts.reported_speech import reported
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.facts.standing_instructions import in_third_person
from memory_service.rules.facts.user_text import own_words


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I've had migraines since I was nineteen", "Maren has had migraines since they were nineteen"),
        ("we don't fly", "Maren doesn't fly"),
        ("I never cook and my wife hates my food", "Maren never cooks and their wife hates their food"),
        ("my brain only turns on after 10pm", "Maren's brain only turns on after 10pm"),
        ("I really love my garden", "Maren really loves their garden"),
        ("I try to read daily", "Maren tries to read daily"),
        ("he gave me his old bike", "he gave Maren his old bike"),
    ],
)
def test_the_first_person_becomes_the_third(said: str, told: str) -> None:
    assert reported(said, "Maren") == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("keep your answers short", "user wants the assistant to keep its answers short"),
        ("never suggest seafood to me", "user wants the assistant never to suggest seafood to the user"),
        ("ask before you push", "user wants the assistant to ask before it pushes"),
        ("be brief when you're unsure", "user wants the assistant to be brief when it is unsure"),
        ("say so if you don't know", "user wants the assistant to say so if it doesn't know"),
        ("check it after you finished", "user wants the assistant to check it after it finished"),
        (
            "stop using dashes when you draft for me",
            "user wants the assistant to stop using dashes when it drafts for the user",
        ),
        ("don't use emojis", "user wants the assistant not to use emojis"),
        ("no bullet points", "user wants no bullet points"),
    ],
)
def test_an_instruction_is_told_as_a_wish(said: str, told: str) -> None:
    assert in_third_person(said, "user") == told


def test_a_lasting_sentence_is_a_fact_without_attribute_and_not_stated_outright() -> None:
    said = "I left Barclays in March and I'm now at a credit union in Dundee."
    (fact,) = [fact for fact in facts_in(said, "Thandi") if fact.attribute is None]
    assert (fact.subject, fact.stated) == ("Thandi", False)
    assert "at a credit union in Dundee" in fact.text


@pytest.mark.parametrize(
    "said",
    [
        "Anna has 12 apples and gives 5 to Ben.",
        "I'll try that tonight.",
        "I think that looks fine.",
        "I got an error in line 40 of the file.",
        "Thanks, I feel a bit better now.",
        "If I had a boat in Durban, I would sail every Sunday.",
    ],
)
def test_what_passes_is_no_fact(said: str) -> None:
    assert [fact.text for fact in facts_in(said, None)] == []


def test_the_table_weighs_every_sign_and_no_other() -> None:
    table = json.loads(Path(lasting.__file__).with_name("lasting.json").read_text(encoding="utf-8"))
    assert list(table["weights"]) == lasting.feature_names()
    assert 0 < table["keep_at"] < 1


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Translate this to French: I am a teacher", ""),
        ("Hi\n> I live in Berlin\nI live in Rome", "I live in Rome"),
        ("```\nmy name = 1\n```\nI live in Rome", "I live in Rome"),
        ('She said "I live in Madrid" and left', "She said […] and left"),
        ("Pretend I'm a doctor. I'm a surgeon.", ""),
    ],
)
def test_what_is_quoted_pasted_or_played_is_not_the_writers(text: str, own: str) -> None:
    assert own in own_words(text)
    assert "Berlin" not in own_words(text)
    assert "teacher" not in own_words(text)
    assert "surgeon" not in own_words(text)
    assert "Madrid" not in own_words(text)
