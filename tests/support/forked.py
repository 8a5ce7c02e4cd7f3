"""Processes of the service for the tests, forked from one that has imported it: `python -m memory_service serve` takes
1.6 s of processor time to import its modules and compile its patterns, and its worker as much.

Each is a child of the process that starts it, with its own session, environment, folder and descriptors, and a command
line and environment in /proc as after exec. Popen executes all that is not a plain `python -m` of MODULES.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import importlib
import inspect
import json
import os
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, cast

MODULES = ("memory_service", "jobs.nightly", "memory_service.jobs.nightly", "jobs.vector_index")
IMPORTED = (
    "memory_service.cli.service", "memory_service.server.serve", "memory_service.worker_process",
)  # fmt: skip
READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "OMP_", "OPENBLAS_")
"""Beginnings of the variables that Python or a library reads before or while it is imported."""
SET_BY_IMPORTS = ("ORT_DISABLE_TELEMETRY",)
FORKING = "tests.support.forked"
ROOM = 32_768
"""Bytes of the command line and of the environment that a forked process can show in /proc."""
PR_SET_CHILD_SUBREAPER = 36
HELD_BACK = (signal.SIGINT, signal.SIGTERM)
"""Signals that a forked process gets as soon as it handles them as after exec."""
LENGTH = struct.Struct("!I")

AT_START = {name: value for name, value in os.environ.items() if name.startswith(READ_AT_START)}

_popen = cast("Callable[..., None]", subprocess.Popen._execute_child)  # pyright: ignore
_signature = inspect.signature(_popen)


class Forker:
    """Asks a process of FORKING for processes, which become children of this one."""

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self.forks = True
        self._connection: socket.socket | None = None
        self._lock = threading.Lock()

    def fork(self, request: dict[str, Any], descriptors: Sequence[int]) -> int:
        """The process id of a new child. Errors: OSError."""
        with self._lock:
            self._connection = self._connection or self._connect()
            # The process that forks it ends at once; its child is then passed to the next subreaper above.
            prctl(PR_SET_CHILD_SUBREAPER, 1)
            try:
                message = json.dumps(request).encode()
                socket.send_fds(self._connection, [LENGTH.pack(len(message))], descriptors)
                self._connection.sendall(message)
                (pid,) = LENGTH.unpack(self._connection.recv(LENGTH.size, socket.MSG_WAITALL))
            finally:
                prctl(PR_SET_CHILD_SUBREAPER, 0)
        return pid


def prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def start_forking() -> socket.socket:
    """A connection to a new process of FORKING, which ends when the connection is closed."""
    ours, theirs = socket.socketpair()
    environment = {**os.environ, "FORKED_ROOM": " " * ROOM}
    command = [sys.executable, "-m", FORKING, str(theirs.fileno()), " " * ROOM]
    with theirs:
        process = subprocess.Popen(
            command, env=environment, pass_fds=(theirs.fileno(),), cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def is_forking(pid: int) -> bool:
    """Whether it is a process of FORKING, which a forked service has as a child."""
    with suppress(OSError):
        return os.fsencode(FORKING) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return False


def install(forker: Forker) -> None:
    """Let subprocess.Popen of this process fork what it can."""

    def execute(popen: Any, *values: Any) -> None:
        given = _signature.bind(popen, *values).arguments
        if not (forker.forks and forkable(given)):
            _popen(popen, *values)
            return
        passed = [
            given[name] if given[name] != -1 else standard
            for standard, name in enumerate(("p2cread", "c2pwrite", "errwrite"))
        ]
        request = {
            "command": [*map(os.fsdecode, given["args"])],
            "environment": environment_of(given),
            "folder": os.path.abspath(os.fsdecode(given["cwd"] or ".")),
            "session": given["start_new_session"],
            "descriptors": [0, 1, 2, *given["pass_fds"]],
        }
        popen.pid = forker.fork(request, [*passed, *given["pass_fds"]])
        popen._child_created = True
        popen._close_pipe_fds(
            *(given[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"))
        )

    subprocess.Popen._execute_child = execute  # pyright: ignore


def environment_of(given: Mapping[str, Any]) -> dict[str, str]:
    environment: Mapping[str, str] = os.environ if given["env"] is None else given["env"]
    return {os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()}


def forkable(given: Mapping[str, Any]) -> bool:
    """Whether these arguments of Popen start Python with a module of MODULES, as this process was started."""
    arguments: Any = given["args"]
    words = [os.fsdecode(one) for one in arguments] if type(arguments) in (list, tuple) else []
    if words[:1] != [sys.executable] or module_of(words) not in MODULES:
        return False
    plain = given["preexec_fn"] is None and given["close_fds"] and given["executable"] in (None, words[0])
    own = any(given[name] not in (None, -1) for name in ("gid", "gids", "uid", "umask", "process_group"))
    environment = environment_of(given)
    shown = sum(len(os.fsencode(one)) + 2 for pair in (words, *environment.items()) for one in pair)
    read = {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}
    return plain and not own and not given["shell"] and read == AT_START and shown < ROOM


def module_of(words: Sequence[str]) -> str | None:
    """The module that the words after the interpreter run, with -P at most before it."""
    rest = words[2:] if words[1:2] == ["-P"] else words[1:]
    return rest[1] if rest[:1] == ["-m"] and rest[1:] else None


@dataclass(frozen=True, slots=True)
class Shown:
    """The memory that /proc shows as command line and environment of this process."""

    places: tuple[int, int, int, int]
    """Beginning and end of both."""

    @classmethod
    def of_this_process(cls) -> Shown:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        first, second, third, fourth = map(int, fields[45:49])
        return cls((first, second, third, fourth))

    def write(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        lines = [f"{name}={value}" for name, value in environment.items()]
        for texts, (begin, end) in ((words, self.places[:2]), (lines, self.places[2:])):
            text = b"".join(os.fsencode(one) + b"\0" for one in texts)
            ctypes.memmove(begin, text.ljust(end - begin, b"\0"), end - begin)


def serve_forks(connection: socket.socket, shown: Shown, kept: Mapping[str, str]) -> dict[str, Any] | None:
    """Fork a process for each request, until the connection ends. Returns in the forked processes too: the request."""
    while (found := receive(connection)) is not None:
        request, descriptors = found
        read, write = os.pipe()
        if (between := fork()) == 0:
            if (pid := fork()) != 0:
                os.write(write, LENGTH.pack(pid))
                os._exit(0)
            unready = duplicate(write, request)
            for descriptor in (read, write, connection.detach()):
                os.close(descriptor)
            become(request, descriptors, shown, kept)
            os.close(unready)
            return request
        for descriptor in (write, *descriptors):
            os.close(descriptor)
        with open(read, "rb") as pipe:
            answer = pipe.read()  # ends once `become` has returned
        os.waitpid(between, 0)
        connection.sendall(answer)
    return None


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """The next request and its descriptors; None once the connection has ended."""
    head, descriptors, _, _ = socket.recv_fds(connection, LENGTH.size, 64)
    if not head:
        return None
    (length,) = LENGTH.unpack(head)
    return json.loads(connection.recv(length, socket.MSG_WAITALL)), descriptors


def fork() -> int:
    with warnings.catch_warnings(action="ignore"):  # of threads, which some libraries have in C
        return os.fork()


def duplicate(descriptor: int, request: dict[str, Any]) -> int:
    """Another number for a descriptor, above those of the requested process."""
    highest: int = max(request["descriptors"])
    return int(fcntl.fcntl(descriptor, fcntl.F_DUPFD, highest + 1))


def become(request: dict[str, Any], descriptors: list[int], shown: Shown, kept: Mapping[str, str]) -> None:
    """Make this fork what the requested command would be after exec."""
    if request["session"]:
        os.setsid()
    apart = [duplicate(one, request) for one in descriptors]
    for one in descriptors:
        os.close(one)
    for one, number in zip(apart, request["descriptors"], strict=True):
        os.dup2(one, number)
        os.close(one)
    os.chdir(request["folder"])
    shown.write(request["command"], request["environment"])
    os.environ.clear()
    os.environ.update({**request["environment"], **kept})
    time.tzset()
    sys.orig_argv[:] = request["command"]
    cast("TextIOWrapper", sys.stdout).reconfigure(line_buffering=os.isatty(1))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)


def fork_for_children(shown: Shown, kept: Mapping[str, str]) -> dict[str, Any] | None:
    """Give this process a child that forks its children. Returns in those too: the request."""
    ours, theirs = socket.socketpair()
    if fork():
        theirs.close()
        install(Forker(lambda: ours))
        return None
    ours.close()
    signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.close(nothing)
    shown.write([sys.executable, "-m", FORKING], os.environ)
    request = serve_forks(theirs, shown, kept)
    if request is None:
        os._exit(0)
    return request


def main() -> None:
    """Import the service; run a module in each process that is requested."""
    signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
    gc.disable()
    for name in IMPORTED:
        importlib.import_module(name)
    importlib.import_module("memory_service.text.late_pattern").compile_all()
    kept = {name: os.environ[name] for name in SET_BY_IMPORTS}
    gc.freeze()
    shown = Shown.of_this_process()
    request = serve_forks(socket.socket(fileno=int(sys.argv[1])), shown, kept)
    if request is None:
        return
    if request["command"][-1] == "serve":
        request = fork_for_children(shown, kept) or request
    gc.enable()
    command = request["command"]
    module = module_of(command)
    assert module is not None
    sys.argv[1:] = command[command.index(module) + 1 :]
    sys.path[0:1] = [] if command[1] == "-P" else [request["folder"]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
