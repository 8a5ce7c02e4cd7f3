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
        ("I'm allergic to nothing haha, except latex gloves.", {("allergic_to", "latex gloves", True)}),
        ("I'm allergic to nothing but penicillin.", {("allergic_to", "penicillin", True)}),
        ("I'm allergic to nothing but nonsense.", set[Line]()),
        ("I'm allergic to nothing.", set[Line]()),
        ("actually i was wrong its not kiwi im allergic to, doctor did a test and its latex + banana. kiwi is fine",
         {("allergic_to", "kiwi", False), ("allergic_to", "latex", True), ("allergic_to", "banana", True)}),
        ("It's not cats I'm allergic to but dust mites.",
         {("allergic_to", "cats", False), ("allergic_to", "dust mites", True)}),
        ("It's not peanuts I'm allergic to.", {("allergic_to", "peanuts", False)}),
        ("Maybe it's not peanuts I'm allergic to.", set[Line]()),
        ("It's not just peanuts I'm allergic to.", set[Line]()),
        ("If it's not cats I'm allergic to, what is it?", set[Line]()),
        ("My sister says it's not cats I'm allergic to, it's dust.", set[Line]()),
        ("my doctor swapped methotrexate for adalimumab",
         {("takes_medicine", "methotrexate", False), ("methotrexate_dose", None, False),
          ("takes_medicine", "adalimumab", True)}),
        ("the ramipril gave me a cough so now its candesartan eight milligrams instead",
         {("takes_medicine", "ramipril", False), ("ramipril_dose", None, False),
          ("takes_medicine", "candesartan", True), ("candesartan_dose", "eight milligrams", True)}),
        ("Now it's candesartan for my brother.", set[Line]()),
        ("Ramipril gave me a cough, now it's candesartan for my brother.", set[Line]()),
        ("I took ramipril, now it's candesartan for him.", set[Line]()),
        ("I was on ramipril, now it's candesartan",
         {("takes_medicine", "ramipril", False), ("ramipril_dose", None, False),
          ("takes_medicine", "candesartan", True)}),
        ("I gave the cat prednisolone, now it's insulin", set[Line]()),
        ("my dad called me, now it's warfarin", set[Line]()),
        ("tell me if now it's candesartan", set[Line]()),
        ("they gave me grief, now it's lithium batteries", set[Line]()),
        ("my tablets are gone, now it's lithium batteries", set[Line]()),
        ("my tablets are gone, the vet says now it's insulin", set[Line]()),
        ("I'm so tired of Ozempic ads, now it's Wegovy", set[Line]()),
        ("at work I sold Viagra, now they gave me Ozempic to market", set[Line]()),
        ("I take twenty five mg of sertraline",
         {("takes_medicine", "sertraline", True), ("sertraline_dose", "twenty five mg", True)}),
        ("I take around 50 mg of sertraline", set[Line]()),
        ("I take exactly 50 mg of sertraline", set[Line]()),
        ("it's not gluten I'm allergic to, it's fine", {("allergic_to", "gluten", False)}),
        ("it's not gluten I'm allergic to, it's complicated", {("allergic_to", "gluten", False)}),
        ("it's not gluten I'm allergic to, my sister thinks it's eggs", set[Line]()),
        ("it's not nuts I'm allergic to according to Tom, but he's wrong", set[Line]()),
        ("My dad's blood pressure was bad, now it's candesartan.", set[Line]()),
        ("its candesartan sixteen now not eight", {("candesartan_dose", "sixteen", True)}),
        ("its sixteen now not eight", set[Line]()),
        *((text, set[Line]()) for text in (
            "my mum's dose changed, it's ramipril five now not ten",
            "my mum's dose changed. It's ramipril five now not ten",
            "for my dad it's ramipril 5 now not 10",
            "it's ramipril 5 now not 10, said my dad",
            "the dog is better, it's prednisolone five now not ten",
            "in the trial it's metformin 500 now not 1000",
            "it's ramipril ten now not five?",
            "it's ramipril 5 now not 10 boxes",
        )),
        ("my back is bad, slipped disc L5", {("has_condition", "slipped disc", True)}),
        ("my back is bad, slipped on the stairs", set[Line]()),
        ("My dad's back is bad, slipped disc", set[Line]()),
        ("you have to know im hard of hearing the left ear is pretty much gone",
         {("has_condition", "hard of hearing", True)}),
        ("You should know if I'm diabetic.", set[Line]()),
    ],
)  # fmt: skip
def test_what_is_said_of_the_body(said: str, wanted: set[Line]) -> None:
    assert {line for line in lines(said) if line[0] not in ("has", "habit")} == wanted


@pytest.mark.parametrize(
    "said",
    [
        "My walnut allergy is gone.",
        "my walnut allergy's finally gone",
        "I outgrew my walnut allergy.",
        "I've grown out of my walnut allergy at last",
        "Well, my walnut allergy has cleared up, thank goodness",
    ],
)
def test_an_allergy_that_is_gone_has_ended(said: str) -> None:
    allergy = {line for line in lines(said) if line[0] == "allergic_to"}
    assert allergy == {("allergic_to", "walnut", False), ("allergic_to", "walnuts", False)}


@pytest.mark.parametrize(
    "said",
    [
        "My walnut allergy is gone for now",
        "My walnut allergy isn't gone",
        "My walnut allergy is over the top",
        "My walnut allergy might be gone",
        "My walnut allergy medicine is gone",
        "I haven't outgrown my walnut allergy",
        "I never outgrew my walnut allergy",
        "My walnut allergy is back",
    ],
)
def test_an_allergy_that_lasts_has_not_ended(said: str) -> None:
    assert {line for line in lines(said) if line[0] == "allergic_to"} == {("allergic_to", "walnut", True)}


@pytest.mark.parametrize(
    "said",
    [
        "I hope I outgrew my walnut allergy",
        "I think my walnut allergy is gone",
        "My walnut allergy is gone, or so I thought",
        "If my walnut allergy is gone, I can eat cake",
        "Is my walnut allergy gone?",
        "My brother says I outgrew my walnut allergy",
    ],
)
def test_an_allergy_whose_end_is_in_doubt_neither_ends_nor_holds(said: str) -> None:
    assert not [line for line in lines(said) if line[0] == "allergic_to"]
