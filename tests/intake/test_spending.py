"""Daily token limits, and the ledger of model calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, cast

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, ProviderUnavailable
from memory_service.intake.model_calls import LIMIT_REACHED
from memory_service.memory import Memory
from memory_service.models.interface import Embeddings
from memory_service.requests import NewMessage
from memory_service.types import Extractions, Segment, Usage
from tests.conftest import at_work, settle, until
from tests.support.scripted import ScriptedEmbedder, ScriptedExtractor, script

Admin = psycopg.Connection[tuple[object, ...]]

REMEMBER = "Please remember that my favourite number is {}."
PER_SEGMENT = 110
"""Tokens that the scripted extractor says a segment took."""


class Billed(ScriptedEmbedder):
    billed = True


class SilentlyBilled(Billed):
    """As Silent."""

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        return replace(await super().embed_documents(texts), usage=None)


class Silent(ScriptedExtractor):
    """Does not say what it used, so that each line keeps its estimate."""

    async def extract(self, segments: Sequence[Segment], **options: object) -> Extractions:
        return replace(await super().extract(segments), usage=None)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_service.intake.worker.FIRST_RETRY_SECONDS", 0.05)
    monkeypatch.setattr("memory_service.intake.worker.OUTAGE_SECONDS", 0.05)


@pytest.fixture
async def memories(settings: Settings) -> AsyncIterator[list[Memory]]:
    """Three of them, as in three processes."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(await Memory.open(settings, migrated=False)) for _ in range(3)]


async def fill(memory: Memory, bank_id: str, count: int, **settings: Any) -> None:
    """A bank with these settings, and messages that each are an exchange worth a call."""
    await memory.create_bank(bank_id, settings)
    said = [NewMessage("user", REMEMBER.format(n), id=str(n)) for n in range(count)]
    for start in range(0, count, 100):
        await memory.add_messages(bank_id, "c1", said[start : start + 100])


def waiting(admin: Admin, bank_id: str) -> int:
    """Number of the bank's work items that wait for the next day."""
    rows = admin.execute(
        "select from memory.work where bank_id = %s and last_error = %s and lease_token is null",
        (bank_id, LIMIT_REACHED),
    )
    return len(rows.fetchall())


def lines(admin: Admin, bank_id: str) -> list[tuple[object, ...]]:
    query = (
        "select purpose, outcome, input_tokens + output_tokens from memory.model_call "
        "where bank_id = %s order by call_id"
    )
    return admin.execute(query, (bank_id,)).fetchall()


def spent(admin: Admin, bank_id: str) -> int:
    return sum(cast("int", tokens) for *_, tokens in lines(admin, bank_id))


def a_day_passes(admin: Admin) -> None:
    admin.execute("update memory.model_call set at = at - interval '1 day'")
    admin.execute("update memory.work set not_before = now() where last_error = %s", (LIMIT_REACHED,))


async def test_over_its_cap_a_bank_waits_for_the_next_day(memory: Memory, admin: Admin) -> None:
    """The first call of a day is let through, whatever it costs; nothing is dropped, no try is counted."""
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await fill(memory, "anna", 6, daily_tokens=1)
    tomorrow = (
        "select count(*), count(*) filter (where lease_token is null and not_before - date_trunc('day', now(), 'UTC') "
        "between interval '24 h' and interval '24 h 1 min') from memory.work"
    )
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 5)
        # An item that was claimed while the first call was under way waits some seconds before it waits for tomorrow.
        await until(lambda: admin.execute(tomorrow).fetchone() == (5, 5))
    rows = admin.execute("select kind, attempts, dead_at, lease_token from memory.work").fetchall()
    assert rows == [("extract", 0, None, None)] * 5
    stats = await memory.stats("anna")
    assert stats["messages"] == {"total": 6, "pending": 5, "stored": 1, "refused": 0, "failed": 0}
    assert stats["memories"] == {"active": 1}
    assert stats["spend"]["input_tokens"] + stats["spend"]["output_tokens"] == PER_SEGMENT


async def test_other_banks_go_on_meanwhile(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await fill(memory, "anna", 6, daily_tokens=1)
    await fill(memory, "ben", 6)
    assert (await settle(memory, "ben"))["messages"]["stored"] == 6
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 5)


