"""Recall in a bank on the second of two servers: through the home server's map, beside a process that knows this server
alone."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import asyncpg
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]
from rich.table import Table

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from memory_service.placement.registry import add_server
from memory_service.store.servers import SLOTS, ServerUrls
from tests.bench.clock import medians, row
from tests.bench.recall import EPISODES, QUESTIONS, LookedUp, fill

BANK = "routed"


async def routing(table: Table) -> None:
    """Both processes recall the same memories from the same database."""
    with (
        tempfile.TemporaryDirectory(prefix="memory-bench-") as folder,
        tempfile.TemporaryDirectory(prefix="memory-bench-") as second,
        open_server(Path(second)) as server,
    ):
        url = server.url(database="postgres")
        settings = Settings.model_validate({"data_dir": Path(folder), "pool_size": 4})
        beside = Settings.model_validate({"data_dir": Path(folder), "pool_size": 4, "DATABASE_URL": url})
        async with await Memory.open(settings) as routed:
            urls = ServerUrls(url, None, None)
            await asyncio.to_thread(add_server, settings, "s2", urls, SLOTS, "bench")
            servers = routed.store.database.servers
            if servers is None:
                raise RuntimeError("there is no map of servers")
            await servers.refresh()
            async with await Memory.open(beside, migrated=False) as direct:
                embedder = LookedUp()
                for memory in (routed, direct):
                    memory.models.embedder = lambda name=None: embedder  # type: ignore[method-assign]
                bare = await asyncpg.connect(url)
                await register_vector(bare)
                await fill(routed, bare, [BANK], EPISODES)
                await bare.close()
                query = {"query": QUESTIONS[0], "k": 10}

                async def ours() -> None:
                    await routed.recall(BANK, **query)  # type: ignore[arg-type]

                async def alone() -> None:
                    await direct.recall(BANK, **query)  # type: ignore[arg-type]

                found = await medians({"ours": ours, "alone": alone}, rounds=1_000, each=1)
                row(
                    table,
                    "recall in a bank of another server",
                    found["ours"],
                    found["alone"],
                    "without a map",
                )
