"""What takes back an earlier fact without naming it, and what only sounds like it."""

from __future__ import annotations

import pytest

from tests.rules.said import Found, found, said_after

RESUMED: list[tuple[str, set[Found]]] = [
    ("I take back my resignation", {("job_resumed", "resignation", True)}),
    ("I've withdrawn my notice.", {("job_resumed", "resignation", True)}),
    ("I took my resignation back yesterday.", {("job_resumed", "resignation", True)}),
    ("I'm not leaving my job after all.", {("job_resumed", "resignation", True)}),
    ("My resignation is off the table now.", {("job_resumed", "resignation", True)}),
    ("I'm back on coffee, by the way", {("does_not_eat", "coffee", False), ("drinks", "coffee", True)}),
    ("we're back to eating meat", {("does_not_eat", "meat", False), ("eats", "meat", True)}),
    ("I'm back on the cigarettes", {("smokes", "anything", True)}),
    ("I'm back on sertraline", {("takes_medicine", "sertraline", True)}),
    ("eating fish sometimes now", {("does_not_eat", "fish", False), ("eats", "fish", True)}),
    ("I do eat eggs now", {("does_not_eat", "eggs", False), ("eats", "eggs", True)}),
    ("ida is eating fish now", {("does_not_eat", "fish", False)}),
    ("my son is eating fish now", {("does_not_eat", "fish", False)}),
    ("started smoking again", {("smokes", "anything", True), ("does_not_smoke", "anything", False)}),
    ("i drink again", {("does_not_drink", "alcohol", False), ("drinks", "alcohol", True)}),
    ("leo dumped me", {("partner", "leo", False)}),
    ("the engagement is off", {("relationship_status", "engaged", False)}),
    ("my marriage is over", {("partner", None, False), ("relationship_status", "married", False)}),
    ("finn and I are a couple", {("partner", "finn", True)}),
    ("dating someone, Femi", {("partner", "femi", True)}),
    ("Uwe and me are close now", {("dislikes", "uwe", False), ("friend", "uwe", True)}),
    ("Bram is our drummer now", {("drummer_name", None, False), ("drummer_name", "bram", True)}),
    ("new plumber is Sonia Petrou", {("plumber_name", None, False), ("plumber_name", "sonia petrou", True)}),
    ("my new teacher is Bo Li", {("teacher_name", None, False), ("teacher_name", "bo li", True)}),
    ("dave lunt retired!!", {("role_held_by", "dave lunt", False)}),
    ("Hana left the company", {("work_role_held_by", "hana", False)}),
    ("Dr Bell left the practice", {("practice_role_held_by", "dr bell", False)}),
    ("Hana no longer teaches", {("school_role_held_by", "hana", False)}),
    ("drinking coffee again", {("does_not_drink", "coffee", False)}),
    ("gave up on the marathon", {("goal", "marathon", False)}),
    ("giving up on the marathon thing, my knee says no", {("goal", "marathon", False)}),
    (
        "passed my driving test first try!!",
        {("appointment", "driving test", False), ("goal", "driving test", False)},
    ),
    ("I passed my bar exam", {("goal", "bar exam", False), ("bar_exam_date", None, False)}),
    ("we signed for the house in Freiburg today!!", {("goal", "buy a house in freiburg", False)}),
    ("We bought an apartment!", {("goal", "buy an apartment", False)}),
    ("we're not moving to Munich after all", {("goal", "move to munich", False)}),
    ("not moving to Munich after all", {("goal", "move to munich", False)}),
    ("the move to Munich is off", {("goal", "move to munich", False)}),
    ("I decided against moving to Munich", {("goal", "move to munich", False)}),
    ("I stopped the pottery course", {("likes", "pottery course", False), ("goal", "pottery course", False)}),
    ("my surgery was cancelled", {("surgery_date", None, False), ("cancelled", "surgery", True)}),
    ("the hospital cancelled my knee op", {("knee_op_date", None, False), ("cancelled", "knee op", True)}),
    (
        "consulate moved my visa thing to january 8",
        {("visa_date", None, False), ("visa_date", "january 8", True)},
    ),
    (
        "knee op has been pushed back to january 12",
        {("knee_op_date", None, False), ("knee_op_date", "january 12", True)},
    ),
    (
        "my thesis is now due february 28",
        {("thesis_deadline_date", None, False), ("thesis_deadline_date", "february 28", True)},
    ),
    ("we decided against Kafka, it's RabbitMQ", {("uses", "kafka", False), ("uses", "rabbitmq", True)}),
    ("we decided against the marathon idea", {("goal", "marathon", False)}),
    ("We decided against React.", {("uses", "react", False)}),
    ("our relationship is over", {("relationship_status", "in a relationship", False)}),
    ("loan is paid off", {("goal", "loan", False), ("paid_off", "loan", True)}),
    ("I do IT consulting freelance", {("works_as", "freelance it consulting", True)}),
    ("I changed job, am now at Panasonic, since august 1", {("works_at", "panasonic", True)}),
    ("left Nokia, now with Ericsson", {("works_at", "nokia", False), ("works_at", "ericsson", True)}),
    ("I'm at Stripe now", {("works_at", "stripe", True)}),
    ("I'm now at Bosch", {("works_at", "bosch", True)}),
    ("I'm at Netflix as a designer", {("works_at", "netflix", True)}),
    ("In Brussels now, rue Haute", {("lives_in", "brussels", True)}),
    ("i passed my driving test", {("habit", "does not drive", False), ("learns", "to drive", False)}),
]
NOTHING_RESUMED = [
    "Should I take back my resignation?",
    "My boss won't let me take back my resignation.",
    "I would take back my resignation for a raise.",
    "I withdrew my notice of appeal.",
    "I'm not leaving my job after all these years without a fight.",
    "I'm not resigning after all that work.",
    "I'm not leaving my job after all, not until May.",
    "I'm not leaving my job yet, my notice ends in May.",
    "I withdrew my resignation in 2015 and stayed another year.",
    "I took back my resignation and then resigned again.",
    "I take back my resignation if they double my pay.",
    "I withdrew my resignation as treasurer.",
    "I took back my resignation letter to fix a typo.",
    "My resignation is off my desk.",
    "I'm taking my resignation back to HR with a signature.",
    "I'm back on track",
    "I'm back on Monday",
    "I'm back to work",
    "back on the train",
    "eating dinner now",
    "I do eat at noon",
    "I do the cooking",
    "I do it freelance",
    "I drink again from my bottle",
    "Spotify dumped me to the login page",
    "spotify dumped me out",
    "the app dumped me",
    "my sister's engagement is off",
    "Is the engagement off?",
    "the camera is off",
    "my marriage is over 20 years old",
    "our relationship is over budget",
    "sleep and I are together",
    "Leo and I are close to the end",
    "Tom is my hero now",
    "gave up on the bug",
    "my loan is almost paid off",
    "I'm at Tesco now",
    "I'm at Google Maps now",
    "in Berlin now, bored",
    "the old server retired",
    "If Hana left the company, we would be sad.",
    "Anna left the band",
    "London left the team",
    "netflix left the team",
    "Queen Elizabeth retired",
    "netflix and I are a couple",
    "Netflix and I are a couple",
    "wine and I are an item",
    "sarcasm and I are dating",
    "steam dumped me",
    "Steam dumped me",
    "I'm drinking again, water this time",
    "drinking coffee now",
    "I'm drinking coffee now",
    "gave up on the dog",
    "I'm at Uber",
    "I'm at Stripe",
    "I'm at Netflix now",
    "I do nothing freelance",
    "I'm eating meat again tonight in a dream",
    "I am eating fish again only this week",
]


