"""Keys over HTTP: who may do what, from when, until when; a key's bank is the only one that exists for it."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import httpx
import pytest
from structlog.testing import capture_logs

from memory_service.config import Settings
from memory_service.errors import InvalidInput, NotFound, Unauthorized
from memory_service.keys import NewKey, checksum, generate_key, key_id_of
from memory_service.memory import Memory
from memory_service.server import authentication
from memory_service.server.authentication import (
    CACHE_SECONDS,
    PARALLEL_READS,
    REFUSALS_LOGGED,
    Authenticator,
)
from memory_service.server.serve import check_keys
from memory_service.store.database import Database, read_only
from memory_service.vocabulary import KEY_ROLES, KeyRole
from tests.conftest import Admin, settle
from tests.support.shared_app import bearer, own_client

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/v1/banks"): {"bank_id": "anna"},
    ("PATCH", "/v1/banks/{bank_id}"): {"settings": {}},
    ("POST", "/v1/banks/{bank_id}/messages"): {
        "conversation_id": "c", "messages": [{"role": "user", "content": "I live in Porto."}],
    },
    ("POST", "/v1/banks/{bank_id}/memories"): {"content": "Anna sings."},
    ("PATCH", "/v1/banks/{bank_id}/memories/{memory_id}"): {"tags": ["a"]},
    ("POST", "/v1/banks/{bank_id}/recall"): {"query": "walnuts"},
    ("POST", "/v1/banks/{bank_id}/context"): {"message": "walnuts", "conversation_id": "c"},
    ("POST", "/v1/banks/{bank_id}/tokens"): {},
    ("POST", "/v1/banks/{bank_id}/compact"): {"recipient": "Bo", "purpose": "farewell"},
    ("POST", "/v1/banks/{bank_id}/clarifications/{clarification_id}/answer"): {"keep": "both"},
    ("POST", "/v1/banks/{bank_id}/procedures/{procedure_id}/outcome"): {"outcome": "worked"},
    ("PUT", "/v1/banks/{bank_id}/relational"): {"communication_style": "direct"},
    ("PATCH", "/v1/banks/{bank_id}/relational/norms/{norm_id}"): {"norm": "wants long answers"},
    ("POST", "/v1/banks/{bank_id}/sessions"): {"state": "PLANNING"},
    ("PATCH", "/v1/banks/{bank_id}/sessions/{session_id}"): {"version": 1},
    ("POST", "/v1/banks/{bank_id}/sessions/{session_id}/restore"): {"checkpoint_id": str(uuid.UUID(int=1))},
    ("POST", "/v1/banks/{bank_id}/erasures"): {"conversation_id": "c", "dry_run": True},
}  # fmt: skip
WRITES = {
    "/messages", "/memories", "/restore", "/confirm", "/dispute", "/retract", "/pin", "/unpin", "/unmerge", "/answer",
    "/sessions", "/checkpoints", "/fork", "/outcome", "/remove", "/end",
}  # fmt: skip
ERASES = [
    ("POST", "/v1/banks/{bank_id}/erasures"), ("DELETE", "/v1/banks/{bank_id}/memories/{memory_id}"),
    ("DELETE", "/v1/banks/{bank_id}"),
]  # fmt: skip
"""Called last, in this order."""
ADMINISTERS = {
    ("POST", "/v1/banks"), ("PATCH", "/v1/banks/{bank_id}"), ("GET", "/v1/dead-letters"), *ERASES,
}  # fmt: skip
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
KEYLESS = {"/healthz", "/readyz"}


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with own_client(memory) as client:
        yield client


def role_of(method: str, path: str) -> KeyRole:
    """The least role that a route needs."""
    last = "/" + path.rsplit("/", 1)[-1]
    if (method, path) in ADMINISTERS or last in ("/release", "/redrive"):
        return "admin"
    return (
        "write" if method in ("PATCH", "PUT", "DELETE") or (method == "POST" and last in WRITES) else "read"
    )


async def routes(http: httpx.AsyncClient) -> list[tuple[str, str]]:
    document = (await http.get("/openapi.json")).json()
    return [(method.upper(), path) for path, calls in document["paths"].items() for method in calls]


async def ids(memory: Memory, bank: str) -> dict[str, str]:
    """A bank with one of everything that a path can name."""
    await memory.create_bank(bank)
    committed = await memory.remember(bank, f"Our walnuts of {bank} are in the cellar.", idempotency_key="k")
    fact = await memory.remember(bank, f"The user of {bank} lives in Porto", type="semantic")
    procedure = await memory.remember(bank, f"Water the plants of {bank}.", type="procedural")
    stated = await memory.put_relational(bank, [{"kind": "instruction", "norm": "wants short answers"}])
    await settle(memory, bank)
    recalled = await memory.recall(bank, "walnuts")
    await memory.trace_writer.flush()
    session = await memory.create_session(bank, "PLANNING")
    checkpoint = await memory.create_checkpoint(bank, session.session_id)
    return {
        "bank_id": bank,
        "memory_id": str(committed.memory_id),
        "fact_id": str(fact.memory_id),
        "trace_id": str(recalled.trace_id),
        "clarification_id": str(uuid.uuid4()),
        "procedure_id": str(procedure.memory_id),
        "norm_id": str(stated.norms[0].memory_id),
        "session_id": session.session_id,
        "checkpoint_id": str(checkpoint.checkpoint_id),
    }


async def test_a_key_does_what_its_role_allows_in_its_banks(http: httpx.AsyncClient, memory: Memory) -> None:
    anna, bo = await ids(memory, "anna"), await ids(memory, "bo")
    keys = {role: await memory.create_key(role, ["anna"]) for role in KEY_ROLES}
    called = 0
    found = await routes(http)
    for method, path in [*(route for route in found if route not in ERASES), *ERASES]:
        if path in KEYLESS:
            continue
        body = BODIES.get((method, path))
        called += 1
        assert (await http.request(method, path.format(**anna), json=body)).status_code == 401, path
        for role, key in keys.items():
            answer = await http.request(method, path.format(**anna), json=body, headers=bearer(key))
            allowed = KEY_ROLES.index(role) >= KEY_ROLES.index(role_of(method, path))
            every_bank = path in ("/v1/dead-letters", "/v1/redrive")
            if allowed and not every_bank:
                assert answer.status_code < 400 or answer.status_code in (404, 409), (path, role, answer.text)
                assert "no such bank" not in answer.text, (path, role)
            else:
                assert answer.status_code == 403, (path, role, answer.text)
            if "{bank_id}" in path:
                other = await http.request(method, path.format(**bo), json=body, headers=bearer(key))
                absent = path.format(**{**bo, "bank_id": "nobody"})
                nothing = await http.request(method, absent, json=body, headers=bearer(key))
                assert other.status_code == nothing.status_code == 404, (path, role, other.text)
                assert other.text == nothing.text, path
    assert called > 30


async def test_reads_of_a_read_key_are_traced(http: httpx.AsyncClient, memory: Memory, admin: Admin) -> None:
    await ids(memory, "anna")
    key = await memory.create_key("read", ["anna"])
    await memory.trace_writer.aclose()
    memory.trace_writer._writer = None  # pyright: ignore[reportPrivateUsage] - started anew by the next read
    answer = await http.post("/v1/banks/anna/recall", json={"query": "walnuts"}, headers=bearer(key))
    assert answer.status_code == 200
    await memory.trace_writer.flush()
    found = admin.execute(
        "select 1 from memory.retrieval_trace where trace_id = %s", (answer.json()["trace_id"],)
    )
    assert found.fetchall() == [(1,)]


async def test_without_any_key_the_service_is_open(http: httpx.AsyncClient, memory: Memory) -> None:
    assert (await http.post("/v1/banks", json={"bank_id": "anna"})).status_code == 201
    assert "queue" in (await http.get("/readyz")).json()
    key = await memory.create_key("admin", ["*"])
    await asyncio.sleep(CACHE_SECONDS)
    assert (await http.get("/v1/banks/anna")).status_code == 401
    assert (await http.get("/v1/banks/anna", headers=bearer(key))).status_code == 200
    assert (await http.get("/readyz")).json() == {"status": "ready"}
    await memory.revoke_key(key.key_id)
    await asyncio.sleep(CACHE_SECONDS)
    refused = await http.get("/v1/banks/anna", headers=bearer(key))
    assert refused.status_code == 401, "revoking the last key opens nothing"
    assert refused.json()["detail"] == "the API key was revoked"


async def test_beyond_loopback_keys_are_needed(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="memory-service key create --role admin"):
        await check_keys(memory)
    await memory.create_key("read", ["anna"])
    await check_keys(memory)


async def test_why_a_key_is_refused(http: httpx.AsyncClient, memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    good = await memory.create_key("read", ["anna"], expires_at=datetime.now(UTC) + timedelta(hours=1))
    assert (await http.get("/v1/banks/anna", headers=bearer(good))).status_code == 200
    other = generate_key().key
    mistyped = good.key[:-1] + ("a" if good.key[-1] != "a" else "b")
    stolen = good.key[:17] + other[17:49]
    reasons = {
        mistyped: "the API key is mistyped: its checksum does not match",
        "": "the API key is mistyped: its checksum does not match",
        other: "the API key is not known",
        f"{stolen}_{checksum(stolen)}": "the API key is not known",
    }
    with capture_logs() as lines:
        for key, reason in reasons.items():
            answer = await http.get("/v1/banks/anna", headers=bearer(key))
            assert (answer.status_code, answer.json()["detail"]) == (401, reason)
            assert answer.headers["www-authenticate"] == "Bearer"
    assert not any(key and key[17:40] in str(lines) for key in reasons), lines
    assert [line["reason"] for line in lines] == ["the API key is not known"] * 2
    basic = await http.get("/v1/banks/anna", headers={"Authorization": "Basic YTpi"})
    assert basic.json()["detail"] == "the Authorization header must be: Bearer mem_..."
    admin.execute("update memory.api_key set expires_at = now()")
    await asyncio.sleep(CACHE_SECONDS)
    ended = await http.get("/v1/banks/anna", headers=bearer(good))
    assert (ended.status_code, ended.json()["detail"]) == (401, "the API key has expired")


async def accepted(authenticator: Authenticator, key: NewKey) -> bool:
    try:
        return await authenticator.grant(f"Bearer {key.key}") is not None
    except Unauthorized:
        return False


async def test_another_process_notices_that_a_key_is_revoked(settings: Settings, memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"])
    other = await Memory.open(settings, migrated=False)
    authenticator = Authenticator(other)
    try:
        assert await accepted(authenticator, key)
        await memory.revoke_key(key.key_id)
        revoked = time.monotonic()
        while await accepted(authenticator, key):
            assert time.monotonic() - revoked < 60
            await asyncio.sleep(0.01)
        assert CACHE_SECONDS < 1
    finally:
        await authenticator.aclose()
        await other.aclose()


async def test_a_rotated_key_keeps_its_rights(http: httpx.AsyncClient, memory: Memory) -> None:
    await memory.create_bank("tenant-a:1")
    old = await memory.create_key("write", ["tenant-a:*"], agent_id="bot", note="chat")
    new = await memory.rotate_key(old.key_id, overlap_hours=0)
    assert new.old_expires_at is not None
    assert (await http.get("/v1/banks/tenant-a:1", headers=bearer(old))).status_code == 401
    assert (await http.get("/v1/banks/tenant-a:1", headers=bearer(new))).status_code == 200
    first, second = await memory.list_keys()
    assert (first.key_id, first.rotated_from) == (new.key_id, old.key_id)
    assert (first.banks, first.agent_id, first.note, first.expires_at) == (second.banks, "bot", "chat", None)
    with pytest.raises(NotFound, match="no such key, or it is revoked, expired or was rotated before"):
        await memory.rotate_key(old.key_id)


async def test_the_agent_is_the_keys(http: httpx.AsyncClient, memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    key = await memory.create_key("write", ["anna"], agent_id="bot")
    body = {"conversation_id": "c", "messages": [{"role": "user", "content": "Hello."}]}
    path = "/v1/banks/anna/messages"
    assert (await http.post(path, json=body, headers=bearer(key))).status_code == 202
    assert admin.execute("select agent_id from memory.message").fetchall() == [("bot",)]
    other = await http.post(path, json=body | {"agent_id": "another"}, headers=bearer(key))
    assert (other.status_code, other.json()["errors"][0]["field"]) == (422, "agent_id")


async def test_the_actor_is_the_keys(http: httpx.AsyncClient, memory: Memory) -> None:
    path = "/v1/banks/anna/facts/{fact_id}/pin".format(**await ids(memory, "anna"))
    bound = await memory.create_key("write", ["anna"], agent_id="bot")
    free = await memory.create_key("write", ["anna"])
    cases: list[tuple[NewKey, dict[str, str], str]] = [
        (bound, {}, "bot"),
        (free, {}, f"key:{free.key_id}"),
        (free, {"actor": "Ida"}, "Ida"),
    ]
    for key, body, actor in cases:
        pinned = await http.post(path, json=body, headers=bearer(key))
        await http.post(path.replace("pin", "unpin"), json=body, headers=bearer(key))
        history = await http.get(path.replace("/pin", "/history"), headers=bearer(key))
        assert (pinned.status_code, history.json()["items"][-1]["actor"]) == (200, actor)
    other = await http.post(path, json={"actor": "boss"}, headers=bearer(bound))
    assert (other.status_code, other.json()["errors"][0]["field"]) == (422, "actor")


async def test_a_request_is_authenticated_before_its_body_is_read(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    key = await memory.create_key("write", ["anna"])
    path = "/v1/banks/anna/recall?unknown=1"
    assert (await http.post(path, content=b"{")).status_code == 401
    twice = [("authorization", f"Bearer {key.key}")] * 2
    answer = await http.post(path, json={}, headers=twice)
    assert (answer.status_code, answer.json()["detail"]) == (
        401,
        "the request has more than one Authorization header",
    )
    assert (await http.get("/v1/banks/", headers={"host": "evil.example"})).status_code == 404


async def test_after_the_first_key_other_hosts_are_served(http: httpx.AsyncClient, memory: Memory) -> None:
    await memory.create_bank("anna")
    named = {"host": "memory.example"}
    assert (await http.get("/v1/banks/anna", headers=named)).status_code == 421
    key = await memory.create_key("read", ["anna"])
    await asyncio.sleep(CACHE_SECONDS)
    assert (await http.get("/v1/banks/anna", headers=named)).status_code == 401
    assert (await http.get("/v1/banks/anna", headers={**named, **bearer(key)})).status_code == 200


async def test_beyond_loopback_nothing_is_open_even_without_any_key(memory: Memory) -> None:
    """As after a restore of a dump that is older than the first key."""
    authenticator = Authenticator(memory, required=True)
    with pytest.raises(Unauthorized):
        await authenticator.grant(None)


async def test_a_flood_of_unknown_keys_does_not_fill_the_log(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authentication, "REFUSAL_SECONDS", 3600.0)
    authenticator = Authenticator(memory, required=True)
    with capture_logs() as lines:
        for _ in range(REFUSALS_LOGGED + 5):
            with pytest.raises(Unauthorized):
                await authenticator.grant(f"Bearer {generate_key().key}")
        assert len(lines) == REFUSALS_LOGGED
        monkeypatch.setattr(authentication, "REFUSAL_SECONDS", 0.0)
        with pytest.raises(Unauthorized):
            await authenticator.grant(f"Bearer {generate_key().key}")
    assert (len(lines), lines[-1]["omitted"]) == (REFUSALS_LOGGED + 1, 5)


@pytest.mark.parametrize("headers", [{}, {"host": "example.com"}, {"origin": "http://example.com"}])
async def test_the_health_check_reads_no_database(
    http: httpx.AsyncClient, memory: Memory, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    async def called(*_: object, **__: object) -> None:
        raise AssertionError("the database was called")

    monkeypatch.setattr(Database, "_run", called)
    foreign = (await http.get("/healthz", headers=headers)).status_code
    assert foreign == (200 if not headers else 421 if "host" in headers else 403)
    monkeypatch.undo()
    await memory.create_key("read", ["anna"])
    assert (await http.get("/v1/banks", headers=headers)).status_code == 401
    monkeypatch.setattr(Database, "_run", called)
    assert (await http.get("/healthz", headers=headers)).status_code == 200


async def test_a_late_answer_does_not_open_the_service_again(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    authenticator = Authenticator(memory)
    late = asyncio.Event()

    async def before_the_first_key() -> bool:
        await late.wait()
        return False

    monkeypatch.setattr(memory.store.keys, "any_exists", before_the_first_key)
    first = asyncio.create_task(authenticator.grant(None))
    await asyncio.sleep(0)
    monkeypatch.undo()
    await memory.create_key("read", ["anna"])
    with pytest.raises(Unauthorized):
        await authenticator.grant(None)
    late.set()
    with pytest.raises(Unauthorized):
        await first
    with pytest.raises(Unauthorized):
        await authenticator.grant(None)


async def test_requests_with_one_key_share_a_read(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    key = await memory.create_key("read", ["anna"])
    authenticator = Authenticator(memory)
    reads: list[str] = []
    read = memory.store.keys.read

    async def counted(key_id: str) -> Any:
        reads.append(key_id)
        return await read(key_id)

    monkeypatch.setattr(memory.store.keys, "read", counted)
    await asyncio.gather(*(authenticator.grant(f"Bearer {key.key}") for _ in range(100)))
    assert len(reads) <= PARALLEL_READS
    await authenticator.aclose()


async def test_a_cancelled_read_leaves_no_transaction_open(memory: Memory) -> None:
    await memory.create_bank("anna")

    async def read() -> None:
        read_only.set(True)
        await memory.get_bank("anna")

    for steps in range(12):  # cancelled at each point of the call in turn
        task = asyncio.create_task(read())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        await asyncio.gather(*(memory.update_bank("anna", {"subject": f"S{steps}"}) for _ in range(4)))
    assert (await memory.get_bank("anna")).settings == {"subject": "S11"}


async def test_banks_are_those_of_the_key(http: httpx.AsyncClient, memory: Memory) -> None:
    for bank in ("tenant_a:1", "tenant_a:2", "tenant-a:1", "tenant_b:1", "x"):
        await memory.create_bank(bank)
    key = await memory.create_key("read", ["tenant_a:*", "x"])
    first = (await http.get("/v1/banks?limit=2", headers=bearer(key))).json()
    assert [item["bank_id"] for item in first["items"]] == ["tenant_a:1", "tenant_a:2"]
    rest = (await http.get("/v1/banks", params={"cursor": first["next_cursor"]}, headers=bearer(key))).json()
    assert ([item["bank_id"] for item in rest["items"]], rest["next_cursor"]) == (["x"], None)


async def test_uses_are_written_in_batches(memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"])
    authenticator = Authenticator(memory)
    for _ in range(3):
        await authenticator.grant(f"Bearer {key.key}")
    assert (await memory.list_keys())[0].last_used_at is None
    await authenticator.aclose()
    assert (await memory.list_keys())[0].last_used_at is not None


@pytest.mark.parametrize(
    ("banks", "more", "field"),
    [
        ([], {}, "banks"),
        ("anna", {}, "banks"),
        (["a/b"], {}, "banks"),
        (["*a"], {}, "banks"),
        (["a", ""], {}, "banks"),
        (["a"], {"role": "owner"}, "role"),
        (["a"], {"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "expires_at"),
        (["a"], {"note": "x" * 501}, "note"),
        (["a"], {"agent_id": "a\nb"}, "agent_id"),
    ],
)
async def test_a_wrong_key_is_not_created(
    memory: Memory, banks: Any, more: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        await memory.create_key(**cast("Any", {"role": "read", "banks": banks, **more}))
    assert error.value.field == field
    assert await memory.list_keys() == []


def test_a_checksum_tells_mistyped_keys() -> None:
    key = generate_key()
    assert key_id_of(key.key) == key.key_id
    assert len({generate_key().key for _ in range(100)}) == 100
    for place in range(len(key.key)):
        changed = key.key[:place] + ("x" if key.key[place] != "x" else "y") + key.key[place + 1 :]
        assert key_id_of(changed) is None, place
