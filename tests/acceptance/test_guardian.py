"""The guardian of the embedded database is killed: another one takes over, and no process has to be restarted."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_service.embedded.folder import Folder
from tests.acceptance.running import (
    BANK,
    Clients,
    Service,
    administrator,
    check_exactly_once,
    message,
    nothing_left,
    processes_of,
    settled,
    until,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service; each test leaves it ready and with one guardian. After all tests it stops with exit code 0 and leaves
    no process."""
    data = tmp_path_factory.mktemp("guardian") / "data"
    with Service(data) as running:
        yield running
        assert running.stop() == 0
    nothing_left(data)


def test_the_same_service_and_worker_go_on_after_the_guardian_was_killed(service: Service) -> None:
    workers = working(service)
    with Clients(lambda: service.address) as clients:
        clients.sent.add("first")
        for _ in range(3):
            clients.wait_for(20)
            (guardian,) = guardians(service.data)
            os.kill(guardian, signal.SIGKILL)
            clients.wait_for(20)
            (other,) = guardians(service.data)
            assert other != guardian
    settled(service)
    assert service.call("GET", "/readyz").status_code == 200
    assert service.process.poll() is None
    assert service.workers() == workers
    assert "worker died" not in service.log.read_text()
    with administrator(service.data) as admin:
        check_exactly_once(admin, clients)


def test_a_service_at_rest_is_ready_again(service: Service) -> None:
    (guardian,) = guardians(service.data)
    os.kill(guardian, signal.SIGKILL)
    until(lambda: service.call("GET", "/readyz").status_code == 503, "the database is gone")
    until(lambda: service.call("GET", "/readyz").status_code == 200, "it is back")
    assert service.process.poll() is None


def test_it_can_be_stopped_right_after_the_guardian_was_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for _ in range(2):
        with Service(data) as service:
            (guardian,) = guardians(data)
            os.kill(guardian, signal.SIGKILL)
            service.call("GET", "/readyz")
            assert service.stop() == 0
        nothing_left(data)


def test_a_new_guardian_is_tried_until_the_database_can_be_started(service: Service) -> None:
    workers = working(service)
    (guardian,) = guardians(service.data)
    conf = service.data / "postgres" / "postgresql.conf"
    whole = conf.read_bytes()
    conf.write_bytes(whole + b"\nno_such_setting = 1\n")
    before = service.log.read_text()
    os.kill(guardian, signal.SIGKILL)

    def refused() -> bool:
        assert service.call("GET", "/readyz").status_code in (200, 503)
        return service.log.read_text().count("cannot be revived") >= before.count("cannot be revived") + 2

    until(refused, "two attempts have failed")
    assert "no_such_setting" in service.log.read_text().removeprefix(before)
    assert guardian not in guardians(service.data)
    conf.write_bytes(whole)
    until(lambda: service.call("GET", "/readyz").status_code == 200, "it is back")
    assert service.workers() == workers


def test_the_database_comes_back_once_what_kept_it_from_starting_is_gone(service: Service) -> None:
    (guardian,) = guardians(service.data)
    conf = service.data / "postgres" / "postgresql.conf"
    whole = conf.read_bytes()
    conf.write_bytes(whole + b"\nno_such_setting = 1\n")
    folder = Folder(service.data)
    before = folder.guardian_log.read_text().count("while starting")
    os.kill(int(folder.pgdata.joinpath("postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    until(
        lambda: folder.guardian_log.read_text().count("while starting") >= before + 2,
        "it could not start twice",
    )
    # The gauges behind /readyz may be a second old.
    until(lambda: service.call("GET", "/readyz").status_code == 503, "the database is gone")
    conf.write_bytes(whole)
    until(lambda: service.call("GET", "/readyz").status_code == 200, "it is back")
    assert guardians(service.data) == [guardian]


def working(service: Service) -> list[int]:
    """Wait until there is a worker that has decided something; the workers."""
    assert service.call("POST", f"/v1/banks/{BANK}/messages", message("first")).status_code == 202
    settled(service)
    return service.workers()


def guardians(data: Path) -> list[int]:
    return [pid for pid, said in processes_of(data).items() if "memory_service.embedded.guardian" in said]
