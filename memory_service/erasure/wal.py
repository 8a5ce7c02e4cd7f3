"""Overwriting of the WAL files that hold erased rows."""

from __future__ import annotations

import re
import time
from typing import Any

import psycopg

Connection = psycopg.Connection[tuple[Any, ...]]

SEGMENT = re.compile(r"[0-9A-F]{24}")
TIMELINE_CHARACTERS = 8
"""Of a segment's name; the rest is its position."""
SPARE_SWITCHES = 3
"""Switches beyond wal_keep_size after which a segment that still exists is held by something else."""
POLL_SECONDS = 0.5


class WalHeld(Exception):
    """Old WAL segments stay; the message names replication slots and the archiver."""


def overwrite_wal(connection: Connection, deadline: float) -> int:
    """Write new WAL until no file in pg_wal has contents from before the call; the number of segments written.

    A checkpoint removes old segments or renames them to be written again, with their contents: as many new segments
    are begun as files were renamed. A switch with nothing written since the last one does nothing.
    `deadline`: of time.monotonic(). Errors: WalHeld.
    """
    last_old = position_of(current_segment(connection))
    switches = 0
    while switches < kept_segments(connection) + SPARE_SWITCHES:
        begin_segment(connection)
        switches += 1
        connection.execute("checkpoint")
        if first_position(connection) > last_old:
            break
    while first_position(connection) <= last_old:
        if time.monotonic() > deadline:
            raise WalHeld(holders(connection))
        time.sleep(POLL_SECONDS)
        connection.execute("checkpoint")
    renamed_until = max(map(position_of, segments(connection)))
    while position_of(current_segment(connection)) <= renamed_until:
        begin_segment(connection)
        switches += 1
    connection.execute("checkpoint")
    return switches


def begin_segment(connection: Connection) -> None:
    """Fill the current segment with zeros and begin the next one."""
    connection.execute("select pg_logical_emit_message(false, 'memory.scrub', '')")
    connection.execute("select pg_switch_wal()")


def segments(connection: Connection) -> list[str]:
    """The names of the segments in pg_wal."""
    rows = connection.execute("select name from pg_ls_waldir()").fetchall()
    return [str(name) for (name,) in rows if SEGMENT.fullmatch(str(name))]


def current_segment(connection: Connection) -> str:
    row = connection.execute("select pg_walfile_name(pg_current_wal_insert_lsn())").fetchone()
    return str(row[0]) if row else ""


def position_of(segment: str) -> str:
    return segment[TIMELINE_CHARACTERS:]


def first_position(connection: Connection) -> str:
    return min(map(position_of, segments(connection)))


def kept_segments(connection: Connection) -> int:
    """Segments that wal_keep_size keeps."""
    row = connection.execute(
        "select ceil(pg_size_bytes(current_setting('wal_keep_size')) "
        "/ pg_size_bytes(current_setting('wal_segment_size'))::numeric)::integer"
    ).fetchone()
    return int(row[0]) if row else 0


def holders(connection: Connection) -> str:
    """What keeps old segments, where that is known."""
    slots = connection.execute(
        "select slot_name from pg_replication_slots where restart_lsn is not null order by restart_lsn"
    ).fetchall()
    names = [f"replication slot {name}" for (name,) in slots]
    archiver = connection.execute(
        "select last_failed_wal from pg_stat_archiver where current_setting('archive_mode') <> 'off'"
    ).fetchone()
    if archiver is not None:
        names.append("the archiver" + (f", which fails at {archiver[0]}" if archiver[0] else ""))
    return ", ".join(names) or "unknown"
