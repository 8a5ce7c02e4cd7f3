"""Past work, groups, households, sales and bookings of the speaker, and the sentences beside them that say less."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.statements import statements


def found(text: str, speaker: str | None = None) -> set[tuple[str | None, str | None, bool]]:
    return {(fact.attribute, fact.value, fact.holds) for fact in statements(text, speaker)}


def texts(text: str, speaker: str | None = None) -> list[str]:
    return [fact.text for fact in statements(text, speaker) if fact.holds]


STATED = [
    ("I'm 66 and taught biology for twenty years.", "has_done", "taught biology for twenty years"),
    ("After nine years as a baker I'm moving on.", "was", "baker"),
    ("We're opening a bookshop in Kendal.", "goal", "open a bookshop in Kendal"),
    ("I drive a tram.", "works_as", "tram driver"),
    ("I repair organs for a living.", "works_in", "repairs organs for a living"),
    ("I'm a retired plumber.", "works_as", "retired"),
    ("I've been retired for six years.", "works_as", "retired"),
    ("I'm in a chess club.", "member_of", "chess club"),
    ("I've joined a gospel choir.", "member_of", "gospel choir"),
    ("We've been together eleven years.", "partner_since", "eleven years"),
    ("Marta and I have been together since 2016.", "partner", "Marta"),
    ("My grandmother lives with us.", "lives_with", "grandmother"),
    ("My brother has moved in with me.", "lives_with", "brother"),
    ("I live by the harbour.", "home", "by the harbour"),
    ("I live on the sixth floor.", "floor", "the sixth floor"),
    ("I have no car.", "has", "no car"),
    ("We've adopted a cat, Pickle.", "cat_name", "Pickle"),
    ("My supervisor is Dr Lindqvist.", "supervisor_name", "Dr Lindqvist"),
    ("My youngest boy, Anton, is at sea.", "son_name", "Anton"),
    ("Danish is my third language.", "speaks", "Danish"),
    ("On Tuesdays I swim with my sister.", "habit", "swims with their sister on Tuesdays"),
    ("I ring my mother every Sunday.", "habit", None),
    ("Had to put Tinker down yesterday.", "has_died", "Tinker"),
    ("I've torn my meniscus.", "injury", "has torn their meniscus"),
    ("I've given up the trombone.", "has_given_up", "the trombone"),
    ("Edgar here, 47, I mend clocks.", "name", "Edgar"),
    ("I'm Thai.", "is", "Thai"),
    ("I have curly red hair.", "looks", "curly red hair"),
    ("I no longer eat pork.", "does_not_eat", "pork"),
    ("I'm Edgar, retired teacher.", "name", "Edgar"),
    ("After ten years as a nurse, I'm opening a bakery.", "was", "nurse"),
    ("I've enrolled at an evening school.", "goal", "evening school"),
]


@pytest.mark.parametrize(("text", "attribute", "value"), STATED)
def test_a_plain_statement_is_read(text: str, attribute: str, value: str | None) -> None:
    facts = found(text)
    assert attribute in {one[0] for one in facts} if value is None else (attribute, value, True) in facts


LEFT_OUT = [
    ("I taught him for two years.", "has_done"),
    ("If I taught biology for twenty years I'd know.", "has_done"),
    ("Are you opening a bookshop?", "goal"),
    ("I'm opening a letter from the school.", "goal"),
    ("I drive a Fiat.", "works_as"),
    ("I don't repair organs for a living.", "works_in"),
    ("I'm owner of two fields.", "works_as"),
    ("I've retired for the night.", "works_as"),
    ("I'm in a choir rehearsal.", "member_of"),
    ("I might join a gospel choir.", "member_of"),
    ("Tom said he's in a chess club.", "member_of"),
    ("We've been together all afternoon.", "partner_since"),
    ("Marta and I have been together in this band since 2016.", "partner"),
    ("My grandmother would live with us.", "lives_with"),
    ("My brother is living with us for a month.", "lives_with"),
    ("Do you live by the harbour?", "home"),
    ("I live on the sixth floor.", "home"),
    ("I live on the sixth floor.", "lives_in"),
    ("I have no car keys with me.", "has"),
    ("My favourite detective is Mr Monk.", "detective_name"),
    ("Is Danish your third language?", "speaks"),
    ("On Tuesday I swam with my sister.", "habit"),
    ("I collect him on Fridays.", "habit"),
    ("Had to put the kettle down.", "has_died"),
    ("Toaster died.", "has_died"),
    ("Router died in the night.", "pet"),
    ("Rain here, 12, I love it.", "name"),
    ("I'm Thai.", "name"),
    ("I have both eyes on the road.", "looks"),
    ("I've a small hair salon.", "looks"),
    ("I've been seen by the eye clinic.", "looks"),
    ("I'm learning because my wife is from Lima.", "learns"),
    ("I like without asking.", "likes"),
    ("I'm bad at keeping anything of mine.", "skill"),
    ("I want to be a fly on the wall.", "goal"),
    ("I want to be a burden to nobody.", "goal"),
    ("I signed up for your reading circle.", "goal"),
    ("We started with nine people.", "works_at"),
    ("I study at the kitchen table.", "studies_at"),
    ("Target: Django 5, Postgres 17.", "uses"),
    ("I use no sprays.", "uses"),
    ("The office closes at six.", "closing_time"),
    ("After ten years as a customer, I'm leaving them.", "was"),
    ("After two years as friends, I'm in love.", "was"),
    ("Hot here, 35, I need a drink.", "name"),
    ("Crowded here, 40, I guess.", "age"),
    ("I go by Bike.", "preferred_name"),
    ("I go by Instinct.", "preferred_name"),
    ("I finish work at five today.", "habit"),
    ("My brother lives with me in the summer.", "lives_with"),
    ("I played with the idea for two years.", "has_done"),
    ("I managed to sleep for ten years.", "has_done"),
    ("My username is Dr Evil.", "username_name"),
    ("My cat was ill. The vet put him to sleep for the X-ray.", "has_died"),
]


@pytest.mark.parametrize(("text", "attribute"), LEFT_OUT)
def test_a_similar_sentence_states_no_such_fact(text: str, attribute: str) -> None:
    assert attribute not in {name for name, _, holds in found(text) if holds}


def test_a_sale_is_one_fact_that_ends_the_possession() -> None:
    assert texts("I sold the van in May.") == ["user sold the van in May."]
    assert ("drives", None, False) in found("I sold the van in May.")
    assert ("has", "a van", False) in found("I sold the van in May.")


def test_a_booking_is_no_registration() -> None:
    assert texts("I've booked the ferry to Harwich.") == ["user booked the ferry to Harwich."]
    assert texts("I signed up with the lifeboat crew.") == ["user signed up with the lifeboat crew."]
    assert texts("I signed up for a pottery course.") == ["user signed up for a pottery course."]


def test_a_value_does_not_end_within_a_word() -> None:
    measures = "temperatures, atmospheric pressures, precipitation, thunderstorms, hours of sunshine"
    (goal,) = texts(f"I want to build an extraordinarily weatherproof observatory: {measures}.")
    assert goal.endswith("atmospheric pressures.")


def test_among_persons_only_a_lasting_order_is_one_to_the_assistant() -> None:
    assert found("Be honest.", "Ines") == set()
    assert found("Don't say sorry.", "Ines") == set()
    assert ("instruction", "be honest", True) in found("Be honest.")
    assert ("instruction", "always answer in Dutch", True) in found("Always answer in Dutch.", "Ines")
    assert found("Don't ask me why.") == set()


def test_verbs_that_end_in_ing_are_no_participles() -> None:
    assert texts("I sing in a choir.") == ["user sings in a choir."]
    assert texts("I ring my mum every Sunday.") == ["user rings their mum every Sunday."]
