"""The write path behind the acknowledgement: a backlog worked off, beside the bare embedding model; acknowledging while
the backlog grows; a live message in another bank."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import AsyncGenerator, Collection, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import asyncpg
import uuid_utils.compat as uuids
from rich.table import Table

from memory_service.memory import Memory
from memory_service.models.built_model import built_model
from memory_service.models.local import LocalEmbedder
from memory_service.models.sentence_model import SentenceModel
from memory_service.requests import IMPORT, NewMessage
from memory_service.store.episodes import Episodes
from memory_service.worker_process import SWITCH_SECONDS
from tests.bench.clock import medians, row
from tests.bench.words import sentences, turns
from tests.support.scripted import ScriptedEmbedder, script

BACKLOG = 5_000
BANKS = 10
GROWING = (0, 1_000, 10_000, 100_000)
LIVE = 5
SETTLED_SECONDS = 0.5
"""Between two counts of the queue; each takes 13 ms of the server while messages wait."""
ACTIVATED = 40
"""Writes of each kind that `becoming_active` measures."""


EMBEDDED = """
select text
  from (select memory_id, unnest(array[summary, reply]) as text from memory.episodic_memory where bank_id = any ($1)
         union all
        select memory_id, fact from memory.semantic_memory where bank_id = any ($1)) as stored
 where text is not null
 order by memory_id
