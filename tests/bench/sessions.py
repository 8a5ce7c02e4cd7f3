"""A chat that grows by 1,000 messages in a session, with a checkpoint after each: milliseconds and bytes, beside
LangGraph's checkpoints on the same server, if it is installed (`make bench-rivals`), in turns."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import time
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

import asyncpg
from rich.table import Table

from memory_service.embedded import Server
from memory_service.memory import Memory
from memory_service.types import JsonObject
from tests.bench.words import sentences

STEPS, ROUND = 1_000, 25
CHARS = 300
BANK = "chats"
KINDS = ("langgraph_whole", "langgraph_delta")
RIVALS = Path(".venv-rivals/bin/python")
SIZE = "select sum(pg_total_relation_size(c.oid))::bigint from pg_class c where c.relname = any ($1)"
OURS = ["session_memory", "session_checkpoint", "session_part"]
THEIRS = ["checkpoints", "checkpoint_blobs", "checkpoint_writes"]


async def growing_chats(memory: Memory, server: Server, table: Table, python: Path | str = RIVALS) -> None:
    """Adds rows: a session to which messages are appended, one that gets the whole list, LangGraph's two channels."""
    admin = await asyncpg.connect(server.url(database="memory"))
    await memory.create_bank(BANK, {"most_checkpoints": 10_000})
    rivals = {kind: await langgraph(server, admin, python, kind) for kind in KINDS if Path(python).exists()}
    texts = messages()
    taken: dict[str, list[float]] = {}
    before = await admin.fetchval(SIZE, OURS)
    versions = {
        name: (await memory.create_session(BANK, "CHAT", {"messages": []}, session_id=name)).version
        for name in ("append", "whole")
    }
    for start in range(0, STEPS, ROUND):
        for name in versions:
            for step in range(start, start + ROUND):
                began = time.perf_counter()
                versions[name] = await one_step(memory, name, versions[name], texts[: step + 1])
                taken.setdefault(name, []).append((time.perf_counter() - began) * 1000)
        for kind, process in rivals.items():
            taken.setdefault(kind, []).extend(await ask(process, texts[start : start + ROUND]))
    size = (await admin.fetchval(SIZE, OURS) - before) // len(versions)  # both store the same
    reads: dict[str, float] = {}
    sizes: dict[str, Any] = dict.fromkeys(versions, size)
    for name in versions:
        began = time.perf_counter()
        found = await memory.get_session(BANK, name)
        reads[name] = (time.perf_counter() - began) * 1000
        assert found.data == {"messages": texts, "step": STEPS}
    for kind, process in rivals.items():
        reads[kind] = await ask(process, None)
        await process.wait()
        other = await asyncpg.connect(server.url(database=kind))
        sizes[kind] = await other.fetchval(SIZE, THEIRS)
        await other.close()
    await admin.close()
    add_rows(table, taken, reads, sizes, sum(len(json.dumps(text)) for text in texts))


async def one_step(memory: Memory, name: str, version: int, texts: list[JsonObject]) -> int:
    """Append the last message, set a number, and make a checkpoint; the session's version then."""
    if name == "append":
        append = {"messages": texts[-1:]}
        data: JsonObject = {"step": len(texts)}
        session = await memory.update_session(
            BANK, name, version, data=data, append=append, include_data=False
        )
    else:
        data = {"step": len(texts), "messages": list(texts)}
        session = await memory.update_session(BANK, name, version, data=data)
    await memory.create_checkpoint(BANK, name)
    return session.version


def messages() -> list[JsonObject]:
    words = " ".join(sentences(2_000)).split()
    choose = random.Random(1)
    return [
        {"role": ("user", "assistant")[n % 2], "content": " ".join(choose.choices(words, k=80))[:CHARS]}
        for n in range(STEPS)
    ]


async def langgraph(server: Server, admin: asyncpg.Connection[Any], python: Path | str, kind: str) -> Process:
    """Start LangGraph's process on a new database, which has the name of the kind of channel."""
    await admin.execute(f"create database {kind}")
    script = Path(__file__).with_name("rivals") / "checkpoints.py"
    process = await asyncio.create_subprocess_exec(
        str(python), str(script), server.url(database=kind), kind, stdin=PIPE, stdout=PIPE
    )
    assert process.stdout is not None
    if (await process.stdout.readline()).strip() != b"ready":
        raise SystemExit("LangGraph's process did not start; its error is above")
    return process


async def ask(process: Process, texts: list[JsonObject] | None) -> Any:
    """The milliseconds of each step; with None, those of reading, which ends the process."""
    assert process.stdin is not None
    assert process.stdout is not None
    if texts is None:
        process.stdin.close()
    else:
        process.stdin.write(json.dumps(texts).encode() + b"\n")
    return json.loads(await process.stdout.readline())


def add_rows(
    table: Table,
    taken: dict[str, list[float]],
    reads: dict[str, float],
    sizes: dict[str, Any],
    text: int,
) -> None:
    names = {
        "append": "session, the message sent",
        "whole": "session, the whole list sent",
        "langgraph_whole": "LangGraph, the whole list",
        "langgraph_delta": "LangGraph, DeltaChannel (beta)",
    }
    for name, values in taken.items():
        last = statistics.median(values[-100:])
        table.add_row(
            f"{names[name]}: a step with checkpoint", f"{statistics.median(values):.2f} ms", "", "",
            f"of {STEPS:,}; the last 100: {last:.2f} ms, p95 {statistics.quantiles(values, n=20)[-1]:.2f} ms",
        )  # fmt: skip
        table.add_row(
            "  bytes on disk, all checkpoints", f"{sizes[name] / 1e6:.2f} MB", f"{text / 1e6:.2f} MB",
            f"{sizes[name] / text:.1f}", f"the messages once; reading the last state {reads[name]:.1f} ms",
        )  # fmt: skip
    if not taken.keys() & set(KINDS):
        table.add_row("LangGraph", "", "", "", "not installed: make .venv-rivals/.installed")
