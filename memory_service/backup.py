"""Backups: a folder with a dump of the service's schemas and a manifest, and their restoration (docs/operations.md).

The dump is one snapshot: writes go on meanwhile. Everything else of a service is in its settings.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from memory_service import __version__
from memory_service.config import Settings
from memory_service.connect import (
    UNFINISHED,
    administrator_url,
    find_database,
    migrate_database,
    shell_login,
)
from memory_service.db.migrate import HERE, MigrationRefused, check_server, create_extension, run_file
from memory_service.embedded.binaries import find_binaries
from memory_service.erasure.ledger import append, file_name, ledger_folder, read
from memory_service.erasure.replay import checked_ledger, complete_ledger, ledger_key, replay
from memory_service.errors import (
    DatabaseUnsuitable,
    EmbeddedPostgresFailed,
    InvalidInput,
    LedgerUnavailable,
    MemoryServiceError,
    no_answer,
)

FORMAT = 1
DUMP, MANIFEST = "memory.dump", "manifest.json"
SCHEMAS = ("memory", "memory_api", "memory_internal", "analytics")
CHUNK_BYTES = 1024 * 1024
LOGGED = "p"
"""pg_class.relpersistence of the tables that are counted: unlogged ones hold counters, which a backup leaves out."""

SETS_TIMEOUT = 170_000
"""The server version from which on transaction_timeout is known."""
TIMEOUT_LINE = b"SET transaction_timeout = 0;\n"

WITHOUT_LEDGER = (
    "Name its folder with --ledger, or restore with --without-ledger, which brings erased data back"
)


class BackupFailed(MemoryServiceError):
    """The backup could not be made or restored."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds."""

    format: int
    release: str
    revision: str
    """Of the last migration."""
    postgres: str
    created_at: str
    sha256: str
    """Of the dump."""
    rows: dict[str, int]
    """By table."""
    ledger: str | None = None
    """The file of the ledger of erasures that lists this backup; None for one of a release without it."""

    @property
    def total(self) -> int:
        """Rows of all tables."""
        return sum(self.rows.values())


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did."""

    manifest: Manifest
    erasures: int
    """Erasures after the backup, carried out again."""


def create_backup(settings: Settings, folder: Path) -> Manifest:
    """Write a backup into a new folder. Blocks.

    Errors: InvalidInput naming FOLDER, DatabaseUnsuitable without an administrator's login or schema,
    LedgerUnavailable, BackupFailed.
    """
    if folder.exists():
        raise InvalidInput("FOLDER", f"{folder} exists; name a new folder")
    with closing(find_database(settings)) as access:
        url = administrator_url(access, "a backup")
        make_folder(folder)
        try:
            manifest = dump(url, folder, settings)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return manifest


def restore_backup(
    settings: Settings, folder: Path, ledgers: Sequence[Path] = (), *, without_ledger: bool = False
) -> Restored:
    """Restore a backup into the configured database, which must be empty, migrate it to this release, and
    carry out again the erasures since the backup. Blocks.

    The dump is restored in one transaction. Until the end no process of the service opens the database; the same call
    again continues an interrupted one. `ledgers`: folders with copies of the ledger of erasures; default those that
    `places` finds. Errors: InvalidInput naming FOLDER for a damaged or newer backup, DatabaseUnsuitable where the
    database holds memories, LedgerUnavailable where erasures may be missing, unless `without_ledger`, BackupFailed.
    """
    manifest = read_manifest(folder)
    searched = places(settings, folder, manifest, ledgers)
    if not without_ledger and manifest.ledger is not None:
        check_ledger(searched, manifest.ledger)
    with closing(find_database(settings)) as access:
        url = administrator_url(access, "a backup")
        try:
            if prepare(url, manifest):
                load(url, folder / DUMP)
            check_rows(url, manifest)
            migrate_database(access, settings)
            replayed = finish(url, settings, manifest, None if without_ledger else searched)
        except psycopg.OperationalError as error:
            raise no_answer(error) from error
        except MigrationRefused as error:
            raise DatabaseUnsuitable(str(error)) from error
    return Restored(manifest, replayed)


def places(settings: Settings, folder: Path, manifest: Manifest, given: Sequence[Path]) -> list[Path]:
    """The folders where the ledger is looked for: those given, else of the setting, beside the backup, and where it was
    at the time of the backup."""
    if given:
        return list(given)
    before = [] if manifest.ledger is None else [Path(manifest.ledger).parent]
    return [ledger_folder(settings), folder.resolve().parent, *before]


def check_ledger(searched: Sequence[Path], ledger: str) -> None:
    """Errors: LedgerUnavailable where none of the folders has the ledger."""
    name = Path(ledger).name
    if not any((place / name).is_file() for place in searched):
        found = ", ".join(dict.fromkeys(str(place / name) for place in searched))
        raise LedgerUnavailable(
            f"the ledger of erasures is missing: there is none of {found}. {WITHOUT_LEDGER}"
        )


def finish(url: str, settings: Settings, manifest: Manifest, searched: Sequence[Path] | None) -> int:
    """Erase again what the ledger lists, write its lines to the ledger of this process, then open the database for the
    service; the number of erasures. Without `searched` nothing is erased."""
    with psycopg.connect(url, autocommit=True) as connection:
        replayed = 0
        if searched is not None:
            try:
                lines = checked_ledger(
                    connection, searched, None if manifest.ledger is None else manifest.sha256
                )
            except LedgerUnavailable as error:
                raise LedgerUnavailable(f"{error}. {WITHOUT_LEDGER}") from None
            replayed = replay(connection, lines)
            folder, key = ledger_folder(settings), ledger_key(connection)
            own = read([folder], key) or {}
            append(folder, key, [line for name, line in lines.items() if name not in own])
        connection.execute("drop schema memory_restore cascade")
    return replayed


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise InvalidInput("FOLDER", f"{folder} cannot be made: {error.strerror}") from error


def dump(url: str, folder: Path, settings: Settings) -> Manifest:
    """Dump and count one snapshot; list it in the ledger of erasures, with the erasures that are missing there."""
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        if one(connection, "select to_regclass('memory.installation')") is None:
            raise DatabaseUnsuitable("the database was never migrated; there is nothing to back up")
        snapshot = one(connection, "select pg_export_snapshot()")
        rows = counted(connection)
        revision = one(connection, "select version_num from memory.alembic_version")
        schemas = [f"--schema={name}" for name in SCHEMAS]
        run_program(
            "pg_dump", url, "--format=custom", "--no-unlogged-table-data", f"--snapshot={snapshot}", *schemas,
            f"--file={folder / DUMP}",
        )  # fmt: skip
        version = one(connection, "show server_version")
    ledger = ledger_folder(settings)
    with psycopg.connect(url, autocommit=True) as connection:
        complete_ledger(connection, settings)
        key = ledger_key(connection)
    (folder / DUMP).chmod(0o600)
    manifest = Manifest(
        FORMAT, __version__, str(revision), str(version), datetime.now(UTC).isoformat(timespec="seconds"),
        hash_of_file(folder / DUMP), rows, str((ledger / file_name(key)).resolve()),
    )  # fmt: skip
    append(ledger, key, [{"backup": manifest.sha256, "at": manifest.created_at}])
    with open(folder / MANIFEST, "x", encoding="utf-8", opener=owner_only) as file:
        json.dump(asdict(manifest), file, indent=1)
        file.write("\n")
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a whole backup that this release can restore. Errors: InvalidInput naming FOLDER."""
    try:
        fields: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        manifest = Manifest(**fields)
        found = hash_of_file(folder / DUMP)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidInput("FOLDER", f"{folder} is no backup: {MANIFEST} or {DUMP} cannot be read") from error
    if manifest.format != FORMAT or manifest.revision not in known_revisions():
        raise InvalidInput(
            "FOLDER", f"the backup was made by release {manifest.release}, which is newer than this one"
        )
    if found != manifest.sha256:
        raise InvalidInput("FOLDER", f"{folder / DUMP} is damaged: its SHA-256 is not that of the manifest")
    return manifest


