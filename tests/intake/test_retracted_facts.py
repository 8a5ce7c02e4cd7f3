"""A retracted fact: the mark on the episode that states it, and the norms that rest on the same statement."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def _say(memory: Memory, text: str, day: int) -> None:
    at = START + timedelta(days=day)
    reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
    await memory.add_messages("anna", f"c{day}", [NewMessage("user", text, occurred_at=at), reply])
    await settle(memory, "anna")


async def _retract(memory: Memory, value: str) -> None:
    (fact,) = [one for one in (await memory.list_facts("anna")).items if one.value == value]
    await memory.retract_fact("anna", fact.memory_id)


async def test_the_episode_of_a_retracted_fact_is_marked(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _say(memory, "I live in Oslo.", 0)
    await _say(memory, "I work at Siemens.", 1)
    assert "retracted" not in (await memory.context("anna", "where do I live")).text
    await _retract(memory, "oslo")
    lines = (await memory.context("anna", "where do I live")).text.splitlines()
    assert [("(retracted " in line) for line in lines if '"I live in Oslo."' in line] == [True]
    assert not any("(retracted " in line for line in lines if "Siemens" in line)
    (found,) = [
        item for item in (await memory.recall("anna", "where do I live")).items if "Oslo" in item.content
    ]
    assert found.superseded is not None
    assert found.superseded.retracted
    assert found.superseded.by is None


async def test_retracting_an_instruction_removes_its_norm(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _say(memory, "I live in Oslo. Always answer in German please. Always end with a joke.", 0)
    before = {norm.norm for norm in await memory.list_norms("anna")}
    assert len(before) == 2
    await _retract(memory, "oslo")
    assert {norm.norm for norm in await memory.list_norms("anna")} == before
    await _retract(memory, "german")
    (left,) = await memory.list_norms("anna")
    assert "joke" in left.norm


async def test_retracting_an_order_of_a_category_removes_its_norm(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _say(memory, "Never use emojis. I prefer tea over coffee.", 0)
    assert len(await memory.list_norms("anna")) == 2
    await _retract(memory, "no emojis")
    await _retract(memory, "tea")
    assert not await memory.list_norms("anna")


async def test_retracting_a_liking_keeps_that_of_a_longer_value(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _say(memory, "I like running. I like running shoes. I like art. I like starting early.", 0)
    before = {norm.norm for norm in await memory.list_norms("anna")}
    await _retract(memory, "running")
    await _retract(memory, "art")
    left = {norm.norm for norm in await memory.list_norms("anna")}
    assert before - left <= {"I like running.", "I like art."}
    assert any("shoes" in norm for norm in left)


async def test_retracting_a_liking_removes_the_preference_it_states(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _say(memory, "I hate phone calls, text or email is fine.", 0)
    assert [norm.kind for norm in await memory.list_norms("anna")] == ["preference"]
    await _retract(memory, "phone calls")
    assert not await memory.list_norms("anna")