"""
"""The texts that have a vector: memories, replies of an assistant, facts."""


async def working_off(memory: Memory, admin: asyncpg.Connection[Any], folder: Path, table: Table) -> None:
    """A backlog of messages decided, embedded and active, beside the bare model on the very same texts, 32 at a time in
    their order: with every message an episode, as long and short as people's turns are and all of a length, which no
    sorting helps; and as exchanges past the gate."""
    model = bare_model(folder)
    for intake, said in (("verbatim", turns), ("verbatim", sentences), ("exchange", turns)):
        banks = [f"{intake}-{said.__name__}-{n}" for n in range(BANKS)]
        for bank_id in banks:
            await memory.create_bank(bank_id, {"intake": intake})
        texts = said(BACKLOG, seed=len(intake))
        for n, bank_id in enumerate(banks):
            await send(memory, bank_id, texts[n::BANKS])
        await memory.end_import(banks[0], ["c1"])
        for bank_id in banks:
            await memory.end_import(bank_id, ["c1"])
        gc.collect()
        before, started = resident(), time.perf_counter()
        async with worker(memory):
            await settled(memory, banks)
        seconds = time.perf_counter() - started
        grown = peak() - before
        rows = await admin.fetch(EMBEDDED, banks)
        embedded = [row["text"] for row in rows]
        bare = await asyncio.to_thread(per_second, model, embedded)
        ours = len(embedded) / seconds
        table.add_row(
            f"intake of {BACKLOG:,} {said.__name__}, {intake}", f"{ours:.0f} texts/s", f"{bare:.0f} texts/s",
            f"{ours / bare:.2f}", f"the bare model on the same {len(embedded):,} texts",
        )  # fmt: skip
        table.add_row(
            "  messages, and memory that it took",
            f"{BACKLOG / seconds:.0f} msg/s",
            "",
            "",
            f"{grown:+.0f} MB",
        )


async def backing_up(memory: Memory, bare: asyncpg.Connection[Any], table: Table) -> None:
    """Acknowledging without a worker: its time must not depend on the number of waiting messages."""
    await memory.create_bank("waiting", {"intake": "verbatim"})
    await bare.execute(
        "create table bare_waiting (bank_id text, message_id uuid primary key, conversation_id text, role text, "
        "content text)"
    )
    text = sentences(1)[0]

    async def ours() -> None:
        await memory.add_messages("waiting", "live", [NewMessage("user", text)])

    async def plain() -> None:
        await bare.execute(
            "insert into bare_waiting values ($1, $2, $3, $4, $5)",
            "waiting",
            uuids.uuid7(),
            "c1",
            "user",
            text,
        )

    sent = 0
    for depth in GROWING:
        await send(memory, "waiting", sentences(depth - sent, seed=depth), conversations=200)
        sent = depth
        found = await medians({"ours": ours, "plain": plain}, rounds=20)
        name = f"acknowledge, {depth:,} messages waiting"
        row(table, name, found["ours"], found["plain"], "INSERT of one row, plain table")


async def overtaking(memory: Memory, table: Table) -> None:
    """A live message in another bank, from sent to recallable, with a backlog behind and without."""
    await memory.create_bank("quick", {"intake": "verbatim"})
    texts = sentences(4 * LIVE, seed=99)
    async with worker(memory):
        idle = [await until_active(memory, text) for text in texts[:LIVE]]
    await memory.create_bank("crowd", {"intake": "verbatim"})
    await send(memory, "crowd", sentences(BACKLOG, seed=100), lane=0)
    left: list[int] = []
    async with worker(memory):
        await asyncio.sleep(1)
        behind: list[float] = []
        for text in texts[LIVE:]:
            behind.append(await until_active(memory, text))
            left.append((await memory.stats("crowd"))["messages"]["pending"])
            if not left[-1]:
                behind.pop()
                left.pop()
                break
        await settled(memory, ["crowd", "quick"])
    if not behind:
        raise RuntimeError("the backlog was gone before the first live message was recallable")
    ours, bare = sorted(behind)[len(behind) // 2], sorted(idle)[len(idle) // 2]
    table.add_row(
        f"live message beside {BACKLOG:,} waiting", f"{ours * 1000:.0f} ms", f"{bare * 1000:.0f} ms",
        f"{ours / bare:.1f}",
        f"the same on an idle service; {left[0]:,} of the others still waited",
    )  # fmt: skip


async def becoming_recallable(memory: Memory, bare: asyncpg.Connection[Any], table: Table) -> None:
    """A commit on an idle system until it is recallable, with an embedder that costs nothing; beside a row inserted, a
    NOTIFY, and a second row inserted by the connection that hears of it."""
    listening = await asyncpg.connect(memory.store.database.url)
    own = await asyncpg.connect(memory.store.database.url)
    await bare.execute("create table bare_commit (content text); create table bare_derived (content text)")
    await bare.execute("grant select, insert on bare_commit, bare_derived to public")
    heard = asyncio.Event()

    def hear(*_: object) -> None:
        heard.set()

    await listening.add_listener("bare_commit", hear)
    texts = iter(sentences(400, seed=7))

    async def ours() -> None:
        committed = await memory.remember("quick-commit", next(texts), wait_ms=10_000)
        if committed.status == "pending_embedding":
            raise RuntimeError("a commit was not recallable in time")

    async def plain() -> None:
        heard.clear()
        await own.execute("insert into bare_commit values ('a text')")
        await own.execute("select pg_notify('bare_commit', '')")
        await heard.wait()
        await listening.execute("insert into bare_derived values ('its vector')")

    async with await Memory.open(memory.settings, migrated=False) as working:
        script(working, ScriptedEmbedder())
        await memory.create_bank("quick-commit")
        async with worker(working):
            found = await medians({"ours": ours, "plain": plain}, rounds=30, each=5, pause=0.1)
    row(table, "commit until recallable, free embedder", found["ours"], found["plain"],
        "INSERT, NOTIFY, INSERT by who hears it")  # fmt: skip
    await listening.close()
    await own.close()


async def becoming_active(memory: Memory, folder: Path, table: Table) -> None:
    """From the acknowledgement of a write on an idle system until the transaction that makes it recallable has ended,
    with the built-in model, beside the model alone on the same text; there are no reads meanwhile."""
    model, ended, activate = bare_model(folder), asyncio.Event(), Episodes.activate

    async def noted(self: Episodes, *arguments: Any, **options: Any) -> int:
        count = await activate(self, *arguments, **options)
        ended.set()
        return count

    async def commit(text: str) -> None:
        await memory.remember("active-commit", text)

    async def message(text: str) -> None:
        await memory.add_messages("active-message", "c", [NewMessage("user", text)])

    writes = {"commit": commit, "message, verbatim": message}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in writes}
    with patch.object(Episodes, "activate", noted), short_switches():
        async with await Memory.open(memory.settings, migrated=False) as working:
            await working.models.load()
            await memory.create_bank("active-commit")
            await memory.create_bank("active-message", {"intake": "verbatim"})
            async with worker(working):
                for number, text in enumerate(sentences(ACTIVATED + 5, seed=23)):
                    for name, write in writes.items():
                        await asyncio.sleep(0.2)
                        ended.clear()
                        await write(text)
                        acknowledged = time.perf_counter()
                        await ended.wait()
                        recallable = time.perf_counter()
                        await asyncio.sleep(0.1)
                        began = time.perf_counter()
                        model.embed(model.tokenize([text]))
                        if number >= 5:  # the first ones warm caches up
                            own = time.perf_counter() - began
                            taken[name].append(((recallable - acknowledged) * 1000, own * 1000))
    for name, pairs in taken.items():
        ours, own = (median(values) for values in zip(*pairs, strict=True))
        row(
            table,
            f"{name} until active, idle",
            ours,
            own,
            f"the model on the same text; {ours - own:+.1f} ms",
        )


@contextmanager
def short_switches() -> Generator[None]:
    """Let threads wait for the interpreter as short as in the command `worker`."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


