"""Carry out the erasures of the ledger on a database that does not know them, as after a restore."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from memory_service.config import Settings
from memory_service.connect import administrator_url, find_database
from memory_service.erasure.ledger import Lines, append, file_name, ledger_folder, read
from memory_service.errors import LedgerUnavailable, no_answer
from memory_service.store.driver_errors import DOMAIN_ERRORS

Connection = psycopg.Connection[tuple[Any, ...]]

BANKS = """
select b.bank_id, encode(memory_internal.erased_id_hash('bank', b.bank_id), 'hex')
  from (select bank_id from memory.bank union select bank_id from memory.erasure) as b
 order by 1
"""


def replay_ledger(settings: Settings, folders: Sequence[Path] = ()) -> int:
    """Carry out the erasures of the ledger that the configured database does not know; their number. Blocks.

    `folders`: with copies of the ledger; default that of the settings. Errors: LedgerUnavailable where it is missing or
    older than the database, DatabaseUnsuitable without an administrator's login.
    """
    with closing(find_database(settings)) as access:
        url = administrator_url(access, "a replay")
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                lines = checked_ledger(connection, folders or [ledger_folder(settings)], None)
                return replay(connection, lines)
        except psycopg.OperationalError as error:
            raise no_answer(error) from error


def ledger_key(connection: Connection) -> str:
    """The name of the database's ledger."""
    row = connection.execute("select memory_internal.erasure_ledger_key()").fetchone()
    return str(row[0]) if row else ""


def complete_ledger(connection: Connection, settings: Settings) -> None:
    """Write the erasures that the ledger of this process lacks: those of other hosts, of imports and of SQL.
    `connection`: an administrator's, in autocommit. Errors: LedgerUnavailable."""
    folder, key = ledger_folder(settings), ledger_key(connection)
    lines = read([folder], key) or {}
    known = connection.execute(
        "select bank_id, erasure_id from memory.erasure order by requested_at, erasure_id"
    ).fetchall()
    missing: list[dict[str, Any]] = []
    for bank_id, erasure_id in known:
        if str(erasure_id) not in lines:
            row = connection.execute(
                "select memory_api.erasure_line(%s, %s)", (bank_id, erasure_id)
            ).fetchone()
            if row and row[0]:
                missing.append(row[0])
    append(folder, key, missing)


def checked_ledger(connection: Connection, folders: Sequence[Path], dump: str | None) -> Lines:
    """The ledger of a restored database. `dump`: the SHA-256 of the backup, which its ledger lists.

    Errors: LedgerUnavailable where it is missing, damaged, or older than the restored backup.
    """
    key = ledger_key(connection)
    lines = read(folders, key)
    if lines is None:
        places = ", ".join(str(folder / file_name(key)) for folder in folders)
        raise LedgerUnavailable(f"the ledger of erasures is missing: there is none of {places}")
    if not known_erasures(connection) <= lines.keys() or (dump is not None and dump not in lines):
        raise LedgerUnavailable(
            f"the ledger of erasures ({file_name(key)}) is older than the backup: it may lack erasures from after it"
        )
    return lines


def replay(connection: Connection, lines: Lines) -> int:
    """Carry out the erasures that the database does not know; their number. One transaction for each bank: it can be
    repeated after an interruption. `connection`: an administrator's, in autocommit. Errors: DatabaseUnsuitable where
    the server does not count deleted rows."""
    known = known_erasures(connection)
    by_bank: dict[str, list[object]] = {}
    for name, line in lines.items():
        if "erasure" in line and name not in known:
            by_bank.setdefault(str(line["bank"]), []).append(line)
    replayed = 0
    for bank_id, hashed in connection.execute(BANKS).fetchall():
        if hashed in by_bank:
            try:
                row = connection.execute(
                    "select memory_internal.replay_erasures(%s, %s)", (bank_id, Jsonb(by_bank[hashed]))
                ).fetchone()
            except psycopg.Error as error:
                if made := DOMAIN_ERRORS.get(error.sqlstate or ""):
                    raise made(error) from error
                raise
            replayed += int(row[0]) if row else 0
    return replayed


def known_erasures(connection: Connection) -> set[str]:
    """The ids of the erasures that the database knows."""
    return {str(row[0]) for row in connection.execute("select erasure_id from memory.erasure").fetchall()}
