"""Signing in and out: the cookie, its end, the Origin of acts, and the places that it leads to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie

import httpx
import jwt
import pytest

from memory_service import access_tokens
from memory_service.keys import NewKey
from memory_service.memory import Memory
from memory_service.ui.session import COOKIE, place_after
from tests.support.shared_app import bearer, own_client

FACTS = "/ui/banks/anna/facts"


@pytest.fixture
async def page(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    """A browser before signing in, at a service with keys."""
    await memory.create_bank("anna")
    await memory.create_bank("bob")
    async with own_client(memory) as client:
        client.headers["origin"] = str(client.base_url)
        yield client


@pytest.fixture
async def key(memory: Memory, page: httpx.AsyncClient) -> NewKey:
    return await memory.create_key("write", ["anna"], agent_id="kit")


async def signed_in(page: httpx.AsyncClient, key: NewKey) -> httpx.Response:
    """The answer to signing in; the client keeps the cookie."""
    answer = await page.post("/ui/sign-in", data={"key": key.key})
    assert answer.status_code == 303
    return answer


async def test_a_key_is_exchanged_for_a_cookie(page: httpx.AsyncClient, key: NewKey) -> None:
    asked = await page.get(f"{FACTS}?as_of=2026-01-01")
    assert asked.status_code == 303
    assert asked.headers["location"] == "/ui/sign-in?next=%2Fui%2Fbanks%2Fanna%2Ffacts%3Fas_of%3D2026-01-01"
    form = await page.get(asked.headers["location"])
    assert 'value="/ui/banks/anna/facts?as_of=2026-01-01"' in form.text

    answer = await page.post("/ui/sign-in", data={"key": key.key, "next": f"{FACTS}?as_of=2026-01-01"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{FACTS}?as_of=2026-01-01")
    (morsel,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert (morsel.key, morsel["path"], morsel["samesite"]) == (COOKIE, "/ui", "strict")
    assert morsel["httponly"]
    assert not morsel["secure"]
    assert not morsel["max-age"]
    assert key.key not in answer.headers["set-cookie"]
    shown = await page.get(FACTS)
    assert shown.status_code == 200
    assert key.key not in shown.text
    assert ">kit<" in shown.text


async def test_behind_https_the_cookie_is_secure(page: httpx.AsyncClient, key: NewKey) -> None:
    answer = await page.post(
        "/ui/sign-in",
        data={"key": key.key},
        headers={"origin": "https://memory.example", "host": "memory.example"},
    )
    assert "; Secure" in answer.headers["set-cookie"]


async def test_data_without_a_session_is_refused(page: httpx.AsyncClient, key: NewKey) -> None:
    answer = await page.get(f"{FACTS}.json")
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")
    with_key = await page.get(f"{FACTS}.json", headers=bearer(key))
    assert with_key.status_code == 200


@pytest.mark.parametrize("wrong", ["", "mem_x", "eyJhbGciOiJFZERTQSJ9.e30.x"])
async def test_another_text_does_not_sign_in(page: httpx.AsyncClient, key: NewKey, wrong: str) -> None:
    answer = await page.post("/ui/sign-in", data={"key": wrong})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert 'role="alert"' in answer.text


async def test_a_session_ends_with_its_key(page: httpx.AsyncClient, key: NewKey, memory: Memory) -> None:
    await signed_in(page, key)
    await memory.revoke_key(key.key_id)
    page._transport.app.state.authenticator._cache.clear()  # type: ignore[attr-defined] # pyright: ignore
    assert (await page.get(FACTS)).status_code == 303


async def test_signing_out_removes_the_cookie(page: httpx.AsyncClient, key: NewKey) -> None:
    await signed_in(page, key)
    assert (await page.get("/ui/sign-out")).status_code in (404, 405)
    out = await page.post("/ui/sign-out")
    assert out.status_code == 303
    assert COOKIE not in page.cookies
    assert (await page.get(FACTS)).status_code == 303


async def test_a_session_is_no_access_token_and_the_reverse(
    page: httpx.AsyncClient, key: NewKey, memory: Memory
) -> None:
    await signed_in(page, key)
    session = page.cookies[COOKIE]
    assert (await page.get(FACTS)).status_code == 200
    assert (await page.get("/v1/banks/anna/facts", headers=bearer(session))).status_code == 401
    token = await page.post("/v1/banks/anna/tokens", json={"role": "read"}, headers=bearer(key))
    page.cookies.clear()
    page.cookies.set(COOKIE, token.json()["token"], path="/ui")
    assert (await page.get(FACTS)).status_code == 303
    page.cookies.clear()
    page.cookies.set(COOKIE, key.key, path="/ui")
    assert (await page.get(FACTS)).status_code == 303


@pytest.mark.parametrize(
    ("begins", "seconds"),
    [(0, access_tokens.SESSION_SECONDS + 1), (3600, 3600), (-7200, 3600)],
    ids=["too long", "from the future", "ended"],
)
async def test_a_self_made_session_does_not_last_longer(
    page: httpx.AsyncClient, key: NewKey, begins: int, seconds: int
) -> None:
    """The holder of a key can sign any claims."""
    now = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=begins)
    claims = {"aud": access_tokens.SESSION_AUDIENCE, "iat": now, "exp": now + timedelta(seconds=seconds)}
    signer = access_tokens.signing_key(key.key)
    page.cookies.set(COOKIE, jwt.encode(claims, signer, "EdDSA", {"kid": key.key_id}), path="/ui")
    assert (await page.get(FACTS)).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": "http://127.0.0.1", "sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1", "sec-fetch-site": "cross-site"},
        {"origin": "http://127.0.0.1@evil.example"},
    ],
    ids=str,
)
@pytest.mark.parametrize("keys", [True, False])
async def test_acts_of_other_origins_are_refused(
    page: httpx.AsyncClient, memory: Memory, headers: dict[str, str], keys: bool
) -> None:
    """With a session, and open on loopback without keys: a page on another port sends the same cookies."""
    committed = await memory.remember("anna", "Anna lives in Porto.", type="semantic")
    if keys:
        await signed_in(page, await memory.create_key("write", ["anna"]))
    path = f"{FACTS}/{committed.memory_id}/retract"
    assert (await page.post(path, headers=headers)).status_code == 403
    del page.headers["origin"]
    assert (await page.post(path)).status_code == 403
    assert (await memory.get_fact("anna", committed.memory_id)).retracted_at is None
    assert (await page.post(path, headers={"sec-fetch-site": "same-origin"})).status_code == 303


async def test_another_banks_pages_are_those_of_no_bank(
    page: httpx.AsyncClient, key: NewKey, memory: Memory
) -> None:
    """Also with ids of the other bank in addresses of the own one."""
    other = (await memory.remember("bob", "Bob lives in Rome.", type="semantic")).memory_id
    await memory.recall("bob", "Where?")
    await memory.flush()
    (trace,) = (await memory.list_traces("bob")).items
    await signed_in(page, key)
    for rest in (
        "overview", "facts", "questions", "why", "try", "decisions", "quarantine", "forget", "timeline", "spend",
        f"facts/{other}", f"why/{trace.trace_id}", f"memories/{other}/edit",
    ):  # fmt: skip
        there = await page.get(f"/ui/banks/bob/{rest}")
        nowhere = await page.get(f"/ui/banks/nobody/{rest}")
        assert (there.status_code, nowhere.status_code) == (404, 404)
        assert there.text.replace("bob", "nobody") == nowhere.text
    for rest in (f"facts/{other}", f"memories/{other}", f"why/{trace.trace_id}", f"memories/{other}/edit"):
        answer = await page.get(f"/ui/banks/anna/{rest}")
        assert answer.status_code == 404
        assert "Rome" not in answer.text
    assert (await page.post(f"/ui/banks/bob/facts/{other}/pin")).status_code == 404
    assert (await page.post(f"/ui/banks/anna/facts/{other}/pin")).status_code == 404
    for act in (f"quarantine/{other}/release", f"memories/{other}/edit", f"memories/{other}/restore"):
        for bank in ("anna", "bob"):
            fields = {"content": "Bob lives in Porto.", "etag": "x"}
            assert (await page.post(f"/ui/banks/{bank}/{act}", data=fields)).status_code in (403, 404)
    assert (await memory.get_fact("bob", other)).fact == "Bob lives in Rome."
    assert "bob" not in (await page.get("/ui")).text


async def test_a_read_key_acts_on_nothing(page: httpx.AsyncClient, memory: Memory) -> None:
    committed = await memory.remember("anna", "Anna lives in Porto.", type="semantic")
    await signed_in(page, await memory.create_key("read", ["anna"]))
    address = f"{FACTS}/{committed.memory_id}"
    assert "It was never true" not in (await page.get(address)).text
    assert (await page.post(f"{address}/retract")).status_code == 403


async def test_acts_name_the_signed_in_agent(page: httpx.AsyncClient, key: NewKey, memory: Memory) -> None:
    committed = await memory.remember("anna", "Anna lives in Porto.", type="semantic")
    await signed_in(page, key)
    assert (await page.post(f"{FACTS}/{committed.memory_id}/pin")).status_code == 303
    versions = (await memory.fact_history("anna", committed.memory_id)).items
    assert (versions[-1].reason, versions[-1].actor) == ("pinned", "kit")


@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example", "//evil.example", "/\\evil.example", "/v1/banks", "/uix", "javascript:alert(1)",
        "/ui/\r\nset-cookie: a=b", "/ui/\\evil", "", "/ui/../v1/banks", "/ui/%2E%2e/other", "/ui/banks/.%2e/x",
    ],
)  # fmt: skip
def test_signing_in_leads_to_pages_only(place: str) -> None:
    assert place_after(place) == "/ui"


def test_signing_in_leads_back() -> None:
    assert place_after("/ui/banks/anna/facts?as_of=2026-01-01") == "/ui/banks/anna/facts?as_of=2026-01-01"
