"""`serve`: the HTTP server in this process, workers in processes beside it, all gone when it goes."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import structlog
import uvicorn

from memory_service.config import Settings
from memory_service.errors import InvalidInput, MemoryServiceError
from memory_service.memory import Memory
from memory_service.server.app import create_app
from memory_service.server.connection import IDLE_SECONDS, Connection
from memory_service.server.working import STOP_SIGNALS

log = structlog.get_logger()

STOP_SECONDS = 20.0
RESTART_SECONDS = 1.0


class WorkerProcess:
    """One worker in a process of its own, started again when it dies.

    It reads a pipe from this process: when this process goes, however it goes, the pipe ends and so does the
    worker.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        self._keeper.start()

    def _keep(self) -> None:
        while not self._stopping.is_set():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "memory_service", "worker", "--until-stdin-ends"],
                stdin=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C reaches this process, which stops the worker when its turn comes
            )
            code = self._process.wait()
            if not self._stopping.is_set():
                log.warning("worker died; starting another", exit_code=code)
                self._stopping.wait(RESTART_SECONDS)

    def retire(self) -> None:
        """Start it no more when it ends."""
        self._stopping.set()

    def stop(self) -> None:
        """Ask it to finish what it holds, wait, and end it if it does not."""
        self.retire()
        told: subprocess.Popen[bytes] | None = None
        deadline = time.monotonic() + STOP_SECONDS
        while self._keeper.is_alive():
            process = self._process  # the keeper may just be starting one
            if process is not None and process is not told:
                process.send_signal(signal.SIGTERM)
                told = process
            if process is not None and time.monotonic() > deadline:
                process.kill()
            self._keeper.join(timeout=0.05)


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
    """Serve until SIGINT or SIGTERM; `announce` is told the address once it answers."""
    check_host(settings.host)
    listener = listen(settings.host, settings.port)
    workers = [WorkerProcess() for _ in range(settings.workers)]
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stopping.set()
        for worker in workers:
            worker.retire()
        for number in STOP_SIGNALS:
            loop.remove_signal_handler(number)  # the second one ends this process at once

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        async with await Memory.open(settings) as memory:
            for worker in workers:
                worker.start()
            loading = asyncio.create_task(load_models(memory))
            try:
                await answer(memory, listener, stopping, announce)
            finally:
                loading.cancel()
                await asyncio.gather(*(asyncio.to_thread(worker.stop) for worker in workers))
    finally:
        listener.close()


async def load_models(memory: Memory) -> None:
    """Load the embedding model in the background: the first query would otherwise wait for it, and may time out."""
    try:
        await memory.models.load()
    except MemoryServiceError as error:
        log.warning("the embedding model could not be loaded", error=str(error))


async def answer(
    memory: Memory, listener: socket.socket, stopping: asyncio.Event, announce: Callable[[str, Memory], None]
) -> None:
    """Answer HTTP until `stopping` is set and the calls under way have their answers."""
    config = uvicorn.Config(
        create_app(memory), http=Connection, ws="none", log_config=None, log_level="warning", access_log=False,
        lifespan="off", timeout_keep_alive=IDLE_SECONDS, timeout_graceful_shutdown=10,
    )  # fmt: skip
    server = Server(config, lambda: announce(address_of(listener), memory))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    waiting = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        server.should_exit = True
        waiting.cancel()
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
