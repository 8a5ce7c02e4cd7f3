"""Sessions over HTTP: the contract, conflicts with the present session, roles, repeated requests, bad bodies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from memory_service.memory import Memory
from tests.conftest import Admin
from tests.support.shared_app import bearer, client_on, own_client

SESSIONS = "/v1/banks/anna/sessions"
JSON = {"content-type": "application/json"}


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    await memory.create_bank("anna")
    async with client_on(memory) as client:
        yield client


async def made(http: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await http.post(SESSIONS, json={"session_id": "s1", "state": "ASSET_SCANNING", **body})
    assert answer.status_code == 201
    return answer.json()


async def test_the_contract(http: httpx.AsyncClient) -> None:
    session = await made(http, data={"step": 1, "assets": []})
    assert session.keys() == {"session_id", "version", "state", "data", "created_at", "updated_at"}
    assert (session["version"], session["state"], session["data"]) == (
        1, "ASSET_SCANNING", {"step": 1, "assets": []},
    )  # fmt: skip
    assert (await http.get(f"{SESSIONS}/s1")).json() == session
    checkpoint = await http.post(f"{SESSIONS}/s1/checkpoints", json={"name": "scanned", "note": "all of it"})
    assert checkpoint.status_code == 201
    checkpoint_id = checkpoint.json()["checkpoint_id"]
    body = {
        "version": 1,
        "state": "LEGACY_EXECUTING",
        "data": {"step": 2, "assets": None},
        "append": {"log": [1]},
    }
    changed = (await http.patch(f"{SESSIONS}/s1", json=body)).json()
    assert (changed["version"], changed["state"], changed["data"]) == (
        2, "LEGACY_EXECUTING", {"step": 2, "log": [1]},
    )  # fmt: skip
    bare = await http.patch(
        f"{SESSIONS}/s1", json={"version": 2, "append": {"log": [2]}}, params={"include_data": "false"}
    )
    assert (bare.json()["version"], bare.json()["data"]) == (3, None)
    assert (await http.post(f"{SESSIONS}/s1/checkpoints")).status_code == 201
    page = (await http.get(f"{SESSIONS}/s1/checkpoints", params={"limit": 1})).json()
    rest = (await http.get(f"{SESSIONS}/s1/checkpoints", params={"cursor": page["next_cursor"]})).json()
    assert [one["version"] for one in (*page["items"], *rest["items"])] == [3, 1]
    assert rest["items"][0] == checkpoint.json()
    assert (rest["items"][0]["name"], rest["items"][0]["note"]) == ("scanned", "all of it")
    restored = await http.post(f"{SESSIONS}/s1/restore", json={"checkpoint_id": checkpoint_id})
    assert (restored.status_code, restored.json()["version"]) == (200, 4)
    assert restored.json()["data"] == session["data"]
    assert restored.json()["state"] == session["state"]
    fork = await http.post(f"{SESSIONS}/s1/fork", json={"session_id": "s2"})
    assert (fork.status_code, fork.json()["version"], fork.json()["data"]) == (201, 1, session["data"])
    unnamed = await http.post(f"{SESSIONS}/s1/fork")
    assert UUID(unnamed.json()["session_id"])
    listed = (await http.get(SESSIONS, params={"limit": 2})).json()
    assert [one["session_id"] for one in listed["items"]] == [unnamed.json()["session_id"], "s2"]
    assert "data" not in listed["items"][0]
    last = (await http.get(SESSIONS, params={"cursor": listed["next_cursor"]})).json()
    assert ([one["session_id"] for one in last["items"]], last["next_cursor"]) == (["s1"], None)
    for path in (f"s1/checkpoints/{checkpoint_id}", "s2"):
        for status in (204, 404):
            answer = await http.delete(f"{SESSIONS}/{path}")
            assert answer.status_code == status
            assert bool(answer.content) is (status == 404)
    assert (await http.get(f"{SESSIONS}/s2")).status_code == 404
    assert (await http.get(f"{SESSIONS}/s1")).status_code == 200


async def test_a_stale_version_is_answered_with_the_present_session(http: httpx.AsyncClient) -> None:
    await made(http, data={"n": 1})
    present = (await http.patch(f"{SESSIONS}/s1", json={"version": 1, "data": {"n": 2}})).json()
    stale = await http.patch(f"{SESSIONS}/s1", json={"version": 1, "data": {"n": 3}})
    assert stale.status_code == 409
    assert stale.headers["content-type"] == "application/problem+json"
    problem = stale.json()
    assert problem["session"] == present
    assert problem["detail"] == "version: the session has changed; its version is now 2"


async def test_numbers_come_back_as_they_were_sent(http: httpx.AsyncClient) -> None:
    text = '{"big":123456789012345678901234567890,"float":1.0,"zero":-0.0,"exp":1e22,"small":5e-324,"int":1}'
    body = f'{{"session_id": "s1", "state": "A", "data": {text}}}'
    assert (await http.post(SESSIONS, content=body, headers=JSON)).status_code == 201
    answer = await http.get(f"{SESSIONS}/s1")
    found, sent = json.loads(answer.content)["data"], json.loads(text)
    assert repr(found) == repr(sent)


async def test_concurrent_patches_of_one_version_have_one_winner(http: httpx.AsyncClient) -> None:
    await made(http, data={"n": 0})
    answers = await asyncio.gather(
        *(http.patch(f"{SESSIONS}/s1", json={"version": 1, "data": {"n": n}}) for n in range(12))
    )
    (winner,) = [one.json() for one in answers if one.status_code == 200]
    assert sorted(one.status_code for one in answers) == [200] + [409] * 11
    assert (await http.get(f"{SESSIONS}/s1")).json() == winner


async def test_a_repeated_request_creates_one(http: httpx.AsyncClient, admin: Admin) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("", {"state": "A", "data": {"secret": "of s1"}, "session_id": "s1"}),
        ("", {"state": "A", "data": {"n": 1}}),
        ("/s1/checkpoints", {"name": "one"}),
        ("/s1/fork", {}),
    ]
    for n, (path, body) in enumerate(calls):
        key = {"Idempotency-Key": f"k{n}"}
        first, again = [await http.post(f"{SESSIONS}{path}", json=body, headers=key) for _ in range(2)]
        assert (first.status_code, again.status_code) == (201, 201)
        assert again.json() == first.json()
        assert again.headers["idempotent-replayed"] == "true"
    checkpoints = (await http.get(f"{SESSIONS}/s1/checkpoints")).json()["items"]
    assert len(checkpoints) == 1
    restore = {"checkpoint_id": checkpoints[0]["checkpoint_id"]}
    for _ in range(2):
        answer = await http.post(f"{SESSIONS}/s1/restore", json=restore, headers={"Idempotency-Key": "r"})
        assert answer.json()["version"] == 2
    assert len((await http.get(SESSIONS)).json()["items"]) == 3


async def test_stored_answers_are_deleted_with_their_session(http: httpx.AsyncClient, admin: Admin) -> None:
    await http.post(SESSIONS, json={"state": "A", "session_id": "other"}, headers={"Idempotency-Key": "k0"})
    body = {"state": "A", "data": {"word": "harbour"}}
    session = (await http.post(SESSIONS, json=body, headers={"Idempotency-Key": "k1"})).json()
    path = f"{SESSIONS}/{session['session_id']}"
    checkpoint = (await http.post(f"{path}/checkpoints", headers={"Idempotency-Key": "k2"})).json()
    restore = {"checkpoint_id": checkpoint["checkpoint_id"]}
    await http.post(f"{path}/restore", json=restore, headers={"Idempotency-Key": "k3"})
    fork = await http.post(f"{path}/fork", json={"session_id": "f"}, headers={"Idempotency-Key": "k4"})
    assert fork.status_code == 201
    keys = "select key from memory.idempotency_key order by 1"
    assert len(admin.execute(keys).fetchall()) == 5
    assert (await http.delete(path)).status_code == 204
    assert admin.execute(keys).fetchall() == [("k0",), ("k4",)]
    assert (await http.delete(f"{SESSIONS}/f")).status_code == 204
    assert admin.execute(keys).fetchall() == [("k0",)]


async def test_keys_read_or_write_sessions_of_their_banks(memory: Memory) -> None:
    await memory.create_bank("anna")
    reader = await memory.create_key("read", ["anna"])
    writer = await memory.create_key("write", ["anna"], agent_id="planner")
    stranger = await memory.create_key("admin", ["bea"])
    await memory.create_session("anna", "A", {"n": 1}, session_id="s1")
    async with own_client(memory) as http:
        assert (await http.get(f"{SESSIONS}/s1")).status_code == 401
        for path in ("", "/s1", "/s1/checkpoints"):
            assert (await http.get(SESSIONS + path, headers=bearer(reader))).status_code == 200
            assert (await http.get(SESSIONS + path, headers=bearer(stranger))).status_code == 404
        writes: list[tuple[str, str, Any]] = [
            ("POST", "", {"state": "A"}), ("PATCH", "/s1", {"version": 1}), ("POST", "/s1/checkpoints", None),
            ("POST", "/s1/fork", None), ("POST", "/s1/restore", {"checkpoint_id": str(uuid4())}),
            ("DELETE", f"/s1/checkpoints/{uuid4()}", None), ("DELETE", "/s1", None),
        ]  # fmt: skip
        for method, path, body in writes:
            refused = await http.request(method, SESSIONS + path, json=body, headers=bearer(reader))
            assert refused.status_code == 403, (method, path)
            other = await http.request(method, SESSIONS + path, json=body, headers=bearer(stranger))
            assert other.status_code == 404, (method, path)
        for method, path, body in writes:
            answer = await http.request(method, SESSIONS + path, json=body, headers=bearer(writer))
            assert answer.status_code in (200, 201, 204, 404), (method, path)
            assert (answer.status_code == 404) == ("restore" in path or "checkpoints/" in path)


async def test_a_delete_names_the_key(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    key = await memory.create_key("write", ["anna"], agent_id="planner")
    async with own_client(memory) as http:
        body = {"state": "A", "session_id": "s1"}
        assert (await http.post(SESSIONS, json=body, headers=bearer(key))).status_code == 201
        assert (await http.delete(f"{SESSIONS}/s1", headers=bearer(key))).status_code == 204
    recorded = admin.execute(
        "select actor, key_id, subjects from analytics.audit where action = 'session_deleted'"
    ).fetchall()
    assert recorded == [("planner", key.key_id, ["s1"])]


BAD: list[tuple[str, str, str, str]] = [
    ("POST", "", '{"data": {}}', "state"),
    ("POST", "", '{"state": ""}', "state"),
    ("POST", "", '{"state": "a\\nb"}', "state"),
    ("POST", "", '{"state": 1}', "state"),
    ("POST", "", '{"state": "A", "data": []}', "data"),
    ("POST", "", '{"state": "A", "data": null}', "data"),
    ("POST", "", '{"state": "A", "data": {"a": "\\u0000"}}', "data.a"),
    ("POST", "", '{"state": "A", "data": {"a": ["\\ud800"]}}', "data.a[0]"),
    ("POST", "", '{"state": "A", "data": {"a": 1e400}}', "data.a"),
    ("POST", "", '{"state": "A", "session_id": "a b"}', "session_id"),
    ("POST", "", '{"state": "A", "session_id": ""}', "session_id"),
    ("POST", "", '{"state": "A", "extra": 1}', "extra"),
    ("PATCH", "/s1", '{"data": {}}', "version"),
    ("PATCH", "/s1", '{"version": 0}', "version"),
    ("PATCH", "/s1", '{"version": 1.5}', "version"),
    ("PATCH", "/s1", '{"version": true}', "version"),
    ("PATCH", "/s1", '{"version": 99999999999999999999}', "version"),
    ("PATCH", "/s1", '{"version": 1, "append": {"a": 1}}', "append.a"),
    ("PATCH", "/s1", '{"version": 1, "append": {"a": []}}', "append.a"),
    ("PATCH", "/s1", '{"version": 1, "append": {"n": [1]}}', "append.n"),
    ("PATCH", "/s1", '{"version": 1, "data": {"a": 1}, "append": {"a": [1]}}', "append.a"),
    ("PATCH", "/s1?include_data=perhaps", '{"version": 1}', "include_data"),
    ("PATCH", "/-s1", '{"version": 1}', "session_id"),
    ("POST", "/s1/checkpoints", '{"name": ""}', "name"),
    ("POST", "/s1/checkpoints", '{"note": 1}', "note"),
    ("POST", "/s1/restore", "{}", "checkpoint_id"),
    ("POST", "/s1/restore", '{"checkpoint_id": "x"}', "checkpoint_id"),
    ("POST", "/s1/fork", '{"session_id": "a/b"}', "session_id"),
    ("POST", "/s1/fork", '{"checkpoint_id": "x"}', "checkpoint_id"),
    ("GET", "?limit=0", "", "limit"),
    ("GET", "?cursor=x", "", "cursor"),
    ("GET", "/s1/checkpoints?limit=201", "", "limit"),
    ("GET", "/s1?nonsense=1", "", "nonsense"),
    ("DELETE", "/s1/checkpoints/x", "", "checkpoint_id"),
]


@pytest.mark.parametrize(("method", "path", "body", "field"), BAD)
async def test_bad_input_names_its_field(
    http: httpx.AsyncClient, method: str, path: str, body: str, field: str
) -> None:
    session = await made(http, data={"n": 1})
    answer = await http.request(method, SESSIONS + path, content=body, headers=JSON if body else {})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field
    assert [one["version"] for one in (await http.get(SESSIONS)).json()["items"]] == [1]
    assert (await http.get(f"{SESSIONS}/s1")).json() == session


async def test_states_are_conflicts_and_absent_things_not_found(http: httpx.AsyncClient) -> None:
    await made(http)
    again = await http.post(SESSIONS, json={"session_id": "s1", "state": "A"})
    assert (again.status_code, again.json()["detail"]) == (
        409,
        "session_id: this bank has a session s1 already",
    )
    fork = await http.post(f"{SESSIONS}/s1/fork", json={"session_id": "s1"})
    assert fork.status_code == 409
    missing = str(uuid4())
    for method, path, body in (
        ("GET", "/s2", None),
        ("PATCH", "/s2", {"version": 1}),
        ("POST", "/s2/checkpoints", None),
        ("GET", "/s2/checkpoints", None),
        ("POST", "/s2/fork", None),
        ("POST", "/s1/fork", {"checkpoint_id": missing}),
        ("POST", "/s1/restore", {"checkpoint_id": missing}),
        ("POST", "/s2/restore", {"checkpoint_id": missing}),
        ("DELETE", "/s2", None),
        ("DELETE", f"/s1/checkpoints/{missing}", None),
    ):
        answer = await http.request(method, SESSIONS + path, json=body)
        field = "session_id" if "s2" in path else "checkpoint_id"
        assert answer.status_code == 404, path
        assert answer.json()["detail"].startswith(field), path
    nobody = await http.get("/v1/banks/nobody/sessions")
    assert (nobody.status_code, "bank_id" in nobody.json()["detail"]) == (404, True)
