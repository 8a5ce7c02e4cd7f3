"""The MCP server over stdin and stdout, for one bank of a running service."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

from memory_service.client.client import MemoryClient
from memory_service.errors import MemoryServiceError, NotFound
from memory_service.extras import installed_by
from memory_service.mcp.starting import found_or_started
from memory_service.methods import MemoryMethods
from memory_service.running_service import URL, RunningService, find_service
from memory_service.vocabulary import KeyRole


class ServiceAccess:
    """The access of this process's API key, which the service checks. A service that has ended is started again."""

    agent_id = None
    actor = None

    def __init__(self, bank_id: str, *, create: bool) -> None:
        """`create`: the bank, where it does not exist."""
        self.bank_id = bank_id
        self._create = create
        self._client: MemoryClient | None = None
        self._service: RunningService | None = None
        self._connecting = asyncio.Lock()

    async def memory(self, role: KeyRole, *, erases: bool = False) -> MemoryMethods:
        async with self._connecting:
            if self._client is None or not await asyncio.to_thread(self._is_there):
                await self.aclose()
                self._client = await self._connected()
            return self._client

    async def memory_to_store(self, text: str) -> MemoryMethods:
        return await self.memory("write")

    def _is_there(self) -> bool:
        return self._service is None or find_service() == self._service

    async def _connected(self) -> MemoryClient:
        """A client of the service, whose bank exists. Errors: ServiceUnavailable, NotFound."""
        self._service = None if os.environ.get(URL) else await asyncio.to_thread(found_or_started)
        client = MemoryClient()
        try:
            try:
                await client.get_bank(self.bank_id)
            except NotFound:
                if not self._create:
                    raise
                await client.create_bank(self.bank_id)
        except BaseException:
            await client.aclose()
            raise
        return client

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


async def serve_stdio(bank_id: str, *, create: bool) -> None:
    """Answer one MCP client until stdin ends. The service starts meanwhile: the client does not wait for it."""
    with installed_by("mcp", "mcp"):
        from mcp.server.stdio import stdio_server

        from memory_service.mcp.server import build_server
    access = ServiceAccess(bank_id, create=create)
    server = build_server(lambda _: access)

    async def start() -> None:
        with suppress(MemoryServiceError):  # the first call says it
            await access.memory("read")

    starting = asyncio.create_task(start())
    try:
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())
    finally:
        starting.cancel()
        await access.aclose()
