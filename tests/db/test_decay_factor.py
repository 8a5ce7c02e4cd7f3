"""How fast the confidence of a fact decays: by its attribute, the same in every function that computes it."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_service.rules.facts import attribute_names
from memory_service.rules.facts.attributes import canonical
from memory_service.types import CandidateFact
from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection, conflict, fact, rows, value

DAY = timedelta(days=1)
YEAR = timedelta(days=365.25)

PERMANENT = frozenset(
    {
        "name",
        "birthday",
        "birth_year",
        "born_in",
        "born_in_country",
        "native_language",
        "blood_type",
        "from",
        "nationality",
        "grew_up_in",
        "child",
        "sibling",
        "studied_at",
        "anniversary",
        "allergic_to",
        "has_condition",
        "has_died",
    }
)
LASTING = frozenset(
    {
        "lives_in",
        "lives_in_country",
        "address",
        "works_at",
        "works_as",
        "partner",
        "relationship_status",
        "relationship_status_is_not",
        "pet",
        "friend",
        "best_friend",
        "preferred_name",
        "pronouns",
        "phone",
        "email",
        "diet",
        "diet_is_not",
        "does_not_eat",
        "does_not_drink",
        "does_not_smoke",
        "smokes",
        "religion",
        "speaks",
        "does_not_work_as",
        "not_allergic_to",
        "does_not_have_condition",
        "manager",
        "instruction",
        "owns",
        "works_in",
        "height",
        "takes_medicine",
        "identity",
        "identity_is_not",
        "separated",
        "has_been_to",
        "exam",
    }
)
SLOW = frozenset(
    {
        "likes",
        "dislikes",
        "prefers",
        "preference",
        "eats",
        "drinks",
        "avoids",
        "fears",
        "trusts",
        "distrusts",
        "supports",
        "rejects",
        "plays",
        "uses",
        "drives",
        "has",
        "skill",
        "studies",
        "studies_at",
        "school_grade",
        "age",
        "habit",
        "hobby",
        "member_of",
        "learns",
        "phone_model",
        "weight",
        "rent",
        "salary",
        "hourly_rate",
        "day_rate",
    }
)
PASSING = frozenset(
    {
        "is",
        "is_not",
        "goal",
        "wedding_date",
        "viva_date",
        "launch_date",
        "release_date",
        "move_date",
        "surgery_date",
        "operation_date",
    }
)
CLASSES = {0.0: PERMANENT, 0.05: LASTING, 0.1: SLOW, 1.0: PASSING}
FAMILIES = {
    "mother_name": 0.0, "half_brother": 0.0, "grandmother": 0.0, "sister_in_law_name": 0.0, "wife_birthday": 0.0,
    "food_allergy": 0.0, "chronic_pain": 0.0, "wedding_anniversary": 0.0,
    "number_of_children": 0.05, "dentist_name": 0.05, "sister_age": 0.05, "pet_name": 0.05, "line_manager": 0.05,
    "programming_language": 0.05, "favorite_color": 0.1, "preferred_editor": 0.1, "meeting_preference": 0.1,
    "ci_tool": 0.1, "yoga_day": 0.1, "office_days": 0.1, "stand_up_time": 0.1, "birthday": 0.0, "yoga_date": 1.0,
    "weather": 1.0, "weekend_plan": 1.0, "nickname_origin": 1.0,
}  # fmt: skip


def decay_factor(service: Connection, attribute: str | None) -> float:
    return value(service, "decay_factor", attribute=attribute)


def known_attributes() -> frozenset[str]:
    """Every attribute that the rules write or ask a model for."""
    names = attribute_names
    return frozenset(
        {*names.NAMED, *names.CANONICAL.values(), *names.OPPOSES, *names.ONE, *names.FIXED, *names.BY_RULES}
    )


@pytest.mark.changes_nothing
def test_every_attribute_of_the_rules_has_a_decay_factor_on_purpose(service: Connection) -> None:
    classed = frozenset[str]().union(*CLASSES.values())
    unclassed = {name for name in known_attributes() - classed if not name.startswith("number_of_")}
    assert unclassed == set(), "name the class of each here and in db/functions/facts/decay_factor.sql"
    for factor, attributes in CLASSES.items():
        assert {name: decay_factor(service, name) for name in attributes} == dict.fromkeys(attributes, factor)
    assert sum(map(len, CLASSES.values())) == len(classed), "one class each"
    assert {name: decay_factor(service, name) for name in FAMILIES} == FAMILIES
    assert decay_factor(service, None) == 1


@pytest.mark.changes_nothing
@pytest.mark.parametrize(
    "said", ["dog", "birth_date", "mother_name", "employer", "favourite_food", "allergies"]
)
def test_what_a_model_calls_an_attribute_has_the_decay_factor_of_its_canonical_name(
    service: Connection, said: str
) -> None:
    attribute = canonical(CandidateFact("…", "user", said, "x")).attribute
    assert decay_factor(service, attribute) < 1


@pytest.mark.changes_nothing
@pytest.mark.parametrize("factor", CLASSES)
def test_confidence_decays_by_the_decay_factor_of_the_attribute(service: Connection, factor: float) -> None:
    for attribute in sorted(CLASSES[factor]):
        left = value(
            service, "effective_confidence", confidence=0.9, importance=0.4, last_confirmed=START,
            status="tentative", pinned=False, attribute=attribute, contradicted_at=None,
            at=START + 100 * timedelta(days=1),
        )  # fmt: skip
        assert left == pytest.approx(0.9 * math.exp(-0.02 * 0.6 * factor * 100))


def test_readers_agree_that_a_home_of_three_years_ago_is_believed_and_a_plan_is_not(
    service: Connection, admin: Admin
) -> None:
    """Readers: is_believed as in a context, list_facts with and without `known_at`, fade_facts, next_upkeep_time."""
    steps.create_bank(service, "a")
    home = fact(service, "a", "User lives in Oslo.", attribute="lives_in", value="oslo", importance=0.7)
    allergy = fact(service, "a", "User is allergic to nuts.", attribute="allergic_to", value="nuts")
    plan = fact(service, "a", "User wants to run a marathon.", attribute="goal", value="run a marathon")
    free = fact(service, "a", "The cellar smells of paint.")
    committed = fact(service, "a", "The spare key is at the bakery.", importance=0.7, extracted_by=None)
    admin.execute("update memory.semantic_memory set confidence = 0.9 where bank_id = 'a'")
    admin.execute("update memory.fact_version set confidence = 0.9 where bank_id = 'a'")
    late = START + 3 * YEAR
    lasting, passing = {home, allergy}, {plan, free}
    slow = 0.9 * math.exp(-0.02 * 0.3 * 0.1 * 3 * 365.25)
    assert 0.3 < slow < 0.5

    believed = "select memory_id from memory.semantic_memory f where memory_internal.is_believed(f, 0.5, %s)"
    assert {row[0] for row in admin.execute(believed, (late,)).fetchall()} == lasting
    for known in ({}, {"known_at": late}):
        listed = service.execute(
            "select memory_id, confidence from memory_api.list_facts('a', 99, as_of => %s, known_at => %s)",
            (late, known.get("known_at")),
        ).fetchall()
        sure = {row[0]: row[1] for row in listed}
        assert sure[allergy] == 0.9
        assert sure[home] == pytest.approx(0.9 * math.exp(-0.02 * 0.3 * 0.05 * 3 * 365.25))
        assert sure[committed] == pytest.approx(slow)
        assert max(sure[one] for one in passing) < 0.01
    assert set(value(service, "fade_facts", bank="a", at=late)) == passing
    due = service.execute("select memory_internal.next_upkeep_time('a', 30, %s)", (late,)).fetchone()
    assert due is not None
    assert abs(due[0] - START - timedelta(days=math.log(3) / (0.02 * 0.3 * 0.1))) < timedelta(minutes=1)
    assert value(service, "fade_facts", bank="a", at=due[0]) == [committed]
    late = due[0]
    due = service.execute("select memory_internal.next_upkeep_time('a', 30, %s)", (late,)).fetchone()
    assert due is not None
    falls = START + timedelta(days=math.log(3) / (0.02 * 0.3 * 0.05))
    assert abs(due[0] - falls) < timedelta(minutes=1)
    assert home in value(service, "fade_facts", bank="a", at=due[0])
    never = service.execute(
        "select memory_internal.next_upkeep_time('a', 30, %s)::text", (due[0],)
    ).fetchone()
    assert never == ("infinity",), "what is permanent is never due"


def test_what_faded_at_a_faster_rate_is_restored_by_the_next_night(service: Connection, admin: Admin) -> None:
    steps.create_bank(service, "a")
    at = START + timedelta(days=120)
    gone = [fact(service, "a", f"Rex is {colour}.", importance=0.4) for colour in ("black", "brown")]
    assert sorted(value(service, "fade_facts", bank="a", at=at)) == sorted(gone)
    admin.execute(
        "update memory.semantic_memory set attribute = 'allergic_to', value = 'nuts' where memory_id = %s",
        gone[:1],
    )
    assert value(service, "fade_facts", bank="a", at=at, dry_run=True) == []
    assert value(service, "fade_facts", bank="a", at=at) == []
    assert value(service, "fade_facts", bank="a", at=at) == []
    states = admin.execute(
        "select memory_id, status, faded_at is null from memory.semantic_memory order by status desc"
    ).fetchall()
    assert states == [(gone[0], "tentative", True), (gone[1], "deprecated", False)]
    reasons = admin.execute(
        "select reason from memory.fact_version where fact_id = %s", (gone[0],)
    ).fetchall()
    assert "above the present deprecation" in str(reasons)


def test_what_is_permanent_decays_once_it_is_contradicted(service: Connection, admin: Admin) -> None:
    """From the contradiction on, and only the one that the newer statement speaks against."""
    steps.create_bank(service, "a")
    older = fact(service, "a", "Blood type A.", attribute="blood_type", value="a")
    later = START + 2 * YEAR
    newer = fact(service, "a", "Blood type 0.", attribute="blood_type", value="0", at=later)
    conflict(service, "a", older, newer, at=later)

    def left(memory_id: UUID, days: float, known_at: datetime | None = None) -> float:
        at = later + timedelta(days=days)
        listed = "memory_api.list_facts('a', 9, as_of => %s, known_at => %s)"
        asked = (at, known_at, memory_id)
        row = service.execute(
            f"select confidence from {listed} where memory_id = %s".encode(), asked
        ).fetchone()
        assert row is not None
        return float(row[0])  # type: ignore[arg-type]

    assert left(older, -1) == left(older, 0) == pytest.approx(0.42)
    assert left(older, 30) == pytest.approx(0.42 * math.exp(-0.01 * 30))
    assert left(older, 30, later - timedelta(days=1)) == pytest.approx(0.6), "nobody knew of it then"
    assert left(newer, 1000) == 0.6
    believed = (
        "select memory_internal.is_believed(f, %s, %s) from memory.semantic_memory f where memory_id = %s"
    )
    at = later + timedelta(days=30)
    for least, expected in ((0.31, True), (0.32, False)):
        assert admin.execute(believed, (least, at, older)).fetchone() == (expected,)
    due = service.execute("select memory_internal.next_upkeep_time('a', 30, %s)", (later,)).fetchone()
    assert due is not None
    falls = later + timedelta(days=math.log(0.42 / 0.3) / 0.01)
    assert abs(due[0] - falls) < timedelta(minutes=1)
    assert value(service, "fade_facts", bank="a", at=falls - timedelta(minutes=1)) == []
    assert value(service, "fade_facts", bank="a", at=due[0]) == [older]
    rows(service, "resolve_conflict", bank="a", one=older, other=newer, keep=older, actor="ann", at=due[0])
    rows(service, "refresh_facts", bank="a", facts=[older, newer], reason="answered", actor="ann", at=due[0])
    assert left(older, 2000) >= 0.6


@given(
    importance=st.floats(0, 0.99), attribute=st.sampled_from(["name", "lives_in", "likes", "is", None]),
    confirmed=st.floats(-900, 900), exponent=st.floats(0.001, 1),
    contradicted=st.one_of(st.none(), st.floats(-900, 900)),
)  # fmt: skip
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.changes_nothing
def test_the_date_of_decay_is_the_inverse_of_the_decay(
    service: Connection, importance: float, attribute: str | None, confirmed: float, exponent: float,
    contradicted: float | None,
) -> None:  # fmt: skip
    asked = {
        "importance": importance, "attribute": attribute, "last_confirmed": START + timedelta(days=confirmed),
        "contradicted_at": None if contradicted is None else START + timedelta(days=contradicted),
    }  # fmt: skip
    at = value(service, "decay_time", exponent=exponent, **asked)
    if at is not None:
        assert value(service, "decay_exponent", at=at, **asked) == pytest.approx(exponent, abs=1e-6)
        return
    latest = START + timedelta(days=confirmed + 36_525)
    assert value(service, "decay_exponent", at=latest, **asked) <= exponent
