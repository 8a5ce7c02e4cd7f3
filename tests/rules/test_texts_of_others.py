"""Texts that a message only quotes, asks to check, plays or studies state nothing about their writer."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements
from memory_service.rules.facts.user_text import plays_role


@pytest.mark.parametrize(
    "said",
    [
        "Could you check my daughter's essay? My name is Lotte. I am nine years old.",
        "My niece sent me this: I live in Hamburg now!!!",
        "I read the blog of a woman: I quit my job, sold my flat and moved to Bali. I envy her.",
        "My German homework: I translated it as: My name is Thomas and I live in Paris.",
        "Please write an email for my neighbour. She wants to say: I live in Ghent and I am pregnant.",
        "Quiz me for the exam: I have diabetes type 1 and I take insulin, what do I do before sport?",
        "Can you look at this question for my exam: I have diabetes type 1. What do I eat?",
        "Case study for tomorrow: a patient says I smoke and I take ibuprofen every morning.",
        "Role play for the visa interview: I am from Chile, I have two kids and I work as a nurse.",
        "For my presentation I say: Hello, I am Aylin, I live in Uppsala and I work at a lab.",
        "Chapter 1 draft:\n\nI was born in Pola in 1899. My wife died in '47. I live in Trieste.",
        "I am a roman soldier in the school play.",
        "Is this grammatical? I has lived in Madrid since ten years.",
        "My D&D character is a dwarf, I'm 340 years old and I live in Waterdeep.",
    ],
)
def test_a_text_of_others_states_nothing_about_its_writer(said: str) -> None:
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("My boss wrote me an email yesterday. I work at Bosch.", "works_at", "bosch"),
        ("Can you quiz me? I'm colour-blind.", "has_condition", "colour-blind"),
        ("I'm reading chapter 3 of Dune. I live in Oslo.", "lives_in", "oslo"),
        ("My daughter is in the school play. She is 7.", "age", "7"),
        ("I'm a nurse and my son is in the school play.", "works_as", "nurse"),
        ("I sent the application: I work at Lidl now.", "works_at", "lidl"),
        ("Read my last message, I live in Porto.", "lives_in", "porto"),
        ("Can you check my CV? I'm a nurse in Kiel.", "works_as", "nurse"),
        ("I wrote: hello. My name is Ingrid.", "name", "ingrid"),
        ("I passed my practice exam! I live in Leeds.", "lives_in", "leeds"),
        ("The test question was easy. I now work at Acme.", "works_at", "acme"),
        ("Case study work is what I do. I live in Ulm.", "lives_in", "ulm"),
        ("My character's strong, my mum says. I live in Leeds.", "lives_in", "leeds"),
        ("My friend sent me this: she is pregnant. By the way, I live in Ulm.", "lives_in", "ulm"),
        ("I live on Main St. I work at Acme.", "works_at", "acme"),
    ],
)
def test_what_stands_beside_such_words_is_read(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in {
        (form.attribute, form.value) for form in map(canonical, statements(said, None))
    }


@pytest.mark.parametrize(
    "said",
    [
        "So we're five now with Petra, Lili and me.", "My team is great, we're nine now.",
        "I turned 1,000 photos into 12 keepers.", "I'm 80 in dog years.", "I'm basically married to my camera.",
        "I live in the library these days.", "I switched to part-time.", "We switched to Mondays.",
        "I work at the food bank on Saturdays.", "My boss let me go home early.", "They let me go to the concert.",
        "My number is 1234567 in the queue.", "The cake is good but not vegan any more.",
        "They stopped warfarin last week.",
        "Anna met someone, so not single any more.", "My mum's doctor raised sertraline to 100 mg.",
        "The last time I stopped sertraline I felt awful.",
    ],
)  # fmt: skip
def test_figures_of_speech_and_counts_are_no_facts_about_a_person(said: str) -> None:
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    ("before", "said", "plays"),
    [
        (
            "I'm Elio. Ask me anything and I answer as him, it's a character interview",
            "I smoke forty a day.",
            True,
        ),
        ("Let's roleplay. I'm a customer from Canada called Bill", "Hi, I'm Bill, allergic to fish.", True),
        ("I'd like to practise my job interview.", "I'm a nurse and I live in Leeds.", True),
        ("I'll play a nurse called Kate.", "I live in Leeds.", True),
        ("Hello", "I will play Hamlet, you play Ophelia.", True),
        ("Let's roleplay.", "ok end of the roleplay. I live in Leeds.", False),
        ("I'll play the piano at my sister's wedding.", "I live in Leeds.", False),
        ("I'll play Chopin at the concert.", "I live in Leeds.", False),
        ("I'll play a game of chess with my son.", "He is 6.", False),
        ("I'll pretend to be surprised.", "I turn 40 tomorrow.", False),
        ("I'll play Tetris.", "I live in Leeds.", False),
        ("I like to role-play with my friends on Fridays.", "I live in Leeds.", False),
        ("I don't want to roleplay any more.", "I live in Leeds.", False),
        ("Would you like to roleplay?", "I live in Leeds.", False),
        ("I'd like to practice a conversation in Spanish.", "I live in Leeds.", False),
        ("I respond as I see fit.", "I live in Leeds.", False),
        ("Let's roleplay.", "That's enough, let's go back to my diet. I'm vegan.", False),
        ("I want to practise Spanish, I have an interview.", "I live in Leeds.", False),
    ],
)
def test_who_plays_a_role_says_nothing_of_themselves(before: str, said: str, plays: bool) -> None:
    assert plays_role([before], said) is plays