def known_revisions() -> set[str]:
    return {file.name.partition("_")[0] for file in (HERE / "versions").glob("*.py")}


def prepare(url: str, manifest: Manifest) -> bool:
    """Extension and roles, in a database without this service's schemas, and the schema that keeps the service out
    until the end. Whether the dump is still to be restored: False after an interruption. Errors: DatabaseUnsuitable."""
    with psycopg.connect(url) as connection:
        taken = [
            str(name)
            for (name,) in connection.execute(
                "select nspname from pg_namespace where nspname = any(%s) order by 1",
                ([*SCHEMAS, UNFINISHED],),
            ).fetchall()
        ]
        if UNFINISHED in taken:
            begun = one(connection, "select sha256 from memory_restore.backup")
            if begun != manifest.sha256:
                raise DatabaseUnsuitable(
                    "the restore of another backup was not finished: repeat it, or use an empty database"
                )
            return len(taken) == 1
        if taken:
            raise DatabaseUnsuitable(
                f"the database has the schemas {', '.join(taken)} already; restore into an empty database or a new "
                "MEMORY_DATA_DIR"
            )
        check_server(connection)
        create_extension(connection)
        run_file(connection, HERE / "roles.sql")
        connection.execute("create schema memory_restore")
        connection.execute(
            "create table memory_restore.backup as select %s::text as sha256, false as checked",
            (manifest.sha256,),
        )
    return True


