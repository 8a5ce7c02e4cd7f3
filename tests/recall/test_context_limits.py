"""A bank's budgets of contexts and compactions, and the confidence of the facts in them."""

from __future__ import annotations

from typing import Any

import pytest

from memory_service.memory import Memory
from tests.conftest import at_work
from tests.support.scripted import ScriptedEmbedder, script

HIVES = "Maria keeps bees in Lisbon."


async def told(memory: Memory, **settings: Any) -> None:
    """A bank with these settings, one episode and one fact."""
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna", settings)
    async with at_work(memory):
        await memory.remember("anna", HIVES, importance=0.5, wait_ms=20_000)
        await memory.remember("anna", "Maria is a beekeeper.", type="semantic", wait_ms=20_000)


async def test_a_bank_has_its_own_budgets(memory: Memory) -> None:
    await told(memory, recent_tokens=0, knowledge_tokens=0, compaction_tokens=10)
    assert (await memory.context("anna", "bees")).text == ""
    assert HIVES in (await memory.context("anna", "bees", knowledge_tokens=700)).text
    assert (await memory.compact("anna", "Maria", "farewell")).text == ""
    made = await memory.compact("anna", "Maria", "farewell", max_tokens=500)
    assert HIVES in made.text
    await memory.update_bank("anna", {"knowledge_tokens": 300, "compaction_tokens": None})
    made = await memory.context("anna", "bees")
    assert HIVES in made.text
    trace = await memory.get_trace("anna", made.trace_id)
    assert (trace.figures["recent_tokens"], trace.figures["knowledge_tokens"]) == (0, 300)
    assert HIVES in (await memory.compact("anna", "Maria", "farewell")).text


async def test_the_services_budgets_hold_where_the_bank_sets_none(memory: Memory) -> None:
    await told(memory)
    memory.settings = memory.settings.model_copy(update={"knowledge_tokens": 0, "recent_tokens": 0})
    assert (await memory.context("anna", "bees")).text == ""


@pytest.mark.parametrize(("own", "shown"), [({}, True), ({"context_confidence": 0.95}, False)])
async def test_a_bank_says_how_sure_a_fact_of_a_context_is(
    memory: Memory, own: dict[str, float], shown: bool
) -> None:
    await told(memory, **own)
    text = (await memory.context("anna", "Is Maria a beekeeper?")).text
    assert ("Maria is a beekeeper." in text) == shown
