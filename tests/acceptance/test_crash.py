"""`kill -9` of any process at any point neither loses nor doubles a message (docs/design.md, "Promises")."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.acceptance.running import (
    BANK,
    DEADLINE,
    Admin,
    Clients,
    Service,
    administrator,
    check_exactly_once,
    message,
    nothing_left,
    parents,
    processes_of,
    settled,
    start_worker,
    until,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")

BETWEEN = {
    "segment": ("memory.message", "segment_conversation"),
    "extract": ("memory.gate_decision", "decide_segments"),
    "embed": ("memory.memory_vector", "activate_episodes"),
    "facts": ("memory.fact_evidence", "upsert_facts"),
}
"""For each kind of work item: a table whose lock blocks a worker between claim and completion, and the blocked call."""

KILLS = 5


@pytest.fixture
def data(tmp_path: Path) -> Generator[Path]:
    """A new data folder for each test; asserts that no process of it is left after the test."""
    folder = tmp_path / "data"
    yield folder
    nothing_left(folder)


def stop_and_check(service: Service, clients: Clients) -> None:
    """Wait until the queue is empty, stop the service, and check that each message is stored exactly once."""
    settled(service)
    assert service.stop() == 0
    nothing_left(service.data)
    with administrator(service.data) as admin:
        check_exactly_once(admin, clients)


def leases(admin: Admin, kind: str) -> int:
    query = "select count(*) from memory.work where lease_token is not null and kind like %s"
    row = admin.execute(query, (kind,)).fetchone()
    return row[0] if row else 0


def blocked(admin: Admin, call: str) -> list[int]:
    """The backends that wait for a lock in `call`."""
    query = "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like %s"
    return [pid for (pid,) in admin.execute(query, (f"%{call}%",)).fetchall()]


@contextlib.contextmanager
def table_held(admin: Admin, table: str) -> Generator[None]:
    """Block all writes to the table until the block ends."""
    with psycopg.connect(admin.info.dsn) as other:
        other.execute(f"lock table {table} in exclusive mode".encode())
        yield


def test_a_worker_killed_at_any_moment_of_its_work(data: Path) -> None:
    chance = random.Random(1)
    with Service(data) as service:
        with administrator(data) as admin, Clients(lambda: service.address) as clients:
            for _ in range(KILLS):
                clients.wait_for(20)
                (worker,) = until(service.workers, "there is a worker")
                until(lambda: leases(admin, "%"), "the worker holds leases")
                time.sleep(chance.uniform(0, 0.03))
                os.kill(worker, signal.SIGKILL)
                until(lambda: worker not in parents(), "it is dead")  # noqa: B023 - asked at once
        stop_and_check(service, clients)


@dataclass
class Served:
    """A service with MEMORY_WORKERS=0, and a separate worker, which each test kills and replaces."""

    service: Service
    worker: subprocess.Popen[bytes]


@contextlib.contextmanager
def served(data: Path) -> Generator[Served]:
    with Service(data, MEMORY_WORKERS="0") as service:
        with administrator(data) as admin:
            found = Served(service, listening_worker(service, admin))
        yield found
        found.worker.terminate()
        assert found.worker.wait(DEADLINE) == 0
        assert service.stop() == 0
    nothing_left(data)


def listening_worker(service: Service, admin: Admin) -> subprocess.Popen[bytes]:
    """Start a worker and wait until it listens for notifications."""
    before = listening(admin)  # the connection of a worker that was killed may still be open
    worker = start_worker(service)
    until(lambda: listening(admin) - before, "the new worker listens")
    return worker


@contextlib.contextmanager
def suspended(process: subprocess.Popen[bytes]) -> Generator[None]:
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def kill_within(
    served: Served, send: Callable[[], None], kind: str, table: str, call: str, statement: str
) -> None:
    """Kill the worker while it waits in `call` for the lock of `table`, with a lease of `kind` on the messages of
    `send`; then start another worker."""
    worker = served.worker
    with administrator(served.service.data) as admin:
        with contextlib.ExitStack() as held:
            with suspended(worker):
                send()
                held.enter_context(table_held(admin, table))
            backends = until(lambda: blocked(admin, call), f"the worker is in {call}")
            worker.kill()
            worker.wait()
            assert leases(admin, kind), "nobody gave the lease back"
            if statement == "rolled back":
                for backend in backends:
                    admin.execute("select pg_terminate_backend(%s)", (backend,))
                until(lambda: not blocked(admin, call), "its statement is rolled back")
        served.worker = listening_worker(served.service, admin)


def listening(admin: Admin) -> set[int]:
    """The backends that listen for notifications."""
    query = "select pid from pg_stat_activity where query ilike 'listen%'"
    return {pid for (pid,) in admin.execute(query.encode()).fetchall()}


@pytest.fixture(scope="module")
def served_clients(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Served, list[Clients]]]:
    """A service on which each test creates a bank, and the clients of all tests."""
    data = tmp_path_factory.mktemp("crash") / "data"
    clients: list[Clients] = []
    with served(data) as found:
        yield found, clients
    with administrator(data) as admin:
        check_exactly_once(admin, *clients)


@pytest.mark.parametrize("statement", ["rolled back", "committed after its death"])
@pytest.mark.parametrize("kind", BETWEEN)
def test_a_worker_killed_between_claim_and_completion(
    served_clients: tuple[Served, list[Clients]], kind: str, statement: str
) -> None:
    found, told = served_clients
    service, bank = found.service, f"{kind}-{statement.partition(' ')[0]}"
    assert service.call("POST", "/v1/banks", {"bank_id": bank}).status_code == 201

    def send() -> None:
        with Clients(lambda: service.address, threads=2, calls=6, bank=bank) as clients:
            pass
        told.append(clients)

    kill_within(found, send, kind, *BETWEEN[kind], statement)
    settled(service, bank)
    with administrator(service.data) as admin:
        check_exactly_once(admin, *told)


PERSON = {
    "relational": ("memory.relational_memory", "update_relational"),
    "procedures": ("memory.procedural_memory", "write_procedures"),
}
"""As BETWEEN, for the kinds of work item that write norms and procedures."""
STATED = (
    "Always answer me in one short sentence.",
    "I prefer tea over coffee.",
    "Every morning I go for a run before breakfast.",
    "Every evening I read a book before bed.",
)
ONCE = {
    "a norm is stated by other than one episode": """
        select n.memory_id, count(e.episode_id) from memory.relational_memory n
          left join memory.relational_evidence e on e.bank_id = n.bank_id and e.norm_id = n.memory_id
         where n.kind in ('instruction', 'preference') group by n.bank_id, n.memory_id
        having count(e.episode_id) <> 1 or max(n.evidence_count) <> 1""",
    "a norm is doubled": """
        select slot from memory.relational_memory where kind in ('instruction', 'preference')
         group by bank_id, slot having count(*) <> 1""",
    "a norm has no vector": """
        select n.norm from memory.relational_memory n
          left join memory.relational_vector v on v.bank_id = n.bank_id and v.norm_id = n.memory_id
         where n.kind in ('instruction', 'preference') group by n.bank_id, n.memory_id, n.norm
        having count(v.part) = 0""",
    "a procedure is doubled": """
        select content from memory.procedural_memory group by bank_id, content having count(*) <> 1""",
    "a procedure is stated by other than one episode": """
        select p.memory_id, count(e.evidence_id) from memory.procedural_memory p
          left join memory.procedure_evidence e on e.bank_id = p.bank_id and e.procedure_id = p.memory_id
         group by p.bank_id, p.memory_id having count(e.evidence_id) <> 1""",
    "a procedure has no vector": """
        select p.memory_id from memory.procedural_memory p
          left join memory.procedural_vector v on v.bank_id = p.bank_id and v.procedure_id = p.memory_id
         group by p.bank_id, p.memory_id having count(v.part) = 0""",
    "a work item is left": "select kind, subject from memory.work",
}


@pytest.fixture(scope="module")
def served_person(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A service on which each test creates a bank."""
    with served(tmp_path_factory.mktemp("person") / "data") as found:
        yield found