def check_rows(url: str, manifest: Manifest) -> None:
    """Count the restored rows, once, and collect statistics of them. Errors: BackupFailed."""
    with psycopg.connect(url, autocommit=True) as connection:
        if one(connection, "select checked from memory_restore.backup"):
            return
        found = counted(connection)
        if found != manifest.rows:
            wrong = sorted(name for name in manifest.rows if found.get(name) != manifest.rows[name])
            raise BackupFailed(f"the restored tables have other numbers of rows: {', '.join(wrong)}")
        for name in found:
            connection.execute(sql.SQL("analyze {}").format(sql.Identifier("memory", name)))
        connection.execute("update memory_restore.backup set checked = true")


def counted(connection: psycopg.Connection[tuple[Any, ...]]) -> dict[str, int]:
    """Rows of each logged table of the schema memory."""
    tables = connection.execute(
        "select relname from pg_class where relnamespace = 'memory'::regnamespace and relkind = 'r' "
        "and relpersistence = %s order by 1",
        (LOGGED,),
    ).fetchall()
    count = sql.SQL("select count(*) from {}")
    return {
        str(name): int(one(connection, count.format(sql.Identifier("memory", str(name)))))
        for (name,) in tables
    }


def one(connection: psycopg.Connection[tuple[Any, ...]], query: str | sql.Composed) -> Any:
    row = connection.execute(query.encode() if isinstance(query, str) else query).fetchone()
    return None if row is None else row[0]


def load(url: str, dump_file: Path) -> None:
    """Restore a dump in one transaction. Errors: BackupFailed with the program's first line.

    pg_restore sets a parameter that a server of Postgres 16 does not know: psql runs its script without that line, and
    commits only after pg_restore has ended without an error.
    """
    with psycopg.connect(url) as connection:
        if connection.info.server_version >= SETS_TIMEOUT:
            run_program("pg_restore", url, "--exit-on-error", "--single-transaction", str(dump_file))
            return
    login, secret = shell_login(url)
    restore = [program_for("pg_restore", url), "--file=-", str(dump_file)]
    execute = [
        program_for("psql", url),
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        f"--dbname={login}",
    ]
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(restore, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as script,
        subprocess.Popen(
            execute, env={**os.environ, **secret},
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
        ) as session,
    ):  # fmt: skip
        source, target = script.stdout, session.stdin
        assert source is not None and target is not None  # noqa: PT018, S101 - both are pipes
        with suppress(BrokenPipeError):  # psql has failed
            target.write(b"begin;\n")
            for line in source:
                if line == TIMEOUT_LINE:
                    break
                target.write(line)
            shutil.copyfileobj(source, target)
            source.close()
            if not script.wait():
                target.write(b"commit;\n")
        source.close()
        with suppress(BrokenPipeError):
            target.close()
        if session.wait() or script.wait():
            errors.seek(0)
            lines = errors.read().strip().splitlines() or ["no message"]
            raise BackupFailed(f"pg_restore failed: {lines[0]}")


def run_program(name: str, url: str, *options: str) -> None:
    """Run pg_dump or pg_restore on a database. Errors: BackupFailed with the program's first line."""
    login, secret = shell_login(url)
    done = subprocess.run(
        [program_for(name, url), f"--dbname={login}", *options],
        env={**os.environ, **secret}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise BackupFailed(f"{name} failed: {lines[0]}")


def program_for(name: str, url: str) -> str:
    """A client program that is not older than the server: that of the embedded Postgres, else one in PATH.

    Errors: BackupFailed naming the version that is needed.
    """
    with psycopg.connect(url) as connection:
        needed = connection.info.server_version // 10_000
    candidates = [shutil.which(name)]
    with suppress(EmbeddedPostgresFailed):
        candidates.insert(0, str(find_binaries().folder / name))
    for candidate in candidates:
        if candidate is not None and major_of(candidate) >= needed:
            return candidate
    raise BackupFailed(
        f"{name} {needed} or newer is needed; it comes with the client tools of Postgres {needed}"
    )


def major_of(program: str) -> int:
    """The major version that a program reports; 0 where it cannot be run."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    found = re.search(r" (\d+)", said)
    return int(found[1]) if found else 0


def hash_of_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
