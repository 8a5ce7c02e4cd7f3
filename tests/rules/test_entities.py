"""Names in a text, at the start of a sentence too."""

from __future__ import annotations

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.rules.summaries.topics import entities
from tests.conftest import settle


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Maria is allergic to walnuts.", ("Maria",)),
        ("Maria's birthday is in May.", ("Maria",)),
        ("Bob moved to Leeds.", ("Leeds", "Bob")),
        ("Pixel is my cat.", ("Pixel",)),
        ("Zoë and I went hiking.", ("Zoë",)),
        ("Priya got promoted.", ("Priya",)),
        ("Basketball is my favourite sport.", ()),
        ("Work is hard.", ()),
        ("Coffee keeps me awake.", ()),
        ("Berlin was cold.", ()),
        ("Yesterday was fun.", ()),
        ("She moved out.", ()),
        ("Everyone went home.", ()),
        ("Someone called.", ()),
        ("Nobody likes it.", ()),
        ("Traffic is the worst.", ()),
    ],
)
def test_a_name_at_the_start_counts_where_a_person_follows(text: str, names: tuple[str, ...]) -> None:
    assert set(entities(text)) == set(names)


async def test_memories_of_one_person_are_linked(memory: Memory) -> None:
    await memory.create_bank("anna", {"intake": "verbatim"})
    for text in ("Maria is allergic to walnuts.", "Maria moved to Porto with two suitcases."):
        await memory.add_messages("anna", "c1", [NewMessage("user", text)])
        await settle(memory, "anna")
    first, second = (await memory.list_memories("anna")).items
    assert (first.links, second.links) == ((second.memory_id,), (first.memory_id,))
