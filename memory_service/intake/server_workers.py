"""Workers for the other servers of the map, in the process of the home server's worker (docs/servers.md)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog

from memory_service.config import Settings
from memory_service.errors import MemoryServiceError
from memory_service.intake.worker import Worker
from memory_service.logs import unexpected
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.database import Database
from memory_service.store.servers import Servers

MAP_SECONDS = 1.0
"""Interval at which servers that were added are found in the map."""
RETRY_SECONDS = 5.0
"""Pause after a server did not answer or its URLs have changed."""

log = structlog.get_logger()


async def work_for_others(servers: Servers, models: Models, settings: Settings, stop: asyncio.Event) -> None:
    """Run a worker for each server but the home server, also for those added meanwhile, until `stop` is set."""
    working: set[str] = set()
    async with asyncio.TaskGroup() as workers:
        while not stop.is_set():
            for server in servers.map.servers:
                if server not in working:
                    working.add(server)
                    workers.create_task(work_for(server, servers, models, settings, stop))
            await pause(stop, MAP_SECONDS)


async def work_for(
    server: str, servers: Servers, models: Models, settings: Settings, stop: asyncio.Event
) -> None:
    """Run a worker for a server until `stop` is set; begin again when it answers again or its URLs have changed."""
    while not stop.is_set():
        try:
            await work_on(await servers.database(server), models, settings, stop)
        except MemoryServiceError as error:
            log.warning("no worker for a server", server=server, error=str(error))
        except Exception as error:
            log.error("no worker for a server", server=server, **unexpected(error))  # noqa: TRY400
        await pause(stop, RETRY_SECONDS)


async def work_on(database: Database, models: Models, settings: Settings, stop: asyncio.Event) -> None:
    """Run a worker on a database until `stop` is set or the database is closed."""
    store = Store(database)
    worker = Worker(store, models, settings)
    running = asyncio.create_task(worker.run())
    events = [asyncio.create_task(event.wait()) for event in (stop, database.closed)]
    try:
        await asyncio.wait((running, *events), return_when=asyncio.FIRST_COMPLETED)
        worker.stop()
        await running
    finally:
        for task in (running, *events):
            task.cancel()
        await asyncio.gather(running, *events, return_exceptions=True)
        await store.notifications.aclose()


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Sleep, until `stop` is set at the latest."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
