"""Reference resolution: pronouns at the start of a sentence."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.references import resolved
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.text.sentences import sentences

READ = [
    ("My sister lives in Oslo. She's a nurse.", ("user's sister", "works_as", "nurse")),
    ("I have a new boss. He lives in Kent.", ("user's manager", "lives_in", "kent")),
    ("My dog Rex is old. He has arthritis.", ("user's dog rex", "has_condition", "arthritis")),
    ("got a kitten!! hes called biscuit", ("user", "pet", "biscuit")),
    (
        "My brother is called Leo. And he's allergic to shellfish.",
        ("user's brother", "allergic_to", "shellfish"),
    ),
    ("We've just adopted a dog. He's deaf.", ("user's dog", "has_condition", "deaf")),
    ("My dog was in pain. The vet put him to sleep.", ("user", "alive", "dog")),
    ("My brother is a nurse. He is 40.", ("user's brother", "age", "40")),
    ("Tom's allergic to nuts. He's lactose intolerant.", ("tom", "has_condition", "lactose intolerance")),
    ("Tom's allergic to nuts and he's diabetic.", ("tom", "has_condition", "diabetes")),
    ("my son is allergic to nuts, and he's vegan", ("user's son", "diet", "vegan")),
    ("My sister lives in the city. She's a nurse.", ("user's sister", "works_as", "nurse")),
    ("My dog was ill a week ago. He is 9.", ("user's dog", "age", "9")),
]
UNCHANGED = [
    "My sister and her husband moved. He works at Shell.",
    "My sister saw my brother. He works at Shell.",
    "My husband retired. She works at Shell.",
    "My parents are here. She works at Shell.",
    "My mother met the doctor. She is 71.",
    "My sister's flat is nice. She works at Shell.",
    "My sister Anna's friend came. She works at Shell.",
    "My brother Tom's boss is ill. He is 60.",
    "I like Oslo. She works at Shell.",
    "My wife loves Madonna. She's 65.",
    "Anna visited my brother. She works at Shell.",
    "They have a dog. He is 3.",
    "She has a son. He's 4.",
    "He got a cat. She is 4 years old.",
    "Tom has moved and got a cat. He is 4 years old.",
    "My upstairs neighbour has a dog. He's deaf.",
    "My neighbour has a dog. He's deaf.",
    "My dog bit the postman. He is 52.",
    "My wife likes the mayor. She is 60.",
    "My brother hired an accountant. He is 40.",
    "My cat scratched the vet. She works at Shell.",
    "My cat is at the vet. She works at Shell.",
    "My brother is a friend of the mayor. He is 60.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_a_pronoun_is_read_as_the_person_of_the_sentence_before(
    text: str, wanted: tuple[str, str, str]
) -> None:
    found = map(canonical, facts_in(text, None))
    assert wanted in {(fact.subject, fact.attribute, fact.value) for fact in found}


@pytest.mark.parametrize(
    "text",
    [
        "my wife is allergic to nuts and he's vegan", "My brother met Ben and he's vegan.",
        "I met my brother with Ben and he's vegan.", "My sister's flat is small and she's vegan.",
        "My parents are old and he's vegan.", "If my son is allergic to nuts and he's vegan, what do I cook?",
        "I think my son is allergic to nuts and he's vegan.", "Tom's allergic to nuts like Ben. He's vegan.",
        "Dinner was great but he's vegan.", "School started and she's vegan.", "Paris is great and she's vegan.",
        "Tom came over and she's vegan.", "Tom's allergic to nuts. She's vegan.", "Tom's vegan cake fell. He's vegan.",
        "My brother is dating someone and he's vegan.",
    ],
)  # fmt: skip
def test_a_pronoun_within_a_sentence_that_may_mean_another_states_nothing(text: str) -> None:
    assert "vegan" not in {canonical(fact).value for fact in facts_in(text, None)}


@pytest.mark.parametrize("text", UNCHANGED)
def test_nothing_is_replaced_where_the_person_is_not_certain(text: str) -> None:
    said = sentences(text)
    assert list(resolved(said)) == list(said)


def test_a_second_noun_ends_the_reference() -> None:
    said = ["My brother is tall.", "He hired an accountant.", "He is 40."]
    assert list(resolved(said)) == ["My brother is tall.", "my brother hired an accountant.", "He is 40."]


def test_a_person_is_followed_over_several_sentences() -> None:
    said = ["My sister lives in Oslo.", "She's a nurse.", "She has two cats."]
    assert list(resolved(said)) == [
        "My sister lives in Oslo.",
        "my sister's a nurse.",
        "my sister has two cats.",
    ]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Tom's allergic to nuts and his sister is vegan", {"nuts"}),
        ("Tom's allergic to nuts and Ben is here", {"nuts"}),
        ("I'm allergic to nuts, eggs and my wife's sister isn't", {"nuts", "eggs"}),
        ("I'm allergic to nuts and shellfish", {"nuts", "shellfish"}),
    ],
)
def test_an_enumeration_ends_at_the_next_clause(text: str, values: set[str]) -> None:
    forms = map(canonical, facts_in(text, None))
    assert {form.value for form in forms if form.attribute == "allergic_to"} == values