@pytest.mark.parametrize("statement", ["rolled back", "committed after its death"])
@pytest.mark.parametrize("kind", PERSON)
def test_a_worker_killed_before_it_completes_norms_or_procedures(
    served_person: Served, kind: str, statement: str
) -> None:
    service, bank = served_person.service, f"{kind}-{statement.partition(' ')[0]}"
    assert service.call("POST", "/v1/banks", {"bank_id": bank}).status_code == 201

    def send() -> None:
        for number, text in enumerate(STATED):
            answer = service.call("POST", f"/v1/banks/{bank}/messages", message(f"m{number}", text))
            assert answer.status_code == 202, answer.text

    kill_within(served_person, send, kind, *PERSON[kind], statement)
    settled(service, bank)
    with administrator(service.data) as admin:
        for wrong, query in ONCE.items():
            assert admin.execute(query.encode()).fetchall() == [], wrong
        counts = admin.execute(
            "select (select count(*) from memory.relational_memory n "
            "         where n.bank_id = %(bank)s and n.kind in ('instruction', 'preference')), "
            "       (select count(*) from memory.procedural_memory p where p.bank_id = %(bank)s)",
            {"bank": bank},
        ).fetchone()
        assert counts == (2, 2)


ENDS = (*[signal.SIGKILL] * 2, signal.SIGTERM) * 2
"""The signals that end the service, each at a random moment of a burst; it is started again on the same folder."""


