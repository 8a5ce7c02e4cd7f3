"""Erasure over HTTP: required roles and responses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import pytest

from memory_service import Memory
from memory_service.vocabulary import KeyRole
from tests.conftest import Admin, settle
from tests.support.shared_app import bearer, own_client


@pytest.mark.one_server("reads what is left of an erased bank in the tables")
@pytest.mark.parametrize(
    ("role", "may_erase", "status"),
    [("read", True, 403), ("write", False, 403), ("write", True, 200), ("admin", False, 200)],
)
async def test_a_key_needs_the_right_to_erase(
    memory: Memory, admin: Admin, role: KeyRole, may_erase: bool, status: int
) -> None:
    await memory.create_bank("b")
    kept = await memory.remember("b", "We met in Porto.")
    await settle(memory, "b")
    key = await memory.create_key(role, ["b"], may_erase=may_erase)
    path = f"/v1/banks/b/memories/{kept.memory_id}"
    async with own_client(memory) as http:
        plan = await http.post(
            "/v1/banks/b/erasures",
            json={"memory_ids": [str(kept.memory_id)], "dry_run": True},
            headers=bearer(key),
        )
        answer = await http.delete(path, headers=bearer(key))
        again = await http.delete(path, headers=bearer(key))
        bank = await http.delete("/v1/banks/b", headers=bearer(key))
    assert [one.status_code for one in (plan, answer, again, bank)] == [status] * 4
    left = admin.execute("select count(*) from memory.bank where bank_id = 'b'").fetchone()
    assert left == (int(status == 403),)
    if status == 200:
        assert again.json() == answer.json()
        assert answer.json()["row_counts"] == plan.json()["row_counts"]
        acts = admin.execute(
            "select key_id, bank_ids, subjects from memory.audit_event where action = 'erased' order by audit_id"
        ).fetchall()
        assert acts == [(key.key_id, ["b"], [one.json()["erasure_id"]]) for one in (answer, bank)]


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with own_client(memory) as client:
        yield client


async def test_nothing_to_erase_is_not_found(http: httpx.AsyncClient, memory: Memory) -> None:
    await memory.create_bank("b")
    for answer in (
        await http.delete(f"/v1/banks/b/memories/{uuid4()}"),
        await http.delete("/v1/banks/nobody"),
        await http.get("/v1/banks/nobody/erasures"),
        await http.post("/v1/banks/b/erasures", json={"agent_id": "nobody", "dry_run": False}),
        await http.post("/v1/banks/nobody/erasures", json={"agent_id": "nobody", "dry_run": True}),
    ):
        assert answer.status_code == 404, answer.text
    assert (await http.get("/v1/banks/b/erasures")).json() == {"items": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "dry_run"),
        ({"dry_run": False}, "memory_ids"),
        ({"dry_run": False, "memory_ids": ["x"]}, "memory_ids"),
        ({"dry_run": False, "query": "walnuts"}, "query"),
        ({"dry_run": False, "whole_bank": True}, "whole_bank"),
        ({"dry_run": False, "conversation_id": "a\u0000"}, "conversation_id"),
        ({"dry_run": False, "since": "2026-03-01T00:00:00"}, "since"),
        ({"dry_run": False, "conversation_id": "c", "agent_id": "a"}, "agent_id"),
        ({"dry_run": True, "all": True}, "all"),
    ],
)
async def test_a_bad_request_names_its_field(
    http: httpx.AsyncClient, memory: Memory, body: dict[str, object], field: str
) -> None:
    await memory.create_bank("b")
    answer = await http.post("/v1/banks/b/erasures", json=body)
    assert answer.status_code == 422, answer.text
    assert field in answer.text
