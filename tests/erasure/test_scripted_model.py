"""Erasure of a conversation with a nonce in every kind of row: the bank then equals one without that conversation."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_service import Memory
from tests.conftest import Admin, settle
from tests.erasure.carrier import FACT_IDS, NONCE, START, carry, rows_in
from tests.erasure.scan import tables_with

FACTS = (
    "select fact, status, round(confidence::numeric, 9), evidence_count, valid_from, valid_to, first_observed "
    "from memory.semantic_memory where bank_id = %s order by 1"
)
NORMS = (
    "select kind, slot, norm, situation, confidence, evidence_count, status, valid_from from memory.relational_memory "
    "where bank_id = %s and kind <> 'relationship_phase' order by 1, 2"
)
PROCEDURES = (
    "select content, situation, status, confidence, evidence_count from memory.procedural_memory "
    "where bank_id = %s order by 1"
)


@pytest.mark.parametrize("scope", ["conversation", "period", "memory"])
async def test_the_nonce_is_nowhere_and_the_rest_as_if_never_told(
    memory: Memory, admin: Admin, scope: str
) -> None:
    episode = await carry(memory, admin)
    kept = rows_in(admin, FACT_IDS, "b")
    if scope == "conversation":
        await memory.erase("b", conversation_id="one")
    elif scope == "period":
        await memory.erase("b", since=START - timedelta(days=1), until=START + timedelta(days=1))
    else:
        await memory.erase_memory("b", episode)
    assert tables_with(admin, NONCE) == set()
    assert tables_with(admin, NONCE, "analytics") == set()
    await settle(memory, "b")
    assert tables_with(admin, NONCE) == set()
    for query in (FACTS, NORMS, PROCEDURES):
        assert rows_in(admin, query, "b") == rows_in(admin, query, "never")
    left = rows_in(admin, FACT_IDS, "b")
    assert left == kept, "facts keep their ids"
