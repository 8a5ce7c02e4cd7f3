"""Move a bank to another server: copied while it may only be read, then switched in the map (docs/servers.md).

Every step can be repeated. A process that dies leaves the bank readable, and the next call continues:

1. The source fences the bank: writes are refused, reads are answered (enter_bank.sql). The bank's work items and its
   nightly run are parked.
2. All rows are copied in one transaction of the target. From its end on the target has the bank.
3. The map names the target, in one transaction of the home server.
4. The source refuses all calls about the bank, so that old maps are read again, and deletes its rows.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from memory_service.config import Settings
from memory_service.errors import (
    Conflict,
    DatabaseUnavailable,
    InvalidInput,
    MemoryServiceError,
    NotFound,
    no_answer,
)
from memory_service.placement.connections import Connection, Home, wait_for_transactions
from memory_service.placement.registry import copy_embedding_models, open_home
from memory_service.store.bank_tables import BANK_TABLES
from memory_service.store.servers import HOME, ServerMap
from memory_service.validation import check_bank_id

MOVE_LOCK = "hashtextextended('memory.move_bank ' || %s, 0)"
"""On the home server: one mover of a bank."""
COPY_LOCK = "hashtextextended('memory.copy_bank ' || %s, 0)"
"""On the target: held by the transaction that copies, which may outlive its mover."""
LOCK_SECONDS = 10
PARK_WORK = """
update memory.work w
   set not_before = case when w.lease_token is null then w.not_before else now() end + interval '8760000 hours',
       lease_token = null, claimed_generation = null
 where w.bank_id = %s and w.not_before < now() + interval '4380000 hours'
"""
"""Not claimed for 1,000 years: hours, because years and days differ by time zone."""
UNPARK_WORK = """
update memory.work w set not_before = w.not_before - interval '8760000 hours'
 where w.bank_id = %s and w.not_before > now() + interval '4380000 hours'
"""
PARK_UPKEEP = """
update memory.upkeep u set not_before = 'infinity', lease_token = null, claimed_generation = null where u.bank_id = %s
"""
UNPARK_UPKEEP = "update memory.upkeep u set not_before = '-infinity' where u.bank_id = %s"
CHANGED_COLUMNS = {
    ("work", "not_before"): "t.not_before - interval '8760000 hours'",
    ("upkeep", "not_before"): "'-infinity'::timestamptz",
    ("memory_event", "xid"): "{transaction}::bigint",
}
"""Expressions of columns that differ at the target; `{transaction}` is the one that copies. Ids of transactions order
events and belong to a cluster: with a lower one, a cursor of an earlier stay on the target would miss events that were
written elsewhere; with this one it reads them all again."""
COLUMNS = """
select a.attname, a.attidentity <> ''
  from pg_attribute a
 where a.attrelid = ('memory.' || %s)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
 order by a.attnum
