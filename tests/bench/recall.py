"""Recall in process, the query's embedding looked up, beside the bare SQL on the same rows of the same run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any

import asyncpg
import numpy as np
from pgvector import HalfVector  # type: ignore[import-untyped]
from rich.table import Table

from memory_service import profiles
from memory_service.memory import Memory
from memory_service.models.interface import Embeddings
from tests.bench.clock import medians, row
from tests.bench.words import sentences

EPISODES = 1_000
THOUSAND = [f"thousand-{n}" for n in range(10)]
"""Banks of so many; the first is asked while it is alone in the database, then all in turn."""
SMALL_BANKS, SMALL = 20, 500
"""As beside the rivals (rivals/): so many banks of so many memories, top 10."""
GROWING = (10, 1_000, 10_000)
OF_GROWING = 50
LARGE = 20_000
RARE = 200
"""One in so many of the large bank's memories passes the filter."""

MODEL = "bench"
NEAREST = (
    "select v.memory_id, e.summary from (select memory_id, embedding <=> $3 as distance from memory.memory_vector "
    "where bank_id = $1 and model_id = $2 order by distance limit $4) v "
    "join memory.episodic_memory e on e.bank_id = $1 and e.memory_id = v.memory_id order by v.distance"
)
MATCHING = (
    "select m.memory_id, e.summary from (select memory_id, ts_rank(search, $2::text::tsquery) as rank "
    "from memory.memory_text where bank_id = $1 and search @@ $2::text::tsquery order by rank desc limit $3) m "
    "join memory.episodic_memory e on e.bank_id = $1 and e.memory_id = m.memory_id order by m.rank desc"
)
ANY_WORD = "select string_agg(quote_literal(w), ' | ') from unnest(tsvector_to_array(to_tsvector('english', $1))) as w"
QUESTIONS = (
    "When did Maria lose the old piano near the harbour?", "Who bought a green bicycle in Lisbon?",
    "What did our teacher photograph before the storm?", "Where does the baker dream of two cats?",
)  # fmt: skip


class LookedUp:
    """Directions made up from the text, always the same: an embedder that costs nothing."""

    name = MODEL
    billed = False

    def fits(self, text: str) -> bool:
        return True

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") for text in texts]
        made = np.array(
            [np.random.default_rng(seed).standard_normal(768) for seed in seeds], dtype=np.float32
        )
        return Embeddings(made / np.linalg.norm(made, axis=1, keepdims=True))

    async def embed_query(self, text: str) -> Embeddings:
        return await self.embed_documents([text])

    async def aclose(self) -> None:
        return


Arguments = dict[str, Any]
"""Of `Memory.recall`."""


async def recalling(memory: Memory, admin: asyncpg.Connection[Any], table: Table) -> None:
    """In a bank of a thousand; in twenty small banks; filtered in a large one; among more and more banks."""
    embedder = LookedUp()
    usual, memory.models.embedder = memory.models.embedder, lambda name=None: embedder  # type: ignore[method-assign]
    try:
        await fill(memory, admin, [THOUSAND[0]], EPISODES)
        await beside_two_arms(memory, admin, table, THOUSAND[:1])
        await fill(memory, admin, THOUSAND[1:], EPISODES)
        await beside_two_arms(memory, admin, table, THOUSAND)
        await fill(memory, admin, [f"small-{n}" for n in range(SMALL_BANKS)], SMALL)
        await in_small_banks(memory, admin, table)
        await fill(memory, admin, ["large"], LARGE)
        await filtered(memory, admin, table)
        await among_more_and_more_banks(memory, admin, table)
    finally:
        memory.models.embedder = usual  # type: ignore[method-assign]


