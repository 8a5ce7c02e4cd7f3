"""What keeps the time short from the acknowledgement of a write until it can be recalled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import cast
from uuid import uuid4

import pytest

from memory_service.config import Settings
from memory_service.features import Features
from memory_service.intake import extract
from memory_service.intake.annotate import AnnotateStep
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.worker import Worker
from memory_service.memory import Memory
from memory_service.models.local import LocalEmbedder
from memory_service.requests import NewMessage
from memory_service.rules.extractor import SHORT_CHARACTERS, run_rules
from memory_service.rules.gate.gate import ECHO, Ruling, refused
from memory_service.store.work import Claim, Work
from memory_service.types import Segment, Utterance, Verdict
from tests.conftest import at_work, settle, until
from tests.support.model_runs import counted_runs

TEXT = "Maria moved to Lisbon in March."


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"poll_seconds": 30.0})


async def test_a_batch_that_is_not_full_is_not_followed_by_another_claim(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed, ended, holds = asyncio.Event(), asyncio.Event(), False
    claims, wakes, wakes_before = 0, 0, 0
    claim, run, wake = Work.claim, AnnotateStep.run, Worker.wake

    async def counted(work: Work, kind: str, *rest: object, tried: bool = False) -> list[Claim]:
        nonlocal claims, wakes_before
        if kind != "annotate" or tried:  # failed items are claimed separately, at intervals
            return await claim(work, kind, *rest, tried=tried)  # type: ignore[arg-type]
        claims += claimed.is_set()
        begun = wakes
        found = await claim(work, kind, *rest, tried=tried)  # type: ignore[arg-type]
        if found and holds and not claimed.is_set():
            wakes_before = begun
            claimed.set()
        return found

    def woken(worker: Worker, kind: str | None = None) -> None:
        nonlocal wakes
        wakes += kind in (None, "annotate")
        wake(worker, kind)

    async def held(step: AnnotateStep, batch: ClaimBatch) -> None:
        if holds:
            await ended.wait()
        await run(step, batch)

    monkeypatch.setattr(Work, "claim", counted)
    monkeypatch.setattr(AnnotateStep, "run", held)
    monkeypatch.setattr(Worker, "wake", woken)
    await memory.create_bank("anna")
    async with at_work(memory):
        await memory.remember("anna", "Maria has two brothers.")
        await until(lambda: all_active(memory, 1))
        holds = True
        await memory.remember("anna", TEXT)
        await claimed.wait()
        await asyncio.sleep(0.3)
        # Where the machine is slow, the listener connects, or hears of the first message, only now or while the
        # batch is claimed.
        assert claims <= wakes - wakes_before
        before = claims
        await memory.remember("anna", "Maria bought a boat.")
        await until(lambda: claims > before)  # woken: a second batch beside the first
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


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of texts of each run of the model."""
    return counted_runs(monkeypatch)


@pytest.mark.parametrize("intake", ["exchange", "verbatim"])
async def test_a_write_is_embedded_once_and_leaves_nothing_behind(
    memory: Memory, embedded: list[int], monkeypatch: pytest.MonkeyPatch, intake: str
) -> None:
    begun: list[str] = []
    begin = LocalEmbedder.begin

    def noted(embedder: LocalEmbedder, texts: Sequence[str]) -> None:
        begun.extend(texts)
        begin(embedder, texts)

    monkeypatch.setattr(LocalEmbedder, "begin", noted)
    await memory.create_bank("anna", settings={"intake": intake, "relational": False})
    if intake == "verbatim":
        await memory.add_messages("anna", "c", [NewMessage("user", "Nothing of note.")])
    else:
        await memory.remember("anna", "Nothing of note.")
    await settle(memory, "anna")
    assert begun == ["Nothing of note."]
    assert embedded == [1]
    assert early(memory) == {}


@pytest.mark.parametrize("intake", ["verbatim", "exchange"])
async def test_of_a_refused_or_quarantined_text_nothing_is_kept(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, intake: str
) -> None:
    """Where only the extraction finds the command, the embedding has begun."""
    monkeypatch.setattr("memory_service.intake.annotate.command_among", as_command)
    monkeypatch.setattr("memory_service.intake.extract.command_among", as_command)
    dropped: list[str] = []
    drop = LocalEmbedder.drop

    def noted(embedder: LocalEmbedder, texts: Sequence[str]) -> None:
        dropped.extend(texts)
        drop(embedder, texts)
        assert early(memory) == {}

    monkeypatch.setattr(LocalEmbedder, "drop", noted)
    await memory.create_bank("anna", settings={"intake": intake})
    if intake == "verbatim":
        await memory.add_messages("anna", "c", [NewMessage("user", TEXT)])
    else:
        await memory.remember("anna", TEXT)
    await settle(memory, "anna")
    assert dropped == [TEXT]
    assert (await memory.stats("anna"))["memories"] == {"quarantined": 1}


async def test_a_verbatim_message_is_embedded_beside_its_rules(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, begun = extract.gate_segment, list[int]()

    def noted(segment: Segment, features: Features) -> Ruling:
        begun.append(len(early(memory)))
        return gate(segment, features)

    monkeypatch.setattr(extract, "gate_segment", noted)
    await memory.create_bank("anna", settings={"intake": "verbatim"})
    await memory.add_messages("anna", "c", [NewMessage("user", TEXT)])
    await settle(memory, "anna")
    assert begun == [1]


async def test_of_an_echo_in_a_verbatim_bank_nothing_is_kept(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def echo(_segment: Segment, _features: Features) -> Ruling:
        return refused(ECHO)

    monkeypatch.setattr(extract, "gate_segment", echo)
    monkeypatch.setattr("memory_service.models.local.EARLY_SECONDS", 60.0)
    await memory.create_bank("anna", settings={"intake": "verbatim"})
    await memory.add_messages("anna", "c", [NewMessage("user", TEXT)])
    await settle(memory, "anna")
    assert (await memory.stats("anna"))["memories"] == {}
    assert early(memory) == {}


@pytest.mark.parametrize("characters", [SHORT_CHARACTERS, SHORT_CHARACTERS + 1])
async def test_only_long_segments_are_read_in_a_thread(characters: int) -> None:
    said = Utterance(uuid4(), "user", "a" * characters, None, datetime.now(UTC))
    thread = await run_rules(threading.current_thread, [Segment(uuid4(), (said,))])
    assert (thread is threading.current_thread()) == (characters == SHORT_CHARACTERS)


def as_command(_: Iterable[str], **__: bool) -> Verdict:
    return Verdict("harm_check", False, "command to the agent: a test")


def early(memory: Memory) -> dict[bytes, object]:
    embedder = cast("LocalEmbedder", memory.models.embedder())
    return dict(embedder._early)  # pyright: ignore[reportPrivateUsage]
