"""Duplicates of which some are erased."""

from __future__ import annotations

from typing import Any

import pytest

from memory_service import Memory, NewMessage
from tests.conftest import Admin, settle

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


async def test_the_reply_of_the_next_duplicate_replaces_an_erased_one(memory: Memory, admin: Admin) -> None:
    said = "I moved to Berlin with my dog."
    replies = {
        "first": "Which breed is your dog, and does it like Kreuzberg?",
        "second": "Congratulations! Registration at the Bürgeramt takes two weeks.",
        "third": "Then you need a dog licence from the tax office in Schöneberg.",
    }
    await memory.create_bank(BANK, {"gate": False})
    await memory.create_bank("never", {"gate": False})
    for bank, left_out in ((BANK, ()), ("never", ("first",))):
        await memory.remember(bank, said, agent_id="root", importance=0.5)
        await settle(memory, bank)
        for talk, reply in replies.items():
            if talk not in left_out:
                await memory.add_messages(
                    bank, talk, [NewMessage("user", said), NewMessage("assistant", reply)]
                )
                await memory.end_import(bank, [talk])
                await settle(memory, bank)
    (merged,) = (await memory.list_memories(BANK, type="episodic", status="active")).items
    assert reply_of(admin, BANK)[0] == reply_of(admin, BANK, "first")[0]

    await memory.erase(BANK, conversation_id="first")
    assert (await memory.get_memory(BANK, merged.memory_id)).represents == 3
    assert reply_of(admin, BANK) == reply_of(admin, "never")
    assert reply_of(admin, BANK)[0] == reply_of(admin, BANK, "second")[0]
    await memory.erase(BANK, conversation_id="second")
    assert reply_of(admin, BANK)[0] == reply_of(admin, BANK, "third")[0]
    await memory.erase(BANK, conversation_id="third")
    assert reply_of(admin, BANK)[0] is None


def reply_of(admin: Admin, bank: str, conversation: str | None = None) -> tuple[Any, ...]:
    """Reply, vectors and words of the episode of a conversation, by default of the one without."""
    (found,) = admin.execute(
        "select e.reply, array(select v.embedding::text from memory.memory_vector v "
        "where v.bank_id = e.bank_id and v.memory_id = e.memory_id order by v.part), "
        "(select t.search from memory.memory_text t where t.bank_id = e.bank_id and t.memory_id = e.memory_id)::text "
        "from memory.episodic_memory e where e.bank_id = %s and e.conversation_id is not distinct from %s",
        [bank, conversation],
    ).fetchall()
    return found[0], found[1], str(found[2] or "").replace(bank, "")
