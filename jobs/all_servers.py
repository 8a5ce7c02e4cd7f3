"""Run passes on all servers of the map, one after the other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import structlog
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from memory_service.config import Settings
from memory_service.connect import settings_of_server
from memory_service.errors import DatabaseUnavailable, DatabaseUnsuitable, MemoryServiceError
from memory_service.jobs.passes import Pass
from memory_service.jobs.report import Report
from memory_service.jobs.runner import FAILED, NO_DATABASE, SEVERITY, NightlyRun, RunOptions
from memory_service.logs import unexpected
from memory_service.memory import Memory
from memory_service.placement.move import delete_all_former_rows
from memory_service.store import Store
from memory_service.store.servers import HOME, Servers

log = structlog.get_logger()


async def run_passes(
    settings: Settings,
    passes: Sequence[Pass],
    options: RunOptions,
    report: Callable[[], Report],
    *,
    alone: bool,
    scrubs: bool = False,
) -> int:
    """Open the memory that the settings name and run the passes on all servers of its map, with `alone` on the home
    server, which `scrubs` overwrites erased rows of first; the exit code. Errors: as NightlyRun.run, Memory.open.

    One BLAS thread: clustering multiplies small matrices, where more threads only wait for each other and take
    processor time from other processes.
    """
    with threadpool_limits(1, "blas"):
        async with await Memory.open(settings, migrated=not options.dry_run, upkeep=True) as memory:
            servers = memory.store.database.servers
            if alone or options.bank_id is not None or servers is None or not servers.several:
                scrubbed = settings if scrubs else None
                return await NightlyRun(memory, passes, options, report(), scrubbed=scrubbed).run()
            return await run_on_all(memory, servers, passes, options, report, scrubs=scrubs)


async def run_on_all(
    memory: Memory,
    servers: Servers,
    passes: Sequence[Pass],
    options: RunOptions,
    report: Callable[[], Report],
    *,
    scrubs: bool = False,
) -> int:
    """Run the passes on each server; the most severe exit code.

    The server with the fewest due banks comes first, and none takes more than an equal share of the time that is left,
    so that a server with many banks does not keep others waiting. A server that does not answer is reported, and so
    is one whose former rows cannot be deleted: then no server is scrubbed.
    """
    began = time.monotonic()
    codes: list[int] = []
    if scrubs:
        failures = await asyncio.to_thread(delete_all_former_rows, memory.settings)
        for server, error in failures.items():
            scrubs = False  # a receipt must not call scrubbed what an interrupted move left on another server
            known = isinstance(error, MemoryServiceError)
            if not known:
                log.error("former rows were not deleted", server=server, **unexpected(error))
                codes.append(FAILED)
            report().not_scrubbed(server, str(error) if known else type(error).__name__)
    due: list[tuple[int, str, Store]] = []
    for server in (HOME, *sorted(servers.map.servers)):
        with noted_outage(server, report, codes):
            store = Store(await servers.database(server))
            due.append(((await store.upkeep.remaining(options.at)).free, server, store))
    due.sort(key=lambda one: one[:2])
    for place, (_, server, store) in enumerate(due):
        share = options.deadline
        if share is not None:
            share = (share - (time.monotonic() - began)) / (len(due) - place)
        with noted_outage(server, report, codes):
            one = report()
            one.on_server(server)
            scrubbed = memory.settings if scrubs else None
            if scrubbed is not None and server != HOME:
                urls = servers.map.servers[server]
                scrubbed = await asyncio.to_thread(settings_of_server, scrubbed, urls)
            options_there = replace(options, deadline=share)
            codes.append(await NightlyRun(memory, passes, options_there, one, store, scrubbed).run())
    return max(codes, key=SEVERITY.index)


@contextmanager
def noted_outage(server: str, report: Callable[[], Report], codes: list[int]) -> Generator[None]:
    """Report a server that does not answer, and go on with others."""
    try:
        yield
    except (DatabaseUnavailable, DatabaseUnsuitable) as error:
        report().unavailable(server, str(error))
        codes.append(NO_DATABASE)
