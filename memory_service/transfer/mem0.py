"""Memories of mem0: the table of its pgvector store, or an answer of `get_all` as JSON.

    {"id": …, "memory": "User lives in Porto", "user_id": "anna", "created_at": "2024-03-02T09:30:00+00:00",
     "updated_at": null, "hash": …, "metadata": {…}}
    table: id uuid, vector vector, payload jsonb {"data": "User lives in Porto", "user_id": …, "created_at": …, …}

A memory is a sentence that a language model wrote about a person. It is committed as a fact of the agent `mem0`: as a
message it would be words of the person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Composable, Identifier, Literal

from memory_service.errors import InvalidInput
from memory_service.iso_time import parsed_day
from memory_service.login import connect
from memory_service.transfer.fields import line_at, object_at, text_at, time_at
from memory_service.transfer.json_array import records_in
from memory_service.transfer.json_lines import json_objects
from memory_service.transfer.parts import Part, Statement

PRODUCT = "mem0"
TABLE = "mem0"
"""The default of mem0's pgvector store; its server names it `memories`."""
ROWS = SQL(
    "select id::text as key, jsonb_build_object('id', id, 'payload', payload)::text from {} {} order by id limit {}"
)
ROWS_AT_ONCE = 1_000
OWNERS = ("user_id", "agent_id", "run_id", "actor_id", "role", "attributed_to")
"""Fields of both forms that are kept in the metadata."""
NOT_KEPT = {
    *OWNERS, "id", "data", "memory", "hash", "score", "created_at", "updated_at", "expiration_date", "text_lemmatized",
    "metadata",
}  # fmt: skip


def mem0_parts(source: str, table: str | None = None, user: str | None = None) -> Iterator[Part]:
    """The memories of `user`, by default of the only user, of a file or of a table of the database with this URL.

    Left out: memories that have expired. Errors: InvalidInput naming record and field.
    """
    rows = table_rows(source, table or TABLE) if "://" in source else records_in(Path(source))
    users: dict[str, None] = {}
    for place, row in rows:
        original_id = line_at(row, "id", place)
        place = f"{place} ({original_id})"
        text, fields, more = fields_of(row, place)
        kept = {name: line_at(fields, name, place) for name in OWNERS if fields.get(name)}
        owner = kept.get("user_id")
        if user is not None and owner != user:
            continue
        if owner is not None:
            users[owner] = None
        if len(users) > 1:
            raise InvalidInput("--user", f"is missing: there are memories of {' and of '.join(users)}")
        at = time_at(fields, place, "updated_at", "created_at")
        expires = parsed_day(fields.get("expiration_date"), f"{place}: expiration_date")
        if expires is not None and expires < datetime.now(UTC):
            continue
        key = str(uuid5(NAMESPACE_OID, f"mem0/{original_id}/{at.astimezone(UTC).isoformat()}"))
        statement = Statement(PRODUCT, original_id, "user", text, at, more={**more, **kept})
        yield Part(PRODUCT, [], list(statement.commits(key, place, fact=True)), PRODUCT)


def fields_of(row: Mapping[str, Any], place: str) -> tuple[str, Mapping[str, Any], dict[str, Any]]:
    """Text, fields and further metadata of a row or of a record of `get_all`."""
    if "payload" in row:
        fields = object_at(row, "payload", place)
        place = f"{place}: payload"
        more = {name: value for name, value in fields.items() if name not in NOT_KEPT}
        return text_at(fields, "data", place), fields, more
    more = object_at(row, "metadata", place) if row.get("metadata") is not None else {}
    return text_at(row, "memory", place), row, more


def table_rows(url: str, table: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Place, and id with payload, of the rows of a table, read in short read-only transactions of ROWS_AT_ONCE rows.

    Errors: InvalidInput.
    """
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # its message may quote the password
        raise InvalidInput("database", "is no connection URL such as postgresql://host/database") from None
    try:
        with connect(url) as connection:
            connection.read_only = True
            yield from json_objects(
                lines_of(connection, table), lambda number: f"table {table}, row {number}"
            )
    except psycopg.Error as error:
        raise InvalidInput("database", f"cannot be read: {str(error).splitlines()[0]}") from None


def lines_of(connection: psycopg.Connection[tuple[Any, ...]], table: str) -> Iterator[str]:
    """Each row as JSON, ordered by id."""
    name = Identifier(*table.split("."))
    after: Composable = SQL("")
    while True:
        with connection.transaction():
            rows = connection.execute(ROWS.format(name, after, Literal(ROWS_AT_ONCE))).fetchall()
        yield from (line for _, line in rows)
        if len(rows) < ROWS_AT_ONCE:
            return
        after = SQL("where id > {}").format(Literal(rows[-1][0]))
