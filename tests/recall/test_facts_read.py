"""Facts in recall, lists and compaction: who is seen, when, and that filters never under-return."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

import pytest

from memory_service.memory import Memory
from memory_service.results import MemoryItem, RecalledMemory
from tests.conftest import settle
from tests.recall.test_candidates import down
from tests.recall.test_candidates import fill as fill_episodes
from tests.support.figures import figures_of
from tests.support.known import NOW, YEAR, Admin, conflict, know
from tests.support.scripted import ScriptedEmbedder, script


@pytest.fixture(autouse=True)
async def bank(memory: Memory) -> str:
    await memory.create_bank("anna", {"merge_duplicates": False})
    return "anna"


async def recall(memory: Memory, query: str, **fields: Any) -> tuple[RecalledMemory, ...]:
    return (await memory.recall("anna", query, **fields)).items


async def contents(memory: Memory, query: str, **fields: Any) -> list[str]:
    return [item.content for item in await recall(memory, query, **fields)]


# What a fact is in a recall


async def test_a_fact_is_recalled_beside_episodes(memory: Memory, admin: Admin) -> None:
    confirmed = datetime.now(UTC) - timedelta(days=3)
    fact = await know(memory, admin, "User lives in Lisbon", confirmed=confirmed, importance=0.6)
    await memory.remember("anna", "We walked through Lisbon in the rain.")
    await memory.remember("anna", "The bread is too dark.")
    await settle(memory, "anna")
    result = await memory.recall("anna", "Where in Lisbon does the user live?", k=2, profile="precise")
    found = result.items
    assert {item.type for item in found} == {"semantic", "episodic"}
    (place,) = [place for place, item in enumerate(found) if item.type == "semantic"]
    item, figures = found[place], (await figures_of(memory, result))[place]
    assert (item.memory_id, item.content, item.occurred_at) == (fact, "User lives in Lisbon", confirmed)
    assert figures["words"] > 0.3
    assert figures["reply_lead"] == 0
    assert item.components["confidence"] == pytest.approx(0.9 * 2.718281828 ** (-0.02 * 0.4 * 3), abs=1e-4)
    episode = next(item for item in found if item.type == "episodic")
    assert "confidence" not in episode.components


async def test_types_choose(memory: Memory, admin: Admin) -> None:
    await know(memory, admin, "User keeps geese")
    await memory.remember("anna", "The geese got out.")
    await settle(memory, "anna")
    everything = ["The geese got out.", "User keeps geese"]
    assert sorted(await contents(memory, "geese")) == everything
    assert sorted(await contents(memory, "geese", types=["semantic", "episodic"])) == everything
    assert await contents(memory, "geese", types=["semantic"]) == ["User keeps geese"]
    assert await contents(memory, "geese", types=["episodic"]) == ["The geese got out."]
    assert await contents(memory, "geese", types=["procedural"]) == []
    assert await contents(memory, "geese", types=["procedural", "semantic"]) == ["User keeps geese"]


async def test_whom_a_fact_is_about_counts_as_speaking(memory: Memory, admin: Admin) -> None:
    admin.execute("insert into memory.person (bank_id, name) values ('anna', 'ines')")
    await know(memory, admin, "Ines plays the oboe", subject="Ines")
    (figures,) = await figures_of(memory, await memory.recall("anna", "What does Ines play?"))
    assert figures["speaker"] == 1


async def test_a_topic_filter_is_not_for_facts(memory: Memory, admin: Admin) -> None:
    """They have none; an episode without a common one stays out."""
    await know(memory, admin, "User keeps geese")
    await memory.remember("anna", "The geese got out.", topics=["garden"], importance=0.5)
    await settle(memory, "anna")
    assert await contents(memory, "geese", topics=["music"]) == ["User keeps geese"]


async def test_reads_of_a_fact_are_counted_and_traced(memory: Memory, admin: Admin) -> None:
    fact = await know(memory, admin, "User keeps geese")
    answer = await memory.recall("anna", "geese")
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    (seen,) = trace.candidates
    assert (seen.memory_id, seen.content, seen.dropped) == (fact, "User keeps geese", None)
    assert seen.components["confidence"] == pytest.approx(0.9, abs=1e-3)
    counted = admin.execute("select access_count, last_accessed_at is not null from memory.semantic_memory")
    assert counted.fetchone() == (1, True)


async def test_without_the_querys_vector_facts_are_found_by_words(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder())
    await know(memory, admin, "User keeps wombats")
    script(memory, ScriptedEmbedder(down))
    answer = await memory.recall("anna", "wombat", profile="precise")
    assert answer.degraded
    assert [item.content for item in answer.items] == ["User keeps wombats"]


async def test_another_language_makes_other_words_of_facts_too(memory: Memory, admin: Admin) -> None:
    await know(memory, admin, "Die Nutzerin hat zwei Häuser", subject="user")
    script(memory, ScriptedEmbedder(down))
    await memory.update_bank("anna", {"language": "german"})
    (figures,) = await figures_of(memory, await memory.recall("anna", "Haus"))
    assert figures["words"] > 0


# Who is seen


@pytest.mark.parametrize(
    ("confidence", "passive", "tool"),
    [(0.9, True, True), (0.51, True, True), (0.5, False, True), (0.3, False, True), (0.29, False, False)],
)
async def test_each_mode_has_its_floor(
    memory: Memory, admin: Admin, confidence: float, passive: bool, tool: bool
) -> None:
    await know(memory, admin, "User keeps geese", confidence=confidence, importance=1.0)
    assert bool(await recall(memory, "geese", mode="passive")) == passive
    assert bool(await recall(memory, "geese", mode="tool")) == tool
    made = await memory.compact("anna", "Tom", "geese")
    assert ("User keeps geese" in made.text) == tool


@pytest.mark.parametrize(
    ("fields", "days", "modes"),
    [
        ({}, 58, ["passive", "tool"]),
        ({}, 60, ["tool"]),
        ({}, 109, ["tool"]),
        ({}, 111, []),
        ({"status": "stable"}, 2000, ["tool"]),
        ({"pinned": True}, 2000, ["passive", "tool"]),
        ({"importance": 1.0}, 2000, ["passive", "tool"]),
    ],
)
async def test_confidence_fades_until_as_of(
    memory: Memory, admin: Admin, fields: dict[str, Any], days: int, modes: Sequence[str]
) -> None:
    """0.9 at importance 0.5: 0.5 after 58.8 days, 0.3 after 109.9."""
    await know(memory, admin, "User keeps geese", **fields)
    at = NOW + timedelta(days=days)
    assert [m for m in ("passive", "tool") if await recall(memory, "geese", mode=m, as_of=at)] == modes


@pytest.mark.parametrize("fields", [{"status": "deprecated"}, {"status": "merged_into"}])
async def test_what_is_not_believed_is_never_seen(
    memory: Memory, admin: Admin, fields: dict[str, Any]
) -> None:
    other = await know(memory, admin, "User sings")
    if fields["status"] == "merged_into":
        fields = {**fields, "merged_into": other}
    await know(memory, admin, "User keeps geese", importance=1.0, **fields)
    assert await contents(memory, "geese", min_score=0) == ["User sings"]


async def test_a_superseded_fact_shows_at_its_time_and_not_after(memory: Memory, admin: Admin) -> None:
    moved = NOW - timedelta(days=10)
    old = await know(
        memory,
        admin,
        "User lives in Berlin",
        valid_from=NOW - YEAR,
        valid_to=moved,
        confirmed=NOW - timedelta(days=40),
    )
    new = await know(memory, admin, "User lives in Lisbon", valid_from=moved)

    async def lived(**fields: Any) -> list[UUID]:
        return [item.memory_id for item in await recall(memory, "Where does the user live?", **fields)]

    assert await lived() == [new]
    assert await lived(as_of=moved) == [new]
    assert await lived(as_of=moved - timedelta(seconds=1)) == [old]
    assert await lived(as_of=NOW - 2 * YEAR) == []
    assert await lived(as_of=moved - timedelta(days=1), types=["semantic"], mode="passive") == [old]


# As many come back as fit


def random_fields(chance: random.Random) -> dict[str, Any]:
    return {
        "importance": chance.choice([0.1, 0.5, 0.9]),
        "tags": chance.sample(["a", "b", "c"], chance.randint(0, 2)),
        "recipients": chance.sample(["Tom", "Ines"], chance.randint(0, 1)),
        "agent": chance.choice([None, "butler"]),
        "at": NOW - timedelta(days=chance.choice([0, 5, 50])),
    }


def random_filters(chance: random.Random) -> dict[str, Any]:
    choices: dict[str, Any] = {
        "tags": [chance.choice("abc")], "min_importance": chance.choice([0.5, 0.9]),
        "since": NOW - timedelta(days=chance.choice([3, 20])), "until": NOW - timedelta(days=2),
        "recipient": "Tom", "agent": "butler",
    }  # fmt: skip
    return {name: choices[name] for name in chance.sample(sorted(choices), chance.randint(0, 2))}


def passes(fields: dict[str, Any], filters: dict[str, Any]) -> bool:
    tests: dict[str, Callable[[Any], bool]] = {
        "tags": lambda wish: bool(set(fields["tags"]) & set(wish)),
        "min_importance": lambda wish: fields["importance"] >= wish,
        "since": lambda wish: fields["at"] >= wish,
        "until": lambda wish: fields["at"] <= wish,
        "recipient": lambda wish: wish in fields["recipients"],
        "agent": lambda wish: fields["agent"] == wish,
    }
    return all(tests[name](wish) for name, wish in filters.items())


@pytest.mark.parametrize("seed", range(4))
async def test_filters_never_under_return_over_both_types(memory: Memory, admin: Admin, seed: int) -> None:
    """Random banks, random filters, random types: k come back where k fit, and nothing that does not fit."""
    chance = random.Random(seed)
    embedder = ScriptedEmbedder()
    script(memory, embedder)
    await memory.create_bank("crowd")
    held: list[tuple[str, str, dict[str, Any]]] = []
    for n in range(chance.randint(10, 60)):
        fields = random_fields(chance)
        shown = chance.random() < 0.7
        seen = {"confidence": 0.9, "status": chance.choice(["tentative", "stable"])}
        hidden = chance.choice(
            [{"confidence": 0.2}, {"status": "deprecated"}, {"valid_to": NOW - timedelta(hours=1)}]
        )
        given = {**seen, **({} if shown else hidden)}
        await know(
            memory, admin, f"tea {n}", "crowd", confirmed=fields["at"],
            **{k: v for k, v in fields.items() if k != "at"}, **given,
        )  # fmt: skip
        fades = given["confidence"] * 2.718281828 ** (
            -0.02 * (1 - fields["importance"]) * (NOW - fields["at"]).days
        )
        if shown and (fades >= 0.3 or given["status"] == "stable"):
            held.append(("semantic", f"tea {n}", fields))
    episodes = [{"text": f"tea pot {n}", **random_fields(chance)} for n in range(chance.randint(0, 200))]
    if episodes:
        fill_episodes(admin, "crowd", episodes)
    held += [("episodic", row["text"], row) for row in episodes]
    for _ in range(12):
        filters, types = random_filters(chance), chance.choice([None, ["semantic"], ["episodic"]])
        k = chance.choice([1, 7, 100])
        fit = {text for kind, text, row in held if passes(row, filters) and (types is None or kind in types)}
        answer = await memory.recall(
            "crowd", "tea 5", k=k, types=cast("Any", types), profile="precise", **filters
        )
        found = [item.content for item in answer.items]
        assert len(found) == min(k, len(fit)), (filters, types)
        assert set(found) <= fit


async def test_unseen_facts_do_not_crowd_out_what_may_be_seen(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("crowd")
    for n in range(250):
        await know(memory, admin, f"tea is nice {n}", "crowd", status="deprecated", confidence=0.1)
    for n in range(5):
        await know(memory, admin, f"tea, far off {n} xyz", "crowd")
    for fault in (None, down):
        script(memory, ScriptedEmbedder(fault) if fault else ScriptedEmbedder())
        answer = await memory.recall("crowd", "tea is nice 7", k=5, profile="precise", mode="passive")
        found = answer.items
        assert sorted(item.content for item in found) == [f"tea, far off {n} xyz" for n in range(5)]


# Compaction


async def test_a_compaction_has_facts_as_beliefs_and_knowledge(memory: Memory, admin: Admin) -> None:
    old = NOW - timedelta(days=400)
    await know(memory, admin, "Family is most important", importance=0.9, confirmed=old)
    named = await know(
        memory, admin, "User is proud of the son", subject="Michael", confirmed=NOW - timedelta(days=95)
    )
    tagged = await know(
        memory, admin, "Work is not all", tags=["farewell"], confirmed=NOW - timedelta(days=95)
    )
    await know(memory, admin, "User has a lamp", confirmed=NOW - timedelta(days=95))
    conflict(admin, named, tagged)
    await memory.remember("anna", "Michael was born.", importance=1.0)
    await settle(memory, "anna")
    made = await memory.compact("anna", "Michael", "farewell")
    assert [section.name for section in made.sections] == ["Personal Experiences", "Beliefs & Knowledge"]
    beliefs = made.text.partition("## Beliefs & Knowledge\n")[2]
    assert "Family is most important" in beliefs
    assert '"User is proud of the son" (last known, unconfirmed)' in beliefs
    assert "Work is not all" in beliefs
    assert "lamp" not in made.text


# Lists


@pytest.mark.parametrize("order", ["recency", "importance"])
@pytest.mark.parametrize("kind", [None, "semantic", "episodic"])
async def test_a_list_has_both_types_in_one_order(
    memory: Memory, admin: Admin, order: Any, kind: Any
) -> None:
    chance = random.Random(5)
    for n in range(12):
        at = NOW - timedelta(days=chance.randint(0, 3))
        await know(memory, admin, f"fact {n}", importance=chance.choice([0.2, 0.8]), confirmed=at)
        await memory.remember("anna", f"episode {n}", importance=chance.choice([0.2, 0.8]), occurred_at=at)
    items: list[list[MemoryItem]] = []
    for limit in (200, 5):
        pages: list[MemoryItem] = []
        cursor = None
        while True:
            page = await memory.list_memories("anna", type=kind, order=order, limit=limit, cursor=cursor)
            pages += page.items
            cursor = page.next_cursor
            if cursor is None:
                break
        items.append(pages)
    assert items[0] == items[1]
    assert {item.type for item in items[0]} == ({"semantic", "episodic"} if kind is None else {kind})
    assert len(items[0]) == (24 if kind is None else 12)
    keys = [
        (item.importance if order == "importance" else 0, item.occurred_at, item.memory_id)
        for item in items[0]
    ]
    assert keys == sorted(keys, reverse=True)


async def test_a_list_filters_facts_as_it_filters_episodes(memory: Memory, admin: Admin) -> None:
    fields: dict[str, Any] = {
        "tags": ["a"], "importance": 0.8, "agent": "butler", "recipients": ["Tom"], "status": "stable",
        "confirmed": NOW - timedelta(days=5),
    }  # fmt: skip
    fact = await know(memory, admin, "User keeps geese", **fields)
    await know(memory, admin, "User sings", importance=0.1)
    day = timedelta(days=1)
    filters: list[dict[str, Any]] = [
        {"tags": ["a"]}, {"min_importance": 0.8}, {"agent": "butler"}, {"recipient": "Tom"}, {"status": "stable"},
        {"until": NOW - 4 * day}, {"since": NOW - 6 * day, "until": NOW - 4 * day},
    ]  # fmt: skip
    for given in filters:
        assert [item.memory_id for item in (await memory.list_memories("anna", **given)).items] == [fact], (
            given
        )


async def test_a_fact_is_read_by_its_id(memory: Memory, admin: Admin) -> None:
    fact = await know(memory, admin, "Ines keeps geese", subject="Ines", tags=["farm"])
    episode = UUID(int=7)
    admin.execute(
        "insert into memory.fact_evidence (bank_id, fact_id, episode_id, importance, occurred_at, recorded_at) "
        "values ('anna', %s, %s, 0.5, %s, %s)",
        (fact, episode, NOW, NOW),
    )
    item = await memory.get_memory("anna", fact)
    assert (item.type, item.content, item.status) == ("semantic", "Ines keeps geese", "tentative")
    assert (item.tags, item.entities, item.links, item.valence) == (("farm",), ("Ines",), (episode,), None)


@pytest.mark.parametrize("view", ["memory_api.memory_entry", "analytics.memory_entry"])
async def test_a_memory_entry_is_of_any_type(memory: Memory, admin: Admin, view: str) -> None:
    fact = await know(memory, admin, "User keeps geese", tags=["farm"])
    committed = await memory.remember("anna", "The geese got out.", metadata={"place": "barn"})
    await settle(memory, "anna")
    found = admin.execute(
        f"select memory_id, content, memory_type, metadata, tags, importance, vector_dims(embedding) "
        f"from {view} order by memory_type desc".encode()
    ).fetchall()
    assert found[0] == (fact, "User keeps geese", "semantic", {}, ["farm"], 0.5, 768)
    assert found[1][:4] == (committed.memory_id, "The geese got out.", "episodic", {"place": "barn"})
    assert found[1][-1] == 768
