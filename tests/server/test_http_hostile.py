"""Hostile input to every call: a 4xx that names the field, nothing half stored, and the service lives on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from memory_service.cursors import encode_cursor
from memory_service.memory import Memory
from tests.conftest import settle
from tests.support.shared_app import client_on

BANK = "/v1/banks/anna"
JSON = {"content-type": "application/json"}
MESSAGE = {"role": "user", "content": "one"}
TABLES = (
    "bank", "conversation", "message", "episodic_memory", "gate_decision", "memory_event", "work", "semantic_memory",
    "fact_judgement", "fact_version", "fact_conflict", "clarification",
)  # fmt: skip

CALLS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "make a bank": ("POST", "/v1/banks", {"bank_id": "new"}),
    "patch a bank": ("PATCH", BANK, {"settings": {"intake": "snippet"}}),
    "messages": ("POST", f"{BANK}/messages", {"conversation_id": "c1", "messages": [MESSAGE]}),
    "commit": ("POST", f"{BANK}/memories", {"content": "One."}),
    "recall": ("POST", f"{BANK}/recall", {"query": "One?"}),
    "context": ("POST", f"{BANK}/context", {"message": "One?"}),
    "compact": ("POST", f"{BANK}/compact", {"recipient": "Michael", "purpose": "farewell"}),
    "answer a question": ("POST", f"{BANK}/clarifications/{UUID(int=1)}/answer", {"keep": "both"}),
}
"""Each call that takes a body, with a body that is good."""


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        assert (await client.post("/v1/banks", json={"bank_id": "anna"})).status_code in (200, 201)
        yield client


Admin = psycopg.Connection[tuple[object, ...]]


def contents(admin: Admin) -> dict[str, object]:
    """The rows of every table that a refused call could have changed."""
    query = "select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) from memory.{} t"
    return {table: admin.execute(query.format(table).encode()).fetchone() for table in TABLES}


async def refused(
    http: httpx.AsyncClient,
    admin: Admin,
    method: str,
    path: str,
    content: bytes | None,
    headers: dict[str, str],
) -> httpx.Response:
    """The answer to a call that must be refused with a problem document and must change no row."""
    before = contents(admin)
    answer = await http.request(method, path, content=content, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["status"] == answer.status_code
    assert document["errors"], "no field is named"
    assert contents(admin) == before, "something is half stored"
    assert (await http.get("/readyz")).status_code == 200
    return answer


def field_of(answer: httpx.Response) -> str:
    return answer.json()["errors"][0]["field"]


# What every call with a body refuses


@dataclass(frozen=True)
class Body:
    content: bytes
    status: int
    field: str = "body"
    content_type: str | None = "application/json"


BODIES = {
    "empty": Body(b"", 422),
    "no JSON": Body(b"{nope", 400),
    "half of it": Body(b'{"bank_id": "an', 400),
    "no UTF-8": Body(b'{"bank_id": "\xff\xfe"}', 400),
    "a list": Body(b"[1]", 422),
    "a string": Body(b'"anna"', 422),
    "null": Body(b"null", 422),
    "NaN": Body(b'{"x": NaN}', 400),
    "Infinity": Body(b'{"x": [-Infinity]}', 400),
    "a number of 5,000 digits": Body(b'{"x": ' + b"1" * 5_000 + b"}", 400),
    "3,000 deep": Body(b'{"x": ' + b"[" * 3_000 + b"]" * 3_000 + b"}", 400),
    "300,000 deep": Body(b"[" * 300_000 + b"]" * 300_000, 400),
    "1 MiB and a byte": Body(b'"' + b"x" * (1024 * 1024 - 1) + b'"', 413),
    "without its type": Body(b"{}", 415, "content-type", None),
    "as a form": Body(b"{}", 415, "content-type", "application/x-www-form-urlencoded"),
    "as text": Body(b"{}", 415, "content-type", "text/plain; charset=utf-8"),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.changes_nothing
async def test_a_body_that_is_none_is_refused_by_every_call(
    http: httpx.AsyncClient, admin: Admin, name: str
) -> None:
    body = BODIES[name]
    headers = {"content-type": body.content_type} if body.content_type else {}
    for method, path, _ in CALLS.values():
        answer = await refused(http, admin, method, path, body.content, headers)
        assert (answer.status_code, field_of(answer)) == (body.status, body.field), path


async def test_a_body_without_declared_length_is_bounded_too(http: httpx.AsyncClient, admin: Admin) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(2_000):
            yield b" " * 1024

    answer = await http.post(f"{BANK}/messages", content=endless(), headers=JSON)
    assert answer.status_code == 413


async def test_a_body_of_just_1_mib_is_read(http: httpx.AsyncClient) -> None:
    body = json.dumps({"query": "One?"}).encode()
    answer = await http.post(f"{BANK}/recall", content=body + b" " * (1024 * 1024 - len(body)), headers=JSON)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/x+json"]
)
async def test_json_by_its_other_names_is_read(http: httpx.AsyncClient, kind: str) -> None:
    answer = await http.post(f"{BANK}/recall", content=b'{"query": "x"}', headers={"content-type": kind})
    assert answer.status_code == 200


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.changes_nothing
async def test_an_unknown_field_is_named(http: httpx.AsyncClient, admin: Admin, call: str) -> None:
    method, path, good = CALLS[call]
    content = json.dumps({**good, "improtance": 1}).encode()
    answer = await refused(http, admin, method, path, content, JSON)
    assert field_of(answer) == "improtance"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.changes_nothing
async def test_a_missing_field_is_named(http: httpx.AsyncClient, admin: Admin, call: str) -> None:
    method, path, good = CALLS[call]
    first = next(iter(good))
    content = json.dumps({name: value for name, value in good.items() if name != first}).encode()
    answer = await refused(http, admin, method, path, content, JSON)
    assert first in [error["field"] for error in answer.json()["errors"]]


# Values that are refused, by call and field


def values(kind: str) -> list[object]:
    """Values that no field of this kind takes."""
    text: list[object] = ["a\0b", "\ud800", "\udfff x", 5, True, [], {}, None]
    number: list[object] = ["1", True, [], 10**400, 1e999, -1e999]
    kinds: dict[str, list[object]] = {
        "text": [*text, "", " \n"],
        "optional text": [value for value in text if value is not None],
        "count": ["1", True, 1.5, [], 10**30, -1, None],
        "optional count": ["1", True, 1.5, [], 10**30, -1],
        "number": [*number, 7],
        "time": [
            5, True, "", "yesterday", "2026-03-01", "2026-03-01T09:30:00", "2026-13-01T00:00:00Z",
            "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-03-01T00:00:00Z\0", "\ud800",
        ],
        "past": ["0001-01-01T00:00:00Z", "1799-12-31T00:00:00Z", "9999-12-31T00:00:00Z"],
        "words": ["joy", 5, {}, [5], [None], ["a\0"], ["\ud800"], [""], ["x"] * 65, ["x" * 257]],
        "object": [
            5, "x", [], {"a": "\0"}, {"a\0": 1}, {"\ud800": 1}, {"a": [{"b": [{"c": "x\0"}]}]}, {"a": 1e999},
            {"a": "x" * 16_001}, nested(33),
        ],
    }  # fmt: skip
    return kinds[kind]


def nested(depth: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


FIELDS: list[tuple[str, str, str]] = [
    ("make a bank", "bank_id", "text"),
    ("make a bank", "settings", "object"),
    ("patch a bank", "settings", "object"),
    ("messages", "conversation_id", "text"),
    ("messages", "agent_id", "optional text"),
    ("messages", "messages[0].role", "text"),
    ("messages", "messages[0].content", "optional text"),
    ("messages", "messages[0].name", "optional text"),
    ("messages", "messages[0].id", "optional text"),
    ("messages", "messages[0].occurred_at", "time"),
    ("messages", "messages[0].occurred_at", "past"),
    ("messages", "messages[0].metadata", "object"),
    ("commit", "content", "text"),
    ("commit", "type", "text"),
    ("commit", "tags", "words"),
    ("commit", "metadata", "object"),
    ("commit", "importance", "number"),
    ("commit", "emotions", "words"),
    ("commit", "valence", "number"),
    ("commit", "topics", "words"),
    ("commit", "entities", "words"),
    ("commit", "lesson", "optional text"),
    ("commit", "occurred_at", "time"),
    ("commit", "occurred_at", "past"),
    ("commit", "recipients", "words"),
    ("commit", "agent_id", "optional text"),
    ("commit", "idempotency_key", "optional text"),
    ("commit", "wait_ms", "count"),
    ("recall", "query", "text"),
    ("recall", "k", "count"),
    ("recall", "mode", "text"),
    ("recall", "profile", "optional text"),
    ("recall", "min_importance", "number"),
    ("recall", "types", "words"),
    ("recall", "by", "words"),
    ("recall", "tags", "words"),
    ("recall", "since", "time"),
    ("recall", "until", "time"),
    ("recall", "recipient", "optional text"),
    ("recall", "agent", "optional text"),
    ("recall", "emotions", "words"),
    ("recall", "valence", "number"),
    ("recall", "topics", "words"),
    ("recall", "as_of", "time"),
    ("recall", "explain", "optional text"),
    ("context", "message", "text"),
    ("context", "conversation_id", "optional text"),
    ("context", "recent_tokens", "optional count"),
    ("context", "knowledge_tokens", "optional count"),
    ("context", "profile", "optional text"),
    ("context", "emotions", "words"),
    ("context", "valence", "number"),
    ("context", "topics", "words"),
    ("context", "tokenizer", "text"),
    ("context", "as_of", "time"),
    ("compact", "recipient", "text"),
    ("compact", "purpose", "text"),
    ("compact", "max_tokens", "optional count"),
    ("compact", "tokenizer", "text"),
    ("compact", "as_of", "time"),
    ("answer a question", "keep", "text"),
    ("answer a question", "text", "optional text"),
    ("answer a question", "actor", "optional text"),
]


@pytest.mark.parametrize(("call", "field", "kind"), FIELDS, ids=[f"{c}: {f}, {k}" for c, f, k in FIELDS])
@pytest.mark.changes_nothing
async def test_a_bad_value_is_refused_and_its_field_named(
    http: httpx.AsyncClient, admin: Admin, call: str, field: str, kind: str
) -> None:
    method, path, good = CALLS[call]
    for value in values(kind):
        if field == "explain" and isinstance(value, bool):
            continue
        body = changed(good, field, value)
        answer = await refused(http, admin, method, path, body, JSON)
        named = [error["field"] for error in answer.json()["errors"]]
        # A bad key cannot be named in the error; then the error names the object with the key.
        assert any(name.startswith(field) for name in named), (value, named)
        assert answer.status_code == 422


def changed(good: dict[str, Any], field: str, value: object) -> bytes:
    """The good body with one field changed, as JSON; `messages[0].x` is a field of the first message."""
    body = json.loads(json.dumps(good))
    name = field.removeprefix("messages[0].")
    (body if name == field else body["messages"][0])[name] = value
    # json.dumps writes Infinity; a number too large for a float is how it comes in by JSON's own rules.
    return json.dumps(body).replace("Infinity", "1e999").encode()


LIMITS: list[tuple[str, str, object, str]] = [
    ("make a bank", "bank_id", "a" * 129, "bank_id"),
    ("make a bank", "bank_id", "-a", "bank_id"),
    ("make a bank", "bank_id", "a b", "bank_id"),
    ("make a bank", "bank_id", "a/b", "bank_id"),
    ("make a bank", "bank_id", "ä", "bank_id"),
    ("make a bank", "bank_id", "a\n", "bank_id"),
    ("make a bank", "settings", {"intake": "all"}, "settings.intake"),
    ("make a bank", "settings", {"intak": "verbatim"}, "settings.intak"),
    ("patch a bank", "settings", {"intake": 5}, "settings.intake"),
    ("messages", "messages", [], "messages"),
    ("messages", "messages", [MESSAGE] * 101, "messages"),
    ("messages", "messages", [MESSAGE, "two"], "messages[1]"),
    ("messages", "messages", [MESSAGE, {**MESSAGE, "content": "x" * 32_001}], "messages[1].content"),
    ("messages", "messages", [MESSAGE, {**MESSAGE, "role": "boss"}], "messages[1].role"),
    ("messages", "messages", [MESSAGE, {**MESSAGE, "tone": "x"}], "messages[1].tone"),
    ("messages", "conversation_id", "x" * 257, "conversation_id"),
    ("commit", "content", "x" * 32_001, "content"),
    ("commit", "type", "semantical", "type"),
    ("commit", "emotions", ["hangry"], "emotions[0]"),
    ("commit", "valence", -1.01, "valence"),
    ("commit", "importance", 1.01, "importance"),
    ("commit", "lesson", "x" * 2_001, "lesson"),
    ("commit", "wait_ms", 60_001, "wait_ms"),
    ("recall", "query", "x" * 8_001, "query"),
    ("recall", "k", 0, "k"),
    ("recall", "k", 101, "k"),
    ("recall", "types", ["episodic", "dreams"], "types[1]"),
    ("recall", "by", [], "by"),
    ("recall", "by", ["meaning", "dreams"], "by[1]"),
    ("context", "message", "x" * 32_001, "message"),
    ("context", "recent_tokens", 100_001, "recent_tokens"),
    ("context", "tokenizer", "gpt-9", "tokenizer"),
    ("compact", "recipient", "Michael\nObey.", "recipient"),
    ("compact", "purpose", "x" * 257, "purpose"),
    ("compact", "max_tokens", -1, "max_tokens"),
    ("compact", "max_tokens", 100_001, "max_tokens"),
    ("compact", "tokenizer", "", "tokenizer"),
    ("answer a question", "keep", "neither", "keep"),
    ("answer a question", "keep", "BOTH", "keep"),
    ("answer a question", "keep", f"{UUID(int=1)}\n", "keep"),
    ("answer a question", "text", "x" * 2_001, "text"),
    ("answer a question", "actor", "a\nb", "actor"),
]


@pytest.mark.parametrize(("call", "field", "value", "named"), LIMITS)
@pytest.mark.changes_nothing
async def test_what_is_over_a_limit_or_unknown_is_named(
    http: httpx.AsyncClient, admin: Admin, call: str, field: str, value: object, named: str
) -> None:
    method, path, good = CALLS[call]
    answer = await refused(http, admin, method, path, changed(good, field, value), JSON)
    assert (answer.status_code, field_of(answer)) == (422, named)


@pytest.mark.changes_nothing
async def test_one_bad_message_of_many_stores_none(http: httpx.AsyncClient, admin: Admin) -> None:
    many = [{**MESSAGE, "id": str(n)} for n in range(99)]
    body = {"conversation_id": "c1", "messages": [*many, {**MESSAGE, "content": "a\0"}]}
    answer = await refused(http, admin, "POST", f"{BANK}/messages", json.dumps(body).encode(), JSON)
    assert field_of(answer) == "messages[99].content"


async def test_the_most_that_is_allowed_is_taken(http: httpx.AsyncClient) -> None:
    longest = {"conversation_id": "c" * 256, "messages": [{**MESSAGE, "content": "\U0001f642" * 32_000}]}
    assert (await http.post(f"{BANK}/messages", json=longest)).status_code == 202
    deepest = {"content": "One.", "metadata": nested(31), "importance": 1, "valence": -1}
    assert (await http.post(f"{BANK}/memories", json=deepest)).status_code == 201


# Addresses and parameters

REACHES_PYTHON_LIMITS = encode_cursor(datetime.fromisoformat("9999-12-31T23:59:59-14:00"), UUID(int=0))
NOON = datetime.fromisoformat("2026-03-01T12:00:00Z")
PLACE_OF_A_MEMORY = encode_cursor(NOON, UUID(int=1))
PLACE_OF_A_LETTER = encode_cursor(NOON, "anna", "segment", "c1")
ADDRESSES: list[tuple[str, str, str]] = [
    ("GET", "/v1/banks/-anna", "bank_id"),
    ("GET", "/v1/banks/an%00na", "bank_id"),
    ("GET", "/v1/banks/%ff%fe", "bank_id"),
    ("GET", "/v1/banks/anna%0a", "bank_id"),
    ("GET", f"/v1/banks/{'a' * 129}/stats", "bank_id"),
    ("GET", "/v1/banks/a%20b/decisions", "bank_id"),
    ("GET", "/v1/banks/a%20b/memories", "bank_id"),
    ("GET", "/v1/banks/a%20b/memories?type=semantic", "bank_id"),
    ("GET", "/v1/banks/a%20b/memories/01a20059-4e59-74c7-b76b-aa5f457a04d8", "bank_id"),
    ("GET", f"{BANK}/memories/xyz", "memory_id"),
    ("GET", f"{BANK}/memories/%00", "memory_id"),
    ("GET", f"{BANK}/memories/01a20059-4e59-74c7-b76b-aa5f457a04d8x", "memory_id"),
    ("GET", f"{BANK}/memories?limit=0", "limit"),
    ("GET", f"{BANK}/memories?limit=201", "limit"),
    ("GET", f"{BANK}/memories?limit=ten", "limit"),
    ("GET", f"{BANK}/memories?limit={'9' * 30}", "limit"),
    ("GET", f"{BANK}/memories?limit={'9' * 5000}", "limit"),
    ("GET", f"{BANK}/memories?min_importance=nan", "min_importance"),
    ("GET", f"{BANK}/memories?min_importance=1e999", "min_importance"),
    ("GET", f"{BANK}/memories?min_importance=2", "min_importance"),
    ("GET", f"{BANK}/memories?min_importance=high", "min_importance"),
    ("GET", f"{BANK}/memories?type=dream", "type"),
    ("GET", f"{BANK}/memories?status=%00", "status"),
    ("GET", f"{BANK}/memories?tag=a&tag=%00", "tag[1]"),
    ("GET", f"{BANK}/memories?tag=", "tag[0]"),
    ("GET", f"{BANK}/memories?{'&'.join(['tag=a'] * 65)}", "tag"),
    ("GET", f"{BANK}/memories?since=2026-03-01T00:00:00", "since"),
    ("GET", f"{BANK}/memories?until=soon", "until"),
    ("GET", f"{BANK}/memories?since=0001-01-01T00:00:00%2B14:00", "since"),
    ("GET", f"{BANK}/memories?cursor=nonsense", "cursor"),
    ("GET", f"{BANK}/memories?cursor=%00", "cursor"),
    ("GET", f"{BANK}/memories?cursor=", "cursor"),
    ("GET", f"{BANK}/memories?cursor=%f0%9f%99%82", "cursor"),
    ("GET", f"{BANK}/memories?importance=1", "importance"),
    ("GET", f"{BANK}/decisions?cursor=nonsense", "cursor"),
    ("GET", f"{BANK}/decisions?limit=0", "limit"),
    ("GET", f"{BANK}/decisions?outcome=lost", "outcome"),
    ("GET", f"{BANK}/stats?at=now", "at"),
    ("GET", f"{BANK}/dead-letters?limit=0", "limit"),
    ("GET", f"{BANK}/dead-letters?limit={'9' * 30}", "limit"),
    ("GET", f"{BANK}/dead-letters?cursor=nonsense", "cursor"),
    ("GET", f"{BANK}/dead-letters?cursor={PLACE_OF_A_MEMORY}", "cursor"),
    ("GET", f"{BANK}/memories?cursor={PLACE_OF_A_LETTER}", "cursor"),
    ("GET", f"{BANK}/dead-letters?kind=cut", "kind"),
    ("GET", "/v1/banks/a%20b/dead-letters", "bank_id"),
    ("GET", "/v1/dead-letters?limit=201", "limit"),
    ("GET", "/v1/dead-letters?limit=ten", "limit"),
    ("GET", "/v1/dead-letters?cursor=", "cursor"),
    ("GET", "/v1/dead-letters?cursor=%f0%9f%99%82", "cursor"),
    ("GET", f"/v1/dead-letters?cursor={encode_cursor(NOON, 'anna', 'segment', 'a' + chr(0))}", "cursor"),
    ("GET", f"/v1/dead-letters?cursor={encode_cursor(NOON, 'anna', 'segment', 'a', 'b')}", "cursor"),
    ("GET", "/v1/dead-letters?bank=anna", "bank"),
    ("POST", "/v1/banks/an%00na/redrive", "bank_id"),
    ("POST", f"{BANK}/redrive?limit=1", "limit"),
    ("POST", "/v1/redrive?bank_id=anna", "bank_id"),
    ("POST", f"{BANK}/memories/xyz/release", "memory_id"),
    ("POST", f"/v1/banks/a%20b/memories/{UUID(int=1)}/release", "bank_id"),
    ("POST", f"{BANK}/memories/{UUID(int=1)}/release?actor=me", "actor"),
    ("POST", "/v1/banks?force=1", "force"),
    ("GET", "/v1/banks/a%20b/facts", "bank_id"),
    ("GET", f"{BANK}/facts?limit=0", "limit"),
    ("GET", f"{BANK}/facts?limit=201", "limit"),
    ("GET", f"{BANK}/facts?limit=ten", "limit"),
    ("GET", f"{BANK}/facts?status=active", "status[0]"),
    ("GET", f"{BANK}/facts?status=stable&status=%00", "status[1]"),
    ("GET", f"{BANK}/facts?status=", "status[0]"),
    ("GET", f"{BANK}/facts?{'&'.join(['status=stable'] * 65)}", "status"),
    ("GET", f"{BANK}/facts?as_of=2026-03-01T00:00:00", "as_of"),
    ("GET", f"{BANK}/facts?as_of=yesterday", "as_of"),
    ("GET", f"{BANK}/facts?as_of=0001-01-01T00:00:00%2B14:00", "as_of"),
    ("GET", f"{BANK}/facts?known_at=2026-03-01", "known_at"),
    ("GET", f"{BANK}/facts?known_at=2026-03-01T00:00:00Z%00", "known_at"),
    ("GET", f"{BANK}/facts?subject=user", "subject"),
    ("GET", f"{BANK}/facts?cursor=nonsense", "cursor"),
    ("GET", f"{BANK}/facts?cursor={PLACE_OF_A_LETTER}", "cursor"),
    ("GET", f"{BANK}/facts?cursor={encode_cursor(NOON, UUID(int=1), 'bob')}", "cursor"),
    ("GET", f"{BANK}/facts?cursor={REACHES_PYTHON_LIMITS}", "cursor"),
    ("GET", f"{BANK}/facts/xyz", "fact_id"),
    ("GET", f"{BANK}/facts/xyz/history", "fact_id"),
    ("GET", f"{BANK}/facts/{UUID(int=1)}/history?limit=0", "limit"),
    (
        "GET",
        f"{BANK}/facts/{UUID(int=1)}/history?cursor={encode_cursor(NOON, 0, UUID(int=1), 'anna')}",
        "cursor",
    ),
    (
        "GET",
        f"{BANK}/facts/{UUID(int=1)}/history?cursor={encode_cursor(NOON, 2**31, UUID(int=1), 'anna')}",
        "cursor",
    ),
    (
        "GET",
        f"{BANK}/facts/{UUID(int=1)}/history?cursor={encode_cursor(NOON, 1, UUID(int=2), 'anna')}",
        "cursor",
    ),
    (
        "GET",
        f"{BANK}/facts/{UUID(int=1)}/history?cursor={encode_cursor(NOON, 1, UUID(int=1), 'bob')}",
        "cursor",
    ),
    *(
        ("POST", path, field)
        for verb in ("confirm", "dispute", "retract", "pin", "unpin")
        for path, field in (
            (f"{BANK}/facts/%00/{verb}", "fact_id"),
            (f"/v1/banks/a%20b/facts/{UUID(int=1)}/{verb}", "bank_id"),
            (f"{BANK}/facts/{UUID(int=1)}/{verb}?actor=me", "actor"),
        )
    ),
    ("GET", f"{BANK}/clarifications?limit=0", "limit"),
    ("GET", f"{BANK}/clarifications?status=closed", "status[0]"),
    ("GET", f"{BANK}/clarifications?cursor=nonsense", "cursor"),
    ("GET", f"{BANK}/clarifications?cursor={encode_cursor(NOON, UUID(int=1), 'nan', 'anna')}", "cursor"),
    ("GET", f"{BANK}/clarifications?cursor={encode_cursor(NOON, UUID(int=1), '0.5', 'bob')}", "cursor"),
    ("GET", "/v1/banks/a%20b/clarifications", "bank_id"),
    ("POST", f"{BANK}/clarifications/xyz/answer", "clarification_id"),
]


@pytest.mark.parametrize(("method", "path", "named"), ADDRESSES, ids=[p[:60] for _, p, _ in ADDRESSES])
@pytest.mark.changes_nothing
async def test_a_bad_address_or_parameter_is_named(
    http: httpx.AsyncClient, admin: Admin, method: str, path: str, named: str
) -> None:
    answer = await refused(http, admin, method, path, None, {})
    assert (answer.status_code, field_of(answer)) == (422, named)


@pytest.mark.parametrize("path", ["memories", "decisions"])
@pytest.mark.changes_nothing
async def test_a_forged_cursor_at_the_end_of_time_is_refused(
    http: httpx.AsyncClient, admin: Admin, path: str
) -> None:
    answer = await refused(http, admin, "GET", f"{BANK}/{path}?cursor={REACHES_PYTHON_LIMITS}", None, {})
    assert (answer.status_code, field_of(answer)) == (422, "cursor")


@pytest.mark.parametrize("path", [f"{BANK}/dead-letters", "/v1/dead-letters"])
async def test_a_forged_place_among_letters_is_a_place_or_is_refused(
    http: httpx.AsyncClient, admin: Admin, path: str
) -> None:
    """A bank that is none, a kind that is none: it sorts somewhere, and shows nothing that was not there to see."""
    moment = datetime.fromisoformat("9999-12-31T23:59:59-14:00")
    beyond = encode_cursor(moment, "anna", "segment", "c1")
    answer = await refused(http, admin, "GET", f"{path}?cursor={beyond}", None, {})
    assert (answer.status_code, field_of(answer)) == (422, "cursor")
    for keys in (("'; drop table memory.work; --", "x", "%"), ("", "", ""), ("\ue000", "\U0010ffff", "\x7f")):
        answer = await http.get(f"{path}?cursor={encode_cursor(NOON, *keys)}")
        assert (answer.status_code, answer.json()["items"]) == (200, [])


ACTED = {
    "of a release": f"{BANK}/memories/{UUID(int=1)}/release",
    "of a confirmation": f"{BANK}/facts/{UUID(int=1)}/confirm",
    "of a dispute": f"{BANK}/facts/{UUID(int=1)}/dispute",
    "of a retraction": f"{BANK}/facts/{UUID(int=1)}/retract",
    "of pinning": f"{BANK}/facts/{UUID(int=1)}/pin",
    "of unpinning": f"{BANK}/facts/{UUID(int=1)}/unpin",
}
"""Calls whose body says who acts, if there is one."""
ACTORS = {
    "empty": ("{}", 404, None),
    "an unknown field": ('{"by": "me"}', 422, "by"),
    "no text": ('{"actor": 5}', 422, "actor"),
    "empty text": ('{"actor": " "}', 422, "actor"),
    "a line break": ('{"actor": "a\\nb"}', 422, "actor"),
    "a NUL": ('{"actor": "a\\u0000b"}', 422, "actor"),
    "a lone surrogate": ('{"actor": "\\ud800"}', 422, "actor"),
    "too long": (json.dumps({"actor": "x" * 257}), 422, "actor"),
    "a secret": (json.dumps({"actor": "ghp_" + "aB3dE5" * 6}), 422, "actor"),
    "a list": ("[1]", 422, "body"),
    "no JSON": ("{nope", 400, "body"),
}


@pytest.mark.parametrize("name", ACTORS)
@pytest.mark.parametrize("path", ACTED.values(), ids=ACTED)
@pytest.mark.changes_nothing
async def test_a_bad_body_that_says_who_acts_is_named(
    http: httpx.AsyncClient, admin: Admin, name: str, path: str
) -> None:
    content, status, field = ACTORS[name]
    if field is None:
        assert (await http.post(path, content=content, headers=JSON)).status_code == status
        return
    answer = await refused(http, admin, "POST", path, content.encode(), JSON)
    assert (answer.status_code, field_of(answer)) == (status, field)


# Times at the ends, which are odd but good


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("call", ["recall", "context"])
async def test_reading_as_of_the_ends_of_time_finds_what_there_is(
    http: httpx.AsyncClient, memory: Memory, call: str, at: str
) -> None:
    await http.post(f"{BANK}/memories", json={"content": "Anna keeps bees."})
    await settle(memory, "anna")
    _, path, good = CALLS[call]
    answer = await http.post(path, json={**good, "as_of": at})
    assert answer.status_code == 200


async def test_our_own_mistake_is_a_problem_document_without_anybodys_words(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("Anna keeps bees")

    monkeypatch.setattr(memory, "recall", broken)
    async with client_on(memory) as client:
        answer = await client.post(f"{BANK}/recall", json={"query": "One?"})
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    printed = capsys.readouterr()
    logged = printed.out + printed.err
    assert "RuntimeError" in logged
    assert "test_http_hostile.py:" in logged, "the log says where"
    assert "bees" not in answer.text + logged


async def test_a_key_that_is_there_twice_is_refused(http: httpx.AsyncClient) -> None:
    answer = await http.post(
        "/v1/banks",
        content=b'{"bank_id": "anna", "settings": {"gate": true, "gate": false}}',
        headers={"content-type": "application/json"},
    )
    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"field": "body", "problem": "has the key 'gate' twice in one object"}]
