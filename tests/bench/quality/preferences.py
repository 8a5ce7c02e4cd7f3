"""Statements made once: the share of later questions whose context contains them.

PrefEval: a preference that a generic answer would violate. LoCoMo-Plus: a remark to which a later remark alludes. Banks
of 50 such statements, then the given number of filler messages, then the questions, which share no words with the
statements. Beside it the same memories by cosine alone, filled into as many tokens.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import numpy as np

from memory_service.cli.worker import working
from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.worlds import MOST_CHARS

BETWEEN = (10, 100, 300)
BUDGETS = (300, 700, 1_000)
RECENT_SHARE = 0.3
EACH = 50
BANKS = 4
START = datetime(2025, 3, 1, 18, tzinfo=UTC)
COSINE_TOKENS = 30
"""Tokens of a line around the text, roughly."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the user said once, the reply, and the later question."""

    text: str
    reply: str
    question: str


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    message_id: UUID


@asynccontextmanager
async def in_process(data: Path) -> AsyncGenerator[Memory]:
    """A service in process with a worker."""
    async with await Memory.open(Settings.model_validate({"data_dir": data})) as memory, working(memory):
        yield memory


async def settled(memory: Memory, bank: str) -> None:
    """Return when all that was sent to the bank has been decided."""
    while (stats := await memory.stats(bank))["messages"]["pending"] or stats["queue"]["depth"]:
        await asyncio.sleep(0.2)


def fillers(folder: Path) -> list[tuple[str, str]]:
    """Role and text of messages about other matters."""
    turns = [(t["role"], t["content"]) for row in rows(folder, "prefeval_fillers_dev") for t in row["turns"]]
    turns += [(t["role"], t["content"]) for row in rows(folder, "beam_dev")[:4] for t in row["turns"]]
    return [(role, text[:MOST_CHARS]) for role, text in turns if text.strip()]


def preferences(folder: Path) -> list[Said]:
    return [
        Said(row["preference"], "Understood, I will keep that in mind.", row["question"])
        for row in rows(folder, "prefeval_dev")
    ]


def cues(folder: Path) -> list[Said]:
    """The remarks of LoCoMo-Plus with one line and one reply."""
    found: list[Said] = []
    for row in rows(folder, "locomo_plus_dev"):
        lines = [
            line.split(":", 1)[1].strip() for line in re.split(r"\n|\\n", row["cue_dialogue"]) if ":" in line
        ]
        if len(lines) == 2:
            found.append(Said(lines[0], lines[1], re.sub(r"^[AB]:\s*", "", row["trigger_query"])))
    return found


async def load(
    memory: Memory,
    bank: str,
    chosen: Sequence[Said],
    between: Sequence[tuple[str, str]],
    settings: Mapping[str, Any] | None = None,
) -> tuple[list[Asked], datetime]:
    """Send the statements and then the filler messages; return the questions and the time at which they are asked."""
    await memory.create_bank(bank, settings)
    at = START
    asked: list[Asked] = []
    for n, said in enumerate(chosen):
        ids = await memory.add_messages(
            bank,
            f"p{n}",
            [
                NewMessage("user", said.text, occurred_at=at, id=f"p{n}"),
                NewMessage("assistant", said.reply, occurred_at=at + timedelta(minutes=1), id=f"a{n}"),
            ],
        )
        asked.append(Asked(said.question, ids[0]))
        at += timedelta(hours=20)
    for n, (role, text) in enumerate(between):
        await memory.add_messages(
            bank,
            f"f{n // 20}",
            [NewMessage(role, text, occurred_at=at, id=f"f{n}")],  # type: ignore[arg-type]
        )
        at += timedelta(minutes=5)
    await memory.end_import(bank, [f"p{n}" for n in range(len(chosen))])
    await settled(memory, bank)
    return asked, at + timedelta(hours=1)


