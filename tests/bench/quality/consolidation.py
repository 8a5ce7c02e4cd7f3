"""What the night makes of LoCoMo by rules alone: what clusters bring together, and what is left to find in the morning.

Gold pairs are two turns that one question needs together: what a fact drawn from several episodes would rest on.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import asyncpg
import numpy as np
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

from jobs.clustering import MIN_CLUSTER_SIZE, MIN_SAMPLES, hdbscan_labels, last_used, spread_of
from jobs.consolidate import Consolidate
from jobs.groups import PIECE
from jobs.passes import Night
from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.inputs import RecallQuery
from memory_service.memory import Memory
from memory_service.models.interface import Vectors
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Question, conversation
from tests.conftest import settle

K = 10
COSINES = (0.73, 0.8)
SPREAD_COSINES = (0.5, 0.55, 0.6)
TOGETHER = (6, PIECE)
Labels = Sequence[int]

EPISODES = """
select e.memory_id, e.occurred_at, e.summary, e.status, e.cluster_id, e.summarizes, e.merged_into_id,
       (select array_agg(m.client_id) from memory.message m where m.bank_id = e.bank_id and m.memory_id = e.memory_id)
           as turns,
       (select v.embedding from memory.memory_vector v
         where v.bank_id = e.bank_id and v.memory_id = e.memory_id and v.part = 0) as embedding
  from memory.episodic_memory e
 where e.bank_id = $1
 order by e.occurred_at, e.memory_id"""


@dataclass(frozen=True, slots=True)
class Remembered:
    """An episode or a summary, and the turns that it was made of."""

    memory_id: UUID
    occurred_at: datetime
    text: str
    status: str
    cluster_id: UUID | None
    summary: bool
    merged_into_id: UUID | None
    turns: frozenset[str]
    embedding: Any


@dataclass(slots=True)
class Tally:
    """Sums over conversations."""

    pairs: dict[str, Counter[str]]
    morning: dict[str, Counter[str]]


async def measure(files: Sequence[Path]) -> None:
    """Remember each conversation, sleep one night when all of it is old, and print what became of it."""
    tally = Tally(defaultdict(Counter), defaultdict(Counter))
    with tempfile.TemporaryDirectory(prefix="memory-quality-") as data, open_server(Path(data)) as server:
        settings = Settings.model_validate({"data_dir": Path(data)})
        async with await Memory.open(settings) as memory:
            bare = await asyncpg.connect(server.url(database="memory"))
            await register_vector(bare)
            for file in files:
                await one_conversation(memory, bare, file, tally)
            await bare.close()
    show(tally)


async def one_conversation(memory: Memory, bare: Any, file: Path, tally: Tally) -> None:
    said, questions = conversation(file)
    bank_id = file.stem
    bank = await memory.create_bank(bank_id, {"gate": False, "language_model": False})
    for conversation_id, messages in said.items():
        for start in range(0, len(messages), 100):
            await memory.add_messages(bank_id, conversation_id, messages[start : start + 100])
    await memory.end_import(bank_id, list(said))
    await settle(memory, bank_id, seconds=600)
    before = await read(bare, bank_id)
    await morning(memory, bank_id, before, before, questions, tally.morning["before"], "passive")
    at = max(one.occurred_at for one in before) + timedelta(days=31)
    bank = await memory.store.banks.read(bank_id)
    await Consolidate().run(bank, Night(memory.store, memory.models, memory.settings, at))
    after = await read(bare, bank_id)
    await morning(
        memory, bank_id, before, after, questions, tally.morning["after, as in a context"], "passive"
    )
    await morning(memory, bank_id, before, after, questions, tally.morning["after, asked by a tool"], "tool")
    count_pairs([one for one in after if not one.summary], questions, tally.pairs)


async def read(bare: Any, bank_id: str) -> list[Remembered]:
    """Every memory of the bank; what near duplicates were made of is counted to what they became."""
    rows = [
        Remembered(
            row["memory_id"], row["occurred_at"], row["summary"], row["status"], row["cluster_id"],
            row["summarizes"] is not None, row["merged_into_id"], frozenset(row["turns"] or ()), row["embedding"],
        )
        for row in await bare.fetch(EPISODES, bank_id)
    ]  # fmt: skip
    merged: dict[UUID, frozenset[str]] = defaultdict(frozenset)
    for row in rows:
        if row.merged_into_id is not None:
            merged[row.merged_into_id] |= row.turns
    return [
        replace(row, turns=row.turns | merged[row.memory_id])
        for row in rows
        if row.status in ("active", "archived")
    ]


async def morning(
    memory: Memory,
    bank_id: str,
    before: Sequence[Remembered],
    now: Sequence[Remembered],
    questions: Sequence[Question],
    counts: Counter[str],
    mode: str,
) -> None:
    """How much of the evidence is still readable, and found among the best ten. A summary holds the turns of those
    episodes whose words it repeats."""
    statuses = ("active",) if mode == "passive" else ("active", "archived")
    seen = [one for one in now if one.status in statuses]
    holds: dict[UUID, frozenset[str]] = {}
    for one in seen:
        holds[one.memory_id] = one.turns
        if one.summary:
            repeated = [episode.turns for episode in before if episode.text in one.text]
            holds[one.memory_id] = frozenset[str]().union(*repeated)
    readable = frozenset[str]().union(*holds.values())
    known = frozenset[str]().union(*(one.turns for one in before))
    counts["memories"] += len(seen)
    counts["characters"] += sum(len(one.text) for one in seen)
    for question in questions:
        evidence = question.evidence & known
        if not evidence:
            continue
        answer = await memory.recall(
            bank_id, RecallQuery(question.text, k=K, mode=cast("Any", mode), profile="precise")
        )
        found = frozenset[str]().union(
            *(holds.get(item.candidate.memory_id, frozenset()) for item in answer.items)
        )
        counts["questions"] += 1
        counts["readable"] += evidence <= readable
        counts["found"] += round(1000 * len(evidence & found) / len(evidence))


def count_pairs(
    episodes: Sequence[Remembered], questions: Sequence[Question], counts: dict[str, Counter[str]]
) -> None:
    """How many pairs each way of grouping makes, and how many of the gold ones."""
    place = {turn: n for n, one in enumerate(episodes) for turn in one.turns}
    gold: set[tuple[int, int]] = set()
    for question in questions:
        evidence = sorted({place[turn] for turn in question.evidence if turn in place})
        gold |= set(combinations(evidence, 2))
    vectors: Vectors = np.stack([one.embedding.to_numpy().astype(np.float32) for one in episodes])
    numbers = {cluster: n for n, cluster in enumerate(dict.fromkeys(one.cluster_id for one in episodes))}
    night = [-1 if one.cluster_id is None else numbers[one.cluster_id] for one in episodes]
    spread = spread_of(vectors)
    ways: dict[str, Labels] = {
        "the night's clusters": night,
        "the same, without what joins": hdbscan_labels(spread).tolist(),
        "the same, of vectors as they are": hdbscan_labels(vectors).tolist(),
        "HDBSCAN by excess of mass, its default": by_mass(spread),
        **{f"no clustering: by time, {n} together": [m // n for m in range(len(episodes))] for n in TOGETHER},
        **{f"connected components, cosine >= {least:g}": components(vectors, least) for least in COSINES},
        **{
            f"the same without what is shared, >= {least:g}": components(spread, least)
            for least in SPREAD_COSINES
        },
    }
    for way, labels in ways.items():
        members: dict[int, list[int]] = defaultdict(list)
        for n, label in enumerate(labels):
            if label >= 0:
                members[label].append(n)
        clusters = [each for each in members.values() if len(each) >= MIN_CLUSTER_SIZE]
        pairs = {pair for each in clusters for pair in combinations(each, 2)}
        counts[way].update(
            pairs=len(pairs), gold=len(gold), hit=len(pairs & gold), clustered=sum(map(len, clusters)),
            episodes=len(episodes), clusters=len(clusters),
        )  # fmt: skip
        counts[way]["biggest"] = max(counts[way]["biggest"], *map(len, clusters), 0)


def by_mass(vectors: Vectors) -> Labels:
    import hdbscan  # type: ignore[import-untyped]

    clusterer: Any = hdbscan.HDBSCAN(
        min_cluster_size=MIN_CLUSTER_SIZE, min_samples=MIN_SAMPLES, core_dist_n_jobs=1
    )
    return clusterer.fit_predict(vectors[:, : last_used(vectors)].astype(np.float64)).tolist()


def components(vectors: Vectors, least: float) -> Labels:
    _, labels = cast("Any", connected_components(vectors @ vectors.T >= least))
    return labels.tolist()


def show(tally: Tally) -> None:
    shown = table(
        "LoCoMo: pairs of turns that one question needs, brought together",
        *("grouping", "recall", "precision", "clustered", "clusters", "biggest", "pairs", "gold"),
    )
    for way, c in tally.pairs.items():
        shown.add_row(
            way, percent(c["hit"], c["gold"]), percent(c["hit"], c["pairs"], 2), percent(c["clustered"], c["episodes"]),
            *cells(c[name] for name in ("clusters", "biggest", "pairs", "gold")),
        )  # fmt: skip
    out.print(shown)
    shown = table(
        "LoCoMo, one night over all of it, by rules",
        *("memories that are seen", "number", "characters", "evidence readable", f"R@{K}", "questions"),
    )
    for when, c in tally.morning.items():
        shown.add_row(
            when, *cells(c[name] for name in ("memories", "characters")), percent(c["readable"], c["questions"]),
            percent(c["found"], 1000 * c["questions"]), str(c["questions"]),
        )  # fmt: skip
    out.print(shown)


def percent(part: int, of: int, digits: int = 1) -> str:
    return f"{100 * part / max(of, 1):.{digits}f}"


def cells(figures: Iterable[int]) -> list[str]:
    return [str(figure) for figure in figures]
