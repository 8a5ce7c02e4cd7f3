"""Recall in a large bank, beside the bare HNSW query and the exact one, and how much of the exact answer is found.

The vectors lie around 2,000 centres in 64 of 768 dimensions: directions at random have no neighbours, and no index
finds them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from unittest.mock import Mock, patch

import asyncpg
import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector  # type: ignore[import-untyped]
from rich.table import Table

from memory_service.memory import Memory
from memory_service.models.interface import Embeddings, Vectors
from tests.bench import recall
from tests.bench.clock import Operation, medians, row
from tests.bench.recall import MODEL, fill
from tests.bench.words import sentences

BANK = "large-indexed"
LARGE = 100_000
FULL = 1_000_000
FILLED_AT_ONCE = 10_000
QUERIES = 40
NEAREST = 20
CENTRES, OWN_DIMENSIONS, SPREAD = 2_000, 64, 0.6
BARE = (
    "select memory_id from memory.{} where bank_id = $1 and model_id = $2 order by embedding <=> $3 limit $4"
)
FITTING = (
    "select v.memory_id from memory.memory_vector v join memory.episodic_memory e using (bank_id, memory_id) "
    "where v.bank_id = $1 and v.model_id = $2 and 'rare' = any (e.tags) order by v.embedding <=> $3 limit $4"
)


class Clustered:
    """An embedder that costs nothing: each text lies near one of the centres, always the same."""

    name = MODEL
    billed = False

    def __init__(self) -> None:
        chance = np.random.default_rng(1)
        turned, _ = np.linalg.qr(chance.standard_normal((768, OWN_DIMENSIONS)))
        self._basis: NDArray[np.float64] = turned
        self._centres: NDArray[np.float64] = chance.standard_normal((CENTRES, OWN_DIMENSIONS))

    def fits(self, text: str) -> bool:
        return True

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        seeds = [int.from_bytes(text.encode()[-8:], "big") + len(text) for text in texts]
        made = np.array([self._near_a_centre(np.random.default_rng(seed)) for seed in seeds]) @ self._basis.T
        unit: Vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
        return Embeddings(unit)

    def _near_a_centre(self, chance: np.random.Generator) -> NDArray[np.float64]:
        return self._centres[chance.integers(CENTRES)] + SPREAD * chance.standard_normal(OWN_DIMENSIONS)

    async def embed_query(self, text: str) -> Embeddings:
        return await self.embed_documents([text])

    async def aclose(self) -> None:
        return


async def large_bank(memory: Memory, admin: asyncpg.Connection[Any], table: Table, *, full: bool) -> None:
    """A bank of 100,000, or with --full of 1,000,000: before its vectors are indexed, and afterwards."""
    embedder = Clustered()
    size = FULL if full else LARGE
    queries = sentences(QUERIES, seed=99)
    taken = {"embedder": Mock(return_value=embedder)}
    with patch.multiple(memory.models, **taken), patch.object(recall, "LookedUp", taken["embedder"]):
        await fill(memory, admin, [BANK], size, at_once=FILLED_AT_ONCE)
        vectors = [HalfVector(vector) for vector in (await embedder.embed_documents(queries)).vectors]
        before = await timed(memory, admin, queries, vectors, "memory_vector")
        row(
            table,
            f"recall in {size:,}, k=20, by comparing all",
            before["ours"],
            before["bare"],
            "bare exact query",
        )
        started, moved = time.perf_counter(), 0
        while found := await memory.store.vector_index.extend(BANK, MODEL, 100, 20_000, datetime.now(UTC)):
            moved += found
        table.add_row("  vectors moved into the index", f"{moved / (time.perf_counter() - started):.0f} /s")
        await admin.execute("vacuum analyze memory.indexed_vector")
        await admin.execute("set hnsw.ef_search = 100")
        after = await timed(memory, admin, queries, vectors, "indexed_vector")
        row(table, f"recall in {size:,}, k=20", after["ours"], after["bare"], "bare HNSW query")
        row(table, "  by meaning alone", after["meaning"], after["bare"], "bare HNSW query")
        row(table, "  filtered, 1 in 200 fits", after["rare"], after["bare"], "bare HNSW query, unfiltered")
        row(table, "  filtered, 199 in 200 fit", after["usual"], after["bare"], "bare HNSW query, unfiltered")
        for name, tags, exact in (
            ("", None, BARE.format("memory_vector")),
            (", 1 in 200 fits", ["rare"], FITTING),
        ):
            share = await found_of_exact(memory, admin, queries, vectors, tags, exact)
            table.add_row(f"  recall@{NEAREST} of the exact answer{name}", f"{share:.3f}")


async def timed(
    memory: Memory, admin: asyncpg.Connection[Any], queries: list[str], vectors: list[HalfVector], bare: str
) -> dict[str, float]:
    turn = 0

    def asking(**more: Any) -> Operation:
        async def ask() -> None:
            nonlocal turn
            turn += 1
            await memory.recall(BANK, queries[turn % QUERIES], k=NEAREST, **more)

        return ask

    async def nearest() -> None:
        nonlocal turn
        turn += 1
        await admin.fetch(BARE.format(bare), BANK, MODEL, vectors[turn % QUERIES], NEAREST)

    operations: dict[str, Operation] = {"ours": asking(), "bare": nearest}
    if bare == "indexed_vector":
        operations |= {
            "meaning": asking(by=["meaning"], profile="precise"),
            "rare": asking(tags=["rare"]),
            "usual": asking(tags=["usual"]),
        }
    found = await medians(operations, rounds=3, each=10)
    await memory.flush()
    return found


async def found_of_exact(
    memory: Memory,
    admin: asyncpg.Connection[Any],
    queries: list[str],
    vectors: list[HalfVector],
    tags: list[str] | None,
    exact: str,
) -> float:
    """The share of the exact nearest that a recall by meaning returns."""
    found = 0
    for query, vector in zip(queries, vectors, strict=True):
        wanted = {one["memory_id"] for one in await admin.fetch(exact, BANK, MODEL, vector, NEAREST)}
        answer = await memory.recall(
            BANK,
            query,
            k=NEAREST,
            by=["meaning"],
            profile="precise",
            tags=tags,
        )
        found += len(wanted & {item.memory_id for item in answer.items})
    return found / (NEAREST * QUERIES)
