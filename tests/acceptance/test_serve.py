"""`serve` as people start and stop it: it goes cleanly, leaves nothing behind, and shares its data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from memory_service.worker_process import NICENESS
from tests.acceptance.running import BANK, Clients, Service, message, nothing_left, settled, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")

TOLD = "Please remember that my sister Maria lives in Lisbon."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all of these, so that each test also starts on what another one left."""
    return tmp_path_factory.mktemp("serve") / "data"


@pytest.fixture(autouse=True)
def _leaves_nothing(data: Path) -> Generator[None]:
    yield
    nothing_left(data)


@pytest.mark.parametrize(
    ("how", "group"), [(signal.SIGINT, False), (signal.SIGINT, True), (signal.SIGTERM, True)],
    ids=["ctrl-c", "ctrl-c to the group", "term to the group"],
)  # fmt: skip
def test_it_stops_cleanly(data: Path, how: signal.Signals, group: bool) -> None:
    """SIGTERM to the service alone ends the services of the other tests."""
    with Service(data, True) as service:
        until(service.workers, "there is a worker")
        assert service.stop(how, group=group) == 0
    assert "worker died" not in service.log.read_text()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[Service]:
    """A service that no test changes. In the end it stops cleanly."""
    folder = tmp_path_factory.mktemp("served") / "data"
    with Service(folder) as running:
        yield running
        assert running.stop() == 0
    assert "worker died" not in running.log.read_text()
    nothing_left(folder)


def test_workers_give_way_to_requests(service: Service) -> None:
    (worker,) = until(service.workers, "there is a worker")
    until(lambda: os.getpriority(os.PRIO_PROCESS, worker) == NICENESS, "the worker has a lower priority")
    assert os.getpriority(os.PRIO_PROCESS, service.process.pid) == os.getpriority(os.PRIO_PROCESS, 0)
    if (group := Path(f"/proc/{worker}/autogroup")).exists():
        until(lambda: group.read_text().endswith(f" nice {NICENESS}\n"), "its session has one, too")
        assert group.read_text() != Path(f"/proc/{service.process.pid}/autogroup").read_text()


def test_a_taken_port_is_named(service: Service, data: Path) -> None:
    port = service.address.rpartition(":")[2]
    environment = {**os.environ, "MEMORY_DATA_DIR": str(data), "MEMORY_PORT": port}
    command = [sys.executable, "-m", "memory_service", "serve"]
    second = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"error: MEMORY_PORT: cannot listen on 127.0.0.1:{port}: Address already in use\n"


def test_what_was_acknowledged_a_moment_before_is_there_after_a_restart(data: Path) -> None:
    totals: list[int] = []
    for how in (signal.SIGTERM, signal.SIGKILL, None):
        with Service(data) as service:
            totals.append(settled(service)["messages"]["total"])
            if how is None:
                assert service.stop() == 0
            else:
                assert (
                    service.call("POST", f"/v1/banks/{BANK}/messages", message(how.name)).status_code == 202
                )
                service.stop(how)
        nothing_left(data)
    assert totals == [totals[0], totals[0] + 1, totals[0] + 2]


def test_two_services_share_the_data_and_the_last_one_ends_the_database(data: Path) -> None:
    with Service(data) as first, Service(data) as second:
        assert first.address != second.address
        assert first.call("POST", f"/v1/banks/{BANK}/messages", message("sister-1", TOLD)).status_code == 202
        settled(second)
        found = second.call("POST", f"/v1/banks/{BANK}/recall", {"query": "Where does Maria live?"}).json()
        assert any("Lisbon" in item["content"] for item in found["items"])
        assert first.stop() == 0
        assert second.call("POST", f"/v1/banks/{BANK}/messages", message("sister-2")).status_code == 202
        settled(second)
        assert second.stop() == 0


def test_it_can_be_stopped_while_it_starts(data: Path) -> None:
    for delay in (0.3, 0.9, 1.2):
        environment = {**os.environ, "MEMORY_DATA_DIR": str(data), "MEMORY_PORT": "0"}
        command = [sys.executable, "-m", "memory_service", "serve"]
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(delay)
        process.send_signal(signal.SIGTERM)
        # Before Python has got as far as minding signals, the signal itself ends it.
        assert process.wait(60) in (0, -signal.SIGTERM)
        nothing_left(data)


def test_a_request_under_way_gets_its_answer_before_it_stops(data: Path) -> None:
    with Service(data) as service, Clients(lambda: service.address) as clients:
        clients.wait_for(20)
        os.kill(service.process.pid, signal.SIGTERM)
        assert service.process.wait(60) == 0
        assert clients.statuses == {202}
        clients.give_up()
    with Service(data) as service:
        settled(service)
        assert service.stop() == 0