async def until_active(memory: Memory, text: str) -> float:
    """Seconds from the acknowledgement of a message until its episode is active."""
    known = (await memory.stats("quick"))["memories"].get("active", 0)
    started = time.perf_counter()
    await memory.add_messages("quick", "c1", [NewMessage("user", text)])
    while (await memory.stats("quick"))["memories"].get("active", 0) == known:
        await asyncio.sleep(0.005)
    return time.perf_counter() - started


async def send(
    memory: Memory, bank_id: str, texts: list[str], *, conversations: int = 1, lane: int = IMPORT
) -> None:
    roles = ("user", "assistant")
    for n, start in enumerate(range(0, len(texts), 100)):
        messages = [NewMessage(roles[i % 2], t, name="Ann" if i % 2 else None)
                    for i, t in enumerate(texts[start : start + 100])]  # fmt: skip
        await memory.add_messages(bank_id, f"c{n % conversations + 1}", messages, lane=lane)


@asynccontextmanager
async def worker(memory: Memory) -> AsyncGenerator[None]:
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    try:
        yield
    finally:
        stop.set()
        await working


async def settled(memory: Memory, banks: Collection[str]) -> None:
    """These banks have nothing left to do; others may wait for a model that is not to be had."""
    for bank_id in banks:
        while (await memory.stats(bank_id))["queue"]["depth"]:
            await asyncio.sleep(SETTLED_SECONDS)


def bare_model(folder: Path) -> SentenceModel:
    tokenizer_path = LocalEmbedder(folder / "models")._tokenizer_path()  # pyright: ignore[reportPrivateUsage]
    return SentenceModel(built_model(folder / "models"), tokenizer_path, 2)


def per_second(model: SentenceModel, texts: list[str]) -> float:
    """The better of two runs."""
    best = 0.0
    for _ in range(2):
        started = time.perf_counter()
        for start in range(0, len(texts), 32):
            model.embed(model.tokenize(texts[start : start + 32]))
        best = max(best, len(texts) / (time.perf_counter() - started))
    return best


def resident() -> float:
    """Megabytes of this process now."""
    return status("VmRSS")


def peak() -> float:
    """Megabytes of this process at its most."""
    return status("VmHWM")


def status(name: str) -> float:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024
