"""Tokens of an OAuth issuer open /mcp/{bank_id}: those that it signed for this service, within the rights of a key."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from structlog.testing import capture_logs

from memory_service import access_tokens
from memory_service.config import load_settings
from memory_service.errors import InvalidInput
from memory_service.keys import Grant, NewKey
from memory_service.memory import Memory
from memory_service.server import issuer_keys
from memory_service.server.app import oauth_of
from memory_service.server.authentication import CACHE_SECONDS
from memory_service.server.issuer_keys import IssuerKeys
from memory_service.server.oauth import TokenRights, banks_in
from memory_service.server.serve import check_oauth_key
from tests.client.served import served
from tests.conftest import Admin, at_work
from tests.mcp.callers import ERAS, Caller
from tests.mcp.oauth_issuer import AUDIENCE, ISSUER, KeyServer, key_server, key_set, private_key, token
from tests.mcp.test_mcp_access import ACCEPT, called, posted
from tests.support.shared_app import bearer, own_client

METADATA = "/.well-known/oauth-protected-resource"
ALGORITHMS = ("RS256", "ES256", "EdDSA")
KNOWN = [(algorithm, 0) for algorithm in ALGORITHMS]


def turn_on(memory: Memory, source: Path | str, key: NewKey) -> None:
    memory.settings = memory.settings.model_copy(
        update={
            "oauth_issuer": ISSUER, "oauth_audience": AUDIENCE, "oauth_jwks": str(source), "oauth_key_id": key.key_id
        }
    )  # fmt: skip


@pytest.fixture
async def key(memory: Memory, tmp_path: Path) -> NewKey:
    """The key that bounds the tokens; the setting is on, with the issuer's keys in a file."""
    for bank in ("anna", "ben", "team:one"):
        await memory.create_bank(bank)
    created = await memory.create_key("write", ["anna", "ben", "team:*"], may_erase=True)
    (tmp_path / "keys.json").write_text(key_set(*KNOWN, ("RS256", 9)))
    turn_on(memory, tmp_path / "keys.json", created)
    return created


@pytest.fixture
async def http(memory: Memory, key: NewKey) -> AsyncIterator[httpx.AsyncClient]:
    async with own_client(memory) as client:
        client.headers.update(ACCEPT)
        yield client


async def test_a_token_opens_its_banks_at_mcp_only(
    http: httpx.AsyncClient, memory: Memory, key: NewKey
) -> None:
    for algorithm in ALGORITHMS:
        assert (await posted(http, "anna", token(algorithm))).status_code == 200, algorithm
    of_bank = token(aud=["https://other.example.org", f"{AUDIENCE}/mcp/anna"], memory_banks=["anna", "ben"])
    several = token(memory_banks=["ben", "team:*", "other*"], scope="memory:write")
    answers = {
        (name, bank): (await posted(http, bank, text)).status_code
        for name, text in (("of bank", of_bank), ("several", several), ("all", token(memory_banks=["*"])))
        for bank in ("anna", "ben", "team:one")
    }
    assert answers == {
        ("of bank", "anna"): 200, ("of bank", "ben"): 401, ("of bank", "team:one"): 401,
        ("several", "anna"): 404, ("several", "ben"): 200, ("several", "team:one"): 200,
        ("all", "anna"): 200, ("all", "ben"): 200, ("all", "team:one"): 200,
    }  # fmt: skip
    other, absent = await posted(http, "ben", token()), await posted(http, "nobody", token())
    assert (other.status_code, other.content) == (404, absent.content)
    # A bank within a prefix of the key; clocks that differ by less than CLOCK_SECONDS.
    late = int(time.time()) - access_tokens.CLOCK_SECONDS // 2
    for bank, text in (("team:one", token(memory_banks=["team:one"])), ("anna", token(exp=late))):
        assert (await posted(http, bank, text)).status_code == 200, bank
    everything = token(memory_banks=["*"])
    await memory.create_bank("outside")
    assert (await posted(http, "outside", everything)).status_code == 404  # the key does not cover it
    for path in ("/v1/banks", "/v1/banks/anna/stats", "/metrics"):
        assert (await http.get(path, headers=bearer(everything))).status_code == 401, path
    # API keys and the access tokens that they sign are beside it; without either nothing is answered.
    signed = await http.post("/v1/banks/anna/tokens", json={}, headers=bearer(key))
    for text in (key, signed.json()["token"]):
        assert (await posted(http, "anna", text)).status_code == 200


