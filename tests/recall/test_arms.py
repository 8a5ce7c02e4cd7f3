"""Parameter `by`: a recall uses the requested arms and no others, over every interface."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast

import psycopg
import pytest

from memory_service.errors import InvalidInput
from memory_service.memory import Memory
from memory_service.requests import RecallQuery
from memory_service.results import RecallResult
from memory_service.validation import ARMS
from tests.recall.test_candidates import NOW, down, fill
from tests.support.figures import figures_of
from tests.support.scripted import ScriptedEmbedder, script

Admin = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
async def embedder(memory: Memory, admin: Admin) -> ScriptedEmbedder:
    """A bank of three hundred; one alone has a rare word, another alone stands out."""
    embedder = ScriptedEmbedder()
    script(memory, embedder)
    await memory.create_bank("anna", {"intake": "verbatim"})
    old = NOW - timedelta(days=400)
    rows: list[dict[str, Any]] = [
        {"text": f"tea is nice {n}", "at": old, "importance": 0.2, "tags": ["tens"] if n % 10 == 0 else []}
        for n in range(300)
    ]
    fill(
        admin,
        "anna",
        [
            *rows,
            {"text": "the wombats were feeding", "at": old, "importance": 0.2},
            {"text": "wholly unlike", "at": NOW, "importance": 1.0},
        ],
    )
    return embedder


async def asked(memory: Memory, query: str, *by: str, **fields: Any) -> RecallResult:
    return await memory.recall("anna", query, by=cast("Any", by or None), **fields)


def contents(answer: RecallResult) -> list[str]:
    return [item.content for item in answer.items]


def nearest(admin: Admin, vector: Sequence[float], k: int, tag: str | None = None) -> list[str]:
    rows = admin.execute(
        "select e.summary from memory.episodic_memory e join memory.memory_vector v using (bank_id, memory_id) "
        "where %(tag)s::text is null or %(tag)s = any (e.tags) "
        "order by v.embedding <=> %(vector)s::halfvec limit %(k)s",
        {"vector": str([float(x) for x in vector]), "k": k, "tag": tag},
    ).fetchall()
    return [str(row[0]) for row in rows]


async def test_by_meaning_the_nearest_come_and_no_word_is_looked_at(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    vector = (await embedder.embed_query("wombat feeding")).vectors[0]
    admin.execute(
        "update memory.memory_vector v set embedding = (select embedding from memory.memory_vector "
        "order by embedding <=> %s::halfvec offset 100 limit 1) from memory.episodic_memory e "
        "where v.memory_id = e.memory_id and e.summary = 'the wombats were feeding'",
        (str([float(x) for x in vector]),),
    )
    answer = await asked(memory, "wombat feeding", "meaning", k=7, profile="precise")
    assert contents(answer) == nearest(admin, vector, 7)
    assert {one["words"] for one in await figures_of(memory, answer)} == {0.0}
    assert "the wombats were feeding" not in contents(answer)
    assert "the wombats were feeding" in contents(await asked(memory, "wombat feeding", k=7))


async def test_by_meaning_the_trace_tells_of_them_alone(memory: Memory, embedder: ScriptedEmbedder) -> None:
    answer = await asked(memory, "wombat", "meaning", k=7)
    await memory.flush()
    trace = await memory.get_trace("anna", answer.trace_id)
    assert [c.memory_id for c in trace.candidates] == [item.memory_id for item in answer.items]
    assert (trace.asked["by"], trace.degraded) == (["meaning"], False)
    everything = await asked(memory, "wombat", k=7)
    await memory.flush()
    assert "by" not in (await memory.get_trace("anna", everything.trace_id)).asked


async def test_by_meaning_filters_never_under_return(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    answer = await asked(memory, "wombat feeding", "meaning", k=25, profile="precise", tags=["tens"])
    vector = (await embedder.embed_query("wombat feeding")).vectors[0]
    assert contents(answer) == nearest(admin, vector, 25, "tens")


async def test_by_meaning_parts_of_one_text_take_nobodys_place(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """A hundred parts of one memory are nearest of all."""
    vector = (await embedder.embed_query("wombat feeding")).vectors[0]
    admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, part, embedding) "
        "select e.bank_id, e.memory_id, 'scripted', 'episodic', n, %s::halfvec "
        "from memory.episodic_memory e, generate_series(1, 100) n where e.summary = 'tea is nice 7'",
        (str([float(x) for x in vector]),),
    )
    found = contents(await asked(memory, "wombat feeding", "meaning", k=10, profile="precise"))
    assert (found[0], len(set(found))) == ("tea is nice 7", 10)


async def test_by_meaning_what_the_mood_bars_takes_nobodys_place(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    admin.execute("update memory.episodic_memory set emotional_valence = -1 where 'tens' <> all (tags)")
    answer = await asked(memory, "tea is nice", "meaning", k=25, profile="precise", valence=1.0)
    assert len(answer.items) == 25
    for item in answer.items:
        assert "tens" in (await memory.get_memory("anna", item.memory_id)).tags


async def test_by_meaning_a_floor_is_no_reason_to_answer_less(
    memory: Memory, embedder: ScriptedEmbedder, admin: Admin
) -> None:
    """A nearer memory below the profile's floor is replaced by the next nearest one."""
    vector = (await embedder.embed_query("tea is nice")).vectors[0]
    admin.execute(
        "update memory.episodic_memory set importance = 1, occurred_at = %s where summary <> %s",
        (NOW, nearest(admin, vector, 1)[0]),
    )
    assert len((await asked(memory, "tea is nice", "meaning", k=1, profile="salient")).items) == 1


