"""Banks that processes have cached while they are erased."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from memory_service import Memory, NotFound
from memory_service.api import base
from memory_service.config import Settings
from memory_service.store.database import roll_back
from tests.conftest import settle

NAME = "Zqxcached"


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Memory]:
    """Another process of the service."""
    async with await Memory.open(settings, migrated=False) as opened:
        yield opened


async def fill(memory: Memory) -> None:
    await memory.create_bank("b", {"subject": NAME})
    await memory.remember("b", f"{NAME} lives in Porto.")
    await settle(memory, "b")


async def test_a_process_that_has_cached_an_erased_bank_finds_none(
    memory: Memory, other: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "BANK_CACHE_SECONDS", 60.0)
    await fill(memory)
    assert (await other.cached_bank("b")).settings["subject"] == NAME
    await memory.erase_bank("b")
    for read in (
        lambda: other.recall("b", "Porto"),
        lambda: other.context("b", "Where do I live?"),
        lambda: other.compact("b", NAME, "a birthday"),
        lambda: other.person("b"),
    ):
        with pytest.raises(NotFound):
            await read()


@pytest.mark.parametrize("ends", ["committed", "rolled back"])
async def test_the_cache_changes_with_the_commit(memory: Memory, ends: str) -> None:
    """A read during an open transaction, as that of a request with an Idempotency-Key, caches the committed state."""
    await fill(memory)
    await memory.cached_bank("b")
    erased, may_end = asyncio.Event(), asyncio.Event()

    async def erase() -> None:
        await memory.erase_bank("b")
        erased.set()
        await may_end.wait()
        if ends == "rolled back":
            roll_back()

    erasing = asyncio.create_task(memory.store.database.in_transaction(erase, bank="b"))
    await erased.wait()
    assert (await memory.cached_bank("b")).settings["subject"] == NAME
    may_end.set()
    await erasing
    if ends == "rolled back":
        assert (await memory.recall("b", "Porto", mode="tool")).items
    else:
        with pytest.raises(NotFound):
            await memory.cached_bank("b")
