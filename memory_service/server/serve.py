"""`serve`: HTTP in this process, more processes for HTTP and workers beside it, all gone when it goes."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager

import structlog
import uvicorn

from memory_service.child_process import ChildProcess
from memory_service.config import Settings
from memory_service.errors import InvalidInput, MemoryServiceError
from memory_service.memory import Memory
from memory_service.server.app import create_app
from memory_service.server.connection import IDLE_SECONDS, Connection
from memory_service.worker_process import STOP_SIGNALS, stop_event

log = structlog.get_logger()


class Server(uvicorn.Server):
    """uvicorn that says when it answers, and without its signal handlers: `serve` has its own, which see to the
    workers and the database too. uvicorn's would end this process with the signal instead of code 0."""

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


def check_host(host: str) -> None:
    """Without keys the service runs open, and open it listens on loopback only.

    Errors: InvalidInput naming the setting.
    """
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(host, None)}
    except OSError as error:
        raise InvalidInput("MEMORY_HOST", f"is no address of this machine: {error}") from error
    if not all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in addresses):
        raise InvalidInput(
            "MEMORY_HOST",
            "without keys the service runs open and listens on loopback only, such as 127.0.0.1",
        )


async def serve(settings: Settings, announce: Callable[[str, Memory], None]) -> None:
    """Serve until SIGINT or SIGTERM; `announce` is told the address once it answers.

    This process answers, and MEMORY_PROCESSES - 1 others with it, which accept from the same socket: what one that
    dies had not accepted is accepted by another.
    """
    check_host(settings.host)
    listener = listen(settings.host, settings.port)
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
            process.terminate()  # now: all of them stop accepting together
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)  # the second one ends this process at once

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        async with await Memory.open(settings) as memory:
            await warn_of_connections(memory)
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
    """Answer HTTP on a socket that `serve` listens on, until a signal or the end of the process that started this."""
    listener = socket.socket(fileno=descriptor)
    listener.set_inheritable(False)
    stopping = stop_event(until_stdin_ends=until_stdin_ends)
    async with await Memory.open(settings, migrated=False) as memory:
        await answer(memory, listener, stopping, lambda: log.info("one more HTTP process answers"))


async def warn_of_connections(memory: Memory) -> None:
    """Say so where the database allows fewer connections than all processes together may take."""
    settings = memory.settings
    wanted = (settings.processes + settings.workers) * settings.pool_size + settings.workers
    allowed = await memory.store.database.query_value("select current_setting('max_connections')::integer")
    if wanted > allowed:
        log.warning(
            "the database allows fewer connections than MEMORY_POOL_SIZE for each of MEMORY_PROCESSES and "
            "MEMORY_WORKERS: calls may fail under load", wanted=wanted, allowed=allowed,
        )  # fmt: skip


async def load_models(memory: Memory) -> None:
    """Load the embedding model in the background: the first query would otherwise wait for it, and may time out."""
    try:
        await memory.models.load()
    except MemoryServiceError as error:
        log.warning("the embedding model could not be loaded", error=str(error))


async def answer(
    memory: Memory, listener: socket.socket, stopping: asyncio.Event, announce: Callable[[], None]
) -> None:
    """Answer HTTP until `stopping` is set and the calls under way have their answers."""
    config = uvicorn.Config(
        create_app(memory), http=Connection, ws="none", log_config=None, log_level="warning", access_log=False,
        lifespan="off", timeout_keep_alive=IDLE_SECONDS, timeout_graceful_shutdown=10,
    )  # fmt: skip
    server = Server(config, announce)
    loading = asyncio.create_task(load_models(memory))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    waiting = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        server.should_exit = True
        waiting.cancel()
        loading.cancel()
        await serving


def listen(host: str, port: int) -> socket.socket:
    """Errors: InvalidInput naming the port that is taken."""
    family = socket.getaddrinfo(host, port)[0][0]
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
