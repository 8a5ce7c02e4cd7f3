"""Wishes that state no fact, names of gifts that are no persons, and lists of medicines."""

from __future__ import annotations

import pytest

from tests.rules.test_successions import Line, lines


@pytest.mark.parametrize(
    "sentence",
    [
        "I want to work at Google and live in Zurich.",
        "I want to move abroad and live in Zurich.",
        "I'd love to work at Google and live in Zurich.",
        "I'd love to live by the sea.",
        "I hope to retire and live in Portugal.",
        "I wish I could quit and live in Rome.",
        "I dream of living in Lisbon.",
        "If I lived in Rome I'd eat pasta daily.",
        "I'm trying to save and live in a van.",
        "I plan to finish my degree and work at Siemens.",
        "My plan is to quit my job and live in Bali.",
        "I'd rather live in Rome.",
        "I need to move out and live in Leeds.",
        "I'm going to move abroad and live in Zurich.",
        "I'm supposed to move out and live in Leeds.",
    ],
)
def test_a_wish_states_no_home_or_work(sentence: str) -> None:
    assert not [line for line in lines(sentence) if (line[0] or "").startswith(("lives_in", "works_at"))]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "I work at Google and live in Zurich.",
            {("works_at", "google", True), ("lives_in", "zurich", True)},
        ),
        ("I study and live in Zurich.", {("lives_in", "zurich", True)}),
        ("I used to want to move but I live in Zurich.", {("lives_in", "zurich", True)}),
        ("I want to learn Greek and I live in Athens.", {("lives_in", "athens", True)}),
        ("I have to commute and live in Leeds.", {("lives_in", "leeds", True)}),
        ("I'm going to therapy and take sertraline.", {("takes_medicine", "sertraline", True)}),
        ("I could sleep all day and take sertraline.", {("takes_medicine", "sertraline", True)}),
        ("I'm supposed to be resting and take metformin.", {("takes_medicine", "metformin", True)}),
        ("I need to be careful and take warfarin every day.", {("takes_medicine", "warfarin", True)}),
        ("I'm going to university and work at Tesco.", {("works_at", "tesco", True)}),
        ("I'm going to school in Leeds and live in Bradford.", {("lives_in", "bradford", True)}),
        ("I'm able to eat anything and work at Tesco.", {("works_at", "tesco", True)}),
    ],
)
def test_a_second_verb_states_a_fact_where_nothing_is_wished(sentence: str, expected: set[Line]) -> None:
    assert expected <= set(lines(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "my sister might want one",
        "my brother should come",
        "I bought my daughter Lego.",
        "I bought my daughter Lego for her birthday.",
        "I got my son Minecraft.",
        "I taught my son Python.",
        "I bought my dog Royal Canin.",
    ],
)
def test_a_modal_or_a_gift_is_no_name(sentence: str) -> None:
    assert not [line for line in lines(sentence) if line[0] in ("child", "sibling", "pet")]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I bought my daughter Ada a bike.", {("child", "ada", True)}),
        ("I told my daughter Ada to wait.", {("child", "ada", True)}),
        ("I named my daughter Ada.", {("child", "ada", True)}),
        ("I got my dog Rex from a shelter.", {("pet", "rex", True)}),
        ("We got our dog Rex in 2020.", {("pet", "rex", True)}),
        ("I got my dog Rex vaccinated.", {("pet", "rex", True)}),
        ("my sister anna wants one", {("sibling", "anna", True)}),
    ],
)
def test_a_person_who_is_given_something_has_a_name(sentence: str, expected: set[Line]) -> None:
    assert expected <= set(lines(sentence))


@pytest.mark.parametrize("sentence", ["I use climbing to relax.", "I use running as therapy.", "I use yoga."])
def test_an_activity_is_no_tool(sentence: str) -> None:
    assert not [line for line in lines(sentence) if line[0] == "uses"]


@pytest.mark.parametrize(
    ("sentence", "medicines"),
    [
        ("I take metformin and lisinopril.", {"metformin", "lisinopril"}),
        (
            "I take metformin, lisinopril and atorvastatin every day.",
            {"metformin", "lisinopril", "atorvastatin"},
        ),
        ("I'm on metformin and ramipril.", {"metformin", "ramipril"}),
        ("I take sertraline and vitamin D.", {"sertraline", "vitamin d"}),
        ("I take metformin and walk every day.", {"metformin"}),
        ("I take metformin and my wife takes lisinopril.", {"metformin"}),
        ("I take metformin with food and water.", {"metformin"}),
        ("I take metformin in the morning and coffee at night.", {"metformin"}),
        ("I don't take metformin and lisinopril together.", set[str]()),
        ("I take sertraline and metformin was stopped.", {"sertraline"}),
        ("I take sertraline and metformin 500 mg was stopped.", {"sertraline"}),
        ("I take sertraline and metformin didn't help.", {"sertraline"}),
        ("I took metformin and lisinopril last year.", set[str]()),
    ],
)
def test_each_medicine_of_a_list_is_read(sentence: str, medicines: set[str]) -> None:
    assert {value for attribute, value, _ in lines(sentence) if attribute == "takes_medicine"} == medicines


def test_each_medicine_has_its_own_dose() -> None:
    read = lines("I take 5 mg of amlodipine in the morning and 10 mg of atorvastatin at night.")
    assert {("amlodipine_dose", "5 mg", True), ("atorvastatin_dose", "10 mg", True)} <= set(read)