async def test_by_words_nothing_is_embedded_and_only_what_has_one_comes(
    memory: Memory, embedder: ScriptedEmbedder
) -> None:
    before = len(embedder.calls)
    answer = await asked(memory, "Who feeds a wombat?", "words", k=5)
    assert contents(answer) == ["the wombats were feeding"]
    assert (answer.degraded, len(embedder.calls)) == (False, before)
    assert (await figures_of(memory, answer))[0]["cosine"] == 0
    assert contents(await asked(memory, "aardvark", "words")) == []


async def test_by_salience_what_stands_out_comes_whatever_is_asked(
    memory: Memory, embedder: ScriptedEmbedder
) -> None:
    before = len(embedder.calls)
    for profile in ("balanced", "precise"):
        answer = await asked(memory, "wombat", "salience", k=1, profile=profile, since=NOW)
        assert (contents(answer), answer.degraded) == (["wholly unlike"], False)
    assert contents(await asked(memory, "wombat", "salience", k=1)) == ["wholly unlike"]
    assert len(embedder.calls) == before


async def test_arms_are_combined(memory: Memory, embedder: ScriptedEmbedder) -> None:
    found = contents(await asked(memory, "wombat", "salience", "words", k=5))
    assert {"the wombats were feeding", "wholly unlike"} <= set(found)
    found = contents(await asked(memory, "wombat", "meaning", "words", k=1, profile="precise"))
    assert found == ["the wombats were feeding"]
    assert contents(await asked(memory, "wombat", *reversed(ARMS))) == contents(await asked(memory, "wombat"))


async def test_without_the_model_meaning_gives_way_to_the_other_arms(
    memory: Memory, embedder: ScriptedEmbedder
) -> None:
    embedder.fault = down
    answer = await asked(memory, "wombat", "meaning", k=5)
    assert (answer.degraded, len(answer.items)) == (True, 5)
    assert "the wombats were feeding" in contents(answer)
    everything = await asked(memory, "wombat", k=5)
    assert contents(everything) == contents(answer)


@pytest.mark.parametrize(
    ("by", "field"), [([], "by"), (["meaning", "guess"], "by[1]"), ("meaning", "by"), ([7], "by[0]")]
)
def test_what_is_no_arm_is_refused(by: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        RecallQuery("wombat", by=by)
    assert refused.value.field == field


def test_the_same_twice_is_the_same_once() -> None:
    assert RecallQuery("wombat", by=["words", "meaning", "words"]).by == ("meaning", "words")
