"""Duplicates of which some are erased."""

from __future__ import annotations

import pytest

from memory_service import Memory
from tests.conftest import settle

BANK = "anna"
COMMITS = (
    ("one", "I moved to Berlin with my dog.", ("home", "old"), 0.4),
    ("two", "I moved to Berlin with my dog!", ("dog", "city"), 0.9),
    ("three", "i moved to Berlin with my dog", ("move", "city"), 0.5),
)
"""Agent, content, tags, importance."""


async def test_a_memory_loses_what_it_took_over_from_an_erased_duplicate(memory: Memory) -> None:
    await memory.create_bank(BANK)
    for agent, content, tags, importance in COMMITS:
        await memory.remember(BANK, content, agent_id=agent, tags=tags, importance=importance)
        await settle(memory, BANK)
    (merged,) = (await memory.list_memories(BANK, type="episodic", status="active")).items
    known = await memory.get_memory(BANK, merged.memory_id)
    assert (known.represents, known.importance) == (3, pytest.approx(0.9))
    assert known.tags == ("city", "dog", "home", "move", "old")

    await memory.erase(BANK, agent_id="two")
    left = await memory.get_memory(BANK, merged.memory_id)
    assert (left.represents, left.importance) == (2, pytest.approx(0.5))
    assert left.tags == ("city", "home", "move", "old")

    await memory.erase(BANK, agent_id="one")
    await settle(memory, BANK)
    (last,) = (await memory.list_memories(BANK, type="episodic", status="active")).items
    own = await memory.get_memory(BANK, last.memory_id)
    assert (own.content, own.represents, own.tags) == (COMMITS[2][1], 1, COMMITS[2][2])
