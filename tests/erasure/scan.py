"""Where a text occurs in a database, by its catalog, and in files."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Admin


def tables_with(admin: Admin, nonce: str, schema: str = "memory") -> set[str]:
    """The tables and views of a schema that hold `nonce` in any column, whatever its type, in any case of letters."""
    found: set[str] = set()
    relations = admin.execute(
        "select c.relname from pg_class c where c.relnamespace = %s::regnamespace and c.relkind in ('r', 'p', 'v') "
        "and not c.relispartition order by 1",
        [schema],
    ).fetchall()
    for (relation,) in relations:
        row = admin.execute(
            f"select exists (select from {schema}.{relation} t "
            f"where position(%s in lower(to_jsonb(t)::text)) > 0)".encode(),
            [nonce.lower()],
        ).fetchone()
        if row and row[0]:
            found.add(str(relation))
    return found


def rows_of(admin: Admin, bank: str) -> dict[str, int]:
    """Rows of a bank by table, of those that have any; receipts and the ledger left out."""
    relations = admin.execute(
        "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'bank_id' "
        "where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1"
    ).fetchall()
    counted: dict[str, int] = {}
    for (relation,) in relations:
        (row,) = admin.execute(
            f"select count(*) from memory.{relation} where bank_id = %s".encode(), [bank]
        ).fetchall()
        if row[0] and relation not in ("erasure", "erased_item"):
            counted[str(relation)] = int(str(row[0]))
    return counted


def files_with(folder: Path, nonce: str) -> list[str]:
    """The files below a folder that contain `nonce` in any case of letters, relative to it."""
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        try:
            content = path.read_bytes() if path.is_file() else b""
        except FileNotFoundError:  # removed meanwhile
            continue
        if nonce.lower().encode() in content.lower():
            found.append(str(path.relative_to(folder)))
    return found