"""


@dataclass(frozen=True, slots=True)
class Moved:
    """A finished move."""

    bank_id: str
    source: str
    """The same as `target` where the bank was there already."""
    target: str
    rows: dict[str, int]
    """Rows by table that this call copied; empty where an earlier call did."""
    read_only_seconds: float
    """How long writes waited, as far as this call knows."""


def move_bank(settings: Settings, bank_id: str, target: str, actor: str) -> Moved:
    """Move a bank to a server of the map, or finish a move to it that was interrupted. Blocks.

    To the server that has it: a move that was interrupted before the copy was complete is undone.
    Errors: NotFound, Conflict, InvalidInput naming the server, DatabaseUnavailable, DatabaseUnsuitable.
    """
    check_bank_id(bank_id)
    try:
        return move_checked(settings, bank_id, target, actor)
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"the move was interrupted, run it again: {error}") from error


def move_checked(settings: Settings, bank_id: str, target: str, actor: str) -> Moved:
    """As move_bank. Errors: also psycopg.OperationalError."""
    with open_home(settings) as home, only_mover(home.connection, bank_id):
        present = home.read_map()
        if target != HOME and target not in present.servers:
            raise InvalidInput("to", f"there is no server {target}; `memory-service server list` lists them")
        source = present.server_of(bank_id)
        for server in (HOME, *present.servers):
            if server != source:
                finish_former_move(home, present, server, bank_id, needed=server == target)
        with ExitStack() as connections:

            def connect(server: str) -> Connection:
                return connections.enter_context(home.connect(server, present.servers))

            at_source = connect(source)
            fenced_for = fence_of(at_source, bank_id)
            if source == target:
                if fenced_for is not None:
                    refuse_arrived(connect(fenced_for), bank_id, fenced_for)
                    unfence(at_source, bank_id)
                elif not has_bank(at_source, bank_id):
                    raise NotFound(f"bank: there is no bank {bank_id}")
                return Moved(bank_id, source, target, {}, 0.0)
            if fenced_for not in (None, target):
                raise Conflict(
                    f"to: the bank is being moved to {fenced_for}; finish that move, or move it to {source}"
                )
            return move(home, at_source, connect(target), bank_id, source, target, actor)


def move(
    home: Home,
    at_source: Connection,
    at_target: Connection,
    bank_id: str,
    source: str,
    target: str,
    actor: str,
) -> Moved:
    """The steps after the checks of the map."""
    began = time.monotonic()
    rows: dict[str, int] = {}
    arrived = has_bank(at_target, bank_id)
    if arrived and fence_of(at_source, bank_id) is None:
        raise Conflict(f"to: the server {target} has a bank of this name")
    if not arrived:
        if not has_bank(at_source, bank_id):
            raise NotFound(f"bank: there is no bank {bank_id}")
        copy_embedding_models(at_source, at_target)
        with fenced(at_source, bank_id, target) as copy:
            wait_for_transactions(at_source)
            park(at_source, bank_id)
            with at_source.transaction():
                at_source.execute("set transaction isolation level repeatable read, read only")
                raise_sequences(at_source, at_target, bank_id)
                copy_rows(at_source, at_target, bank_id, copy)
        rows = copy.rows
    switch(home, bank_id, source, target, actor)
    read_only = time.monotonic() - began
    delete_former_rows(at_source, bank_id)
    return Moved(bank_id, source, target, rows, read_only)


@contextmanager
def only_mover(connection: Connection, bank_id: str) -> Generator[None]:
    """Lock out other moves of the bank until the connection ends. Errors: Conflict."""
    connection.execute(f"set lock_timeout = '{LOCK_SECONDS}s'".encode())
    try:
        connection.execute(f"select pg_advisory_lock({MOVE_LOCK})".encode(), (bank_id,))
    except psycopg.errors.LockNotAvailable:
        raise Conflict("bank: another process is moving it") from None
    connection.execute("reset lock_timeout")
    yield


def has_bank(connection: Connection, bank_id: str) -> bool:
    """Whether a server has the bank's rows. Waits for the end of a copy whose mover died."""
    with connection.transaction():
        connection.execute(f"select pg_advisory_xact_lock({COPY_LOCK})".encode(), (bank_id,))
        return (
            connection.execute("select from memory.bank b where b.bank_id = %s", (bank_id,)).fetchone()
            is not None
        )


def fence_of(connection: Connection, bank_id: str) -> str | None:
    """The server that the bank is being moved to, by the fence of its present one; or was moved to, where the map is
    older than the move, as after a restore of the home server."""
    row = connection.execute(
        "select f.target from memory.bank_fence f where f.bank = %s", (bank_id,)
    ).fetchone()
    return None if row is None else str(row[0])


def refuse_arrived(at_target: Connection, bank_id: str, target: str) -> None:
    """Errors: Conflict where the target of an interrupted move has the bank."""
    if has_bank(at_target, bank_id):
        raise Conflict(f"to: the bank has been copied to {target}; finish that move")


@dataclass(slots=True)
class Copy:
    """A copy that is being made."""

    rows: dict[str, int] = field(default_factory=dict[str, int])
    committing: bool = False
    """From now on the target may have the bank."""