async def fill(
    memory: Memory,
    admin: asyncpg.Connection[Any],
    banks: Sequence[str],
    each: int,
    *,
    at_once: int | None = None,
) -> None:
    """Banks of so many active memories, written as the worker writes them, `at_once` in a transaction (default all)."""
    await memory.store.banks.register_embedding_model(MODEL, 768)
    start = datetime.now(UTC) - timedelta(days=each / max(1, each // 1_000))
    for number, bank in enumerate(banks):
        texts = sentences(each, seed=number)
        await memory.store.banks.create(bank, {"intake": "verbatim"}, MODEL)
        for first in range(0, each, at_once or each):
            part = texts[first : first + (at_once or each)]
            vectors = (await LookedUp().embed_documents(part)).vectors
            rows = [
                {
                    "text": text, "at": (start + timedelta(days=n / max(1, each // 1_000))).isoformat(),
                    "importance": n % 10 / 10, "tags": ["rare"] if n % RARE == 0 else ["usual"],
                }
                for n, text in enumerate(part, first)
            ]  # fmt: skip
            await write(admin, bank, rows, [HalfVector(vector) for vector in vectors])
    await admin.execute(
        "vacuum analyze memory.episodic_memory, memory.memory_vector, memory.memory_text, memory.word_count"
    )


async def write(
    admin: asyncpg.Connection[Any], bank: str, rows: list[dict[str, Any]], vectors: list[HalfVector]
) -> None:
    async with admin.transaction():
        await admin.execute(f"set local memory.bank_id to '{bank}'")
        ids = await admin.fetchval(
            "with made as (insert into memory.episodic_memory (bank_id, memory_id, conversation_id, source, "
            "status, occurred_at, recorded_at, full_text, summary, importance, tags) "
            "select $1, gen_random_uuid(), 'c1', 'user', 'pending_embedding', f.at, f.at, '{}', f.text, "
            "f.importance, f.tags from jsonb_to_recordset($2::text::jsonb) as f (text text, at timestamptz, "
            "importance float8, tags text[]) "
            "returning memory_id) select array_agg(memory_id) from made",
            bank, json.dumps(rows),
        )  # fmt: skip
        await admin.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "select $1, v.id, $2, 'episodic', v.embedding "
            "from unnest($3::uuid[], $4::halfvec[]) as v (id, embedding)",
            bank, MODEL, ids, vectors,
        )  # fmt: skip
        await admin.execute(
            "select memory_internal.set_episodes_status($1, $2, '{pending_embedding}', 'active', 'a bench', 'a bench')",
            bank,
            ids,
        )


async def beside_two_arms(
    memory: Memory, admin: asyncpg.Connection[Any], table: Table, banks: Sequence[str]
) -> None:
    """Both bare arms fetch what ours fetch, with their text."""
    for profile in (profiles.DEFAULT, "precise"):
        for k in (5, 10):
            vector, words, query = await asked(memory, admin, QUESTIONS[0], k, profile)
            fetch = max(20, 4 * k)
            mine, arms, arm = cycle(banks), cycle(banks), cycle(banks)

            async def ours(query: Arguments = query, turn: Iterator[str] = mine) -> None:
                await memory.recall(next(turn), **query)

            async def nearest(
                vector: HalfVector = vector, fetch: int = fetch, turn: Iterator[str] = arm
            ) -> None:
                await admin.fetch(NEAREST, next(turn), MODEL, vector, fetch)

            async def both(
                vector: HalfVector = vector,
                words: str = words,
                fetch: int = fetch,
                turn: Iterator[str] = arms,
            ) -> None:
                bank = next(turn)
                await admin.fetch(NEAREST, bank, MODEL, vector, fetch)
                await admin.fetch(MATCHING, bank, words, fetch)

            found = await medians({"ours": ours, "both": both, "nearest": nearest}, rounds=15)
            await memory.flush()
            among = "alone" if len(banks) == 1 else f"{len(banks)} banks"
            name = f"recall in {EPISODES:,}, {among}, {profile}, k={k}"
            row(table, name, found["ours"], found["both"], f"bare SQL of both arms, {fetch} each")
            row(table, "", found["ours"], found["nearest"], "bare vector query alone")


async def in_small_banks(memory: Memory, admin: asyncpg.Connection[Any], table: Table) -> None:
    """By meaning alone, which is what the rivals do, and by all arms."""
    banks = [f"small-{n}" for n in range(SMALL_BANKS)]
    vector, _, query = await asked(memory, admin, QUESTIONS[1], 10, "precise")
    by_meaning: Arguments = {**query, "by": ["meaning"]}
    turn: dict[str, int] = {"meaning": 0, "all": 0, "bare": 0}

    def following(who: str) -> str:
        turn[who] += 1
        return banks[turn[who] % SMALL_BANKS]

    async def meaning() -> None:
        await memory.recall(following("meaning"), **by_meaning)

    async def everything() -> None:
        await memory.recall(following("all"), **query)

    async def bare() -> None:
        await admin.fetch(NEAREST, following("bare"), MODEL, vector, 10)

    found = await medians({"meaning": meaning, "bare": bare, "all": everything}, rounds=15)
    await memory.flush()
    name = f"recall, {SMALL_BANKS} banks of {SMALL}, k=10"
    row(table, f"{name}, by meaning", found["meaning"], found["bare"], "bare vector query")
    row(table, f"{name}, by all arms", found["all"], found["bare"], "bare vector query")


async def filtered(memory: Memory, admin: asyncpg.Connection[Any], table: Table) -> None:
    """One in two hundred fits: as many come back as were asked for, and they are the nearest."""
    vector, _, query = await asked(memory, admin, QUESTIONS[2], 20, "precise")
    rare: Arguments = {**query, "tags": ["rare"]}

    async def ours() -> None:
        await memory.recall("large", **rare)

    async def unfiltered() -> None:
        await memory.recall("large", **query)

    async def bare() -> None:
        await admin.fetch(NEAREST, "large", MODEL, vector, 20)

    found = await medians({"ours": ours, "all": unfiltered, "bare": bare}, rounds=5, each=5)
    await memory.flush()
    row(table, f"recall in {LARGE:,}", found["all"], found["bare"], "bare vector query")
    row(table, f"  filtered, 1 in {RARE} fits", found["ours"], found["bare"], "bare vector query, unfiltered")
    held, wanted, short = 0, 0, 0
    for question in QUESTIONS:
        vector, _, _ = await asked(memory, admin, question, 20, "precise")
        exact = await admin.fetch(
            "select e.memory_id from memory.episodic_memory e join memory.memory_vector v using (bank_id, memory_id) "
            "where e.bank_id = 'large' and 'rare' = any (e.tags) order by v.embedding <=> $1 limit 80",
            vector,
        )
        answer = await memory.recall("large", question, k=100, profile="precise", tags=["rare"])
        found_ids = {item.memory_id for item in answer.items}
        held += sum(one["memory_id"] in found_ids for one in exact)
        wanted += len(exact)
        short += 100 - len(answer.items)
    table.add_row(
        "  nearest of what fits, found", f"{held / wanted:.3f}", f"{short} short", "", "exact answer"
    )


async def among_more_and_more_banks(memory: Memory, admin: asyncpg.Connection[Any], table: Table) -> None:
    """The same bank, recalled in while others come: what it costs must not depend on them."""
    vector, _, query = await asked(memory, admin, QUESTIONS[3], 10, "precise")

    async def ours() -> None:
        await memory.recall("small-0", **query)

    async def bare() -> None:
        await admin.fetch(NEAREST, "small-0", MODEL, vector, 10)

    sent = 0
    for count in GROWING:
        await multiply(admin, sent, count)
        sent = count
        found = await medians({"ours": ours, "bare": bare}, rounds=15)
        await memory.flush()
        row(table, f"recall beside {count:,} banks", found["ours"], found["bare"], "bare vector query")


async def multiply(admin: asyncpg.Connection[Any], start: int, end: int) -> None:
    """Banks that hold what the first of the small ones begins with, its words and its vectors."""
    await admin.execute(
        "insert into memory.bank (bank_id, settings, embedding_model) "
        "select 'more-' || n, '{}', $1 from generate_series($2::int + 1, $3) n",
        MODEL, start, end,
    )  # fmt: skip
    some = (
        "(select memory_id from memory.episodic_memory where bank_id = 'small-0' order by memory_id "
        f"limit {OF_GROWING})"
    )
    for statement in (
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance) select 'more-' || n, memory_id, source, status, occurred_at, recorded_at, full_text, "
        f"summary, importance from memory.episodic_memory, generate_series($1::int + 1, $2) n "
        f"where bank_id = 'small-0' and memory_id in {some}",
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) select 'more-' || n, "
        "memory_id, model_id, tier, embedding from memory.memory_vector, generate_series($1::int + 1, $2) n "
        f"where bank_id = 'small-0' and memory_id in {some}",
        "insert into memory.memory_text (bank_id, memory_id, tier, search) select 'more-' || n, memory_id, tier, "
        "ts_delete(search, ' small-0') || array_to_tsvector(array[' more-' || n]) from memory.memory_text, "
        f"generate_series($1::int + 1, $2) n where bank_id = 'small-0' and memory_id in {some}",
        "insert into memory.word_count (bank_id, word, memories) select 'more-' || n, w.word, w.memories from ("
        "select word, count(*) as memories from memory.memory_text, unnest(tsvector_to_array(search)) as word "
        f"where bank_id = 'small-0' and memory_id in {some} group by word) w, generate_series($1::int + 1, $2) n",
    ):
        await admin.execute(statement, start, end)
    await admin.execute(
        "vacuum analyze memory.episodic_memory, memory.memory_vector, memory.memory_text, memory.word_count"
    )


async def asked(
    memory: Memory, admin: asyncpg.Connection[Any], question: str, k: int, profile: str
) -> tuple[HalfVector, str, Arguments]:
    """A question as the bare statements take it, and as ours do."""
    vector = (await memory.models.embedder().embed_query(question)).vectors[0]
    return (
        HalfVector(vector),
        await admin.fetchval(ANY_WORD, question),
        {"query": question, "k": k, "profile": profile},
    )
