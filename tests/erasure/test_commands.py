"""Erasure through Memory: a bank after an erasure equals one that never received the erased messages."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from memory_service import InvalidInput, Memory, NewMessage, NotFound
from tests.conftest import Admin, settle
from tests.erasure.scan import rows_of, tables_with

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
NONCE = "Zqxbirdo"
TALKS: dict[str, list[str]] = {
    "one": ["I live in Porto.", "I have a dog called Rex.", f"I am allergic to {NONCE} walnuts."],
    "two": ["I live in Leipzig now.", "Please call me Jo.", "I love hiking."],
    "three": [
        "I have a dog called Rex.",
        "I live in Porto.",
        "I am a nurse.",
        "Please keep your answers short.",
    ],
    "four": [
        "I love hiking.",
        "I am a nurse.",
        "I no longer live in Porto.",
        "I feel very sad about Rex today.",
    ],
}


async def tell(memory: Memory, bank: str, left_out: str | None = None) -> None:
    """Import TALKS, a day apart, into a new bank, without the talk `left_out`."""
    await memory.create_bank(bank, {"gate": False})
    for day, (talk, texts) in enumerate(TALKS.items()):
        if talk == left_out:
            continue
        at = START + timedelta(days=day)
        messages = [
            NewMessage("user", text, id=f"{talk}{n}", occurred_at=at + timedelta(minutes=n))
            for n, text in enumerate(texts)
        ]
        await memory.add_messages(bank, talk, messages)
        await memory.end_import(bank, [talk])
        await settle(memory, bank)


def facts_of(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    """Each fact with text, status, confidence, evidence and period; rows merged by their timeline left out."""
    return admin.execute(
        "select f.fact, f.subject, f.attribute, f.value, f.status, round(f.confidence::numeric, 9), f.evidence_count, "
        "f.valid_from, f.valid_to, f.first_observed, f.last_confirmed, round(f.importance::numeric, 9), s.fact "
        "from memory.semantic_memory f "
        "left join memory.semantic_memory s on s.bank_id = f.bank_id and s.memory_id = f.superseded_by "
        "where f.bank_id = %s and f.status <> 'merged_into' order by 1, 2, 3, 4, 8",
        [bank],
    ).fetchall()


def episodes_of(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    return admin.execute(
        "select e.conversation_id, e.summary, e.status, e.represents, round(e.importance::numeric, 9), t.search, "
        "t.neighbour_words from memory.episodic_memory e "
        "left join memory.memory_text t on t.bank_id = e.bank_id and t.memory_id = e.memory_id "
        "where e.bank_id = %s order by 1, 2",
        [bank],
    ).fetchall()


def words_of(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    lexeme = admin.execute("select memory_internal.bank_lexeme(%s)", [bank]).fetchone()
    assert lexeme
    return admin.execute(
        "select word, memories from memory.word_count where bank_id = %s and word <> %s order by 1",
        [bank, lexeme[0]],
    ).fetchall()


def norms_of(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    return admin.execute(
        "select n.kind, n.slot, n.norm, n.confidence, n.evidence_count, n.status, n.valid_from, n.valid_to "
        "from memory.relational_memory n where n.bank_id = %s and n.kind <> 'relationship_phase' order by 1, 2, 3",
        [bank],
    ).fetchall()


@pytest.mark.parametrize("talk", TALKS)
async def test_what_is_left_equals_an_import_without_it(memory: Memory, admin: Admin, talk: str) -> None:
    await tell(memory, "whole")
    await tell(memory, "never", left_out=talk)
    receipt = await memory.erase("whole", conversation_id=talk)
    assert receipt.row_counts["message"] == len(TALKS[talk])
    await settle(memory, "whole")
    assert facts_of(admin, "whole") == facts_of(admin, "never")
    assert norms_of(admin, "whole") == norms_of(admin, "never")
    assert words_of(admin, "whole") == words_of(admin, "never")
    compared = [row[:-2] for row in episodes_of(admin, "whole")]
    assert compared == [row[:-2] for row in episodes_of(admin, "never")]


async def test_no_door_finds_what_was_erased(memory: Memory, admin: Admin) -> None:
    await tell(memory, "b")
    await memory.recall("b", f"What about {NONCE}?", mode="tool")
    await memory.context("b", f"I am allergic to {NONCE} walnuts.", conversation_id="one")
    await memory.trace_writer.flush()
    held = tables_with(admin, NONCE)
    assert {"message", "episodic_memory", "memory_text", "word_count", "retrieval_trace"} <= held
    await memory.recall("b", f"Again {NONCE}", mode="tool")  # its trace is still queued
    await memory.erase("b", conversation_id="one")
    await memory.trace_writer.flush()
    assert tables_with(admin, NONCE) == set()
    assert tables_with(admin, NONCE, "analytics") == set()
    found = await memory.recall("b", f"What about {NONCE}?", mode="tool", k=100)
    assert all(NONCE not in item.content for item in found.items)


async def test_the_same_erasure_again_is_the_same_receipt(memory: Memory, admin: Admin) -> None:
    await tell(memory, "b")
    plan = await memory.plan_erasure("b", conversation_id="one")
    first, second = await asyncio.gather(
        memory.erase("b", conversation_id="one"), memory.erase("b", conversation_id="one")
    )
    assert first == second == await memory.erase("b", conversation_id="one")
    assert first.row_counts == plan.row_counts
    assert (await memory.list_erasures("b")).items == (first,)
    audited = admin.execute("select count(*) from memory.audit_event where action = 'erased'").fetchone()
    assert audited == (1,)
    with pytest.raises(NotFound, match="conversation_id"):
        await memory.erase("b", conversation_id="never")


async def test_a_bank_of_the_same_name_begins_anew(memory: Memory, admin: Admin) -> None:
    await tell(memory, "b")
    receipt = await memory.erase_bank("b", reason="asked to")
    assert rows_of(admin, "b") == {}
    assert await memory.erase_bank("b") == receipt
    with pytest.raises(NotFound):
        await memory.get_bank("b")
    assert (await memory.list_erasures("b")).items == (receipt,)
    await tell(memory, "b")
    assert (await memory.erase_bank("b")).erasure_id != receipt.erasure_id


async def test_results_of_a_search_are_confirmed_first(memory: Memory) -> None:
    await tell(memory, "b")
    plan = await memory.plan_erasure("b", query=f"{NONCE} walnuts")
    assert plan.scope == "search"
    found = await memory.recall("b", f"{NONCE} walnuts", mode="tool", k=1)
    receipt = await memory.erase("b", memory_ids=[found.items[0].memory_id], search=True)
    assert receipt.scope == "search"
    left = await memory.recall("b", f"{NONCE} walnuts", mode="tool", k=100)
    assert all(NONCE not in item.content for item in left.items)


@pytest.mark.parametrize(
    ("named", "field"),
    [
        ({}, "memory_ids"),
        ({"memory_ids": []}, "memory_ids"),
        ({"memory_ids": ["x"]}, "memory_ids"),
        ({"conversation_id": "c", "agent_id": "a"}, "agent_id"),
        ({"since": START}, "until"),
        ({"since": START, "until": START}, "until"),
        ({"search": True, "agent_id": "a"}, "search"),
        ({"conversation_id": "a\x00"}, "conversation_id"),
    ],
)
async def test_a_selection_is_one(memory: Memory, named: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await memory.erase("b", **named)
    assert refused.value.field == field


async def test_an_unknown_memory_is_not_found(memory: Memory) -> None:
    await memory.create_bank("b")
    with pytest.raises(NotFound, match="memory_ids"):
        await memory.erase_memory("b", uuid4())
