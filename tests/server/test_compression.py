"""Long answers are compressed for clients that accept gzip; ETags of both forms work in conditions."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator

import httpx
import pytest

from memory_service.memory import Memory
from tests.support.shared_app import client_on

GZIP, PLAIN = {"accept-encoding": "gzip"}, {"accept-encoding": "identity"}


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        await memory.create_bank("anna")
        yield client


async def raw(http: httpx.AsyncClient, path: str, headers: dict[str, str]) -> tuple[httpx.Response, bytes]:
    async with http.stream("GET", path, headers=headers) as answer:
        return answer, b"".join([chunk async for chunk in answer.aiter_raw()])


async def test_a_long_answer_is_compressed(http: httpx.AsyncClient) -> None:
    plain, text = await raw(http, "/openapi.json", PLAIN)
    packed, data = await raw(http, "/openapi.json", GZIP)
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert (plain.headers["vary"], packed.headers["vary"]) == ("Accept-Encoding", "Accept-Encoding")
    assert gzip.decompress(data) == text
    assert len(data) < len(text) / 4
    assert int(packed.headers["content-length"]) == len(data)


async def test_a_short_answer_is_not(http: httpx.AsyncClient) -> None:
    answer, _ = await raw(http, "/v1/banks/anna", GZIP)
    assert (answer.status_code, "content-encoding" in answer.headers) == (200, False)


async def test_both_forms_of_a_memory_can_be_named_in_conditions(
    http: httpx.AsyncClient, memory: Memory
) -> None:
    committed = await memory.remember("anna", "Anna keeps geese in the garden. " * 300)
    path = f"/v1/banks/anna/memories/{committed.memory_id}"
    plain, packed = [(await raw(http, path, headers))[0].headers["etag"] for headers in (PLAIN, GZIP)]
    assert packed == plain[:-1] + '-gzip"'
    for tag in (plain, packed, f'"other", {packed}'):
        assert (await http.get(path, headers={"if-none-match": tag})).status_code == 304
    changed = await http.patch(path, json={"tags": ["a"]}, headers={"if-match": packed})
    assert changed.status_code == 200
    stale = await http.patch(path, json={"tags": ["b"]}, headers={"if-match": packed})
    assert stale.status_code == 412
