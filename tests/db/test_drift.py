"""db/models.py says what the migrations make: once by alembic's comparison, once by the catalog itself."""

from __future__ import annotations

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Column, Engine, MetaData, Text, create_engine, pool

from memory_service.db.models import metadata
from tests.conftest import Admin

# What alembic does not look at: check constraints, collations, the order and predicates of indexes, storage options.
DEFINITIONS = """
select c.relname || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
       case when a.attnotnull then 'not null' end, pg_get_expr(d.adbin, d.adrelid),
       nullif(a.attidentity, ''), co.collname)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation co on co.oid = a.attcollation and co.collname <> 'default'
 where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   and c.relname <> 'alembic_version'
union all
select c.relname || ' ' || n.conname, pg_get_constraintdef(n.oid)
  from pg_constraint n
  join pg_class c on c.oid = n.conrelid
 where n.connamespace = 'memory'::regnamespace and not c.relispartition and n.contype <> 'n'
   and c.relname <> 'alembic_version'
union all
select i.relname, pg_get_indexdef(i.oid)
  from pg_class i
  join pg_index x on x.indexrelid = i.oid
  join pg_class c on c.oid = x.indrelid
 where i.relnamespace = 'memory'::regnamespace and not c.relispartition and c.relname <> 'alembic_version'
union all
select c.relname, concat_ws(' ', pg_get_partkeydef(c.oid), c.reloptions::text)
  from pg_class c
 where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   and c.relname <> 'alembic_version'
"""


def engine_of(url: str) -> Engine:
    return create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=pool.NullPool
    )


def differences(url: str, models: MetaData) -> list[object]:
    """What alembic would put into a new migration."""

    def ours(name: str | None, kind: str, parents: object) -> bool:
        if kind == "schema":
            return name == "memory"
        return kind != "table" or not (name or "").startswith(
            ("memory_vector_", "memory_text_", "indexed_vector_", "alembic_version")
        )

    options = {"include_schemas": True, "include_name": ours, "compare_server_default": True}
    with engine_of(url).connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, models))


def definitions(connection: Admin) -> dict[str, str]:
    """Every column, constraint, index and table option of schema memory, as Postgres words it."""
    return {
        str(name): str(definition) for name, definition in connection.execute(DEFINITIONS.encode()).fetchall()
    }


def test_alembic_finds_no_difference(database_url: str) -> None:
    assert differences(database_url, metadata) == []


@pytest.mark.own_database
@pytest.mark.parametrize(
    "change",
    [
        "alter table memory.bank add column surprise text",
        "alter table memory.message alter column role drop not null",
        "drop index memory.work_leased_idx",
        "alter table memory.memory_event alter column event type varchar(20)",
        "create table memory.surprise (n integer)",
    ],
)
def test_alembic_notices_a_changed_database(admin: Admin, database_url: str, change: str) -> None:
    admin.execute(change.encode())
    assert len(differences(database_url, metadata)) == 1


def test_alembic_notices_a_changed_model(database_url: str) -> None:
    changed = MetaData(schema="memory")
    for table in metadata.tables.values():
        table.to_metadata(changed)
    changed.tables["memory.bank"].append_column(Column("surprise", Text))
    assert len(differences(database_url, changed)) == 1


@pytest.mark.own_database
def test_the_models_make_the_very_same_tables(admin: Admin, database_url: str) -> None:
    migrated = definitions(admin)
    admin.execute("drop schema memory, memory_api, memory_internal cascade")
    admin.execute("create schema memory")
    engine = engine_of(database_url)
    metadata.create_all(engine)
    engine.dispose()
    assert definitions(admin) == migrated
