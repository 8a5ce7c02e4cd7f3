"""The service as real processes on a data folder, and clients that record the acknowledged messages."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

import httpx
import psycopg
import structlog

from memory_service.cli.app import main
from memory_service.connect import EMBEDDED_DATABASE
from memory_service.embedded import open_server
from memory_service.models.built_model import built_model

BANK = "anna"
DEADLINE = 180.0
"""Seconds after which something that must happen is taken for something that does not."""

PAUSE = 0.03
"""Seconds between two calls of a client in a burst."""
REST = 0.2
"""Seconds between two calls outside bursts, while processes start again: each message has to be decided."""

SHORT_WAITS = {
    "MEMORY_PORT": "0",
    "MEMORY_LEASE_SECONDS": "1.5",
    "MEMORY_EXCHANGE_QUIET_SECONDS": "0.2",
    "MEMORY_POLL_SECONDS": "0.2",
    "MEMORY_MAX_ATTEMPTS": "1000",  # killing a worker over and over is no poison here
}

Admin = psycopg.Connection[tuple[Any, ...]]


def run_command(environment: Mapping[str, str], words: Sequence[str]) -> tuple[int, str, str]:
    """Exit code and both outputs of a command that runs in this process, which is faster than starting one."""
    out, err = io.StringIO(), io.StringIO()
    logging, code = structlog.get_config(), None
    try:
        with (
            patch.dict(os.environ, environment),
            patch.object(sys, "argv", ["memory-service", *words]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            main()
    except SystemExit as left:
        code = left.code
    finally:
        structlog.configure(**logging)
    return int(code or 0), out.getvalue(), err.getvalue()


def until(true: Callable[[], Any], what: str, *, every: float = 0.01) -> Any:
    """Ask again, after so many seconds and then ever longer pauses up to 0.05, until the answer is true."""
    deadline = time.monotonic() + DEADLINE
    while not (found := true()):
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(every)
        every = max(every, min(1.2 * every, 0.05))
    return found


@cache
def migrated_folder() -> Path:
    """A data folder with an empty database of this release, the built model and no process, removed when this process
    ends."""
    temporary = tempfile.TemporaryDirectory(prefix="memory-migrated-", ignore_cleanup_errors=True)
    atexit.register(temporary.cleanup)
    Path(temporary.name).chmod(0o755)  # the server's user enters it
    folder = Path(temporary.name) / "data"
    code, _, problem = run_command({"MEMORY_DATA_DIR": str(folder)}, ["migrate"])
    assert code == 0, problem
    built_model(folder / "models")
    nothing_left(folder)
    return folder


class Service:
    """`python -m memory_service serve` on a data folder, in a new process group.

    A folder that does not exist is copied from `migrated_folder`: creating one takes as long as the start itself.
    `new`: the service creates it, as at its first start.
    """

    def __init__(self, data: Path, new: bool = False, /, **settings: str) -> None:
        self.data = data
        if not new and not data.exists():
            subprocess.run(["cp", "-a", str(migrated_folder()), str(data)], check=True)
        self.log = data.with_name(data.name + ".log")
        self.env = {**os.environ, **SHORT_WAITS, "MEMORY_DATA_DIR": str(data), **settings}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "memory_service", "serve"],
                env=self.env, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"answers on (http://\S+)", line):
                self.address = found[1]
                break
        else:
            raise AssertionError(f"the service did not start:\n{self.log.read_text()}")
        self.call("POST", "/v1/banks", {"bank_id": BANK})
        # What it still says must not fill the pipe.
        self._said: list[str] = []
        self._listener = threading.Thread(
            target=lambda: self._said.extend(self.process.stdout or ()), daemon=True
        )
        self._listener.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()
        self._listener.join(timeout=60)  # a worker that outlives it keeps the pipe
        if self.process.stdout is not None and not self._listener.is_alive():
            self.process.stdout.close()

    def workers(self) -> list[int]:
        """The worker processes that it started."""
        return [pid for pid, parent in parents().items() if parent == self.process.pid]

    def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return httpx.request(method, self.address + path, json=body, timeout=30)

    def stop(self, how: signal.Signals = signal.SIGTERM, *, group: bool = False) -> int:
        """Tell it, or its whole process group as a terminal does, to stop; its exit code."""
        (os.killpg if group else os.kill)(self.process.pid, how)
        return self.process.wait(DEADLINE)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def start_worker(service: Service) -> subprocess.Popen[bytes]:
    """One more worker, as `memory-service worker` starts it."""
    with service.log.open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "memory_service", "worker"], env=service.env, stderr=log
        )


def parents() -> dict[int, int]:
    """Each process with its parent, but for zombies."""
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    found[int(entry.name)] = int(parent)
    return found


def processes_of(data: Path) -> dict[int, str]:
    """The processes that have to do with a data folder: it is in their environment, arguments or place."""
    found: dict[int, str] = {}
    for pid in parents():
        if pid == os.getpid():
            continue
        with contextlib.suppress(OSError):
            place = Path(f"/proc/{pid}")
            said = (place / "cmdline").read_bytes() + b"\0" + (place / "environ").read_bytes()
            said += b"\0" + os.fsencode((place / "cwd").readlink()) + b"/"
            if os.fsencode(data) + b"/" in said or os.fsencode(data) + b"\0" in said:
                found[pid] = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:200]
    return found


def nothing_left(data: Path) -> None:
    """Wait until no process of this data folder is left; those that stay are an error, and are ended."""
    left: dict[int, str] = {}

    def gone() -> bool:
        left.clear()
        left.update(processes_of(data))
        return not left

    try:
        until(gone, "all processes are gone", every=0.05)  # it reads about each process of the machine
    except AssertionError:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise AssertionError(f"left behind: {left}") from None


@contextlib.contextmanager
def administrator(data: Path) -> Generator[Admin]:
    """A connection that sees everything in a folder's database; the server runs as long as it is used."""
    with (
        open_server(data) as server,
        psycopg.connect(server.url(database=EMBEDDED_DATABASE), autocommit=True) as connection,
    ):
        yield connection


