"""Habits, routines, patterns and skills in sentences, on a labelled set (tests/bench/quality/procedures.json)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from memory_service.models.extraction_response import ProcedureAnswer, SegmentAnswer, read_answer
from memory_service.rules.procedures.candidates import procedure_candidates, procedures_in
from memory_service.rules.procedures.habits import habit_in, situation_in
from memory_service.types import Segment, StatedProcedure, Utterance
from memory_service.vocabulary import Role
from tests.conftest import Admin

LABELLED: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "bench/quality/procedures.json").read_text(encoding="utf-8")
)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def segment(*texts: tuple[Role, str], names: tuple[str | None, ...] = ()) -> Segment:
    return Segment(
        UUID(int=1),
        tuple(
            Utterance(UUID(int=n + 2), role, text, names[n] if names else None, NOW)
            for n, (role, text) in enumerate(texts)
        ),
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "I miss her every day.",
        "We miss you every Sunday.",
        "I still miss my brother every morning.",
        "When I write in German, always answer in English.",
        "If I paste an error, just tell me the cause.",
    ],
)
def test_a_feeling_and_an_order_are_no_habits(sentence: str) -> None:
    assert habit_in(sentence) is None


@pytest.mark.parametrize(
    "sentence", ["I call her every day.", "When I write in German, I always use a dictionary."]
)
def test_what_a_person_does_beside_them_is_a_habit(sentence: str) -> None:
    assert habit_in(sentence) is not None


@pytest.mark.parametrize(
    ("half", "precision", "recall"), [(0, 1.0, 0.95), (1, 0.97, 0.9)], ids=["development", "held out"]
)
def test_precision_and_recall(half: int, precision: float, recall: float) -> None:
    habits, others = LABELLED["habits"][half::2], LABELLED["others"][half::2]
    found = sum(habit_in(sentence) is not None for sentence in habits)
    wrong = [sentence for sentence in others if habit_in(sentence) is not None]
    assert found / (found + len(wrong)) >= precision, wrong
    assert found / len(habits) >= recall


def test_lessons_are_the_same_where_no_word_is_replaced(admin: Admin) -> None:
    for one, other, same in LABELLED["lessons"]:
        for pair in ((one, other), (other, one)):
            row = admin.execute("select memory_internal.is_same_lesson(%s, %s)", pair).fetchone()
            assert row == (same,), pair


@pytest.mark.parametrize(
    ("sentence", "kind", "situation", "steps"),
    [
        ("Before bed I always read for half an hour.", "habit", "Before bed", ()),
        ("Whenever I feel anxious, I go for a walk.", "pattern", "Whenever I feel anxious", ()),
        (
            "My morning routine is coffee, yoga, then emails.",
            "routine",
            "morning",
            ("coffee", "yoga", "emails"),
        ),
        (
            "To deploy, I first run the tests, then tag the release.",
            "skill",
            "",
            ("run the tests", "tag the release"),
        ),
    ],
)
def test_kind_situation_and_steps(sentence: str, kind: str, situation: str, steps: tuple[str, ...]) -> None:
    habit = habit_in(sentence)
    assert habit is not None
    assert (habit.kind, habit.situation, habit.steps) == (kind, situation, steps)


def test_the_reason_is_kept() -> None:
    habit = habit_in("I always take the stairs because I sit all day.")
    assert habit is not None
    assert habit.why == "I sit all day"


def test_only_users_state_procedures_each_once() -> None:
    said = "I run every Monday. I run every Monday."
    found = procedures_in(
        segment(("user", said), ("tool", "I swim every Friday."), ("assistant", "I run daily."))
    )
    assert [(one.content, name) for one, name in found] == [("I run every Monday.", None)]
    assert procedures_in(segment(("user", 'She wrote "I run every Monday before work".'))) == []


def test_a_models_procedures_are_left_out_where_several_people_speak() -> None:
    stated = [StatedProcedure("skill", "Fix the bike with tape")]
    one = procedure_candidates(segment(("user", "a b c"), names=("Ann",)), stated, "model")
    assert [(c["content"], c["speaker"], c["extracted_by"]) for c in one] == [
        ("Fix the bike with tape", "Ann", "model")
    ]
    two = procedure_candidates(segment(("user", "a"), ("user", "b"), names=("Ann", "Ben")), stated, "model")
    assert two == []


def answer_with(*procedures: ProcedureAnswer) -> str:
    entry = {
        "segment": 0, "gates": dict.fromkeys(
            ("explicit_request", "relational_damage", "identity_defining", "stable_fact", "decision_made"), True
        ),
        "harm": "none", "summary": "The user waters the garden before breakfast.", "valence": 0.0, "emotions": [],
        "topics": [], "entities": [],
        "features": dict.fromkeys(("emotion", "personal", "decision", "asked", "conflict"), 0.0), "weight": 0.5,
        "lesson": None, "facts": [], "procedures": [p.model_dump() for p in procedures],
    }  # fmt: skip
    SegmentAnswer.model_validate(entry)
    return json.dumps({"segments": [entry]})


def test_a_model_reports_procedures_that_the_user_said() -> None:
    said = segment(
        ("user", "Before breakfast the garden gets its water from me."),
        ("assistant", "Then you check the beehives with smoke."),
    )
    watering = ProcedureAnswer(
        kind="habit", text="waters the garden before breakfast", situation="before breakfast"
    )
    bees = ProcedureAnswer(kind="skill", text="check the beehives with smoke", steps=["light the smoker"])
    (extraction,) = read_answer(answer_with(watering, bees), [said], "model")
    assert [p.content for p in extraction.procedures] == ["waters the garden before breakfast"]
    assert extraction.procedures[0].situation == "before breakfast"


def test_a_situation_is_read_from_a_commit() -> None:
    assert situation_in("When a build fails, look at the first error.") == "When a build fails"
    assert situation_in("Look at the first error.") == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "i get it every week",
        "I never forgave her.",
        "I always say that.",
        "I usually don't.",
        "Well, I usually don't do that.",
        "I never do this on Mondays.",
        "I always get that wrong.",
        "I go there every Friday.",
        "I never taught him.",
        "I run in the evenings this week.",
        "I clean on Mondays now and then.",
        "I go swimming on Tuesdays from time to time.",
        "Once in a while I run on Sundays.",
        "I usually don't, but it depends.",
    ],
)
def test_a_past_and_a_pronoun_alone_are_no_habit(sentence: str) -> None:
    assert habit_in(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "situation"),
    [
        ("I usually don't eat breakfast.", ""),
        ("I always say good night to the kids.", ""),
        ("I take my pills every morning.", "every morning"),
        ("I go to the gym on Tuesdays and Fridays.", "on Tuesdays and Fridays"),
        ("We meet on Mondays, Wednesdays and Fridays.", "on Mondays, Wednesdays and Fridays"),
        ("I run on Tuesday and Thursday mornings.", "on Tuesday and Thursday mornings"),
        ("I call her every Sunday.", "every Sunday"),
    ],
)
def test_a_habit_has_all_its_days(sentence: str, situation: str) -> None:
    found = habit_in(sentence)
    assert found is not None
    assert found.situation == situation
