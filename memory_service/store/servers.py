"""Which server has a bank, and calls of that server (docs/servers.md).

The home server has the map: 1,024 slots of banks, and the banks that are not on the server of their slot. Each process
keeps a copy and reads it again when its version changes, or when a server answers that it does not have a bank. With
one server no call takes another query.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import asyncpg
import structlog

from memory_service.errors import BankElsewhere, DatabaseUnavailable, DatabaseUnsuitable, MemoryServiceError
from memory_service.logs import unexpected

if TYPE_CHECKING:
    from memory_service.store.database import Database

T = TypeVar("T")

HOME = "home"
SLOTS = 1024
POLL_SECONDS = 0.5
"""Between two reads of the map's version, once there are several servers."""
WAIT_SECONDS = 15.0
"""Longest wait of a call for a bank that is being moved: longer than moving a bank at its caps takes."""
PAUSE_SECONDS = 0.1

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ServerUrls:
    """The URLs of a server, as DATABASE_URL, DATABASE_DIRECT_URL and DATABASE_READ_URL."""

    url: str
    direct_url: str | None
    read_url: str | None


@dataclass(frozen=True, slots=True)
class ServerMap:
    """One version of the map."""

    version: int
    servers: Mapping[str, ServerUrls]
    """All but the home server."""
    slots: Mapping[int, str]
    """Those that are not on the home server."""
    places: Mapping[str, str]
    """Banks that are not on the server of their slot."""

    def server_of(self, bank_id: str) -> str:
        """The server that has a bank, or that a bank of this name is created on."""
        place = self.places.get(bank_id)
        return place or self.slots.get(slot_of(bank_id), HOME)


def slot_of(bank_id: str) -> int:
    """The slot of a bank: the same as memory_internal.server_slot_of."""
    return int.from_bytes(hashlib.sha256(bank_id.encode()).digest()[:2]) % SLOTS


def read_map(row: Mapping[str, Any]) -> ServerMap:
    """The map from a row of read_server_map."""
    return ServerMap(
        row["version"],
        {name: ServerUrls(**urls) for name, urls in row["servers"].items()},
        {int(slot): server for slot, server in row["slots"].items()},
        row["places"],
    )


