"""One changed fact is never the same memory, however alike the sentences; what only sounds otherwise is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Admin

CHANGED: dict[str, list[tuple[str, str]]] = {
    "names": [
        ("Tom called from the hospital.", "Ben called from the hospital."),
        ("My dentist is Dr. Aldous.", "My dentist is Dr. Marwick."),
        ("I bought my bike from Ines.", "I bought my bike from Klara."),
        ("tom fixed the roof", "ben fixed the roof"),
        ("our cat is called pixel", "our cat is called biscuit"),
    ],
    "places": [
        ("I moved to Berlin.", "I moved to Munich."),
        ("moved to berlin", "moved to munich"),
        ("she grew up in tromsø", "she grew up in ålesund"),
        ("we spent the summer in piran", "we spent the summer in kotor"),
        ("The keys are in the kitchen.", "The keys are in the garage."),
        ("I flew from Rome to Oslo.", "I flew from Oslo to Rome."),
    ],
    "numbers": [
        ("I have two dogs.", "I have three dogs."),
        ("The rent is fifteen hundred euros.", "The rent is sixteen hundred euros."),
        ("My daughter turns thirty this year.", "My daughter turns forty this year."),
        ("I paid 120 euros for the lamp.", "I paid 1,200 euros for the lamp."),
        ("The parcel weighs 3 kilos.", "The parcel weighs 3 pounds."),
        ("I have two cats and three dogs.", "I have three cats and two dogs."),
        ("The meeting lasts an hour.", "The meeting lasts half an hour."),
    ],
    "negation": [
        ("I eat meat.", "I never eat meat."),
        ("Tom can swim.", "Tom can't swim."),
        ("I take my tea with sugar.", "I take my tea without sugar."),
        ("I like tea but not coffee.", "I like coffee but not tea."),
        ("We have enough chairs.", "We hardly have enough chairs."),
        ("I agreed to the surgery.", "I refused the surgery."),
    ],
    "time": [
        ("Tom called on Monday.", "Tom called on Tuesday."),
        ("we meet on friday", "we meet on thursday"),
        ("My birthday is in May.", "My birthday is in June."),
        ("I take the pill before breakfast.", "I take the pill after breakfast."),
        ("We fly home today.", "We fly home tomorrow."),
        ("I live in Porto.", "I lived in Porto."),
        ("I was a nurse.", "I am a nurse."),
        ("I will move in spring.", "I moved in spring."),
        ("I go to the gym every week.", "I go to the gym every month."),
        ("I smoke.", "I used to smoke."),
    ],
    "opposites": [
        ("Mara joined the choir.", "Mara left the choir."),
        ("I want to work more.", "I want to work less."),
        ("The new flat is bigger than the old one.", "The new flat is smaller than the old one."),
        ("I am happy with my boss.", "I am unhappy with my boss."),
        ("I sold the car to Tom.", "I bought the car from Tom."),
        ("Tom lent me money.", "I lent Tom money."),
        ("I turned the heating on.", "I turned the heating off."),
        ("The house is above the lake.", "The house is below the lake."),
        ("I love early mornings.", "I hate early mornings."),
    ],
    "family": [
        ("My sister lives in Lisbon.", "My brother lives in Lisbon."),
        ("His mother is a judge.", "His father is a judge."),
        ("He works at the airport.", "She works at the airport."),
        ("My son plays the cello.", "My nephew plays the cello."),
        ("My dog died.", "My neighbour's dog died."),
        ("I broke my wrist.", "You broke your wrist."),
        ("my aunt has diabetes", "my uncle has diabetes"),
    ],
    "colours": [
        ("My car is red.", "My car is blue."),
        ("I painted the door green.", "I painted the door grey."),
        ("She has brown eyes.", "She has green eyes."),
    ],
    "food": [
        ("I am allergic to walnuts.", "I am allergic to peanuts."),
        ("I am allergic to walnuts.", "I am allergic to walnuts and peanuts."),
        ("I drink my coffee black.", "I drink my coffee with milk."),
        ("My favourite dish is lasagne.", "My favourite dish is risotto."),
        ("We always have fish on Fridays.", "We always have chicken on Fridays."),
        ("I eat fish.", "I eat raw fish."),
        ("I have a cat.", "I have a cat allergy."),
    ],
}

SAID_AGAIN: list[tuple[str, str]] = [
    ("I moved to Berlin.", "I moved to Berlin!"),
    ("moved to berlin", "Moved to Berlin"),
    ("Today I moved to Berlin.", "I moved to Berlin today."),
    ("My sister lives in Lisbon.", "my sister lives in lisbon"),
    ("My sister is living in Lisbon.", "My sister lives in Lisbon."),
    ("I don't eat meat.", "I do not eat meat."),
    ("I can't swim.", "I cannot swim."),
    ("I won't fly again.", "I will not fly again."),
    ("I'm a nurse.", "I am a nurse."),
    ("I’m a nurse.", "I'm a nurse."),
    ("I've been to Oslo.", "I have been to Oslo."),
    ("Maria has two dogs.", "Maria has 2 dogs."),
    ("My son is twelve.", "My son is 12."),
    ("My mother turns sixty in May.", "My mother turns 60 in May."),
    ("I paid 1,200 euros for the bike.", "I paid 1200 euros for the bike."),
    ("I really like hiking.", "I like hiking."),
    ("I like hiking.", "I like to hike."),
    ("I just bought a piano.", "I bought a piano."),
    ("I still live with my parents.", "I live with my parents."),
    ("I live in Porto now.", "Now I live in Porto."),
    ("My mom is a judge.", "My mother is a judge."),
    ("My dad has diabetes.", "My father has diabetes."),
    ("I have three kids.", "I have three children."),
    ("My favourite colour is green.", "My favorite color is green."),
    ("I bought a new bike.", "I bought a new bicycle."),
    ("We watched a film last night.", "We watched a movie last night."),
    ("The kids were sick on Monday.", "The kids were ill on Monday."),
    ("My brother fixed my bike on Sunday.", "On Sunday my brother fixed my bike."),
    ("I work as a teacher in Graz.", "I work in Graz as a teacher."),
    ("In winter I go skiing.", "I go skiing in winter."),
    ("Anna and Tom are married.", "Tom and Anna are married."),
    ("I like red and blue.", "I like blue and red."),
    ("I play chess and tennis.", "I play tennis and chess."),
    ("I am glad that Tom is back.", "I'm happy that Tom is back."),
    ("I work at Siemens.", "I work for Siemens."),
    ("Please remember that I am a vegetarian.", "Remember that I am a vegetarian."),
    ("Oh, I have a new job!", "I have a new job."),
    ("I have a cat called Pixel.", "I have a cat, called Pixel."),
    ("I collect old maps.", "I am collecting old maps."),
    ("Tom's dog is called Rex.", "The dog of Tom is called Rex."),
    ("My sister's name is Mara.", "The name of my sister is Mara."),
    ("I take the bus to work.", "I take a bus to work."),
    ("My boss is very strict.", "My boss is strict."),
    ("I also speak Dutch.", "I speak Dutch too."),
    ("I speak Dutch and Danish.", "I speak Danish and Dutch."),
    ("I love swimming in lakes.", "I love to swim in lakes."),
    ("I need glasses for reading.", "I need glasses to read."),
    ("My car is 10 years old.", "My car is ten years old."),
    ("She adopted a grey cat.", "She adopted a gray cat."),
    ("I am afraid of spiders.", "I'm actually afraid of spiders."),
    ("I go running every morning.", "Every morning I go running."),
    ("I eat no gluten.", "I don't eat gluten."),
    ("I never drink coffee.", "I do not drink coffee."),
    ("I quit smoking.", "I stopped smoking."),
    ("He plays the violin.", "He is playing the violin."),
    ("My flat is on the third floor.", "My apartment is on the third floor."),
    ("Maria has a big garden.", "Maria has a large garden."),
    ("The wedding is on 12 June.", "The wedding is on June 12."),
    ("I start work at 7:30.", "I begin work at 7:30."),
    ("I was born in Łódź.", "i was born in łódź"),
]

IN_DOUBT: list[tuple[str, str, str]] = [
    ("I got a new job.", "I found a new job.", "words"),
    ("My back hurts.", "I have back pain.", "words"),
    ("I commute by train.", "I take the train to work every day.", "days"),
    ("Мне нравится чай.", "Мне нравится кофе.", "words"),
    ("你好", "再见", "words"),
    ("It is.", "It was.", "words"),
    ("!", "?", "words"),
]
"""Other words, or none that count: perhaps the same, kept apart. A missed merge costs a row, a wrong one a memory."""

MOVED: list[tuple[str, str, str | None]] = [
    ("Tom gave Ana the keys.", "Ana gave Tom the keys.", "order"),
    ("tom told ana that ben left", "ben told tom that ana left", "order"),
    ("A sea turtle hunts fish.", "A fish hunts turtles in the sea.", "order"),
    ("I flew from Rome to Oslo.", "I flew to Oslo from Rome.", None),
    (
        "Every Sunday Tom and I play chess in the park.",
        "Tom and I play chess in the park every Sunday.",
        None,
    ),
]


def reasons(admin: Admin, one: str, other: str) -> set[Any]:
    """What the guard says, whichever text comes first."""
    query = "select memory_api.text_difference(%s, %s)"
    return {row[0] for pair in ((one, other), (other, one)) for row in admin.execute(query, pair).fetchall()}


@pytest.mark.parametrize("kind", CHANGED)
def test_one_changed_fact_is_a_mismatch(admin: Admin, kind: str) -> None:
    slipped = [pair for pair in CHANGED[kind] if None in reasons(admin, *pair)]
    assert slipped == []


def test_a_true_restatement_is_none(admin: Admin) -> None:
    apart = [(pair, why) for pair in SAID_AGAIN if (why := reasons(admin, *pair)) != {None}]
    assert apart == []


@pytest.mark.parametrize(("one", "other", "why"), IN_DOUBT)
def test_a_doubt_is_a_mismatch(admin: Admin, one: str, other: str, why: str) -> None:
    assert reasons(admin, one, other) == {why}


@pytest.mark.parametrize(("one", "other", "why"), MOVED)
def test_one_phrase_may_move_and_nothing_may_change_places(
    admin: Admin, one: str, other: str, why: str | None
) -> None:
    assert reasons(admin, one, other) == {why}


def test_a_text_never_mismatches_itself(admin: Admin) -> None:
    for pair in [pair for pairs in CHANGED.values() for pair in pairs] + SAID_AGAIN:
        for text in pair:
            assert reasons(admin, text, text) == {None}, text


def test_there_are_sixty_of_each() -> None:
    assert (sum(map(len, CHANGED.values())), len(SAID_AGAIN)) == (60, 60)


def test_the_planner_asks_everything_else_first(admin: Admin) -> None:
    """Beside a function of the usual cost it is evaluated last, however the condition is written."""
    admin.execute(
        "create function pg_temp.cheaper(n text) returns boolean language plpgsql as 'begin return n > ''5''; end'"
    )
    plan = admin.execute(
        "explain select from unnest(array['1', '2']) n "
        "where memory_api.text_difference(n, '1') is null and pg_temp.cheaper(n)"
    ).fetchall()
    (condition,) = [str(line[0]) for line in plan if "Filter" in str(line[0])]
    assert condition.index("cheaper") < condition.index("text_difference")
