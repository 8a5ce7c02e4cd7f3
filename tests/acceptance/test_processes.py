"""MEMORY_PROCESSES: several processes answer on one socket, as one service."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.acceptance.running import BANK, Clients, Service, nothing_left, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("processes") / "data"


@pytest.fixture(autouse=True)
def _leaves_nothing(data: Path) -> Generator[None]:
    yield
    nothing_left(data)


def beside(service: Service) -> list[int]:
    """The additional HTTP processes that the service started."""
    found: list[int] = []
    for pid in service.workers():
        with contextlib.suppress(OSError):
            if b"--beside" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def started(service: Service, *, times: int = 1) -> int:
    """Wait until an additional HTTP process has reported readiness `times` times since the start; return its pid."""
    until(lambda: service.log.read_text().count("one more HTTP process answers") >= times, "it answers")
    return until(lambda: beside(service), "there is another HTTP process")[0]


@contextlib.contextmanager
def frozen(pid: int) -> Generator[None]:
    """Suspend the process within the block, so that only the other one answers."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def connected(service: Service, frozen_pid: int) -> Generator[httpx.Client]:
    """A client connected to the process that is not `frozen_pid`."""
    with httpx.Client(base_url=service.address, timeout=30) as client:
        with frozen(frozen_pid):
            assert client.get("/healthz").status_code == 200
        yield client


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[Service]:
    """A service of two HTTP processes; each test leaves both answering."""
    folder = tmp_path_factory.mktemp("two") / "data"
    with Service(folder, MEMORY_PROCESSES="2", MEMORY_WORKERS="0") as running:
        yield running
        assert running.stop() == 0
    nothing_left(folder)


def test_each_process_answers_and_sees_what_the_other_did(service: Service) -> None:
    other = started(service)
    with connected(service, other) as first, connected(service, service.process.pid) as second:
        for here, there in ((first, second), (second, first)):
            read = here.post(f"/v1/banks/{BANK}/recall", json={"query": "What is there?"}).json()
            trace = there.get(f"/v1/banks/{BANK}/traces/{read['trace_id']}")
            assert trace.status_code == 200, trace.text
            assert there.get("/readyz").json()["status"] == "ready"
        with frozen(other):  # else it might be the other that answers on a new connection
            made = first.patch(f"/v1/banks/{BANK}", json={"settings": {"trace_days": 3}})
        assert made.status_code == 200
        assert second.get(f"/v1/banks/{BANK}").json()["settings"]["trace_days"] == 3


def test_one_that_dies_is_started_again_and_nothing_is_lost(service: Service) -> None:
    killed = started(service)
    with Clients(lambda: service.address, calls=60) as clients:
        clients.wait_for(20)
        os.kill(killed, signal.SIGKILL)
    assert clients.acknowledged == clients.sent
    again = started(service, times=2)
    assert again != killed
    with connected(service, service.process.pid) as client:
        total = client.get(f"/v1/banks/{BANK}/stats").json()["messages"]["total"]
    assert total == len(clients.sent)
    assert "HTTP process died; starting another" in service.log.read_text()


def test_calls_under_way_in_each_process_get_their_answers_before_it_stops(data: Path) -> None:
    data.with_name(data.name + ".log").unlink(missing_ok=True)
    with Service(data, MEMORY_PROCESSES="3", MEMORY_WORKERS="0") as service:
        started(service, times=2)
        with Clients(lambda: service.address, threads=8, bank=BANK) as clients:
            clients.wait_for(40)
            os.kill(service.process.pid, signal.SIGTERM)
            assert service.process.wait(60) == 0
            clients.give_up()
        assert clients.statuses == {202}
    assert "died" not in service.log.read_text()


def test_all_of_them_go_when_the_first_is_killed(data: Path) -> None:
    data.with_name(data.name + ".log").unlink(missing_ok=True)
    with Service(data, MEMORY_PROCESSES="2") as service:
        started(service)
        service.kill()
        nothing_left(data)
