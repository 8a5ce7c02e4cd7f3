"""Erasure of a period: rows stated in it are erased, whatever their valid time and the time of import."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_service import Memory, NewMessage, NotFound
from tests.conftest import Admin, settle
from tests.erasure.test_commands import facts_of

JANUARY = datetime(2026, 1, 10, 12, tzinfo=UTC)
MARCH = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TEXT = "I live in Porto."


async def state(memory: Memory, bank: str, how: str, at: datetime) -> None:
    """State the same fact in a message, or by a call of an agent."""
    if how == "message":
        await memory.add_messages(bank, f"{at:%B}", [NewMessage("user", TEXT, id="1", occurred_at=at)])
        await memory.end_import(bank, [f"{at:%B}"])
    else:
        await memory.remember(bank, TEXT, type="semantic", occurred_at=at, agent_id=f"{at:%B}")
    await settle(memory, bank)


@pytest.mark.parametrize("scope", ["period", "agent"])
@pytest.mark.parametrize("erased", ["message", "commit"])
@pytest.mark.parametrize("other", ["message", "commit"])
@pytest.mark.parametrize("received", ["earlier", "later"])
@pytest.mark.parametrize("at", [JANUARY, MARCH])
async def test_a_fact_keeps_what_was_stated_at_another_time(
    memory: Memory, admin: Admin, scope: str, erased: str, other: str, received: str, at: datetime
) -> None:
    if scope == "agent" and erased == "message":
        pytest.skip("messages here have no agent")
    stated = {at: erased, JANUARY if at == MARCH else MARCH: other}
    order = list(stated.items())
    for bank, statements in (
        ("whole", order if received == "earlier" else order[::-1]),
        ("never", order[1:]),
    ):
        await memory.create_bank(bank, {"gate": False})
        for when, how in statements:
            await state(memory, bank, how, when)
    named: dict[str, Any] = {"since": at - DAY, "until": at + DAY}
    if scope == "agent":
        named = {"agent_id": f"{at:%B}"}
    await memory.erase("whole", **named)
    await settle(memory, "whole")
    assert facts_of(admin, "never")
    assert facts_of(admin, "whole") == facts_of(admin, "never")


@pytest.mark.parametrize("erased", [JANUARY, MARCH])
async def test_a_procedure_keeps_what_another_call_stated(
    memory: Memory, admin: Admin, erased: datetime
) -> None:
    calls: dict[datetime, dict[str, Any]] = {
        JANUARY: {"tags": ["old"], "agent_id": "January"},
        MARCH: {"tags": ["new"], "steps": ["Boil the water."], "why": "It wakes me.", "agent_id": "March"},
    }
    for bank in ("whole", "never"):
        await memory.create_bank(bank)
        for at, call in calls.items():
            if bank == "whole" or at != erased:
                await memory.remember(
                    bank, "I make tea every morning.", type="procedural", occurred_at=at, **call
                )
                await settle(memory, bank)
    assert procedures_of(admin, "whole") != procedures_of(admin, "never")
    await memory.erase("whole", since=erased - DAY, until=erased + DAY)
    await settle(memory, "whole")
    assert procedures_of(admin, "never")
    assert procedures_of(admin, "whole") == procedures_of(admin, "never")


async def test_a_norm_is_stated_when_its_call_is_received(memory: Memory) -> None:
    await memory.create_bank("b")
    await memory.put_relational("b", [{"kind": "instruction", "norm": "Answer in one sentence."}])
    now = datetime.now(UTC)
    with pytest.raises(NotFound):
        await memory.erase("b", since=JANUARY, until=now - DAY)
    await memory.erase("b", since=now - DAY, until=now + DAY)
    assert await memory.list_norms("b") == []


def procedures_of(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    return admin.execute(
        "select p.content, p.steps, p.why, p.tags, p.status, p.confidence, p.evidence_count, p.occurred_at, "
        "p.importance, (select array_agg((v.steps, v.why)) from memory.procedure_version v "
        "where v.bank_id = p.bank_id and v.procedure_id = p.memory_id) is not null "
        "from memory.procedural_memory p where p.bank_id = %s and p.status <> 'merged_into' order by 1, 2",
        [bank],
    ).fetchall()
