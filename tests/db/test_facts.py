"""Facts: what evidence makes of them, in whatever order it arrives."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from itertools import count, permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import FIXED, MANY, ONE, believed, candidate, confidence, hear, say
from tests.db.steps import Connection, unit_vector

START = datetime(2025, 1, 1, tzinfo=UTC)
BANKS = count()


def day(n: float) -> datetime:
    return START + timedelta(days=n)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def shown(admin: Admin, bank: str, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in believed(admin, bank)]


def home(city: str, *, holds: bool = True, stated: bool = False) -> dict[str, Any]:
    return candidate("lives_in", city, holds=holds, stated=stated)


# Evidence


def test_birth_and_evidence(service: Connection, admin: Admin, bank: str) -> None:
    """Confidence 0.9 if stated, 0.6 if extracted; each further episode adds 0.05 x (1 - confidence) (docs/design.md,
    "Confidence")."""
    say(service, admin, bank, day(0), home("berlin", stated=True))
    say(service, admin, bank, day(0), candidate("works_at", "acme"))
    assert shown(admin, bank, "value", "confidence", "evidence_count", "status") == [
        ("berlin", 0.9, 1, "tentative"),
        ("acme", 0.6, 1, "tentative"),
    ]
    for n in (1, 2):
        say(service, admin, bank, day(n), home("Berlin"), candidate("works_at", "acme"))
    assert shown(admin, bank, "value", "confidence", "evidence_count", "status", "last_confirmed") == [
        ("berlin", round(1 - 0.1 * 0.95**2, 9), 3, "stable", day(2)),
        ("acme", round(1 - 0.4 * 0.95**2, 9), 3, "stable", day(2)),
    ]


def test_an_episode_is_evidence_once(service: Connection, admin: Admin, bank: str) -> None:
    episode = say(service, admin, bank, day(0), home("berlin"), home("Berlin", stated=True))
    before = believed(admin, bank), versions(admin)
    assert hear(service, bank, [(episode, home("berlin"))], at=day(3)) == 0
    assert (believed(admin, bank), versions(admin)) == before
    assert shown(admin, bank, "evidence_count") == [(1,)]


def versions(admin: Admin) -> int:
    row = admin.execute("select count(*) from memory.fact_version").fetchone()
    assert row is not None
    return int(str(row[0]))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stated=st.lists(st.booleans(), min_size=1, max_size=6), seed=st.integers(0, 10**6))
def test_confidence_does_not_depend_on_the_order_of_evidence(
    service: Connection, admin: Admin, stated: list[bool], seed: int
) -> None:
    """In [0,1], higher with each episode, and the closed form, in whatever order the same evidence comes and whenever
    it is said."""
    found: set[float] = set()
    for _ in range(2):
        bank = f"order-{next(BANKS)}"
        steps.create_bank(service, bank)
        order = random.Random(seed + len(found)).sample(range(len(stated)), len(stated))
        before = 0.0
        for place, n in enumerate(order):
            say(service, admin, bank, day(place), home("berlin", stated=stated[n]), at=day(50))
            now = shown(admin, bank, "confidence")[0][0]
            assert before < now <= 1
            before = now
        found.add(before)
    birth = 0.9 if any(stated) else 0.6
    assert found == {round(1 - (1 - birth) * 0.95 ** (len(stated) - 1), 9)}


@given(
    stored=st.floats(0, 1), importance=st.floats(0, 1), days=st.floats(-10, 5_000),
    status=st.sampled_from(["tentative", "stable", "deprecated"]), pinned=st.booleans(),
)  # fmt: skip
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_decay_is_the_closed_form(
    service: Connection, stored: float, importance: float, days: float, status: str, pinned: bool
) -> None:
    got = confidence(
        service, confidence=stored, importance=importance, last_confirmed=START, status=status, pinned=pinned,
        attribute=None, contradicted_at=None, at=START + timedelta(days=days),
    )  # fmt: skip
    wanted = stored * math.exp(-0.02 * (1 - importance) * max(days, 0))
    if status == "stable":
        wanted = max(wanted, min(stored, 0.35))
    assert got == pytest.approx(stored if pinned else wanted, abs=1e-9)
    assert 0 <= got <= 1


# Time


def test_a_change_closes_what_was_true(service: Connection, admin: Admin, bank: str) -> None:
    """Succession: no penalty, and the old one stays as it was, closed."""
    say(service, admin, bank, day(0), home("berlin"))
    say(service, admin, bank, day(9), home("munich"))
    assert shown(admin, bank, "value", "valid_from", "valid_to", "successor", "confidence", "status") == [
        ("berlin", day(0), day(9), "munich", 0.6, "tentative"),
        ("munich", day(9), None, None, 0.6, "tentative"),
    ]


def test_what_arrives_late_enters_as_history(service: Connection, admin: Admin, bank: str) -> None:
    say(service, admin, bank, day(9), home("munich"), at=day(9))
    say(service, admin, bank, day(0), home("berlin"), at=day(20))
    assert shown(admin, bank, "value", "valid_from", "valid_to", "successor") == [
        ("berlin", day(0), day(9), "munich"),
        ("munich", day(9), None, None),
    ]


def test_coming_back_is_a_fact_of_its_own(service: Connection, admin: Admin, bank: str) -> None:
    expected = [
        ("berlin", day(0), day(2), "munich", 2),
        ("munich", day(2), day(4), "berlin", 1),
        ("berlin", day(4), None, None, 2),
    ]
    told = [(0, "berlin"), (1, "berlin"), (2, "munich"), (4, "berlin"), (5, "berlin")]
    for number, order in enumerate(permutations(told)):
        bank = f"back-{number}"
        steps.create_bank(service, bank)
        for when, city in order:
            say(service, admin, bank, day(when), home(city), at=day(60))
        assert (
            shown(admin, bank, "value", "valid_from", "valid_to", "successor", "evidence_count") == expected
        ), order


def test_leaving_is_no_evidence_for_living_there(service: Connection, admin: Admin, bank: str) -> None:
    """It closes what it ends; alone it makes nothing that is believed at any time."""
    say(service, admin, bank, day(0), home("berlin"))
    say(service, admin, bank, day(5), home("berlin", holds=False))
    expected = [("berlin", day(0), day(5), None, 1, 0.6, day(0))]
    names = ("value", "valid_from", "valid_to", "successor", "evidence_count", "confidence", "last_confirmed")
    assert shown(admin, bank, *names) == expected
    steps.create_bank(service, "b")
    say(service, admin, "b", day(5), home("berlin", holds=False), at=day(8))
    assert shown(admin, "b", "valid_from", "valid_to", "evidence_count") == [(day(5), day(5), 0)]
    say(service, admin, "b", day(0), home("berlin"), at=day(9))
    assert shown(admin, "b", *names) == expected


def test_an_ending_that_names_nobody_ends_whatever_held(service: Connection, admin: Admin, bank: str) -> None:
    together, apart = (
        candidate("partner", "tom"),
        candidate("partner", None, holds=False, text="They broke up."),
    )
    for number, order in enumerate(
        permutations([(0, together), (3, apart), (7, candidate("partner", "leo"))])
    ):
        bank = f"apart-{number}"
        steps.create_bank(service, bank)
        for when, said in order:
            say(service, admin, bank, day(when), said, at=day(60))
        assert [
            row for row in shown(admin, bank, "value", "valid_from", "valid_to", "successor") if row[0]
        ] == [
            ("tom", day(0), day(3), None),
            ("leo", day(7), None, None),
        ], order


STATEMENTS = st.lists(
    st.tuples(
        st.integers(0, 12),
        st.sampled_from([("lives_in", ONE), ("likes", MANY), ("birthday", FIXED)]),
        st.sampled_from(["x", "y", "z"]),
        st.booleans() | st.just(True),
        st.booleans(),
    ),
    min_size=1,
    max_size=9,
    unique_by=lambda s: (s[0], s[1]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(statements=STATEMENTS, seed=st.integers(0, 10**6))
def test_late_and_out_of_order_ends_as_in_order(
    service: Connection, admin: Admin, statements: list[Any], seed: int
) -> None:
    """The same rows save their ids; and none is both open and superseded."""
    ends: list[list[dict[str, Any]]] = []
    shuffled = random.Random(seed).sample(statements, len(statements))
    for order in (sorted(statements, key=lambda s: s[0]), shuffled):
        bank = f"late-{next(BANKS)}"
        steps.create_bank(service, bank)
        for when, (attribute, cardinality), word, holds, stated in order:
            said = candidate(attribute, word, cardinality=cardinality, holds=holds, stated=stated)
            say(service, admin, bank, day(when), said, at=day(60))
        ends.append(believed(admin, bank))
        assert not [row for row in ends[-1] if row["successor"] and row["valid_to"] is None]
        open_homes = [r for r in ends[-1] if r["attribute"] == "lives_in" and r["valid_to"] is None]
        assert len(open_homes) <= 1
    assert ends[0] == ends[1]


def test_a_fact_says_what_was_said_first_of_it(service: Connection, admin: Admin, bank: str) -> None:
    """The words of its earliest statement that it holds, in whatever order they come: never those of its ending."""
    first, again, later, over = (
        home("berlin") | {"text": "User lives in Berlin."},
        home("berlin") | {"text": "User has a flat in Berlin."},
        home("berlin") | {"text": "User is back in Berlin."},
        home("berlin", holds=False) | {"text": "User no longer lives in Berlin."},
    )
    for number, order in enumerate(permutations([(0, first), (1, again), (4, over), (8, later)])):
        bank = f"words-{number}"
        steps.create_bank(service, bank)
        for when, said in order:
            say(service, admin, bank, day(when), said, vectors=[unit_vector(when)], at=day(60))
        shown = admin.execute(
            "select f.fact, f.valid_from, v.embedding = %s::halfvec, t.search @@ to_tsquery('english', 'live') "
            "from memory.semantic_memory f join memory.memory_vector v using (bank_id, memory_id) "
            "join memory.memory_text t using (bank_id, memory_id) "
            "where f.bank_id = %s and f.status <> 'merged_into' order by f.valid_from",
            (unit_vector(0), bank),
        ).fetchall()
        assert shown == [(first["text"], day(0), True, True), (first["text"], day(8), True, True)], order
        keys = admin.execute(
            "select count(distinct fingerprint) from memory.semantic_memory f where f.bank_id = %s "
            "and f.fingerprint <> memory_internal.text_fingerprint(f.fact)",
            (bank,),
        ).fetchone()
        assert keys == (0,)


def test_what_was_committed_keeps_its_words(service: Connection, admin: Admin, bank: str) -> None:
    say(service, admin, bank, day(5), home("berlin") | {"text": "Berlin is where she lives."})
    admin.execute(
        "insert into memory.fact_judgement (bank_id, fact_id, judgement, occurred_at, recorded_at, actor) "
        "select bank_id, memory_id, 'committed', %s, %s, 'a' from memory.semantic_memory",
        (day(5), day(5)),
    )
    say(service, admin, bank, day(1), home("berlin"))
    assert admin.execute("select fact from memory.semantic_memory").fetchall() == [
        ("Berlin is where she lives.",)
    ]


def test_importance_does_not_depend_on_when_an_episode_was_said_again(
    service: Connection, admin: Admin, bank: str
) -> None:
    """A near duplicate adds to the episode that it is merged into, which depends on what arrived first; what that was
    worth when it was written does not."""
    early, again = (say(service, admin, bank, day(n), importance=0.75) for n in (0, 1))
    steps.rows(service, "reinforce_episode", bank=bank, memory=again, known=early, at=day(1))
    hear(service, bank, [(early, home("berlin")), (again, home("berlin"))], at=day(2))
    assert admin.execute("select importance from memory.semantic_memory").fetchall() == [(0.75,)]


def test_a_subject_or_value_of_any_length_is_kept(service: Connection, admin: Admin, bank: str) -> None:
    """A model may write a paragraph where a word was asked for: more than a row of an index holds. It is still the
    same when it is said again, and none of the others of its episode is lost."""
    noise = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz", k=4000))
    long = [
        candidate("likes", noise, cardinality=MANY, text="User likes this."),
        candidate("lives_in", "berlin", subject=noise, text="This one lives in Berlin."),
    ]
    for n in range(2):
        say(service, admin, bank, day(n), *long, home("porto"))
    assert [row[0] for row in shown(admin, bank, "evidence_count")] == [2, 2, 2]


# Judged


@pytest.mark.parametrize("verdict", ["disputed", "pinned"])
def test_a_doubt_and_a_pin_stay_with_what_they_were_about(
    service: Connection, admin: Admin, bank: str, verdict: str
) -> None:
    """The home of now, whether we knew of the time elsewhere before or hear of it later; and the whole, when that turns
    out not to have been."""
    told = [(0, home("berlin")), (5, home("munich")), (9, home("berlin"))]
    names = ("value", "valid_from", "valid_to", "confidence", "pinned")
    for number, late in enumerate([False, True]):
        bank = f"judged-{number}"
        steps.create_bank(service, bank)
        for when, said in told:
            if not late or when != 5:
                say(service, admin, bank, day(when), said, at=day(10))
        judge(service, admin, bank, verdict, day(20), value="berlin")
        if late:
            say(service, admin, bank, day(5), told[1][1], at=day(30))
        assert shown(admin, bank, *names) == [
            ("berlin", day(0), day(5), 0.6, False),
            ("munich", day(5), day(9), 0.6, False),
            ("berlin", day(9), None, 0.3 if verdict == "disputed" else 0.6, verdict == "pinned"),
        ]
        (munich,) = admin.execute(
            "select memory_id from memory.semantic_memory where bank_id = %s and value = 'munich'", (bank,)
        ).fetchall()
        steps.rows(
            service, "review_fact", bank=bank, memory=munich[0], judgement="retracted", actor="a", at=day(40)
        )
        assert shown(admin, bank, *names)[0] == (
            "berlin", day(0), None, 0.31 if verdict == "disputed" else 0.62, verdict == "pinned",
        )  # fmt: skip


# Retracted


def judge(service: Connection, admin: Admin, bank: str, verdict: str, moment: datetime, **which: Any) -> None:
    """The open fact of a value is judged."""
    (fact,) = admin.execute(
        "select memory_id from memory.semantic_memory where bank_id = %(bank)s and value = %(value)s "
        "and valid_to is null and status <> 'merged_into' and retracted_at is null", {"bank": bank, **which},
    ).fetchall()  # fmt: skip
    steps.rows(
        service, "review_fact", bank=bank, memory=fact[0], judgement=verdict, actor="a test", at=moment
    )


@pytest.mark.parametrize("late", [3, 7])
def test_what_was_said_before_a_retraction_and_arrives_after_it_is_retracted_too(
    service: Connection, admin: Admin, bank: str, late: int
) -> None:
    """It is evidence of the retracted fact, as if it had arrived in time; a statement after the retraction is a new
    fact."""
    say(service, admin, bank, day(1), home("berlin"))
    say(service, admin, bank, day(5), home("munich"))
    judge(service, admin, bank, "retracted", day(10), value="munich")
    say(service, admin, bank, day(late), home("munich"), at=day(11))
    assert shown(admin, bank, "value", "valid_to", "evidence_count", "status") == [
        ("berlin", None, 1, "tentative"),
        ("munich", None, 2, "deprecated"),
    ]
    say(service, admin, bank, day(12), home("munich"))
    assert shown(admin, bank, "value", "valid_from", "valid_to", "status") == [
        ("berlin", day(1), day(12), "tentative"),
        ("munich", day(5), None, "deprecated"),
        ("munich", day(12), None, "tentative"),
    ]


def test_what_is_said_between_a_denial_and_its_hearing_is_news(
    service: Connection, admin: Admin, bank: str
) -> None:
    likes = candidate("likes", "sushi", cardinality=MANY, opposes="dislikes")
    dislikes = candidate("dislikes", "sushi", cardinality=MANY, opposes="likes")
    say(service, admin, bank, day(0), likes)
    say(service, admin, bank, day(5), dislikes)
    (doubted,) = admin.execute(
        "select memory_id from memory.semantic_memory where attribute = 'likes'"
    ).fetchall()
    steps.rows(
        service, "answer_conflicts", bank=bank, of_fact=doubted[0], still_holds=True, reason="a test", valid_at=day(6),
        at=day(9),
    )  # fmt: skip
    say(service, admin, bank, day(7), dislikes, at=day(10))
    assert shown(admin, bank, "attribute", "valid_from", "status") == [
        ("dislikes", day(5), "deprecated"),
        ("dislikes", day(7), "tentative"),
        ("likes", day(0), "tentative"),
    ]


@pytest.mark.parametrize(
    "one", [home("munich"), candidate(None, None, text="Rex is afraid of thunder.", cardinality=MANY)]
)
def test_an_episode_heard_again_does_not_bring_back_what_was_retracted(
    service: Connection, admin: Admin, bank: str, one: dict[str, Any]
) -> None:
    """Not even where it was said at a time after the retraction."""
    episode = say(service, admin, bank, day(5), one, at=day(1))
    (fact,) = admin.execute("select memory_id from memory.semantic_memory").fetchall()
    steps.rows(
        service, "review_fact", bank=bank, memory=fact[0], judgement="retracted", actor="a test", at=day(2)
    )
    before = believed(admin, bank), versions(admin)
    assert hear(service, bank, [(episode, one)], at=day(3)) == 0
    assert (believed(admin, bank), versions(admin)) == before


# Conflicts


def test_what_cannot_both_be_true_costs_the_older(service: Connection, admin: Admin, bank: str) -> None:
    """The older fact gets 0.7 of its confidence and is tentative, once per pair; the newer one keeps its confidence."""
    likes, dislikes = (
        candidate("likes", "sushi", cardinality=MANY, opposes="dislikes"),
        candidate("dislikes", "sushi", cardinality=MANY, opposes="likes"),
    )
    for number, order in enumerate(permutations([(0, likes), (1, likes), (2, likes), (5, dislikes)])):
        bank = f"taste-{number}"
        steps.create_bank(service, bank)
        for when, said in order:
            say(service, admin, bank, day(when), said, at=day(60))
        assert shown(admin, bank, "attribute", "confidence", "status", "evidence_count") == [
            ("dislikes", 0.6, "tentative", 1),
            ("likes", round((1 - 0.4 * 0.95**2) * 0.7, 9), "tentative", 3),
        ], order
        pairs = admin.execute(
            "select rule, handling, found_by, resolution from memory.fact_conflict where bank_id = %s",
            (bank,),
        ).fetchall()
        assert pairs == [("opposites", "newer_wins", "write", None)]


def test_a_conflict_that_matters_makes_a_question(service: Connection, admin: Admin, bank: str) -> None:
    one = candidate("birthday", "may 1", cardinality=FIXED, text="User was born on May 1.")
    other = candidate("birthday", "may 3", cardinality=FIXED, text="User was born on May 3.")
    say(service, admin, bank, day(0), one, importance=0.9)
    say(service, admin, bank, day(5), other)
    questions = admin.execute("select question, status, importance from memory.clarification").fetchall()
    assert questions == [
        (
            'Earlier I understood: "User was born on May 1." More recently: "User was born on May 3." '
            "Which of the two is right now?",
            "open",
            0.9,
        )
    ]
    say(
        service, admin, bank, day(3), one | {"holds": False}
    )  # what ended before the other began is no conflict
    assert admin.execute("select status from memory.clarification").fetchall() == [("void",)]
    assert shown(admin, bank, "value", "confidence") == [("may 1", 0.6), ("may 3", 0.6)]


def test_a_question_does_not_depend_on_what_arrived_first(
    service: Connection, admin: Admin, bank: str
) -> None:
    """It names the older fact first, in the words that the facts have now, and matters as much as they do."""
    told = [
        (0, candidate("birthday", "may 1", cardinality=FIXED, text="User was born on May 1."), 0.85),
        (5, candidate("birthday", "may 3", cardinality=FIXED, text="User was born on May 3."), 0.5),
        (8, candidate("birthday", "may 1", cardinality=FIXED, text="It is May 1."), 0.95),
    ]
    for number, order in enumerate(permutations(told)):
        bank = f"asked-{number}"
        steps.create_bank(service, bank)
        for when, said, importance in order:
            say(service, admin, bank, day(when), said, importance=importance, at=day(60))
        asked = admin.execute(
            "select question, importance from memory.clarification where bank_id = %s", (bank,)
        ).fetchall()
        question = (
            'Earlier I understood: "User was born on May 1." More recently: "User was born on May 3." '
            "Which of the two is right now?"
        )
        assert asked == [(question, 0.95)], order


def test_what_is_said_no_longer_to_hold_settles_its_conflict(
    service: Connection, admin: Admin, bank: str
) -> None:
    """An ending of either fact resolves the conflict: the other one is no longer `unconfirmed` and may become stable,
    no clarification stays open, and the older one gets back the confidence that the conflict took."""
    right, wrong = (
        candidate("birthday", "may 1", cardinality=FIXED, text="User was born on May 1."),
        candidate("birthday", "may 3", cardinality=FIXED, text="User was born on May 3."),
    )
    told = [(0, right), (1, right), (5, wrong), (6, wrong | {"holds": False}), (9, right)]
    for number, order in enumerate(random.Random(5).sample(list(permutations(told)), 24)):
        bank = f"denied-{number}"
        steps.create_bank(service, bank)
        for when, said in order:
            say(service, admin, bank, day(when), said, importance=0.9, at=day(60))
        assert shown(admin, bank, "value", "valid_to", "confidence", "status") == [
            ("may 1", None, round(1 - 0.4 * 0.95**2, 9), "stable"),
            ("may 3", day(6), 0.6, "tentative"),
        ], order
        doubted = admin.execute(
            "select bool_or(f.unconfirmed), array_agg(cardinality(f.contradictions)) "
            "from memory_api.fact_entry f where f.bank_id = %s and f.status <> 'merged_into'", (bank,),
        ).fetchone()  # fmt: skip
        assert doubted == (False, [1, 1])
        asked = admin.execute(
            "select status from memory.clarification where bank_id = %s", (bank,)
        ).fetchall()
        assert asked in ([], [("void",)])


def test_what_was_in_doubt_is_told_as_it_was_known(service: Connection, admin: Admin, bank: str) -> None:
    """Also where we heard later that the one had ended before the other began."""
    likes = candidate("likes", "sushi", cardinality=MANY, opposes="dislikes")
    dislikes = candidate("dislikes", "sushi", cardinality=MANY, opposes="likes")
    say(service, admin, bank, day(0), likes, at=day(10))
    say(service, admin, bank, day(5), dislikes, at=day(10))
    asked = (
        "select unconfirmed, cardinality(contradictions) from memory_api.list_facts(%s, 9, known_at => %s)"
    )
    then = service.execute(asked, (bank, day(10))).fetchall()
    assert then == [(True, 1), (True, 1)]
    say(service, admin, bank, day(3), likes | {"holds": False}, at=day(20))
    assert service.execute(asked, (bank, day(10))).fetchall() == then
    assert service.execute(asked, (bank, day(20))).fetchall() == [(False, 0)]


def test_words_that_deny_each_other_are_a_conflict_above_the_threshold(
    service: Connection, admin: Admin, bank: str
) -> None:
    said = [
        candidate(None, None, text="Rex is allowed on the sofa.", subject="rex", cardinality=MANY),
        candidate(None, None, text="Rex is not allowed on the sofa.", subject="rex", cardinality=MANY),
    ]
    near = [steps.vector_of({0: 1}), steps.vector_of({0: 0.9, 1: 0.43589})]
    far = [steps.vector_of({0: 1}), steps.vector_of({0: 0.8, 1: 0.6})]
    for bank_id, vectors in (("near", near), ("far", far)):
        steps.create_bank(service, bank_id)
        for n, (one, vector) in enumerate(zip(said, vectors, strict=True)):
            say(service, admin, bank_id, day(n), one, vectors=[vector])
    rules = admin.execute("select bank_id, rule from memory.fact_conflict").fetchall()
    assert rules == [("near", "negation")]


# Versions and events


def test_every_state_is_kept_with_when_it_was_known(service: Connection, admin: Admin, bank: str) -> None:
    say(service, admin, bank, day(0), home("berlin"), at=day(1))
    say(service, admin, bank, day(9), home("munich"), at=day(10))
    kept = admin.execute(
        "select v.version, v.fact, v.valid_to, v.status, v.at from memory.fact_version v order by v.at, v.fact"
    ).fetchall()
    assert kept == [
        (1, "User lives_in berlin.", None, "tentative", day(1)),
        (2, "User lives_in berlin.", day(9), "tentative", day(10)),
        (1, "User lives_in munich.", None, "tentative", day(10)),
    ]
    events = admin.execute("select event, to_status from memory.memory_event order by event_id").fetchall()
    assert sorted(events) == [("created", "tentative"), ("created", "tentative"), ("superseded", "tentative")]
