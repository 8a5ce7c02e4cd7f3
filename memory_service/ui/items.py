"""Memories by their ids, with their texts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from memory_service.errors import NotFound
from memory_service.memory import Memory
from memory_service.results import MemoryItem

MOST = 20
"""Most memories of a page that are read by their ids."""


async def items_of(memory: Memory, bank_id: str, ids: Sequence[UUID]) -> list[MemoryItem]:
    """The first MOST of these memories, in their order; erased ones are left out."""

    async def read(memory_id: UUID) -> MemoryItem | None:
        try:
            return await memory.get_memory(bank_id, memory_id)
        except NotFound:
            return None

    return [item for item in await asyncio.gather(*map(read, ids[:MOST])) if item is not None]
