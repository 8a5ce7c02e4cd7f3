"""A worker in the process of a command that waits for its results."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from memory_service.memory import Memory
from memory_service.results import BankStats

POLL_SECONDS = 0.2


@asynccontextmanager
async def working(memory: Memory) -> AsyncGenerator[asyncio.Task[None]]:
    """A worker until the block ends, as its task. Errors: those of Memory.work, at the end."""
    stop = asyncio.Event()
    worker = asyncio.create_task(memory.work(stop))
    try:
        yield worker
    finally:
        stop.set()
        await worker


async def work_until_idle(memory: Memory, bank_id: str, show: Callable[[int], object]) -> BankStats:
    """Run a worker until the bank has no work; its stats then.

    `show` is called with the number of messages and memories that wait, at each poll.
    Errors: NotFound; those of Memory.work.
    """
    async with working(memory) as worker:
        while True:
            stats = await memory.stats(bank_id)
            waiting = stats["messages"]["pending"] + stats["memories"].get("pending_embedding", 0)
            show(waiting)
            if worker.done() or not (waiting or stats["queue"]["depth"]):
                return stats
            await asyncio.sleep(POLL_SECONDS)
