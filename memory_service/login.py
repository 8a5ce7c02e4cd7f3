"""The login of a connection URL: the rights of its role, and whether a connection pooler is in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from memory_service.errors import DatabaseUnavailable, DatabaseUnsuitable

CONNECT_SECONDS = 15
"""Longest wait for a server to accept a connection, unless the URL has another `connect_timeout`."""


@dataclass(frozen=True, slots=True)
class Login:
    """The login of a URL."""

    administrator: bool
    """The service logs in as memory_service instead: row security would not hold, or it has more rights than needed."""
    pooled: bool
    """The process id given at connecting is not that of the backend: a pooler makes up its own."""


def connect(url: str, *, autocommit: bool = False) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection with this URL. Blocks, for CONNECT_SECONDS at most.

    Errors: psycopg.OperationalError; psycopg.ProgrammingError for a malformed URL.
    """
    if conninfo_to_dict(url).get("connect_timeout"):
        return psycopg.connect(url, autocommit=autocommit)
    return psycopg.connect(url, connect_timeout=CONNECT_SECONDS, autocommit=autocommit)


def check_login(url: str, setting: str) -> Login:
    """Log in once. Blocks. Errors, which name the setting: DatabaseUnavailable, DatabaseUnsuitable."""
    try:
        with connect(url) as connection:
            row = connection.execute(
                "select rolsuper or rolbypassrls or rolcreaterole, pg_backend_pid() from pg_roles"
                " where rolname = current_user"
            ).fetchone()
            return Login(bool(row and row[0]), row is not None and row[1] != connection.info.backend_pid)
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"{setting}: {str(error).strip()}") from error
    except psycopg.ProgrammingError as error:
        raise DatabaseUnsuitable(f"{setting}: {str(error).strip()}") from error


def password_of(url: str) -> str:
    """The password that a login with this URL uses, of the URL, PGPASSWORD or the password file; empty without one.

    Blocks. Errors: DatabaseUnavailable.
    """
    try:
        with connect(url) as connection:
            return connection.info.password
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(str(error).strip()) from error
