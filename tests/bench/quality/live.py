"""What a live user gets back: evidence among the first 10 and in a context, asked at the end with default settings.

Every world goes through the service's own way in: messages over HTTP, intake by rules, the built-in embedding model.
Beside it stand the plain things on the same memories: cosine alone, words alone, the latest.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np
from pgvector import HalfVector  # type: ignore[import-untyped]
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]

from memory_service.config import Settings
from memory_service.intake.embed import numbered_pieces
from memory_service.memory import Memory
from memory_service.models.built_model import MINILM
from memory_service.models.interface import Vectors
from memory_service.models.token_counter import token_counter
from memory_service.recall.line_order import says_no_more
from tests.bench.quality.data import out, table
from tests.bench.quality.direct import rows_in_bank
from tests.bench.quality.evidence import Question
from tests.bench.quality.http_client import HttpClient, serving
from tests.bench.quality.retrieval import any_word_rank
from tests.bench.quality.scores import ndcg
from tests.bench.quality.worlds import (
    World,
    beam,
    chats,
    locomo,
    locomo_plus,
    own,
    prefeval,
    realmem,
    without_names,
)

BUDGETS = (300, 500, 1_000, 2_000, 4_000)
"""Tokens of a context, 30 % of them recent, as by default."""
RECENT_SHARE = 0.3
HALF_A_YEAR = timedelta(days=180)
K = 10
UNRELATED = Path(__file__).with_name("unrelated_messages.txt")
"""Messages that concern nothing known, one a line: questions of general knowledge, tasks, small talk."""
UNRELATED_BUDGET = 1_000
GENERAL = "general cosine"
"""By all-MiniLM-L6-v2 as it is, without the adapter."""


@dataclass(frozen=True, slots=True)
class Bank:
    """A world that is remembered, and which messages each memory rests on."""

    world: World
    bank_id: str
    origins: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class Score:
    """Sums over questions of one set and one way to answer."""

    questions: int = 0
    recall: float = 0.0
    ndcg: float = 0.0

    def add(self, found: Sequence[frozenset[str]], evidence: frozenset[str]) -> None:
        """`found` are the messages of the memories, best first; a message found before is no hit again."""
        covered = frozenset[str]()
        hits: list[bool] = []
        for ids in found[:K]:
            hits.append(not ids & evidence <= covered)
            covered |= ids & evidence
        self.questions += 1
        self.recall += len(covered) / len(evidence)
        self.ndcg += ndcg(hits, len(evidence), K)

    def shown(self) -> str:
        return f"{100 * self.recall / self.questions:.1f} / {100 * self.ndcg / self.questions:.1f}"


def all_worlds(folder: Path) -> Iterator[World]:
    for world in locomo(folder):
        yield world
        yield without_names(world)
    yield from own()
    yield from chats(held=False)
    yield from chats(held=True)
    yield from beam(folder)
    yield from realmem(folder)
    yield from prefeval(folder)
    yield from locomo_plus(folder)


async def measure(folder: Path, sets: Sequence[str] = (), intake: str = "exchange") -> None:
    """Send every world to a service, ask its questions, and print the tables. `sets`: only those with these names."""
    with tempfile.TemporaryDirectory(prefix="memory-live-") as scratch:
        data = Path(scratch) / "data"
        settings = Settings.model_validate({"data_dir": data})
        with serving(data) as address:
            async with (
                HttpClient.open(address) as client,
                await Memory.open(settings, migrated=False) as memory,
            ):
                report = Report()
                for world in all_worlds(folder):
                    if sets and world.set not in sets:
                        continue
                    begin = time.monotonic()
                    await ask(client, memory, await remembered(client, world, intake), report)
                    out.print(f"{world.set}, {world.bank}: {time.monotonic() - begin:.0f} s")
                report.show(intake)


async def remembered(client: HttpClient, world: World, intake: str) -> Bank:
    bank_id = f"{world.bank}.{intake}"
    await client.load(bank_id, intake, world.said, world.settings, origins=False)
    return Bank(world, bank_id, await client.messages_of(bank_id))


@dataclass(slots=True)
class Report:
    ranked: dict[tuple[str, str], Score] = field(default_factory=lambda: defaultdict(Score))
    """By set and way."""
    abilities: dict[tuple[str, str, str], Score] = field(default_factory=lambda: defaultdict(Score))
    contexts: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    """By set and budget: the share of a question's evidence."""
    seconds: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    stored: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    unrelated: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    """By set: the lines of RELEVANT and the tokens of a context for a message of UNRELATED."""

    def show(self, intake: str) -> None:
        sets = list(dict.fromkeys(name for name, _ in self.ranked))
        ways = list(dict.fromkeys(way for _, way in self.ranked))
        shown = table(
            f"evidence@10 / nDCG@10, intake {intake}, asked at the end, in percent",
            "set",
            "stored",
            *ways,
            "questions",
        )
        for name in sets:
            figures = [self.ranked[name, way].shown() for way in ways]
            stored = 100 * sum(self.stored[name]) / len(self.stored[name])
            shown.add_row(name, f"{stored:.1f}", *figures, str(self.ranked[name, ways[0]].questions))
        out.print(shown)
        heads = list(dict.fromkeys(head for _, head in self.contexts))
        shown = table("evidence in a context, by tokens, in percent", "set", *heads)
        for name in sets:
            shown.add_row(name, *(mean(self.contexts[name, head]) for head in heads))
        shown.add_row("milliseconds, median", *(self.milliseconds(head) for head in heads))
        out.print(shown)
        shown = table(
            f"contexts of {UNRELATED_BUDGET:,} tokens for messages that concern nothing known",
            "set", "lines of RELEVANT", "tokens",
        )  # fmt: skip
        for name, found in self.unrelated.items():
            shown.add_row(name, *(f"{sum(one) / len(one):.1f}" for one in zip(*found, strict=True)))
        out.print(shown)
        shown = table("evidence@10 / nDCG@10 by ability", "set", "ability", *ways[:2], "questions")
        for name, ability in dict.fromkeys((name, ability) for name, ability, _ in self.abilities):
            scores = [self.abilities[name, ability, way] for way in ways[:2]]
            shown.add_row(name, ability, *(score.shown() for score in scores), str(scores[0].questions))
        out.print(shown)

    def milliseconds(self, head: str) -> str:
        seconds = sorted(self.seconds[int(head)]) if head.isdigit() else []
        return f"{1000 * seconds[len(seconds) // 2]:.0f}" if seconds else ""


