"""A process of its own that commits the texts on its first line of input when the second comes."""

from __future__ import annotations

import asyncio
import json
import sys

from memory_service.inputs import NewMemory
from memory_service.memory import Memory


async def commit(bank: str) -> None:
    async with await Memory.open(migrated=False) as memory:
        texts = json.loads(sys.stdin.readline())
        print("ready", flush=True)
        sys.stdin.readline()
        for text in texts:
            await memory.remember(bank, NewMemory(text))


if __name__ == "__main__":
    asyncio.run(commit(sys.argv[1]))
