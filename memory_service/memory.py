"""`Memory`: the one class that the HTTP interface, the command line and programs call."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Self

from memory_service.api.banks import BankMethods
from memory_service.api.erasures import ErasureMethods
from memory_service.api.keys import KeyMethods
from memory_service.api.operations import OperationMethods
from memory_service.api.person import PersonMethods
from memory_service.api.reads import ReadMethods
from memory_service.api.reembedding import ReembeddingMethods
from memory_service.api.sessions import SessionMethods
from memory_service.api.thresholds import ThresholdMethods
from memory_service.api.writes import WriteMethods
from memory_service.config import Settings, load_settings
from memory_service.connect import Access, access_database
from memory_service.doctor import Finding, examine_running
from memory_service.expiry import expire_idempotency_keys, run_hourly
from memory_service.intake.server_workers import work_for_others
from memory_service.intake.worker import Worker
from memory_service.metric_writer import MetricWriter
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.upgrade_check import UpgradeCheck


class Memory(
    BankMethods,
    WriteMethods,
    ErasureMethods,
    ReadMethods,
    PersonMethods,
    SessionMethods,
    OperationMethods,
    KeyMethods,
    ThresholdMethods,
    ReembeddingMethods,
):
    """Long-term memory for agents, in Postgres.

    All methods raise InvalidInput naming the field, NotFound for an unknown bank, DatabaseUnavailable while the
    database does not answer.

        async with await Memory.open() as memory:
            await memory.create_bank("anna")
            await memory.remember("anna", "Anna moved to Porto.", wait_ms=2000)
            result = await memory.recall("anna", "Where does Anna live?", k=3)
    """

    def __init__(self, settings: Settings, access: Access, store: Store, models: Models) -> None:
        super().__init__(settings, store, models)
        self._access = access
        self._upgrade_check = UpgradeCheck(store.database)
        self.metric_writer = MetricWriter(store)

    @classmethod
    async def open(
        cls, settings: Settings | None = None, *, migrated: bool = True, upkeep: bool = False
    ) -> Self:
        """Connect to the database that the settings name, starting the embedded one and migrating where possible.

        `settings`: default read from the environment. `migrated=False`: never migrate.
        `upkeep`: for nightly passes, whose own changes must not mark a bank as due again.
        Errors: EmbeddedPostgresFailed, DataFolderInUse, DatabaseUnavailable, DatabaseUnsuitable, InvalidInput.
        """
        settings = settings or load_settings()
        models = Models(settings)
        models.embedder()  # a wrong model setting is an error now, not at the first message
        models.extractor()
        access, database = await access_database(settings, migrated=migrated, upkeep=upkeep)
        return cls(settings, access, Store(database), models)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Write pending traces, close the models and the connection pool, release the embedded server."""
        await self._upgrade_check.aclose()
        await self._intake_delay.aclose()
        await self.trace_writer.aclose()
        await self.store.notifications.aclose()
        await self.models.aclose()
        await self.metric_writer.aclose()
        await self.store.database.close()
        await asyncio.to_thread(self._access.close)

    async def examine(self) -> list[Finding]:
        """The findings of `doctor` about the database and the disk, errors first."""
        return await asyncio.to_thread(examine_running, self._access, self.settings)

    async def work(self, stop: asyncio.Event, *, alone: bool = False) -> None:
        """Run an intake worker in this process until `stop` is set; it also expires traces, idempotency keys and
        sessions every hour.

        It works for all servers of the map, with `alone` for the home server only.
        Errors: DatabaseUnsuitable once another release has migrated the database.
        """
        worker = Worker(self.store, self.models, self.settings)
        running = asyncio.create_task(worker.run())
        ending = asyncio.Event()
        servers = self.store.database.servers
        others = asyncio.create_task(
            ending.wait()
            if alone or servers is None
            else work_for_others(servers, self.models, self.settings, ending)
        )
        waiting = asyncio.create_task(self.wait_for_stop(stop))
        expiring = asyncio.create_task(
            run_hourly(
                traces=self.trace_expiry.run_once,
                idempotency_keys=partial(expire_idempotency_keys, self.store),
                sessions=self.expire_sessions,
            )
        )
        try:
            await asyncio.wait({running, waiting, others}, return_when=asyncio.FIRST_COMPLETED)
            ending.set()
            worker.stop()
            await running
            await others
            self.raise_if_upgraded()
        finally:
            for task in (running, others, waiting, expiring):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def wait_for_stop(self, stop: asyncio.Event) -> None:
        """Return once `stop` is set or another release has migrated the database."""
        events = [asyncio.create_task(event.wait()) for event in (stop, self._upgrade_check.upgraded)]
        try:
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for event in events:
                event.cancel()

    def raise_if_upgraded(self) -> None:
        """Errors: DatabaseUnsuitable once another release has migrated the database."""
        self.store.database.raise_if_refused()
