"""Medicines, conditions, allergies and weights in everyday words."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements

Line = tuple[str | None, str | None, bool]


def lines(said: str) -> set[Line]:
    return {(form.attribute, form.value, form.holds) for form in map(canonical, statements(said, None))}


CANDESARTAN: set[Line] = {
    ("takes_medicine", "ramipril", False), ("ramipril_dose", None, False), ("takes_medicine", "candesartan", True),
}  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "The doctor changed my tablets. Ramipril made me cough, now I take candesartan.",
        "I was taking ramipril but now I take candesartan.",
        "had a cough from the ramipril so the doc switched me to candesartan",
        "The doctor took me off ramipril and put me on candesartan.",
        "My doctor switched me from ramipril to candesartan.",
        "Ramipril made me cough, now I take candesartan.",
    ],
)
def test_a_medicine_takes_the_place_of_another_and_its_dose(said: str) -> None:
    assert lines(said) == CANDESARTAN


@pytest.mark.parametrize(
    "said",
    [
        "My mum was on ramipril, it made her cough, now I take candesartan.",
        "I take ramipril and now also candesartan because ramipril alone made me cough.",
        "Does ramipril make you cough? I take candesartan now.",
        "Ramipril works well. I take candesartan too.",
        "I take warfarin. My doctor was on holiday, so the nurse put me on amoxicillin.",
        "I'm on apixaban. I stopped drinking and my doctor put me on sertraline.",
        "My uncle was on ramipril. I now take candesartan.",
        "I'm allergic to amoxicillin. The doctor put me on doxycycline instead, it made me sick.",
        "I take sertraline, and my migraines stopped since I now take propranolol.",
    ],
)
def test_two_medicines_alone_end_nothing(said: str) -> None:
    assert not [line for line in lines(said) if not line[2] and line[0] == "takes_medicine"]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("I'm on amlodipine.", {("takes_medicine", "amlodipine", True)}),
        ("I started on sertraline 50mg a week ago.",
         {("takes_medicine", "sertraline", True), ("sertraline_dose", "50mg", True)}),
        ("Doctor put me on ramipril 5 mg.",
         {("takes_medicine", "ramipril", True), ("ramipril_dose", "5 mg", True)}),
        ("I'm off the sertraline since last week.",
         {("takes_medicine", "sertraline", False), ("sertraline_dose", None, False)}),
        ("I'm lactose intolerant.", {("has_condition", "lactose intolerance", True)}),
        ("I have lactose intolerance.", {("has_condition", "lactose intolerance", True)}),
        ("I have gestational diabetes.", {("has_condition", "gestational diabetes", True)}),
        ("I have celiac disease and asthma.",
         {("has_condition", "celiac disease", True), ("has_condition", "asthma", True)}),
        ("I'm in a wheelchair.", {("has_condition", "wheelchair", True)}),
        ("My son is diabetic.", {("has_condition", "diabetes", True)}),
        ("My daughter is allergic to eggs, quite badly.", {("allergic_to", "eggs", True)}),
        ("My son is allergic to peanuts, very serious, we carry an EpiPen.", {("allergic_to", "peanuts", True)}),
        ("my son is allergic to cats, dogs and dust",
         {("allergic_to", "cats", True), ("allergic_to", "dogs", True), ("allergic_to", "dust", True)}),
        ("83.4 kg this morning", {("weight", "83.4 kg", True)}),
        ("weight 81.0 today!", {("weight", "81.0", True)}),
        ("dreamt that I weighed 120 kg lol", set[Line]()),
        ("I'm on the bus.", set[Line]()),
        ("I have asthma, and diabetes runs in my family.", {("has_condition", "asthma", True)}),
        ("My doctor won't put me on ozempic.", set[Line]()),
        ("down 10 kg now", set[Line]()),
        ("Weight: 20 kg", set[Line]()),
        ("100 kg today!", set[Line]()),
        ("I'm on leave.", set[Line]()),
        ("I have asthma and a dog.", {("has_condition", "asthma", True)}),
    ],
)  # fmt: skip
def test_what_is_said_of_the_body(said: str, wanted: set[Line]) -> None:
    assert {line for line in lines(said) if line[0] not in ("has", "habit")} == wanted