def mean(values: Sequence[float]) -> str:
    return f"{100 * sum(values) / len(values):.1f}" if values else ""


async def ask(client: HttpClient, memory: Memory, bank: Bank, report: Report) -> None:
    world = bank.world
    name = world.set
    plain = await Plain.of(memory, bank)
    kept = frozenset[str]().union(*bank.origins.values())
    holders = {**bank.origins, **await norms_of(client, bank, plain), **await facts_of(client, bank, plain)}
    sources = {**bank.origins, **await client.messages_of_facts(bank.bank_id, bank.origins)}
    count = token_counter("wordpiece")
    ways: dict[str, Callable[[Question], Awaitable[Sequence[str]]]] = {
        "default": lambda q: recalled(client, bank, q),
        "cosine": lambda q: plain.nearest(q),
        GENERAL: lambda q: plain.nearest_in_general(q),
        "words": lambda q: plain.words(q),
        "default, 180 days on": lambda q: recalled(client, bank, q, later=HALF_A_YEAR),
        "balanced": lambda q: recalled(client, bank, q, profile="balanced"),
    }
    for question in world.questions:
        if not question.evidence:
            continue
        report.stored[name].append(len(kept & question.evidence) / len(question.evidence))
        nearest: dict[str, list[str]] = {}
        for way, answer in ways.items():
            found = [i for i in await answer(question) if not plain.is_itself(i, question)]
            if way in ("cosine", GENERAL):
                nearest[way] = found
            ids = [sources.get(i, frozenset[str]()) for i in found]
            report.ranked[name, way].add(ids, question.evidence)
            report.abilities[name, question.ability, way].add(ids, question.evidence)
        for budget in BUDGETS:
            begin = time.perf_counter()
            memories = await in_context(client, bank, question, budget)
            report.seconds[budget].append(time.perf_counter() - begin)
            report.contexts[name, str(budget)].append(share(holders, memories, question))
        for way, found in nearest.items():
            for budget in (300, 1_000):
                filled = plain.filled(found, budget, count)
                report.contexts[name, f"{way} {budget}"].append(share(bank.origins, filled, question))
        latest = plain.filled(plain.latest(question), 1_000, count)
        report.contexts[name, "latest 1000"].append(share(bank.origins, latest, question))
    for message in UNRELATED.read_text("utf-8").splitlines():
        made = await context_of(client, bank, message, world.end, UNRELATED_BUDGET)
        lines = sum(len(one["memory_ids"]) for one in made["sections"] if one["name"] == "RELEVANT")
        report.unrelated[name].append((lines, made["tokens"]))
    await plain.close()


