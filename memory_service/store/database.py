"""The connection pool. One call is one statement and one transaction, which names its bank."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

import asyncpg
import structlog

from memory_service.errors import DatabaseUnsuitable, Forbidden, MemoryServiceError
from memory_service.metrics import CONNECTION_WAIT, Counts
from memory_service.store.connection import create_pool
from memory_service.store.driver_errors import FailureReason, translated_errors
from memory_service.store.records import record

if TYPE_CHECKING:
    from datetime import datetime

    from memory_service.store.connection import Pool
    from memory_service.store.replica import Replica
    from memory_service.store.servers import Servers

T = TypeVar("T")
Row = asyncpg.Record
Revive = Callable[[], Awaitable[str]]
"""Starts the database's server where it does not run; returns its URL."""

REVIVE_SECONDS = 1.0
LONGEST_REVIVE_SECONDS = 30.0
DEADLOCK_TRIES = 3
RETRIED = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
RESERVED = 2
"""Connections for urgent calls only: a new message does not wait behind many reads."""

read_only: ContextVar[bool] = ContextVar("read_only", default=False)
"""Whether calls of this context run in read-only transactions: those of a request with a key of role read."""

log = structlog.get_logger()


class ReplicaFailed(Exception):
    """The replica did not answer a call; the primary has to."""


@dataclass(slots=True)
class Transaction:
    """An open transaction, in which all calls of its context run."""

    connection: Any
    database: Database
    """That of all calls about a bank."""
    failed: bool = False
    """A statement failed: the transaction can only be rolled back."""
    after_commit: list[Callable[[], object]] = field(default_factory=list["Callable[[], object]"])


open_transaction: ContextVar[Transaction | None] = ContextVar("open_transaction", default=None)
"""Set by Database.in_transaction."""


@contextmanager
def refused_writes() -> Generator[None]:
    """Raise Forbidden where Postgres refuses a write of a context that is read-only."""
    try:
        yield
    except asyncpg.ReadOnlySQLTransactionError:
        if not read_only.get():  # a standby
            raise
        raise Forbidden("this call writes; the API key may only read") from None


def after_commit(action: Callable[[], object]) -> None:
    """Run `action` once the context's transaction is committed, or now where there is none."""
    transaction = open_transaction.get()
    if transaction is None:
        action()
    else:
        transaction.after_commit.append(action)


def roll_back() -> None:
    """Let the context's transaction be rolled back at its end, whatever its call returns or raises."""
    transaction = open_transaction.get()
    if transaction is not None:
        transaction.failed = True


@dataclass(frozen=True, slots=True)
class Installation:
    """The row of memory.installation and the login of this session."""

    api_version: int
    release: str
    login: str
    unrestricted: bool
    """A superuser or BYPASSRLS: row security would not hold."""
    map_version: int | None
    """Of the map of servers; None in a database of an older release."""


