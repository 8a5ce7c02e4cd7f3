"""The operating system user that Postgres runs as: root may not run it."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memory_service.embedded.lock import Patience
from memory_service.errors import EmbeddedPostgresFailed

OWN_NAME = "memory-service"
FORMER_NAME = "postgres"
"""The user that earlier versions preferred: other servers of a host run as it too, and could read the data."""
BEING_CHANGED = (1, 9, 10)
"""Exit codes of useradd that another process's useradd may cause: files locked, the name just taken."""
CHANGE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs Postgres, and whether a process has to switch to it."""

    name: str
    uid: int
    gid: int
    switch: bool

    def can_enter(self, folder: Path) -> bool:
        """True where a process of this user reaches the folder; tried rather than computed from modes."""
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
    """Get the user for this data: oneself, or for root the owner of the data, else a system user of its own.

    Data that root's service keeps as the user postgres, as former releases did, is to be given to the system user:
    see `take_over`.

    Errors: EmbeddedPostgresFailed when root finds no such user and cannot create it, when the data belongs to
    another user or to root, or when the user id has no name, which Postgres insists on.
    """
    here = os.geteuid()
    owner = pgdata.stat().st_uid if pgdata.exists() else None
    if here != 0:
        if owner not in (None, here):
            raise EmbeddedPostgresFailed(
                f"{pgdata} belongs to user id {owner}; Postgres must be run by the owner of its data"
            )
        return _account(_entry(here), switch=False)
    if owner == 0:
        raise EmbeddedPostgresFailed(
            f"{pgdata} belongs to root, and Postgres refuses to run as root; give the folder to a system "
            f"user first, for instance: chown -R {OWN_NAME} '{pgdata}'"
        )
    if owner is not None and not _is_former(pgdata, owner):
        return _account(_entry(owner), switch=True)
    return _account(_system_user(), switch=True)


def take_over(pgdata: Path, account: Account) -> None:
    """Give the cluster that belonged to the former user to this one. Only while no server runs on it.

    The folder itself comes last, so that the next start completes what was interrupted. Only what the former owner
    had is given away, and links are not followed: that user could have put them there.

    Errors: EmbeddedPostgresFailed where the system refuses, or where a part of the cluster lies elsewhere.
    """
    if not account.switch or not pgdata.exists() or pgdata.stat().st_uid == account.uid:
        return
    former = pgdata.stat().st_uid
    for path in (pgdata / "pg_wal", *(pgdata / "pg_tblspc").glob("*")):
        if path.is_symlink():
            problem, parts = f"{path} is a link to {os.readlink(path)}", [pgdata, path.resolve()]
            raise _not_given_away(pgdata, account, problem, parts)
    try:
        for _, folders, files, descriptor in os.fwalk(pgdata, topdown=False, onerror=_raise):
            for name in (*folders, *files):
                if os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_uid == former:
                    os.chown(name, account.uid, account.gid, dir_fd=descriptor, follow_symlinks=False)
        os.chown(pgdata, account.uid, account.gid, follow_symlinks=False)
    except OSError as error:
        raise _not_given_away(pgdata, account, str(error.strerror), [pgdata]) from error


def _not_given_away(
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
    """True for data of the user postgres in a folder of root's; that user's own service has a folder of its own."""
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
    entry = _named(OWN_NAME)  # another process may have created it meanwhile: only the outcome counts
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
    if done.returncode in BEING_CHANGED:
        Patience(CHANGE_SECONDS).wait_for(lambda: _named(OWN_NAME) is not None)
    return done.stderr.strip() or f"useradd ended with code {done.returncode}"
