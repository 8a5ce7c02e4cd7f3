"""What each arm finds alone, that filters never under-return, and what happens while the model is slow or away."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from typing import Any, cast
from uuid import uuid4

import psycopg
import pytest
from psycopg.types.json import Jsonb

from memory_service.api.base import BANK_CACHE_SECONDS
from memory_service.config import Settings
from memory_service.errors import DatabaseUnavailable, ProviderUnavailable
from memory_service.fusion_weights import WEIGHTS
from memory_service.memory import Memory
from memory_service.models.breaker import GuardedEmbedder
from memory_service.models.interface import Embeddings
from memory_service.profiles import profile_of
from memory_service.recall.mood import OPPOSITE
from memory_service.recall.rerank import rerank
from memory_service.recall.trace import Timing
from memory_service.requests import (
    Filters,
    Mood,
    NewMessage,
)
from memory_service.results import RecallResult
from memory_service.types import Candidate
from memory_service.validation import ARMS
from tests.conftest import settle, until
from tests.support.figures import figures_of
from tests.support.scripted import ScriptedEmbedder, script

Admin = psycopg.Connection[tuple[object, ...]]
NOW = datetime.now(UTC)

FILL = """
insert into memory.episodic_memory
    (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, importance, tags, agent_id,
     recipients, topics, emotional_valence)
select %(bank)s, gen_random_uuid(), 'user', 'pending_embedding', f.at, f.at, '{}', f.text, f.importance, f.tags,
       f.agent, f.recipients, f.topics, f.valence
  from jsonb_to_recordset(%(rows)s) as f
       (text text, at timestamptz, importance float8, tags text[], agent text, recipients text[], topics text[],
        valence float8);
"""
ACTIVATE = """
insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
select bank_id, memory_id, %(model)s, 'episodic',
       (select array_agg(case when i = 1 then 0.2 else random() - 0.5 end) from generate_series(1, 768) i
         where e.memory_id is not null)::public.vector(768)::public.halfvec(768)
  from memory.episodic_memory e where bank_id = %(bank)s and status = 'pending_embedding';
