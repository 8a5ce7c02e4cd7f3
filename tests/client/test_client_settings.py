"""Where a client finds the service and its key, what it imports, and that the key is never shown."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

from memory_service import (
    AccessToken,
    Conflict,
    Forbidden,
    InvalidInput,
    Memory,
    MemoryClient,
    NotFound,
    ServiceUnavailable,
    SyncMemoryClient,
    Unauthorized,
)
from memory_service.config import Settings, load_settings
from memory_service.keys import generate_key
from memory_service.running_service import publish_service
from tests.client.faulty_proxy import faulty
from tests.client.served import Way, client_at, served
from tests.config.test_extras import run_without

BOTH = pytest.mark.parametrize("kind", [MemoryClient, SyncMemoryClient])
BOTH_WAYS = pytest.mark.parametrize("way", ["async", "sync"])
KEY = generate_key().key
HEAVY = {"asyncpg", "fastapi", "httpx2", "numpy", "onnxruntime", "pydantic_settings", "sqlalchemy", "uvicorn"}


@pytest.fixture
async def address(memory: Memory) -> AsyncIterator[str]:
    await memory.create_bank("anna")
    async with served(memory) as found:
        yield found


@BOTH_WAYS
async def test_the_environment_names_service_and_key(
    memory: Memory, address: str, way: Way, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key = (await memory.create_key("read", ["anna"])).key
    monkeypatch.setenv("MEMORY_URL", address)
    async with client_at(None, way) as client:
        with pytest.raises(Unauthorized, match="needs an API key"):
            await client.get_bank("anna")
    monkeypatch.setenv("MEMORY_API_KEY", key)
    async with client_at(None, way) as client:
        assert (await client.get_bank("anna")).bank_id == "anna"
        with pytest.raises(Forbidden, match="needs a key of role write"):
            await client.remember("anna", "Anna sings.")
        with pytest.raises(NotFound):
            await client.get_bank("bob")
    async with client_at(address, way, api_key="") as client:  # an empty argument is no key
        with pytest.raises(Unauthorized, match="needs an API key"):
            await client.get_bank("anna")
    async with client_at(address, way, api_key=key[:-1]) as client:
        with pytest.raises(Unauthorized, match="mistyped"):
            await client.get_bank("anna")
    monkeypatch.delenv("MEMORY_API_KEY")
    (tmp_path / "key").write_text(f"{key}\n")
    monkeypatch.setenv("MEMORY_API_KEY_FILE", str(tmp_path / "key"))
    async with client_at(None, way) as client:
        assert (await client.get_bank("anna")).bank_id == "anna"


@BOTH_WAYS
async def test_a_token_of_the_client_reads_one_bank(memory: Memory, way: Way) -> None:
    await memory.create_bank("anna")
    async with served(memory) as address, client_at(address, way) as client:
        with pytest.raises(Conflict, match="no API keys"):
            await cast("MemoryClient", client).create_token("anna")
    key = (await memory.create_key("write", ["*"])).key
    async with served(memory) as address, client_at(address, way, api_key=key) as client:
        token = await cast("MemoryClient", client).create_token("anna", role="read", seconds=60)
        assert isinstance(token, AccessToken)
        async with client_at(address, way, api_key=token.token) as other:
            assert (await other.get_bank("anna")).bank_id == "anna"
            with pytest.raises(Forbidden):
                await other.remember("anna", "Anna sings.")


@BOTH_WAYS
async def test_without_an_address_it_is_the_service_on_the_data_folder(
    memory: Memory,
    address: str,
    settings: Settings,
    way: Way,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("MEMORY_DATA_DIR", str(folder))
    with pytest.raises(InvalidInput, match=r"^MEMORY_URL: is not set, and no service runs"):
        async with client_at(None, way):
            pass
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    own = settings.model_copy(update={"data_dir": folder})
    key = (await memory.create_key("read", ["anna"])).key
    # The service at this address has another data folder, so it is another service: it must not get the key.
    publish_service(own, address)
    async with faulty(address, []) as proxy:
        publish_service(own, proxy.address)
        async with client_at(None, way, api_key=key, max_attempts=1) as client:
            with pytest.raises(ServiceUnavailable, match="is another one than in the data folder"):
                await client.get_bank("anna")
        assert [(path, "authorization" in headers) for _, path, headers in proxy.requests] == [
            ("/healthz", False)
        ]
    monkeypatch.setattr(memory, "settings", own)
    async with served(memory) as same, faulty(same, []) as proxy:
        publish_service(own, proxy.address)
        async with client_at(None, way, api_key=key) as client:
            assert (await client.get_bank("anna")).bank_id == "anna"
            assert (await client.get_bank("anna")).bank_id == "anna"
        assert [path for _, path, _ in proxy.requests] == ["/healthz", "/v1/banks/anna", "/v1/banks/anna"]


@BOTH
@pytest.mark.parametrize(
    "address", ["localhost:8080", "ftp://a", "http://", "http://user:pass@host", "http://a b", ""]
)
def test_a_wrong_address_is_named(kind: Any, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"^base_url: must be an http or https address"):
        kind(address)
    if address:
        monkeypatch.setenv("MEMORY_URL", address)
        with pytest.raises(InvalidInput, match=r"^MEMORY_URL: must be an http or https address"):
            kind()


def test_the_service_knows_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_URL", "http://127.0.0.1:8080")
    assert load_settings().url == "http://127.0.0.1:8080"
    monkeypatch.setenv("MEMORY_URL", "127.0.0.1:8080")
    with pytest.raises(InvalidInput, match=r"^MEMORY_URL: "):
        load_settings()


async def test_an_address_may_have_a_path() -> None:
    client = MemoryClient("http://127.0.0.1:1/memory/", max_attempts=1)
    with pytest.raises(ServiceUnavailable):
        await client.get_bank("anna")
    await client.aclose()


async def test_an_id_that_is_none_is_refused_before_anything_is_sent() -> None:
    async with MemoryClient("http://127.0.0.1:9") as client:
        with pytest.raises(InvalidInput, match="checkpoint_id"):
            await client.restore_session("anna", "s", cast("Any", None))


@BOTH_WAYS
async def test_the_key_is_never_shown(way: Way) -> None:
    async with client_at("http://127.0.0.1:1", way, api_key=KEY, max_attempts=1) as client:
        with pytest.raises(ServiceUnavailable) as raised:
            await client.get_bank("anna")
    with_locals = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
    assert "ServiceUnavailable" in "".join(with_locals.format())
    assert KEY not in "".join(with_locals.format())


@BOTH
def test_a_malformed_key_is_refused_without_showing_it(kind: Any) -> None:
    for wrong in (f"{KEY}\n", f"é{KEY}", f"{KEY} {KEY}"):
        with pytest.raises(InvalidInput, match=r"^MEMORY_API_KEY: ") as refused:
            kind("http://127.0.0.1:1", api_key=wrong)
        assert KEY not in str(refused.value)


async def test_a_client_is_shown_without_its_key() -> None:
    async with MemoryClient("http://127.0.0.1:1", api_key=KEY) as client:
        assert repr(client) == "MemoryClient('http://127.0.0.1:1')"
    with SyncMemoryClient("http://127.0.0.1:1", api_key=KEY) as blocking:
        assert repr(blocking) == "SyncMemoryClient('http://127.0.0.1:1')"


@pytest.mark.parametrize("name", ["MemoryClient", "SyncMemoryClient"])
def test_without_httpx2_the_error_names_the_extra(name: str) -> None:
    script = f"from memory_service import {name}; {name}('http://127.0.0.1:1')"
    [*_, last] = run_without({"httpx2"}, script).splitlines()
    assert last.endswith(f"{name}: needs the extra 'client': pip install 'memory-service[client]'")


@pytest.mark.parametrize("name", ["MemoryClient", "SyncMemoryClient", "MemoryMethods"])
def test_a_client_imports_no_part_of_the_service(name: str) -> None:
    code = f"import sys; from memory_service import {name}; print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert HEAVY & set(found) == set()
    parts = ("memory", "api", "store", "server", "models", "intake", "recall", "cli", "config")
    assert {f"memory_service.{part}" for part in parts} & set(found) == set()
