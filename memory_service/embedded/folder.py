"""The data folder: the cluster in `postgres/`; locks, logs and the server's address in `postgres.ctl/`."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from subprocess import run

from memory_service.embedded.account import Account
from memory_service.embedded.lock import Lock, open_private
from memory_service.errors import EmbeddedPostgresFailed

PORT = 5432
LONGEST_SOCKET_PATH = 103
"""Bytes of a socket's path that every system accepts (Linux 107, macOS 103)."""
SHUTTING_DOWN = 3
"""DB_SHUTDOWNING of pg_control.h, in the field `state` of pg_control."""
TOKEN_FILE = "server"  # noqa: S105 (a file name)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server of a folder listens. Written by the guardian while it holds its lock.

    `device` and `inode` are those of the guardian's lock file: in a copy of the folder they differ, and the address of
    the original's server is not used.
    """

    socket_dir: str
    token: str
    device: int
    inode: int

    def reachable(self, owner: int) -> bool:
        """Whether the socket's folder is the one that the guardian created.

        It belongs to the owner of the data, no other user may enter it, and it holds the token. Another folder at the
        same path, in another container or created by another user, fails one of these checks.
        """
        try:
            found = os.lstat(self.socket_dir)
            if not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o077 or found.st_uid != owner:
                return False
            return (Path(self.socket_dir) / TOKEN_FILE).read_text() == self.token
        except OSError:
            return False


class Folder:
    """Paths and small files of one data folder."""

    def __init__(self, data_dir: Path) -> None:
        self.root = data_dir.expanduser().resolve()
        self.pgdata = self.root / "postgres"
        self.ctl = self.root / "postgres.ctl"
        self.log = self.ctl / "postgres.log"
        self.guardian_log = self.ctl / "guardian.log"
        self.unfinished = self.ctl / "initdb"
        self._address = self.ctl / "address.json"

    def prepare(self) -> None:
        """Create the data folder and `postgres.ctl`; existing folders keep their modes and owners.

        Errors: EmbeddedPostgresFailed naming the file that cannot be written, or the folder that everybody can write.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            mode = stat.S_IMODE(self.root.stat().st_mode)
            if mode & stat.S_IWOTH:
                raise EmbeddedPostgresFailed(
                    f"every user of this machine can write the data folder {self.root} (mode {mode:o}) and so "
                    f"replace the database: `chmod o-w {self.root}`, or set MEMORY_DATA_DIR to another folder"
                )
            if not self.ctl.exists():
                self.ctl.mkdir(mode=0o700, exist_ok=True)
                if os.geteuid() == 0:
                    os.chown(self.ctl, self.root.stat().st_uid, self.root.stat().st_gid)
            os.close(open_private(self.guardian_log))
        except OSError as error:
            raise EmbeddedPostgresFailed(
                f"the data folder {self.root} cannot be written: {error.strerror} ({error.filename})"
            ) from error

    def users_lock(self) -> Lock:
        """Shared by all processes that use the server; the guardian stops the server when it gets it exclusively."""
        return Lock(self.ctl / "users.lock")

    def start_lock(self) -> Lock:
        """Held while a process opens the server, so that only one starts a guardian."""
        return Lock(self.ctl / "start.lock")

    def guardian_lock(self) -> Lock:
        """Held by the guardian for its lifetime: free means that no guardian runs."""
        return Lock(self.ctl / "guardian.lock")

    def server_lock(self) -> Lock:
        """Inherited by every Postgres process: free means that none runs on this data, in any container."""
        return Lock(self.ctl / "server.lock")

    def owner(self) -> int:
        """User id of the data's owner."""
        return self.pgdata.stat().st_uid

    def address(self) -> Address | None:
        """Where the server listens; None where no address is published, or one that was copied with the folder."""
        try:
            address = Address(**json.loads(self._address.read_text()))
            lock = os.stat(self.ctl / "guardian.lock")
        except (OSError, ValueError, TypeError):
            return None
        return address if (address.device, address.inode) == (lock.st_dev, lock.st_ino) else None

    def publish(self, socket_dir: Path, token: str) -> None:
        """Write the address atomically."""
        lock = os.stat(self.ctl / "guardian.lock")
        text = json.dumps(asdict(Address(str(socket_dir), token, lock.st_dev, lock.st_ino)))
        replace_file(self._address, text, self.ctl.stat().st_uid, self.ctl.stat().st_gid)

    def withdraw(self) -> None:
        """Remove the address, so that no process joins a server that stops."""
        self._address.unlink(missing_ok=True)

    def remove_socket_dir(self) -> None:
        """Remove the address and the socket folder of the last server.

        Only for the guardian while it holds the server's lock: then no server listens there.
        """
        address = self.address()
        if address is not None and self.pgdata.exists() and address.reachable(self.owner()):
            shutil.rmtree(address.socket_dir, ignore_errors=True)
        self.withdraw()

    def drop_pid_file(self) -> None:
        """Remove postmaster.pid, which is stale while the caller holds the server's lock.

        Postgres would take any process with that id for a running server and refuse to start.
        """
        (self.pgdata / "postmaster.pid").unlink(missing_ok=True)

    def stop_requested(self) -> bool:
        """Whether the server was signalled to stop and has not ended: line 8 of postmaster.pid."""
        try:
            lines = (self.pgdata / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) > 7 and lines[7].strip() == "stopping"

    def shutting_down(self) -> bool:
        """Whether the server is writing its shutdown checkpoint, or crashed while it did."""
        try:
            with (self.pgdata / "global" / "pg_control").open("rb") as control:
                return int.from_bytes(control.read(20)[16:], sys.byteorder) == SHUTTING_DOWN
        except OSError:
            return False

    def orphan(self) -> int | None:
        """Process id of a server that outlived its guardian, or None.

        The id in postmaster.pid may have been reused, so the working directory of the process is compared.
        """
        try:
            pid = int((self.pgdata / "postmaster.pid").read_text().split("\n", 1)[0])
            if sys.platform == "linux":
                same = os.path.samestat(os.stat(f"/proc/{pid}/cwd"), self.pgdata.stat())
            else:
                command = run(["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True)
                same = "postgres" in command.stdout and f"-D {self.pgdata} " in command.stdout
        except (OSError, ValueError):
            return None
        return pid if same and pid > 1 else None


def log_tail(path: Path, start: int = 0, lines: int = 12) -> str:
    """The last lines of a log from an offset on; empty without a log."""
    try:
        with path.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(start if start <= end else 0, end - 8_000))
            text = log.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(text.strip().splitlines()[-lines:])


def replace_file(path: Path, text: str, uid: int, gid: int) -> None:
    """Write a file of mode 0600 atomically. A link in its place is replaced, never followed."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        if os.geteuid() == 0:
            os.fchown(descriptor, uid, gid)
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    fresh.replace(path)


def make_socket_dir(account: Account) -> tuple[Path, str]:
    """Create a folder for the socket with a token in it; returns both.

    Not within the data folder: a socket's path is short, and the server's user may not reach it. The name is random, so
    that no other user can have created it before.

    Errors: EmbeddedPostgresFailed where no temporary folder is suitable.
    """
    # services of root often have a private /tmp, which other processes cannot reach
    first = ["/run"] if account.switch else []
    candidates = dict.fromkeys([*first, tempfile.gettempdir(), "/tmp", "/var/tmp"])  # noqa: S108 (random names)
    problems: list[str] = []
    for parent in candidates:
        example = os.path.join(parent, "memory-pg-12345678", f".s.PGSQL.{PORT}")
        if len(os.fsencode(example)) > LONGEST_SOCKET_PATH:
            problems.append(f"{parent}: too long for a socket")
        elif not account.can_enter(Path(parent)):
            problems.append(f"{parent}: user {account.name} cannot enter it")
        else:
            try:
                return _socket_dir(parent, account)
            except OSError as error:
                problems.append(f"{parent}: {error.strerror}")
    raise EmbeddedPostgresFailed(f"there is no folder for the server's socket ({'; '.join(problems)})")


def _socket_dir(parent: str, account: Account) -> tuple[Path, str]:
    socket_dir = Path(tempfile.mkdtemp(prefix="memory-pg-", dir=parent))
    token = secrets.token_hex(16)
    try:
        replace_file(socket_dir / TOKEN_FILE, token, account.uid, account.gid)
        if account.switch:
            os.chown(socket_dir, account.uid, account.gid)
    except OSError:
        shutil.rmtree(socket_dir, ignore_errors=True)
        raise
    return socket_dir, token
