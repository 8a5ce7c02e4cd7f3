"""Answers that go out unchecked are what the OpenAPI document says, byte for byte as its models would write them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NoReturn, TypeVar
from uuid import UUID

import httpx
import pytest
from pydantic import TypeAdapter
from pydantic_core import to_json

from memory_service.memory import Memory
from memory_service.results import Context, SupersededFact, SupersedingFact, Trace
from memory_service.serialization import recall_json
from memory_service.server.schemas import MessagesAnswer, RecallAnswer
from tests.conftest import settle
from tests.support.scripted import ScriptedEmbedder, script
from tests.support.shared_app import client_on

T = TypeVar("T")

TOLD = ["I moved to Lisbon with my sister Maria.", "I am allergic to walnuts, remember that."]


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application with a bank that has memories with and without metadata."""
    script(memory, ScriptedEmbedder())
    async with client_on(memory) as client:
        await client.post("/v1/banks", json={"bank_id": "anna"})
        for text in TOLD:
            body = {
                "type": "episodic",
                "content": text,
                "metadata": {"n": 10**30, "é": [None, 1.5, {"a": "b"}]},
            }
            assert (await client.post("/v1/banks/anna/memories", json=body)).status_code == 201
        await settle(memory, "anna")
        yield client


def same_as(shape: type[T], body: bytes, **options: Any) -> T:
    """The value of a response, which is what its declared shape would write itself: no field more, none less."""
    adapter = TypeAdapter(shape)
    made = adapter.validate_json(body)
    assert adapter.dump_json(made, **options) + b"\n" == body
    return made


async def test_each_unchecked_answer_is_what_its_model_would_write(http: httpx.AsyncClient) -> None:
    sent = {"conversation_id": "c1", "messages": [{"role": "user", "content": TOLD[0]}]}
    acknowledged = await http.post("/v1/banks/anna/messages", json=sent)
    assert acknowledged.status_code == 202
    same_as(MessagesAnswer, acknowledged.content)
    for explain in (False, True):
        body = {"query": "Where does Maria live?", "explain": explain}
        answer = await http.post("/v1/banks/anna/recall", json=body)
        recalled = same_as(RecallAnswer, answer.content, exclude_unset=True)
        assert isinstance(recalled, RecallAnswer)
        assert recalled.items
        trace = await http.get(f"/v1/banks/anna/traces/{recalled.trace_id}")
        same_as(Trace, trace.content)
    context = await http.post("/v1/banks/anna/context", json={"message": "Where does Maria live?"})
    assert same_as(Context, context.content).sections
    body = {"recipient": "maria", "purpose": "farewell"}
    same_as(Context, (await http.post("/v1/banks/anna/compact", json=body)).content)


async def test_an_answer_with_a_superseded_fact_is_what_its_model_would_write(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    recalled = await memory.recall("anna", "Where does Maria live?")
    since = datetime(2026, 3, 1, 9, 30, 0, 5, UTC)
    for by in (None, SupersedingFact(UUID(int=2), "Anna lives in Lisbon.")):
        fact = SupersededFact(UUID(int=1), "Anna lives in Porto.", since, by)
        marked = replace(recalled.items[0], superseded=fact)
        answer = recall_json(replace(recalled, items=(marked,)), explain=True)
        same_as(RecallAnswer, to_json(answer) + b"\n", exclude_unset=True)


async def test_no_request_needs_a_thread(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """FastAPI runs dependencies and routes that are no coroutines in threads."""

    async def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a thread")

    monkeypatch.setattr("fastapi.dependencies.utils.run_in_threadpool", refuse)
    monkeypatch.setattr("fastapi.routing.run_in_threadpool", refuse)
    assert (await http.post("/v1/banks/anna/recall", json={"query": "Maria"})).status_code == 200
    assert (await http.get("/readyz")).status_code == 200
