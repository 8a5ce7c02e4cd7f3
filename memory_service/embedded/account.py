"""The operating system user that Postgres runs as: root may not run it."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memory_service.embedded.lock import Deadline
from memory_service.errors import EmbeddedPostgresFailed

OWN_NAME = "memory-service"
FORMER_NAME = "postgres"
"""The user of former releases. Other servers of the host may run as it too and could read the data."""
USER_DATABASE_BUSY = (1, 9, 10)
"""Exit codes of useradd while another useradd runs: files locked, name taken."""
USERADD_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Account:
    """The user that runs Postgres. `switch`: this process is root and starts Postgres as that user."""

    name: str
    uid: int
    gid: int
    switch: bool

    def can_enter(self, folder: Path) -> bool:
        """Whether a process of this user can enter the folder; tried, because modes do not tell all (ACLs, mounts)."""
        if not self.switch:
            return os.access(folder, os.X_OK)
        probe = subprocess.run(
            ["/bin/sh", "-c", 'cd "$0"', str(folder)],
            cwd="/",
            stderr=subprocess.DEVNULL,
            user=self.uid,
            group=self.gid,
            extra_groups=[],
        )
        return probe.returncode == 0


def choose_account(pgdata: Path) -> Account:
    """The user that runs Postgres on this data: the present user; for root the data's owner, else a system user.

    Data that root's service left to the user postgres, as former releases did, goes to the system user (`take_over`).

    Errors: EmbeddedPostgresFailed when root finds no such user and cannot create it, when the data belongs to
    another user or to root, or when the user id has no name, which Postgres requires.
    """
    uid = os.geteuid()
    owner = pgdata.stat().st_uid if pgdata.exists() else None
    if uid != 0:
        if owner not in (None, uid):
            raise EmbeddedPostgresFailed(
                f"{pgdata} belongs to user id {owner}; Postgres must be run by the owner of its data"
            )
        return _account(_entry(uid), switch=False)
    if owner == 0:
        raise EmbeddedPostgresFailed(
            f"{pgdata} belongs to root, and Postgres refuses to run as root; give the folder to a system "
            f"user first, for instance: chown -R {OWN_NAME} '{pgdata}'"
        )
    if owner is not None and not _is_former(pgdata, owner):
        return _account(_entry(owner), switch=True)
    return _account(_system_user(), switch=True)


def take_over(pgdata: Path, account: Account) -> None:
    """Change the owner of a cluster of the former user to this one. Only while no server runs on it.

    The folder itself is changed last, so that the next start completes an interrupted change. Only files of the former
    owner are changed and links are not followed: that user could have created them.

    Errors: EmbeddedPostgresFailed where the system refuses, or where a part of the cluster lies elsewhere.
    """
    if not account.switch or not pgdata.exists() or pgdata.stat().st_uid == account.uid:
        return
    former = pgdata.stat().st_uid
    for path in (pgdata / "pg_wal", *(pgdata / "pg_tblspc").glob("*")):
        if path.is_symlink():
            problem, parts = f"{path} is a link to {os.readlink(path)}", [pgdata, path.resolve()]
            raise _cannot_take_over(pgdata, account, problem, parts)
    try:
        for _, folders, files, descriptor in os.fwalk(pgdata, topdown=False, onerror=_raise):
            for name in (*folders, *files):
                if os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_uid == former:
                    os.chown(name, account.uid, account.gid, dir_fd=descriptor, follow_symlinks=False)
        os.chown(pgdata, account.uid, account.gid, follow_symlinks=False)
    except OSError as error:
        raise _cannot_take_over(pgdata, account, str(error.strerror), [pgdata]) from error


def _cannot_take_over(
    pgdata: Path, account: Account, problem: str, parts: list[Path]
) -> EmbeddedPostgresFailed:
    folders = " ".join(f"'{part}'" for part in parts)
    return EmbeddedPostgresFailed(
        f"{pgdata} belongs to the user {FORMER_NAME}, whose other processes could read it, and cannot be given to "
        f"{account.name}: {problem}. Do so by hand: chown -R {account.name}: {folders}"
    )


def _raise(error: OSError) -> None:
    raise error


def _is_former(pgdata: Path, owner: int) -> bool:
    """Whether the data belongs to the user postgres in a folder of root; a service of that user owns its folder."""
    entry = _named(FORMER_NAME)
    return entry is not None and owner == entry.pw_uid and pgdata.parent.stat().st_uid == 0


def _account(entry: pwd.struct_passwd, *, switch: bool) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, switch)


def _entry(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedPostgresFailed(
            f"user id {uid} has no name in the password database (/etc/passwd), and Postgres needs one; "
            "add an entry for it"
        ) from None


def _system_user() -> pwd.struct_passwd:
    problem = "" if _named(OWN_NAME) else _create()
    entry = _named(OWN_NAME)  # also where another process created it meanwhile
    if entry is None:
        raise EmbeddedPostgresFailed(
            f"Postgres refuses to run as root, and the system user {OWN_NAME} could not be created: "
            f"{problem}. Create it, or start the service as an ordinary user"
        )
    return entry


def _named(name: str) -> pwd.struct_passwd | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return entry if entry.pw_uid != 0 else None


def _create() -> str:
    program = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if program is None:
        return "there is no useradd"
    options = ["--system", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"]
    try:
        options += ["--gid", grp.getgrnam(OWN_NAME).gr_name]
    except KeyError:
        options += ["--user-group"]
    done = subprocess.run([program, *options, OWN_NAME], capture_output=True, text=True)
    if done.returncode in USER_DATABASE_BUSY:
        Deadline(USERADD_SECONDS).wait_for(lambda: _named(OWN_NAME) is not None)
    return done.stderr.strip() or f"useradd ended with code {done.returncode}"