BAD: dict[str, Any] = {
    "none": lambda: token(signed_as="none", secret=""),
    "public key as a secret": lambda: with_public_key_as_secret(Encoding.PEM),
    "binary public key as a secret": lambda: with_public_key_as_secret(Encoding.DER),
    "another algorithm of the key": lambda: token("RS256", signed_as="RS512"),
    "algorithm of another key": lambda: token("ES256", head={"kid": "RS256-0"}),
    "short key": lambda: token("RS256", 9),
    "another signer": lambda: token(number=1, head={"kid": "EdDSA-0"}),
    "cut signature": lambda: token()[:-8] + "AAAAAAAA",
    "unknown kid": lambda: token(head={"kid": "other"}),
    "no kid": lambda: token(head={"kid": None}),
    "kid of an API key": lambda: token(head={"kid": "a" * 12}),
    "issuer": lambda: token(iss=ISSUER + "/"),
    "audience": lambda: token(aud="https://other.example.org"),
    "bank of another audience": lambda: token(aud=f"{AUDIENCE}/mcp/ben"),
    "no audience": lambda: token(aud=None),
    "expired": lambda: token(exp=int(time.time()) - 60),
    "not yet": lambda: token(nbf=int(time.time()) + 60),
    "of the future": lambda: token(iat=int(time.time()) + 60),
    "no end": lambda: token(exp=None),
    "end beyond any time": lambda: token(exp=10**30),
    "no subject": lambda: token(sub=None),
    "no scope": lambda: token(scope=None),
    "other scope": lambda: token(scope="memory:reader openid"),
    "no banks": lambda: token(memory_banks=None),
    "empty banks": lambda: token(memory_banks=[]),
    "no bank": lambda: token(memory_banks={"anna": True}),
    "prefix as a single text": lambda: token(memory_banks="*"),
}


def with_public_key_as_secret(encoding: Encoding) -> str:
    """Signed by hand: the library refuses to."""
    secret = private_key("RS256").public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)
    body = token("RS256", signed_as="HS256", secret="x" * 32).rpartition(".")[0]
    return f"{body}.{encoded(hmac.digest(secret, body.encode(), 'sha256'))}"


