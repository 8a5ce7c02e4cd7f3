"""Sentences about replacements, endings and particulars with one value at a time."""

from __future__ import annotations

import re

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.clause_words import ADV
from memory_service.rules.facts.clauses import _ADV  # pyright: ignore[reportPrivateUsage]
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.facts.statements import statements
from tests.rules.test_successions import Line, lines

READ: list[tuple[str, set[Line]]] = [
    # one for another
    ("Traded the Corolla in for a Yaris.", {("drives", "corolla", False), ("drives", "yaris", True)}),
    ("I left Acme for Globex in May.", {("works_at", "acme", False), ("works_at", "globex", True)}),
    ("Ruff has replaced black in our hooks.", {("uses", "black", False), ("uses", "ruff", True)}),
    ("Oat milk replaces cream as our topping.", {("has", "cream", False), ("has_replaced", "oat milk", True)}),
    (
        "My doctor swapped the metformin for Ozempic.",
        {("takes_medicine", "metformin", False), ("takes_medicine", "ozempic", True)},
    ),
    ("I switched banks, I'm with Monzo now.", {("bank_name", "monzo", True)}),
    ("We moved, Dana is the new team lead.", {("manager", "dana", True)}),
    # what ends is remembered too
    ("Ana and I broke up last night.", {("partner", "ana", False), ("separated", "from ana", True)}),
    ("We ended it.", {("partner", None, False), ("separated", "relationship", True)}),
    ("We had to put Miso down on Friday.", {("pet", "miso", False), ("has_died", "miso", True)}),
    ("I sold the Panda last week.", {("drives", "panda", False), ("has_sold", "panda", True)}),
    ("I've walked out of the band.", {("member_of", "band", False), ("has_left", "band", True)}),
    ("My half marathon's off.", {("goal", "half marathon", False), ("cancelled", "half marathon", True)}),
    ("They cancelled my internship.", {("goal", "internship", False), ("cancelled", "internship", True)}),
    ("I haven't touched a cigarette since Easter.", {("smokes", "anything", False)}),
    ("me and jonas are official now", {("relationship_status", "single", False), ("partner", "jonas", True)}),
    # one value at a time
    ("Our wedding is on 14 June.", {("wedding_date", "14 june", True)}),
    ("Our wedding is on 14 May.", {("wedding_date", "14 may", True)}),
    ("The launch has moved to 3 May.", {("launch_date", "3 may", True)}),
    ("We've postponed the wedding to 30 August.", {("wedding_date", "30 august", True)}),
    ("My pottery has moved to Thursdays.", {("pottery_day", "thursdays", True)}),
    ("Our stand-up is at 9:15.", {("stand_up_time", "9:15", True)}),
    ("My office days changed: Tuesday and Thursday.", {("office_days", "tuesday and thursday", True)}),
    ("I've raised my rate to 65 an hour.", {("rate", "65 an hour", True)}),
    ("Our rent has gone up to 1,300.", {("rent", "1,300", True)}),
    ("We get our flour from Hadley Mill.", {("flour_supplier", "hadley mill", True)}),
    ("Our shop opens at nine.", {("opening_time", "nine", True)}),
    ("I'm down to 91 kilos.", {("weight", "91 kilos", True)}),
    ("My son is in Year 3.", {("school_grade", "year 3", True)}),
    ("We run it all, and python is 3.12 now.", {("python_version", "3.12", True)}),
    ("I'm on candesartan now, 8 mg.", {("takes_medicine", "candesartan", True)}),
    # without a subject, and in lists
    ("quit green leaf today, i need a drink", {("works_at", "green leaf", False)}),
    ("ok so mila is my gf", {("partner", "mila", True)}),
    ("We decided: 1) Redis goes, Valkey instead of Memcached. 2) Postgres 16", {("postgres_version", "16", True)}),
]  # fmt: skip
NOT_READ = [
    "Should Ruff replace black in our hooks?",
    "If the wedding is on 14 June I can come.",
    "She said our rent has gone up to 900.",
    "The meeting might be moved to Thursdays.",
    "Maybe the half marathon is off.",
    "I wonder whether they cancelled my internship.",
    'He told me: "I left Acme for Globex."',
    "Would you trade a Corolla in for a Yaris?",
    "I left the bank for a coffee.",
    "We open at page 9.",
    "My plane is at gate 4.",
    "I put up my hand to speak.",
    "I closed the lid at the end of the song.",
    "I'm sick, a doctor at the clinic told me.",
    "A nurse on the ward for two years said I look well.",
    "Tom proposed a new plan.",
    "Me and Tom are together on the project",
    "Ana and I are dating other people",
    "Mara and I are a thing of the past",
    "My niece was born yesterday, 3.2 kilos.",
    "Max quit smoking.",
    "Ben left us a note.",
    "Messi left, I'm gutted.",
    "The light is off.",
    "The train is cancelled.",
    "I'd like two instead of three sugars.",
    "My battery is at 20",
    "Her wedding is on 12 June.",
    "I quit cold turkey yesterday.",
    "I would prefer Mondays.",
    "I have dr pepper.",
    "I left the gym at 5.",
    "I left the church after the service.",
    "The car goes to my sister on weekends.",
    "I was reading, Dumbledore died.",
    "guess who's got a cold",
    "We've closed London on Monday for the holidays.",
    "I have to stop crying.",
    "I'm up to 3 pounds of coffee a week.",
    "Klara teaches at MIT.",
    "My dad bought a Volvo. The Golf goes to my brother.",
    "Real Madrid lost and the new manager is Xabi.",
    "According to my boss, Excel is dead.",
    "We might go to Fly.io instead of Heroku.",
    "I met a guy called Tom on the train.",
]


@pytest.mark.parametrize(("said", "wanted"), READ)
def test_it_is_read(said: str, wanted: set[Line]) -> None:
    assert wanted <= lines(said)


@pytest.mark.parametrize("said", NOT_READ)
def test_what_only_looks_like_it_is_not_read(said: str) -> None:
    assert not lines(said)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prod is on Postgres 15.", "Staging is on Postgres 16."),
        ("We get our coffee from Hasbean.", "We get our coffee from Ozone."),
        ("I charge 40 an hour.", "I charge 300 a day."),
        ("We open at 9 on weekdays.", "We open at 11 on Sundays."),
        ("My shift is at 9 on Monday.", "My shift is at 2 on Tuesday."),
        ("My lesson has moved to Mondays.", "My lesson has moved to Thursdays."),
    ],
)
def test_values_that_may_hold_at_once_do_not_exclude_each_other(one: str, other: str) -> None:
    for said in (one, other):
        (form,) = map(canonical, statements(said, None))
        assert form.cardinality == "many"


@pytest.mark.parametrize("adverbs", [ADV, _ADV])
def test_no_adverb_is_listed_twice(adverbs: str) -> None:
    """Two ways to read one word double the time with each of its repetitions."""
    words = re.findall(r"[a-z]+(?: [a-z]+)*", adverbs)
    assert len(words) > 20
    assert sorted(words) == sorted(set(words))


def test_a_named_person_has_facts_of_their_own() -> None:
    (form,) = map(canonical, statements("Klara moved to Graz, she told me.", None))
    assert (form.subject, form.attribute, form.value) == ("klara", "lives_in", "graz")


def test_a_sentence_of_which_a_pattern_reads_little_is_kept_whole() -> None:
    said = "I play the cello, and my manager moved our stroke ward to the new building behind Hull station."
    texts = [fact.text for fact in facts_in(said, None)]
    assert any("cello" in text and "stroke ward" in text for text in texts)
