"""A pgbouncer in transaction mode before a test's server."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from memory_service.embedded.account import choose_account
from tests.own_server import reachable_folder

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin")
needs_pgbouncer = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed")

PORT = 6432
CONFIGURATION = """\
[databases]
* = host={host} port={port} pool_size={connections}

[pgbouncer]
pool_mode = transaction
listen_addr =
listen_port = {listen_port}
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
max_client_conn = 200
max_db_connections = {connections}
"""


@contextmanager
def pgbouncer_before(url: str, *, connections: int) -> Generator[str]:
    """The socket folder of a pgbouncer that uses up to `connections` of the server at `url` for each database."""
    assert PROGRAM is not None
    parts = conninfo_to_dict(url)
    with reachable_folder() as folder:
        account = choose_account(folder / "unmade")
        as_user: dict[str, Any] = {}
        if account.switch:  # it refuses to run as root
            shutil.chown(folder, account.uid, account.gid)
            as_user = {"user": account.uid, "group": account.gid, "extra_groups": []}
        configuration = folder / "pgbouncer.ini"
        configuration.write_text(
            CONFIGURATION.format(
                host=parts["host"],
                port=parts["port"],
                folder=folder,
                listen_port=PORT,
                connections=connections,
            )
        )
        (folder / "users").write_text('"postgres" ""\n"memory_service" ""\n')
        log = folder / "log"
        with log.open("wb") as output:
            process = subprocess.Popen([PROGRAM, str(configuration)], stdout=output, stderr=output, **as_user)
        try:
            wait_until_it_answers(through(url, str(folder)), process, log)
            yield str(folder)
        finally:
            process.terminate()
            process.wait(60)


def through(url: str, folder: str) -> str:
    """The URL of the same database by the pgbouncer whose socket is in this folder."""
    parts = conninfo_to_dict(url)
    return f"postgresql://{parts['user']}@/{parts['dbname']}?host={folder}&port={PORT}"


def wait_until_it_answers(url: str, process: subprocess.Popen[Any], log: Path) -> None:
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        else:
            return
