"""Plain sentences about family, homes, work, body, things, tools, habits and appointments, and their third person."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.reported_speech import reported
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.facts.user_text import own_words

READ: list[tuple[str, str, str]] = [
    # children, siblings, animals with names and ages
    ("our two kids, Ella (7) and Ben (4), need lunch boxes", "child_name", "user's child is called Ella."),
    ("our two kids, Ella (7) and Ben (4), need lunch boxes", "age", "user's child Ben is 4 years old."),
    ("i have 2 kids, mia 6 and leo 3, what can we do?", "age", "user's child Mia is 6 years old."),
    ("we've got three children: Anna, Jonas and Petra", "child_name", "user's child is called Jonas."),
    ("Because our son Milo (3) doesn't sleep, I'm tired", "age", "user's son Milo is 3 years old."),
    ("My sons are 5 and 8.", "ages_of_sons", "user's sons are 5 and 8 years old."),
    ("we have a golden retriever called Buddy", "dog_name", "user's dog is called Buddy."),
    ("I have eight grandchildren.", "has", "user has eight grandchildren."),
    ("I lost my father two years ago", "died", "user's father died two years ago."),
    # homes, work, studies
    ("I share a flat with two other students", "home", "user shares a flat with two other students."),
    ("I'm living with my parents at the moment", "home", "user lives with their parents."),
    ("Our apartment has a balcony facing north", "apartment_is", "user's apartment has a balcony facing north."),
    ("we're moving to Coimbra in May, Rui got a job there", "goal", "user plans to move to Coimbra in May."),
    ("I'm moving to Porto, Portugal", "goal", "user plans to move to Porto, Portugal."),
    ("I own a small coffee shop in Lyon", "works_as", "user runs a small coffee shop in Lyon."),
    ("I work night shifts at a bakery", "habit", "user works night shifts."),
    ("Been a plumber for 15 years", "has_been", "user has been a plumber for 15 years."),
    ("I'm in my second year of law school", "school_year", "user is in their second year of law school."),
    ("I'm on parental leave until August", "is", "user is on parental leave until August."),
    # body and diet
    ("I broke my left wrist in a bike crash", "injury", "user broke their left wrist."),
    ("I had knee surgery in january", "had_surgery", "user had knee surgery."),
    ("I've had asthma since childhood", "has_condition", "user has asthma."),
    ("my mother has dementia", "has_condition", "user's mother has dementia."),
    ("i cant run because of my bad knee", "has_condition", "user has a bad knee."),
    ("I'm on a keto diet", "eats", "user is on a keto diet."),
    ("I never eat breakfast", "habit", "user never eats breakfast."),
    # things and tools
    ("I've got a PS5 and a Switch", "has", "user has a PS5."),
    ("my laptop is a thinkpad x1 with ubuntu", "laptop", "user's laptop is a thinkpad x1 with ubuntu."),
    ("our CI runs on GitLab", "ci", "user's ci runs on GitLab."),
    ("Our backend is written in Go", "backend", "user's backend is written in Go."),
    ("I write most of my code in rust", "uses", "user uses rust."),
    ("We use `uv` here", "uses", "user uses uv."),
    ("We use Flask 2.3.1.", "uses", "user uses Flask 2.3.1."),
    # habits, looks, appointments
    ("I swim on Thursdays", "habit", "user swims on Thursdays."),
    ("I collect vinyl records", "habit", "user collects vinyl records."),
    ("I read before bed", "habit", "user reads before bed."),
    ("I've been volunteering at a shelter", "habit", "user is volunteering at a shelter."),
    ("I always get up at 5:30", "habit", "user gets up at 5:30."),
    ("I have dark curly hair.", "looks", "user has dark curly hair."),
    ("Burritos are my favorite food.", "favorite_food", "user's favorite food is Burritos."),
    ("My dentist appointment is on Tuesday at 10", "appointment", "user's dentist appointment is on Tuesday at 10."),
    ("I have an exam on the 20th", "appointment", "user has an exam on the 20th."),
]  # fmt: skip
UNREAD = (
    "We print on Mondays.",
    "I bought a bike for my son.",
    "I have a bike race on Sunday?",
    "My laptop is on its knees.",
    "I have two quotes for the house.",
    "My dog Rex died?",
    "My garden is a mess.",
    "I'm running the assistant on a server.",
    "I have no idea.",
    "They brighten up our day and always make us smile.",
    "Any tips on how to balance work calls and book club meetings in the future?",
    "Let's keep going and never give up!",
    "I'm trying to understand the birthday paradox, which says that two of 23 people share a birthday in March.",
    "I'm 1.82 m.",
    "What if I got two dogs called Max and Rex?",
    "In the novel we have two sons, Tom (3) and Tim (5).",
    "Maybe we have two sons, Tom and Tim.",
    "My late dogs Rex and Max were great.",
    "I have a garden party tomorrow.",
    "I have a piano recital on Friday.",
    "My website is Down again.",
    "My phone is 20% charged.",
    "Let's book the hotel in Queenstown for 7 nights from 14 February, with a playground for the kids.",
    "I will make sure to enable 2FA and to run the audits on 3 May as planned with Anna.",
)


@pytest.mark.parametrize(("said", "attribute", "text"), READ)
def test_a_plain_particular_is_read(said: str, attribute: str, text: str) -> None:
    assert (attribute, text) in [(fact.attribute, fact.text) for fact in facts_in(said, None)]


@pytest.mark.parametrize("said", UNREAD)
def test_what_only_looks_like_a_particular_is_not_read(said: str) -> None:
    assert [fact.text for fact in facts_in(said, None) if fact.holds] == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I need a ramp and I rely on my wife", "Anna needs a ramp and they rely on their wife"),
        ("I mainly work at night", "Anna mainly works at night"),
        ("in the shed, and I've added a roof", "in the shed, and Anna has added a roof"),
        ("Since I last wrote, I moved", "Since Anna last wrote, they moved"),
        ("Ben and I have a boat", "Ben and Anna have a boat"),
        ("I live in Oslo and have two cats", "Anna lives in Oslo and has two cats"),
        (
            "I work with people who drive trucks and live on the road",
            "Anna works with people who drive trucks and live on the road",
        ),
        (
            "I got a bike because my kids cycle and need help",
            "Anna got a bike because their kids cycle and need help",
        ),
        ("I saw my kids play chess and get better", "Anna saw their kids play chess and get better"),
        ("I'll visit Paris and have fun", "Anna will visit Paris and have fun"),
        ("I want to buy a house and live there", "Anna wants to buy a house and live there"),
        ("I cook and my wife bakes", "Anna cooks and their wife bakes"),
        ("My name is Tom, I am 41", "Anna's name is Tom, Anna is 41"),
        ("Don't tell my wife, I'm planning a party", "Don't tell their wife, Anna is planning a party"),
    ],
)
def test_the_verb_agrees_with_its_subject(said: str, told: str) -> None:
    assert reported(said, "Anna") == told


def test_a_sentence_with_a_hole_is_no_fact() -> None:
    whole = "My brother Sizwe and I have shared a boat in Durban since 2019"
    assert [fact.text for fact in facts_in(f"{whole}.", "Thandi")]
    assert not [
        fact
        for fact in facts_in(f'{whole}, called "the slow one of the harbour".', "Thandi")
        if not fact.attribute
    ]
    assert own_words("I call `f(x)` and `ruff` here") == "I call […] and ruff here"


def test_a_pasted_document_gives_no_sentence_facts() -> None:
    clause = (
        "Clause {} of the contract that we signed in March 2019 sets out the payments to Anna Jensen in Oslo."
    )
    document = " ".join(clause.format(n) for n in range(20))
    assert not [fact for fact in facts_in(document, None) if fact.attribute is None]
