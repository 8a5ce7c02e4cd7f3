"""A newer sentence that names what takes the place of the former value, and descriptions without a verb."""

from __future__ import annotations

import pytest

from tests.rules.test_successions import Line, lines

READ: list[tuple[str, set[Line]]] = [
    # the former value is replaced
    ("We upgraded to Postgres 17.", {("postgres_version", None, False), ("postgres_version", "17", True)}),
    ("we're on Node 22 now", {("node_version", None, False), ("node_version", "22", True)}),
    ("My dentist is Dr Halloran now.", {("dentist", None, False), ("dentist", "dr halloran", True)}),
    ("I changed dentist, it's Dr Bell now", {("dentist_name", None, False), ("dentist_name", "dr bell", True)}),
    # the clause with the new value has no finite verb
    ("quit tesco lol, im at lidl now", {("works_at", "tesco", False), ("works_at", "lidl", True)}),
    ("quit tesco yesterday!! starting at greggs on monday", {("works_at", "greggs", True)}),
    ("I no longer work at Siemens, I'm at Bosch now.", {("works_at", "siemens", False), ("works_at", "bosch", True)}),
    ("jest is gone, it's vitest now", {("uses", "jest", False), ("uses", "vitest", True)}),
    (
        "I do not work any more in the hotel, now I am in a bakery.",
        {("works_in", "hotel", False), ("works_at", "bakery", True)},
    ),
    ("me n josh broke up btw", {("partner", "josh", False), ("separated", "from josh", True)}),
    ("I quit Tesco. I'm at Lidl now.", {("works_at", "lidl", True)}),
    ("I quit Tesco, I started in a nursery.", {("works_at", "nursery", True)}),
    ("My new vet is called Omar.", {("vet_name", None, False), ("vet_name", "omar", True)}),
    ("Our database is now Redis.", {("database", None, False), ("database", "redis", True)}),
    ("We switched banks, I'm with Monzo now.", {("bank_name", None, False), ("bank_name", "monzo", True)}),
    # a home and a tool
    ("We stopped using Slack and moved to Berlin.", {("uses", "slack", False), ("lives_in", "berlin", True)}),
    ("We no longer use Heroku and I moved to Lisbon.", {("uses", "heroku", False), ("lives_in", "lisbon", True)}),
    ("I quit using Facebook, we moved to Spain.", {("lives_in_country", "spain", True)}),
    # descriptions
    ("I'm Marco, a cook for the navy.", {("works_as", "cook", True), ("works_at", "navy", True)}),
    ("I'm Marco, developer for Google.", {("works_as", "developer", True), ("works_at", "google", True)}),
    ("I'm Petra, a bookkeeper at a small brewery in Plzen.", {("works_as", "bookkeeper", True)}),
    ("im wanjiku, data scientist at a crop insurer in nairobi", {("works_as", "data scientist", True)}),
    ("Second engineer on the Aegean Star, six years in April, and I love it.", {("works_as", "second engineer", True)}),
    ("I'm Sam, backend developer at a bank.", {("name", "sam", True), ("works_at", "bank", True)}),
    ("Heroku is history, we moved to Render.", {("uses", "heroku", False), ("uses", "render", True)}),
    # word orders
    ("My husband he is from Ghana.", {("from", "ghana", True)}),
    ("I am living since two years in Graz.", {("lives_in", "graz", True)}),
]  # fmt: skip
NEITHER_READ_NOR_ENDED = [
    ("We upgraded staging to Postgres 17.", "postgres_version"),
    ("I upgraded to Python 3.8 in 2020.", "python_version"),
    ("I quit my job. I'm at home now.", "lives_in"),
    ("I'm Anna, the nurse told me to wait.", "works_as"),
    ("I'm sorry, a nurse called.", "works_as"),
    ("im tired, teacher was mean", "works_as"),
    ("im sick, nurse at the clinic says hi", "works_as"),
    ("Heroku is history, we moved to Render.", "lives_in"),
    ("I'm not a lawyer, but I would wait.", "name"),
    ("He wants an engineer on the team, for two years I said no.", "works_as"),
    ("We upgraded to Postgres 17 but had to roll back.", "postgres_version"),
    ("Driver at the door for two years.", "works_as"),
    ("Doctor on call since Monday.", "works_as"),
    ("Manager in a meeting since 9", "works_as"),
    ("Nurse in the waiting room since noon.", "works_as"),
    ("I'm Marco, cook for two people please.", "works_at"),
]


@pytest.mark.parametrize(("said", "wanted"), READ)
def test_it_is_read(said: str, wanted: set[Line]) -> None:
    assert wanted <= lines(said)


@pytest.mark.parametrize(("said", "attribute"), NEITHER_READ_NOR_ENDED)
def test_what_only_looks_like_it_is_not_read(said: str, attribute: str) -> None:
    assert attribute not in {line[0] for line in lines(said)}


@pytest.mark.parametrize(
    "said",
    [
        "I quit Tesco. I'm in a meeting now.",
        "I quit Tesco, I'm at the end of my rope.",
        "I quit Tesco. I'm at Anna's now.",
        "I quit Tesco. I'm with Anna now.",
        "I quit Tesco. I'm at 90 kilos now.",
        "I quit Tesco. I'm at ninety kilos now.",
        "I quit Tesco. I'm with the kids.",
        "I quit Tesco. I'm at Heathrow now.",
        "I quit Tesco. I'm at Paddington.",
        "I quit Tesco, I'm at Glastonbury.",
        "I quit Tesco. I'm at the bank now.",
        "I quit Tesco. I'm in a cafe now.",
        "I quit Tesco. I'm in a choir now.",
        "I left Siemens. I'm in a coma.",
        "I quit Tesco, starting at the weekend.",
    ],
)
def test_a_place_is_no_employer(said: str) -> None:
    assert {line for line in lines(said) if line[0] == "works_at" and line[2]} == set()


@pytest.mark.parametrize(
    "said",
    [
        "My new laptop is great, and my bank is Monzo.",
        "My accountant is Bob and my new tax advisor is Amy.",
        "My bank is Monzo and now I also opened an account at N26.",
        "We now have a second database, our database is Redis.",
        "Our new database is ClickHouse, next to Postgres.",
        "Our other database is ClickHouse now.",
        "We upgraded to Postgres 17 but had to roll back.",
    ],
)
def test_a_value_that_does_not_replace_the_former_ends_nothing(said: str) -> None:
    assert {line for line in lines(said) if not line[2]} == set()


def test_versions_that_are_used_side_by_side_end_nothing() -> None:
    assert ("python_version", None, False) not in lines("We use Python 3.11 and Python 3.12 now.")


def test_a_change_of_something_else_replaces_nothing() -> None:
    assert ("editor", None, False) not in lines("I changed my editor settings, my editor is Zed.")
    assert ("editor", None, False) in lines("I changed my editor, my editor is Zed.")
