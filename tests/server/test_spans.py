"""OpenTelemetry spans: names and attributes of the conventions, the caller's trace, and no text."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from memory_service import spans
from memory_service.errors import InvalidOutput
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle
from tests.support.scripted import ScriptedExtractor, script
from tests.support.shared_app import client_on

PLANTED = "Zebrafinkenlied"
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT_ID = "00f067aa0ba902b7"


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(spans, "tracer", provider.get_tracer("test"))
    yield exporter
    provider.shutdown()


def named(exported: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exported.get_finished_spans() if span.name == name]


def attributes(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


async def test_operations_have_the_names_of_the_conventions(
    memory: Memory, exported: InMemorySpanExporter
) -> None:
    await memory.create_bank("anna")
    told = await memory.remember("anna", f"Anna hums the {PLANTED}.", tags=[PLANTED])
    fact = await memory.remember("anna", "Anna lives in Porto", type="semantic")
    await memory.add_messages("anna", PLANTED, [NewMessage("user", f"I hum the {PLANTED}.")])
    await settle(memory, "anna")
    found = await memory.recall("anna", PLANTED)
    await memory.context("anna", PLANTED)
    await memory.compact("anna", PLANTED, PLANTED)
    await memory.update("anna", told.memory_id, tags=["song"])
    await memory.pin_fact("anna", fact.memory_id)
    seen = [
        (span.name, attributes(span)["memory_service.operation"]) for span in exported.get_finished_spans()
    ]
    assert seen == [
        ("create_memory", "remember"), ("create_memory", "remember"), ("create_memory", "messages"),
        ("search_memory", "recall"), ("search_memory", "context"), ("search_memory", "compact"),
        ("update_memory", "update"), ("update_memory", "pinned"),
    ]  # fmt: skip
    assert attributes(named(exported, "search_memory")[0]) == {
        "gen_ai.operation.name": "search_memory",
        "gen_ai.memory.store.id": "anna",
        "gen_ai.memory.record.count": len(found.items),
        "memory_service.operation": "recall",
    }
    assert attributes(named(exported, "create_memory")[0])["gen_ai.memory.record.id"] == str(told.memory_id)


async def test_spans_continue_the_trace_of_the_caller(memory: Memory, exported: InMemorySpanExporter) -> None:
    await memory.create_bank("anna")
    async with client_on(memory) as http:
        for headers in ({}, {"traceparent": f"00-{TRACE_ID}-{PARENT_ID}-01"}, {"traceparent": PLANTED}):
            answer = await http.post("/v1/banks/anna/recall", json={"query": "a"}, headers=headers)
            assert answer.status_code == 200
    own, child, unreadable = named(exported, "search_memory")
    assert (own.parent, unreadable.parent) == (None, None)
    assert child.parent is not None
    assert (f"{child.parent.trace_id:032x}", f"{child.parent.span_id:016x}") == (TRACE_ID, PARENT_ID)
    assert own.context is not None
    assert f"{own.context.trace_id:032x}" != TRACE_ID


async def test_model_calls_have_their_tokens(memory: Memory, exported: InMemorySpanExporter) -> None:
    script(memory, extractor=ScriptedExtractor())
    await memory.create_bank("anna")
    await memory.add_messages("anna", "c", [NewMessage("user", "Please remember that I live in Porto.")])
    await settle(memory, "anna")
    (call,) = named(exported, "chat scripted")
    assert attributes(call) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "scripted",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 10,
        "memory_service.purpose": "extract",
    }


async def test_no_text_is_in_a_span_whatever_fails(memory: Memory, exported: InMemorySpanExporter) -> None:
    script(memory, extractor=ScriptedExtractor(lambda said: InvalidOutput(f"cannot read {said}")))
    await memory.create_bank("anna")
    async with client_on(memory) as http:
        base = "/v1/banks/anna"
        message = {"role": "user", "content": f"Please remember the {PLANTED}."}
        calls: list[httpx.Response] = [
            await http.post(f"{base}/messages", json={"conversation_id": PLANTED, "messages": [message]}),
            await http.post(f"{base}/messages", json={"conversation_id": PLANTED, "messages": [message | {"id": "m"}]}),
            await http.post(f"{base}/messages", json={
                "conversation_id": PLANTED, "messages": [{"role": "user", "content": f"{PLANTED}!", "id": "m"}],
            }),
            await http.post(f"{base}/recall", json={"query": PLANTED, "profile": PLANTED}),
            await http.get(f"{base}/memories?tag={PLANTED}"),
        ]  # fmt: skip
        assert [call.status_code for call in calls] == [202, 202, 409, 422, 200]
    failed = [span for span in exported.get_finished_spans() if span.status.status_code is StatusCode.ERROR]
    assert [attributes(span)["error.type"] for span in failed] == ["Conflict", "InvalidInput"]
    assert all(not span.events for span in exported.get_finished_spans())
    assert PLANTED not in "".join(span.to_json() for span in exported.get_finished_spans())
