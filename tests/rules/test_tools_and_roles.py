"""Tools that a person works with, orders that name tools, changes of tools, roles of a team."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I work with Haskell", {("uses", "haskell")}),
        ("We work with Svelte and Redis mostly", {("uses", "svelte"), ("uses", "redis")}),
        ("I work with Nils on the login page", set[tuple[str, str]]()),
        ("I work from Basel", set[tuple[str, str]]()),
        ("I work for three agencies", set[tuple[str, str]]()),
        ("I'm starting with Nestlé in June", {("works_at", "nestlé")}),
        ("I work for Brandvold", {("works_at", "brandvold")}),
        ("I work at GitHub", {("works_at", "github")}),
    ],
)
def test_work_with_somebody_or_something_names_no_employer(said: str, expected: set[tuple[str, str]]) -> None:
    assert {(form.attribute, form.value) for form in map(canonical, statements(said, None))} == expected


@pytest.mark.parametrize(
    "said",
    [
        "Use Kafka for the events in this sketch.",
        "Write me a login form. Use Vue and Bootstrap.",
        "Draw it. Use plotly, not seaborn.",
        "Use Celery too.",
        "Prefer SQLite here",
        "Speak French to me for this drill",
        "New project please. Use pnpm instead of npm.",
        "Have a look at the log.",
        "Play devil's advocate",
        "prefer named exports in this file",
        "use bullet points for all my summaries",
        "prefer the second one",
        "teach me at my level",
    ],
)
def test_a_task_states_no_habit_of_the_speaker(said: str) -> None:
    assert [fact for fact in statements(said, None) if fact.attribute != "instruction"] == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Use debian at work, windows at home", ("uses", "debian")),
        ("love climbing, hate swimming", ("likes", "climbing")),
        ("use emacs mostly", ("uses", "emacs")),
        ("still use emacs", ("uses", "emacs")),
        ("have three kids", ("number_of_children", "3")),
        ("speak Dutch and Welsh", ("speaks", "dutch")),
        ("play the cello", ("plays", "cello")),
        ("prefer quiet hotels", ("prefers", "quiet hotels")),
        ("teach maths in Leeds", ("works_as", "teacher of maths")),
        ("use Postgres for all my side projects", ("uses", "postgres")),
    ],
)
def test_a_habit_without_a_subject_is_stated(said: str, expected: tuple[str, str]) -> None:
    forms = [canonical(fact) for fact in statements(said, None)]
    assert expected in [(form.attribute, form.value) for form in forms if form.holds]


@pytest.mark.parametrize(
    ("said", "role", "name"),
    [
        ("Greta is our tech lead now", "tech_lead_name", "greta"),
        ("Greta is our designer", "designer_name", "greta"),
        ("our product owner is Nils Berg", "product_owner_name", "nils berg"),
        ("Nils is the scrum master now", "scrum_master_name", "nils"),
    ],
)
def test_a_role_of_the_team_has_one_name(said: str, role: str, name: str) -> None:
    (form,) = [form for form in map(canonical, statements(said, None)) if form.holds]
    assert (form.attribute, form.value, form.cardinality) == (role, name, "one")


@pytest.mark.parametrize(
    "said",
    [
        "Greta is our tech lead while Nils is away",
        "Greta is our tech lead this week",
        "Greta is one of our designers",
        "our designers are Greta and Nils",
        "Greta is our designer's sister",
        "Nils is the tech lead of another team",
        "Who is our tech lead",
        "Maybe Greta is our tech lead",
    ],
)
def test_a_shared_or_short_role_has_no_one_name(said: str) -> None:
    assert [fact for fact in statements(said, None) if (fact.attribute or "").endswith("_name")] == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("CI runs on CircleCI now, Travis is gone", {("ci", "circleci", True), ("uses", "travis", False)}),
        ("we migrated the database to MariaDB", {("uses", "mariadb", True)}),
        ("we bumped to Django 5", {("django_version", "5", True)}),
        ("finally on Postgres 17", {("postgres_version", "17", True)}),
        ("we moved to Discord", {("uses", "discord", True)}),
        ("I cancelled Notion, using Obsidian now", {("uses", "notion", False), ("uses", "obsidian", True)}),
        ("we removed Celery", {("uses", "celery", False)}),
        ("gave up on Elixir", {("uses", "elixir", False)}),
        ("we dropped Celery support for one queue", set[tuple[str, str, bool]]()),
        ("we removed Celery from the diagram", set[tuple[str, str, bool]]()),
        ("we dropped Celery for now", set[tuple[str, str, bool]]()),
        ("we moved to Phoenix", {("lives_in", "phoenix", True)}),
        ("now on page 3", set[tuple[str, str, bool]]()),
        ("we use Redux in the shop", {("uses", "redux", True)}),
    ],
)
def test_changes_of_tools(said: str, expected: set[tuple[str, str, bool]]) -> None:
    forms = [canonical(fact) for fact in statements(said, None)]
    assert {(form.attribute, form.value, form.holds) for form in forms if form.value} == expected


def test_a_team_may_have_several_testers() -> None:
    (form,) = [form for form in map(canonical, statements("Greta is our QA", None)) if form.holds]
    assert (form.attribute, form.cardinality) == ("qa_name", "many")
