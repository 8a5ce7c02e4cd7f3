"""Lines of a context that name a person who has died since."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from memory_service.memory import Memory
from memory_service.recall.context import death_marks
from memory_service.recall.formatting import names
from memory_service.recall.person_lines import procedure_lines
from memory_service.store.context_entries import PersonEntry, RecentMemory
from tests.conftest import settle
from tests.support.known import NOW

DAY = timedelta(days=1)
DIED = f"(Otto died {NOW - 3 * DAY:%Y-%m-%d})"


@pytest.fixture(autouse=True)
async def bank(memory: Memory) -> str:
    await memory.create_bank("anna", {"merge_duplicates": False, "links": False})
    return "anna"


async def _said(memory: Memory, *texts: str) -> None:
    for n, text in enumerate(texts):
        await memory.remember("anna", text, occurred_at=NOW - (3 + 10 * (len(texts) - 1 - n)) * DAY)
        await settle(memory, "anna")


async def _line(memory: Memory, message: str, part: str) -> str:
    text = (await memory.context("anna", message)).text
    return next((line for line in text.split("\n") if part in line), "")


async def test_a_line_says_that_whom_it_names_has_died_since(memory: Memory) -> None:
    await _said(memory, "Otto loves brass bands, we go every month.", "I repainted the hall.", "Otto died.")
    assert (await _line(memory, "Any brass band music?", "brass bands")).endswith(DIED)
    assert DIED not in (await memory.context("anna", "Which colour has the hall?")).text.replace(
        await _line(memory, "Which colour has the hall?", "brass bands"), ""
    )


async def test_the_name_of_a_partner_is_one_person(memory: Memory) -> None:
    await _said(
        memory, "My husband is called Otto.", "Otto loves brass bands, we go every month.", "Otto died."
    )
    assert (await _line(memory, "Any brass band music?", "brass bands")).endswith(DIED)


def test_a_habit_is_marked_as_well() -> None:
    habit = PersonEntry(
        "procedure", UUID(int=1), "Otto loves jazz.", "", None, NOW - 9 * DAY,
        {"kind": "habit", "worked": 0, "failed": 0, "avoid": False},
    )  # fmt: skip
    death = RecentMemory("death", UUID(int=2), None, "Otto", "user's uncle Otto died.", NOW - 3 * DAY, None)
    (line,) = procedure_lines([habit], lambda text, since: death_marks(text, since, [death]))
    assert line.text.endswith(DIED)


async def test_namesakes_are_not_marked(memory: Memory) -> None:
    await _said(
        memory, "My son is called Otto.", "My uncle is called Otto.", "Otto loves brass bands.", "Otto died."
    )
    assert "died 2" not in (await _line(memory, "Any brass band music?", "brass bands"))


def test_a_text_names_a_whole_word_and_says_nothing_of_the_death() -> None:
    assert names("Otto loves jazz.", "Otto")
    assert not names("Ottoline loves jazz.", "Otto")
    assert not names("Otto died on Monday.", "Otto")
    assert not names("We met in May.", "May")


async def test_a_death_that_is_not_to_be_brought_up_is_no_mark(memory: Memory) -> None:
    await _said(memory, "Otto loves brass bands.", "My uncle Otto died.")
    message = "Any brass band music?"
    assert (await _line(memory, message, "brass bands")).endswith(DIED)
    await memory.put_relational("anna", [{"kind": "sensitivity", "norm": "my uncle", "slot": "topic: uncle"}])
    assert "died" not in (await memory.context("anna", message)).text
