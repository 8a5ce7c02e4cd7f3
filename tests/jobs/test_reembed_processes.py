"""Re-embedding by real processes that are killed, under recalls and writes: no call fails, none mixes two models.

The vectors of the two models are orthogonal: a query of one model finds nothing alike among vectors of the other.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN
from memory_service.requests import NewMessage
from tests.conftest import Admin, at_work, settle, until
from tests.jobs.vectors import are_of_present_texts, second, vectors
from tests.support.second_model import second_model

BANK = "anna"
THINGS = ("boat", "lamp", "violin", "ladder", "kettle", "carpet", "compass", "mirror", "anchor", "lantern")
PLACES = (
    "Porto",
    "Oslo",
    "Cairo",
    "Lima",
    "Kyoto",
    "Dublin",
    "Quito",
    "Tunis",
    "Riga",
    "Hanoi",
    "Accra",
    "Bergen",
)


@pytest.fixture
def settings(settings: Settings, session_dir: Path) -> Settings:
    return settings.model_copy(
        update={"embedding_model": BUILT_IN, "local_model_dir": second_model(session_dir), "pool_size": 8}
    )


class Load:
    """Recalls, contexts and writes of two clients, until stopped; each recall by meaning must find its text."""

    def __init__(self, memory: Memory, texts: list[str]) -> None:
        self._memory = memory
        self._texts = texts
        self._chance = random.Random(7)
        self._stop = False
        self.models: set[str] = set()
        self.calls = self.written = 0
        self.wrong: list[str] = []

    async def read(self) -> None:
        while not self._stop:
            text = self._chance.choice(self._texts)
            result = await self._memory.recall(BANK, text, k=1, by=["meaning"], min_score=0)
            found = [item.content for item in result.items]
            if result.degraded or found != [text]:
                self.wrong.append(f"{text}: {found}")
            await self._memory.context(BANK, text)
            self.calls += 2
            await asyncio.sleep(0.02)

    async def write(self) -> None:
        while not self._stop:
            self.written += 1
            text = f"On day {self.written} Zora repaired clock {self.written * 37 % 1009} for her neighbour."
            made = await self._memory.remember(BANK, text, wait_ms=60_000)
            if made.status == "active":
                self._texts.append(text)
            await asyncio.sleep(0.2)

    def stop(self) -> None:
        self._stop = True


async def test_killed_at_any_moment_under_load(
    memory: Memory, settings: Settings, admin: Admin, database_url: str, session_dir: Path
) -> None:
    texts = [f"Anna bought a {thing} in {place}." for thing in THINGS for place in PLACES]
    await memory.create_bank(BANK, {"intake": "verbatim"})
    for half in (texts[::2], texts[1::2]):
        await memory.add_messages(BANK, "c1", [NewMessage("user", text) for text in half])
    await settle(memory, BANK)
    environment = os.environ | {
        "DATABASE_URL": database_url, "MEMORY_DATA_DIR": str(session_dir), "MEMORY_EMBEDDING_MODEL": BUILT_IN,
        "MEMORY_LOCAL_MODEL_DIR": str(settings.local_model_dir),
    }  # fmt: skip
    command = [sys.executable, "-m", "memory_service", "reembed", "--bank", BANK]

    def start(*options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*command, *options], env=environment, stdout=subprocess.DEVNULL)

    def copied(model: str) -> int:
        return len(vectors(admin, model))

    chance = random.Random(1)
    load = Load(memory, texts)
    async with await Memory.open(settings, migrated=False) as reader, at_work(memory):
        remote = Load(reader, texts)
        running = [asyncio.create_task(one) for one in (load.read(), load.write(), remote.read())]
        killed: list[int] = []
        for number in range(3):
            before = copied(second(memory))
            process = start(*(["--to", second(memory)] if not number else []), "--share", "0.1")
            await until(lambda n=before, p=process: copied(second(memory)) > n or p.poll() is not None)
            await asyncio.sleep(chance.uniform(0, 1.5))
            process.kill()
            process.wait()
            killed.append(copied(second(memory)))
            assert (await memory.get_bank(BANK)).embedding_model == BUILT_IN
        assert 0 < killed[0] < killed[1] < killed[2], killed
        for options, used in (((), second(memory)), (("--back",), BUILT_IN), (("--back",), second(memory))):
            process = start(*options, "--share", "1")
            assert await until(lambda p=process: p.poll() is not None) is True
            assert (process.returncode, (await memory.get_bank(BANK)).embedding_model) == (0, used)
            await asyncio.sleep(2.5)  # longer than a process caches a bank
        load.stop()
        remote.stop()
        await asyncio.gather(*running)
    assert (load.wrong, remote.wrong) == ([], [])
    assert min(load.calls, remote.calls) > 20
    assert load.written > 5
    await settle(memory, BANK)
    stored = await are_of_present_texts(memory, admin, second(memory))
    active: list[Any] = admin.execute(
        "select memory_id from memory.episodic_memory where status = 'active' union all "
        "select memory_id from memory.semantic_memory where status in ('tentative', 'stable')"
    ).fetchall()
    assert {(memory_id,) for _, memory_id, _ in stored} >= set(active)
