"""Processes that commit the texts on their line of input, all begun before the first of them commits.

One process imports what they need and forks the others, one for each line.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence

from memory_service.memory import Memory


async def commit(bank: str, texts: Sequence[str], ready: int, go: int) -> None:
    async with await Memory.open(migrated=False) as memory:
        os.write(ready, b".")
        os.read(go, 1)
        for text in texts:
            await memory.remember(bank, text)


def main(bank: str, lines: Sequence[str]) -> None:
    one_ready, ready = os.pipe()
    go, said = os.pipe()
    children: list[int] = []
    for line in lines:
        child = os.fork()
        if not child:
            os.close(said)
            asyncio.run(commit(bank, json.loads(line), ready, go))
            os._exit(0)
        children.append(child)
    os.close(ready)
    begun = b"".join(os.read(one_ready, 1) for _ in lines)
    assert len(begun) == len(lines), "one of them ended before it began"
    os.close(said)  # all of them see the end
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(lines)


if __name__ == "__main__":
    main(sys.argv[1], sys.stdin.readlines())
