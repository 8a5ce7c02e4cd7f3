"""One read-only query over chosen banks, for `memory-service sql`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg

from memory_service.errors import InvalidInput, NotFound, no_answer

READER = "memory_reader"

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


def query_banks(url: str, query: str, banks: Sequence[str], *, seconds: float) -> Answer:
    """Run one statement that sees these banks (ids, or prefixes that end in `*`), as memory_reader, read only.

    `url` is that of the service's login, never an administrator's.

    Errors: NotFound for a bank or prefix without banks, InvalidInput with the message of Postgres for an invalid
    query, one of several statements, one that writes, and one that exceeds `seconds`.
    """
    try:
        with psycopg.connect(url) as connection:
            connection.read_only = True
            connection.execute("select set_config('memory.banks', %s::text[]::text, true)", (list(banks),))
            connection.execute(f"set local role {READER}".encode())
            connection.execute("set local search_path = analytics, memory, public, pg_temp")
            unmatched = connection.execute(UNMATCHED, (list(banks),)).fetchone()
            if unmatched is not None:
                raise NotFound(f"there is no bank {unmatched[0]}")
            connection.execute(f"set local statement_timeout = {max(1, round(seconds * 1000))}".encode())
            # prepared: the server refuses several statements in one
            cursor = connection.execute(query.encode(), prepare=True)
            return answer_of(cursor)
    except psycopg.OperationalError as error:
        if isinstance(error, psycopg.errors.QueryCanceled):
            raise InvalidInput("--timeout", f"the query took longer than {seconds:g} s") from None
        raise no_answer(error) from error
    except psycopg.Error as error:
        raise InvalidInput("QUERY", str(error).strip()) from None


def answer_of(cursor: psycopg.Cursor[tuple[object, ...]]) -> Answer:
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
