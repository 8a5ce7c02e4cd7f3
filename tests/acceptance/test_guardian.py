"""The embedded database's guardian dies: another one takes over, and nobody has to be started again."""

from __future__ import annotations

import os
import signal
import sys
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


def test_the_same_service_and_worker_go_on_after_the_guardian_was_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Service(data) as service:
        workers = working(service)
        with Clients(lambda: service.address) as clients:
            clients.sent.add("first")
            for _ in range(3):
                clients.wait_for(20)
                (guardian,) = guardians(data)
                os.kill(guardian, signal.SIGKILL)
                clients.wait_for(20)
                (other,) = guardians(data)
                assert other != guardian
        settled(service)
        assert service.call("GET", "/readyz").status_code == 200
        assert service.process.poll() is None
        assert service.workers() == workers
        assert service.stop() == 0
    nothing_left(data)
    assert "worker died" not in service.log.read_text()
    with administrator(data) as admin:
        check_exactly_once(admin, clients)


def test_a_service_at_rest_is_ready_again_and_stops_cleanly(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Service(data) as service:
        (guardian,) = guardians(data)
        os.kill(guardian, signal.SIGKILL)
        until(lambda: service.call("GET", "/readyz").status_code == 503, "the database is gone")
        until(lambda: service.call("GET", "/readyz").status_code == 200, "it is back")
        assert service.stop() == 0
    nothing_left(data)


def test_it_can_be_stopped_right_after_the_guardian_was_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for _ in range(3):
        with Service(data) as service:
            (guardian,) = guardians(data)
            os.kill(guardian, signal.SIGKILL)
            service.call("GET", "/readyz")
            assert service.stop() == 0
        nothing_left(data)


def test_a_new_guardian_is_tried_until_the_database_can_be_started(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Service(data) as service:
        workers = working(service)
        (guardian,) = guardians(data)
        conf = data / "postgres" / "postgresql.conf"
        whole = conf.read_bytes()
        conf.write_bytes(whole + b"\nno_such_setting = 1\n")
        os.kill(guardian, signal.SIGKILL)

        def refused() -> bool:
            assert service.call("GET", "/readyz").status_code in (200, 503)
            return service.log.read_text().count("cannot be revived") >= 2

        until(refused, "two attempts have failed")
        assert "no_such_setting" in service.log.read_text()
        assert guardian not in guardians(data)
        conf.write_bytes(whole)
        until(lambda: service.call("GET", "/readyz").status_code == 200, "it is back")
        assert service.workers() == workers
        assert service.stop() == 0
    nothing_left(data)


def test_the_database_comes_back_once_what_kept_it_from_starting_is_gone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Service(data) as service:
        (guardian,) = guardians(data)
        conf = data / "postgres" / "postgresql.conf"
        whole = conf.read_bytes()
        conf.write_bytes(whole + b"\nno_such_setting = 1\n")
        os.kill(int(Folder(data).pgdata.joinpath("postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        log = Folder(data).guardian_log
        until(lambda: log.read_text().count("while starting") >= 2, "it could not start twice")
        assert service.call("GET", "/readyz").status_code == 503
        conf.write_bytes(whole)
        until(lambda: service.call("GET", "/readyz").status_code == 200, "it is back")
        assert guardians(data) == [guardian]
        assert service.stop() == 0
    nothing_left(data)


def working(service: Service) -> list[int]:
    """Wait until there is a worker that has decided something; the workers."""
    assert service.call("POST", f"/v1/banks/{BANK}/messages", message("first")).status_code == 202
    settled(service)
    return service.workers()


def guardians(data: Path) -> list[int]:
    return [pid for pid, said in processes_of(data).items() if "memory_service.embedded.guardian" in said]
