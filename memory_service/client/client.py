"""`MemoryClient`: the methods of `Memory` over HTTP, for asyncio."""

from __future__ import annotations

from typing import Self

from memory_service.client.caller import Caller, Limits, target_of
from memory_service.client.methods import Calls
from memory_service.extras import installed_by

TIMEOUT_SECONDS = 30.0
DEADLINE_SECONDS = 60.0
MAX_ATTEMPTS = 4


class MemoryClient(Calls):
    """Long-term memory for agents, from a running service.

    The methods, results and errors are those of `Memory`. ServiceUnavailable is raised where the service cannot be
    reached or does not answer in time.

        async with MemoryClient("http://127.0.0.1:8080") as memory:
            await memory.remember("anna", "Anna moved to Porto.", wait_ms=2000)
            result = await memory.recall("anna", "Where does Anna live?", k=3)
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        deadline_seconds: float = DEADLINE_SECONDS,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> None:
        """`base_url`: default MEMORY_URL, else the service that runs on the data folder. `api_key`: default
        MEMORY_API_KEY or the file MEMORY_API_KEY_FILE; an empty one sends none.

        `timeout_seconds` limits one attempt, `deadline_seconds` all of a call with its pauses; `wait_ms` and
        `wait_seconds` of a call are added to both. Only calls that are safe to repeat are sent again, at most
        `max_attempts` times in all. Errors: InvalidInput, also where the extra `client` is not installed.
        """
        limits = Limits(timeout_seconds, deadline_seconds, max_attempts)
        target = target_of(base_url, api_key)
        with installed_by("client", "MemoryClient"):
            from memory_service.client.transport import AsyncTransport
        super().__init__(Caller(target, AsyncTransport(target.address), limits))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self.caller.aclose()

    def __repr__(self) -> str:
        return f"MemoryClient({self.caller.target.address!r})"