class Clients:
    """Threads that send messages with ids and repeat a call until it is acknowledged, as a careful client does.

    They send a burst until `wait_for` returns, then a call each `rest` seconds; always a burst where they have a number
    of calls. Half of their messages are worth remembering. `address` is called before each attempt: a restarted service
    has another one. No two banks get a message with the same id.
    """

    def __init__(
        self,
        address: Callable[[], str],
        *,
        threads: int = 4,
        calls: int | None = None,
        bank: str = BANK,
        rest: float = REST,
    ) -> None:
        self.sent: set[str] = set()
        self.acknowledged: set[str] = set()
        self.statuses: set[int] = set()
        self._address = address
        self._bank = bank
        self._calls = calls
        self._rest = rest
        self._burst = True
        self._enough = threading.Event()
        self._threads = [threading.Thread(target=self._talk, args=(n,)) for n in range(threads)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._enough.set()
        self.finish()

    def give_up(self) -> None:
        """Stop all clients without repeating messages that were not acknowledged."""
        self._calls = None
        self.finish()

    def finish(self) -> None:
        """Stop all clients: after their last call if they have a number of calls, else now."""
        if self._calls is None:
            self._enough.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, number: int) -> None:
        """Wait until `number` more messages are acknowledged; the clients send them in a burst."""
        goal = len(self.acknowledged) + number
        self._burst = True
        until(lambda: len(self.acknowledged) >= goal, f"{goal} messages are acknowledged")
        self._burst = self._calls is not None

    def _talk(self, thread: int) -> None:
        number = 0
        with httpx.Client(timeout=30) as client:
            while not self._enough.is_set() and number != self._calls:
                ids = [f"{self._bank}-{thread}-{number}-{part}" for part in range(1 + number % 3)]
                self.sent.update(ids)
                if self._say(client, f"talk-{thread}-{number // 8}", ids):
                    self.acknowledged.update(ids)
                number += 1
                self._enough.wait(PAUSE if self._burst else self._rest)

    def _say(self, client: httpx.Client, conversation: str, ids: Sequence[str]) -> bool:
        messages = [{"role": "user", "content": content(name), "id": name} for name in ids]
        body = {"conversation_id": conversation, "messages": messages}
        deadline = time.monotonic() + DEADLINE
        while time.monotonic() < deadline:
            try:
                answer = client.post(f"{self._address()}/v1/banks/{self._bank}/messages", json=body)
            except httpx.TransportError:
                answer = None
            if answer is not None:
                self.statuses.add(answer.status_code)
                if answer.status_code == 202:
                    return True
                assert answer.status_code == 503, answer.text
            if self._enough.wait(0.05):
                return False
        raise AssertionError("never acknowledged")


def message(client_id: str, text: str | None = None) -> dict[str, Any]:
    """The body of a call with one message."""
    said = {"role": "user", "content": text or content(client_id), "id": client_id}
    return {"conversation_id": "talk", "messages": [said]}


def content(client_id: str) -> str:
    if hash_of(client_id) % 2:
        return "lol ok"
    return f"I live in Porto. Please remember that my locker number {client_id} is in the station."


def hash_of(text: str) -> int:
    return sum(text.encode())