def share(holders: Mapping[str, frozenset[str]], memories: Sequence[str], question: Question) -> float:
    covered = frozenset[str]().union(*(holders.get(i, frozenset[str]()) for i in memories))
    return len(covered & question.evidence) / len(question.evidence)


async def norms_of(client: HttpClient, bank: Bank, plain: Plain) -> dict[str, frozenset[str]]:
    """The messages that each norm holds: of the episodes that say no more than it."""
    found: dict[str, frozenset[str]] = {}
    for norm in await client.call("GET", f"/v1/banks/{bank.bank_id}/relational/norms"):
        text = f"{norm['norm']} {norm['situation']}"
        held = [i for i in norm["derived_from"] if i in bank.origins and says_no_more(plain.text(i), text)]
        found[norm["memory_id"]] = frozenset[str]().union(*(bank.origins[i] for i in held))
    return found


async def facts_of(client: HttpClient, bank: Bank, plain: Plain) -> dict[str, frozenset[str]]:
    """The messages that each fact holds: of the episodes that say no more than it."""
    found: dict[str, frozenset[str]] = {}
    async for fact in client.facts(bank.bank_id):
        held = [
            i for i in fact["derived_from"] if i in bank.origins and says_no_more(plain.text(i), fact["fact"])
        ]
        found[fact["memory_id"]] = frozenset[str]().union(*(bank.origins[i] for i in held))
    return found


def asked_at(bank: Bank, question: Question) -> datetime:
    """At the end; a question that was part of the chat at its own moment."""
    return question.at or bank.world.end


async def recalled(
    client: HttpClient,
    bank: Bank,
    question: Question,
    *,
    later: timedelta = timedelta(),
    profile: str | None = None,
) -> list[str]:
    body: dict[str, Any] = {
        "query": question.text[:4_000], "k": K + len(question.itself),
        "as_of": (asked_at(bank, question) + later).isoformat(),
    }  # fmt: skip
    if profile is not None:
        body["profile"] = profile
    answer = await client.call("POST", f"/v1/banks/{bank.bank_id}/recall", body)
    return [item["memory_id"] for item in answer["items"]]


async def in_context(client: HttpClient, bank: Bank, question: Question, budget: int) -> list[str]:
    answer = await context_of(client, bank, question.text, asked_at(bank, question), budget)
    return [memory_id for section in answer["sections"] for memory_id in section["memory_ids"]]


async def context_of(client: HttpClient, bank: Bank, message: str, at: datetime, budget: int) -> Any:
    recent = round(RECENT_SHARE * budget)
    body = {
        "message": message, "recent_tokens": recent, "knowledge_tokens": budget - recent, "as_of": at.isoformat(),
    }  # fmt: skip
    return await client.call("POST", f"/v1/banks/{bank.bank_id}/context", body)


