"""The OpenAPI document names the problem documents that calls answer with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest

from memory_service.bank_settings import FLAG, SETTINGS
from memory_service.memory import Memory
from memory_service.validation import CLARIFICATION_STATUSES, FACT_STATUSES
from tests.support.shared_app import client_on

JSON = {"content-type": "application/json"}
PROBLEM = "application/problem+json"


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        yield client


def operations(api: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, call) for path, calls in api["paths"].items() for method, call in calls.items()]


async def test_every_refusal_is_documented(http: httpx.AsyncClient) -> None:
    """Each call, sent wrongly in each way that it can be."""
    api = (await http.get("/openapi.json")).json()
    seen: set[int] = set()
    for method, path, call in operations(api):
        address = path.replace("{bank_id}", "nobody")
        for name in ("memory_id", "fact_id", "trace_id", "clarification_id", "session_id", "checkpoint_id"):
            address = address.replace("{" + name + "}", str(UUID(int=1)))
        wrong: list[dict[str, Any]] = [
            {"headers": {"host": "evil.example"}},
            {"headers": {"origin": "http://evil.example"}},
            {"params": {"nonsense": "1"}},
            {},
        ]
        if "requestBody" in call:
            wrong += [
                {"content": b"{", "headers": JSON},
                {"content": b"{}"},
                {"content": b"x" * 1_100_000, "headers": JSON},
                {"content": b'{"nonsense": 1}', "headers": JSON},
            ]
        for request in wrong:
            answer = await http.request(method.upper(), address, **request)
            documented = call["responses"].get(str(answer.status_code))
            assert documented, f"{method} {path} answers {answer.status_code}"
            if answer.status_code >= 400:
                assert answer.headers["content-type"] in documented["content"]
                seen.add(answer.status_code)
    assert seen == {400, 403, 404, 413, 415, 421, 422}


async def test_problems_that_need_a_state_are_documented(http: httpx.AsyncClient) -> None:
    api = (await http.get("/openapi.json")).json()
    conflicts = {
        path for method, path, call in operations(api) if method == "post" and "409" in call["responses"]
    }
    assert "/v1/banks/{bank_id}/messages" in conflicts
    assert "/v1/banks/{bank_id}/facts/{fact_id}/confirm" in conflicts
    assert "/v1/banks/{bank_id}/recall" not in conflicts
    assert all("503" in call["responses"] for _, path, call in operations(api) if path != "/healthz")
    assert {PROBLEM} == {
        kind
        for _, _, call in operations(api)
        for status, answer in call["responses"].items()
        if int(status) >= 400
        for kind in answer["content"]
    }


async def test_a_wrong_method_names_all_that_the_path_has(http: httpx.AsyncClient) -> None:
    answer = await http.put("/v1/banks/anna")
    assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, GET, PATCH")


async def test_generated_clients_have_a_name_for_each_call_and_type(http: httpx.AsyncClient) -> None:
    """Calls are named by operationId, types by title; tests/docs/generated_client.py generates a client."""
    api = (await http.get("/openapi.json")).json()
    calls = [call["operationId"] for _, _, call in operations(api)]
    assert len(calls) == len(set(calls))
    assert {"create_bank", "remember", "recall", "redrive_all"} <= set(calls)
    titles = [schema["title"] for schema in api["components"]["schemas"].values()]
    assert len(titles) == len(set(titles))
    assert "PageOfMemoryItem" in titles


async def test_it_says_what_is_accepted(http: httpx.AsyncClient) -> None:
    api = (await http.get("/openapi.json")).json()
    bodies = api["components"]["schemas"]
    settings = bodies["BankBody"]["properties"]["settings"]
    assert settings["additionalProperties"] is False
    assert settings["properties"].keys() == SETTINGS.keys()
    flags = {name for name, one in settings["properties"].items() if {"type": "boolean"} in one["anyOf"]}
    assert flags == {name for name, one in SETTINGS.items() if one.values is FLAG}
    assert bodies["RecallBody"]["properties"]["query"]["minLength"] == 1
    assert bodies["MessageBody"]["properties"]["role"]["enum"] == ["user", "assistant", "system", "tool"]
    for path, statuses in (("facts", FACT_STATUSES), ("clarifications", CLARIFICATION_STATUSES)):
        parameters = api["paths"][f"/v1/banks/{{bank_id}}/{path}"]["get"]["parameters"]
        (status,) = (one for one in parameters if one["name"] == "status")
        assert status["schema"]["anyOf"][0]["items"]["enum"] == list(statuses)


async def test_a_whole_number_may_have_a_point_in_json(http: httpx.AsyncClient) -> None:
    """JSON Schema takes 63.0 for an integer."""
    made = await http.post("/v1/banks", content=b'{"bank_id": "anna"}', headers=JSON)
    assert made.status_code in (200, 201)
    answer = await http.patch(
        "/v1/banks/anna", content=b'{"settings": {"most_archived": 63.0}}', headers=JSON
    )
    assert (answer.status_code, str(answer.json()["settings"]["most_archived"])) == (200, "63")
    refused = await http.patch(
        "/v1/banks/anna", content=b'{"settings": {"most_archived": 63.5}}', headers=JSON
    )
    assert refused.status_code == 422
