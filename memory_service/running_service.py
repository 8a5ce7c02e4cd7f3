"""service.json: how the CLI finds the service that runs on a data folder, to call it instead of opening the database.

Standard library only: CLI commands load this module at start.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memory_service import __version__
from memory_service.data_dir import default_data_dir
from memory_service.errors import InvalidInput
from memory_service.service_links import OF_HOOKS

if TYPE_CHECKING:
    from memory_service.config import Settings

FILE = "service.json"
DATA_DIR = "MEMORY_DATA_DIR"
API_KEY, API_KEY_FILE = "MEMORY_API_KEY", "MEMORY_API_KEY_FILE"
URL = "MEMORY_URL"
OF_CALLERS = frozenset({DATA_DIR, API_KEY, API_KEY_FILE, URL, *OF_HOOKS})
"""Settings that say how to find and call the service; not compared with the service's own."""
PREFIX = "MEMORY_"
SHARED = (
    "DATABASE_URL", "DATABASE_URL_FILE", "DATABASE_DIRECT_URL", "DATABASE_DIRECT_URL_FILE", "DATABASE_READ_URL",
    "DATABASE_READ_URL_FILE", "GEMINI_API_KEY", "GEMINI_API_KEY_FILE", "OPENAI_API_KEY", "OPENAI_API_KEY_FILE",
)  # fmt: skip
"""Settings without the prefix MEMORY_."""


@dataclass(frozen=True, slots=True)
class RunningService:
    """A running service, as `serve` recorded it in its data folder."""

    address: str
    pid: int
    release: str
    identity: str
    """As in /healthz: another service may have taken the port of one that ended."""
    workers: int
    device: int
    inode: int
    """Of the data folder: they differ in a copy of it, whose file names the original's service."""
    salt: str
    settings: dict[str, str]
    """A salted digest of each setting in the service's environment, by the variable's name."""

    @property
    def has_replica(self) -> bool:
        """Whether it may answer reads from a replica, which does not have a former command's write at once."""
        return not {"DATABASE_READ_URL", "DATABASE_READ_URL_FILE"}.isdisjoint(self.settings)

    def matches(self, environment: Mapping[str, str], folder: os.stat_result) -> bool:
        """Whether the service has the same release, data folder and database as a command with these settings, and all
        of its settings."""
        wanted = digests(environment, self.salt)
        return (
            self.release == __version__
            and (self.device, self.inode) == (folder.st_dev, folder.st_ino)
            and all(
                wanted.get(name) == self.settings.get(name) for name in ("DATABASE_URL", "DATABASE_URL_FILE")
            )
            and wanted.items() <= self.settings.items()
            and is_alive(self.pid)
        )


def api_key(environment: Mapping[str, str] = os.environ) -> str:
    """The key in MEMORY_API_KEY, else in the file that MEMORY_API_KEY_FILE names; empty without one.

    Errors: InvalidInput where the file cannot be read.
    """
    path = environment.get(API_KEY_FILE)
    key = environment.get(API_KEY)
    if key or not path:
        return key or ""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(API_KEY_FILE, f"{path} cannot be read: {type(error).__name__}") from None


def find_service(environment: Mapping[str, str] = os.environ) -> RunningService | None:
    """The service that runs on the environment's data folder and matches its settings; None without one, or where
    another user may have written the file."""
    try:
        data_dir = folder_of(Path(environment.get(DATA_DIR) or default_data_dir()))
        folder = data_dir.stat()
        text = own_text(data_dir / FILE, folder)
        service = RunningService(**json.loads(text))
        return service if service.matches(environment, folder) else None
    except (OSError, ValueError, TypeError, AttributeError, RuntimeError):
        return None


def own_text(path: Path, folder: os.stat_result) -> str:
    """The text of a file that only the folder's owner, root or this user can have written. Errors: OSError."""
    with open(path, encoding="utf-8", opener=open_regular) as file:
        found = os.fstat(file.fileno())
        owned = found.st_uid in (0, folder.st_uid, os.geteuid())
        if not owned or (found.st_mode | folder.st_mode) & stat.S_IWOTH:
            raise PermissionError(f"{path} may have been written by another user")
        return file.read()


def open_regular(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def publish_service(settings: Settings, address: str, environment: Mapping[str, str] = os.environ) -> None:
    """Record that this process serves at this address. Errors: OSError."""
    from memory_service.embedded.folder import replace_file

    data_dir = folder_of(settings.data_dir)
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = data_dir.stat()
    salt = secrets.token_hex(16)
    service = RunningService(
        address, os.getpid(), __version__, identity_of(settings), settings.workers, folder.st_dev, folder.st_ino, salt,
        digests(environment, salt),
    )  # fmt: skip
    replace_file(data_dir / FILE, json.dumps(asdict(service)), folder.st_uid, folder.st_gid)


def withdraw_service(settings: Settings) -> None:
    """Remove the file, unless another service has replaced it."""
    path = folder_of(settings.data_dir) / FILE
    try:
        if json.loads(path.read_text())["pid"] == os.getpid():
            path.unlink()
    except (OSError, ValueError, TypeError, KeyError):
        return


def identity_of(settings: Settings) -> str:
    """A digest, equal for all processes of this release on the same data folder and database. It is public: passwords
    are left out."""
    from psycopg.conninfo import conninfo_to_dict

    database: dict[str, object] = {}
    if settings.database_url is not None:
        database = dict(conninfo_to_dict(settings.database_url.get_secret_value()))
        for secret in ("password", "sslpassword"):
            database.pop(secret, None)
    parts = json.dumps([__version__, str(folder_of(settings.data_dir)), sorted(map(str, database.items()))])
    return hashlib.sha256(parts.encode("utf-8", "surrogateescape")).hexdigest()


def folder_of(data_dir: Path) -> Path:
    return data_dir.expanduser().resolve()


def digests(environment: Mapping[str, str], salt: str) -> dict[str, str]:
    """A salted digest of each setting in an environment, except OF_CALLERS."""
    return {
        name: hashlib.sha256(f"{salt}\n{value}".encode("utf-8", "surrogateescape")).hexdigest()
        for name, value in environment.items()
        if name in SHARED or (name.startswith(PREFIX) and name not in OF_CALLERS)
    }


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        return True
    return True
