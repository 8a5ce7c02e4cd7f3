"""The import of an export from before an erasure does not restore erased rows."""

from __future__ import annotations

import pytest

from memory_service.errors import Conflict
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import Admin, settle
from tests.db.steps import START
from tests.transfer.test_bank_transfer import exported, imported


async def talks(memory: Memory) -> None:
    await memory.create_bank("anna", {"subject": "Maria"})
    for conversation, text in (
        ("secret", "My sister Ana is a doctor in Lisbon. Please remember it."),
        ("sea", "I live in Porto. Please remember it."),
        ("again", "My sister Ana is a doctor in Lisbon. Please remember that."),
    ):
        await memory.add_messages("anna", conversation, [NewMessage("user", text, occurred_at=START)])
    await memory.remember("anna", "Maria has a boat called Zora.", type="semantic")
    await settle(memory, "anna")


async def texts(memory: Memory, bank: str) -> set[str]:
    items = (await memory.list_memories(bank, limit=100)).items
    return {f"{item.type}: {item.content}" for item in items}


async def facts(memory: Memory, bank: str) -> set[tuple[str, int, float]]:
    return {
        (fact.fact, fact.evidence_count, round(fact.confidence, 6))
        for fact in (await memory.list_facts(bank, as_of=START)).items
    }


async def test_erased_memories_are_erased_again(memory: Memory, admin: Admin) -> None:
    await talks(memory)
    data, _ = await exported(memory, "anna")
    await memory.erase("anna", conversation_id="secret")
    (boat,) = [fact for fact in (await memory.list_facts("anna")).items if "Zora" in fact.fact]
    await memory.erase("anna", memory_ids=[boat.memory_id])
    await settle(memory, "anna")
    result = await imported(memory, "copy", data)
    assert result.erasure_id is not None
    await settle(memory, "copy")
    assert await texts(memory, "copy") == await texts(memory, "anna")
    receipts = (await memory.list_erasures("copy")).items
    assert [receipt.erasure_id for receipt in receipts] == [result.erasure_id]
    assert receipts[0].row_counts["message"] == 1
    rows = admin.execute(
        "select conversation_id from memory.message where bank_id = 'copy' order by 1"
    ).fetchall()
    assert rows == [("again",), ("sea",)]
    assert await facts(memory, "copy") == await facts(memory, "anna") != set()


async def test_an_erased_bank_is_not_brought_back(memory: Memory) -> None:
    await talks(memory)
    data, _ = await exported(memory, "anna")
    await memory.erase_bank("anna")
    for bank in ("anna", "copy"):
        with pytest.raises(Conflict, match=r"was erased at .*, after this export"):
            await imported(memory, bank, data)
    await memory.create_bank("anna")
    await memory.remember("anna", "A new beginning.")
    later, _ = await exported(memory, "anna")
    result = await imported(memory, "copy", later)
    assert result.erasure_id is None