async def holders(memory: Memory, bank: str) -> dict[UUID, set[UUID]]:
    """The memories and norms that hold each message."""
    found: dict[UUID, set[UUID]] = {}
    cursor = None
    while True:
        page = await memory.list_decisions(bank, limit=200, cursor=cursor)
        for decision in page.items:
            for message in decision.message_ids:
                if decision.memory_id is not None:
                    found.setdefault(message, set()).add(decision.memory_id)
        cursor = page.next_cursor
        if cursor is None:
            break
    for norm in await memory.list_norms(bank, all_states=True):
        for ids in found.values():
            if ids.intersection(norm.derived_from):
                ids.add(norm.memory_id)
    return found


async def measure(
    folder: Path,
    between: Sequence[int] = BETWEEN,
    banks: int = BANKS,
    settings: Mapping[str, Any] | None = None,
) -> None:
    other = fillers(folder)
    for name, said in (("PrefEval", preferences(folder)), ("LoCoMo-Plus", cues(folder))):
        if said and other:
            await measure_set(name, said, other, between, banks, settings)


async def measure_set(
    name: str,
    said: Sequence[Said],
    other: Sequence[tuple[str, str]],
    between: Sequence[int],
    banks: int,
    settings: Mapping[str, Any] | None,
) -> None:
    step = max(len(said) // EACH, 1)
    heads = [f"{budget} tokens" for budget in BUDGETS]
    shown = table(
        f"{name}: contexts that hold it, in percent", "turns between", "stored", "norm",
        *heads, *(f"cosine {budget}" for budget in BUDGETS),
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="memory-preferences-") as scratch:
        async with in_process(Path(scratch) / "data") as memory:
            for count in between:
                held = dict.fromkeys(
                    [*heads, *(f"cosine {budget}" for budget in BUDGETS), "stored", "norm"], 0
                )
                total = 0
                for n in range(min(banks, step)):
                    bank = f"said{n}.{count}"
                    asked, at = await load(memory, bank, said[n::step][:EACH], other[:count], settings)
                    found = await holders(memory, bank)
                    norms = {norm.memory_id for norm in await memory.list_norms(bank)}
                    texts, vectors = await plain(memory, bank)
                    for one in asked:
                        ids = found.get(one.message_id, set())
                        total += 1
                        held["stored"] += bool(ids)
                        held["norm"] += bool(ids & norms)
                        for budget in BUDGETS:
                            recent = round(RECENT_SHARE * budget)
                            context = await memory.context(
                                bank,
                                one.question,
                                recent_tokens=recent,
                                knowledge_tokens=budget - recent,
                                as_of=at,
                            )
                            printed = {
                                memory_id for section in context.sections for memory_id in section.memory_ids
                            }
                            held[f"{budget} tokens"] += bool(printed & ids)
                            filled = await nearest(memory, one.question, texts, vectors, budget)
                            held[f"cosine {budget}"] += bool(filled & ids)
                figures = [f"{100 * held[name] / total:.0f}" for name in ("stored", "norm", *heads)]
                figures += [f"{100 * held[f'cosine {budget}'] / total:.0f}" for budget in BUDGETS]
                shown.add_row(str(count), *figures)
    out.print(shown)


async def plain(memory: Memory, bank: str) -> tuple[list[tuple[UUID, str]], Any]:
    """All active episodes with their vectors."""
    texts: list[tuple[UUID, str]] = []
    cursor = None
    while True:
        page = await memory.list_memories(bank, type="episodic", status="active", limit=200, cursor=cursor)
        texts += [(item.memory_id, item.content) for item in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    embedder = memory.models.embedder()
    parts = [
        (await embedder.embed_documents([text[:1_000] for _, text in texts[i : i + 64]])).vectors
        for i in range(0, len(texts), 64)
    ]
    return texts, np.concatenate(parts)


async def nearest(
    memory: Memory, question: str, texts: Sequence[tuple[UUID, str]], vectors: Any, budget: int
) -> set[UUID]:
    """The memories nearest to the question that fill the budget."""
    query = (await memory.models.embedder().embed_query(question)).vectors[0]
    room, filled = budget, set[UUID]()
    for n in cast("list[int]", np.argsort(-(vectors @ query)).tolist()):
        cost = len(texts[n][1]) // 4 + COSINE_TOKENS // 2
        if cost > room:
            break
        room -= cost
        filled.add(texts[n][0])
    return filled
