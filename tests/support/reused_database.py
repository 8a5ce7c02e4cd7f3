"""A database that many tests use in turn. What a test wrote is deleted; a database in which a test changed more than
rows is dropped."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from typing import Any, LiteralString, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tests.support.kept_pools import KeptPools

log = logging.getLogger("tests.reused_database")
"""`-n 0 --log-cli-level=info` shows why a database is dropped."""

USES = 100
"""Deleted rows stay in the files: scans become slower, and the planner takes the tables for large ones."""

CATALOG = (
    "pg_attrdef", "pg_attribute", "pg_constraint", "pg_default_acl", "pg_event_trigger", "pg_extension",
    "pg_foreign_server", "pg_index", "pg_policy", "pg_proc", "pg_publication", "pg_rewrite", "pg_sequence",
    "pg_statistic", "pg_statistic_ext", "pg_subscription", "pg_trigger", "pg_type", "pg_user_mapping",
)  # fmt: skip
"""Changes of the schema, of privileges and of statistics write to these, to pg_class and to pg_namespace."""

VERSIONS = "count(*), sum(xmin::text::bigint)"
"""Of two states with the same number of rows, the one that has newer versions of rows has the greater sum."""

OTHER_STATES: LiteralString = f"""
select 'pg_class', {VERSIONS}, sum(relpages + reltuples)::bigint from pg_class  -- statistics are overwritten in place
union all
select 'pg_namespace', {VERSIONS}, 0 from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
union all
select 'pg_database', 1, hashtextextended(row(datdba, datallowconn, datconnlimit, datacl)::text, 0), 0
from pg_database where datname = current_database()  -- each migration grants the same privileges again
union all
select 'pg_db_role_setting', {VERSIONS}, 0 from pg_db_role_setting
where setdatabase = (select oid from pg_database where datname = current_database())
union all  -- an approximate search passes the deleted rows as well
select 'an HNSW index', count(*), sum(pg_relation_size(c.oid)), 0
from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'hnsw'
"""

LARGEST = 20 * 2**20
"""Bytes of all tables: the largest database that is used again."""

SIZE: LiteralString = """
select sum(pg_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = 'memory'::regnamespace
"""

TABLES: LiteralString = """
select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('memory', 'memory_api', 'memory_internal', 'analytics', 'public')
  and c.relkind in ('r', 'p') and not c.relispartition
order by 1
"""

SEQUENCES: LiteralString = "select oid::regclass::text from pg_class where relkind = 'S' order by 1"

END_OTHERS: LiteralString = """
select pg_terminate_backend(pid, 10000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and pid <> all (%s)
"""

LEFTOVERS: LiteralString = """
select 1 from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
union all
select 1 from pg_locks l join pg_database d on d.oid = l.database
where d.datname = current_database() and l.locktype = 'advisory'
"""


class ReusedDatabase:
    """A clone of a template, at `url`."""

    def __init__(self, admin: psycopg.Connection[Any], template: str, url: str, pools: KeptPools) -> None:
        self.url = url
        self._name = str(conninfo_to_dict(url)["dbname"])
        self._admin = admin
        self._pools = pools
        self._uses = 0
        admin.execute(f'create database "{self._name}" template "{template}" strategy file_copy'.encode())
        self._connection = psycopg.connect(url, autocommit=True)
        tables = self._names(TABLES)
        self._seeds = {table: rows for table in tables if (rows := self._rows(table))}
        """The rows that the template has."""
        self._make_functions([table for table in tables if table not in self._seeds])
        self._state = self._read_state()
        pools.keep(self._name)

    def clean(self) -> str | None:
        """Delete what a test wrote. A reason if the database differs from the template in any other way, or has been
        used often enough."""
        self._uses += 1
        if self._uses >= USES:
            return "used often enough"
        try:
            self._connection.execute(END_OTHERS, [self._pools.backends()])
            if self._connection.execute(LEFTOVERS).fetchall():
                return "an open transaction or a lock"
            changed = {name for name, state in self._read_state().items() if state != self._state[name]}
            if others := changed - self._seeds.keys():
                return f"changes of {', '.join(sorted(others))}"
            ((size,),) = self._connection.execute(SIZE).fetchall()
            if cast("int", size) > LARGEST:
                return f"{size} bytes"
            self._restore(changed)
        except psycopg.Error as error:
            return f"{type(error).__name__}: {error}"
        return None

    def drop(self) -> None:
        self._pools.drop(self._name)
        self._connection.close()
        self._admin.execute(f'drop database if exists "{self._name}" with (force)'.encode())

    def _restore(self, changed_seeds: set[str]) -> None:
        with self._connection.transaction():
            self._connection.execute("set local session_replication_role = replica")  # no foreign keys
            self._connection.execute("select pg_temp.delete_rows()")
            for table in changed_seeds:
                self._connection.execute(f"delete from {table}".encode())
                with self._connection.cursor().copy(f"copy {table} from stdin".encode()) as copy:
                    copy.write(self._seeds[table])
        if changed_seeds:
            self._state = self._read_state()

    def _names(self, query: LiteralString) -> list[str]:
        return [cast("str", name) for (name,) in self._connection.execute(query)]

    def _rows(self, table: str) -> bytes:
        with self._connection.cursor().copy(f"copy (select * from {table}) to stdout".encode()) as copy:
            return b"".join(copy)

    def _read_state(self) -> dict[str, tuple[object, ...]]:
        return {
            str(name): tuple(rest)
            for name, *rest in self._connection.execute("select * from pg_temp.state()")
        }

    def _make_functions(self, tables: list[str]) -> None:
        """Two functions of this session, whose statements are planned once."""
        statements = [
            *(f"if exists (select from {name}) then delete from {name}; end if;" for name in tables),
            *(
                f"if (select is_called from {name}) then perform setval('{name}', 1, false); end if;"
                for name in self._names(SEQUENCES)
            ),
        ]
        states = [f"select '{name}', {VERSIONS}, 0 from {name}" for name in (*CATALOG, *self._seeds)]
        self._connection.execute(
            f"""create function pg_temp.delete_rows() returns void language plpgsql as
            $$ begin {" ".join(statements)} end $$""".encode()
        )
        self._connection.execute(
            f"""create function pg_temp.state() returns table (name text, rows bigint, versions numeric, sizes bigint)
            language plpgsql as $$ begin return query {" union all ".join([*states, OTHER_STATES])}; end $$""".encode()
        )


class ReusedDatabases:
    """One reused database after another."""

    def __init__(
        self, server_url: str, template: str, url_of: Callable[[str], str], pools: KeptPools
    ) -> None:
        self._admin = psycopg.connect(server_url, autocommit=True)
        self._template = template
        self._url_of = url_of
        self._pools = pools
        self._current: ReusedDatabase | None = None

    def current(self) -> ReusedDatabase:
        """A database that does not differ from the template."""
        if self._current is None:
            url = self._url_of(f"memory_test_{uuid.uuid4().hex[:12]}")
            self._current = ReusedDatabase(self._admin, self._template, url, self._pools)
        return self._current

    def clean(self) -> None:
        """Prepare the database for the next test, or drop it."""
        if self._current is not None and (reason := self._current.clean()) is not None:
            log.info("%s is dropped: %s", self._current.url, reason)
            self.drop()

    def drop(self) -> None:
        if self._current is not None:
            self._current.drop()
            self._current = None

    def close(self) -> None:
        self.drop()
        self._admin.close()