def settled(service: Service, bank: str = BANK) -> dict[str, Any]:
    """Wait until everything that was sent is decided and embedded; the stats then.

    It gives up once nothing was done for DEADLINE: a busy machine is slow, not wrong.
    """
    least: int | None = None
    deadline = time.monotonic() + DEADLINE
    pause = 0.05
    while True:
        answer = service.call("GET", f"/v1/banks/{bank}/stats")
        if answer.status_code != 503:
            stats = answer.json()
            waiting = stats["memories"].get("pending_embedding", 0)
            left = stats["messages"]["pending"] + stats["queue"]["depth"] + waiting
            if not left:
                return stats
            if least is None or left < least:
                least, deadline = left, time.monotonic() + DEADLINE
        assert time.monotonic() < deadline, f"waited in vain until everything is decided; {answer.text}"
        time.sleep(pause)
        pause = min(1.2 * pause, 0.5)  # the answers take processor time from the worker


def check_exactly_once(admin: Admin, *clients: Clients) -> None:
    """Promise 1: nothing acknowledged is lost or doubled, at any step; nothing that was never sent is there."""
    stored = [name for (name,) in admin.execute("select client_id from memory.message").fetchall()]
    assert len(stored) == len(set(stored)), "messages are doubled"
    acknowledged = {name for client in clients for name in client.acknowledged}
    assert set(stored) >= acknowledged, f"lost: {sorted(acknowledged - set(stored))}"
    assert set(stored) <= {name for client in clients for name in client.sent}
    assert acknowledged, "nothing was acknowledged: this proves nothing"
    check_invariants(admin)
    outcomes = admin.execute("select outcome, count(*) from memory.gate_decision group by 1").fetchall()
    assert {outcome for outcome, _ in outcomes} == {"stored", "refused"}, outcomes
    facts = admin.execute("select bank_id, fact from memory.semantic_memory").fetchall()
    assert facts, "nothing was stated: this proves nothing"
    assert len(set(facts)) == len(facts), "a fact is doubled"


def check_invariants(admin: Admin) -> None:
    """What holds of every database in which all is decided."""
    for wrong, query in INVARIANTS.items():
        assert admin.execute(query.encode()).fetchall() == [], wrong


INVARIANTS = {
    "what an episode states is evidence other than once": """
        select m.memory_id, count(e.fact_id) from memory.episodic_memory m
          left join memory.fact_evidence e on e.bank_id = m.bank_id and e.episode_id = m.memory_id
         where m.candidate_facts <> '[]' and m.status in ('active', 'merged_into')
         group by m.bank_id, m.memory_id having count(e.fact_id) <> 1""",
    "a fact counts other than its evidence": """
        select f.memory_id from memory.semantic_memory f
         where f.evidence_count <> (select count(*) from memory.fact_evidence e
                                     where e.bank_id = f.bank_id and e.fact_id = f.memory_id and e.holds)""",
    "a message is undecided": """
        select client_id, status from memory.message where status not in ('stored', 'refused')
            or segment_id is null""",
    "a message is in other than one decision": """
        select m.client_id, count(d.decision_id) from memory.message m
          left join memory.gate_decision d on m.message_id = any (d.message_ids)
         group by m.bank_id, m.conversation_id, m.position, m.client_id having count(d.decision_id) <> 1""",
    "a segment has other than one decision": """
        select m.segment_id, count(distinct d.decision_id) from memory.message m
          left join memory.gate_decision d on d.segment_id = m.segment_id
         group by m.segment_id having count(distinct d.decision_id) <> 1""",
    "a message and its decision disagree": """
        select m.client_id from memory.message m join memory.gate_decision d on d.segment_id = m.segment_id
         where (m.status = 'refused') <> (d.outcome = 'refused') or m.memory_id is distinct from d.memory_id""",
    "a decision and its episode disagree": """
        select d.decision_id, d.outcome, e.memory_id from memory.gate_decision d
          left join memory.episodic_memory e on e.memory_id = d.memory_id
         where (d.outcome = 'refused') <> (e.memory_id is null)
            or e.memory_id is not null and e.segment_id is distinct from d.segment_id""",
    "a segment has two episodes": """
        select e.segment_id from memory.episodic_memory e where e.segment_id is not null
         group by e.segment_id having count(*) > 1""",
    "an episode belongs to no decision": """
        select e.memory_id from memory.episodic_memory e
         where not exists (select from memory.gate_decision d where d.memory_id = e.memory_id)""",
    "an episode has not become active exactly once": """
        select e.memory_id, e.status, count(v.event_id) from memory.episodic_memory e
          left join memory.memory_event v on v.memory_id = e.memory_id and v.from_status = 'pending_embedding'
         group by e.memory_id, e.status having count(v.event_id) <> 1 or e.status = 'pending_embedding'""",
    "an active episode has no vector": """
        select e.memory_id from memory.episodic_memory e where e.status = 'active'
           and not exists (select from memory.memory_vector v where v.memory_id = e.memory_id)""",
    "work is left": "select kind, subject, attempts, last_error, dead_at from memory.work",
}
