"""A database that many tests use in turn. What a test wrote is deleted; a database in which a test changed more than
rows is dropped."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tests.support.kept_pools import KeptPools

Connection = psycopg.Connection[Any]

log = logging.getLogger("tests.reused_database")
"""`-n 0 --log-cli-level=info` shows why a database is dropped."""

USES = 100
"""Deleted rows stay in the files: scans become slower, and the planner takes the tables for large ones."""

CATALOG = (
    "pg_attrdef", "pg_attribute", "pg_constraint", "pg_default_acl", "pg_event_trigger", "pg_extension",
    "pg_foreign_server", "pg_index", "pg_policy", "pg_publication", "pg_rewrite", "pg_sequence",
    "pg_statistic", "pg_statistic_ext", "pg_subscription", "pg_trigger", "pg_type", "pg_user_mapping",
)  # fmt: skip
"""Changes of the schema, of privileges and of statistics write to these, to pg_class, pg_proc and pg_namespace."""

VERSIONS = "count(*), sum(xmin::text::bigint)"
"""Of two states with the same number of rows, the one that has newer versions of rows has the greater sum."""

OTHER_STATES: LiteralString = f"""
select 'pg_class', {VERSIONS}, sum(relpages + reltuples)::bigint from pg_class  -- statistics are overwritten in place
union all
select 'pg_proc', {VERSIONS}, 0 from pg_proc where pronamespace is distinct from pg_my_temp_schema()
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

WRITTEN: LiteralString = """
select oid::regclass::text, pg_relation_size(oid) from pg_class
where relkind = 'r' and relnamespace = any ('{memory,memory_api,memory_internal,analytics,public}'::regnamespace[])
  and pg_relation_size(oid) > 0
"""
"""Tables that have or had rows, with their sizes in bytes. A table that no test of this database has written is
empty."""

SEQUENCES: LiteralString = """
select setval(oid, seqstart, false) from pg_class join pg_sequence on seqrelid = oid
where pg_sequence_last_value(oid) is not null
"""

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


@dataclass(frozen=True, slots=True)
class Original:
    """What all clones of a template have."""

    seeds: Mapping[str, bytes]
    """The rows of each table that has some, as `copy` writes them."""
    read_state: bytes
    """The query that returns the versions of rows of each catalog and of each table with seeds."""
    state: Mapping[str, tuple[object, ...]]

    @classmethod
    def of(cls, connection: Connection) -> Original:
        """Read a fresh clone."""
        seeds = {table: rows_of(connection, table) for table, _ in connection.execute(WRITTEN).fetchall()}
        states = [f"select '{name}', {VERSIONS}, 0 from {name}" for name in (*CATALOG, *seeds)]
        read_state = " union all ".join([*states, OTHER_STATES]).encode()
        return cls(seeds, read_state, state_of(connection, read_state))


def rows_of(connection: Connection, table: str) -> bytes:
    with connection.cursor().copy(f"copy (select * from {table}) to stdout".encode()) as copy:
        return b"".join(copy)


def state_of(connection: Connection, query: bytes) -> dict[str, tuple[object, ...]]:
    """The state by name; the connection plans the query once."""
    return {str(name): tuple(rest) for name, *rest in connection.execute(query, prepare=True)}


class ReusedDatabase:
    """A clone of a template, at `url`. `original`: what the first clone of the template had, None for the first."""

    def __init__(
        self, admin: Connection, template: str, url: str, pools: KeptPools, original: Original | None = None
    ) -> None:
        self.url = url
        self._name = str(conninfo_to_dict(url)["dbname"])
        self._admin = admin
        self._pools = pools
        self._uses = 0
        admin.execute(f'create database "{self._name}" template "{template}" strategy file_copy'.encode())
        self._connection = psycopg.connect(url, autocommit=True)
        # No foreign keys. Set once: each change of this setting discards all plans of the session.
        self._connection.execute("set session_replication_role = replica")
        self.original = original or Original.of(self._connection)
        self._state = self.original.state
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
            if others := changed - self.original.seeds.keys():
                return f"changes of {', '.join(sorted(others))}"
            written = dict(self._connection.execute(WRITTEN, prepare=True).fetchall())
            if (size := sum(written.values())) > LARGEST:
                return f"{size} bytes"
            self._restore(written.keys() - self.original.seeds.keys(), changed)
        except psycopg.Error as error:
            return f"{type(error).__name__}: {error}"
        return None

    def drop(self) -> None:
        self._pools.drop(self._name)
        self._connection.close()
        self._admin.execute(f'drop database if exists "{self._name}" with (force)'.encode())

    def _restore(self, written: Set[str], changed_seeds: Set[str]) -> None:
        with self._connection.transaction(), self._connection.pipeline():
            for table in written:
                self._connection.execute(f"delete from {table}".encode(), prepare=True)
            self._connection.execute(SEQUENCES, prepare=True)
        if changed_seeds:
            with self._connection.transaction():
                for table in changed_seeds:
                    self._connection.execute(f"delete from {table}".encode())
                    with self._connection.cursor().copy(f"copy {table} from stdin".encode()) as copy:
                        copy.write(self.original.seeds[table])
        if changed_seeds:
            self._state = self._read_state()

    def _read_state(self) -> dict[str, tuple[object, ...]]:
        return state_of(self._connection, self.original.read_state)


class ReusedDatabases:
    """One reused database after another."""

    def __init__(
        self, server_url: str, template: str, url_of: Callable[[str], str], pools: KeptPools
    ) -> None:
        self._admin = psycopg.connect(server_url, autocommit=True)
        self._template = template
        self._url_of = url_of
        self._pools = pools
        self._original: Original | None = None
        self._current: ReusedDatabase | None = None

    def current(self) -> ReusedDatabase:
        """A database that does not differ from the template."""
        if self._current is None:
            url = self._url_of(f"memory_test_{uuid.uuid4().hex[:12]}")
            self._current = ReusedDatabase(self._admin, self._template, url, self._pools, self._original)
            self._original = self._current.original
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