@pytest.mark.parametrize(("text", "expected"), RESUMED)
def test_what_is_taken_back(text: str, expected: set[Found]) -> None:
    assert expected <= found(text), found(text)
    assert said_after(text)[0], "refused by the gate"


@pytest.mark.parametrize("text", NOTHING_RESUMED)
def test_what_only_sounds_like_it(text: str) -> None:
    assert found(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I've been dating someone, Leeds",
        "sugar and I broke up",
        "Sugar and I broke up",
        "My relationship is done",
    ],
)
def test_no_partner_is_stated_or_ended(text: str) -> None:
    assert not [form for form in found(text) if form[0] == "partner" or form[1] == "married"]


@pytest.mark.parametrize(
    "text",
    [
        "I am eating meat again this week only for the festival",
        "I'm eating fish again tonight",
        "I'm back on coffee this week",
        "we're eating meat again for now",
    ],
)
def test_a_meal_ends_no_diet(text: str) -> None:
    assert not [form for form in found(text) if not form[2]]


@pytest.mark.parametrize(
    "text",
    [
        "I'm not giving up on the marathon",
        "we're not moving to Munich until March",
        "we're not moving to Munich yet",
        "My sister is not moving to Munich after all",
        "we almost bought the house in Freiburg",
        "we bought a house in 2019",
        "we bought a car for my dad",
        "I want to pass my bar exam",
        "I passed the salt",
        "I decided against the house",
        "I stopped the main course",
        "the school moved my son's exam to march 3",
        "the office moved my desk to room 4",
        "the bank cancelled my card",
        "they said my surgery was cancelled",
        "if we decided against Kafka, it's RabbitMQ",
        "I decided against React for this landing page",
        "we decided against fish",
        "we decided against the beach today, too windy",
        "we decided against the beach",
        "giving up on the beach today",
        "giving up on my husband",
        "giving up on my old mum",
        "giving up on my students",
        "I passed my bar exam in 2010",
        "I passed my bar exam ten years ago",
        "I passed my driving test in 2009",
        "my surgery was cancelled in 2019, long story",
        "my agent is Stuck now",
        "my agent is Cursor now",
        "the school moved my daughter to june 3",
    ],
)
def test_no_plan_is_over(text: str) -> None:
    assert not [form for form in found(text) if not form[2]]


def test_a_choice_against_one_tool_names_the_other_only_at_its_end() -> None:
    for text in (
        "we decided against Kafka, it's RabbitMQ that was worse",
        "we decided on fish",
        "we settled on rest",
    ):
        assert not [form for form in found(text) if form[0] == "uses" and form[2]], text


def test_the_school_moves_an_exam_but_no_child() -> None:
    assert found("the school moved my exam to june 3") == {
        ("exam_date", None, False),
        ("exam_date", "june 3", True),
    }
    for text in ("the school moved my daughter to june 3", "the office moved my desk to june 3"):
        assert found(text) == set(), text


def test_the_new_date_of_a_single_event_holds() -> None:
    assert found("my wedding was moved to june 8") == {("wedding_date", "june 8", True)}


def test_a_joke_takes_back_the_last_sentence() -> None:
    for joke in ("just kidding", "haha jk", "I was joking!"):
        facts = said_after("My name is Tom. I'm moving to Antarctica", joke)[1]
        assert [(fact.attribute, fact.holds) for fact in facts] == [("goal", False)], joke
    stated = "I live in Leeds and I'm allergic to peanuts."
    assert said_after(stated, "just kidding")[1] == ()
    assert said_after("I'm called Tom, and my sister is Ann", "jk")[1] == ()
    for other in ("just kidding around with her", "I was joking about the food", "not kidding"):
        assert said_after("I'm moving to Antarctica", other)[1] == (), other


def test_a_birth_years_ago_ends_no_pregnancy() -> None:
    assert found("My son was born yesterday 3 years ago") == set()
