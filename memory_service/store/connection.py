"""Database connections: session settings, and binary codecs for jsonb and vectors."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import asyncpg
from pgvector.asyncpg import register_vector  # type: ignore[import-untyped]

from memory_service.errors import DatabaseUnsuitable

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]

CONNECT_SECONDS = 15.0
STATEMENT_SECONDS = 60.0
"""Longest duration of a statement."""

EMPTY_OBJECT = b"\x01{}"
"""`{}` as jsonb on the wire: the metadata of most memories."""


async def create_pool(url: str, size: int, *, upkeep: bool = False, pooled: bool = False) -> Pool:
    """A pool of up to `size` connections. `upkeep`: changes made through it mark no bank as due (mark_bank_due.sql).

    `pooled`: the URL leads to a pooler in transaction mode. It refuses settings at connecting, and the next statement
    may reach another server connection, which lacks what this one prepared or set: nothing is prepared under a name,
    the driver ends calls that take too long, and Database sets `memory.upkeep` in each transaction.
    """
    name = "memory-upkeep" if upkeep else "memory-service"
    if pooled:
        return await asyncpg.create_pool(
            url, min_size=1, max_size=size, init=init_pooled_connection, reset=skip_reset, timeout=CONNECT_SECONDS,
            server_settings={"application_name": name}, statement_cache_size=0, command_timeout=STATEMENT_SECONDS,
        )  # fmt: skip
    settings = {"application_name": name, "statement_timeout": f"{STATEMENT_SECONDS:.0f}s"}
    if upkeep:
        settings["memory.upkeep"] = "on"
    return await asyncpg.create_pool(
        url, min_size=1, max_size=size, init=init_connection, reset=skip_reset, timeout=CONNECT_SECONDS,
        server_settings=settings,
    )  # fmt: skip


async def init_connection(connection: Connection) -> None:
    """Set codecs and durability of a new connection.

    With synchronous_commit off, a power cut loses acknowledged messages: off becomes on, other values stay.
    """
    await connection.execute(
        "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
    )
    await set_codecs(connection)


async def init_pooled_connection(connection: Connection) -> None:
    """Set codecs of a new connection to a pooler. Errors: DatabaseUnsuitable where commits do not wait for the disk."""
    # The driver would set `jit` for the session, and back by another call, whenever it reads the definition of a type.
    driver = cast("Any", connection)
    driver._server_caps = driver._server_caps._replace(jit=False)
    if await connection.fetchval("select current_setting('synchronous_commit') = 'off'"):
        raise DatabaseUnsuitable(
            "synchronous_commit is off, which would lose acknowledged messages in a power cut, and cannot be set for a "
            "session behind a pooler: set it for the role, alter role ... set synchronous_commit = on"
        )
    await set_codecs(connection)


async def set_codecs(connection: Connection) -> None:
    """Binary codecs: Postgres would parse a vector sent as text again for each row that it is compared with."""
    await register_vector(cast("Any", connection))
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=encode_jsonb, decoder=decode_jsonb, format="binary"
    )


def encode_jsonb(value: object) -> bytes:
    """jsonb on the wire: a version byte, then the text. Bytes are taken as the text, dataclasses become objects."""
    return b"\x01" + (value if isinstance(value, bytes) else json.dumps(value, default=to_json).encode())


def to_json(value: object) -> object:
    """What json cannot encode: records become objects, ids and times text."""
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def decode_jsonb(data: bytes) -> Any:
    return {} if data == EMPTY_OBJECT else json.loads(data[1:])


async def skip_reset(_: Connection) -> None:
    """Replaces asyncpg's reset between calls, a round trip: no call leaves session state."""