async def test_the_services_cap_holds_where_a_bank_has_none(memory: Memory, admin: Admin) -> None:
    memory.settings = memory.settings.model_copy(update={"daily_tokens": 1})
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await fill(memory, "anna", 3)
    await fill(memory, "ben", 3, daily_tokens=1_000_000)
    await settle(memory, "ben")
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 2)


@pytest.mark.parametrize("cap", [1_000_000, None])
async def test_a_raised_cap_wakes_what_waits(memory: Memory, admin: Admin, cap: int | None) -> None:
    script(memory, Billed(), ScriptedExtractor())
    await fill(memory, "anna", 4, daily_tokens=1)
    await memory.remember("anna", "A committed thing.")
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 5)
    await memory.update_bank("anna", {"daily_tokens": cap})
    stats = await settle(memory, "anna")
    assert (stats["messages"]["stored"], stats["memories"]) == (4, {"active": 5})


async def test_a_bank_that_gives_up_its_language_model_waits_no_longer(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await fill(memory, "anna", 3, daily_tokens=1)
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 2)
    await memory.update_bank("anna", {"language_model": False})
    assert (await settle(memory, "anna"))["messages"]["stored"] == 3
    assert spent(admin, "anna") == PER_SEGMENT


async def test_a_raised_cap_wakes_no_other_bank(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    for bank_id in ("anna", "ben"):
        await fill(memory, bank_id, 3, daily_tokens=1)
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == waiting(admin, "ben") == 2)
    await memory.update_bank("anna", {"daily_tokens": 1_000_000})
    query = "select count(*) from memory.work where bank_id = 'ben' and not_before > now()"
    assert admin.execute(query.encode()).fetchone() == (2,)


