"""`make bench`: acknowledging, recall, embedding, intake and nightly run, each beside the bare operation."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import asyncpg
import httpx
import uuid_utils.compat as uuids
import uvicorn
import uvloop
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]
from rich.console import Console
from rich.table import Table

from memory_service import logs
from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.keys import Grant, generate_key, hash_of
from memory_service.memory import Memory
from memory_service.metrics import CONNECTION_WAIT, HTTP_REQUESTS, Counts
from memory_service.models.built_model import built_model
from memory_service.models.local import LocalEmbedder
from memory_service.models.sentence_model import SentenceModel
from memory_service.requests import NewMessage
from memory_service.server.app import create_app
from memory_service.server.authentication import Authenticator
from memory_service.server.dependencies import check_grant
from memory_service.store.keys import StoredKey
from tests.bench.clock import medians, row
from tests.bench.hooks import hooks
from tests.bench.intake import backing_up, becoming_active, becoming_recallable, overtaking, working_off
from tests.bench.large import large_bank
from tests.bench.mixed import mixed
from tests.bench.nightly import nights
from tests.bench.recall import recalling
from tests.bench.reembed import reembedding
from tests.bench.routing import routing
from tests.bench.serving import serving
from tests.bench.sessions import growing_chats
from tests.bench.shared import shared
from tests.bench.words import sentences

TEXT = (
    "My sister Maria lives in Lisbon and works as a nurse at the city hospital, she loves it there and we "
    "visit her every summer with the kids and the dog, mostly by train."
)
PARTS = (
    "acknowledge",
    "commit",
    "recall",
    "large",
    "embed",
    "intake",
    "nightly",
    "sessions",
    "reembed",
    "routing",
    "serve",
    "hooks",
    "shared",
    "mixed",
)
"""`python -m tests.bench recall` measures one of them."""
FULL = "--full"
"""Option: nightly run (nightly.py), large bank (large.py) and mixed load (mixed.py) have their full size."""

out = Console(highlight=False)


async def main(wanted: Collection[str], *, full: bool) -> None:
    """Print the measured rows, also where a part fails."""
    logs.configure("error")
    table = Table(box=None, pad_edge=False)
    for name in ("operation", "ours", "bare", "ratio", "against"):
        table.add_column(name)
    try:
        await measure(table, wanted, full=full)
    finally:
        out.print(table)


async def measure(table: Table, wanted: Collection[str], *, full: bool) -> None:
    """Add the rows of the wanted parts to the table."""
    with tempfile.TemporaryDirectory(prefix="memory-bench-") as folder, open_server(Path(folder)) as server:
        settings = Settings.model_validate({"data_dir": Path(folder), "pool_size": 4})
        async with await Memory.open(settings) as memory:
            bare = await asyncpg.connect(server.url(database="memory"))
            await register_vector(bare)
            out.print(f"fsync {await bare.fetchval('show fsync')}, synchronous_commit on, one client\n")
            if "acknowledge" in wanted:
                await acknowledging(memory, bare, table)
            if "recall" in wanted:
                await recalling(memory, bare, table)
            if "large" in wanted:
                await large_bank(memory, bare, table, full=full)
            if "embed" in wanted:
                await embedding(Path(folder), table)
            if "commit" in wanted:
                await becoming_recallable(memory, bare, table)
                await becoming_active(memory, Path(folder), table)
            if "intake" in wanted:
                await working_off(memory, bare, Path(folder), table)
                await overtaking(memory, table)
                await backing_up(memory, bare, table)
            if "nightly" in wanted:
                await nights(memory, bare, Path(folder), table, full=full)
            if "sessions" in wanted:
                await growing_chats(memory, server, table)
            if "reembed" in wanted:
                await reembedding(settings, table)
            await bare.close()
    if "routing" in wanted:
        await routing(table)
    if "serve" in wanted:
        await asyncio.to_thread(serving, table)
    if "hooks" in wanted:
        await asyncio.to_thread(hooks, table)
    if "shared" in wanted:
        await asyncio.to_thread(shared, table)
    if "mixed" in wanted:
        await asyncio.to_thread(mixed, table, full=full)


async def acknowledging(memory: Memory, bare: asyncpg.Connection[Any], table: Table) -> None:
    """One message: redaction, the message, its work; beside one row into a plain table, and beside a table that has
    the message table's own columns, indexes and keys."""
    await memory.create_bank("ack")
    await bare.execute(
        "create table bare (bank_id text, message_id uuid primary key, conversation_id text, role text, "
        "content text, occurred_at timestamptz)"
    )
    await bare.execute("create table bare_indexed (like memory.message including all)")
    now = datetime.now(UTC)
    positions = itertools.count()

    async def ours() -> None:
        await memory.add_messages("ack", "c1", [NewMessage("user", TEXT)])

    async def plain() -> None:
        await bare.execute(
            "insert into bare values ($1, $2, $3, $4, $5, $6)", "ack", uuids.uuid7(), "c1", "user", TEXT, now
        )

    async def indexed() -> None:
        await bare.execute(
            "insert into bare_indexed "
            "(bank_id, message_id, conversation_id, role, content, occurred_at, recorded_at, position) "
            "values ($1, $2, $3, $4, $5, $6, $6, $7)",
            "ack", uuids.uuid7(), "c1", "user", TEXT, now, next(positions),
        )  # fmt: skip

    found = await medians({"ours": ours, "plain": plain, "indexed": indexed}, rounds=60)
    row(table, "acknowledge a message", found["ours"], found["plain"], "INSERT of one row, plain table")
    row(table, "", found["ours"], found["indexed"], "INSERT of one row, same columns and indexes")

    async with hanging_models(memory):
        hung = await medians({"ours": ours, "plain": plain}, rounds=30)
    row(table, "  while both models hang", hung["ours"], hung["plain"], "the same, at the same time")
    await over_http(memory, table, found["plain"])


