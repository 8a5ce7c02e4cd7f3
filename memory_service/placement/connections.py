"""Connections to the servers of the map as their administrator. Everything here blocks."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

from memory_service.config import Settings
from memory_service.connect import Access, administrator_url, find_database, settings_of_server
from memory_service.errors import DatabaseUnavailable, no_answer
from memory_service.login import connect as open_connection
from memory_service.store.servers import HOME, ServerMap, ServerUrls, read_map

Connection = psycopg.Connection[tuple[Any, ...]]

OPEN_SECONDS = 60.0
"""Longest wait for transactions that were open before a bank was fenced: twice that of a statement of the service."""

OPEN_TRANSACTIONS = """
select l.virtualtransaction, a.pid, a.usename
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid
 where l.locktype = 'virtualxid' and l.granted and a.datname = current_database() and a.usename is not null
   and a.pid <> pg_backend_pid()
"""
"""Transactions of this database, also those that have not written yet."""


@dataclass(frozen=True, slots=True)
class Home:
    """The home server, with the settings of this process."""

    settings: Settings
    access: Access
    connection: Connection

    def read_map(self) -> ServerMap:
        """The map of servers."""
        return read_servers(self.connection)

    def connect(self, server: str, servers: Mapping[str, ServerUrls]) -> Connection:
        """A connection to a server of the map, which commits each statement."""
        if server == HOME:
            return connect(admin_url(self.access))
        with closing(find_database(settings_of_server(self.settings, servers[server]))) as access:
            return connect(admin_url(access))


def read_servers(connection: Connection) -> ServerMap:
    """The map of the server of a connection."""
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute("select * from memory_api.read_server_map()").fetchone()
    assert row is not None  # noqa: S101 - a function with out parameters returns one row
    return read_map(row)


def connect(url: str) -> Connection:
    """A connection with the rights of the owner of all tables, whom row security does not bind.

    Errors: DatabaseUnavailable.
    """
    try:
        connection = open_connection(url, autocommit=True)
    except psycopg.OperationalError as error:
        raise no_answer(error) from error
    connection.execute("set role memory_owner")
    return connection


def admin_url(access: Access) -> str:
    """Errors: DatabaseUnsuitable without an administrator's URL."""
    return administrator_url(access, "a change of the map of servers")


def wait_for_transactions(connection: Connection) -> None:
    """Return once all transactions have ended that were open at the call, so that none of them writes any more.

    Errors: DatabaseUnavailable naming one that is still open after OPEN_SECONDS.
    """
    ends = time.monotonic() + OPEN_SECONDS
    open_before = set(connection.execute(OPEN_TRANSACTIONS).fetchall())
    pause = 0.001
    while open_before:
        if time.monotonic() > ends:
            pid, login = min(open_before)[1:]
            raise DatabaseUnavailable(
                f"a transaction of {login} (process {pid} of the database server) has been open for more than "
                f"{OPEN_SECONDS:.0f} s: end it and try again"
            )
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
        open_before &= set(connection.execute(OPEN_TRANSACTIONS).fetchall())
