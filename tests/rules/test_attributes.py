"""One form for what facts are about: rules and models that mean the same ask the same question."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.intake.episode import fields_of
from memory_service.rules.facts.attribute_names import FIXED, ONE, OPPOSES
from memory_service.rules.facts.attributes import CanonicalFact, canonical
from memory_service.rules.facts.statements import statements
from memory_service.types import CandidateFact


def _of(
    attribute: str | None, value: str | None, subject: str | None = "user", *, holds: bool = True
) -> CanonicalFact:
    return canonical(CandidateFact("…", subject, attribute, value, stated=True, holds=holds))


@pytest.mark.parametrize(
    ("attribute", "value", "asked", "answer", "cardinality"),
    [
        ("residence", "Berlin", "lives_in", "berlin", "one"),
        ("Home city", "the City of Berlin, Germany", "lives_in", "berlin", "one"),
        ("livesIn", "Berlin.", "lives_in", "berlin", "one"),
        ("current location", "New York", "lives_in", "new york", "one"),
        ("lives_in", "the Netherlands", "lives_in_country", "netherlands", "one"),
        ("lives_in", "Texas", "lives_in", "texas", "many"),
        ("lives_in", "a small apartment", "lives_in", "small apartment", "many"),
        ("lives in", "the suburbs", "lives_in", "suburbs", "many"),
        ("lives_in", "Salt Lake City", "lives_in", "salt lake city", "one"),
        ("lives_in", "the south of France", "lives_in", "south of france", "many"),
        ("Employer", "Acme Inc.", "works_at", "acme inc", "one"),
        ("company", "a startup called Blue Fox", "works_at", "blue fox", "one"),
        ("job", "a nurse", "works_as", "nurse", "one"),
        ("job title", "Nurse at the city hospital", "works_as", "nurse", "one"),
        ("is", "a pediatric nurse", "works_as", "pediatric nurse", "one"),
        ("is", "a huge sports fan", "likes", "sports", "many"),
        ("is", "a runner", "is", "runner", "many"),
        ("is", "retired", "works_as", "retired", "one"),
        ("is", "single", "relationship_status", "single", "one"),
        ("marital status", "Married", "relationship_status", "married", "one"),
        ("husband", "Tom", "partner", "tom", "one"),
        ("girlfriend_name", "Ana", "partner", "ana", "one"),
        ("dog_name", "Rex", "pet", "rex", "many"),
        ("is", "vegan", "diet", "vegan", "one"),
        ("diet", "gluten-free", "is", "gluten-free", "many"),
        ("vegetarian", "yes", "diet", "vegetarian", "one"),
        ("age", "thirty-five", "age", "35", "one"),
        ("age", "35 years old", "age", "35", "one"),
        ("birthday", "the fourth of May", "birthday", "05-04", "fixed"),
        ("date of birth", "1990-05-04", "birthday", "05-04", "fixed"),
        ("birthday", "May 4th, 1990", "birthday", "05-04", "fixed"),
        ("birthday", "on the twenty-first of March", "birthday", "03-21", "fixed"),
        ("birthday", "4. Mai", "birthday", "05-04", "fixed"),
        ("birthplace", "Warsaw", "born_in", "warsaw", "fixed"),
        ("born_in", "Poland", "born_in_country", "poland", "fixed"),
        ("born_in", "1990", "birth_year", "1990", "fixed"),
        ("born_in", "a small village", "born_in", "small village", "many"),
        ("favourite colour", "Green", "favorite_color", "green", "one"),
        ("has", "two dogs", "number_of_dogs", "2", "one"),
        ("has", "no kids", "number_of_children", "0", "one"),
        ("children", "2", "number_of_children", "2", "one"),
        ("drives", "an old red Skoda", "drives", "red skoda", "one"),
        ("has", "a dog", "has", "dog", "many"),
        ("has", "a cute new puppy called Rex", "has", "puppy", "many"),
        ("has", "a girlfriend", "relationship_status", "in a relationship", "one"),
        ("Hobbies", "the violin", "likes", "violin", "many"),
        ("likes", "el jazz", "likes", "jazz", "many"),
        ("avoids", "eat pork", "does_not_eat", "pork", "many"),
        ("avoids", "smoke", "does_not_smoke", "anything", "many"),
        ("lucky number", "7", "lucky_number", "7", "many"),
        ("likes", "Los Angeles", "likes", "angeles", "many"),  # compared, never shown
        ("lives_in", "Los Angeles", "lives_in", "los angeles", "one"),
    ],
)
def test_an_attribute_and_its_value_have_one_form(
    attribute: str, value: str, asked: str, answer: str, cardinality: str
) -> None:
    fact = _of(attribute, value)
    assert (fact.attribute, fact.value, fact.cardinality) == (asked, answer, cardinality)


@pytest.mark.parametrize(
    ("subject", "attribute", "form"),
    [
        ("User", "likes", "user"),
        ("the user", "likes", "user"),
        ("I", "likes", "user"),
        (None, "likes", "user"),
        (None, None, None),
        (" Caroline ", "likes", "caroline"),
        ("The User's sister", "likes", "user's sister"),
        ("my sister", "likes", "user's sister"),
        ("user’s Dog", "likes", "user's dog"),
    ],
)
def test_a_subject_has_one_form(subject: str | None, attribute: str | None, form: str | None) -> None:
    assert _of(attribute, "x", subject).subject == form


def test_likes_and_dislikes_of_the_same_thing_are_opposites() -> None:
    likes, hates = _of("loves", "Sushi"), _of("hates", "sushi!")
    assert (likes.attribute, likes.value) == (hates.opposes, hates.value)
    assert likes.opposes == hates.attribute
    assert all(OPPOSES[OPPOSES[attribute]] == attribute for attribute in OPPOSES)
    assert _of("lives_in", "Berlin").opposes is None


@pytest.mark.parametrize(
    ("denied", "value", "stated", "answer"),
    [
        ("is_not", "pregnant", "is", "pregnant"),
        ("is_not", "a runner", "is", "runner"),
        ("is_not", "a vegetarian", "diet", "vegetarian"),
        ("is_not", "married", "relationship_status", "married"),
        ("is_not", "retired", "works_as", "retired"),
        ("is", "not vegan", "diet", "vegan"),
        ("is_not_allergic_to", "The nuts", "allergic_to", "nuts"),
        ("does_not_have_condition", "Asthma", "has_condition", "asthma"),
    ],
)
def test_a_denial_opposes_what_it_denies(denied: str, value: str, stated: str, answer: str) -> None:
    fact = _of(denied, value)
    assert (fact.opposes, fact.value, fact.holds) == (stated, answer, True)
    assert fact.attribute == _of(stated, answer).opposes
    assert fact.cardinality == "many"


def test_a_denied_state_is_an_ending() -> None:
    fact = _of("vegetarian", "no")
    assert (fact.attribute, fact.value, fact.holds) == ("diet", "vegetarian", False)


def test_an_ending_of_whatever_it_was_has_no_value() -> None:
    fact = _of("girlfriend", None, holds=False)
    assert (fact.attribute, fact.value, fact.holds) == ("partner", None, False)


def test_rules_and_a_model_ask_the_same_question() -> None:
    (said,) = statements("I live in Berlin.", None)
    written = _of("city of residence", "Berlin, Germany", "User")
    here = canonical(said)
    assert (here.subject, here.attribute, here.value) == (written.subject, written.attribute, written.value)


@given(st.sampled_from(sorted(ONE | FIXED | set(OPPOSES))), st.text(max_size=30), st.text(max_size=30))
def test_the_form_of_a_form_is_itself(attribute: str, value: str, subject: str) -> None:
    once = _of(attribute, value, subject)
    again = canonical(CandidateFact(once.text, once.subject, once.attribute, once.value, holds=once.holds))
    assert again.subject == once.subject
    assert again.attribute == once.attribute
    assert once.attribute is None or once.cardinality in ("one", "fixed", "many")


@given(st.text(max_size=40) | st.none(), st.text(max_size=40) | st.none(), st.text(max_size=40) | st.none())
def test_nothing_that_a_model_writes_is_too_odd(
    subject: str | None, attribute: str | None, value: str | None
) -> None:
    fact = _of(attribute, value, subject)
    assert fact.attribute is None or (fact.attribute and fact.attribute == fact.attribute.lower())
    assert fact.subject is None or fact.subject == fact.subject.strip()


def test_a_candidate_comes_back_from_its_episode_as_it_went_in() -> None:
    fact = CandidateFact("User left Berlin.", "user", "lives_in", "Berlin", stated=True, holds=False)
    assert CandidateFact(**fields_of(fact)) == fact


def test_a_candidate_written_before_endings_were_known_holds() -> None:
    row: dict[str, Any] = {
        "text": "User lives in Berlin.",
        "subject": "user",
        "attribute": None,
        "value": None,
        "stated": True,
    }
    assert CandidateFact(**row).holds


@pytest.mark.parametrize(
    ("value", "attribute", "kept"),
    [
        ("a dad", "identity", "dad"),
        ("a recovering alcoholic", "identity", "recovering alcoholic"),
        ("an only child", "identity", "only child"),
        ("a twin", "identity", "twin"),
        ("a member of the green party", "member_of", "green party"),
        ("a member of staff", "is", "member of staff"),
        ("pregnant", "is", "pregnant"),
        ("a dog person", "is", "dog person"),
        ("a twin-engine pilot", "works_as", "twin-engine pilot"),
        ("alive", "is", "alive"),
    ],
)
def test_what_a_person_is_for_years_has_an_attribute_that_decays_slowly(
    value: str, attribute: str, kept: str
) -> None:
    form = canonical(CandidateFact("…", "user", "is", value))
    assert (form.attribute, form.value) == (attribute, kept)
    denied = canonical(CandidateFact("…", "user", "is_not", "a christian"))
    assert (denied.attribute, denied.opposes) == ("identity_is_not", "identity")
