"""What keeps the time short from the acknowledgement of a write until it can be recalled."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from memory_service.config import Settings
from memory_service.intake.annotate import AnnotateStep
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.store.work import Claim, Work
from tests.conftest import at_work, until

TEXT = "Maria moved to Lisbon in March."


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"poll_seconds": 30.0})


async def test_a_batch_that_is_not_full_is_not_followed_by_another_claim(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims, begun, ended, listens = Counter[str](), asyncio.Event(), asyncio.Event(), False
    claim, run = Work.claim, AnnotateStep.run

    async def counted(work: Work, kind: str, *rest: object, tried: bool = False) -> list[Claim]:
        if begun.is_set():
            claims[kind] += 1
        return await claim(work, kind, *rest, tried=tried)  # type: ignore[arg-type]

    async def held(step: AnnotateStep, batch: ClaimBatch) -> None:
        if listens:
            begun.set()
            await ended.wait()
        await run(step, batch)

    monkeypatch.setattr(Work, "claim", counted)
    monkeypatch.setattr(AnnotateStep, "run", held)
    await memory.create_bank("anna")
    async with at_work(memory):
        await memory.remember("anna", "Maria has two brothers.")
        await until(lambda: all_active(memory, 1))
        listens = True
        await memory.remember("anna", TEXT)
        await begun.wait()
        await asyncio.sleep(0.3)
        assert claims["annotate"] == 0
        await memory.remember("anna", "Maria bought a boat.")
        await until(lambda: claims["annotate"])  # woken: a second batch beside the first
        ended.set()
        await until(lambda: all_active(memory, 3))


async def test_an_item_enqueued_again_while_it_is_leased_does_not_wait_for_a_poll(memory: Memory) -> None:
    await memory.create_bank("anna", settings={"intake": "verbatim"})
    async with at_work(memory), asyncio.timeout(20):  # a poll comes after 21 s at the earliest
        for n in range(20):
            await memory.add_messages("anna", "c", [NewMessage("user", f"Maria bought boat {n}.")])
        await until(lambda: all_active(memory, 20))


async def all_active(memory: Memory, count: int) -> bool:
    return (await memory.stats("anna"))["memories"].get("active") == count
