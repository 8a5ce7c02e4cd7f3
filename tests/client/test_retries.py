"""What the clients send again, and what they never do: a proxy fails in front of a real service."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, cast
from unittest.mock import patch
from uuid import UUID

import pytest

from memory_service import (
    DatabaseUnavailable,
    InvalidInput,
    Memory,
    MemoryClient,
    MemoryMethods,
    MemoryServiceError,
    NewMessage,
    ServiceUnavailable,
    SyncMemoryClient,
    TryLater,
)
from memory_service.client.caller import pause_before
from memory_service.server.serve import address_of, listen
from tests.client.faulty_proxy import Fault, FaultyProxy, faulty
from tests.client.served import Way, client_at, served

BOTH_WAYS = pytest.mark.parametrize("way", ["async", "sync"])
UNKNOWN = UUID(int=1)


@pytest.fixture
async def address(memory: Memory) -> AsyncIterator[str]:
    await memory.create_bank("anna")
    async with served(memory) as found:
        yield found


async def called(
    address: str, way: Way, faults: list[Fault], name: str, *arguments: Any, options: Any = None, **named: Any
) -> tuple[Any, FaultyProxy]:
    """The result or the error of one call that meets these faults, and the proxy."""
    async with faulty(address, faults) as proxy:
        async with client_at(proxy.address, way, **(options or {})) as client:
            try:
                result = await getattr(client, name)(*arguments, **named)
            except MemoryServiceError as error:
                result = error
        return result, proxy


@BOTH_WAYS
@pytest.mark.parametrize("fault", ["lost answer", "lost request"])
async def test_a_memory_is_stored_once_whatever_is_lost(
    memory: Memory, address: str, way: Way, fault: Fault
) -> None:
    committed, proxy = await called(address, way, [fault, fault], "remember", "anna", "Anna sings.")
    assert len(proxy.requests) == 3
    assert len({headers["idempotency-key"] for _, _, headers in proxy.requests}) == 1
    assert committed.created
    assert [one.memory_id for one in (await memory.list_memories("anna")).items] == [committed.memory_id]
    assert len((await memory.list_decisions("anna")).items) == 1


@BOTH_WAYS
async def test_two_calls_have_different_keys(memory: Memory, address: str, way: Way) -> None:
    async with faulty(address, []) as proxy, client_at(proxy.address, way) as client:
        for _ in range(2):
            await client.remember("anna", "Anna sings.")
    assert len({headers["idempotency-key"] for _, _, headers in proxy.requests}) == 2


@BOTH_WAYS
@pytest.mark.parametrize("client_id", ["m1", None])
async def test_messages_are_stored_once(
    memory: Memory, address: str, way: Way, client_id: str | None
) -> None:
    messages = [NewMessage("user", "I live in Porto.", id=client_id)]
    ids, proxy = await called(address, way, ["lost answer"], "add_messages", "anna", "c1", messages)
    assert (len(ids), len(proxy.requests)) == (1, 2)
    # With ids of the caller no key is needed, whose transaction and row cost the service time.
    assert all(("idempotency-key" in headers) == (client_id is None) for _, _, headers in proxy.requests)
    assert (await memory.stats("anna"))["messages"]["total"] == 1


SAFE: list[tuple[str, tuple[Any, ...]]] = [
    ("get_bank", ("anna",)),
    ("list_memories", ("anna",)),
    ("recall", ("anna", "cats")),
    ("context", ("anna", "Hello.")),
    ("compact", ("anna", "Michael", "farewell")),
    ("redrive", ("anna",)),
    ("create_bank", ("bob",)),
]


@BOTH_WAYS
@pytest.mark.parametrize(("name", "arguments"), SAFE, ids=[name for name, _ in SAFE])
async def test_safe_calls_are_sent_again(
    address: str, way: Way, name: str, arguments: tuple[Any, ...]
) -> None:
    faults: list[Fault] = ["lost answer", "gateway", "busy"]
    result, proxy = await called(address, way, faults, name, *arguments)
    assert not isinstance(result, Exception)
    assert len(proxy.requests) == 4
    if name == "create_bank":
        assert result[1], "the answer of the first attempt, which created it"


@BOTH_WAYS
@pytest.mark.parametrize("fault", ["lost answer", "lost request", "gateway", "busy", "no space"])
async def test_other_calls_are_sent_once(memory: Memory, address: str, way: Way, fault: Fault) -> None:
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("update_bank", ("anna", {"daily_tokens": 7}), {}),
        ("update", ("anna", UNKNOWN), {"importance": 0.5}),
        ("redrive_all", (), {}),
    ]
    wanted = {"busy": DatabaseUnavailable, "no space": TryLater}.get(fault, ServiceUnavailable)
    for name, arguments, named in calls:
        error, proxy = await called(address, way, [fault], name, *arguments, **named)
        assert (type(error), len(proxy.requests)) == (wanted, 1), name
    done = fault == "lost answer"
    assert ((await memory.get_bank("anna")).settings == {"daily_tokens": 7}) == done


@BOTH_WAYS
async def test_attempts_are_bounded(address: str, way: Way) -> None:
    error, proxy = await called(
        address, way, ["gateway"] * 9, "get_bank", "anna", options={"max_attempts": 3}
    )
    assert (type(error), len(proxy.requests)) == (ServiceUnavailable, 3)
    assert "502 Bad Gateway" in str(error)
    error, proxy = await called(address, way, ["busy"] * 9, "get_bank", "anna", options={"max_attempts": 1})
    assert (type(error), len(proxy.requests)) == (DatabaseUnavailable, 1)


@BOTH_WAYS
async def test_the_service_s_pause_is_kept(address: str, way: Way) -> None:
    began = time.monotonic()
    bank, proxy = await called(address, way, ["no space"], "get_bank", "anna")
    assert (bank.bank_id, len(proxy.requests)) == ("anna", 2)
    assert time.monotonic() - began >= 1


@BOTH_WAYS
async def test_a_pause_beyond_the_deadline_is_not_begun(address: str, way: Way) -> None:
    limits = {"deadline_seconds": 0.5}
    error, proxy = await called(address, way, ["no space"], "get_bank", "anna", options=limits)
    assert isinstance(error, TryLater)
    assert (error.retry_after, str(error), len(proxy.requests)) == (
        1,
        "the key is used up; try again in 1 s",
        1,
    )


@BOTH_WAYS
async def test_a_rate_limit_of_a_key_is_the_service_s(memory: Memory, address: str, way: Way) -> None:
    key = await memory.create_key("read", ["*"], requests_per_minute=1)
    async with client_at(address, way, api_key=key.key, deadline_seconds=5) as client:
        await client.get_bank("anna")
        with pytest.raises(TryLater, match="the API key may send 1 requests a minute") as raised:
            await client.get_bank("anna")
        assert raised.value.retry_after > 5


@BOTH_WAYS
async def test_late_imports_are_refused_as_in_process(memory: Memory, address: str, way: Way) -> None:
    delayed = patch.object(Memory, "intake_delay", return_value=601.0)
    async with client_at(address, way, deadline_seconds=1) as client:
        with (
            delayed,
            pytest.raises(TryLater, match=r"intake is 601 s behind; .* try again in 10 s$") as raised,
        ):
            await client.add_messages("anna", "c1", [NewMessage("user", "Hi.", id="m1")], lane=1)
        assert raised.value.retry_after == 10


@BOTH_WAYS
@pytest.mark.parametrize("fault", ["no answer", "slow answer"])
async def test_a_time_out_ends_an_attempt_and_the_deadline_the_call(
    address: str, way: Way, fault: Fault
) -> None:
    limits = {"timeout_seconds": 0.3, "deadline_seconds": 2.0, "max_attempts": 50}
    faults: list[Fault] = [fault] * 50
    error, proxy = await called(address, way, faults, "recall", "anna", "cats", options=limits)
    assert isinstance(error, ServiceUnavailable)
    assert "did not answer within 0." in str(error)
    assert 2 <= len(proxy.requests) <= 8
    error, proxy = await called(address, way, faults, "update_bank", "anna", {}, options=limits)
    assert (type(error), len(proxy.requests)) == (ServiceUnavailable, 1)


@BOTH_WAYS
async def test_after_a_time_out_the_answer_of_the_first_attempt_is_used(
    memory: Memory, address: str, way: Way
) -> None:
    committed, proxy = await called(
        address, way, ["slow answer"], "remember", "anna", "Anna sings.", options={"timeout_seconds": 1.0}
    )
    assert (committed.created, len(proxy.requests)) == (True, 2)
    assert len((await memory.list_memories("anna")).items) == 1


@BOTH_WAYS
async def test_a_request_still_in_progress_is_waited_for(memory: Memory, address: str, way: Way) -> None:
    """The first attempt is processed when the second arrives: 409 with Retry-After, and then the first answer."""
    go_on = asyncio.Event()
    commit = memory.store.episodes.commit

    async def slow(*arguments: Any) -> Any:
        await go_on.wait()
        return await commit(*arguments)

    with patch.object(memory.store.episodes, "commit", slow):
        call = asyncio.create_task(
            called(
                address,
                way,
                ["lost answer"],
                "remember",
                "anna",
                "Anna sings.",
                options={"timeout_seconds": 1.0},
            )
        )
        await asyncio.sleep(1.5)  # the first attempt has timed out
        go_on.set()
        committed, proxy = await call
    assert committed.created
    assert len(proxy.requests) >= 2
    assert len((await memory.list_memories("anna")).items) == 1


@BOTH_WAYS
async def test_waits_of_a_call_are_added_to_its_limits(memory: Memory, address: str, way: Way) -> None:
    limits = {"timeout_seconds": 0.3, "deadline_seconds": 0.3}
    began = time.monotonic()
    committed, proxy = await called(
        address, way, [], "remember", "anna", "Anna sings.", options=limits, wait_ms=1000
    )  # no worker runs
    assert (committed.status, len(proxy.requests)) == ("pending_embedding", 1)
    assert time.monotonic() - began >= 1
    first = await memory.list_changes("anna")
    page, proxy = await called(
        address, way, [], "list_changes", "anna", options=limits, cursor=first.next_cursor, wait_seconds=1
    )
    assert (page.items, len(proxy.requests)) == ((), 1)


@BOTH_WAYS
async def test_nobody_listens(way: Way) -> None:
    listener = listen("127.0.0.1", 0)
    address = address_of(listener)
    listener.close()
    async with client_at(address, way, max_attempts=2) as client:
        with pytest.raises(ServiceUnavailable, match=f"^the service at {address} cannot be reached$"):
            await client.get_bank("anna")


@BOTH_WAYS
async def test_an_answer_of_something_else_is_an_error(way: Way) -> None:
    """Another program at the address: its answer is neither a result nor a problem document."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 21\r\n\r\n")
        writer.write(b'{"bank_id": "secret"}')
        await writer.drain()
        writer.close()

    listener = listen("127.0.0.1", 0)
    async with (
        await asyncio.start_server(serve, sock=listener),
        client_at(address_of(listener), way) as client,
    ):
        with pytest.raises(
            MemoryServiceError, match=r"has not the form of this release's Bank: created_at"
        ) as raised:
            await client.get_bank("anna")
        assert "secret" not in str(raised.value)