@contextmanager
def fenced(at_source: Connection, bank_id: str, target: str) -> Generator[Copy]:
    """Refuse writes of the bank from now on; allow them again after an error, unless the target may have the bank."""
    at_source.execute(
        "insert into memory.bank_fence (bank, target) values (%s, %s) "
        "on conflict on constraint bank_fence_pkey do nothing",
        (bank_id, target),
    )
    copy = Copy()
    try:
        yield copy
    except BaseException:
        if not copy.committing and not at_source.closed:
            unfence(at_source, bank_id)
        raise


def park(at_source: Connection, bank_id: str) -> None:
    """Take the bank's work items and nightly run from workers; their leases end."""
    with at_source.transaction():
        at_source.execute(PARK_WORK, (bank_id,))
        at_source.execute(PARK_UPKEEP, (bank_id,))


def unfence(at_source: Connection, bank_id: str) -> None:
    """Undo the fence and park."""
    with at_source.transaction():
        at_source.execute("delete from memory.bank_fence f where f.bank = %s", (bank_id,))
        at_source.execute(UNPARK_WORK, (bank_id,))
        at_source.execute(UNPARK_UPKEEP, (bank_id,))


def raise_sequences(at_source: Connection, at_target: Connection, bank_id: str) -> None:
    """Raise the target's sequences above the bank's numbers: later rows must have higher ones.

    The lock on the table keeps others from taking numbers meanwhile; one table at a time, so that none waits for two.
    """
    for table in BANK_TABLES:
        for column, numbered in at_source.execute(COLUMNS, (table,)).fetchall():
            if not numbered:
                continue
            names = {"table": sql.Identifier("memory", table), "column": sql.Identifier(column)}
            row = at_source.execute(
                sql.SQL("select coalesce(max(t.{column}), 0) from {table} t where t.bank_id = %s").format(
                    **names
                ),
                (bank_id,),
            ).fetchone()
            highest = 0 if row is None else int(row[0])
            with at_target.transaction():
                at_target.execute(sql.SQL("lock table {table} in share row exclusive mode").format(**names))
                at_target.execute(
                    "select setval(s.name, %(highest)s) from pg_get_serial_sequence(%(table)s, %(column)s) as s (name)"
                    " where coalesce(pg_sequence_last_value(s.name::regclass), 0) < %(highest)s",
                    {"highest": highest, "table": f"memory.{table}", "column": column},
                )


def copy_rows(at_source: Connection, at_target: Connection, bank_id: str, copy: Copy) -> None:
    """Copy all rows in one transaction of the target. Errors: DatabaseUnavailable."""
    with at_target.transaction():
        at_target.execute(f"select pg_advisory_xact_lock({COPY_LOCK})".encode(), (bank_id,))
        at_target.execute("delete from memory.bank_fence f where f.bank = %s", (bank_id,))
        row = at_target.execute("select pg_current_xact_id()::text").fetchone()
        transaction = "" if row is None else str(row[0])
        for table in BANK_TABLES:
            copied = copy_table(at_source, at_target, table, bank_id, transaction)
            if not copied == count(at_source, table, bank_id) == count(at_target, table, bank_id):
                raise DatabaseUnavailable(f"the copy of memory.{table} differs in its number of rows")
            if copied:
                copy.rows[table] = copied
        copy.committing = True


