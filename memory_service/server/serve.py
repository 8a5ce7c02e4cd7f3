"""`serve`: HTTP in this process, plus child processes for HTTP and workers, which end with it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

import structlog
import uvicorn

from memory_service.child_process import ChildProcess
from memory_service.config import Settings
from memory_service.db.migrate import MIN_PGVECTOR_HNSW, parse_version
from memory_service.errors import DatabaseUnavailable, InvalidInput, MemoryServiceError
from memory_service.memory import Memory
from memory_service.server.app import create_app
from memory_service.server.authentication import Authenticator
from memory_service.server.connection import IDLE_SECONDS, Connection
from memory_service.server.host_check import is_loopback
from memory_service.store.database import Database
from memory_service.text.late_pattern import compile_all
from memory_service.worker_process import STOP_SIGNALS, stop_event

log = structlog.get_logger()


class Server(uvicorn.Server):
    """uvicorn that calls `announce` once it accepts connections, without uvicorn's signal handlers.

    `serve` installs handlers that also stop the workers and the database. With uvicorn's handlers the process would end
    by the signal instead of with code 0.
    """

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._announce()


async def check_keys(memory: Memory) -> None:
    """Errors: InvalidInput naming MEMORY_HOST where the service would listen beyond loopback without any API key."""
    if not await memory.store.keys.any_exists():
        raise InvalidInput(
            "MEMORY_HOST",
            "beyond loopback the service needs API keys, and there is none; create one: "
            "memory-service key create --role admin --bank '*'",
        )


async def check_oauth_key(memory: Memory) -> None:
    """Errors: InvalidInput where the API key that bounds OAuth tokens does not exist: all would be refused."""
    key_id = memory.settings.oauth_key_id
    if key_id is not None and await memory.store.keys.read(key_id) is None:
        raise InvalidInput("MEMORY_OAUTH_KEY_ID", "is no API key; memory-service key list shows their ids")


async def serve(
    settings: Settings, announce: Callable[[str, Memory], None], on_signal: Callable[[], None] = lambda: None
) -> None:
    """Serve until SIGINT or SIGTERM; `announce` is called with the address once the service accepts connections,
    `on_signal` when it begins to stop.

    This process and MEMORY_PROCESSES - 1 child processes accept from the same socket, so connections that a process had
    not accepted when it died are accepted by another.
    """
    listener = listen(settings.host, settings.port)
    local = is_loopback(str(listener.getsockname()[0]))
    workers = [ChildProcess("worker", name="worker") for _ in range(settings.workers)]
    descriptor = listener.fileno()
    answering = [
        ChildProcess("serve", "--beside", str(descriptor), name="HTTP process", descriptors=(descriptor,))
        for _ in range(settings.processes - 1)
    ]
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stopping.set()
        for worker in workers:
            worker.retire()
        for process in answering:
            process.terminate()  # before waiting: all processes stop accepting at the same time
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)  # a second signal ends this process at once
        on_signal()

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        async with await Memory.open(settings) as memory:
            if not local:
                await check_keys(memory)
            await check_oauth_key(memory)
            await warn_of_connections(memory)
            await warn_of_exact_search(memory)
            children = (*workers, *answering)
            for child in children:
                child.start()
            try:
                await answer(memory, listener, stopping, lambda: announce(address_of(listener), memory))
            finally:
                await asyncio.gather(*(asyncio.to_thread(child.stop) for child in children))
    finally:
        listener.close()


async def serve_beside(settings: Settings, descriptor: int, *, until_stdin_ends: bool) -> None:
    """Answer HTTP on the listening socket of `serve`, until a signal or, with `until_stdin_ends`, the parent's end."""
    listener = socket.socket(fileno=descriptor)
    listener.set_inheritable(False)
    stopping = stop_event(until_stdin_ends=until_stdin_ends)
    async with await Memory.open(settings, migrated=False) as memory:
        await answer(memory, listener, stopping, lambda: log.info("one more HTTP process answers"))


async def warn_of_connections(memory: Memory) -> None:
    """Log a warning if max_connections of a server is lower than the connections that all processes may open."""
    settings = memory.settings
    wanted = (settings.processes + settings.workers) * settings.pool_size + settings.workers
    found = await memory.store.database.of_all(allowed_connections, partly=True)
    allowed = min((one for one in found if one is not None), default=wanted)
    if wanted > allowed:
        log.warning(
            "the database allows fewer connections than MEMORY_POOL_SIZE for each of MEMORY_PROCESSES and "
            "MEMORY_WORKERS: calls may fail under load", wanted=wanted, allowed=allowed,
        )  # fmt: skip


async def allowed_connections(database: Database) -> int | None:
    """The connections that a server allows; None behind a pooler, which limits them."""
    if database.pooled:
        return None
    return await database.query_value("select current_setting('max_connections')::integer")


async def warn_of_exact_search(memory: Memory) -> None:
    """Log a warning if pgvector is too old for HNSW indexes."""
    version = await memory.store.database.query_value(
        "select e.extversion from pg_catalog.pg_extension e where e.extname = 'vector'"
    )
    if parse_version(version) < MIN_PGVECTOR_HNSW:
        newer = ".".join(map(str, MIN_PGVECTOR_HNSW))
        log.warning(
            "pgvector is too old for HNSW indexes; large banks are searched exactly",
            version=version,
            needed=newer,
        )


async def load_models(memory: Memory) -> None:
    """Load the embedding model and compile the patterns of the rules, so that the first calls do not wait for them.

    A failure is logged.
    """
    await asyncio.to_thread(compile_all)
    try:
        await memory.models.load()
    except MemoryServiceError as error:
        log.warning("the embedding model could not be loaded", error=str(error))


async def answer(
    memory: Memory, listener: socket.socket, stopping: asyncio.Event, announce: Callable[[], None]
) -> None:
    """Answer HTTP until `stopping` is set and the running calls are answered, at most 10 s later.

    Errors: DatabaseUnsuitable once another release has migrated the database.
    """
    app = create_app(memory, keys_required=not is_loopback(str(listener.getsockname()[0])))
    app.state.stopping = stopping
    authenticator: Authenticator = app.state.authenticator
    with suppress(DatabaseUnavailable):  # read again at the first request
        await authenticator.refresh()
    config = uvicorn.Config(
        app, http=Connection, ws="none", log_config=None, log_level="warning", access_log=False,
        lifespan="off", timeout_keep_alive=IDLE_SECONDS, timeout_graceful_shutdown=10,
    )  # fmt: skip
    server = Server(config, announce)
    loading = asyncio.create_task(load_models(memory))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    waiting = asyncio.create_task(memory.wait_for_stop(stopping))
    try:
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        server.should_exit = True
        waiting.cancel()
        loading.cancel()
        try:
            await serving
        finally:
            await authenticator.aclose()
    memory.raise_if_upgraded()


def listen(host: str, port: int) -> socket.socket:
    """A listening TCP socket. Errors: InvalidInput naming host and port that cannot be bound."""
    try:
        family = socket.getaddrinfo(host, port)[0][0]
    except OSError as error:
        raise InvalidInput("MEMORY_HOST", f"is not an address of this machine: {error}") from error
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise InvalidInput("MEMORY_PORT", f"cannot listen on {host}:{port}: {error.strerror}") from error
    listener.listen(1024)
    listener.set_inheritable(False)
    return listener


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in str(host) else f"http://{host}:{port}"
