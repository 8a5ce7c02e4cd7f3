"""The HTTP interface refuses foreign web pages, floods of errors, secrets outside the text, reads before writes."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from memory_service.api import writes
from memory_service.config import Settings
from memory_service.errors import Conflict, InvalidInput
from memory_service.intake.commit import check_id, committed_episode
from memory_service.memory import Memory
from memory_service.redaction import Redacted, redact
from memory_service.requests import NewMemory, NewMessage
from memory_service.server.app import create_app
from memory_service.store.database import Database
from tests.support.shared_app import client_on

Admin = psycopg.Connection[tuple[object, ...]]
BANK = "/v1/banks/anna"
TOKEN = "ghp_" + "aB3dE5" * 6


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        assert (await client.post("/v1/banks", json={"bank_id": "anna"})).status_code in (200, 201)
        yield client


@pytest.fixture
async def bank(memory: Memory) -> str:
    await memory.create_bank("anna")
    return "anna"


# Web pages of others

LOCAL = ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:8080", "127.1.2.3:1", "[::1]", "[::1]:8080"]
FOREIGN = [
    "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.example",
    "192.168.0.1", "[::2]:8080", "[::1", "localhost:8080:9", "localhost:http", "user@localhost", "",
]  # fmt: skip


@pytest.mark.parametrize("host", LOCAL)
@pytest.mark.changes_nothing
async def test_a_call_to_this_machine_is_answered(http: httpx.AsyncClient, host: str) -> None:
    assert (await http.get(BANK, headers={"host": host})).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("path", [BANK, "/healthz", "/docs", "/openapi.json"])
@pytest.mark.changes_nothing
async def test_a_call_under_a_foreign_name_is_misdirected(
    http: httpx.AsyncClient, host: str, path: str
) -> None:
    answer = await http.get(path, headers={"host": host})
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["errors"][0]["field"] == "host"


@pytest.mark.changes_nothing
async def test_one_good_host_among_two_does_not_help(http: httpx.AsyncClient) -> None:
    answer = await http.get(BANK, headers=[("host", "localhost"), ("host", "evil.example")])
    assert answer.status_code == 421


@pytest.mark.parametrize(
    "origin",
    ["null", "https://evil.example", "http://evil.example:8080", "chrome-extension://abc", "localhost"],
)
@pytest.mark.changes_nothing
async def test_a_foreign_page_is_refused(http: httpx.AsyncClient, origin: str) -> None:
    answer = await http.post("/v1/banks", json={"bank_id": "bob"}, headers={"origin": origin})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (403, "origin")
    assert (await http.get("/v1/banks/bob")).status_code == 404


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8080"])
@pytest.mark.changes_nothing
async def test_a_page_of_this_machine_is_answered(http: httpx.AsyncClient, origin: str) -> None:
    assert (await http.get(BANK, headers={"origin": origin})).status_code == 200


async def test_the_configured_host_and_further_ones_are_answered(settings: Settings) -> None:
    named = settings.model_copy(update={"host": "memory.home"})
    async with await Memory.open(named, migrated=False) as memory:
        transport = httpx.ASGITransport(create_app(memory, hosts=["box.lan"]))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for host in ("memory.home:8080", "box.lan", "Box.lan:1"):
                assert (await client.get("/healthz", headers={"host": host})).status_code == 200
            assert (await client.get("/healthz", headers={"host": "x.lan"})).status_code == 421


async def test_the_docs_list_every_call_and_load_nothing(http: httpx.AsyncClient) -> None:
    answer = await http.get("/docs")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for path in (await http.get("/openapi.json")).json()["paths"]:
        assert path in answer.text
    assert "<script" not in answer.text
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", answer.text)
    assert (await http.get("/redoc")).status_code == 404


# Floods


@pytest.mark.parametrize(
    ("path", "field", "body"),
    [
        ("messages", "messages", {"conversation_id": "c", "messages": [0] * 300_000}),
        ("memories", "tags", {"content": "One.", "tags": [0] * 300_000}),
        ("memories", "topics", {"content": "One.", "topics": ["x"] * 65}),
        ("recall", "emotions", {"query": "One?", "emotions": [0] * 300_000}),
        ("context", "topics", {"message": "One?", "topics": [0] * 300_000}),
    ],
)
async def test_a_flood_of_wrong_entries_gets_a_short_answer(
    http: httpx.AsyncClient, path: str, field: str, body: dict[str, Any]
) -> None:
    async with asyncio.timeout(20):
        answer = await http.post(f"{BANK}/{path}", json=body)
    assert answer.status_code == 422
    assert len(answer.content) < 2_000
    assert answer.json()["errors"][0]["field"] == field
    assert f"at most {100 if field == 'messages' else 64}" in answer.json()["detail"]


async def test_at_most_twenty_errors_are_listed(http: httpx.AsyncClient) -> None:
    answer = await http.post(f"{BANK}/recall", json={f"x{n}": 1 for n in range(500)})
    assert answer.status_code == 422
    assert len(answer.json()["errors"]) == 20


async def test_much_text_is_redacted_off_the_loop_and_little_text_on_it(
    memory: Memory, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def watched(text: str) -> Redacted:
        threads.append(threading.current_thread())
        return redact(text)

    monkeypatch.setattr(writes, "redact", watched)
    await memory.add_messages(bank, "c", [NewMessage("user", "Anna keeps bees.")] * 2)
    assert set(threads) == {threading.main_thread()}
    threads.clear()
    await memory.add_messages(bank, "c", [NewMessage("user", "Anna keeps bees. " * 1_600)] * 2)
    assert threads
    assert threading.main_thread() not in threads


# Connections


@pytest.mark.parametrize("size", [1, 2, 3, 4])
async def test_reads_leave_connections_to_writes(settings: Settings, size: int) -> None:
    async with await Memory.open(settings.model_copy(update={"pool_size": size}), migrated=False) as memory:
        await memory.create_bank("anna")
        database = memory.store.database
        seconds = 20 if size > 1 else 0.2
        reads = [
            asyncio.create_task(database.query_value(f"select pg_sleep({seconds})")) for _ in range(3 * size)
        ]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(30):
            await memory.add_messages("anna", "c", [NewMessage("user", "Anna keeps bees.")])
            await memory.add_messages("anna", "c", [NewMessage("user", "Anna keeps bees.")] * 2)
            await memory.remember("anna", "Anna keeps bees.")
        if size > 1:
            assert not any(read.done() for read in reads), "it waited for a read"
        for read in reads:
            read.cancel()
        await asyncio.wait(reads)


async def test_a_read_that_is_given_up_gives_its_place_back(memory: Memory) -> None:
    database: Database = memory.store.database
    for _ in range(20):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await asyncio.gather(*(database.query_value("select pg_sleep(0.2)") for _ in range(6)))
    async with asyncio.timeout(5):
        assert await database.query_value("select 1") == 1


# Secrets and broken lines outside the text


async def test_no_field_of_a_message_keeps_a_secret(memory: Memory, bank: str, admin: Admin) -> None:
    metadata = {TOKEN: 1, "deep": [{"note": f"use {TOKEN}"}], "password": "hunter2", "n": 3, "none": None}
    await memory.add_messages(bank, "c", [NewMessage("user", "One.", name=f"bot {TOKEN}", metadata=metadata)])
    row = admin.execute("select to_jsonb(m) from memory.message m").fetchone()
    assert row
    stored: Any = row[0]
    assert TOKEN not in json.dumps(stored)
    assert stored["name"] == "bot [redacted:github_token]"
    assert stored["metadata"] == {
        "[redacted:github_token]": 1,
        "deep": [{"note": "use [redacted:github_token]"}],
        "password": "[redacted:password]",
        "n": 3,
        "none": None,
    }


async def test_no_field_of_a_commit_keeps_a_secret(memory: Memory, bank: str, admin: Admin) -> None:
    words = ["garden", TOKEN]
    committed, again = [
        await memory.remember(
            bank, "One.", tags=words, topics=words, entities=words, recipients=words,
            metadata={"at": {"note": TOKEN}},
        )
        for _ in range(2)
    ]  # fmt: skip
    assert committed.memory_id != again.memory_id
    item = await memory.get_memory(bank, committed.memory_id)
    for name in ("tags", "topics", "entities", "recipients"):
        assert getattr(item, name) == ("garden", "[redacted:github_token]")
    assert item.metadata == {"at": {"note": "[redacted:github_token]"}}
    rows = admin.execute("select to_jsonb(e) from memory.episodic_memory e").fetchall()
    assert TOKEN not in json.dumps(rows)


async def test_a_trace_keeps_no_secret_and_little_text(memory: Memory, bank: str, admin: Admin) -> None:
    await memory.recall(bank, f"What is {TOKEN} for?")
    await memory.context(bank, "bees " * 1_000 + TOKEN)
    await memory.context(bank, "bees " * 398 + TOKEN)
    await memory.flush()
    rows: list[Any] = admin.execute("select to_jsonb(t) from memory.retrieval_trace t").fetchall()
    texts: list[str] = [row[0]["query"] for row in rows]
    assert len(texts) == 3
    assert "What is [redacted:github_token] for?" in texts
    assert max(map(len, texts)) == 2_000
    assert "ghp_" not in json.dumps(rows)


ORDINARY = [
    "550e8400-e29b-41d4-a716-446655440000", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "507f1f77bcf86cd799439011",
    "cjld2cjxh0000qzrmn831i7rn", "V1StGXR8_Z5jdHi6B-myT", "d41d8cd98f00b204e9800998ecf8427e",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "user-12345678", "conv:2024-01-01", "2024-01-01T12:00:00.000Z", "anna.maria.lindqvist@example.com",
    "+49 170 1234567 / extension 12", "<CAF=abc123.x@mail.gmail.com>", "telegram:-1001234567890:42",
    "slack:C024BE91L:1700000000.000100", "discord/1098765432109876543", "4111111111111111-4111-1111",
    "thread_abc123DEF456ghi789JKL012", "chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ12",
    "msg_01XFDUDYJgAACzvnptvVoYEL", "session:key:550e8400-e29b-41d4-a716-446655440000",
    "https://chat.example/c?session=abcdef123456", "user:anna/password-reset/42", "åsa-ölund-kök-2024-1",
]  # fmt: skip


@pytest.mark.parametrize("name", ORDINARY)
async def test_ordinary_ids_are_taken(memory: Memory, bank: str, name: str) -> None:
    await memory.add_messages(bank, name, [NewMessage("user", "One.", id=name)], agent_id=name)
    await memory.remember(bank, "One.", agent_id=name, idempotency_key=name)


SECRETS = [
    TOKEN, "sk-proj-" + "aB3dE5" * 8, "AKIAIOSFODNN7EXAMPLE", "AIza" + "SyA1b" * 7,
    "sk-ant-api03-" + "aB3dE5" * 6, f"user:{TOKEN}", "my password is hunter2", "pw:Otter#31",
    "DE89370400440532013000",
]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["c1", "4111111111111111", "1234567890123456789", "219-09-9998",
     "550e8400-e29b-41d4-a716-446655440000",
     "9fceb02d0ae598e95dc970b74767f19372d61af8", "slack:C024BE91L/p1234567890.123456",
     "chat_2026-03-01", "user-77:web"],
)  # fmt: skip
def test_an_id_that_is_a_number_or_a_hash_is_no_secret(name: str) -> None:
    check_id(name, "conversation_id")


async def test_a_secret_is_no_bank_and_no_actor(memory: Memory, bank: str) -> None:
    with pytest.raises(InvalidInput, match="bank_id: looks like a secret"):
        await memory.create_bank("ghp_" + "aB3dE5" * 6)
    with pytest.raises(InvalidInput, match="actor: looks like a secret"):
        await memory.release_memory(bank, uuid4(), actor="Ines, password is actually Otter#31")


@pytest.mark.parametrize("secret", SECRETS)
async def test_a_secret_is_no_id(memory: Memory, bank: str, admin: Admin, secret: str) -> None:
    one = [NewMessage("user", "One.")]
    calls = {
        "conversation_id": memory.add_messages(bank, secret, one),
        "agent_id": memory.add_messages(bank, "c", one, agent_id=secret),
        "messages[1].id": memory.add_messages(bank, "c", [*one, NewMessage("user", "Two.", id=secret)]),
        "idempotency_key": memory.remember(bank, "One.", idempotency_key=secret),
        "agent_id ": memory.remember(bank, "One.", agent_id=secret),
    }
    for field, call in calls.items():
        with pytest.raises(InvalidInput, match="looks like a secret; use another id") as refused:
            await call
        assert refused.value.field == field.strip()
        assert secret not in str(refused.value)
    rows = admin.execute("select (select count(*) from memory.message), (select count(*) from memory.work)")
    assert rows.fetchone() == (0, 0)


@pytest.mark.parametrize("break_", ["\n", "\r", "\t", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"])
async def test_a_line_break_or_control_character_is_refused_where_a_line_is_meant(
    memory: Memory, bank: str, break_: str
) -> None:
    bad = f"a{break_}b"
    one = NewMessage("user", "One.")
    calls = {
        "conversation_id": lambda: memory.add_messages(bank, bad, [one]),
        "agent_id": lambda: memory.add_messages(bank, "c", [one], agent_id=bad),
        "messages[0].name": lambda: memory.add_messages(bank, "c", [NewMessage("user", "One.", name=bad)]),
        "messages[0].id": lambda: memory.add_messages(bank, "c", [NewMessage("user", "One.", id=bad)]),
    }
    for field, call in calls.items():
        with pytest.raises(InvalidInput, match="control character") as refused:
            await call()
        assert refused.value.field == field
    for field in ("tags", "topics", "entities", "recipients"):
        with pytest.raises(InvalidInput, match="control character") as refused:
            NewMemory("One.", **{field: [bad]})  # pyright: ignore[reportArgumentType]
        assert refused.value.field == f"{field}[0]"
    for field in ("idempotency_key", "agent_id"):
        with pytest.raises(InvalidInput, match="control character"):
            NewMemory("One.", **{field: bad})  # pyright: ignore[reportArgumentType]


async def test_what_is_no_message_is_refused_by_its_place(memory: Memory, bank: str, admin: Admin) -> None:
    messages: list[Any] = [NewMessage("user", "One."), {"role": "user", "content": "Two."}]
    with pytest.raises(InvalidInput, match="must be a NewMessage, not a dict") as refused:
        await memory.add_messages(bank, "c", messages)
    assert refused.value.field == "messages[1]"
    assert admin.execute("select count(*) from memory.message").fetchone() == (0,)


async def test_texts_keep_their_lines(memory: Memory, bank: str) -> None:
    text = "One.\n\tTwo.\r\nThree."
    await memory.add_messages(bank, "c", [NewMessage("user", text, metadata={"note": text})])
    committed = await memory.remember(bank, text, lesson=text)
    item = await memory.get_memory(bank, committed.memory_id)
    assert (item.content, item.lesson) == (text, text)


# Idempotency keys


async def test_a_commit_of_many_long_words_is_judged_off_the_loop(
    memory: Memory, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def watched(given: NewMemory) -> Any:
        threads.append(threading.current_thread())
        return committed_episode(given)

    monkeypatch.setitem(writes.BUILDERS, "episodic", watched)
    words = [f"{n} " + "garden " * 36 for n in range(64)]
    await memory.remember(bank, "One. " * 4_000, tags=words, topics=words, entities=words)
    await memory.remember(bank, "One.")
    assert threads[0] is not threading.main_thread()
    assert threads[1] is threading.main_thread()


async def test_the_same_key_of_another_agent_is_a_conflict(memory: Memory, bank: str) -> None:
    await memory.remember(bank, "One.", agent_id="planner", idempotency_key="k")
    same = await memory.remember(bank, "One.", agent_id="planner", idempotency_key="k")
    assert not same.created
    with pytest.raises(Conflict, match="idempotency_key"):
        await memory.remember(bank, "One.", agent_id="writer", idempotency_key="k")
