"""Procedures over HTTP: commit, list, outcome, reviews, errors that name their field."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest

from memory_service.memory import Memory
from tests.conftest import settle
from tests.support.shared_app import client_on

BANK = "/v1/banks/anna"
NOBODY = UUID(int=1)
FIELDS = {
    "memory_id", "kind", "content", "situation", "steps", "why", "status", "confidence", "importance",
    "evidence_count", "worked", "failed", "weight", "avoid", "pinned", "valid_from", "valid_to", "superseded_by",
    "derived_from", "version",
}  # fmt: skip


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        assert (await client.post("/v1/banks", json={"bank_id": "anna"})).status_code == 201
        yield client


async def commit(http: httpx.AsyncClient, memory: Memory, content: str, **fields: Any) -> str:
    answer = await http.post(BANK + "/memories", json={"type": "procedural", "content": content, **fields})
    assert answer.status_code == 201, answer.text
    await settle(memory, "anna")
    return answer.json()["memory_id"]


async def test_a_procedure_is_committed_listed_judged_and_replaced(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    old = await commit(
        http, memory, "Restart the router.", situation="slow internet", steps=["unplug", "wait"], why="it helps",
        kind="skill",
    )  # fmt: skip
    (item,) = (await http.get(BANK + "/procedures", params={"kind": "skill"})).json()["items"]
    assert set(item) >= FIELDS
    assert (item["memory_id"], item["situation"], item["steps"]) == (old, "slow internet", ["unplug", "wait"])
    assert (await http.get(f"{BANK}/memories", params={"type": "procedural"})).json()["items"][0][
        "memory_id"
    ] == old
    assert (await http.get(f"{BANK}/memories/{old}")).json()["type"] == "procedural"
    judged = await http.post(f"{BANK}/procedures/{old}/outcome", json={"outcome": "worked", "actor": "bot"})
    assert (judged.status_code, judged.json()["worked"]) == (200, 1)
    assert (await http.post(f"{BANK}/procedures/{old}/pin")).json()["pinned"]
    assert not (await http.post(f"{BANK}/procedures/{old}/unpin", json={"actor": "x"})).json()["pinned"]
    new = await commit(http, memory, "Call the provider.", replaces=old)
    former = (await http.get(f"{BANK}/procedures/{old}")).json()
    assert (former["status"], former["superseded_by"]) == ("superseded", new)
    history = (await http.get(f"{BANK}/procedures/{old}/history", params={"limit": 2})).json()
    assert [v["version"] for v in history["items"]] == [1, 2]
    rest = await http.get(f"{BANK}/procedures/{old}/history", params={"cursor": history["next_cursor"]})
    assert rest.json()["items"][-1]["reason"] == f"replaced by {new}"
    recalled = await http.post(f"{BANK}/recall", json={"query": "provider", "types": ["procedural"]})
    assert recalled.json()["items"][0]["memory_id"] == new
    assert (await http.post(f"{BANK}/procedures/{new}/retract")).json()["status"] == "deprecated"
    assert (await http.get(BANK + "/procedures")).json()["items"] == []


async def test_a_list_has_pages(http: httpx.AsyncClient, memory: Memory) -> None:
    for n in range(5):
        await http.post(BANK + "/memories", json={"type": "procedural", "content": f"Rule {n}."})
    await settle(memory, "anna")
    found: list[str] = []
    cursor = None
    while True:
        page = (
            await http.get(BANK + "/procedures", params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        ).json()
        found += [item["content"] for item in page["items"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert sorted(found) == [f"Rule {n}." for n in range(5)]


async def test_an_outcome_with_a_repeated_key_counts_once(http: httpx.AsyncClient, memory: Memory) -> None:
    rule = await commit(http, memory, "Rule.")
    for _ in range(2):
        answer = await http.post(
            f"{BANK}/procedures/{rule}/outcome", json={"outcome": "failed"}, headers={"Idempotency-Key": "k"}
        )
        assert (answer.status_code, answer.json()["failed"]) == (200, 1)
    await http.post(f"{BANK}/procedures/{rule}/outcome", json={"outcome": "failed"})
    assert (await http.get(f"{BANK}/procedures/{rule}")).json()["failed"] == 2


async def test_a_repeated_commit_by_header_is_one(http: httpx.AsyncClient, memory: Memory) -> None:
    body = {"type": "procedural", "content": "Rule."}
    answers = [
        await http.post(BANK + "/memories", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    ]
    assert answers[0].json()["memory_id"] == answers[1].json()["memory_id"]


@pytest.mark.parametrize(
    ("path", "body", "status", "named"),
    [
        ("/memories", {"type": "procedural", "content": "x", "steps": "y"}, 422, "steps"),
        ("/memories", {"type": "procedural", "content": "x", "kind": "y"}, 422, "kind"),
        ("/memories", {"type": "procedural", "content": "x", "replaces": "y"}, 422, "replaces"),
        ("/memories", {"type": "procedural", "content": "x", "replaces": str(NOBODY)}, 404, "replaces"),
        ("/memories", {"type": "episodic", "content": "x", "why": "y"}, 422, "why"),
        ("/memories", {"type": "procedural", "content": "x" * 4001}, 422, "content"),
        (f"/procedures/{NOBODY}/outcome", {"outcome": "worked"}, 404, "procedure_id"),
        (f"/procedures/{NOBODY}/outcome", {"outcome": "so so"}, 422, "outcome"),
        (f"/procedures/{NOBODY}/outcome", {}, 422, "outcome"),
        (f"/procedures/{NOBODY}/outcome", {"outcome": "worked", "note": "x" * 1001}, 422, "note"),
        (f"/procedures/{NOBODY}/outcome", {"outcome": "worked", "nota": "x"}, 422, "nota"),
        (f"/procedures/{NOBODY}/pin", None, 404, "procedure_id"),
        ("/procedures/x/pin", None, 422, "procedure_id"),
    ],
)
async def test_bad_input_names_its_field(
    http: httpx.AsyncClient, path: str, body: Any, status: int, named: str
) -> None:
    answer = await http.post(BANK + path, json=body)
    assert answer.status_code == status, answer.text
    assert named in answer.text
    assert (await http.get(BANK + "/memories")).json()["items"] == []


@pytest.mark.parametrize(
    "query", [{"status": "good"}, {"kind": "norm"}, {"limit": 0}, {"cursor": "x"}, {"as_of": "now"}]
)
async def test_a_bad_list_names_its_field(http: httpx.AsyncClient, query: dict[str, Any]) -> None:
    answer = await http.get(BANK + "/procedures", params=query)
    assert answer.status_code == 422
    assert next(iter(query)) in answer.text
