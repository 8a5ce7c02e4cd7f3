"""The embedding model is out of reach: a bank waits for its vectors, or goes on by full text until they follow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.errors import InvalidOutput, ProviderUnavailable
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.results import MemoryItem
from tests.conftest import at_work, settle, until
from tests.support.scripted import ScriptedEmbedder, no_fault, script

Admin = psycopg.Connection[tuple[object, ...]]

FACT = "My sister Maria lives in Lisbon."


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_attempts": 2})


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_service.intake.worker.FIRST_RETRY_SECONDS", 0.05)
    monkeypatch.setattr("memory_service.intake.embed.RETRY_UNEMBEDDED", timedelta(milliseconds=50))
    monkeypatch.setattr("memory_service.intake.worker.OUTAGE_SECONDS", 0.05)


def down(_: Sequence[str]) -> Exception | None:
    return ProviderUnavailable("down")


def unreadable(_: Sequence[str]) -> Exception | None:
    return InvalidOutput("nonsense")


@pytest.fixture(params=[False, True], ids=["local", "billed"])
def embedder(request: pytest.FixtureRequest, memory: Memory) -> ScriptedEmbedder:
    """The model of every bank; it is down."""
    embedder = ScriptedEmbedder(down)
    embedder.billed = request.param
    script(memory, embedder)
    return embedder


async def commit(memory: Memory, *contents: str) -> list[UUID]:
    """Commits to a bank that goes on by full text, all of them active by the end."""
    await memory.create_bank("anna", {"embedding_fallback": "fulltext"})
    ids = [(await memory.remember("anna", c, importance=0.9)).memory_id for c in contents]

    async def active() -> bool:
        return (await memory.stats("anna"))["memories"] == {"active": len(contents)}

    async with at_work(memory):
        await until(active)
    return ids


async def items(memory: Memory, ids: Sequence[UUID]) -> list[MemoryItem]:
    return [await memory.get_memory("anna", memory_id) for memory_id in ids]


async def test_by_default_a_bank_waits_for_its_vectors(memory: Memory, embedder: ScriptedEmbedder) -> None:
    await memory.create_bank("waits")
    await memory.remember("waits", FACT)
    await commit(memory, FACT)
    before = len(embedder.calls)
    async with at_work(memory):
        await until(lambda: len(embedder.calls) > before + 4)
    assert (await memory.stats("waits"))["memories"] == {"pending_embedding": 1}
    embedder.fault = no_fault
    assert (await settle(memory, "waits"))["memories"] == {"active": 1}


async def test_without_its_vector_a_memory_is_listed_and_recent(
    memory: Memory, embedder: ScriptedEmbedder
) -> None:
    (memory_id,) = await commit(memory, FACT)
    listed = await memory.list_memories("anna", status="active")
    assert [item.memory_id for item in listed.items] == [memory_id]
    context = await memory.context("anna", "Where does she live?")
    (recent,) = [section for section in context.sections if section.name == "RECENT"]
    assert recent.memory_ids == (memory_id,)


@pytest.mark.parametrize("words", [FACT, FACT.upper(), f"' | \\ {FACT} & ! (:*)"])
async def test_without_its_vector_a_memory_is_found_by_its_words(
    memory: Memory, embedder: ScriptedEmbedder, words: str
) -> None:
    (memory_id,) = await commit(memory, FACT)
    for asked in (words, "the of and"):  # what no word finds is filled up with the latest
        recalled = await memory.recall("anna", asked, profile="precise")
        assert (recalled.degraded, [i.memory_id for i in recalled.items]) == (True, [memory_id])


async def test_its_vector_follows_once_and_is_no_second_activation(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    (memory_id,) = await commit(memory, FACT)
    embedder.fault = no_fault
    await settle(memory, "anna")
    recalled = await memory.recall("anna", "an altogether other wording", types=["episodic"])
    assert (recalled.degraded, [i.memory_id for i in recalled.items]) == (False, [memory_id])
    vectors = admin.execute(
        "select memory_id, part from memory.memory_vector where tier = 'episodic'"
    ).fetchall()
    assert vectors == [(memory_id, 0)]
    events = admin.execute(
        "select event, to_status from memory.memory_event where memory_type = 'episodic' order by event_id"
    ).fetchall()
    assert events == [("created", "pending_embedding"), ("status", "active")]


async def test_messages_become_episodes_without_vectors_too(
    memory: Memory, embedder: ScriptedEmbedder
) -> None:
    await memory.create_bank("anna", {"embedding_fallback": "fulltext"})
    await memory.add_messages("anna", "c1", [NewMessage("user", f"Please remember: {FACT}")])

    async def active() -> bool:
        return (await memory.stats("anna"))["memories"] == {"active": 1}

    async with at_work(memory):
        await until(active)
    embedder.fault = no_fault
    assert (await settle(memory, "anna"))["memories"] == {"active": 1}


async def test_duplicates_are_merged_when_their_vectors_come(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """However many came meanwhile, all are merged into one that is active, and it counts them all."""
    ids = await commit(memory, FACT, "Tom has a boat.", FACT, FACT, FACT)
    embedder.fault = no_fault
    assert (await settle(memory, "anna"))["memories"] == {"active": 2, "merged_into": 3}
    sisters = [item for item in await items(memory, ids) if item.content == FACT]
    (kept,) = [item for item in sisters if item.status == "active"]
    assert kept.represents == 4
    assert {item.merged_into_id for item in sisters if item is not kept} == {kept.memory_id}
    events = admin.execute(
        "select from_status, to_status, count(*) from memory.memory_event "
        "where event = 'status' and memory_id = any (%s) group by 1, 2 order by 2, 1",
        ([item.memory_id for item in sisters],),
    ).fetchall()
    assert events == [("pending_embedding", "active", 4), ("active", "merged_into", 3)]


async def test_what_was_known_before_the_outage_stays(memory: Memory, embedder: ScriptedEmbedder) -> None:
    embedder.fault = no_fault
    await memory.create_bank("anna", {"embedding_fallback": "fulltext"})
    known = (await memory.remember("anna", FACT)).memory_id
    await settle(memory, "anna")
    embedder.fault = down
    again = (await memory.remember("anna", FACT)).memory_id

    async def both_active() -> bool:
        return (await memory.stats("anna"))["memories"] == {"active": 2}

    async with at_work(memory):
        await until(both_active)
    embedder.fault = no_fault
    await settle(memory, "anna")
    first, second = await items(memory, [known, again])
    assert (first.represents, second.status, second.merged_into_id) == (2, "merged_into", known)


async def test_what_can_never_be_embedded_stays_active(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """Its work ends in the dead letter; it is still there by full text."""
    (memory_id,) = await commit(memory, FACT)
    embedder.fault = unreadable
    await settle(memory, "anna")
    dead = admin.execute(
        "select kind, subject, last_error from memory.work where dead_at is not null order by 1"
    )
    assert dead.fetchall() == [(kind, str(memory_id), "nonsense") for kind in ("embed", "facts")]
    assert (await memory.get_memory("anna", memory_id)).status == "active"
    embedder.fault = no_fault
    await memory.redrive("anna")
    assert (await settle(memory, "anna"))["memories"] == {"active": 1}
    assert len(admin.execute("select from memory.memory_vector where tier = 'episodic'").fetchall()) == 1
