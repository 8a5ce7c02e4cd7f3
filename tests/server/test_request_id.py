"""Each request has an id, in its answer and in its log lines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

import httpx
import pytest
from structlog.contextvars import get_contextvars, merge_contextvars
from structlog.testing import capture_logs

from memory_service.memory import Memory
from tests.support.shared_app import client_on


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        yield client


@pytest.mark.parametrize("given", ["01a20059-4e59-74c7-b76b-aa5f457a04d8", "a/b+c=", "x" * 128])
async def test_the_id_of_a_request_is_kept(http: httpx.AsyncClient, given: str) -> None:
    answer = await http.get("/healthz", headers={"X-Request-Id": given})
    assert answer.headers.get_list("x-request-id") == [given]


@pytest.mark.parametrize("given", [[], [""], ["x" * 129], ["a b"], ['"a"'], ["é".encode()], ["a", "b"]])
async def test_another_id_is_replaced(http: httpx.AsyncClient, given: list[str | bytes]) -> None:
    headers = [(b"X-Request-Id", one if isinstance(one, bytes) else one.encode()) for one in given]
    ids = [(await http.get("/healthz", headers=headers)).headers["x-request-id"] for _ in range(2)]
    assert len({UUID(one) for one in ids}) == 2


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [("/nowhere", {}, 404), ("/healthz", {"Host": "example.com"}, 421), ("/v1/banks/nobody/stats", {}, 404)],
)
async def test_errors_have_the_id(
    http: httpx.AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    answer = await http.get(path, headers={"X-Request-Id": "mine", **headers})
    assert (answer.status_code, answer.headers["x-request-id"]) == (status, "mine")


async def test_log_lines_have_the_id(
    http: httpx.AsyncClient, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(memory, "stats", fail)
    with capture_logs(processors=(merge_contextvars,)) as logs:
        answer = await http.get("/v1/banks/anna/stats", headers={"X-Request-Id": "mine"})
    assert answer.status_code == 500
    assert [line["request_id"] for line in logs] == ["mine"]
    assert get_contextvars() == {}
