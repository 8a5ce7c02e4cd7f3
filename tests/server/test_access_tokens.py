"""Access tokens: one bank, at most an hour, never more than the key that signed them, and no longer than it."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import httpx
import jwt
import pytest
from structlog.testing import capture_logs

from memory_service import access_tokens
from memory_service.config import Settings, load_settings
from memory_service.errors import InvalidInput
from memory_service.keys import NewKey, generate_key, hash_of
from memory_service.memory import Memory
from memory_service.server.app import create_app
from memory_service.server.authentication import CACHE_SECONDS
from tests.conftest import Admin
from tests.support.shared_app import bearer, own_client

TOKENS = "/v1/banks/anna/tokens"
STATS = "/v1/banks/anna/stats"
MEMORIES = "/v1/banks/anna/memories"
IN_2100 = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with own_client(memory) as client:
        await memory.create_bank("anna")
        await memory.create_bank("ben")
        yield client


async def token(http: httpx.AsyncClient, key: NewKey, **body: object) -> str:
    answer = await http.post(TOKENS, json=body, headers=bearer(key))
    assert answer.status_code == 201, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["token"]


def signed(key: NewKey, **changes: object) -> str:
    """A token with the claims of a good one and `changes`, signed by the holder of the key; None removes a claim."""
    now = int(datetime.now(UTC).timestamp())
    claims: dict[str, Any] = {
        "aud": access_tokens.AUDIENCE, "bank": "anna", "role": "read", "iat": now, "exp": now + 60,
    } | changes  # fmt: skip
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, access_tokens.signing_key(key.key), "EdDSA", headers={"kid": key.key_id})


async def status(http: httpx.AsyncClient, path: str, text: str) -> tuple[int, str]:
    answer = await http.get(path, headers=bearer(text))
    return answer.status_code, answer.json().get("detail", "")


async def test_a_token_reads_its_bank_only(http: httpx.AsyncClient, memory: Memory) -> None:
    text = await token(http, await memory.create_key("write", ["*"]))
    assert (await status(http, STATS, text))[0] == 200
    assert (await status(http, "/v1/banks/ben/stats", text))[0] == 404
    assert [
        bank["bank_id"] for bank in (await http.get("/v1/banks", headers=bearer(text))).json()["items"]
    ] == ["anna"]
    assert (
        await http.post(MEMORIES, json={"content": "Anna sings."}, headers=bearer(text))
    ).status_code == 403


async def test_a_write_token_writes_with_the_agent_of_its_key(
    http: httpx.AsyncClient, memory: Memory, admin: Admin
) -> None:
    text = await token(http, await memory.create_key("admin", ["anna"], agent_id="web"), role="write")
    assert (
        await http.post(MEMORIES, json={"content": "Anna sings."}, headers=bearer(text))
    ).status_code == 201
    assert admin.execute("select agent_id from memory.episodic_memory").fetchall() == [("web",)]
    settings = await http.patch("/v1/banks/anna", json={"settings": {}}, headers=bearer(text))
    assert settings.status_code == 403


async def test_a_token_is_never_more_than_its_key(http: httpx.AsyncClient, memory: Memory) -> None:
    reader = await memory.create_key("read", ["anna"])
    refused = await http.post(TOKENS, json={"role": "write"}, headers=bearer(reader))
    assert refused.status_code == 403
    assert (await http.post("/v1/banks/ben/tokens", json={}, headers=bearer(reader))).status_code == 404
    nowhere = await http.post(
        "/v1/banks/nowhere/tokens", json={}, headers=bearer(await memory.create_key("read", ["*"]))
    )
    assert nowhere.status_code == 404
    for body, field in (
        ({"seconds": 3601}, "seconds"), ({"seconds": 0}, "seconds"), ({"role": "admin"}, "role"), ({"a": 1}, "a"),
    ):  # fmt: skip
        answer = await http.post(TOKENS, json=body, headers=bearer(reader))
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


async def test_a_token_creates_no_tokens(http: httpx.AsyncClient, memory: Memory) -> None:
    text = await token(http, await memory.create_key("write", ["anna"]), role="write")
    refused = await http.post(TOKENS, json={}, headers=bearer(text))
    assert (refused.status_code, "use the API key" in refused.text) == (403, True)


async def test_without_keys_there_are_no_tokens(http: httpx.AsyncClient) -> None:
    assert (await http.post(TOKENS, json={})).status_code == 409


@pytest.mark.parametrize(
    "changes",
    [
        {"bank": "ben"}, {"bank": "*"}, {"bank": None}, {"bank": ["anna"]}, {"role": "write"}, {"role": "admin"},
        {"role": None}, {"aud": "other"}, {"aud": None}, {"exp": None}, {"iat": None}, {"iat": "now"},
        {"exp": IN_2100}, {"iat": IN_2100, "exp": IN_2100 + 60}, {"bank": "anna\0"},
    ],
)  # fmt: skip
async def test_claims_that_a_key_may_not_sign_are_refused(
    http: httpx.AsyncClient, memory: Memory, changes: dict[str, object]
) -> None:
    key = await memory.create_key("read", ["anna"])
    assert (await status(http, STATS, signed(key)))[0] == 200
    assert await status(http, STATS, signed(key, **changes)) == (401, access_tokens.INVALID)


async def test_a_token_is_for_one_bank(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("read", ["tenant-a:*"])
    await memory.create_bank("tenant-a:anna")
    own = "/v1/banks/tenant-a:anna/stats"
    assert (await status(http, own, signed(key, bank="tenant-a:anna")))[0] == 200
    assert await status(http, own, signed(key, bank="tenant-a:*")) == (401, access_tokens.INVALID)


async def test_forged_tokens_are_refused(http: httpx.AsyncClient, memory: Memory, admin: Admin) -> None:
    key = await memory.create_key("read", ["anna"])
    good = signed(key)
    head, body, signature = good.split(".")
    ((stored,),) = admin.execute("select token_public_key from memory.api_key").fetchall()
    claims = jwt.decode(good, options={"verify_signature": False})
    other = generate_key()
    forged = [
        f"{head}.{body}.{signature[:-6]}AAAAAA",
        f"{head}.{body}.",
        f"{head}.{body[:-4]}.{signature}",
        f"eyJ.{body}.{signature}",
        "eyJhbGciOiJub25lIn0.e30.",
        jwt.encode(claims, "", "none", headers={"kid": key.key_id}),
        # What a copy of the database holds, as the secret of another algorithm.
        jwt.encode(claims, cast("bytes", stored), "HS256", headers={"kid": key.key_id}),
        jwt.encode(claims, hash_of(key.key), "HS256", headers={"kid": key.key_id}),
        jwt.encode(claims, access_tokens.signing_key(other.key), "EdDSA", headers={"kid": key.key_id}),
        signed(other),
    ]
    for text in forged:
        assert await status(http, STATS, text) == (401, access_tokens.INVALID), text


@pytest.mark.parametrize("key_id", ["Zebrafinken sing.", "a\0bcdefghijk", "", 12, None, ["a"], "é" * 12])
async def test_the_signer_that_a_token_names_is_no_text(
    http: httpx.AsyncClient, memory: Memory, key_id: object
) -> None:
    key = await memory.create_key("read", ["anna"])
    claims = jwt.decode(signed(key), options={"verify_signature": False})
    signer = access_tokens.signing_key(key.key)
    # The library refuses to write other types.
    header = (
        base64.urlsafe_b64encode(json.dumps({"alg": "EdDSA", "kid": key_id}).encode()).rstrip(b"=").decode()
    )
    body = jwt.encode(claims, signer, "EdDSA").split(".")[1]
    signature = base64.urlsafe_b64encode(signer.sign(f"{header}.{body}".encode())).rstrip(b"=").decode()
    with capture_logs() as logs:
        assert await status(http, STATS, f"{header}.{body}.{signature}") == (401, access_tokens.INVALID)
    assert logs == []


async def test_a_token_ends_at_its_time(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"], expires_at=datetime.now(UTC) + timedelta(seconds=100))
    answer = (await http.post(TOKENS, json={"seconds": 3600}, headers=bearer(key))).json()
    assert datetime.fromisoformat(answer["expires_at"]) <= datetime.now(UTC) + timedelta(seconds=100)
    now = int(datetime.now(UTC).timestamp())
    text = signed(key, exp=now + 2)
    assert (await status(http, STATS, text))[0] == 200
    await asyncio.sleep(2.1)
    assert await status(http, STATS, text) == (401, access_tokens.EXPIRED)
    assert await status(http, STATS, signed(key, iat=now - 60, exp=now - 1)) == (401, access_tokens.EXPIRED)


async def test_a_revoked_key_ends_its_tokens(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"])
    text = await token(http, key)
    assert (await status(http, STATS, text))[0] == 200
    await memory.revoke_key(key.key_id)
    await asyncio.sleep(CACHE_SECONDS)
    with capture_logs() as logs:
        assert await status(http, STATS, text) == (401, "the API key was revoked")
    assert [line["key_id"] for line in logs] == [key.key_id]
    assert text not in str(logs)


async def test_a_token_uses_the_rate_limit_of_its_key(http: httpx.AsyncClient, memory: Memory) -> None:
    key = await memory.create_key("read", ["anna"], requests_per_minute=2)
    text = await token(http, key)
    assert [(await status(http, STATS, text))[0] for _ in range(2)] == [200, 429]


async def test_a_rotated_key_signs_its_own_tokens(http: httpx.AsyncClient, memory: Memory) -> None:
    old = await memory.create_key("read", ["anna"])
    new = await memory.rotate_key(old.key_id)
    for key in (old, new):
        assert (await status(http, STATS, await token(http, key)))[0] == 200


async def test_a_key_without_public_half_signs_none(
    http: httpx.AsyncClient, memory: Memory, admin: Admin
) -> None:
    key = await memory.create_key("read", ["anna"])
    admin.execute("update memory.api_key set token_public_key = null")
    answer = await http.post(TOKENS, json={}, headers=bearer(key))
    assert (answer.status_code, "rotate" in answer.text) == (409, True)
    assert await status(http, STATS, signed(key)) == (401, access_tokens.INVALID)


async def test_web_pages_of_allowed_origins_only(memory: Memory, settings: Settings) -> None:
    await memory.create_bank("anna")
    key = await memory.create_key("read", ["anna"])
    asked = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"}
    memory.settings = settings.model_copy(update={"allowed_origins": ("https://app.example.org",)})
    transport = httpx.ASGITransport(create_app(memory))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        for origin, allowed in (
            ("https://app.example.org", "https://app.example.org"),
            ("https://other.org", None),
        ):
            preflight = await http.options(STATS, headers={"Origin": origin} | asked)
            answer = await http.get(STATS, headers={"Origin": origin} | bearer(key))
            refused = await http.get(STATS, headers={"Origin": origin} | bearer(generate_key()))
            for one in (preflight, answer, refused):
                assert one.headers.get("access-control-allow-origin") == allowed
            assert [one.status_code for one in (answer, refused)] == [200, 401]


@pytest.mark.parametrize("value", ["*", "app.example.org", "https://a.org/path", "https://a.org, x"])
def test_origins_that_are_none(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_ALLOWED_ORIGINS", value)
    with pytest.raises(InvalidInput, match="MEMORY_ALLOWED_ORIGINS"):
        load_settings()


def test_origins_between_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_ALLOWED_ORIGINS", "https://a.org, http://localhost:3000")
    assert load_settings().allowed_origins == ("https://a.org", "http://localhost:3000")
