"""Texts that a message only quotes, asks to check, plays or studies state nothing about their writer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.facts.statements import statements
from memory_service.rules.facts.user_text import plays_role
from memory_service.rules.gate.gate import read_segment
from memory_service.types import Segment, Utterance


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
        "wife: I switched to Python 3.12",
        "My sister: I live in Leeds",
        "Boss: my job is fine, I work at Bosch",
        "Anna: I live in Leeds\nme: nice",
        "[12:30] Anna: I'm allergic to nuts",
        "Anna: I'm Anna, I live in Leeds",
        "sister: I live in Leeds",
        "Act as a lawyer. I live in Ghent.",
        "I act as the customer. I live in Ghent.",
        "For the sake of the story, I live in Paris.",
    ],
)
def test_a_line_of_another_person_and_a_role_state_nothing(said: str) -> None:
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I live in Leeds. Act as an interviewer. I'm from Spain.", "leeds"),
        ("Act as a doctor. I have a rash. By the way, I live in Leeds.", "leeds"),
        ("I act as treasurer of our club. I live in Leeds.", "leeds"),
        ("My kids pretend to be dinosaurs. I live in Leeds.", "leeds"),
        ("I quit smoking for the sake of my kids. I live in Leeds.", "leeds"),
        ("Anna: I live in York\nme: I live in Leeds", "leeds"),
        ("Note: I live in Leeds", "leeds"),
        ("Friend: I have a friend called Ben, I live in Leeds", "leeds"),
        ("Wife: we married in 2010, I live in Leeds", "leeds"),
        ("Max: I can spend 500. I live in Leeds", "leeds"),
        ("Friends: my friends are far away, I live in Leeds", "leeds"),
    ],
)
def test_other_labels_and_pretence_of_others_hide_no_statement(said: str, value: str) -> None:
    forms = map(canonical, statements(said, None))
    assert {form.value for form in forms if form.attribute == "lives_in"} == {value}


@pytest.mark.parametrize(
    "said",
    [
        "So we're five now with Petra, Lili and me.", "My team is great, we're nine now.",
        "I turned 1,000 photos into 12 keepers.", "I'm 80 in dog years.", "I'm basically married to my camera.",
        "I'm basically married to my coffee machine.", "I switched to the dark side.",
        "I'm married to my Nikon.", "I'm married to my PlayStation.", "I'm married to my job.",
        "I'm married to my work in London.", "I'm married to the Army.", "I'm married to my desk since January.",
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


@pytest.mark.parametrize(
    "said",
    [
        "I am Ysolde. I am married to Vask and I live in Grimhold. Improve this monologue",
        "I'm Captain Reyes. I'm allergic to silver. Rewrite this intro for my novel's hero",
        "I have three cats. My wife is called Dora. Can you rewrite this for my novel?",
        "My name is Leo. I live in Ghent.\n\nPlease proofread the above.",
        "I'm a smith and I live in Ulm. Translate this short poem into English, thanks!",
        "Question 3 (English): I am a doctor. I live in Paris.",
        "write from the point of view of a nurse: I live in Ghent",
        "My character is a young wizard. I'm 340 and I live in Waterdeep.",
        "message from Lena: I live in Nice now",
        "can you translate this?\nI live in Rome and I am a baker.",
        "translate to german\nI am allergic to nuts and I live in Rome",
        "in french please: I am allergic to nuts and I live in Rome",
        "shorten\nI work at Siemens and I live in Rome. I love my dog Bello.",
        "Can you make this sound more formal?\nI live in Lyon and I am a baker",
        "how would you say this in german?\nI live in Lyon and I am a baker",
        "# README\nHi, I'm Zed and this is my dotfiles repo. I live in Oslo and love cats",
        "exercise 3: I am a doctor. I live in Paris. My wife is Marie.",
        "as an example sentence: I am allergic to peanuts.",
        "A: Where do you live?\nB: I live in Madrid.\nA: What do you do?\nB: I am a teacher.",
        "A: Where do you live? B: I live in Madrid. I am a teacher.",
        "in the exam I was asked: My wife is a doctor and I live in Bern. What tense is that?",
        "customer mail: Hi, I'm Greta and I am allergic to lilies. I live in Bonn",
        "Hey, client email: I live in Lyon and I am a baker.",
        "forwarded from my sister: I live in Nice now and I work at a bakery",
        "what do you think of this dating profile my friend wrote: I'm a chef and I live in Graz",
        "My brother texted me: I live in Lyon now and I am a baker.",
        "Lena wrote: I'm a baker and I live in Lyon",
        "persona for the workshop: Anna, 34. I live in Bonn and I'm allergic to nuts",
        "test data: my name is John Doe and I live in Springfield",
        "write it from the view of my landlord: I own three flats and I hate dogs",
        "My character is called Dex. I'm 45, a cop, and I live in Detroit.",
    ],
)  # fmt: skip
def test_a_text_handed_over_states_nothing_about_its_writer(said: str) -> None:
    assert list(facts_in(said, None)) == []


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I'm rewriting my CV. I work at Aldi now.", "works_at", "aldi"),
        ("Please shorten my answers. I live in Leeds.", "lives_in", "leeds"),
        ("I translate for a living. I live in Nice.", "lives_in", "nice"),
        ("Hi, I'm Greta and I am allergic to lilies", "allergic_to", "lilies"),
        ("I work at Aldi now. Improve my CV please.", "works_at", "aldi"),
        ("I'm a nurse in Kiel. Please check my cover letter.", "works_as", "nurse"),
        ("I live in Leeds. Translate this to French: the cat is here", "lives_in", "leeds"),
        ("I'm allergic to nuts. Can you check this recipe?", "allergic_to", "nuts"),
        ("My wife is a nurse. Summarize this article please.", "works_as", "nurse"),
        ("I moved to Leeds. How do I say goodbye to my boss?", "lives_in", "leeds"),
        ("I live in Ulm. In German please.", "lives_in", "ulm"),
        ("I am vegan. What do you think of this recipe?", "diet", "vegan"),
        ("I work at SAP. Can you make this faster?", "works_at", "sap"),
        ("I take ramipril. Is this ok?", "takes_medicine", "ramipril"),
        ("Exercise: I swim twice a week. I live in Leeds.", "lives_in", "leeds"),
        ("My sister said: she moved to Rome. I live in Leeds.", "lives_in", "leeds"),
        ("I wrote: I'm Ingrid and I live in Oslo", "lives_in", "oslo"),
        ("# Me\nI live in Oslo", "lives_in", "oslo"),
        ("Name: Anna\nJob: nurse\nI live in Oslo", "lives_in", "oslo"),
        ("Plan A: I move to Rome. I live in Leeds.", "lives_in", "leeds"),
        ("I wrote a poem from the perspective of a cat. I live in Leeds.", "lives_in", "leeds"),
        ("My protagonist problem aside, I live in Bath.", "lives_in", "bath"),
        ("translate to german\nI live in Rome. By the way, I live in Bonn.", "lives_in", "bonn"),
        ("I live in Leeds. I have two kids. Can you check the email?", "lives_in", "leeds"),
        ("I have two kids! Can you help me finish the post?", "number_of_children", "2"),
        ("My daughter Mia is 6. Continue the story", "child", "mia"),
        ("I have 3 kids and a mortgage. Turn that into a budget plan.", "number_of_children", "3"),
        ("I'm allergic to peanuts. How do I say this in Thai?", "allergic_to", "peanuts"),
        ("I'm pregnant! How would you put that properly", "is", "pregnant"),
        ("I live in Wien. I got a letter. Translate it into English.", "lives_in", "wien"),
        ("I have three cats. Make this sound more formal: hi boss", "number_of_cats", "3"),
        ("I live in Leeds. Translate this song.", "lives_in", "leeds"),
        ("My boss is Tom. Read this story.", "manager", "tom"),
        ("Please correct: my name is Anna", "name", "anna"),
        ("Fix: my name is Anna, not Anne", "name", "anna"),
        ("Correct this: my name is Anna", "name", "anna"),
        ("Please read: I'm pregnant", "is", "pregnant"),
        ("EDIT: I'm 34 by the way", "age", "34"),
        ("TL;DR: I moved to Berlin and got divorced", "lives_in", "berlin"),
        ("Check: I live in Leeds, I rent. What benefits can I get?", "lives_in", "leeds"),
        ("My character has changed since I had kids. I have two kids.", "number_of_children", "2"),
        ("My character is a bit shy. I live in Leeds", "lives_in", "leeds"),
        ("My character is German. I live in Leeds", "lives_in", "leeds"),
        ("My character gets me into trouble. I live in Leeds", "lives_in", "leeds"),
        ("Answer from the point of view of a lawyer. I live in Leeds", "lives_in", "leeds"),
        ("I want to write from the perspective of a nurse. I live in Leeds", "lives_in", "leeds"),
        ("Message from the doctor: my iron is low, I'm anemic", "has_condition", "anaemia"),
        ("Reply from the landlord: my rent is 900 now", "rent", "900"),
        ("Note from the vet: my dog has arthritis", "has_condition", "arthritis"),
        ("Copied from my notes: I'm allergic to nuts", "allergic_to", "nuts"),
        ("User profile: I live in Leeds", "lives_in", "leeds"),
        ("On my test: I'm diabetic", "has_condition", "diabetes"),
        ("Problem 1: I'm diabetic", "has_condition", "diabetes"),
        ("Question 3: my son is 5, when does he start school?", "age", "5"),
        ("Task 2: call my brother Leo in Berlin", "sibling", "leo"),
        ("Personas are hard: I work at Bosch", "works_at", "bosch"),
        ("Quote: 900 euros. My landlord is Tom", "landlord_name", "tom"),
    ],
)
def test_tasks_on_other_texts_leave_the_writers_words(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in {
        (form.attribute, form.value) for form in map(canonical, statements(said, None))
    }


@pytest.mark.parametrize(
    "label",
    [
        "DRAFT:", "draft 2:", "Draft (rough):", "[draft]", "Draft -", "my next draft:", "chapter 3:",
        "Chapter 3, opening:", "scene two:", "excerpt:", "lyrics:", "second verse:", "poem:", "quote:",
        "dialogue:",
        "in character:", "IC:", "from my novel:", "here's the next bit:", "the last paragraph of my story:",
        "The narrator is Neil. DRAFT:",
        "My notes are below.\n\nScene 4:", "write me a country song, first line:", "a story that starts with:",
    ],
)  # fmt: skip
def test_the_text_behind_a_label_of_fiction_states_nothing(label: str) -> None:
    said = f"{label} I live in Leith. I am allergic to cats.\n\nMy name is Neil."
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    "said",
    [
        "note to self: I moved to Leith", "Update: I moved to Leith", "quick update: I moved to Leith",
        "PS: I moved to Leith", "TLDR: I moved to Leith", "here's the thing: I moved to Leith",
        "My novel is done. I live in Leith", "I finished chapter 3. I live in Leith",
        "My draft is due on Monday. I live in Leith.", "The scene here is great: I live in Leith",
        "The first part is easy: I live in Leith", "a new chapter of my life: I moved to Leith",
        "I wrote a song. First of all: I live in Leith", "Part of the plan: I live in Leith", "Home: I live in Leith",
    ],
)  # fmt: skip
def test_other_labels_leave_the_writers_words(said: str) -> None:
    assert ("lives_in", "leith") in {
        (form.attribute, form.value) for form in map(canonical, statements(said, None))
    }


@pytest.mark.parametrize(
    "said",
    [
        "From now on never use emojis in emails. Can you proofread the letter?",
        "Always answer in German. Summarize the text above.",
        "Never use emojis. Rewrite this email",
        "Please call me Max. Check the draft",
        "I am Ysolde and I live in Grimhold. Always answer in German. Improve this monologue",
    ],
)
def test_a_task_behind_a_standing_order_leaves_the_order(said: str) -> None:
    facts = read_segment(_segment(said)).facts
    assert any(
        fact.text.startswith(("user wants the assistant", "user wants to be called")) for fact in facts
    )
    assert "lives_in" not in {fact.attribute for fact in facts}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I'm married to my high school sweetheart", "relationship_status", "married"),
        ("I'm married to my best friend Tom", "relationship_status", "married"),
        ("I'm married to my Tom", "relationship_status", "married"),
        ("I'm married to my beautiful Anna", "relationship_status", "married"),
        ("I'm married to my co-founder Anna", "relationship_status", "married"),
        ("I'm married to my college professor", "relationship_status", "married"),
        ("I'm married to our vicar", "relationship_status", "married"),
        ("I'm married to my childhood crush", "relationship_status", "married"),
        ("We use Python 3.12 and Node 20", "node_version", "20"),
        ("we only eat meat on sundays", "habit", "only eats meat on sundays"),
        ("finally sold the golf and got a used Skoda", "has_sold", "golf"),
        ("I do a pottery course on thursdays", "likes", "pottery"),
        ("i live in bremerhaven by myself", "lives_in", "bremerhaven"),
        ("im allergic to kiwi found out today", "allergic_to", "kiwi"),
        ("got a new phone iphone 13 from mum", "phone_model", "iphone 13"),
        ("I moved to Portland, Oregon last year", "lives_in", "portland"),
        ("parcelbox: upgraded to Python 3.12 and Django 5.0 finally", "django_version", "5.0"),
        ("parcelbox: upgraded to Python 3.12 and Django 5.0 finally", "python_version", "3.12"),
    ],
)
def test_values_end_where_the_statement_does(said: str, attribute: str, value: str) -> None:
    found = list(map(canonical, statements(said, None)))
    assert (attribute, value) in {(form.attribute, form.value) for form in found}


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("my goal is B1 Spanish by summer", "user's goal is B1 Spanish by summer."),
        ("my goal is to learn Spanish", "user wants to learn Spanish."),
        ("my plan is a trip to Japan in May", "user's goal is a trip to Japan in May."),
        ("my savings goal is 20000 euros", "user's goal is 20000 euros."),
        ("my goal is over 100 kg on the bench", "user's goal is over 100 kg on the bench."),
        ("moved to Warsaw btw, InPost office is there 2 days a week", "user lives in Warsaw."),
    ],
)
def test_texts_of_facts(said: str, fact: str) -> None:
    assert fact in {one.text for one in statements(said, None)}


@pytest.mark.parametrize(
    "said",
    ["we moved in to the Zwolle flat", "customer: upgraded to Python 3.12", "boss: upgraded to Windows 11"],
)
def test_flats_and_labels_of_others_state_nothing(said: str) -> None:
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    "said",
    [
        "my goal is over", "my plan is on hold", "my goal is still not reached", "my dream is finally over now",
        "my phone plan is 20 euros a month", "our plan is 20 euros a month", "my plan is unlimited",
    ],
)  # fmt: skip
def test_how_a_plan_goes_and_what_it_costs_is_no_goal(said: str) -> None:
    assert "goal" not in {canonical(fact).attribute for fact in statements(said, None)}


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("I switched to Node 20 and Node 18 is gone", "18"),
        ("I use Python 3.12 and Node 20 never worked", "20"),
        ("I upgraded to Python 3.12 and Django 5.0 is next", "5.0"),
        ("I upgraded to Python 3.12 and Django 5.0 broke", "5.0"),
    ],
)
def test_a_version_of_which_more_is_said_is_not_used(said: str, version: str) -> None:
    assert version not in {canonical(fact).value for fact in statements(said, None) if fact.holds}


def test_a_version_behind_a_label_ends_no_other() -> None:
    assert all(fact.holds for fact in statements("parcelbox: upgraded to Python 3.12", None))
    assert not all(fact.holds for fact in statements("update: upgraded to Python 3.12", None))


@pytest.mark.parametrize(
    ("before", "said", "plays"),
    [
        ("play an innkeeper for me. I walk in", "My name is Garrick.", True),
        ("be my dungeon master", "I'm Thorin.", True),
        ("you are a bartender in a city of robots, I enter", "I'm Jax.", True),
        ("please play the waiter for me", "I'm allergic to fish.", True),
        ("let's role play. you're a waiter, I'm a rich banker", "Waiter! I'm allergic to fish", True),
        ("pretend to be my doctor", "doctor, I'm allergic to penicillin", True),
        ("pretend to be interested", "I live in Leeds.", False),
        ("act as a nutritionist", "I'm vegan.", False),
        ("let's role play", "ok stop. back to normal. I live in Leeds", False),
        ("play a song for me.", "I live in Leeds.", False),
        ("play the piano for me", "I live in Leeds.", False),
        ("be my guest.", "I live in Leeds.", False),
        ("Be my fitness coach.", "I weigh 80 kg.", False),
        ("I play a wizard in our group.", "I live in Leeds.", False),
        ("You are a great help, I step into my new job on Monday.", "I live in Leeds.", False),
    ],
)
def test_role_play_begins_with_an_order_to_play_a_person(before: str, said: str, plays: bool) -> None:
    assert plays_role([before], said) is plays


@pytest.mark.parametrize(
    ("speaker", "said", "kept"),
    [
        ("Vera", "Hi Vera, I'm Greta and I am allergic to lilies.", False),
        ("Tom", "Hi Vera, I'm Greta and I am allergic to lilies.", False),
        ("Greta", "Hi Vera, I'm Greta and I am allergic to lilies.", True),
        ("Margarete", "Hi Vera, I'm Maggie and I am allergic to lilies.", True),
        ("user_17", "Hi Vera, I'm Greta and I am allergic to lilies.", True),
        ("Tom", "Hi, I'm Greta and I am allergic to lilies.", True),
        ("Tom", "Hi Vera, I'm allergic to lilies.", True),
        (None, "Hi Vera, I'm Greta and I am allergic to lilies.", True),
    ],
)
def test_a_letter_to_the_speaker_is_not_theirs(speaker: str | None, said: str, kept: bool) -> None:
    facts = read_segment(_segment(said, name=speaker)).facts
    assert any(fact.attribute == "allergic_to" for fact in facts) is kept


def test_a_role_and_a_character_have_no_mood_of_their_speaker() -> None:
    assert read_segment(_segment("I am so sad, my brother died.", before="Let's roleplay.")).feeling == 0
    assert read_segment(_segment("My character just lost his wife, he is so sad.")).feeling == 0
    assert read_segment(_segment("I am so sad, my brother died.", before="Hello.")).feeling < 0


def _segment(said: str, *, name: str | None = None, before: str | None = None) -> Segment:
    at = datetime(2026, 5, 1, 12, tzinfo=UTC)
    context = () if before is None else (Utterance(uuid4(), "user", before, name, at - timedelta(minutes=1)),)
    return Segment(uuid4(), (Utterance(uuid4(), "user", said, name, at),), context)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("my mother in law Ingrid moved in with us in september",
         "user's mother in law Ingrid moved in with user in september."),
        ("Holiday: Ghana in August, four of us, my mother in Kumasi has not seen Kofi since he was three.",
         "Holiday: Ghana in August, four of them, user's mother in Kumasi has not seen Kofi since he was three."),
        ("I'm using Flask 2.3.1, Python 3.11, and SQLite 3.39",
         "user is using Flask 2.3.1, Python 3.11, and SQLite 3.39."),
    ],
)  # fmt: skip
def test_sentences_as_facts(said: str, fact: str) -> None:
    assert fact in {one.text for one in facts_in(said, None)}
