"""What the caller of a tool may do: the bank, and its memory for calls of a role."""

from __future__ import annotations

from typing import Protocol

from memory_service.methods import MemoryMethods
from memory_service.vocabulary import KeyRole


class Access(Protocol):
    """The rights of one call. Errors of its methods: NotFound, Forbidden, RateLimited."""

    @property
    def bank_id(self) -> str: ...

    @property
    def agent_id(self) -> str | None:
        """The agent of the caller's key; None where the service knows it from the key that it gets."""
        ...

    @property
    def actor(self) -> str | None:
        """The name for judgements and erasures; None as for `agent_id`."""
        ...

    async def memory(self, role: KeyRole, *, erases: bool = False) -> MemoryMethods:
        """The memory, for a call that needs this role, or also the right to erase."""
        ...

    async def memory_to_store(self, text: str) -> MemoryMethods:
        """The memory, for a call that stores this text: it counts towards the rate limits of messages."""
        ...
