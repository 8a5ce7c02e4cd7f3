"""`empty_full_text` deletes a bank's raw messages and all other copies of their text; memories stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from memory_service.jobs.budget import Budget
from memory_service.jobs.passes import PassContext
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

Admin = psycopg.Connection[tuple[object, ...]]

SAID = [
    NewMessage("user", "I moved to Porto last spring with my cat Pixel. What grows well there on a balcony?"),
    NewMessage("assistant", "On a Porto balcony rosemary, bougainvillea and lemon verbena do very well."),
]
TABLES = "select table_name from information_schema.tables where table_schema = 'memory' and table_type = 'BASE TABLE'"


def places_of(admin: Admin, word: str) -> set[str]:
    """The tables that hold this word anywhere."""
    found: set[str] = set()
    for (table,) in admin.execute(TABLES).fetchall():
        query = f"select count(*) from memory.{table} t where to_jsonb(t)::text ilike %s"
        row = admin.execute(query.encode(), (f"%{word}%",)).fetchone()
        if row != (0,):
            found.add(str(table))
    return found


async def upkeep(memory: Memory, days: int) -> dict[str, int]:
    night = PassContext(
        memory.store, memory.models, memory.settings, datetime.now(UTC) + timedelta(days=days)
    )
    return dict((await Budget().run(await memory.get_bank("anna"), night)).counts)


@pytest.mark.parametrize("on", [True, False])
async def test_raw_talk_goes_with_its_messages(memory: Memory, admin: Admin, on: bool) -> None:
    await memory.create_bank("anna", {"empty_full_text": on})
    await memory.add_messages("anna", "c1", SAID)
    await memory.end_import("anna", ["c1"])
    await settle(memory, "anna")
    assert {"message", "episodic_memory", "memory_text"} <= places_of(admin, "bougainvillea")
    assert "full_texts_emptied" not in await upkeep(memory, 29)
    assert {"message", "episodic_memory"} <= places_of(admin, "bougainvillea"), "not before their time"
    counts = await upkeep(memory, 31)
    assert (counts["messages_emptied"], counts.get("full_texts_emptied")) == (2, 1 if on else None)
    assert ("episodic_memory" in places_of(admin, "bougainvillea")) is not on
    if not on:
        return
    assert places_of(admin, "bougainvillea") == set()
    assert "full_texts_emptied" not in await upkeep(memory, 32), "once"
    (item, *_) = (await memory.recall("anna", "Who moved to Porto?")).items
    assert "Porto" in item.content
    assert (await memory.recall("anna", "bougainvillea", by=("words",))).items == ()
    assert (await memory.list_facts("anna")).items
    ratio = admin.execute("select characters_said from analytics.compression_ratio").fetchone()
    assert ratio is not None
    assert ratio[0] == sum(len(message.content) for message in SAID)


@pytest.mark.parametrize("own", [True, False])
async def test_a_commit_and_a_verbatim_bank_keep_their_text(memory: Memory, admin: Admin, own: bool) -> None:
    """`own`: by the bank's setting, else by the service's."""
    if not own:
        memory.settings = memory.settings.model_copy(update={"intake": "verbatim"})
    await memory.create_bank("anna", {"empty_full_text": True} | ({"intake": "verbatim"} if own else {}))
    await memory.add_messages("anna", "c1", SAID)
    await settle(memory, "anna")
    await upkeep(memory, 31)
    assert places_of(admin, "bougainvillea") >= {"episodic_memory", "memory_text"}