class Database:
    """Calls functions of `memory_api`. Errors are those of this package."""

    def __init__(self, pool: Pool) -> None:
        self.counts = Counts()
        self._pool = pool
        self._free = asyncio.Semaphore(pool.get_max_size())
        self._unreserved = asyncio.Semaphore(max(1, pool.get_max_size() - RESERVED))
        self._idle: list[Any] = []
        self._url = ""
        self._upkeep = False
        self._pooled = False
        self._listen_url: str | None = None
        self._local_settings = ""
        self._standby = False
        self.replica: Replica | None = None
        """Answers some of the calls; closed with this database."""
        self.servers: Servers | None = None
        """On the home server: passes calls about banks to their servers; closed with this database."""
        self._revive: Revive | None = None
        self._failure_reason: FailureReason | None = None
        self._reviving: asyncio.Task[None] | None = None
        self._revive_pause = REVIVE_SECONDS
        self._refusal: str | None = None
        self.closed = asyncio.Event()
        """Set when it is closed, as after a change of its server's URLs in the map."""

    @classmethod
    async def open(
        cls,
        url: str,
        size: int,
        revive: Revive | None = None,
        failure_reason: FailureReason | None = None,
        *,
        upkeep: bool = False,
        pooled: bool = False,
        listen_url: str | None = None,
        standby: bool = False,
    ) -> Database:
        """A pool of up to `size` connections. Errors: DatabaseUnavailable, DatabaseUnsuitable.

        `revive` is called in the background after a call ended in DatabaseUnavailable; where it returns another
        URL, the pool moves there. `failure_reason` supplies the message of DatabaseUnavailable.
        `upkeep`: for the nightly run, whose own changes make no bank due again. `pooled`: behind a pooler in
        transaction mode. `listen_url`: for LISTEN, which needs a session; None: this process does not listen.
        `standby`: every transaction is read only anyway.
        """
        with translated_errors(failure_reason=failure_reason):
            database = cls(await create_pool(url, size, upkeep=upkeep, pooled=pooled))
        database._url = url
        database._listen_url = listen_url
        database._upkeep = upkeep
        database._pooled = pooled
        database._standby = standby
        database._local_settings = "set local memory.upkeep = 'on'" if pooled and upkeep else ""
        database._revive = revive
        database._failure_reason = failure_reason
        return database

    @property
    def url(self) -> str:
        """The database's current URL."""
        return self._url

    @property
    def listen_url(self) -> str | None:
        """The URL for LISTEN; None where only a pooler's is known."""
        return self._listen_url

    @property
    def pooled(self) -> bool:
        """Whether connections lead to a pooler in transaction mode."""
        return self._pooled

    def refuse(self, reason: str) -> None:
        """Raise DatabaseUnsuitable with this message at every later call."""
        self._refusal = reason

    def raise_if_refused(self) -> None:
        """Errors: DatabaseUnsuitable after `refuse`."""
        if self._refusal is not None:
            raise DatabaseUnsuitable(self._refusal)

    async def close(self) -> None:
        self.closed.set()
        if self.servers is not None:
            await self.servers.aclose()
        if self.replica is not None:
            await self.replica.aclose()
        self._revive = None
        if self._reviving is not None:
            self._reviving.cancel()
            await asyncio.wait([self._reviving])
        while self._idle:
            await self._pool.release(self._idle.pop())
        try:
            await asyncio.wait_for(self._pool.close(), 5)
        except TimeoutError:
            self._pool.terminate()

    async def rows(self, function: str, /, *, select: str = "*", **arguments: object) -> list[Row]:
        """The rows of a function of memory_api, called with named arguments."""
        return cast("list[Row]", await self._call("fetch", function, arguments, select=select))

    async def row(self, function: str, /, *, urgent: bool = False, **arguments: object) -> Row | None:
        """The first row of a function of memory_api."""
        return cast("Row | None", await self._call("fetchrow", function, arguments, urgent=urgent))

    async def value(self, function: str, /, *, urgent: bool = False, **arguments: object) -> Any:
        """The value of a function of memory_api; the first one where it returns a set, None where that is empty."""
        return await self._call("fetchval", function, arguments, urgent=urgent)

    async def rows_of_all(self, function: str, /, *, partly: bool = False, **arguments: object) -> list[Row]:
        """The rows of a function on all servers. `partly`: without the servers that do not answer."""
        answers = await self.of_all(lambda one: one.answer("fetch", function, arguments), partly=partly)
        return [row for rows in answers for row in cast("list[Row]", rows)]

    async def values_of_all(
        self, function: str, /, *, partly: bool = False, **arguments: object
    ) -> list[Any]:
        """The value of a function on each server. `partly`: without the servers that do not answer."""
        return await self.of_all(lambda one: one.answer("fetchval", function, arguments), partly=partly)

    async def of_all(self, call: Callable[[Database], Awaitable[T]], *, partly: bool = False) -> list[T]:
        """The answers of a call of each server. `partly`: without the servers that do not answer."""
        if self.servers is None:
            return [await call(self)]
        return await self.servers.call_all(call, partly=partly)

    async def located(self, bank_id: str) -> Database:
        """The database that has a bank now, for long_transaction. Errors: DatabaseUnavailable."""
        return self if self.servers is None else await self.servers.locate(bank_id)

    def opened_for(self, bank_id: str) -> Database:
        """The database of the bank's server, where this process has opened it."""
        return self if self.servers is None else self.servers.opened_for(bank_id)

    async def query(self, statement: str, *values: object, bank: str | None = None) -> list[Row]:
        """The rows of a statement, for statements other than a single function call."""
        return cast("list[Row]", await self._route(bank, lambda one: one._run("fetch", statement, values)))

    async def query_value(self, statement: str, *values: object, bank: str | None = None) -> Any:
        """The first value of a statement, for statements other than a single function call."""
        return await self._route(bank, lambda one: one._run("fetchval", statement, values))

    async def create_placed(self, bank: str, call: Callable[[], Awaitable[T]]) -> T:
        """Await a call that creates a bank, once it is certain that the bank belongs to the server that is called."""
        servers = self.servers
        if servers is None or not servers.several:
            return await call()  # create_bank.sql compares

        async def compare_and_call() -> T:
            if (transaction := open_transaction.get()) is not None and transaction.database is not self:
                await servers.check_place(bank, transaction.database)
            return await call()

        if open_transaction.get() is not None:
            return await compare_and_call()
        return await self.in_transaction(compare_and_call, bank=bank)

    async def in_transaction(self, call: Callable[[], Awaitable[T]], *, bank: str | None = None) -> T:
        """Await `call` with all statements of its context in one transaction; after a deadlock, call it again. Within
        another one `call` is a part of that.

        The transaction is read-only if the context is. An error of this package that is not of the database commits the
        statements before it, as without a transaction; any other error rolls them back. `call` must not wait for other
        transactions to see its writes. With several servers the transaction is one of the server that has `bank`.
        """
        return await self._route(bank, lambda one: one._in_own_transaction(call))

    async def _in_own_transaction(self, call: Callable[[], Awaitable[T]]) -> T:
        self.raise_if_refused()
        if open_transaction.get() is not None:
            return await call()
        with translated_errors(self._revive_soon, self._failure_reason):
            for attempt in range(DEADLOCK_TRIES):
                try:
                    began = time.perf_counter()
                    async with self._free:
                        return await self._in_transaction(call, began)
                except RETRIED:
                    if attempt == DEADLOCK_TRIES - 1:
                        raise
        raise AssertionError("unreachable")

    @asynccontextmanager
    async def long_transaction(self, *, readonly: bool) -> AsyncGenerator[Any]:
        """A connection in a transaction of many statements that any error rolls back; repeatable read if `readonly`."""
        self.raise_if_refused()
        with translated_errors(self._revive_soon, self._failure_reason):
            async with self._unreserved, self._free:
                connection = await self._acquire()
                try:
                    isolation = "repeatable_read" if readonly else "read_committed"
                    async with connection.transaction(isolation=isolation, readonly=readonly):
                        if self._local_settings:
                            await connection.execute(self._local_settings)
                        yield connection
                except asyncio.CancelledError:
                    connection.terminate()
                    raise
                finally:
                    await self._release(connection)

    async def _in_transaction(self, call: Callable[[], Awaitable[T]], began: float) -> T:
        connection = await self._acquire()
        self.counts.observe(CONNECTION_WAIT, time.perf_counter() - began)
        transaction = Transaction(connection, self)
        block = connection.transaction(readonly=read_only.get())
        token = open_transaction.set(transaction)
        ended = False
        try:
            await block.start()
            if self._local_settings:
                await connection.execute(self._local_settings)
            try:
                return await call()
            except MemoryServiceError:
                raise
            except BaseException:
                transaction.failed = True
                raise
            finally:
                if not transaction.failed:
                    await block.commit()
                    ended = True
                    for action in transaction.after_commit:
                        action()
                elif not self._is_lost(connection):
                    await block.rollback()
                    ended = True
        finally:
            open_transaction.reset(token)
            if not ended and not self._is_lost(connection):
                connection.terminate()  # cancelled within a statement: the state of the transaction is not known
            await self._release(connection)

    async def _call(
        self,
        method: str,
        function: str,
        arguments: Mapping[str, object],
        *,
        select: str = "*",
        urgent: bool = False,
    ) -> Any:
        """Call a function on the server that has its bank."""
        return await self._route(
            arguments.get("bank"),
            lambda one: one.answer(method, function, arguments, select=select, urgent=urgent),
        )

    async def _route(self, bank: object, call: Callable[[Database], Awaitable[T]]) -> T:
        """Await a call of the database that has a bank: that of the open transaction, if any. This one for None."""
        transaction = open_transaction.get()
        if self.servers is None or bank is None:
            return await call(self)
        if transaction is not None:
            return await call(transaction.database)
        return await self.servers.call(bank, call)

    async def answer(
        self,
        method: str,
        function: str,
        arguments: Mapping[str, object],
        *,
        select: str = "*",
        urgent: bool = False,
    ) -> Any:
        """Call a function on the replica where that has all that was written before, else here."""
        names = tuple(arguments)
        text = (
            function_value(function, names)
            if method == "fetchval"
            else function_rows(select, function, names)
        )
        replica = self.replica
        if replica is None:
            return await self._run(method, text, arguments.values(), urgent=urgent)
        self.raise_if_refused()
        bank = arguments.get("bank")
        if open_transaction.get() is None and replica.serves(function, bank):
            with suppress(ReplicaFailed):
                return await replica.read(lambda standby: standby._run(method, text, arguments.values()))
        try:
            return await self._run(method, text, arguments.values(), urgent=urgent)
        finally:
            replica.mark(function, bank)

    async def _run(self, method: str, statement: str, values: Any, *, urgent: bool = False) -> Any:
        self.raise_if_refused()
        if (transaction := open_transaction.get()) is not None and transaction.database is self:
            return await self._run_within(transaction, method, statement, values)
        with translated_errors(self._revive_soon, self._failure_reason):
            for attempt in range(DEADLOCK_TRIES):
                try:
                    began = time.perf_counter()
                    if urgent:
                        return await self._run_once(method, statement, values, began)
                    async with self._unreserved:
                        return await self._run_once(method, statement, values, began)
                except RETRIED:
                    # One statement is one transaction: it left nothing behind and can run again.
                    if attempt == DEADLOCK_TRIES - 1:
                        raise
        raise AssertionError("unreachable")

    async def _run_within(self, transaction: Transaction, method: str, statement: str, values: Any) -> Any:
        """Errors of RETRIED are not translated: in_transaction repeats the whole."""
        try:
            with translated_errors(self._revive_soon, self._failure_reason), refused_writes():
                return await getattr(transaction.connection, method)(statement, *values)
        except Exception as error:
            transaction.failed = True
            if isinstance(error.__cause__, RETRIED):
                raise error.__cause__ from None
            raise

    async def _run_once(self, method: str, statement: str, values: Any, began: float) -> Any:
        async with self._free:
            connection = await self._acquire()
            self.counts.observe(CONNECTION_WAIT, time.perf_counter() - began)
            try:
                if (read_only.get() and not self._standby) or self._local_settings:
                    return await self._in_block(connection, method, statement, values)
                return await getattr(connection, method)(statement, *values)
            finally:
                await self._release(connection)

    async def _in_block(self, connection: Any, method: str, statement: str, values: Any) -> Any:
        """Run a statement in a transaction that is read only or sets `_local_settings`.

        Errors: Forbidden for a statement that writes in a read-only one.
        """
        try:
            with refused_writes():
                async with connection.transaction(readonly=read_only.get()):
                    if self._local_settings:
                        await connection.execute(self._local_settings)
                    return await getattr(connection, method)(statement, *values)
        except asyncio.CancelledError:
            connection.terminate()  # cancelled within `begin`, the transaction would stay open for the next call
            raise

    async def _acquire(self) -> Any:
        """A connection that was just in use, else one from the pool.

        Acquiring from the pool each time takes a task and a turn of the event loop: 10 % of acknowledging a message.
        """
        while self._idle:
            connection = self._idle.pop()
            if not self._is_lost(connection):
                return connection
            await self._pool.release(connection)
        return await self._pool.acquire()

    def _is_lost(self, connection: Any) -> bool:
        """Whether a connection is closed: the pool takes one that ended back, which detaches its proxy."""
        return connection._con is None or connection.is_closed()

    async def _release(self, connection: Any) -> None:
        if self._is_lost(connection):
            await self._pool.release(connection)
        else:
            self._idle.append(connection)

    def _revive_soon(self) -> None:
        """Revive the database in the background, one attempt at a time with a pause after each."""
        if self._revive is not None and (self._reviving is None or self._reviving.done()):
            self._reviving = asyncio.create_task(self._revive_once(self._revive))

    async def _revive_once(self, revive: Revive) -> None:
        try:
            url = await revive()
            if url != self._url:
                with translated_errors():
                    size = self._pool.get_max_size()
                    self._move(url, await create_pool(url, size, upkeep=self._upkeep))
            self._revive_pause = REVIVE_SECONDS
        except Exception as error:
            known = isinstance(error, MemoryServiceError)
            log.warning("the database cannot be revived", error=str(error) if known else type(error).__name__)
            self._revive_pause = min(2 * self._revive_pause, LONGEST_REVIVE_SECONDS)
        await asyncio.sleep(self._revive_pause)

    def _move(self, url: str, pool: Pool) -> None:
        """Replace the pool; the server of the old one is gone, and so are its connections."""
        old, self._pool, self._url, self._listen_url = self._pool, pool, url, url
        self._idle.clear()
        old.terminate()
        log.warning("the database was started again")

    async def installation(self) -> Installation:
        """Errors: DatabaseUnsuitable where the schema is missing."""
        row = await self.row("memory_api.installation")
        if row is None:
            raise DatabaseUnsuitable("the database was never migrated; run `memory-service migrate`")
        return record(Installation, row, map_version=row.get("map_version"))


class At(TypedDict, total=False):
    at: datetime


def at_time(at: datetime | None) -> At:
    """The argument `at`; the function's default, now(), where it is None."""
    return {} if at is None else {"at": at}


# asyncpg prepares a statement once for each text, so calls with the same arguments share one text.


@cache
def function_rows(select: str, function: str, names: tuple[str, ...]) -> str:
    return f"select {select} from {function}({named_arguments(names)})"  # noqa: S608 - names of this package


@cache
def function_value(function: str, names: tuple[str, ...]) -> str:
    return f"select {function}({named_arguments(names)})"


def named_arguments(names: tuple[str, ...]) -> str:
    """`name => $1, ...`; a trailing underscore is left out (`pass_`: a keyword of Python)."""
    return ", ".join(f"{name.removesuffix('_')} => ${n}" for n, name in enumerate(names, 1))
