"""Scrubbing: overwrite what erasures deleted in tables, indexes, statistics and WAL. An erasure without it has deleted
rows whose contents stay in the files of the database until they are overwritten by chance."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg

from memory_service.config import Settings
from memory_service.connect import administrator_url, find_database
from memory_service.erasure.outside import OutsideCopy, outside_copies
from memory_service.erasure.wal import WalHeld, overwrite_wal
from memory_service.errors import DatabaseUnsuitable, MemoryServiceError, no_answer
from memory_service.placement.move import delete_all_former_rows
from memory_service.placement.server_settings import settings_of_all
from memory_service.store.servers import HOME

Connection = psycopg.Connection[tuple[Any, ...]]

LOCK_TIMEOUT = "100ms"
"""Longest wait for the lock of a table at once: reads of the table queue behind a waiting rewrite."""
DEADLOCK_TIMEOUT = "20ms"
"""After which a lock that autovacuum holds is taken from it: shorter than LOCK_TIMEOUT."""
POLL_SECONDS = 0.2
WAIT_SECONDS = 60.0
CATALOGS = ("pg_statistic", "pg_statistic_ext_data")
"""Catalogs that hold values of columns."""
CLEARS_STATISTICS = 180_000
"""The server version that has pg_clear_attribute_stats."""

RIGHTS = """
select needed.right_name
  from (values ('membership in pg_read_all_stats', pg_has_role('pg_read_all_stats', 'usage')),
               ('membership in pg_checkpoint', pg_has_role('pg_checkpoint', 'usage')),
               ('execute on function pg_switch_wal', has_function_privilege('pg_switch_wal()', 'execute')),
               ('execute on function pg_ls_waldir', has_function_privilege('pg_ls_waldir()', 'execute')))
       as needed (right_name, held)
 where not needed.held
"""

# Sessions, prepared transactions and slots that can read rows deleted before a transaction: a rewritten table would
# contain these rows.
READERS = """
select format('session %%s (%%s) since %%s', a.pid, coalesce(nullif(a.application_name, ''), a.backend_type),
              to_char(coalesce(a.xact_start, a.backend_start), 'YYYY-MM-DD HH24:MI:SS'))
  from pg_stat_activity a
 where a.pid <> pg_backend_pid() and a.backend_type <> 'autovacuum worker'
   and (a.datname = current_database() or a.datname is null)
   and greatest(age(a.backend_xmin), age(a.backend_xid)) >= age(%(xid)s::text::xid)
union all
select format('prepared transaction %%s since %%s', p.gid, to_char(p.prepared, 'YYYY-MM-DD HH24:MI:SS'))
  from pg_prepared_xacts p
 where p.database = current_database() and age(p.transaction) >= age(%(xid)s::text::xid)
union all
select format('replication slot %%s', s.slot_name)
  from pg_replication_slots s
 where greatest(age(s.xmin), age(s.catalog_xmin)) >= age(%(xid)s::text::xid)
"""

TABLES = """
select c.oid::regclass::text
  from pg_class c
 where c.relnamespace = 'memory'::regnamespace and c.relkind = %s
   and (c.relkind = 'p' or pg_total_relation_size(c.oid) > 0)
 order by pg_total_relation_size(c.oid), c.oid
"""

# Columns with statistics of a table without rows, and of its indexes: ANALYZE keeps these.
STATISTICS = """
select s.schemaname, s.tablename, s.attname, s.inherited
  from pg_stats s
 where s.schemaname = 'memory'
   and format('%%I.%%I', s.schemaname, s.tablename)::regclass in (
        select %(relation)s::regclass
         union all
        select i.indexrelid from pg_index i where i.indrelid = %(relation)s::regclass)
"""

# Before pg_clear_attribute_stats only a superuser removes statistics.
DELETE_STATISTICS = """
delete from pg_statistic s
 using pg_attribute a
 where a.attrelid = format('%%I.%%I', %s::text, %s::text)::regclass and a.attname = %s
   and s.starelid = a.attrelid and s.staattnum = a.attnum and s.stainherit = %s
