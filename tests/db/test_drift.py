"""The tables that the migrations make are those of tables.txt, where a migration's effect shows in review."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import Admin

GOLDEN = Path(__file__).with_name("tables.txt")
RENEW = "RENEW_GOLDEN=1 python -m pytest -n 0 tests/db/test_drift.py"

# By table: the table with its options, its columns in order, constraints, other indexes.
DEFINITIONS = """
with tables as (
    select c.oid, c.relname, pg_get_partkeydef(c.oid) as partitioned, c.reloptions, c.relpersistence
      from pg_class c
     where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'alembic_version'
),
lines as (
    select t.relname, 1 as part, 0 as place, 'table ' || t.relname as name,
           concat_ws(' ', t.partitioned, t.reloptions::text, case when t.relpersistence = 'u' then 'unlogged' end)
               as definition
      from tables t
    union all
    select t.relname, 2, a.attnum, t.relname || '.' || a.attname,
           concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
                     pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity, ''), co.collname)
      from tables t
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
      left join pg_collation co on co.oid = a.attcollation and co.collname <> 'default'
    union all
    select t.relname, 3, 0, t.relname || ' ' || n.conname, pg_get_constraintdef(n.oid)
      from tables t
      join pg_constraint n on n.conrelid = t.oid and n.contype <> 'n'
    union all
    select t.relname, 4, 0, i.relname, pg_get_indexdef(i.oid)
      from tables t
      join pg_index x on x.indrelid = t.oid
      join pg_class i on i.oid = x.indexrelid
     where not exists (select from pg_constraint n where n.conindid = i.oid and n.contype in ('p', 'u', 'x'))
)
select name, definition from lines order by relname collate "C", part, place, name collate "C"
"""


def definitions(connection: Admin) -> dict[str, str]:
    """Every table, column, constraint and index of schema memory, as Postgres words it."""
    return {
        str(name): str(definition) for name, definition in connection.execute(DEFINITIONS.encode()).fetchall()
    }


def listing(connection: Admin) -> str:
    return "".join(
        f"{name} {definition}".strip() + "\n" for name, definition in definitions(connection).items()
    )


@pytest.mark.changes_nothing
def test_the_migrations_make_the_tables_of_the_golden_file(admin: Admin) -> None:
    found = listing(admin)
    if os.environ.get("RENEW_GOLDEN"):
        GOLDEN.write_text(found)
    assert found == GOLDEN.read_text(), f"a migration changed a table; if that is meant: {RENEW}"


@pytest.mark.parametrize(
    "change",
    [
        "alter table memory.bank add column surprise text",
        "alter table memory.message alter column role drop not null",
        "alter table memory.message alter column metadata drop default",
        "alter table memory.bank drop constraint bank_bank_id_check",
        "alter table memory.work reset (fillfactor)",
        "drop index memory.work_leased_idx",
        "alter table memory.memory_event alter column event type varchar(20)",
        "create table memory.surprise (n integer)",
    ],
)
def test_each_change_of_a_table_shows(admin: Admin, change: str) -> None:
    with admin.transaction(force_rollback=True):
        admin.execute(change.encode())
        assert listing(admin) != GOLDEN.read_text()