@asynccontextmanager
async def hanging_models(memory: Memory) -> AsyncGenerator[None]:
    """Run a worker with a claimed extraction and a claimed embedding, whose Gemini accepts calls and never answers."""
    accepted: list[asyncio.StreamWriter] = []

    async def never_answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.append(writer)  # kept open, never written to

    server = await asyncio.start_server(never_answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    environment = os.environ | {
        "MEMORY_DATA_DIR": str(memory.settings.data_dir),
        "MEMORY_GEMINI_BASE_URL": f"http://127.0.0.1:{port}",
        "MEMORY_EXCHANGE_QUIET_SECONDS": "0.1",
        "MEMORY_LOG_LEVEL": "error",
        "GEMINI_API_KEY": "none",
    }
    await memory.store.banks.create("hung", {}, "gemini-embedding-2")
    await memory.store.banks.create("hung-verbatim", {"intake": "verbatim"}, "gemini-embedding-2")
    for bank_id in ("hung", "hung-verbatim"):
        await memory.add_messages(bank_id, "c1", [NewMessage("user", TEXT), NewMessage("user", TEXT)])
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "memory_service", "worker", "--until-stdin-ends", env=environment, stdin=PIPE
    )
    while len(accepted) < 2:
        await asyncio.sleep(0.05)
    try:
        yield
    finally:
        worker.terminate()
        await worker.wait()
        for writer in accepted:
            writer.close()
        server.close()


