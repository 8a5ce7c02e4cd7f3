"""`memory-service mcp`: the tools over stdin and stdout, for a running service and for one that it starts."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from memory_service.memory import Memory
from memory_service.running_service import find_service
from tests.acceptance.running import until as awaited
from tests.client.served import served
from tests.conftest import at_work, until
from tests.mcp.callers import ERAS, PROTOCOLS, Era, recalled, text_of

SHORT_WAITS = {"MEMORY_EXCHANGE_QUIET_SECONDS": "0.2", "MEMORY_POLL_SECONDS": "0.2"}


@asynccontextmanager
async def over_stdio(
    environment: dict[str, str], *options: str, bank: str = "anna", era: Era = "auto"
) -> AsyncGenerator[Client]:
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "memory_service", "mcp", "--bank", bank, *options],
        env={"PATH": os.environ["PATH"], **environment},
    )  # fmt: skip
    async with Client(stdio_client(started), mode=era) as client:
        yield client


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_of_a_named_service(memory: Memory, era: Era) -> None:
    await memory.create_bank("anna")
    async with (
        served(memory) as address,
        at_work(memory),
        over_stdio({"MEMORY_URL": address}, era=era) as client,
    ):
        assert client.protocol_version == PROTOCOLS[era]
        assert len((await client.list_tools()).tools) == 8
        assert not (await client.call_tool("remember", {"content": "Anna sings."})).is_error
        assert await until(partial(recalled, client, "Who sings?")) == ["Anna sings."]


async def test_the_service_checks_the_key_and_the_bank(memory: Memory) -> None:
    await memory.create_bank("anna")
    await memory.create_bank("ben")
    key = await memory.create_key("read", ["anna"])
    texts: dict[str, str] = {}
    async with served(memory) as address:
        for bank, given in (("ben", key.key), ("nobody", key.key), ("anna", ""), ("anna", key.key)):
            environment = {"MEMORY_URL": address, "MEMORY_API_KEY": given}
            async with over_stdio(environment, bank=bank) as client:
                texts[f"{bank} {bool(given)}"] = text_of(await client.call_tool("facts", {}))
                if bank == "anna" and given:
                    stored = await client.call_tool("remember", {"content": "Anna sings."})
                    assert text_of(stored).endswith("the key has role read: connect with such a key")
                    await memory.revoke_key(key.key_id)
                    await asyncio.sleep(0.6)
                    revoked = text_of(await client.call_tool("facts", {}))
                    assert revoked.startswith("the API key was revoked")
    assert texts["anna True"] == '{"items":[]}'
    assert texts["ben True"] == texts["nobody True"]
    assert "there is no such bank" in texts["ben True"]
    assert "needs an API key" in texts["anna False"]


@pytest.fixture
def environment(tmp_path: Path, database_url: str) -> Iterator[dict[str, str]]:
    """Of a data folder without a service; a service that was started there is ended."""
    found = {**SHORT_WAITS, "MEMORY_DATA_DIR": str(tmp_path / "data"), "DATABASE_URL": database_url}
    yield found
    stop_service(found)


def stop_service(environment: dict[str, str]) -> None:
    service = find_service(environment)
    if service is not None:
        os.kill(service.pid, signal.SIGTERM)
        awaited(lambda: find_service(environment) is None, "the service has ended")


async def test_a_service_is_started_found_by_others_and_started_again(environment: dict[str, str]) -> None:
    async with (
        over_stdio(environment, "--create") as one,
        over_stdio(environment, "--create", era="legacy") as other,
    ):
        stored, read = await asyncio.gather(
            one.call_tool("remember", {"content": "Anna sings."}), other.call_tool("facts", {})
        )
        assert not stored.is_error, text_of(stored)
        assert not read.is_error, text_of(read)
        service = find_service(environment)
        assert service is not None
        await asyncio.to_thread(stop_service, environment)
        assert await until(partial(recalled, other, "Who sings?"), seconds=120) == ["Anna sings."]
        again = find_service(environment)
        assert again is not None
        assert again.pid != service.pid


async def test_a_service_that_does_not_start_names_its_log(environment: dict[str, str]) -> None:
    environment |= {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    async with over_stdio(environment) as client:
        failed = await client.call_tool("facts", {})
    assert failed.is_error
    assert "the service ended while it was starting: " in text_of(failed)
    assert (Path(environment["MEMORY_DATA_DIR"]) / "service.log").read_text()
