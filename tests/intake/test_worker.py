"""What the intake worker does when a model or a row misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.types import Verdict
from tests.conftest import at_work, settle, until
from tests.support.figures import figures_of
from tests.support.scripted import ScriptedEmbedder, ScriptedExtractor, no_fault, script

Admin = psycopg.Connection[tuple[object, ...]]

REMEMBER = "Please remember that my favourite number is {}."


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_attempts": 2})


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_service.intake.worker.FIRST_RETRY_SECONDS", 0.05)
    monkeypatch.setattr("memory_service.intake.worker.OUTAGE_SECONDS", 0.05)


def always_down(_: Sequence[str]) -> Exception | None:
    return ProviderUnavailable("down")


def stored(admin: Admin) -> int:
    return len(admin.execute("select from memory.gate_decision where outcome = 'stored'").fetchall())


async def fill(memory: Memory, count: int) -> None:
    await memory.create_bank("anna")
    await memory.add_messages(
        "anna", "c1", [NewMessage("user", REMEMBER.format(n), id=str(n)) for n in range(count)]
    )


async def test_an_outage_costs_no_attempts(memory: Memory, admin: Admin) -> None:
    down = True

    def fault(_: Sequence[str]) -> Exception | None:
        return ProviderUnavailable("down", retry_after=0.02) if down else None

    embedder, extractor = ScriptedEmbedder(fault), ScriptedExtractor(fault)
    script(memory, embedder, extractor)
    await fill(memory, 5)
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    tried = "select from memory.work where kind = 'extract' and last_error is not null"
    # Three times the attempts that a row has; a batch may leave rows to later ones, and the last exchange closes late.
    while len(extractor.calls) < 6 or len(admin.execute(tried).fetchall()) < 5:
        await asyncio.sleep(0.02)
    stop.set()
    await working
    assert (await memory.stats("anna"))["messages"]["pending"] == 5
    reasons = admin.execute("select distinct last_error from memory.work where kind = 'extract'").fetchall()
    assert reasons == [("provider unavailable: down",)]
    down = False
    assert (await settle(memory, "anna"))["messages"]["stored"] == 5


async def test_poison_goes_to_the_dead_letter_alone(memory: Memory, admin: Admin) -> None:
    def fault(texts: Sequence[str]) -> Exception | None:
        return InvalidOutput("nonsense") if any("number is 3" in text for text in texts) else None

    script(memory, ScriptedEmbedder(), ScriptedExtractor(fault))
    await fill(memory, 8)
    stats = await settle(memory, "anna")
    assert stats["messages"] == {"total": 8, "pending": 0, "stored": 7, "refused": 0, "failed": 1}
    assert stats["queue"]["dead"] == 1
    failed = [d for d in (await memory.list_decisions("anna")).items if d.outcome == "failed"]
    assert [(d.client_ids, d.reason) for d in failed] == [(("3",), "nonsense")]
    dead = admin.execute("select kind, attempts, last_error from memory.work").fetchall()
    assert dead == [("extract", 2, "nonsense")]


async def test_a_text_that_cannot_be_embedded_fails_alone(memory: Memory) -> None:
    def fault(texts: Sequence[str]) -> Exception | None:
        return RequestRejected("blocked") if any("number is 1." in text for text in texts) else None

    script(memory, ScriptedEmbedder(fault))
    await fill(memory, 4)
    stats = await settle(memory, "anna")
    assert stats["memories"] == {"active": 3, "failed": 1}
    assert stats["queue"]["dead"] == 1


async def test_what_kills_its_worker_again_and_again_is_dead_lettered(memory: Memory, admin: Admin) -> None:
    await fill(memory, 2)
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await settle(memory, "anna")
    await memory.add_messages("anna", "c2", [NewMessage("user", REMEMBER.format(9))])
    # Claimed three times by workers that died before they could say so.
    admin.execute("update memory.work set attempts = 3, not_before = now()")
    stats = await settle(memory, "anna")
    assert stats["messages"]["failed"] == 1
    assert stats["queue"] == {"depth": 0, "oldest_seconds": 0, "dead": 1}


async def test_a_stopped_worker_gives_its_work_back_untried(memory: Memory, admin: Admin) -> None:
    hold = asyncio.Event()

    class Hanging(ScriptedExtractor):
        async def extract(self, segments, **options):  # type: ignore[no-untyped-def]
            hold.set()
            await asyncio.sleep(3600)

    script(memory, ScriptedEmbedder(), Hanging())
    await fill(memory, 3)
    working = asyncio.create_task(memory.work(asyncio.Event()))
    await hold.wait()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    rows = admin.execute("select lease_token, attempts from memory.work where kind = 'extract'").fetchall()
    assert rows
    assert set(rows) == {(None, 0)}


async def test_a_model_call_is_in_the_ledger(memory: Memory) -> None:
    script(memory, ScriptedEmbedder(), ScriptedExtractor())
    await fill(memory, 3)
    spend = (await settle(memory, "anna"))["spend"]
    assert (spend["input_tokens"], spend["output_tokens"]) == (300, 30)


async def test_what_gets_no_answer_is_set_apart_and_holds_nobody_up(memory: Memory, admin: Admin) -> None:
    """A call that times out is no outage of its neighbours: each is tried by itself, and they are stored."""
    extractor = ScriptedExtractor(
        lambda said: NoAnswer("in time") if any("number is 3." in s for s in said) else None
    )
    script(memory, ScriptedEmbedder(), extractor)
    await fill(memory, 8)
    async with at_work(memory):
        await until(lambda: stored(admin) == 7)
    assert admin.execute("select alone from memory.work where kind = 'extract'").fetchall() == [(True,)]


async def test_no_answer_counts_as_a_try_while_the_model_answers_others(memory: Memory, admin: Admin) -> None:
    said: list[str] = []

    def fault(texts: Sequence[str]) -> Exception | None:
        said.extend(texts)
        return NoAnswer("in time") if any("number is 0." in text for text in texts) else None

    script(memory, ScriptedEmbedder(), ScriptedExtractor(fault))
    await fill(memory, 1)
    async with at_work(memory):
        for n in range(1, 100):
            await memory.add_messages(
                "anna", "c2", [NewMessage("user", f"Please remember that I like number {n}.")]
            )
            await memory.end_import("anna", ["c2"])
            await until(lambda: f"Please remember that I like number {n}." in said)  # noqa: B023 - asked at once
            if admin.execute("select from memory.work where dead_at is not null").fetchall():
                break
    dead = admin.execute("select last_error from memory.work where dead_at is not null").fetchall()
    assert dead == [("in time",)]


async def test_recall_says_that_it_is_degraded_while_the_model_is_down(memory: Memory) -> None:
    embedder = ScriptedEmbedder()
    script(memory, embedder)
    await fill(memory, 2)
    await settle(memory, "anna")
    embedder.fault = always_down
    recalled = await memory.recall("anna", "never asked before")
    assert recalled.degraded
    assert [figures["fused"] for figures in await figures_of(memory, recalled)] == [0.0, 0.0]
    embedder.fault = no_fault
    assert len((await memory.recall("anna", "never asked before")).items) == 2


async def test_harm_that_only_the_model_sees_is_refused(memory: Memory) -> None:
    class Strict(ScriptedExtractor):
        async def extract(self, segments, **options):  # type: ignore[no-untyped-def]
            answer = await super().extract(segments)
            harmed = tuple(
                replace(
                    item,
                    verdicts=(
                        *[v for v in item.verdicts if v.gate != "harm_check"],
                        Verdict("harm_check", False, "bias"),
                    ),
                )
                for item in answer.items
            )
            return replace(answer, items=harmed)

    script(memory, ScriptedEmbedder(), Strict())
    await fill(memory, 1)
    committed = await memory.remember("anna", "A committed thing.")
    stats = await settle(memory, "anna")
    assert stats["messages"]["refused"] == 1
    assert (await memory.get_memory("anna", committed.memory_id)).status == "quarantined"
    decisions = (await memory.list_decisions("anna")).items
    assert {d.reason for d in decisions} == {"harm_check: bias"}
    assert {d.outcome for d in decisions} == {"refused", "quarantined"}


async def test_a_model_that_is_not_set_up_here_costs_no_attempts(memory: Memory, admin: Admin) -> None:
    """A bank of another model's waits, and the banks beside it go on."""
    await fill(memory, 2)
    await memory.create_bank("cloud")
    admin.execute("update memory.bank set embedding_model = 'gemini-embedding-2' where bank_id = 'cloud'")
    committed = await memory.remember("cloud", "The moon is far.")
    assert (await settle(memory, "anna"))["memories"] == {"active": 2}
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    while not admin.execute("select from memory.work where last_error like '%GEMINI_API_KEY%'").fetchall():
        await asyncio.sleep(0.02)
    stop.set()
    await working
    assert (await memory.get_memory("cloud", committed.memory_id)).status == "pending_embedding"
    assert admin.execute("select max(attempts) from memory.work").fetchone() == (0,)
    assert (await memory.recall("cloud", "moon")).degraded


