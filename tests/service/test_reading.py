"""Ranking, budgets and quoting: the read path without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.inputs import Mood
from memory_service.models.token_counter import token_counter
from memory_service.profiles import PROFILES
from memory_service.recall.budget import Draft, Line, assemble
from memory_service.recall.quoting import quoted
from memory_service.recall.rerank import recency, rerank
from memory_service.rules.speech import ECHO_END, ECHO_MARK, without_echo
from memory_service.types import Candidate

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def candidate(number: int, similarity: float, **other: object) -> Candidate:
    values: dict[str, object] = {
        "memory_id": UUID(int=number),
        "type": "episodic",
        "content": f"memory {number}",
        "occurred_at": NOW,
        "importance": 0.5,
        "effective_importance": 0.5,
        "valence": None,
        "emotions": (),
        "topics": (),
        "tags": (),
        "metadata": {},
        "source": "user",
        "similarity": similarity,
    }
    return Candidate(**(values | other))  # type: ignore[arg-type]


def test_balanced_weighs_similarity_importance_and_recency() -> None:
    one = candidate(1, 0.8, effective_importance=0.4, occurred_at=NOW - timedelta(days=30))
    (ranked,), _ = rerank([one], PROFILES["balanced"], Mood(), 1, NOW)
    assert ranked.score == pytest.approx(0.5 * 0.8 + 0.3 * 0.4 + 0.2 * 0.5)


def test_precise_is_similarity_alone() -> None:
    near = candidate(1, 0.8, effective_importance=0.0, occurred_at=NOW - timedelta(days=3000))
    far = candidate(2, 0.7, effective_importance=1.0)
    kept, dropped = rerank([far, near], PROFILES["precise"], Mood(), 1, NOW)
    assert [r.candidate.memory_id for r in kept] == [near.memory_id]
    assert [r.dropped for r in dropped] == ["beyond k=1"]


def test_recency_halves_after_thirty_days() -> None:
    assert (recency(0), recency(30), recency(-5)) == (1.0, 0.5, 1.0)


def test_the_opposite_mood_stays_out() -> None:
    sad = candidate(1, 0.9, valence=-0.8)
    kept, dropped = rerank([sad, candidate(2, 0.1)], PROFILES["balanced"], Mood(valence=0.5), 5, NOW)
    assert [r.candidate.memory_id.int for r in kept] == [2]
    assert dropped[0].dropped == "opposite valence"


def test_another_topic_stays_out_unless_it_is_important() -> None:
    plain = candidate(1, 0.9, topics=("dance",))
    important = candidate(2, 0.1, topics=("dance",), importance=0.7)
    shared = candidate(3, 0.1, topics=("Work",))
    kept, dropped = rerank([plain, important, shared], PROFILES["balanced"], Mood(topics=["work"]), 5, NOW)
    assert {r.candidate.memory_id.int for r in kept} == {2, 3}
    assert dropped[0].dropped == "no topic in common"


TEXT = st.text(min_size=1, max_size=300)


def lines_of(first: int) -> st.SearchStrategy[list[Line]]:
    return st.lists(TEXT, max_size=12).map(
        lambda texts: [Line(UUID(int=first + i), quoted(t, NOW, "user")) for i, t in enumerate(texts)]
    )


LINES = lines_of(0)


@given(
    recent=LINES,
    relevant=lines_of(100),
    budgets=st.tuples(st.integers(0, 400), st.integers(0, 400)),
    tokenizer=st.sampled_from(["wordpiece", "chars4"]),
)
def test_the_budget_is_never_exceeded_and_memories_stay_whole(
    recent: list[Line], relevant: list[Line], budgets: tuple[int, int], tokenizer: str
) -> None:
    count = token_counter(tokenizer)
    made = assemble(Draft("RECENT", recent), Draft("RELEVANT", relevant), budgets, count)
    assert made.tokens == count(made.text) <= sum(budgets)
    whole = {line.text for line in (*recent, *relevant)}
    printed = [line for line in made.text.split("\n") if line.startswith("- ")]
    assert set(printed) <= whole
    assert len(printed) + len(made.dropped) == len(recent) + len(relevant)
    if made.text:
        assert made.text.startswith(ECHO_MARK)
        assert made.text.endswith(ECHO_END)


def test_what_recent_leaves_flows_to_relevant() -> None:
    count = token_counter("chars4")
    relevant = [Line(UUID(int=i), f"- memory number {i} " + "x" * 80) for i in range(10)]
    alone = assemble(Draft("RECENT", []), Draft("RELEVANT", list(relevant)), (100, 100), count)
    assert len(alone.sections[0].memory_ids) > 3


def test_a_memory_that_recent_has_no_room_for_is_still_relevant() -> None:
    count = token_counter("chars4")
    best = Line(UUID(int=1), "- the best memory of all")
    crowd = [Line(UUID(int=10 + i), f"- something recent {i} " + "x" * 60) for i in range(9)]
    made = assemble(Draft("RECENT", [*crowd, best]), Draft("RELEVANT", [best]), (60, 60), count)
    assert made.text.count("the best memory of all") == 1
    assert best.memory_id in made.sections[-1].memory_ids
    assert best.memory_id not in {dropped.memory_id for dropped in made.dropped}


def test_a_memory_is_printed_once() -> None:
    both = Line(UUID(int=1), "- said once")
    made = assemble(Draft("RECENT", [both]), Draft("RELEVANT", [both]), (100, 100), token_counter("chars4"))
    assert made.text.count("said once") == 1


def test_neither_budget_starves_the_other() -> None:
    count = token_counter("chars4")
    many = [Line(UUID(int=i), f"- memory number {i} " + "x" * 80) for i in range(30)]
    other = [Line(UUID(int=100 + i), f"- other number {i} " + "x" * 80) for i in range(30)]
    made = assemble(Draft("RECENT", many), Draft("RELEVANT", other), (150, 150), count)
    assert [section.name for section in made.sections] == ["RECENT", "RELEVANT"]


@given(TEXT)
def test_a_memory_cannot_leave_its_quotation(text: str) -> None:
    line = quoted(text, NOW, "user")
    assert "\n" not in line
    assert line.count('"') == 2
    assert ECHO_END not in line
    assert ECHO_MARK not in line


@given(LINES)
def test_a_context_that_comes_back_is_no_news(lines: list[Line]) -> None:
    made = assemble(Draft("RECENT", []), Draft("RELEVANT", lines), (500, 500), token_counter("chars4"))
    assert without_echo(made.text) == ""