def test_a_service_ended_during_bursts_of_writes(data: Path) -> None:
    chance = random.Random(3)
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(Service(data))]
        with Clients(lambda: running[-1].address) as clients:
            for how in ENDS:
                clients.wait_for(chance.randint(1, 80))
                assert running[-1].stop(how) == (0 if how == signal.SIGTERM else -how)
                nothing_left(data)  # no worker and no database either
                running.append(stack.enter_context(Service(data)))
            clients.wait_for(20)
        stop_and_check(running[-1], clients)


def postmaster_of(data: Path) -> int:
    """The process id of the running server, or of the next one: an acknowledgement may come late, after its end."""

    def written() -> list[str]:
        with contextlib.suppress(FileNotFoundError):
            return (data / "postgres" / "postmaster.pid").read_text().split()
        return []

    return int(until(written, "the server runs")[0])


def test_a_postmaster_killed_during_bursts_of_writes(data: Path) -> None:
    chance = random.Random(6)
    with Service(data) as service:
        with Clients(lambda: service.address) as clients:
            for _ in range(KILLS):
                clients.wait_for(chance.randint(1, 80))
                os.kill(postmaster_of(data), signal.SIGKILL)
            clients.wait_for(20)
        assert clients.statuses <= {202, 503}
        stop_and_check(service, clients)


def decided(service: Service) -> int:
    """How many messages are stored or refused."""
    messages = service.call("GET", f"/v1/banks/{BANK}/stats").json()["messages"]
    return messages["stored"] + messages["refused"]


def test_without_a_database_it_answers_503_and_recovers_by_itself(data: Path) -> None:
    with Service(data) as service:
        (guardian,) = [pid for pid, said in processes_of(data).items() if "embedded.guardian" in said]
        before = [service.process.pid, *until(service.workers, "there is a worker")]
        with Clients(lambda: service.address) as clients:
            clients.wait_for(20)
            # A worker that still starts would end without a database, and another would be started.
            until(lambda: decided(service), "the worker works")
            os.kill(guardian, signal.SIGSTOP)  # so that the database stays away
            try:
                os.kill(postmaster_of(data), signal.SIGKILL)
                until(lambda: service.call("GET", "/readyz").status_code == 503, "it is not ready")
                refused = service.call("POST", f"/v1/banks/{BANK}/messages", message("never"))
                alive = service.call("GET", "/healthz")
                until(lambda: 503 in clients.statuses, "clients are told")
            finally:
                os.kill(guardian, signal.SIGCONT)
            clients.wait_for(20)
        assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (503, True)
        assert refused.headers["content-type"] == "application/problem+json"
        assert alive.status_code == 200
        settled(service)
        assert [service.process.pid, *service.workers()] == before
        stop_and_check(service, clients)
