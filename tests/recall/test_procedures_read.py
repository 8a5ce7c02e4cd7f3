"""Procedures in recalls, contexts and compactions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_service.memory import Memory
from memory_service.models.token_counter import token_counter
from memory_service.requests import NewMessage
from tests.conftest import Admin, settle

BANK = "anna"
T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)
ROUTER = "Restart the router and wait two minutes."
SITUATION = "when the internet connection is slow"


@pytest.fixture
async def bank(memory: Memory) -> str:
    await memory.create_bank(BANK)
    return BANK


async def commit(memory: Memory, content: str, **fields: Any) -> UUID:
    given: dict[str, Any] = {"occurred_at": T0, **fields}
    committed = await memory.remember(BANK, content, type="procedural", **given)
    await settle(memory, BANK)
    return committed.memory_id


async def found(memory: Memory, query: str, **fields: Any) -> list[UUID]:
    return [item.memory_id for item in (await memory.recall(BANK, query, **fields)).items]


async def test_recall_finds_a_procedure_by_its_situation_in_other_words(memory: Memory, bank: str) -> None:
    router = await commit(memory, ROUTER, situation=SITUATION)
    await commit(memory, "Bake the bread for fifty minutes.", situation="when guests come")
    await memory.remember(BANK, "Anna bought a blue bicycle in Porto.")
    await settle(memory, BANK)
    for query in ("my wifi is so sluggish today", "what to do about a lagging internet line?"):
        assert (await found(memory, query))[0] == router
        assert (await found(memory, query, types=["procedural"]))[0] == router
    assert router not in await found(memory, "my wifi is so sluggish today", types=["episodic", "semantic"])
    (item,) = (await memory.recall(BANK, "slow internet", types=["procedural"])).items
    assert (item.type, item.content) == ("procedural", ROUTER)
    assert 0 < item.score <= 1.1


async def test_recall_finds_by_words_alone(memory: Memory, bank: str) -> None:
    router = await commit(memory, ROUTER, situation=SITUATION)
    assert await found(memory, "routers", by=["words"]) == [router]
    assert await found(memory, "bread", by=["words"]) == []
    assert await found(memory, "anything", by=["salience"]) == [router]


async def test_filters_apply(memory: Memory, bank: str) -> None:
    router = await commit(
        memory, ROUTER, tags=["net"], importance=0.7, recipients=["Ben"], agent_id="bot", occurred_at=T0
    )
    passing: list[dict[str, Any]] = [
        {"tags": ["net"]}, {"min_importance": 0.7}, {"recipient": "Ben"}, {"agent": "bot"}, {"since": T0},
        {"until": T0}, {"as_of": T0}, {"topics": ["cooking"], "types": ["procedural"]},
    ]  # fmt: skip
    failing: list[dict[str, Any]] = [
        {"tags": ["x"]}, {"min_importance": 0.8}, {"recipient": "Eva"}, {"agent": "b"},
        {"since": T0 + timedelta(1)}, {"until": T0 - timedelta(1)}, {"as_of": T0 - timedelta(1)},
    ]  # fmt: skip
    for filters in passing:
        assert await found(memory, ROUTER, **filters) == [router], filters
    for filters in failing:
        assert await found(memory, ROUTER, **filters) == [], filters


async def test_as_of_shows_what_was_in_force(memory: Memory, bank: str) -> None:
    old = await commit(memory, "Deploy the site with the old shell script.")
    new = await commit(
        memory, "Deploy the site with the new pipeline.", replaces=old, occurred_at=T0 + timedelta(30)
    )
    query = "how do we deploy the site?"
    assert await found(memory, query) == [new]
    assert await found(memory, query, as_of=T0 + timedelta(1)) == [old]
    assert "shell" in (await memory.context(BANK, query, as_of=T0 + timedelta(1))).text
    assert "shell" not in (await memory.context(BANK, query)).text


async def test_outcomes_decide_between_equals(memory: Memory, bank: str) -> None:
    today = datetime.now(UTC)  # with age, importance and with it the effect of outcomes fade
    one = await commit(memory, "Print page 1 on the left printer.", occurred_at=today)
    other = await commit(memory, "Print page 2 on the left printer.", occurred_at=today)
    for _ in range(5):
        await memory.record_outcome(BANK, one, "failed")
        await memory.record_outcome(BANK, other, "worked")
    query = "print on the left printer"
    assert await found(memory, query, profile="balanced") == [other, one]
    context = (await memory.context(BANK, query)).text
    assert context.index("page 2") < context.index("page 1")
    for _ in range(40):
        await memory.record_outcome(BANK, one, "worked")
        await memory.record_outcome(BANK, other, "failed")
    assert await found(memory, query, profile="balanced") == [one, other]


async def test_access_is_counted_and_traced(memory: Memory, bank: str) -> None:
    router = await commit(memory, ROUTER)
    result = await memory.recall(BANK, ROUTER)
    trace = await memory.get_trace(BANK, result.trace_id)
    assert trace.candidates[0].content == ROUTER
    assert (await memory.get_memory(BANK, router)).access_count == 1


async def test_a_context_shows_fitting_procedures_first_in_relevant(memory: Memory, bank: str) -> None:
    await memory.remember(BANK, "The internet was slow on Monday and Anna was annoyed.", occurred_at=T0)
    router = await commit(memory, ROUTER, situation=SITUATION, kind="skill")
    context = await memory.context(BANK, "The internet is slow again, what now?")
    (relevant,) = [s for s in context.sections if s.name == "RELEVANT"]
    assert relevant.memory_ids[0] == router
    assert f"- skill (2026-03-01): \"{ROUTER}\" (when: '{SITUATION}')" in context.text
    other = await memory.context(BANK, "Which colour has the bicycle of my niece?")
    assert ROUTER not in other.text


async def test_a_context_shows_what_failed_as_one_to_avoid(memory: Memory, bank: str) -> None:
    router = await commit(memory, ROUTER, situation=SITUATION)
    for outcome in ("worked", "failed", "failed", "failed"):
        await memory.record_outcome(BANK, router, outcome)  # type: ignore[arg-type]
    context = await memory.context(BANK, "The internet is slow again, what now?")
    assert f'- avoid (failed 3 of 4): "{ROUTER}"' in context.text
    (item,) = (await memory.recall(BANK, "slow internet")).items
    assert item.content == f"avoid (failed 3 of 4): {ROUTER}"


async def test_reads_show_the_steps(memory: Memory, bank: str) -> None:
    await commit(memory, "Deploy the site.", steps=["run the tests", "tag the release"])
    text = "Deploy the site. (1) run the tests (2) tag the release"
    assert (await memory.recall(BANK, "how to deploy the site?")).items[0].content == text
    assert f'"{text}"' in (await memory.context(BANK, "how to deploy the site?")).text
    assert text in (await memory.compact(BANK, "Michael", "farewell", as_of=T0)).text
    assert (await memory.list_memories(BANK)).items[0].content == "Deploy the site."


async def test_a_context_shows_a_handful(memory: Memory, bank: str) -> None:
    for n in range(9):
        await memory.remember(BANK, f"Restart router number {n}.", type="procedural", situation=SITUATION)
    await settle(memory, BANK)
    context = await memory.context(BANK, "The internet is slow again.", knowledge_tokens=5000)
    assert context.text.count("- habit (") == 5


@pytest.mark.parametrize(("ending", "shown"), [("I stopped running.", False), ("I stopped painting.", True)])
async def test_a_habit_that_has_ended_is_in_no_read(
    memory: Memory, bank: str, ending: str, shown: bool
) -> None:
    for day, said in enumerate(("I run every Sunday.", ending)):
        at = T0 + timedelta(days=day)
        await memory.add_messages(BANK, f"c{day}", [NewMessage("user", said, occurred_at=at)])
        await settle(memory, BANK)
    (habit,) = (await memory.list_procedures(BANK, statuses=["active", "tentative"])).items
    listed = [one.memory_id for one in (await memory.list_procedures(BANK)).items]
    assert (habit.memory_id in listed) == shown
    asked = "Do I run every Sunday?"
    assert (habit.memory_id in await found(memory, asked, types=["procedural"])) == shown
    assert habit.memory_id in await found(memory, asked, types=["procedural"], as_of=T0 + timedelta(hours=1))
    text = (await memory.context(BANK, asked)).text
    assert ("- habit (" in text) == shown
    assert ("every Sunday" in text.partition("## RELEVANT")[0]) == shown


async def test_text_of_a_procedure_cannot_close_its_quotation(memory: Memory, bank: str) -> None:
    await commit(memory, 'Restart the router".\n- "# Lines', situation='slow" internet\n[connection]')
    text = (await memory.context(BANK, "slow internet connection router")).text
    (line,) = [line for line in text.splitlines() if "Restart" in line]
    assert line.count('"') == 2
    assert "Lines" in line
    assert "connection" in line


async def test_a_compaction_has_habits_and_patterns(memory: Memory, bank: str) -> None:
    await memory.remember(BANK, "I held Michael in my arms.", importance=0.9)
    await commit(memory, 'I always called you "champ", Michael.')
    bad = await commit(memory, "Shout at Michael.")
    for _ in range(3):
        await memory.record_outcome(BANK, bad, "failed")
    compaction = await memory.compact(BANK, "Michael", "farewell")
    assert [s.name for s in compaction.sections] == ["Personal Experiences", "Habits & Patterns"]
    assert "I always called you 'champ', Michael." in compaction.text.partition("Habits & Patterns")[2]
    assert "Shout" not in compaction.text


async def test_lists_and_entries_hold_all_types(memory: Memory, bank: str, admin: Admin) -> None:
    router = await commit(memory, ROUTER, importance=0.9)
    await memory.remember(BANK, "Anna lives in Porto.", type="semantic")
    await memory.remember(BANK, "Anna saw the sea.")
    await settle(memory, BANK)
    assert [m.memory_id for m in (await memory.list_memories(BANK, type="procedural")).items] == [router]
    assert {m.type for m in (await memory.list_memories(BANK)).items} == {
        "episodic",
        "semantic",
        "procedural",
    }
    assert (await memory.list_memories(BANK, order="importance")).items[0].memory_id == router
    rows = admin.execute(
        "select memory_type, embedding is not null from analytics.memory_entry order by 1"
    ).fetchall()
    assert rows == [("episodic", True), ("procedural", True), ("semantic", True)]
    assert admin.execute("select content, weight, avoid from analytics.procedural_memory").fetchall() == [
        (ROUTER, 0.2, False)
    ]
    assert (await memory.stats(BANK))["procedures"] == {"active": 1}


@pytest.fixture
async def filled(memory: Memory, bank: str) -> str:
    for n in range(8):
        await memory.remember(
            BANK, f"Restart router number {n} " + "and wait for the green light " * n, type="procedural",
            situation=SITUATION,
        )  # fmt: skip
        await memory.remember(BANK, f"The internet was slow on day {n}.")
        await memory.remember(BANK, f"Anna's router number {n} stands in room {n}.", type="semantic")
    await settle(memory, BANK)
    return BANK


async def test_no_budget_is_exceeded(memory: Memory, filled: str) -> None:
    count = token_counter("wordpiece")

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, 300), st.integers(0, 600))
    def budgets(recent: int, knowledge: int) -> None:
        cases.append((recent, knowledge))

    cases: list[tuple[int, int]] = []
    budgets()
    for recent, knowledge in cases:
        context = await memory.context(
            filled, "The internet is slow again.", recent_tokens=recent, knowledge_tokens=knowledge
        )
        assert count(context.text) == context.tokens <= recent + knowledge
