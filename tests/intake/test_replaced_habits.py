"""Habits whose time changes, through the real worker: facts and procedures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def _send(memory: Memory, *texts: str) -> None:
    await memory.create_bank("anna")
    for day, text in enumerate(texts):
        at = START + timedelta(days=14 * day)
        reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
        await memory.add_messages("anna", f"c{day}", [NewMessage("user", text, occurred_at=at), reply])
        await settle(memory, "anna")


async def _habits(memory: Memory) -> set[str]:
    return {f.fact for f in (await memory.list_facts("anna")).items if f.attribute != "likes"}


@pytest.mark.parametrize(
    ("first", "second", "facts", "procedures"),
    [
        ("We release every Friday.", "We release every second Tuesday now.",
         {"user releases every second Tuesday."}, {"We release every second Tuesday now."}),
        ("I go to yoga on Mondays.", "yoga is on Wednesdays now", {"user's yoga is on Wednesdays."}, set[str]()),
        ("I go to yoga on Mondays.", "I moved my yoga to Wednesdays.", {"user's yoga is on Wednesdays."}, set[str]()),
        ("My yoga has moved to Mondays.", "I go to yoga on Wednesdays now.", {"user goes to yoga on Wednesdays."},
         {"I go to yoga on Wednesdays now."}),
        ("I work out every morning.", "I work out in the evenings now.", {"user works out in the evenings."},
         {"I work out in the evenings now."}),
        ("I go to yoga on Mondays.", "I also go to yoga on Thursdays.",
         {"user goes to yoga on Mondays.", "user goes to yoga on Thursdays."},
         {"I go to yoga on Mondays.", "I also go to yoga on Thursdays."}),
        ("I go to yoga on Mondays.", "Pilates is on Wednesdays now.",
         {"user goes to yoga on Mondays.", "user's pilates is on Wednesdays."}, {"I go to yoga on Mondays."}),
        ("I run every morning.", "I run in the evenings this week.",
         {"user runs every morning.", "user runs in the evenings."}, {"I run every morning."}),
        ("I take 100 mg of sertraline every morning.", "I take 50 mg of sertraline now.",
         {"user takes sertraline every morning.", "user takes sertraline.", "user's dose of sertraline is 50 mg."},
         set[str]()),
        ("Every morning I take 100 mg of sertraline and go for a run.", "I take 50 mg of sertraline now.",
         None, {"Every morning I take 100 mg of sertraline and go for a run."}),
        ("I take 100 mg of sertraline every morning.", "I work out in the evenings.",
         {"user takes sertraline every morning.", "user takes sertraline.", "user's dose of sertraline is 100 mg.",
          "user works out in the evenings."},
         {"I take 100 mg of sertraline every morning.", "I work out in the evenings."}),
    ],
)  # fmt: skip
async def test_a_habit_at_another_time_ends_the_former_one(
    memory: Memory, first: str, second: str, facts: set[str] | None, procedures: set[str]
) -> None:
    await _send(memory, first, second)
    assert facts is None or await _habits(memory) == facts
    in_force = await memory.list_procedures("anna", as_of=START + timedelta(days=15))
    assert {procedure.content for procedure in in_force.items} == procedures


async def test_a_former_time_that_is_named_ends_alone(memory: Memory) -> None:
    await _send(
        memory,
        "I go to yoga on Mondays.",
        "I also go to yoga on Thursdays.",
        "I go to yoga on Saturdays now instead of Mondays.",
    )
    assert await _habits(memory) == {"user goes to yoga on Thursdays.", "user goes to yoga on Saturdays."}


@pytest.mark.parametrize(
    ("first", "second", "ended"),
    [
        ("I live with my parents.", "I moved out!", True),
        ("I live with two flatmates.", "I live alone now.", True),
        ("I live with my flatmate.", "My flatmate moved out.", True),
        ("I live with two flatmates.", "My flatmate moved out.", False),
    ],
)
async def test_moving_out_ends_the_company(memory: Memory, first: str, second: str, ended: bool) -> None:
    await _send(memory, first, second)
    facts = (await memory.list_facts("anna")).items
    company = [one for one in facts if one.attribute == "lives_with" and one.value != "alone"]
    assert (company == []) is ended