def encoded(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")  # the issuer's own
async def test_a_bad_token_is_refused_and_logged_without_itself(http: httpx.AsyncClient, key: NewKey) -> None:
    for number, (name, made) in enumerate(BAD.items()):
        text = made()
        http._transport.app.state.authenticator._refusals.clear()  # type: ignore[attr-defined]  # pyright: ignore
        with capture_logs() as logs:
            answer = await posted(http, "anna", text)
        assert answer.status_code == 401, (number, name, answer.text)
        assert answer.json()["detail"] == (
            access_tokens.EXPIRED if name == "expired" else access_tokens.INVALID
        )
        assert (
            answer.headers["www-authenticate"] == f'Bearer resource_metadata="{AUDIENCE}{METADATA}/mcp/anna"'
        )
        [line] = [one for one in logs if one["event"] == "request refused"]
        assert line["key_id"] == key.key_id
        assert not any(part and part in str(logs) for part in text.split(".")), name
    assert (await posted(http, "anna", token())).status_code == 200
    nested = encoded(b'{"iss":' + b"[" * 20_000)
    assert (await posted(http, "anna", f"{nested}.{nested}.x")).status_code == 401


async def test_scopes_are_roles_within_that_of_the_key(
    http: httpx.AsyncClient, memory: Memory, key: NewKey, admin: Admin
) -> None:
    write = token(scope="memory:read memory:write", sub="anna-1")
    refused = await called_by(http, token(), "remember", content="Anna sings.")
    assert "connect with such a key" in refused["content"][0]["text"]
    async with at_work(memory):
        stored = await called_by(http, write, "remember", content="Anna sings.", type="semantic")
    assert stored["isError"] is False
    fact_id = stored["structuredContent"]["memory_id"]
    await called_by(http, write, "correct", fact_id=fact_id, action="pin")
    [memory_row] = (await memory.list_memories("anna")).items
    assert memory_row.agent_id is not None
    assert memory_row.agent_id.startswith("oauth:")
    assert (await memory.fact_history("anna", fact_id)).items[-1].actor == memory_row.agent_id
    erased = await called_by(http, write, "forget", memory_ids=[fact_id])
    assert "connect with such a key" in erased["content"][0]["text"]
    issuer = oauth_of(memory.settings)
    assert issuer is not None
    agents = [(await issuer.rights(token(sub=subject), "anna")).agent_id for subject in ("a", "b", "a")]
    assert agents[0] == agents[2] != agents[1]
    # A key of role read makes all tokens readers; a revoked one ends them.
    reader = await memory.create_key("read", ["anna"], requests_per_minute=2, agent_id="desk")
    turn_on(memory, str(memory.settings.oauth_jwks), reader)
    async with own_client(memory) as bounded:
        bounded.headers.update(ACCEPT)
        refused = await called_by(bounded, write, "remember", content="Anna dances.")
        assert "connect with such a key" in refused["content"][0]["text"]
        others = [await posted(bounded, "anna", token(sub=subject)) for subject in ("b", "c")]
        assert [one.status_code for one in others] == [200, 429]
        await memory.revoke_key(reader.key_id)
        await asyncio.sleep(CACHE_SECONDS)
        assert (await posted(bounded, "anna", write)).status_code == 401


async def called_by(http: httpx.AsyncClient, text: str, tool: str, **arguments: Any) -> dict[str, Any]:
    return await called(http, NewKey("", text), tool, **arguments)


async def test_the_metadata_names_the_issuer_where_the_setting_is_on(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    root, anna, absent = [await http.get(METADATA + path) for path in ("", "/mcp/anna", "/mcp/nobody")]
    assert root.json() == {
        "resource": AUDIENCE,
        "authorization_servers": [ISSUER],
        "scopes_supported": ["memory:read", "memory:write"],
        "bearer_methods_supported": ["header"],
    }
    assert anna.json() == root.json() | {"resource": f"{AUDIENCE}/mcp/anna"}
    assert absent.json() == root.json() | {"resource": f"{AUDIENCE}/mcp/nobody"}
    assert (await http.get(f"{METADATA}/mcp/%22x%22")).status_code == 404
    hostile = await posted(http, "%22%0d%0ax: y", None)
    assert hostile.headers["www-authenticate"] == f'Bearer resource_metadata="{AUDIENCE}{METADATA}"'
    assert (await http.get("/v1/banks")).headers["www-authenticate"] == "Bearer"
    memory.settings = memory.settings.model_copy(update={"oauth_issuer": None})
    async with own_client(memory) as off:
        assert [(await off.get(METADATA + path)).status_code for path in ("", "/mcp/anna")] == [404, 404]
        for text in (None, token()):
            answer = await posted(off, "anna", text)
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


async def test_without_any_key_the_setting_closes_the_service(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text(key_set(*KNOWN))
    turn_on(memory, tmp_path / "keys.json", NewKey("a" * 12, ""))
    with pytest.raises(InvalidInput, match="MEMORY_OAUTH_KEY_ID"):
        await check_oauth_key(memory)
    async with own_client(memory) as http:
        assert (await http.get("/v1/banks")).status_code == 401
        assert (await posted(http, "anna", token())).status_code == 401


@pytest.mark.parametrize("era", ERAS)
async def test_the_official_client_sends_a_token(memory: Memory, key: NewKey, era: str) -> None:
    async with served(memory) as address:
        caller = Caller(address, era=era, key=token("RS256"))  # pyright: ignore[reportArgumentType]
        assert (await caller.answer("recall", query="tea"))["items"] == []
        assert "connect with such a key" in await caller.refused("remember", content="Anna sings.")


@pytest.fixture
def issuer() -> Any:
    with key_server() as server:
        yield server


async def test_new_keys_are_read_when_a_token_names_one(
    issuer: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = IssuerKeys(issuer.address)
    assert await asyncio.gather(*(keys.key("EdDSA-0") for _ in range(5))) == [await keys.key("EdDSA-0")] * 5
    issuer.answer = key_set(("EdDSA", 1), ("ES256", 0))
    for name in ("EdDSA-1", "made up", "other"):  # within RETRY_SECONDS
        assert await keys.key(name) is None
    assert issuer.requests == 1
    monkeypatch.setattr(issuer_keys, "RETRY_SECONDS", 0)
    assert await keys.key("EdDSA-1") is not None
    assert (await keys.key("EdDSA-0"), issuer.requests) == (None, 3)  # withdrawn


@pytest.mark.parametrize("fault", ["status", "redirect", "text", "size", "time"])
async def test_known_keys_outlast_a_fault_of_the_issuer(
    issuer: KeyServer, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    keys = IssuerKeys(issuer.address)
    assert await keys.key("EdDSA-0") is not None
    issuer.status = {"status": 500, "redirect": 302}.get(fault, 200)
    issuer.answer = {"text": "{}", "size": issuer.answer + " " * issuer_keys.MAX_BYTES}.get(
        fault, issuer.answer
    )
    if fault == "time":
        issuer.held = threading.Event()
        monkeypatch.setattr(issuer_keys, "FETCH_SECONDS", 0.2)
    monkeypatch.setattr(issuer_keys, "REREAD_SECONDS", 0)
    monkeypatch.setattr(issuer_keys, "RETRY_SECONDS", 0)
    with capture_logs() as logs:
        assert await keys.key("EdDSA-0") is not None
    [line] = logs
    assert line["event"] == "the keys of the OAuth issuer cannot be read"
    assert (line["error"] == "TimeoutError") == (fault == "time"), line  # of the whole read, not of a part
    monkeypatch.setattr(issuer_keys, "RETRY_SECONDS", 60)
    monkeypatch.setattr(issuer_keys, "KEPT_SECONDS", 0)
    assert await keys.key("EdDSA-0") is None
    if issuer.held is not None:
        issuer.held.set()


async def test_a_known_key_does_not_wait_while_the_keys_are_read_again(
    issuer: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = IssuerKeys(issuer.address)
    known = await keys.key("EdDSA-0")
    monkeypatch.setattr(issuer_keys, "REREAD_SECONDS", 0)
    monkeypatch.setattr(issuer_keys, "RETRY_SECONDS", 0)
    issuer.held = threading.Event()
    reading = asyncio.create_task(keys.key("EdDSA-0"))
    await asyncio.sleep(0)  # it has the lock
    assert await keys.key("EdDSA-0") == known
    assert not reading.done()
    issuer.held.set()
    assert await reading is not None


def test_keys_for_other_purposes_check_no_token() -> None:
    assert set(issuer_keys.keys_in(key_set(*KNOWN))) == {"RS256-0", "ES256-0", "EdDSA-0"}
    for members in ({"use": "enc"}, {"alg": "RS512"}, {"kid": ""}):
        assert issuer_keys.keys_in(key_set(("RS256", 0), **members)) == {}, members
    secret = {"kty": "oct", "k": encoded(b"s" * 32), "alg": "HS256", "kid": "shared"}
    assert issuer_keys.keys_in(json.dumps({"keys": [secret]})) == {}


def test_the_rights_of_a_token_are_within_those_of_the_key() -> None:
    soon, late = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    key = Grant("a" * 12, "write", ("anna",), True, None, None, 5, None, None)
    rights = TokenRights("write", ("anna",), "oauth:1", soon)
    bounded = rights.within(key)
    assert (bounded.agent_id, bounded.expires_at, bounded.may_erase) == ("oauth:1", soon, False)
    assert bounded.requests_per_minute == 5
    assert replace(rights, expires_at=late).within(replace(key, expires_at=soon)).expires_at == soon
    assert rights.within(replace(key, expires_at=late)).expires_at == soon
    assert rights.within(replace(key, agent_id="desk")).agent_id == "desk"


def test_a_single_text_is_one_bank() -> None:
    assert banks_in("anna") == ("anna",)
    assert banks_in(["anna", "team:*"]) == ("anna", "team:*")
    for claim in ("team:*", "", "a b", ["a b"], ["anna", 1], 1, None):
        with pytest.raises(InvalidInput):
            banks_in(claim)


GOOD = {
    "MEMORY_OAUTH_ISSUER": ISSUER, "MEMORY_OAUTH_AUDIENCE": AUDIENCE,
    "MEMORY_OAUTH_JWKS": "https://login.example.org/keys", "MEMORY_OAUTH_KEY_ID": "a" * 12,
}  # fmt: skip


def refused_setting(monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]) -> str | None:
    for name, value in (GOOD | changes).items():
        monkeypatch.setenv(name, value)
    try:
        oauth_of(load_settings())
    except InvalidInput as error:
        return error.field
    return None


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("value", ["", "x"])
def test_a_setting_that_cannot_be_is_named_at_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    assert refused_setting(monkeypatch, {name: value}) == name


def test_keys_of_the_issuer_come_from_where_nobody_else_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("http://login.example.org/keys", "ftp://127.0.0.1/keys", "file:///keys.json"):
        assert refused_setting(monkeypatch, {"MEMORY_OAUTH_JWKS": value}) == "MEMORY_OAUTH_JWKS"
    for value in ("http://127.0.0.1:9000/keys", "http://localhost/keys", GOOD["MEMORY_OAUTH_JWKS"]):
        assert refused_setting(monkeypatch, {"MEMORY_OAUTH_JWKS": value}) is None
