"""The ledger of erasures: a file outside of the database, so that `backup restore` can erase again what a backup from
before an erasure brings back. It holds times and keyed hashes of ids, no text (docs/erasure.md)."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from memory_service.config import Settings
from memory_service.errors import LedgerUnavailable
from memory_service.types import JsonObject

FOLDER = "erasures"
"""Below the data folder, where MEMORY_ERASURE_LEDGER names no other."""


Lines = dict[str, JsonObject]
"""The lines of a ledger, or of several copies of one: erasures by their id, backups by the SHA-256 of their dump."""


def ledger_folder(settings: Settings) -> Path:
    """The folder that this process writes to."""
    return settings.erasure_ledger or settings.data_dir / FOLDER


def file_name(key: str) -> str:
    """`key`: the name of the secret that ids are hashed with (erasure_ledger_key.sql)."""
    return f"{key}.jsonl"


def append(folder: Path, key: str, lines: Iterable[JsonObject]) -> None:
    """Write lines durably; processes write one after the other. Errors: LedgerUnavailable."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path = folder / file_name(key)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(path) as file:
            os.ftruncate(file, end_of_lines(file))
            os.lseek(file, 0, os.SEEK_END)
            rest = text.encode()
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)
        sync_folder(folder)
    except OSError as error:
        raise LedgerUnavailable(
            f"the ledger of erasures cannot be written: {path}: {error.strerror}; MEMORY_ERASURE_LEDGER names its "
            "folder"
        ) from error


@contextmanager
def locked(path: Path) -> Generator[int]:
    """A descriptor of the file, made where it is missing, that no other process holds."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def end_of_lines(file: int) -> int:
    """The size without a last line that a crash cut off: its erasure was not committed."""
    size = os.fstat(file).st_size
    end = size
    while end:
        begin = max(0, end - 65_536)
        place = os.pread(file, end - begin, begin).rfind(b"\n")
        if place >= 0:
            return begin + place + 1
        end = begin
    return 0


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(folders: Iterable[Path], key: str) -> Lines | None:
    """The lines of all ledgers of this name in these folders; None where there is none. Errors: LedgerUnavailable."""
    found: Lines | None = None
    for path in dict.fromkeys(folder / file_name(key) for folder in folders):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise LedgerUnavailable(
                f"the ledger of erasures cannot be read: {path}: {error.strerror}"
            ) from error
        found = found or {}
        for number, text in enumerate(
            content.split(b"\n")[:-1], 1
        ):  # after the last newline: cut off by a crash
            try:
                line: JsonObject = json.loads(text)
                found[str(line["backup"] if "backup" in line else line["erasure"])] = line
            except (ValueError, KeyError, TypeError):
                raise LedgerUnavailable(f"the ledger of erasures is damaged: {path}, line {number}") from None
    return found
