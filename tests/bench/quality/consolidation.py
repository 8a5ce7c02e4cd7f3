"""Consolidation of LoCoMo by rules: pairs of turns in one cluster, and evidence that reads find before and after it.

Gold pairs are two turns that one question needs together: the evidence of a fact drawn from several episodes. A memory
contains a turn to the share of the turn's words, among those of the question and its answer, that the memory has; a
summary counts for the turns of the episodes that it summarizes.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.jobs.clustering import (
    MIN_CLUSTER_SIZE,
    MIN_SAMPLES,
    dimensions_of,
    hdbscan_labels,
    spread_of,
    with_time,
)
from memory_service.jobs.consolidate import Consolidate
from memory_service.jobs.episode_groups import PIECE
from memory_service.jobs.passes import PassContext
from memory_service.memory import Memory
from memory_service.models.interface import Vectors
from memory_service.rules.gate.sentence_score import FILLER
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Question, conversation
from tests.conftest import settle

K = 10
CONTEXTS = ((700, "balanced"), (700, "precise"), (300, "precise"))
"""Tokens of knowledge, and the profile."""
WORD = re.compile(r"[^\W\d_]+|\d+")
ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|ly)s?$")
COSINES = (0.73, 0.8)
SPREAD_COSINES = (0.5, 0.55, 0.6)
TOGETHER = (6, PIECE)
Labels = Sequence[int]

EPISODES = """
select e.memory_id, e.occurred_at, e.summary, e.status, e.cluster_id, e.merged_into_id,
       array(select l.linked_id from memory.memory_link l
              where l.bank_id = e.bank_id and l.memory_id = e.memory_id and l.reason = 'summary') as sums,
       (select array_agg(m.client_id) from memory.message m where m.bank_id = e.bank_id and m.memory_id = e.memory_id)
           as turns,
       (select v.embedding from memory.memory_vector v
         where v.bank_id = e.bank_id and v.memory_id = e.memory_id and v.part = 0) as embedding
  from memory.episodic_memory e
 where e.bank_id = $1
 order by e.occurred_at, e.memory_id"""


@dataclass(frozen=True, slots=True)
class Remembered:
    """An episode or a summary, and its turns."""

    memory_id: UUID
    occurred_at: datetime
    text: str
    status: str
    cluster_id: UUID | None
    sums: frozenset[UUID]
    """Of a summary: its episodes."""
    merged_into_id: UUID | None
    turns: frozenset[str]
    embedding: Any


@dataclass(slots=True)
class Tally:
    """Sums over conversations."""

    pairs: dict[str, Counter[str]]
    morning: dict[str, Counter[str]]


async def measure(files: Sequence[Path]) -> None:
    """Store each conversation, consolidate it 31 days after its last episode, print the figures before and after."""
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
    turns = {one.id: one.content for messages in said.values() for one in messages if one.id}
    asked = Asked(
        memory, bank_id, turns, questions, max(one.occurred_at for one in before) + timedelta(days=31)
    )
    await asked.morning(before, tally.morning["before"], "passive")
    bank = await memory.store.banks.read(bank_id)
    await Consolidate().run(bank, PassContext(memory.store, memory.models, memory.settings, asked.at))
    after = await read(bare, bank_id)
    await asked.morning(after, tally.morning["after, as in a context"], "passive")
    await asked.morning(after, tally.morning["after, asked by a tool"], "tool")
    count_pairs([one for one in after if not one.sums], questions, tally.pairs)


async def read(bare: Any, bank_id: str) -> list[Remembered]:
    """The active and archived episodes of the bank; the turns of merged episodes count for the episode they are merged
    into, those of summarized episodes also for the summary."""
    rows = [
        Remembered(
            row["memory_id"], row["occurred_at"], row["summary"], row["status"], row["cluster_id"],
            frozenset(row["sums"]), row["merged_into_id"], frozenset(row["turns"] or ()), row["embedding"],
        )
        for row in await bare.fetch(EPISODES, bank_id)
    ]  # fmt: skip
    merged: dict[UUID, frozenset[str]] = defaultdict(frozenset)
    for row in rows:
        if row.merged_into_id is not None:
            merged[row.merged_into_id] |= row.turns
    turns = {row.memory_id: row.turns | merged[row.memory_id] for row in rows}
    return [
        replace(row, turns=turns[row.memory_id].union(*(turns[one] for one in row.sums)))
        for row in rows
        if row.status in ("active", "archived")
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a bank."""

    memory: Memory
    bank_id: str
    turns: Mapping[str, str]
    """The content of each turn, by its id."""
    questions: Sequence[Question]
    at: datetime
    """The time of the consolidation and of the contexts."""

    async def morning(self, now: Sequence[Remembered], counts: Counter[str], mode: str) -> None:
        """Add the share of evidence in visible memories, in the ten best of a recall, and in contexts to `counts`."""
        statuses = ("active",) if mode == "passive" else ("active", "archived")
        seen = {one.memory_id: one for one in now if one.status in statuses}
        known = frozenset[str]().union(*(one.turns for one in seen.values()))
        counts["memories"] += len(seen)
        counts["characters"] += sum(len(one.text) for one in seen.values())
        words = {memory_id: words_of(one.text) for memory_id, one in seen.items()}
        for question in self.questions:
            needed = {turn: self._needed(question, turn) for turn in question.evidence & known}
            if not needed:
                continue

            def said(memories: Iterable[UUID], needed: Mapping[str, frozenset[str]] = needed) -> int:
                held = [(seen[one].turns, words[one]) for one in memories if one in seen]
                best = [
                    max(
                        (len(asked & text) / len(asked) for turns, text in held if turn in turns), default=0.0
                    )
                    for turn, asked in needed.items()
                ]
                return round(1000 * sum(best) / len(best))

            counts["questions"] += 1
            counts["readable"] += said(seen)
            answer = await self.memory.recall(
                self.bank_id, question.text, k=K, mode=cast("Any", mode), profile="precise"
            )
            counts["found"] += said(item.memory_id for item in answer.items)
            for tokens, profile in CONTEXTS if mode == "passive" else ():
                context = await self.memory.context(
                    self.bank_id,
                    question.text,
                    knowledge_tokens=tokens,
                    profile=profile,
                    as_of=self.at,
                )
                shown = [one for section in context.sections for one in section.memory_ids]
                counts[f"{tokens} {profile}"] += said(shown)

    def _needed(self, question: Question, turn: str) -> frozenset[str]:
        """The words of a turn that the question and its answer use; where they use none, all of them."""
        text = words_of(self.turns[turn])
        return frozenset(text & words_of(f"{question.text} {question.answer}") or text or {""})


