"""One read-only query over chosen banks of a server, for `memory-service sql`."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from memory_service.errors import DatabaseUnsuitable, InvalidInput, NotFound, no_answer
from memory_service.login import connect

Driver = psycopg.Connection[tuple[object, ...]]

READER = "memory_reader"
LINKED = "analytics_all"
"""Schema of the views of all servers."""
OF_ONE_SERVER = re.compile(r'\b"?(analytics|memory|memory_api|memory_internal)"?\s*\.', re.IGNORECASE)
"""Qualified names, also in a literal: an answer about one server must not pass for one about all."""

UNMATCHED = """
select p.banks
  from unnest(%s::text[]) as p (banks)
 where not exists (select from memory.bank b
                    where b.bank_id = p.banks or right(p.banks, 1) = '*' and b.bank_id ^@ left(p.banks, -1))
   and p.banks <> '*'
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """Column names and types (oids), and rows of values as Postgres prints them; None for null."""

    columns: list[str]
    types: list[int]
    rows: list[list[str | None]]

    def records(self) -> list[dict[str, object]]:
        """The rows as JSON objects: numbers, booleans and JSON as such, all other values as text."""
        return [
            {
                name: json_value(value, oid)
                for name, oid, value in zip(self.columns, self.types, row, strict=True)
            }
            for row in self.rows
        ]


INTEGERS, NUMBERS, JSON, BOOLEAN = (20, 21, 23, 26), (700, 701, 1700), (114, 3802), 16
"""Oids of the types that JSON has."""


def json_value(text: str | None, oid: int) -> object:
    if text is None:
        return None
    if oid == BOOLEAN:
        return text == "t"
    if oid in (*INTEGERS, *JSON) or (oid in NUMBERS and text not in ("NaN", "Infinity", "-Infinity")):
        return json.loads(text)
    return text


def query_banks(
    url: str, query: str, banks: Sequence[str], *, seconds: float, checked: bool = False
) -> Answer:
    """Run one statement that sees these banks (ids, or prefixes that end in `*`), as memory_reader, read only.

    `url` is that of the service's login, never an administrator's. `checked`: all banks are known to exist.

    Errors: NotFound for a bank or prefix without banks, InvalidInput with the message of Postgres for an invalid
    query, one of several statements, one that writes, and one that exceeds `seconds`.
    """
    with reading(url, "analytics, memory, public", banks, seconds) as connection:
        if (
            not checked
            and (unmatched := connection.execute(UNMATCHED, (list(banks),)).fetchone()) is not None
        ):
            raise NotFound(f"there is no bank {unmatched[0]}")
        return answer_of(connection, query, seconds)


def query_linked(url: str, query: str, banks: Sequence[str], *, seconds: float) -> Answer:
    """As query_banks, over the views of all servers (placement/analytics.py); the banks are not checked.

    Errors: also DatabaseUnsuitable where these views were not made; InvalidInput for a schema of one server.
    """
    if (named := OF_ONE_SERVER.search(query)) is not None:
        raise InvalidInput(
            "QUERY", f"{named[0]} is of the home server alone: name the views without a schema"
        )
    with reading(url, LINKED, banks, seconds) as connection:
        if connection.execute("select from pg_namespace where nspname = %s", (LINKED,)).fetchone() is None:
            raise DatabaseUnsuitable(
                "there are no views of all servers: `memory-service analyst link` makes them"
            )
        return answer_of(connection, query, seconds)


def matching_banks(url: str, banks: Sequence[str]) -> list[str]:
    """The banks of a server that these ids and prefixes match."""
    with reading(url, "memory", banks, 60) as connection:
        return [str(row[0]) for row in connection.execute("select bank_id from memory.bank").fetchall()]


@contextmanager
def reading(url: str, path: str, banks: Sequence[str], seconds: float) -> Generator[Driver]:
    """A read-only transaction of memory_reader that sees these banks; `path` has the schemas of unqualified names.

    Errors: DatabaseUnavailable.
    """
    try:
        with connect(url) as connection:
            connection.read_only = True
            connection.execute("select set_config('memory.banks', %s::text[]::text, true)", (list(banks),))
            connection.execute(f"set local role {READER}".encode())
            connection.execute(f"set local search_path = {path}, pg_temp".encode())
            connection.execute(f"set local statement_timeout = {max(1, round(seconds * 1000))}".encode())
            yield connection
    except psycopg.OperationalError as error:
        raise no_answer(error) from error


def answer_of(connection: Driver, query: str, seconds: float) -> Answer:
    """Errors: InvalidInput."""
    try:
        # prepared: the server refuses several statements in one
        return read_answer(connection.execute(query.encode(), prepare=True))
    except psycopg.errors.QueryCanceled:
        raise InvalidInput("--timeout", f"the query took longer than {seconds:g} s") from None
    except psycopg.OperationalError:
        raise
    except psycopg.Error as error:
        raise InvalidInput("QUERY", str(error).strip()) from None


def read_answer(cursor: psycopg.Cursor[tuple[object, ...]]) -> Answer:
    result = cursor.pgresult
    if cursor.description is None or result is None:
        raise InvalidInput("QUERY", "returns no rows: it is no query")
    width = range(result.nfields)

    def text(row: int, column: int) -> str | None:
        value = result.get_value(row, column)
        return None if value is None else bytes(value).decode()

    return Answer(
        [column.name for column in cursor.description],
        [column.type_code for column in cursor.description],
        [[text(row, column) for column in width] for row in range(result.ntuples)],
    )
