"""The cluster: its creation, its login rules, and the start of its server."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from memory_service.embedded.account import Account
from memory_service.embedded.binaries import Binaries
from memory_service.embedded.folder import PORT, Folder, replace_file
from memory_service.embedded.lock import Lock, open_private
from memory_service.errors import EmbeddedPostgresFailed

MAJOR = "18"
MAP = "embedded"

LOCALE = (
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    # libc's character classes split text into words for full-text search: they must know UTF-8
    f"--lc-ctype={'UTF-8' if sys.platform == 'darwin' else 'C.UTF-8'}",
)
"""Options of initdb."""

INITIAL_SETTINGS = {
    "shared_buffers": "128MB",
    "io_method": "sync",  # most reads hit the system's cache: passing them to a worker costs more than the read
    "autovacuum_naptime": "15s",
    "max_connections": "200",
    "jit": "off",  # compiling takes longer than the queries of memory_api
    "timezone": "UTC",
    "log_timezone": "UTC",
}
"""Written to postgresql.conf of a new cluster, where the owner may change them; with more memory larger buffers."""

MOST_BUFFERS = 512
"""Megabytes; with 128 a recall in a bank of 100,000 memories takes half as much processor time again."""
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")

FIXED_SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "logging_collector": "off",  # standard error goes to postgres.log, whose size the guardian limits
    "log_destination": "stderr",
    "log_line_prefix": "%m [%p] ",
    # Message text must not be logged: no statements, no parameters, no details (they quote offending values), and
    # no errors at all, since "invalid input syntax" quotes its input. Clients get every error; the log keeps
    # starts, stops, crashes and recovery.
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_transaction_sample_rate": "0",
    "log_duration": "off",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "debug_print_parse": "off",
    "debug_print_rewritten": "off",
    "debug_print_plan": "off",
}
"""Passed on the command line at each start, which overrides the files of the cluster."""


def shared_buffers() -> str:
    """An eighth of the memory that the machine or its container has, from 128 MB to MOST_BUFFERS."""
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # elsewhere, or "max"
        size = min(size, int(CGROUP_LIMIT.read_text()))
    return f"{min(max(size // 8 // 2**20, 128), MOST_BUFFERS)}MB"


def _libc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class Cluster:
    """The cluster of one data folder, with the user and the programs that run it."""

    def __init__(self, folder: Folder, account: Account, binaries: Binaries) -> None:
        self.folder = folder
        self.account = account
        self.binaries = binaries
        self._libc = _libc()

    def exists(self) -> bool:
        """Whether the folder holds a cluster of this release's Postgres version.

        Errors: EmbeddedPostgresFailed when the folder holds something else.
        """
        pgdata = self.folder.pgdata
        try:
            version = (pgdata / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            if pgdata.exists() and any(pgdata.iterdir()):
                raise EmbeddedPostgresFailed(f"{pgdata} is neither empty nor a Postgres cluster") from None
            return False
        if version != MAJOR:
            raise EmbeddedPostgresFailed(
                f"{pgdata} was written by Postgres {version}; this release runs Postgres {MAJOR}. Dump the "
                "data with the old release and load it into a new folder"
            )
        return True

    def create(self, lock: Lock, timeout: float) -> None:
        """Create the cluster: checksums, UTF-8 with the builtin locale, superuser `postgres`.

        initdb runs in another folder, which is renamed when complete: a crash leaves no partial cluster. It inherits
        the lock: processes of a killed initdb must end before the next one starts.

        Errors: EmbeddedPostgresFailed with the end of initdb's output.
        """
        fresh = self.folder.unfinished
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        if self.account.switch:
            os.chown(fresh, self.account.uid, self.account.gid)
        command = [
            *[str(self.binaries.initdb), "-D", self._path_argument(fresh), "-U", "postgres"],
            *["--auth-local=peer", "--auth-host=reject", "--encoding=UTF8", "--data-checksums"],
            *LOCALE,
        ]
        for name, value in (INITIAL_SETTINGS | {"shared_buffers": shared_buffers()}).items():
            command += ["--set", f"{name}={value}"]
        output = self.folder.ctl / "initdb.log"
        descriptor = open_private(output, os.O_WRONLY | os.O_TRUNC)
        try:
            process = self._spawn(command, fresh, descriptor, lock, signal.SIGKILL)
        finally:
            os.close(descriptor)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        if code != 0:
            tail = output.read_text(errors="replace").strip().splitlines()[-8:]
            shutil.rmtree(fresh, ignore_errors=True)
            how = f"did not finish within {timeout:.0f} s" if code is None else f"ended with code {code}"
            raise EmbeddedPostgresFailed("\n".join([f"initdb for {self.folder.pgdata} {how}:", *tail]))
        output.unlink(missing_ok=True)
        if self.folder.pgdata.exists():
            self.folder.pgdata.rmdir()
        fresh.rename(self.folder.pgdata)
        _sync(self.folder.root)

    def start(self, socket_dir: Path, lock: Lock, log: int) -> subprocess.Popen[bytes]:
        """Start the server, which inherits the lock; its process, not ready yet.

        The caller holds the lock, so a postmaster.pid is stale and is removed.
        """
        self.folder.drop_pid_file()
        self._write_login_rules()
        command = [str(self.binaries.postgres), "-D", self._path_argument(self.folder.pgdata)]
        for name, value in {**FIXED_SETTINGS, "unix_socket_directories": f'"{socket_dir}"'}.items():
            command += ["-c", f"{name}={value}"]
        return self._spawn(command, self.folder.pgdata, log, lock, signal.SIGINT)

    def _path_argument(self, pgdata: Path) -> str:
        # Root enters parent folders that are closed to the other user before it switches to that user; the working
        # directory still leads to the data.
        return "/proc/self/cwd" if self.account.switch and sys.platform == "linux" else str(pgdata)

    def _write_login_rules(self) -> None:
        """Allow the owner of the data, and root, who can become the owner, to log in as any role."""
        names = dict.fromkeys([self.account.name, pwd.getpwuid(0).pw_name])
        local = f"local all all peer map={MAP}\nlocal replication all peer map={MAP}\n"
        users = "".join(f'{MAP} "{name}" all\n' for name in names)
        head = "# Written at each start of the embedded server.\n"
        for file, text in (("pg_hba.conf", local + "host all all all reject\n"), ("pg_ident.conf", users)):
            replace_file(self.folder.pgdata / file, head + text, self.account.uid, self.account.gid)

    def _spawn(
        self, command: list[str], pgdata: Path, output: int, lock: Lock, last_signal: signal.Signals
    ) -> subprocess.Popen[bytes]:
        guardian, libc = os.getpid(), self._libc

        def die_with_guardian() -> None:
            # Runs after the switch of user, which would clear the setting.
            if libc is not None:
                libc.prctl(1, int(last_signal))  # PR_SET_PDEATHSIG
                if os.getppid() != guardian:
                    os._exit(1)

        account = self.account
        try:
            return subprocess.Popen(
                command,
                cwd=pgdata,
                env={
                    "PATH": "/usr/bin:/bin",
                    "LC_ALL": "C",
                },  # variables such as PGPORT would change the server
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[lock.descriptor],
                start_new_session=True,
                preexec_fn=die_with_guardian,
                user=account.uid if account.switch else None,
                group=account.gid if account.switch else None,
                extra_groups=[] if account.switch else None,
                umask=0o077,
            )
        except OSError as error:
            raise EmbeddedPostgresFailed(
                f"user {account.name} cannot run {command[0]} in {pgdata}: {error.strerror}"
            ) from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