async def test_the_next_day_goes_on(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await fill(memory, "anna", 3, daily_tokens=1)
    for left in (2, 1):
        async with at_work(memory):
            await until(lambda: waiting(admin, "anna") == left)  # noqa: B023 - asked at once
        assert (await memory.stats("anna"))["messages"]["pending"] == left
        a_day_passes(admin)
    assert (await settle(memory, "anna"))["messages"]["stored"] == 3


async def test_workers_together_stay_under_the_cap(
    memories: list[Memory], admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that keep their estimates add up to at most the cap, whatever is read: messages, commits, texts."""
    monkeypatch.setattr("memory_service.intake.model_calls.UNDER_WAY_SECONDS", 0.5)
    for memory in memories:
        script(memory, SilentlyBilled(), Silent())
    cap = 12_000
    await fill(memories[0], "anna", 30, daily_tokens=cap)
    for n in range(30):
        await memories[0].remember("anna", f"Thing number {n}.")
    ready = "select from memory.work where not_before < now() + interval '10 min'"
    async with at_work(*memories):
        await until(lambda: waiting(admin, "anna"))
        await until(lambda: not admin.execute(ready.encode()).fetchall())
    assert cap / 2 < spent(admin, "anna") <= cap


async def test_calls_begun_at_once_stay_under_the_cap(settings: Settings) -> None:
    """Eight connections, ten times: of calls of 100 tokens, a cap of 250 has room for two."""
    many = settings.model_copy(update={"pool_size": 10})
    async with await Memory.open(many, migrated=False) as memory:
        estimate = Usage("scripted", "extract", 60, 40)
        for round_ in range(10):
            bank_id = f"bank{round_}"
            await memory.create_bank(bank_id)
            begun = await asyncio.gather(
                *(memory.store.spending.begin(bank_id, estimate, 1, 250) for _ in range(8))
            )
            assert len([line for line in begun if line is not None]) == 2
            assert await memory.store.spending.today(bank_id) == (200, 200)


async def test_a_failed_call_is_in_the_ledger_with_what_it_may_have_cost(
    memory: Memory, admin: Admin
) -> None:
    """An outage costs nothing, an answer that is no use its estimate, a good one what it says."""
    faults: list[Exception | None] = [ProviderUnavailable("down"), InvalidOutput("nonsense"), None]
    script(memory, ScriptedEmbedder(), ScriptedExtractor(lambda _: faults.pop(0)))
    await fill(memory, "anna", 1)
    await settle(memory, "anna")
    (_, unavailable, nothing), (_, failed, estimated), (_, ok, told) = lines(admin, "anna")
    assert (unavailable, nothing) == ("unavailable", 0)
    assert failed == "failed: InvalidOutput"
    assert cast("int", estimated) > PER_SEGMENT
    assert (ok, told) == ("ok", PER_SEGMENT)


async def test_a_worker_that_died_in_a_call_leaves_its_estimate(memory: Memory, admin: Admin) -> None:
    hold = asyncio.Event()

    class Hanging(ScriptedExtractor):
        async def extract(self, segments: Sequence[Segment], **options: object) -> Extractions:
            hold.set()
            await asyncio.sleep(3600)
            raise AssertionError

    script(memory, ScriptedEmbedder(), Hanging())
    await fill(memory, "anna", 1)
    working = asyncio.create_task(memory.work(asyncio.Event()))
    await hold.wait()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    ((_, outcome, tokens),) = lines(admin, "anna")
    assert outcome == "under way"
    assert cast("int", tokens) > PER_SEGMENT
    assert await memory.store.spending.today("anna") == (tokens, tokens)


async def test_commits_and_embeddings_count(memory: Memory, admin: Admin) -> None:
    script(memory, Billed(), ScriptedExtractor())
    await memory.create_bank("anna")
    await memory.remember("anna", "A committed thing.")
    await settle(memory, "anna")
    assert lines(admin, "anna") == [("extract", "ok", PER_SEGMENT), ("embed", "ok", 10)]


@pytest.mark.parametrize("kind", ["annotate", "embed"])
async def test_commits_and_embeddings_wait_over_the_cap(memory: Memory, admin: Admin, kind: str) -> None:
    """With a model that extracts, the cap lets one commit through; where rules do, one is embedded."""
    extractor = ScriptedExtractor() if kind == "annotate" else None
    script(memory, ScriptedEmbedder() if extractor else Billed(), extractor)
    await memory.create_bank("anna", {"daily_tokens": 1})
    for n in range(4):
        await memory.remember("anna", f"Thing number {n}.")
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 3)
        await until(lambda: len(admin.execute("select from memory.work").fetchall()) == 3)
    query = "select distinct kind, attempts from memory.work where bank_id = 'anna'"
    assert admin.execute(query.encode()).fetchall() == [(kind, 0)]
    assert (await memory.stats("anna"))["memories"] == {"active": 1, "pending_embedding": 3}


async def test_banks_share_what_a_call_cost(memory: Memory, admin: Admin) -> None:
    script(memory, Billed(), ScriptedExtractor())
    for bank_id, count in {"anna": 2, "ben": 7, "cleo": 5}.items():
        await fill(memory, bank_id, count, relational=False)
    for bank_id, count in {"anna": 2, "ben": 7, "cleo": 5}.items():
        await settle(memory, bank_id)
        assert spent(admin, bank_id) == count * (PER_SEGMENT + 10)


async def test_a_bank_whose_cap_is_used_up_meanwhile_takes_no_part_in_a_shared_call(
    memory: Memory, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process uses up the limit just before the call begins."""
    extractor = ScriptedExtractor()
    script(memory, ScriptedEmbedder(), extractor)
    begin = memory.store.spending.begin

    async def late(bank_id: str, estimate: Usage, items: int, daily_tokens: int | None) -> int | None:
        if bank_id == "anna":
            line = await begin(bank_id, Usage("scripted", "extract", 9_999), 1, None)
            assert line is not None
            await memory.store.spending.end(bank_id, line, "ok")
        return await begin(bank_id, estimate, items, daily_tokens)

    monkeypatch.setattr(memory.store.spending, "begin", late)
    await fill(memory, "anna", 2, daily_tokens=10_000)
    await memory.remember("anna", "A committed thing.")
    await fill(memory, "ben", 2)
    await settle(memory, "ben")
    async with at_work(memory):
        await until(lambda: waiting(admin, "anna") == 3)
    assert sum(map(len, extractor.calls)) == 2
    assert (await memory.stats("anna"))["messages"]["pending"] == 2


async def test_rules_and_the_local_model_cost_nothing(memory: Memory, admin: Admin) -> None:
    await fill(memory, "anna", 3, daily_tokens=1)
    await memory.remember("anna", "A committed thing.")
    stats = await settle(memory, "anna")
    assert stats["memories"]["active"] == 4
    assert stats["spend"]["calls"] == 0
    assert lines(admin, "anna") == []
