"""`make bench-rivals`: write and search beside LangGraph's store and mem0's, on the same texts, vectors and server.

20 banks of 500 memories; top 10. The rivals' code runs in a separate process and environment (first argument: its
python), in turns with this service and the bare statements, so that other load of the machine affects all alike.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np
import uuid_utils.compat as uuids
import uvloop
from pgvector import HalfVector  # type: ignore[import-untyped]
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]
from rich.console import Console
from rich.table import Table

from memory_service import logs
from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.bench.clock import Operation
from tests.bench.recall import MODEL, NEAREST, QUESTIONS, SMALL, SMALL_BANKS, LookedUp, fill
from tests.bench.sessions import growing_chats
from tests.bench.words import sentences

ROUNDS, WARM_UP, EACH = 12, 2, 20
LINES = (
    ("write", "this service, acknowledged", "write ours"),
    ("write", "LangGraph AsyncPostgresStore.aput", "write langgraph"),
    ("write", "mem0 PGVector.insert", "write mem0"),
    ("search", "this service, by meaning", "search ours"),
    ("search", "this service, all arms", "search all arms"),
    ("search", "LangGraph AsyncPostgresStore.asearch", "search langgraph"),
    ("search", "mem0 PGVector.search", "search mem0"),
)


async def main(python: str) -> None:
    logs.configure("error")
    with tempfile.TemporaryDirectory(prefix="memory-bench-") as folder, open_server(Path(folder)) as server:
        settings = Settings.model_validate({"data_dir": Path(folder), "pool_size": 4})
        async with await Memory.open(settings) as memory:
            admin = await asyncpg.connect(server.url(database="memory"))
            await register_vector(admin)
            await admin.execute("create database rivals")
            rivals = server.url(database="rivals")
            other = await asyncpg.connect(rivals)
            await other.execute("create extension vector")
            await other.close()
            given = Path(folder, "rivals")
            given.mkdir()
            await write_down(given)
            process = await asyncio.create_subprocess_exec(
                python,
                str(Path(__file__).with_name("process.py")),
                rivals,
                str(given),
                stdin=PIPE,
                stdout=PIPE,
            )
            try:
                taken = await in_turns(memory, admin, process)
            finally:
                if process.stdin is not None:
                    process.stdin.close()
                await process.wait()
            await admin.close()
            chats = Table("", "ours or LangGraph", "the text once", "ratio", "", box=None, pad_edge=False)
            await growing_chats(memory, server, chats, python)
    Console(highlight=False).print(table_of(taken), "", chats)


async def write_down(folder: Path) -> None:
    """The texts, queries and vectors, as process.py reads them."""
    banks = [sentences(SMALL, seed=number) for number in range(SMALL_BANKS)]
    known = [text for bank in banks for text in bank] + list(QUESTIONS)
    vectors = (await LookedUp().embed_documents(known)).vectors
    (folder / "texts.json").write_text(json.dumps(banks))
    (folder / "queries.json").write_text(json.dumps(QUESTIONS))
    np.save(folder / "vectors.npy", vectors)


async def in_turns(
    memory: Memory, admin: asyncpg.Connection[Any], process: asyncio.subprocess.Process
) -> dict[str, list[float]]:
    """Milliseconds of each operation of ours, of the rivals and of the bare statements."""
    embedder = LookedUp()
    memory.models.embedder = lambda name=None: embedder  # type: ignore[method-assign]
    await fill(memory, admin, [f"small-{n}" for n in range(SMALL_BANKS)], SMALL)
    await admin.execute(
        "create table bare (bank_id text, message_id uuid primary key, content text, occurred_at timestamptz)"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    filled = await process.stdout.readline()
    if filled.strip() != b"filled":
        raise SystemExit("the rivals' process did not start; its error is above")
    operations = await ours(memory, admin)
    taken: dict[str, list[float]] = {}
    for number in range(WARM_UP + ROUNDS):
        process.stdin.write(f"{EACH}\n".encode())
        round_of = {name: list[float]() for name in operations} | json.loads(await process.stdout.readline())
        for _ in range(EACH):
            for name, operation in operations.items():
                began = time.perf_counter()
                await operation()
                round_of[name].append((time.perf_counter() - began) * 1000)
        if number >= WARM_UP:
            for name, values in round_of.items():
                taken.setdefault(name, []).extend(values)
        await memory.flush()
    return taken


async def ours(memory: Memory, admin: asyncpg.Connection[Any]) -> dict[str, Operation]:
    turns = count()
    vectors = [HalfVector(v) for v in (await LookedUp().embed_documents(list(QUESTIONS))).vectors]

    def next_turn() -> tuple[str, int]:
        turn = next(turns)
        return f"small-{turn % SMALL_BANKS}", turn % len(QUESTIONS)

    async def write() -> None:
        bank, question = next_turn()
        await memory.add_messages(bank, "c1", [NewMessage("user", QUESTIONS[question])])

    async def write_bare() -> None:
        bank, question = next_turn()
        await admin.execute(
            "insert into bare values ($1, $2, $3, $4)",
            bank,
            uuids.uuid7(),
            QUESTIONS[question],
            datetime.now(UTC),
        )

    async def search() -> None:
        bank, question = next_turn()
        await memory.recall(bank, QUESTIONS[question], k=10, profile="precise", by=["meaning"])

    async def search_all() -> None:
        bank, question = next_turn()
        await memory.recall(bank, QUESTIONS[question], k=10)

    async def search_bare() -> None:
        bank, question = next_turn()
        await admin.fetch(NEAREST, bank, MODEL, vectors[question], 10)

    return {
        "write ours": write, "write bare": write_bare, "search ours": search, "search all arms": search_all,
        "search bare": search_bare,
    }  # fmt: skip


def table_of(taken: dict[str, list[float]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("", "who", "p50", "p95", "bare p50", "p50 / bare"):
        table.add_column(name, justify="left" if name in ("", "who") else "right")
    for what, who, key in LINES:
        bare, values = statistics.median(taken[f"{what} bare"]), taken[key]
        p50, p95 = statistics.median(values), statistics.quantiles(values, n=20)[-1]
        table.add_row(what, who, f"{p50:.2f} ms", f"{p95:.2f} ms", f"{bare:.2f} ms", f"{p50 / bare:.1f}")
    return table


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
