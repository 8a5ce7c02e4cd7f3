"""A server that does not count deleted rows: without counts a receipt would be empty."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from memory_service import Memory
from memory_service.config import Settings
from memory_service.doctor import examine
from memory_service.erasure.replay import replay_ledger
from memory_service.errors import DatabaseUnsuitable
from tests.conftest import Admin

pytestmark = pytest.mark.own_database  # a setting of the database holds for new sessions only


@pytest.fixture
async def uncounted(settings: Settings, admin: Admin) -> AsyncIterator[Memory]:
    admin.execute(f"alter database {admin.info.dbname} set track_counts = off".encode())
    async with await Memory.open(settings, migrated=False) as opened:
        yield opened


async def test_an_erasure_is_refused(uncounted: Memory, settings: Settings, admin: Admin) -> None:
    await uncounted.create_bank("b")
    await uncounted.remember("b", "Rex is black.")
    for call in (uncounted.erase_bank("b"), uncounted.plan_erasure("b", whole_bank=True)):
        with pytest.raises(DatabaseUnsuitable, match="track_counts is off"):
            await call
    assert (await uncounted.stats("b"))["messages"]
    assert settings.erasure_ledger is not None
    assert not settings.erasure_ledger.exists()
    found = {one.check: one.level for one in await asyncio.to_thread(examine, settings)}
    assert found["row counts"] == "error"


async def test_a_replay_is_refused(
    memory: Memory, uncounted: Memory, settings: Settings, admin: Admin
) -> None:
    await memory.create_bank("b")
    await memory.erase_bank("b")
    admin.execute("delete from memory.erased_item")
    admin.execute("delete from memory.erasure")
    await memory.create_bank("b")
    with pytest.raises(DatabaseUnsuitable, match="track_counts is off"):
        await asyncio.to_thread(replay_ledger, settings)
    admin.execute(f"alter database {admin.info.dbname} reset track_counts".encode())
    assert await asyncio.to_thread(replay_ledger, settings) == 1
