"""A browser for the pages, the connections of tests/db, and a bank with a life in it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, async_playwright

from memory_service.memory import Memory
from tests.conftest import TWO_SERVERS, filled_by
from tests.db.conftest import login, service
from tests.support.shared_app import client_on
from tests.ui.life import live

__all__ = ["login", "service"]

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="session")
def lived(server_url: str, template: str, session_dir: Path) -> Iterator[str]:
    """The name of a database with the bank of `live`."""
    with filled_by(live, server_url, template, session_dir) as name:
        yield name


@pytest.fixture
def prototype(request: pytest.FixtureRequest, template: str) -> str:
    return (
        request.getfixturevalue("lived") if "life" in request.fixturenames and not TWO_SERVERS else template
    )


@pytest.fixture
async def life(memory: Memory) -> Memory:
    """The Memory with the bank of `live`."""
    if TWO_SERVERS:
        await live(memory)
    return memory


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the pages without a network, as a browser on this machine."""
    async with client_on(memory) as client:
        client.headers["origin"] = str(client.base_url)
        yield client


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Debian's chromium; playwright's own browsers are not downloaded."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium in PATH: apt-get install chromium")
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        await started.close()
        await asyncio.sleep(0)
