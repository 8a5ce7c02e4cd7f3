"""Notice that another release has migrated the database, or that the map of servers has changed, while this process
runs (docs/design.md, Upgrade)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog

from memory_service import __version__
from memory_service.db.migrate import API_VERSION
from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected
from memory_service.store.database import Database, Installation

CHECK_SECONDS = 2.0
"""Interval between two checks, which bounds how long a process calls the functions of another release."""

log = structlog.get_logger()


class UpgradeCheck:
    """Compares the API version of the database with this release's every CHECK_SECONDS.

    Once they differ, `upgraded` is set and every later call of the database raises DatabaseUnsuitable.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.upgraded = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while not self.upgraded.is_set():
            await asyncio.sleep(CHECK_SECONDS)
            try:
                found = await self._database.installation()
                if self._database.servers is not None and found.map_version is not None:
                    await self._database.servers.notice(found.map_version)
            except MemoryServiceError:
                continue  # every call reports it; checked again once the database answers
            except Exception as error:
                log.error("the API version could not be checked", **unexpected(error))  # noqa: TRY400
                continue
            if found.api_version != API_VERSION:
                self._refuse(f"{version_difference(found)} Restart this process with the installed release.")

    def _refuse(self, reason: str) -> None:
        self._database.refuse(reason)
        log.error("the database was migrated by another release; this process stops", reason=reason)
        self.upgraded.set()

    async def aclose(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


def version_difference(found: Installation) -> str:
    """Both API versions and releases, as one sentence."""
    return (
        f"the database has API version {found.api_version} (release {found.release}); "
        f"release {__version__} works with {API_VERSION}."
    )