async def test_an_endless_exchange_is_cut_at_forty_messages(memory: Memory) -> None:
    await memory.create_bank("anna")
    said = [
        NewMessage("user", "Tell me."),
        *[NewMessage("assistant", f"Line {n}.", "Ines") for n in range(90)],
    ]
    await memory.add_messages("anna", "c1", said)
    await settle(memory, "anna")
    decisions = (await memory.list_decisions("anna")).items
    assert sorted(len(decision.message_ids) for decision in decisions) == [11, 40, 40]


async def test_dead_letters_can_be_driven_again(memory: Memory) -> None:
    broken = True

    def fault(texts: Sequence[str]) -> Exception | None:
        return InvalidOutput("nonsense") if broken and any("number is 1." in t for t in texts) else None

    script(memory, ScriptedEmbedder(fault), ScriptedExtractor(fault))
    await fill(memory, 3)
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    while not (await memory.stats("anna"))["queue"]["dead"]:
        await asyncio.sleep(0.05)
    stop.set()
    await working
    broken = False
    assert await memory.redrive("anna") == 1
    assert (await settle(memory, "anna"))["messages"]["stored"] == 3
    assert await memory.redrive("anna") == 0
    decisions = (await memory.list_decisions("anna")).items
    assert {decision.outcome for decision in decisions} == {"stored"}
