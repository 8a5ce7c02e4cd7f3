"""The operating system user that Postgres runs as: root may not run it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memory_service.errors import EmbeddedPostgresFailed

OWN_NAME = "memory-service"
CANDIDATES = (OWN_NAME, "postgres")


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
    """Get the user for this data: oneself, or for root the owner of the data, else a system user.

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
    if owner is not None:
        return _account(_entry(owner), switch=True)
    return _account(_system_user(), switch=True)


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
    for name in CANDIDATES:
        entry = _named(name)
        if entry is not None:
            return entry
    problem = _create()
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
    done = subprocess.run([program, *options, OWN_NAME], capture_output=True, text=True)
    return done.stderr.strip() or f"useradd ended with code {done.returncode}"
