"""What people say has taken the place of something else: the old ends, the new holds."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements

Line = tuple[str | None, str | None, bool]


def lines(said: str) -> set[Line]:
    return {
        (form.attribute, form.value, form.holds)
        for fact in statements(said, None)
        if (form := canonical(fact))
    }


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("I'm in a shared house on Mill Road these days.", {("address", "mill road", True)}),
        ("My address is Flat 2, 88 Canal Street, Manchester M1 3HE.",
         {("address", "flat 2, 88 canal street, manchester m1 3he", True)}),
        ("I moved, new address is 5 High St. and all is well.", {("address", "5 high st", True)}),
        ("My address is wrong in the system.", set[Line]()),
        ("My address book is a mess.", set[Line]()),
        ("I have a new boss, Carla", {("manager", "carla", True)}),
        ("I report to Matteo now", {("manager", "matteo", True)}),
        ("My manager is Ilse Brandt.", {("manager", "ilse brandt", True)}),
        ("I have a new boss, great guy", set[Line]()),
        ("My deadline is 26 March.", {("deadline_date", "26 march", True)}),
        ("Deadline got extended to December 15",
         {("deadline_date", None, False), ("deadline_date", "december 15", True)}),
        ("My bike was stolen yesterday.", {("has", "bike", False)}),
        ("My sister's bike was stolen.", set[Line]()),
        ("My bike was stolen but I got it back.", set[Line]()),
        ("My watch has stolen the show.", set[Line]()),
        ("My sister moved, her new address is 12 Elm Road.", set[Line]()),
        ("My address is being verified.", set[Line]()),
        ("I report to Finance.", set[Line]()),
        ("My boss is South African.", set[Line]()),
        ("His trial was delayed to 3 June.", set[Line]()),
        ("Brexit was extended to October 31.", set[Line]()),
        ("I'm trying Zed instead of VS Code this week.", set[Line]()),
        ("I've started doing yoga on Monday evenings", {("likes", "yoga", True)}),
        ("I live with my boyfriend.", {("lives_with", "boyfriend", True)}),
        ("What's open late here in Malmö?", {("lives_in", "malmö", True)}),
        ("I'm starting at the aquarium in Bergen on Monday.", {("works_at", "aquarium in bergen", True)}),
        ("I handed in my notice at Brightwell.", {("works_at", "brightwell", False)}),
        ("Friday is my last day at Hartmann.", {("works_at", "hartmann", False)}),
        ("I got a job as a lab technician.", {("works_as", "lab technician", True)}),
        ("Nils and I ended it in June.", {("partner", "nils", False)}),
        ("I'm eating fish again, still no meat.", {("diet", "pescatarian", True)}),
        ("I'm eating fish again.", {("diet", "vegan", False), ("diet", "vegetarian", False), ("eats", "fish", True)}),
        ("I'm not a fan of meat, so not vegan any more is no news.", {("diet", "vegan", False)}),
        ("We started eating meat again.", {("diet", None, False), ("eats", "meat", True)}),
        ("The doctor stopped the ramipril because of my cough.", {("takes_medicine", "ramipril", False)}),
        ("I'm on losartan now instead of ramipril.",
         {("takes_medicine", "losartan", True), ("takes_medicine", "ramipril", False)}),
        ("I take Vyvanse now, not Adderall.",
         {("takes_medicine", "vyvanse", True), ("takes_medicine", "adderall", False)}),
        ("I don't take ramipril any more.", {("takes_medicine", "ramipril", False)}),
        ("I take 50 mg of levothyroxine.",
         {("takes_medicine", "levothyroxine", True), ("levothyroxine_dose", "50 mg", True)}),
        ("Doctor raised my levothyroxine to 75 micrograms.", {("levothyroxine_dose", "75 micrograms", True)}),
        ("My sertraline was lowered from 100 mg to 50 mg.", {("sertraline_dose", "50 mg", True)}),
        ("I started smoking again.", {("smokes", "anything", True), ("habit", "does not smoke", False)}),
        ("My new email is b@example.com.", {("email", "b@example.com", True)}),
        ("I have a new email address: b@example.com, please use it.", {("email", "b@example.com", True)}),
        ("I have a new number: 698 765 432.", {("phone", "698765432", True)}),
        ("me and Maya broke up", {("relationship_status", "in a relationship", False)}),
        ("they laid me off today", {("works_at", None, False)}),
        ("got rid of the civic", {("drives", "civic", False)}),
        ("Our CI runs on GitHub Actions now.", {("ci", "github actions", True), ("ci", None, False)}),
        ("We finally migrated from MySQL to Postgres 17 last weekend.",
         {("uses", "mysql", False), ("mysql_version", None, False), ("postgres_version", "17", True)}),
        ("I stopped going to the gym.", {("likes", "gym", False), ("has_given_up", "gym", True)}),
        ("I gave up on Korean.", {("learns", "korean", False)}),
        ("We use MySQL 8 in production.", {("mysql_version", "8", True)}),
        ("The dentist appointment was moved to December 9 at 10.",
         {("dentist_appointment_date", "december 9 at 10", True)}),
        ("The interview was cancelled.", {("interview_date", None, False), ("cancelled", "interview", True)}),
        ("I've given up dairy.", {("does_not_eat", "dairy", True)}),
        ("I eat eggs again, by the way.", {("does_not_eat", "eggs", False), ("eats", "eggs", True)}),
        ("I stopped the fags at New Year.", {("smokes", "anything", False)}),
        ("I'm switching my major to marine biology.", {("studies", "marine biology", True)}),
        ("We went with Valkey instead of Redis.", {("uses", "redis", False), ("uses", "valkey", True)}),
        ("There is no more warfarin for me.", {("takes_medicine", "warfarin", False)}),
    ],
)  # fmt: skip
def test_what_takes_the_place_of_something_else_is_read(said: str, wanted: set[Line]) -> None:
    assert wanted <= lines(said)


@pytest.mark.parametrize(
    "said",
    [
        "Should we use Valkey instead of Redis?",
        "I might hand in my notice.",
        "My last day at school was awful.",
        "I'm here in Spain for a week.",
        "There are three of us in front of the lift.",
        "My nephew lives in a drawer.",
        "He works as hard as he can, I work as usual.",
        "I feed it and run.",
    ],
)
def test_what_only_looks_like_a_change_is_not(said: str) -> None:
    assert not lines(said)
