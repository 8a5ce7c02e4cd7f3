"""A service on a loopback socket, and the three ways to call it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal, cast

import uvicorn

from memory_service import Memory, MemoryClient, MemoryMethods, SyncMemoryClient
from memory_service.server.serve import address_of, listen
from tests.support.shared_app import app_on

Way = Literal["in process", "async", "sync"]


class InThreads:
    """The methods of a SyncMemoryClient as coroutines, each run in a thread."""

    def __init__(self, client: SyncMemoryClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._client, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            return await asyncio.to_thread(method, *arguments, **named)

        return call


@asynccontextmanager
async def served(memory: Memory) -> AsyncGenerator[str]:
    """The address of a service in this event loop, on a real socket."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app_on(memory), log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield address_of(listener)
    finally:
        server.should_exit = True
        await serving


@asynccontextmanager
async def client_at(address: str | None, way: Way, **options: Any) -> AsyncGenerator[MemoryMethods]:
    """A client of the service, with either transport."""
    if way == "async":
        async with MemoryClient(address, **options) as client:
            yield client
    else:
        with SyncMemoryClient(address, **options) as blocking:
            yield cast("MemoryMethods", InThreads(blocking))
