"""Operations over HTTP: quarantine, caps, dead letters."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memory_service.client.banks import CallsBase
from memory_service.client.request import bank_path, get, id_text, post
from memory_service.results import DeadLetter, MemoryItem, Page
from memory_service.vocabulary import MemoryStatus


@dataclass(frozen=True, slots=True)
class Restored:
    """Answer of `restore`."""

    memory_id: UUID
    status: MemoryStatus


@dataclass(frozen=True, slots=True)
class Redriven:
    """Answer of `redrive`."""

    redriven: int


class OperationCalls(CallsBase):
    """Methods for operators."""

    async def restore_memory(
        self, bank_id: str, memory_id: UUID, *, actor: str | None = None
    ) -> MemoryStatus:
        """Restore an episode that the caps archived or deprecated, or a dropped fact; returns its status. Errors:
        NotFound, Conflict."""
        path = bank_path(bank_id, "memories", id_text(memory_id, "memory_id"), "restore")
        return (await self._caller.call(post(path, {"actor": actor}, "by key"), Restored)).status

    async def release_memory(self, bank_id: str, memory_id: UUID, *, actor: str | None = None) -> MemoryItem:
        """Release a memory from quarantine. Errors: NotFound, Conflict where it is not in quarantine."""
        path = bank_path(bank_id, "memories", id_text(memory_id, "memory_id"), "release")
        return await self._caller.call(post(path, {"actor": actor}, "by key"), MemoryItem)

    async def list_dead_letters(
        self, bank_id: str | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> Page[DeadLetter]:
        """Work items that failed permanently, oldest first, of one bank or of all."""
        path = "/v1/dead-letters" if bank_id is None else bank_path(bank_id, "dead-letters")
        return await self._caller.call(get(path, {"limit": limit, "cursor": cursor}), Page[DeadLetter])

    async def redrive(self, bank_id: str) -> int:
        """Queue a bank's dead letters again, with all their attempts; returns their number."""
        request = post(bank_path(bank_id, "redrive"), None, "by key")
        return (await self._caller.call(request, Redriven)).redriven

    async def redrive_all(self) -> int:
        """Redrive every bank that has dead letters; returns their number. Never repeated."""
        return (await self._caller.call(post("/v1/redrive", None, "never"), Redriven)).redriven