"""


class ScrubFailed(MemoryServiceError):
    """Erased data could not be overwritten."""


class ScrubRunning(ScrubFailed):
    """Another process scrubs this database."""


@dataclass(frozen=True, slots=True)
class Scrub:
    """What a scrub did."""

    erasure_ids: tuple[UUID, ...]
    """Erasures that have reached the level `scrubbed`; without any, nothing was done."""
    scrubbed_at: datetime
    tables: int
    wal_segments: int
    seconds: float
    outside: tuple[OutsideCopy, ...]


def scrub(settings: Settings, wait: float = WAIT_SECONDS) -> Scrub:
    """Overwrite on all servers what erasures and moves of banks deleted and no scrub has overwritten, and what
    interrupted moves should have deleted. Blocks. Can be repeated after an interruption.

    `wait`: longest wait in seconds for transactions that still read erased rows, for each table's lock and for WAL that
    is held. Errors: DatabaseUnsuitable without an administrator's login or a right, ScrubFailed naming what holds the
    data, Conflict while a bank is being moved.
    """
    servers = settings_of_all(settings)
    if len(servers) > 1:
        for error in delete_all_former_rows(settings).values():
            raise error
    done = {server: scrub_server(there, wait) for server, there in servers.items()}
    if len(done) == 1:
        return done[HOME]
    return Scrub(
        tuple(erasure for one in done.values() for erasure in one.erasure_ids),
        max(one.scrubbed_at for one in done.values()),
        sum(one.tables for one in done.values()),
        sum(one.wal_segments for one in done.values()),
        sum(one.seconds for one in done.values()),
        tuple(
            replace(copy, place=f"{server}: {copy.place}")
            for server, one in done.items()
            for copy in one.outside
        ),
    )


def scrub_server(settings: Settings, wait: float) -> Scrub:
    """Scrub the server of these settings alone."""
    with closing(find_database(settings)) as access:
        url = administrator_url(access, "a scrub")
        try:
            with psycopg.connect(url, autocommit=True) as connection:
                return scrub_database(connection, settings, wait)
        except psycopg.OperationalError as error:
            raise no_answer(error) from error


def scrub_database(connection: Connection, settings: Settings, wait: float) -> Scrub:
    began = time.monotonic()
    with only_scrub(connection):
        erasures: list[UUID] = connection.execute("select memory_internal.unscrubbed_erasures()").fetchall()[
            0
        ][0]
        moves: list[str] = connection.execute("select memory_internal.unscrubbed_moves()").fetchall()[0][0]
        if not erasures and not moves:
            return Scrub((), datetime.now(UTC), 0, 0, 0.0, outside_copies(connection, settings))
        check_rights(connection)
        set_timeouts(connection)
        await_readers(connection, wait)
        tables = rewrite_tables(connection, wait)
        try:
            switches = overwrite_wal(connection, time.monotonic() + wait)
        except WalHeld as held:
            raise ScrubFailed(
                f"tables and indexes are rewritten, but old WAL files stay; held by: {held}. Release them, then scrub "
                "again"
            ) from None
        scrubbed_at = datetime.now(UTC)
        connection.execute("select memory_internal.finish_scrub(%s, %s, %s)", (erasures, moves, scrubbed_at))
        return Scrub(
            tuple(erasures), scrubbed_at, tables, switches, time.monotonic() - began,
            outside_copies(connection, settings),
        )  # fmt: skip


@contextmanager
def only_scrub(connection: Connection) -> Generator[None]:
    """Hold the advisory lock of scrubs until the connection is closed. Errors: ScrubRunning while another runs."""
    row = connection.execute("select pg_try_advisory_lock(hashtext('memory.scrub'))").fetchone()
    if not row or not row[0]:
        raise ScrubRunning
    try:
        yield
    finally:
        with suppress(psycopg.Error):
            connection.execute("select pg_advisory_unlock(hashtext('memory.scrub'))")


def check_rights(connection: Connection) -> None:
    """Errors: DatabaseUnsuitable naming the rights that a login without superuser lacks."""
    lacking = [str(name) for (name,) in connection.execute(RIGHTS).fetchall()]
    if lacking:
        raise DatabaseUnsuitable(f"a scrub needs an administrator with {', '.join(lacking)}")


def set_timeouts(connection: Connection) -> None:
    connection.execute("set statement_timeout = 0")
    connection.execute(f"set lock_timeout = '{LOCK_TIMEOUT}'".encode())
    with suppress(psycopg.errors.InsufficientPrivilege):
        connection.execute(f"set deadlock_timeout = '{DEADLOCK_TIMEOUT}'".encode())


def await_readers(connection: Connection, wait: float) -> None:
    """Wait until no snapshot is older than now. Errors: ScrubFailed naming the transactions that hold one."""
    deadline = time.monotonic() + wait
    row = connection.execute("select pg_current_xact_id()::xid::text").fetchone()
    xid = row[0] if row else None
    while found := connection.execute(READERS, {"xid": xid}).fetchall():
        if time.monotonic() > deadline:
            names = ", ".join(str(name) for (name,) in found)
            raise ScrubFailed(
                f"erased rows can still be read by: {names}. End these transactions, then scrub again"
            )
        time.sleep(POLL_SECONDS)


def rewrite_tables(connection: Connection, wait: float) -> int:
    """Rewrite each table of schema memory with its indexes and statistics, then the catalogs of statistics; the number
    of tables."""
    tables, partitioned = names(connection, "r"), names(connection, "p")
    for table in tables:
        rewrite(connection, table, "full, analyze", wait)
    for table in partitioned:  # statistics over all partitions
        when_free(connection, f"analyze {table}", wait)
    for table in [*tables, *partitioned]:
        query = f"select exists (select from {table})"  # noqa: S608 - a name of the catalog, quoted
        row = connection.execute(query.encode()).fetchone()
        if row and not row[0]:
            clear_statistics(connection, table)
    for catalog in CATALOGS:
        rewrite(connection, f"pg_catalog.{catalog}", "full", wait)
    return len(tables)


def rewrite(connection: Connection, table: str, options: str, wait: float) -> None:
    """Errors: DatabaseUnsuitable where the login may not: Postgres only warns and skips the table."""
    query = "select pg_relation_filenode(%s::regclass)"
    before = connection.execute(query, (table,)).fetchone()
    when_free(connection, f"vacuum ({options}) {table}", wait)
    if connection.execute(query, (table,)).fetchone() == before:
        raise DatabaseUnsuitable(
            f"a scrub needs an administrator who may vacuum {table}: the database's owner"
        )


def names(connection: Connection, kind: str) -> list[str]:
    """Qualified and quoted names of the tables (`r`) or partitioned tables (`p`) of schema memory, smallest first."""
    return [str(name) for (name,) in connection.execute(TABLES, (kind,)).fetchall()]


def when_free(connection: Connection, statement: str, wait: float) -> None:
    """Run a statement that locks a table, again until the lock is free. Errors: ScrubFailed after `wait` seconds."""
    deadline = time.monotonic() + wait
    while True:
        try:
            connection.execute(statement.encode())
        except psycopg.errors.LockNotAvailable:
            if time.monotonic() > deadline:
                raise ScrubFailed(f"the table stays locked: {statement}. Scrub again later") from None
            time.sleep(POLL_SECONDS)
        else:
            return


def clear_statistics(connection: Connection, table: str) -> None:
    """Remove the statistics of an empty table and its indexes."""
    clears = connection.info.server_version >= CLEARS_STATISTICS
    statement = b"select pg_clear_attribute_stats(%s, %s, %s, %s)" if clears else DELETE_STATISTICS.encode()
    for column in connection.execute(STATISTICS, {"relation": table}).fetchall():
        connection.execute(statement, column)
