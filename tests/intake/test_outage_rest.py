"""During an outage of its model a bank rests: its backlog is left alone, and other banks go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from memory_service.errors import ProviderUnavailable
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.store.work import Claim
from tests.conftest import at_work, settle, until
from tests.support.scripted import ScriptedEmbedder, ScriptedExtractor, no_fault, script

Admin = psycopg.Connection[tuple[object, ...]]

BACKLOG = 500
TWO_BATCHES = {"extract": 2 * 64, "embed": 2 * 128}
"""Items that may be in progress when the first call fails."""


def down(_: Sequence[str]) -> Exception | None:
    return ProviderUnavailable("down")


@pytest.fixture(autouse=True)
def long_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than any test: an item that is claimed again is claimed too early."""
    monkeypatch.setattr("memory_service.intake.worker.OUTAGE_SECONDS", 600.0)


@pytest.fixture
def claimed(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How many pieces of each kind were claimed, by bank."""
    counts: Counter[tuple[str, str]] = Counter()
    claim = memory.store.work.claim

    async def counting(*arguments: object, tried: bool = False) -> list[Claim]:
        claims = await claim(*arguments, tried=tried)  # type: ignore[arg-type]
        counts.update((claim.bank_id, claim.kind) for claim in claims)
        return claims

    monkeypatch.setattr(memory.store.work, "claim", counting)
    return counts


async def fill(memory: Memory, bank_id: str, count: int, **settings: Any) -> None:
    await memory.create_bank(bank_id, settings)
    said = [NewMessage("user", f"Please remember that my favourite number is {n}.") for n in range(count)]
    for start in range(0, count, 100):
        await memory.add_messages(bank_id, "c1", said[start : start + 100])


async def nothing_leased(admin: Admin) -> None:
    await until(lambda: not admin.execute("select from memory.work where lease_token is not null").fetchall())


async def test_a_backlog_is_not_claimed_again_and_again(
    memory: Memory, admin: Admin, claimed: Counter[tuple[str, str]]
) -> None:
    """While one embedding model is down, the banks of another are not held up by the backlog of its bank."""
    dead, alive = ScriptedEmbedder(down), ScriptedEmbedder()
    script(memory, dead)
    memory.models.embedder = lambda name=None: alive if name == "alive" else dead  # type: ignore[method-assign]
    await fill(memory, "anna", BACKLOG, intake="verbatim")
    await fill(memory, "ben", 100, intake="verbatim")
    await memory.store.banks.register_embedding_model("alive", 768)
    admin.execute("update memory.bank set embedding_model = 'alive' where bank_id = 'ben'")
    async with at_work(memory):
        await until(lambda: claimed["anna", "embed"] and claimed["ben", "embed"] == 100)
        await until(lambda: claimed["anna", "extract"] == BACKLOG)
        await nothing_leased(admin)
    assert (await memory.stats("ben"))["memories"] == {"active": 100}
    assert len(dead.calls) <= 4  # two workers, and each a batch while another is under way
    assert claimed["anna", "embed"] <= 2 * TWO_BATCHES["embed"]
    rows = admin.execute("select max(attempts), count(*) from memory.work where kind = 'embed'").fetchall()
    assert rows == [(0, BACKLOG)]
    reasons = admin.execute("select distinct last_error from memory.work where last_error is not null")
    assert reasons.fetchall() == [("provider unavailable: down",)]
    dead.fault = no_fault
    admin.execute("update memory.work set not_before = now()")
    assert (await settle(memory, "anna"))["memories"] == {"active": BACKLOG}


async def test_a_backlog_of_exchanges_rests_while_the_language_model_is_down(
    memory: Memory, admin: Admin, claimed: Counter[tuple[str, str]]
) -> None:
    """A bank that asks no language model goes on beside it."""
    extractor = ScriptedExtractor(down)
    script(memory, ScriptedEmbedder(), extractor)
    await fill(memory, "anna", BACKLOG, merge_duplicates=False)
    await fill(memory, "ben", 100, language_model=False)
    async with at_work(memory):
        await until(lambda: claimed["anna", "extract"] and claimed["ben", "embed"] == 100)
        await until(lambda: not admin.execute("select from memory.work where kind = 'segment'").fetchall())
        await nothing_leased(admin)
    assert claimed["anna", "extract"] <= TWO_BATCHES["extract"]
    assert (await memory.stats("ben"))["memories"] == {"active": 100}
    stats = await memory.stats("anna")
    assert (stats["messages"]["pending"], stats["queue"]["dead"]) == (BACKLOG, 0)
    assert admin.execute("select max(attempts) from memory.work").fetchone() == (0,)
    extractor.fault = no_fault
    admin.execute("update memory.work set not_before = now()")
    assert (await settle(memory, "anna"))["messages"]["stored"] == BACKLOG


async def test_a_rest_is_as_long_as_the_provider_asks(memory: Memory, admin: Admin) -> None:
    extractor = ScriptedExtractor(lambda _: ProviderUnavailable("busy", retry_after=300))
    script(memory, ScriptedEmbedder(), extractor)
    await fill(memory, "anna", 20)
    async with at_work(memory):
        await until(lambda: extractor.calls)
        await nothing_leased(admin)
    calls = len(extractor.calls)
    waits = admin.execute(
        "select bool_and(not_before between now() + interval '4 min' and now() + interval '6 min') from memory.work "
        "where last_error is not null"
    ).fetchone()
    assert waits == (True,)
    assert calls <= 8  # of two batches, each of up to four calls at once