class Servers:
    """The databases of all servers, by the map of the home server."""

    def __init__(self, home: Database, open_server: Callable[[ServerUrls], Awaitable[Database]]) -> None:
        self._home = home
        self._open_server = open_server
        self.map = ServerMap(0, {}, {}, {})
        self._databases: dict[str, tuple[ServerUrls, Database]] = {}
        self._opening: dict[str, asyncio.Task[Database]] = {}
        self._following: asyncio.Task[None] | None = None
        self.answering: dict[str, bool] = {}
        """Whether each server answered the last call of all servers that does without those that do not."""

    @property
    def several(self) -> bool:
        """Whether there are other servers than the home server."""
        return bool(self.map.servers)

    async def call(self, bank_id: object, call: Callable[[Database], Awaitable[T]]) -> T:
        """Await a call of the server that has this bank; of the home server, where it is None.

        Waits for a bank that is being moved. Errors: those of the call; DatabaseUnavailable for a move that takes
        longer than WAIT_SECONDS.
        """
        if not isinstance(bank_id, str):
            return await call(self._home)
        ends = time.monotonic() + WAIT_SECONDS
        while True:
            version = self.map.version
            try:
                return await call(await self._database_of(bank_id))
            except BankElsewhere:
                last = DatabaseUnavailable("the bank is not on the server that the map of servers names")
            except DatabaseUnavailable as error:
                if not (self.several and isinstance(error.__cause__, asyncpg.ReadOnlySQLTransactionError)):
                    raise
                last = DatabaseUnavailable("the bank is being moved to another server; try again")
            await self.refresh()
            if self.map.version == version:
                if time.monotonic() > ends:
                    raise last
                await asyncio.sleep(PAUSE_SECONDS)

    async def call_all(self, call: Callable[[Database], Awaitable[T]], *, partly: bool = False) -> list[T]:
        """Await a call of each server; the answers, that of the home server first.

        `partly`: without those that do not answer, which are noted in `answering`. Errors: those of the calls.
        """
        if not self.several:
            return [await call(self._home)]

        async def of(server: str) -> T:
            return await call(await self.database(server))

        others = sorted(self.map.servers)
        answers = await asyncio.gather(call(self._home), *map(of, others), return_exceptions=True)
        found: dict[str, T] = {}
        for server, answer in zip([HOME, *others], answers, strict=True):
            if not isinstance(answer, BaseException):
                found[server] = answer
            elif not (partly and server != HOME and isinstance(answer, MemoryServiceError)):
                raise answer
        if partly:
            self.answering = {server: server in found for server in (HOME, *others)}
        return [*found.values()]

    def opened_for(self, bank_id: str) -> Database:
        """The database of the bank's server, where this process has opened it; else that of the home server."""
        return self._databases.get(self._server_of(bank_id), (None, self._home))[1]

    async def check_place(self, bank_id: str, database: Database) -> None:
        """Errors: BankElsewhere where a bank of this name is created on another server than that of `database`."""
        server = await self._home.answer("fetchval", "memory_api.lock_place", {"bank": bank_id})
        if self._databases.get(server, (None, self._home))[1] is not database:
            raise BankElsewhere

    async def locate(self, bank_id: str) -> Database:
        """The database that has a bank now, for transactions of many statements. Errors: DatabaseUnavailable."""
        await self.refresh()
        return await self._database_of(bank_id)

    async def refresh(self) -> None:
        """Read the map again. Errors: DatabaseUnavailable."""
        row = await self._home.answer("fetchrow", "memory_api.read_server_map", {})
        read = read_map(row)
        if read.version == self.map.version:
            return
        self.map = read
        for database in (self._home, *(opened for _, opened in self._databases.values())):
            if database.replica is not None:
                database.replica.require_newer()
        for server, (urls, database) in [*self._databases.items()]:
            if read.servers.get(server) != urls:
                del self._databases[server]
                await database.close()
        if self.several and self._following is None:
            self._following = asyncio.create_task(self._follow(), context=Context())

    async def notice(self, version: int) -> None:
        """Read the map again if this is not its version. Errors: DatabaseUnavailable."""
        if version != self.map.version:
            await self.refresh()

    async def aclose(self) -> None:
        for task in [self._following, *self._opening.values()]:
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, MemoryServiceError):
                    await task
        for _, database in self._databases.values():
            await database.close()

    def _server_of(self, bank_id: str) -> str:
        return self.map.server_of(bank_id) if self.several else HOME

    async def _database_of(self, bank_id: str) -> Database:
        return await self.database(self._server_of(bank_id))

    async def database(self, server: str) -> Database:
        """The database of a server of the map, opened at the first use.

        Errors: DatabaseUnavailable; DatabaseUnsuitable, also after another release migrated the home server.
        """
        if server == HOME:
            return self._home
        self._home.raise_if_refused()
        if (opened := self._databases.get(server)) is not None:
            return opened[1]
        opening = self._opening.get(server)
        if opening is None:
            opening = self._opening[server] = asyncio.create_task(self._open(server), context=Context())
        # A call that is cancelled does not end the opening, which others wait for.
        return await asyncio.shield(opening)

    async def _open(self, server: str) -> Database:
        try:
            urls = self.map.servers[server]
            database = await self._open_server(urls)
        except (DatabaseUnavailable, DatabaseUnsuitable) as error:
            raise type(error)(f"server {server}: {error}") from error
        finally:
            del self._opening[server]
        database.counts = self._home.counts
        self._databases[server] = (urls, database)
        return database

    async def _follow(self) -> None:
        """Read the map again whenever its version changes."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.notice(await self._home.answer("fetchval", "memory_api.server_map_version", {}))
            except MemoryServiceError:
                continue  # every call reports it
            except Exception as error:
                log.error("the map of servers cannot be read", **unexpected(error))  # noqa: TRY400