def words_of(text: str) -> frozenset[str]:
    """Content words without their commonest endings, and numbers."""
    return frozenset(ENDING.sub("", word) for word in WORD.findall(text.lower()) if word not in FILLER)


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
    timed = with_time(spread, [one.occurred_at for one in episodes])
    ways: dict[str, Labels] = {
        "the night's clusters": night,
        "the same, without what joins": hdbscan_labels(timed).tolist(),
        "the same, without time": hdbscan_labels(spread).tolist(),
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
    return clusterer.fit_predict(vectors[:, : dimensions_of(vectors)].astype(np.float64)).tolist()


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
        *("memories that are seen", "number", "characters", "evidence readable", f"R@{K}"),
        *(f"in {tokens}, {profile}" for tokens, profile in CONTEXTS),
        "questions",
    )
    for when, c in tally.morning.items():
        shown.add_row(
            when, *cells(c[name] for name in ("memories", "characters")),
            *(percent(c[name], 1000 * c["questions"]) for name in ("readable", "found")),
            *(percent(c[f"{tokens} {profile}"], 1000 * c["questions"]) for tokens, profile in CONTEXTS),
            str(c["questions"]),
        )  # fmt: skip
    out.print(shown)


def percent(part: int, of: int, digits: int = 1) -> str:
    return f"{100 * part / max(of, 1):.{digits}f}"


def cells(figures: Iterable[int]) -> list[str]:
    return [str(figure) for figure in figures]