class Plain:
    """The same memories by cosine, by ts_rank of any word, and by time, without anything of this project's ranking."""

    def __init__(
        self, memory: Memory, connection: Any, bank: Bank, rows: Sequence[Any], general: Sequence[Vectors]
    ) -> None:
        self._memory = memory
        self._general = general
        self._connection = connection
        self._bank = bank
        self._texts = {row["id"]: row["summary"] for row in rows}
        self._times = {row["id"]: row["occurred_at"] for row in rows}

    @classmethod
    async def of(cls, memory: Memory, bank: Bank) -> Plain:
        connection = await asyncpg.connect(memory.store.database.url)
        await register_vector(connection)
        rows = await rows_in_bank(
            connection, bank.bank_id,
            "select memory_id::text as id, summary, occurred_at from memory.episodic_memory "
            "where bank_id = $1 and status = 'active' order by occurred_at desc, memory_id", bank.bank_id,
        )  # fmt: skip
        embedder = memory.models.embedder(MINILM)
        pieces = [[piece for _, piece in numbered_pieces(row["summary"], None, embedder)] for row in rows]
        vectors = (await embedder.embed_documents(list(chain.from_iterable(pieces)))).vectors
        ends = list(accumulate(map(len, pieces)))
        return cls(memory, connection, bank, rows, np.split(vectors, ends[:-1]) if ends else [])

    async def close(self) -> None:
        await self._connection.close()

    def text(self, memory_id: str) -> str:
        return self._texts.get(memory_id, "")

    def is_itself(self, memory_id: str, question: Question) -> bool:
        return bool(self._bank.origins.get(memory_id, frozenset[str]()) & question.itself)

    async def nearest(self, question: Question) -> list[str]:
        vector = (await self._memory.models.embedder().embed_query(question.text)).vectors[0]
        return await self._ids(
            "select e.memory_id::text as id, min(v.embedding <=> $2) as by from memory.episodic_memory e "
            "join memory.memory_vector v using (bank_id, memory_id) "
            "where bank_id = $1 and e.status = 'active' and part < memory_internal.first_reply_part() "
            "and occurred_at <= $3 "
            "group by 1 order by by",
            HalfVector(vector), question,
        )  # fmt: skip

    async def nearest_in_general(self, question: Question) -> list[str]:
        """By all-MiniLM-L6-v2 without the adapter."""
        vector = (await self._memory.models.embedder(MINILM).embed_query(question.text)).vectors[0]
        near = {i: float((v @ vector).max()) for i, v in zip(self._times, self._general, strict=True)}
        seen = [i for i, at in self._times.items() if at <= asked_at(self._bank, question)]
        return sorted(seen, key=lambda i: -near[i])[: 5 * K]

    async def words(self, question: Question) -> list[str]:
        return await self._ids(
            f"select e.memory_id::text as id, {any_word_rank('$2')} as by from memory.episodic_memory e "
            "where bank_id = $1 and e.status = 'active' and occurred_at <= $3 order by by desc nulls last",
            question.text, question,
        )  # fmt: skip

    def latest(self, question: Question) -> list[str]:
        return [i for i, at in self._times.items() if at <= asked_at(self._bank, question)]

    def filled(self, memories: Sequence[str], budget: int, count: Callable[[str], int]) -> list[str]:
        """The first memories that fit, each as `- date: "text"`."""
        found: list[str] = []
        for memory_id in memories:
            line = f'- {self._times[memory_id]:%Y-%m-%d}: "{self._texts[memory_id]}"\n'
            cost = count(line)
            if cost > budget:
                break
            budget -= cost
            found.append(memory_id)
        return found

    async def _ids(self, statement: str, value: object, question: Question) -> list[str]:
        rows = await rows_in_bank(
            self._connection, self._bank.bank_id, f"{statement} limit {5 * K}",
            self._bank.bank_id, value, asked_at(self._bank, question),
        )  # fmt: skip
        return [row["id"] for row in rows]