async def over_http(memory: Memory, table: Table, bare: float) -> None:
    """The same through the HTTP door on a real socket, beside a call that does nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(create_app(memory), log_level="error", access_log=False, lifespan="off")
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}") as client:
        body = {"conversation_id": "c3", "messages": [{"role": "user", "content": TEXT}]}

        async def post() -> None:
            (await client.post("/v1/banks/ack/messages", json=body)).raise_for_status()

        async def nothing() -> None:
            (await client.get("/healthz")).raise_for_status()

        found = await medians({"ours": post, "nothing": nothing}, rounds=20)
    server.should_exit = True
    await serving
    row(table, "acknowledge over HTTP", found["ours"], found["nothing"], "GET /healthz over the same HTTP")
    row(table, "  beyond that call", found["ours"] - found["nothing"], bare, "INSERT of one row, plain table")
    await authenticating(table)
    counting(table)


async def authenticating(table: Table) -> None:
    """The check of a request's API key while it is cached, beside one SHA-256 of the key."""
    key = generate_key()
    grant = Grant(key.key_id, "read", ("tenant-a:*", "anna"), False, None, None, None, None, None)
    stored = StoredKey(hash_of(key.key), None, grant, None)
    keys = SimpleNamespace(
        any_exists=AsyncMock(return_value=True), read=AsyncMock(return_value=stored), record_uses=AsyncMock()
    )
    authenticator = Authenticator(cast("Memory", SimpleNamespace(store=SimpleNamespace(keys=keys))))
    calls = 200

    async def ours() -> None:
        for _ in range(calls):
            grant = await authenticator.grant(f"Bearer {key.key}")
            assert grant is not None
            check_grant(grant, "read", "anna")

    async def plain() -> None:
        for _ in range(calls):
            hash_of(key.key)

    found = await medians({"ours": ours, "plain": plain}, rounds=20)
    table.add_row(
        "authenticate a request, its key cached", f"{found['ours'] / calls * 1000:.1f} µs",
        f"{found['plain'] / calls * 1000:.1f} µs", f"{found['ours'] / found['plain']:.1f}", "SHA-256 of the key",
    )  # fmt: skip


def counting(table: Table) -> None:
    """The counting of one recall over HTTP: its request, stages and waits for a connection; beside an empty call."""
    figures = {"embed_ms": 3.1, "search_ms": 2.2, "rerank_ms": 1.4}
    counts, calls = Counts(), 10_000
    began = time.perf_counter()
    for _ in range(calls):
        counts.observe_read("recall", figures)
        counts.count(HTTP_REQUESTS, "/v1/banks/{bank_id}/recall", "POST", "200")
        counts.observe(CONNECTION_WAIT, 0.0001)
        counts.observe(CONNECTION_WAIT, 0.0001)
    ours = time.perf_counter() - began
    began = time.perf_counter()
    for _ in range(calls):
        len(figures)
    plain = time.perf_counter() - began
    table.add_row(
        "count a recall for /metrics", f"{ours / calls * 1e6:.1f} µs", f"{plain / calls * 1e6:.2f} µs",
        f"{ours / plain:.0f}", "an empty call",
    )  # fmt: skip


async def embedding(folder: Path, table: Table) -> None:
    """Texts a second through the embedder, beside the bare model on the same batches."""
    texts = sentences(1_024)
    embedder = LocalEmbedder(folder / "models")
    await embedder.embed_documents(texts[:64])
    model = SentenceModel(built_model(folder / "models"), embedder._tokenizer_path(), 2)  # pyright: ignore[reportPrivateUsage]
    best = {"ours": 0.0, "bare": 0.0}
    for _ in range(5):
        started = time.perf_counter()
        for start in range(0, len(texts), 64):
            await embedder.embed_documents(texts[start : start + 64])
        best["ours"] = max(best["ours"], len(texts) / (time.perf_counter() - started))
        started = time.perf_counter()
        for start in range(0, len(texts), 32):
            model.embed(model.tokenize(texts[start : start + 32]))
        best["bare"] = max(best["bare"], len(texts) / (time.perf_counter() - started))
    await embedder.aclose()
    table.add_row(
        "embedding", f"{best['ours']:.0f}/s", f"{best['bare']:.0f}/s", f"{best['ours'] / best['bare']:.2f}",
        "the bare model, batches of 32",
    )  # fmt: skip


if __name__ == "__main__":
    wanted = [word for word in sys.argv[1:] if word != FULL]
    uvloop.run(main(wanted or PARTS, full=FULL in sys.argv))