"""


def fill(admin: Admin, bank: str, rows: Sequence[dict[str, Any]]) -> None:
    """Insert active memories with different vectors, the same in every run."""
    plain: list[dict[str, Any]] = [
        {
            "importance": 0.5,
            "tags": [],
            "recipients": [],
            "topics": [],
            **row,
            "at": row.get("at", NOW).isoformat(),
        }
        for row in rows
    ]
    with admin.transaction():
        admin.execute("select memory_internal.enter_bank(%s)", (bank,))
        admin.execute(FILL.encode(), {"bank": bank, "rows": Jsonb(plain)})
        admin.execute(
            "select setseed(1 / (1.0 + count(*))) from memory.memory_vector where bank_id = %s", (bank,)
        )
        admin.execute(ACTIVATE.encode(), {"bank": bank, "model": "scripted"})
        ids = admin.execute(
            "select array_agg(memory_id) from memory.episodic_memory "
            "where bank_id = %s and status = 'pending_embedding'",
            (bank,),
        ).fetchone()
        assert ids is not None
        admin.execute(
            "select memory_internal.set_episodes_status(%s, %s, '{pending_embedding}', 'active', 'a test', 'a test')",
            (bank, ids[0]),
        )


@pytest.fixture
async def embedder(memory: Memory) -> ScriptedEmbedder:
    """An embedder by characters: texts with similar spelling have near vectors."""
    embedder = ScriptedEmbedder()
    script(memory, embedder)
    await memory.create_bank("anna", {"intake": "verbatim"})
    return embedder


async def recall(
    memory: Memory,
    query: str,
    bank: str = "anna",
    *,
    filters: Filters | None = None,
    mood: Mood | None = None,
    **fields: Any,
) -> RecallResult:
    """Recall without a cut-off, because the vectors of these tests are far apart."""
    fields = {"min_score": 0.0, **asdict(filters or Filters()), **asdict(mood or Mood()), **fields}
    return await memory.recall(bank, query, **fields)


async def contents(memory: Memory, query: str, bank: str = "anna", **fields: Any) -> list[str]:
    return [item.content for item in (await recall(memory, query, bank, **fields)).items]


async def reset_counters(memory: Memory, admin: Admin) -> None:
    """Reset `access_count`, which raises the effective importance of recalled memories."""
    await memory.flush()
    admin.execute("update memory.episodic_memory set access_count = 0 where access_count > 0")


# What only one arm can find


async def test_the_vector_arm_finds_what_shares_no_word(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    fill(admin, "anna", [{"text": f"number {n}"} for n in range(300)])
    await memory.add_messages("anna", "c1", [NewMessage("user", "qqqqzzzzxxxx")])
    await settle(memory, "anna")
    assert (await contents(memory, "zqxzqxzqxzqx", k=1, profile="precise")) == ["qqqqzzzzxxxx"]


async def test_the_text_arm_finds_a_rare_word_that_the_vector_misses(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """Any word of the query is enough, in whatever form."""
    rows = [{"text": f"common words number {n}"} for n in range(300)]
    fill(admin, "anna", [*rows, {"text": "the wombats were feeding"}])
    found = await recall(memory, "Who feeds a wombat?", k=1, profile="precise")
    assert [item.content for item in found.items] == ["the wombats were feeding"]
    assert (await figures_of(memory, found))[0]["words"] > 0.1


async def test_the_text_arm_finds_an_answer_by_its_question(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    fill(admin, "anna", [{"text": f"common words number {n}"} for n in range(300)])
    said = ["Which instrument does Ines practise?", "Only the oboe."]
    await memory.add_messages("anna", "c1", [NewMessage("user", text) for text in said])
    await settle(memory, "anna")
    assert set(await contents(memory, "instrument practise", k=2, profile="precise")) == set(said)


@pytest.mark.parametrize(
    ("which", "row"),
    [
        ("important", {"importance": 1.0, "at": NOW - timedelta(days=40)}),
        ("latest", {"importance": 0.55, "at": NOW}),
    ],
)
async def test_the_salient_arm_finds_what_is_important_or_late(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin, which: str, row: dict[str, Any]
) -> None:
    """Among three hundred that are closer to the query in every other way: the question says nothing of it."""
    rows = [{"text": f"tea is nice {n}", "at": NOW - timedelta(days=60 + n)} for n in range(300)]
    fill(admin, "anna", [*rows, {"text": "wholly unlike", **row}])
    away = [-float(x) for x in (await embedder.embed_query("tea is nice")).vectors[0]]
    admin.execute(
        "update memory.memory_vector v set embedding = %s::halfvec from memory.episodic_memory e "
        "where e.memory_id = v.memory_id and e.summary = 'wholly unlike'",
        (str(away),),
    )
    assert "wholly unlike" in await candidates(memory, "tea is nice", 20)
    assert "wholly unlike" not in await candidates(memory, "tea is nice", 20, by=("meaning", "words"))


OWN = {
    "latest": {"similarity": 0, "importance": 0, "recency": 1},
    "gravest": {"similarity": 0, "importance": 1, "recency": 0},
    "both": {"similarity": 0, "importance": 0.1, "recency": 0.9},
    "moved": {"similarity": 0, "importance": 0.3, "recency": 0.2, "emotion": 0.4, "floor": 0.3},
}


async def test_a_profile_without_similarity_ranks_the_bank_exactly(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin, subtests: pytest.Subtests
) -> None:
    """By its own weights, whatever the query is near to: the floor, too, and the emotions."""
    chance = Random(7)
    rows: list[dict[str, Any]] = [
        {"text": f"number {n}", "at": NOW - timedelta(days=chance.uniform(0, 900)),
         "importance": chance.random(), "tags": ["even"] if n % 2 == 0 else []}
        for n in range(1500)
    ]  # fmt: skip
    fill(admin, "anna", rows)
    admin.execute("update memory.episodic_memory set emotions = '{joy,love}' where summary like '%7'")
    await memory.update_bank("anna", {"profiles": OWN})
    mood = Mood(emotions=["joy", "love", "fear"])
    for profile, filters in product(["legacy", *OWN], [Filters(), Filters(tags=["even"])]):
        with subtests.test(f"{profile}, {filters.tags}"):
            fitting = [row for row in rows if not filters.tags or row["tags"]]
            exact, _ = rerank(
                [found_as(row) for row in fitting],
                profile_of({"profiles": OWN}, profile), mood, 10, datetime.now(UTC),
            )  # fmt: skip
            found = await contents(memory, "number 3", k=10, profile=profile, filters=filters, mood=mood)
            await reset_counters(memory, admin)
            assert found == [r.candidate.content for r in exact]


def found_as(row: dict[str, Any]) -> Candidate:
    """A row as it would be found."""
    emotions = ["joy", "love"] if row["text"].endswith("7") else []
    age = (datetime.now(UTC) - row["at"]).total_seconds() / 86400
    faded = row["importance"] * math.exp(-math.log(2) * age / (100 * max(row["importance"], 0.1)))
    return Candidate(
        uuid4(), "episodic", row["text"], row["at"], row["importance"], faded, None, emotions, [], [], {}, "user",
        0.0,
    )  # fmt: skip


async def candidates(
    memory: Memory, query: str, fetch: int, filters: Filters | None = None, *, by: Sequence[str] = ARMS
) -> set[str]:
    """What the arms find, before it is ranked."""
    found, _ = await memory._recaller._candidates.find(  # pyright: ignore[reportPrivateUsage]
        await memory.get_bank("anna"),
        query,
        fetch,
        "tool",
        filters or Filters(),
        None,
        Timing(),
        by=by,
    )
    return {candidate.content for candidate in found}


async def test_every_candidate_tells_its_figures(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    said = [("Did the oboe break?", "Ines", NOW - timedelta(seconds=2)), ("It did, in May.", "Tom", NOW)]
    await memory.add_messages("anna", "c1", [NewMessage("user", *one) for one in said])
    await settle(memory, "anna")
    result = await recall(memory, f"What broke Tom's oboe in {NOW:%B %Y}?")  # "today" would end at midnight
    contents = [item.content for item in result.items]
    found = dict(zip(contents, await figures_of(memory, result), strict=True))
    answer = found["Tom: It did, in May."]
    assert answer.keys() == {*WEIGHTS, "reply", "fused"}
    assert (answer["speaker"], answer["period"]) == (1, 1)
    assert 0 < answer["words"] < 1
    assert found["Ines: Did the oboe break?"]["speaker"] == 0
    assert all(0 < item.components["similarity"] < 1 for item in result.items)


async def test_names_of_speakers_are_taken_out_of_what_is_embedded(
    memory: Memory, embedder: ScriptedEmbedder
) -> None:
    await memory.add_messages("anna", "c1", [NewMessage("user", "The oboe broke.", "Ines Lund")])
    await settle(memory, "anna")
    await contents(memory, "Did Ines's oboe break, Tom?")
    assert embedder.calls[-1] == ["Did oboe break, Tom?"]


# Filters


def down(_: Sequence[str]) -> Exception:
    return ProviderUnavailable("down")


FILTERS = {
    "tags": Filters(tags=["rare", "unheard of"]),
    "min_importance": Filters(min_importance=0.9),
    "since": Filters(since=NOW - timedelta(days=2)),
    "until": Filters(until=NOW - timedelta(days=5000)),
    "recipient": Filters(recipient="Ines"),
    "agent": Filters(agent="butler"),
}


FITTING: dict[str, dict[str, Any]] = {
    "tags": {"tags": ["other", "rare"]}, "min_importance": {"importance": 0.95}, "since": {"at": NOW},
    "until": {"at": NOW - timedelta(days=6000)}, "recipient": {"recipients": ["Tom", "Ines"]},
    "agent": {"agent": "butler"},
}  # fmt: skip
"""What a memory has that fits the filter, and no other one."""


@pytest.mark.parametrize("vector", [True, False], ids=["by vector", "by words alone"])
async def test_filters_never_under_return(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin, subtests: pytest.Subtests, vector: bool
) -> None:
    """Twelve of three thousand fit each, and nothing makes them nearer than the rest: twelve come back."""
    old = NOW - timedelta(days=1000)
    rows = [{"text": f"tea is nice {n}", "at": old} for n in range(3000)]
    fits = [
        {"text": f"far off {n}, {name}", "at": old, **FITTING[name]} for name in FILTERS for n in range(12)
    ]
    fill(admin, "anna", [*rows, *fits])
    if not vector:
        embedder.fault = down
    for name, filters in FILTERS.items():
        with subtests.test(name):
            found = await contents(memory, "tea is nice", k=12, filters=filters)
            assert sorted(found) == sorted(f"far off {n}, {name}" for n in range(12))
            assert len(await contents(memory, "tea is nice", k=100, filters=filters)) == 12
            await reset_counters(memory, admin)


@pytest.mark.parametrize("missing", ["of the query", "of the memories"])
@pytest.mark.parametrize("filters", [Filters(), Filters(tags=["rare"])], ids=["all", "filtered"])
async def test_without_vectors_as_many_come_back_as_fit(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin, missing: str, filters: Filters
) -> None:
    """Also of a profile that ranks by similarity alone, where no word is found: the latest."""
    rows: list[dict[str, Any]] = [{"text": f"tea {n}", "at": NOW - timedelta(days=n)} for n in range(200)]
    for row in rows[1::10]:
        row["tags"] = ["rare"]
    fill(admin, "anna", rows)
    if missing == "of the query":
        embedder.fault = down
    else:
        admin.execute("delete from memory.memory_vector")
    found = await contents(memory, "wombats", k=5, profile="precise", filters=filters)
    assert set(found) <= {f"tea {n}" for n in (range(1, 200, 10) if filters.tags else range(20))}
    assert len(found) == 5


GLAD = {"topics": ["football"], "valence": 0.9}
SAD = {"topics": ["Dance", "music"], "valence": -0.2}


@pytest.mark.parametrize("indexed", [False, True], ids=["small", "indexed"])
@pytest.mark.parametrize("vector", [True, False], ids=["by vector", "by words alone"])
async def test_a_mood_never_under_returns(
    memory: Memory,
    embedder: ScriptedEmbedder,
    admin: Admin,
    subtests: pytest.Subtests,
    vector: bool,
    indexed: bool,
) -> None:
    """What it keeps out is nearer, more important and later, and there is much of it."""
    old = NOW - timedelta(days=1000)
    rows = [{"text": f"tea is nice {n}", "importance": 0.65, "tags": ["one"], **GLAD} for n in range(500)]
    fits = [{"text": f"far off {n}", "importance": 0.3, "at": old, "tags": ["one"], **SAD} for n in range(12)]
    fill(admin, "anna", [*rows, *fits])
    while indexed and await memory.store.vector_index.extend("anna", "scripted", 1_000, 100, NOW):
        pass
    if not vector:
        embedder.fault = down
    moods = [Mood(topics=["dANCE"]), Mood(valence=-0.5), Mood(topics=["dance", "x"], valence=-0.5)]
    profiles = ["precise", "balanced", "legacy"]
    for mood, profile, filters in product(moods, profiles, [Filters(), Filters(tags=["one"])]):
        with subtests.test(f"{mood}, {profile}, {filters.tags}"):
            found = await contents(memory, "tea is nice", k=12, profile=profile, mood=mood, filters=filters)
            await reset_counters(memory, admin)
            assert sorted(found) == sorted(f"far off {n}" for n in range(12))


async def test_a_trace_shows_what_the_mood_kept_out(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    rows = [{"text": f"tea is nice {n}", **GLAD} for n in range(100)]
    fill(admin, "anna", [*rows, *({"text": f"far off {n}", **SAD} for n in range(50))])
    answer = await memory.recall("anna", "tea is nice", k=5, profile="precise", topics=["dance"])
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    why = Counter(c.dropped for c in trace.candidates)
    assert (why[None], why["beyond k=5"]) == (5, 15)
    assert 0 < why["no topic in common"] <= 20
    assert sum(why.values()) <= 40


async def test_a_context_finds_what_a_strong_feeling_leaves(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """A feeling that was read from the message keeps out what would jar, and nothing else for it."""
    old = NOW - timedelta(days=100)
    rows = [{"text": f"my father died this morning {n}", "at": old, **GLAD} for n in range(500)]
    fill(admin, "anna", [*rows, *({"text": f"far off {n}", "at": old, **SAD} for n in range(12))])
    made = await memory.context("anna", "My father died this morning. I am heartbroken.", min_score=0)
    assert made.text.count("far off") == 12
    assert "father" not in made.text
    assert {dropped.reason for dropped in made.dropped} == {OPPOSITE}


async def test_what_a_filter_leaves_is_ranked_exactly(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    rows = [{"text": f"number {n}", "tags": ["one"] if n % 20 == 0 else []} for n in range(2000)]
    fill(admin, "anna", rows)
    query = (await embedder.embed_query("which number")).vectors[0]
    exact = admin.execute(
        "select e.summary from memory.episodic_memory e join memory.memory_vector v using (bank_id, memory_id) "
        "where 'one' = any (e.tags) order by v.embedding <=> %s::halfvec limit 40",
        (str([float(x) for x in query]),),
    ).fetchall()
    assert {row[0] for row in exact} <= await candidates(
        memory, "which number", 40, Filters(tags=["one"]), by=("meaning", "words")
    )


async def test_a_few_long_texts_do_not_crowd_out_the_rest(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """Many parts of one memory are nearest: still as many memories come back as were asked for."""
    fill(admin, "anna", [{"text": f"number {n}"} for n in range(50)])
    long = admin.execute("select memory_id from memory.episodic_memory limit 1").fetchone()
    assert long is not None
    query = (await embedder.embed_query("oooo")).vectors[0]
    admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding) "
        "select 'anna', %s, 'scripted', part, 'episodic', %s::halfvec from generate_series(1, 400) as part",
        (long[0], str([float(x) for x in query])),
    )
    assert len(await contents(memory, "oooo", k=20, profile="precise")) == 20


async def test_archived_ones_do_not_crowd_out_the_active(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    fill(admin, "anna", [{"text": f"tea is nice {n}"} for n in range(400)])
    admin.execute(
        "update memory.memory_vector set embedding = %s::halfvec",
        (str([float(x) for x in (await embedder.embed_query("tea is nice")).vectors[0]]),),
    )
    admin.execute("update memory.episodic_memory set status = 'archived'")
    fill(admin, "anna", [{"text": f"far off {n}"} for n in range(10)])
    found = await contents(memory, "tea is nice", k=10, profile="precise", mode="passive")
    assert sorted(found) == sorted(f"far off {n}" for n in range(10))


async def test_archived_ones_do_not_crowd_out_the_active_by_words(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    fill(admin, "anna", [{"text": "wombat wombat wombat"} for _ in range(400)])
    admin.execute("update memory.episodic_memory set status = 'archived'")
    fill(admin, "anna", [{"text": f"a wombat {n}"} for n in range(5)])
    embedder.fault = down
    found = await contents(memory, "wombat", k=5, profile="precise", mode="passive")
    assert sorted(found) == sorted(f"a wombat {n}" for n in range(5))


async def test_without_a_vector_a_rare_word_does_not_hide_the_common_ones(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    rows = [*({"text": f"tea number {n}"} for n in range(200)), {"text": "a xylophone"}]
    fill(admin, "anna", [*rows, *({"text": f"nothing {n}"} for n in range(300))])
    embedder.fault = down
    found = await contents(memory, "tea xylophone", k=10, profile="precise")
    assert found[0] == "a xylophone"
    assert [text.startswith("tea") for text in found] == [False] + 9 * [True]


async def test_as_of_ignores_later_memories_and_access_counters(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    then = NOW - timedelta(days=100)
    rows = [{"text": f"later {n}"} for n in range(200)]
    fill(admin, "anna", [*rows, {"text": "earlier", "at": then - timedelta(days=30)}])
    (before,) = (await recall(memory, "later", as_of=then)).items
    admin.execute("update memory.episodic_memory set access_count = 1000")
    (after,) = (await recall(memory, "later", as_of=then)).items
    assert before.content == "earlier"
    assert after.components["importance"] == before.components["importance"]
    assert after.score == before.score


async def test_no_other_banks_words_or_names_are_found(memory: Memory, embedder: ScriptedEmbedder) -> None:
    await memory.create_bank("bert", {"intake": "verbatim"})
    await memory.add_messages("bert", "c1", [NewMessage("user", "The wombat is asleep.", "Zoltan")])
    await memory.add_messages("anna", "c1", [NewMessage("user", "Nothing of the kind.", "Ines")])
    await settle(memory, "bert")
    await settle(memory, "anna")
    assert await contents(memory, "wombat asleep Zoltan") == ["Ines: Nothing of the kind."]
    assert embedder.calls[-1] == ["wombat asleep Zoltan"]
    assert (await memory.get_bank("anna")).people == ("ines",)


# While the model is away


class Hanging(ScriptedEmbedder):
    """Never answers a query."""

    asked = 0

    async def embed_query(self, text: str) -> Embeddings:
        self.asked += 1
        await asyncio.Event().wait()
        raise AssertionError


@pytest.fixture
async def impatient(settings: Settings, memory: Memory, embedder: ScriptedEmbedder) -> AsyncIterator[Memory]:
    """Another Memory of the same database, in a hurry; one memory is there, and its bank is known."""
    await memory.add_messages("anna", "c1", [NewMessage("user", "The wombat is asleep.")])
    await settle(memory, "anna")
    hurried = settings.model_copy(update={"query_embedding_seconds": 0.05, "recall_seconds": 0.5})
    async with await Memory.open(hurried, migrated=False) as other:
        script(other, embedder)
        await other.recall("anna", QUERY)
        await other.flush()
        yield other


QUERY = "What does the wombat do?"


async def test_a_model_that_hangs_is_not_waited_for_again_and_again(impatient: Memory) -> None:
    hanging = Hanging()
    impatient.models.embedder = lambda name=None: guarded  # type: ignore[method-assign]
    guarded = GuardedEmbedder(hanging, query_seconds=0.05)
    for n in range(6):
        answer = await impatient.recall("anna", f"What does the wombat do, {n}?")
        assert answer.degraded
        assert [item.content for item in answer.items] == ["The wombat is asleep."]
    assert hanging.asked == 3  # then the breaker is open


async def test_a_model_without_a_breaker_is_not_waited_for_either(impatient: Memory) -> None:
    script(impatient, Hanging())
    assert (await impatient.recall("anna", "wombat")).degraded


async def test_a_known_query_needs_no_model(impatient: Memory, embedder: ScriptedEmbedder) -> None:
    asked = len(embedder.calls)
    assert not (await impatient.recall("anna", QUERY)).degraded
    assert len(embedder.calls) == asked


async def test_a_search_that_does_not_end_is_given_up(impatient: Memory, admin: Admin) -> None:
    with admin.transaction():
        admin.execute("lock memory.memory_vector in access exclusive mode")
        with pytest.raises(DatabaseUnavailable, match=r"within 0\.5 s"):
            await impatient.recall("anna", QUERY)
        await until(lambda: running(admin) == 0, seconds=5)
    assert len((await impatient.recall("anna", QUERY)).items) == 1


READS: dict[str, Callable[[Memory], Awaitable[object]]] = {
    "recall": lambda memory: memory.recall("anna", QUERY),
    "context": lambda memory: memory.context("anna", "What does the wombat do?", conversation_id="c1"),
    "compact": lambda memory: memory.compact("anna", "Tom", "farewell"),
}


@pytest.mark.parametrize(
    ("read", "table"),
    [("recall", "bank"), ("context", "bank"), ("context", "message"), ("compact", "person"),
     ("compact", "episodic_memory")],
)  # fmt: skip
async def test_no_part_of_a_read_waits_for_longer(
    impatient: Memory, admin: Admin, read: str, table: str
) -> None:
    await asyncio.sleep(BANK_CACHE_SECONDS)
    with admin.transaction():
        admin.execute(f"lock memory.{table} in access exclusive mode".encode())
        async with asyncio.timeout(5):
            with pytest.raises(DatabaseUnavailable, match=r"within 0\.5 s"):
                await READS[read](impatient)
        await until(lambda: running(admin) == 0, seconds=5)
    await READS[read](impatient)


async def test_a_model_that_hangs_leaves_time_for_the_words(settings: Settings, memory: Memory) -> None:
    """Even where it may be waited for as long as for the whole recall."""
    await memory.create_bank("anna")
    hurried = settings.model_copy(update={"query_embedding_seconds": 3.0, "recall_seconds": 1.0})
    async with await Memory.open(hurried, migrated=False) as other:
        script(other, Hanging())
        assert (await other.recall("anna", QUERY)).degraded


async def test_who_goes_away_leaves_neither_statement_nor_connection_behind(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """More readers than connections, all of whom give up while they wait for the database."""
    await memory.add_messages("anna", "c1", [NewMessage("user", "The wombat is asleep.")])
    await settle(memory, "anna")
    await memory.recall("anna", QUERY)
    await memory.flush()
    with admin.transaction():
        admin.execute("lock memory.memory_vector in access exclusive mode")
        readers = [asyncio.create_task(memory.recall("anna", QUERY)) for _ in range(12)]
        await until(lambda: running(admin) > 0)
        for reader in readers:
            reader.cancel()
        ended = await asyncio.gather(*readers, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in ended)
        await until(lambda: running(admin) == 0, seconds=5)
    answers = await asyncio.gather(*(memory.recall("anna", QUERY) for _ in range(12)))
    assert all(len(answer.items) == 1 for answer in answers)


def running(admin: Admin) -> int:
    """The number of recalls that the server is running; clears the snapshot that statistics have in a transaction."""
    admin.execute("select pg_stat_clear_snapshot()")
    row = admin.execute(
        "select count(*) from pg_stat_activity where usename = 'memory_service' and state = 'active' "
        "and datname = current_database() and query like '%recall_candidates%'"
    ).fetchone()
    return int(str(row[0])) if row else 0


async def test_what_was_put_away_since_it_was_found_is_not_shown(memory: Memory, admin: Admin) -> None:
    """Each arm is a statement: other transactions may change a candidate's status before the last statement."""
    await memory.create_bank("anna")
    told = [
        await memory.remember("anna", text, type=cast("Any", type_))
        for text, type_ in (("A goose hisses.", "episodic"), ("Anna fears every goose.", "semantic"),
                            ("A goose sleeps.", "episodic"), ("Anna feeds a goose.", "semantic"))
    ]  # fmt: skip
    await settle(memory, "anna")
    admin.execute("alter function memory_internal.salient_memories rename to salient_memories_at_once")
    admin.execute(
        "create function memory_internal.salient_memories(text, integer, text[], double precision, uuid[], uuid[], "
        "jsonb, "
        "text[], boolean, timestamptz) returns uuid[] language plpgsql security definer as $$ begin "
        "perform pg_advisory_xact_lock(7); "
        "return memory_internal.salient_memories_at_once($1, $2, $3, $4, $5, $6, $7, $8, $9, $10); end $$"
    )
    admin.execute("select pg_advisory_lock(7)")
    reading = asyncio.create_task(contents(memory, "goose", k=10, mode="passive", profile="balanced"))
    async with asyncio.timeout(20):
        while (
            admin.execute("select from pg_locks where locktype = 'advisory' and not granted").fetchone()
            is None
        ):
            await asyncio.sleep(0.01)
    gone = [told[0].memory_id, told[1].memory_id]
    admin.execute("update memory.episodic_memory set status = 'archived' where memory_id = any (%s)", (gone,))
    admin.execute(
        "update memory.semantic_memory set status = 'deprecated', retracted_at = now() where memory_id = any (%s)",
        (gone,),
    )
    admin.execute("select pg_advisory_unlock(7)")
    assert set(await reading) == {"A goose sleeps.", "Anna feeds a goose."}


async def test_facts_that_nobody_believes_take_no_ones_place_among_words(
    memory: Memory, admin: Admin
) -> None:
    await memory.create_bank("anna")
    for n in range(25):
        await memory.remember("anna", f"Goose {n}.", type="semantic")
    await memory.remember("anna", "Of all that was said that day, one word was about a goose.")
    await settle(memory, "anna")
    admin.execute("update memory.semantic_memory set confidence = 0.1")
    found = await memory.recall("anna", "goose", k=1, by=["words"], mode="tool")
    assert [item.type for item in found.items] == ["episodic"]