def test_pauses_grow_are_random_and_never_shorter_than_retry_after() -> None:
    pauses = [[pause_before(attempt, None) for _ in range(200)] for attempt in (2, 3, 4, 20)]
    assert all(
        0 <= one <= limit for limit, some in zip((0.2, 0.4, 0.8, 5), pauses, strict=True) for one in some
    )
    assert all(len(set(some)) > 100 for some in pauses)
    assert max(pauses[3]) > 0.8
    assert all(3 <= pause_before(2, 3) <= 3.2 for _ in range(200))


@pytest.mark.parametrize("kind", [MemoryClient, SyncMemoryClient])
@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("timeout_seconds", {"timeout_seconds": 0}),
        ("deadline_seconds", {"deadline_seconds": float("inf")}),
        ("deadline_seconds", {"deadline_seconds": None}),
        ("max_attempts", {"max_attempts": 0}),
    ],
)
def test_limits_are_checked(kind: Any, field: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as raised:
        kind("http://127.0.0.1:1", **options)
    assert raised.value.field == field


async def test_many_threads_share_a_client(memory: Memory, address: str) -> None:
    with SyncMemoryClient(address) as client:
        methods = cast("MemoryMethods", client)
        texts = [f"Anna has {number} cats." for number in range(12)]
        made = await asyncio.gather(*(asyncio.to_thread(methods.remember, "anna", text) for text in texts))
    found = (await memory.list_memories("anna")).items
    assert {one.memory_id for one in found} == {cast("Any", one).memory_id for one in made}