def copy_table(
    at_source: Connection, at_target: Connection, table: str, bank_id: str, transaction: str
) -> int:
    """Copy a table's rows of the bank in this transaction of the target; how many."""
    columns = [str(row[0]) for row in at_source.execute(COLUMNS, (table,)).fetchall()]
    values = [
        sql.SQL(CHANGED_COLUMNS[table, column]).format(transaction=sql.Literal(transaction))  # type: ignore[arg-type]
        if (table, column) in CHANGED_COLUMNS
        else sql.Identifier("t", column)
        for column in columns
    ]
    reading = sql.SQL("copy (select {} from {} t where t.bank_id = {}) to stdout (format binary)").format(
        sql.SQL(", ").join(values), sql.Identifier("memory", table), sql.Literal(bank_id)
    )
    writing = sql.SQL("copy {} ({}) from stdin (format binary)").format(
        sql.Identifier("memory", table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with at_source.cursor() as reader, at_target.cursor() as writer:
        with reader.copy(reading) as out, writer.copy(writing) as into:
            for data in out:
                into.write(data)
        return writer.rowcount


def count(connection: Connection, table: str, bank_id: str) -> int:
    row = connection.execute(
        sql.SQL("select count(*) from {} t where t.bank_id = %s").format(sql.Identifier("memory", table)),
        (bank_id,),
    ).fetchone()
    return 0 if row is None else int(row[0])


def switch(home: Home, bank_id: str, source: str, target: str, actor: str) -> None:
    """Name the target in the map."""
    with home.connection.transaction():
        home.connection.execute("update memory.server_map set version = version + 1")
        home.connection.execute("delete from memory.bank_place p where p.bank = %s", (bank_id,))
        home.connection.execute(
            "insert into memory.bank_place (bank, server_id) select %(bank)s, %(target)s "
            "where memory_internal.server_of(%(bank)s) <> %(target)s",
            {"bank": bank_id, "target": target},
        )
        home.connection.execute(
            "select memory_internal.record_audit('bank_moved', %s, null, %s, '{}', %s, now())",
            (actor, bank_id, Jsonb({"from": source, "to": target})),
        )


def finish_former_move(home: Home, present: ServerMap, server: str, bank_id: str, *, needed: bool) -> None:
    """Delete the rows that an interrupted move away from this server left. A server that does not answer is left as it
    is, unless it is `needed`."""
    try:
        with home.connect(server, present.servers) as connection:
            if has_former_rows(connection, bank_id):
                delete_former_rows(connection, bank_id)
    except DatabaseUnavailable:
        if needed:
            raise


def delete_all_former_rows(settings: Settings) -> dict[str, MemoryServiceError | psycopg.Error]:
    """Delete the rows that interrupted moves left on the former servers of their banks. Blocks.

    Returns the errors by server, of which none stops the others: Conflict while such a bank is being moved,
    DatabaseUnavailable, DatabaseUnsuitable, other errors of the driver.
    """
    failures: dict[str, MemoryServiceError | psycopg.Error] = {}

    @contextmanager
    def noted_failure(server: str) -> Generator[None]:
        try:
            yield
        except psycopg.OperationalError as error:
            failures[server] = no_answer(error)
        except (MemoryServiceError, psycopg.Error) as error:
            failures[server] = error

    with noted_failure(HOME), open_home(settings) as home:
        servers = home.read_map().servers
        for server in (HOME, *servers) if servers else ():
            with noted_failure(server), home.connect(server, servers) as connection:
                for (bank_id,) in connection.execute("select f.bank from memory.bank_fence f").fetchall():
                    delete_if_former(home, connection, server, bank_id)
    return failures


def delete_if_former(home: Home, connection: Connection, server: str, bank_id: str) -> None:
    """Errors: Conflict while the bank is being moved."""
    if has_former_rows(connection, bank_id):
        with only_mover(home.connection, bank_id):
            if home.read_map().server_of(bank_id) != server and has_former_rows(connection, bank_id):
                delete_former_rows(connection, bank_id)


def has_former_rows(connection: Connection, bank_id: str) -> bool:
    """Whether a server that the map does not name has the bank fenced, with rows or without the final refusal."""
    return (
        connection.execute(
            "select from memory.bank_fence f where f.bank = %(bank)s "
            "and (not f.moved or exists (select from memory.bank b where b.bank_id = %(bank)s))",
            {"bank": bank_id},
        ).fetchone()
        is not None
    )


def delete_former_rows(at_source: Connection, bank_id: str) -> None:
    """Refuse all calls about a bank that was moved, and delete its rows once reads that began before have ended."""
    at_source.execute("update memory.bank_fence f set moved = true where f.bank = %s", (bank_id,))
    wait_for_transactions(at_source)
    with at_source.transaction():
        for table in reversed(BANK_TABLES):
            at_source.execute(
                sql.SQL("delete from {} t where t.bank_id = %s").format(sql.Identifier("memory", table)),
                (bank_id,),
            )
