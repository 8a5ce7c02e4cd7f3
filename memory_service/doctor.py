"""`memory-service doctor`: checks of a service's surroundings, each finding with a remedy (docs/operations.md).

Nothing is changed and no provider of models is called. Findings hold ids and figures, no secrets and no texts.
"""

from __future__ import annotations

import asyncio
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

import psycopg

from memory_service.config import Settings
from memory_service.connect import Access, find_database, settings_of_server
from memory_service.db.migrate import (
    API_VERSION,
    MIN_PGVECTOR,
    MIN_PGVECTOR_HNSW,
    MIN_POSTGRES,
    parse_version,
)
from memory_service.errors import MemoryServiceError
from memory_service.login import connect
from memory_service.placement.connections import read_servers
from memory_service.running_service import find_service
from memory_service.store.servers import ServerUrls

Level = Literal["ok", "warning", "error"]
Row = tuple[Any, ...]

ROLES = ("memory_analyst", "memory_owner", "memory_reader", "memory_service")
OLDEST_SECONDS = 300.0
CLOCK_SECONDS = 2.0
NIGHT_HOURS = 36.0
LEAST_FREE_BYTES, LOW_FREE_BYTES = 200 * 2**20, 2 * 2**30
SERVICE_SECONDS = 5.0
REPLAY_SECONDS = 1.0
"""Time that a replica has to replay what the primary has written."""
QUERY = "Where does Anna live?"
LOOPBACK = ("127.", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    """Its name; of another server than the home server, with the server's name."""
    level: Level
    text: str
    remedy: str | None = None
    """What to do; None where the level is ok."""


def examine(settings: Settings) -> list[Finding]:
    """Run all checks; those that need the database are left out where it does not answer. Blocks."""
    return by_level([*database(settings), *embedding_model(settings), *service(settings), *disk(settings)])


def examine_running(access: Access, settings: Settings) -> list[Finding]:
    """Check the database and the disk of a running service. Blocks."""
    return by_level([*checks_of_all(access, settings), *disk(settings)])


def by_level(findings: Sequence[Finding]) -> list[Finding]:
    """Errors first."""
    order = ("error", "warning", "ok")
    return sorted(findings, key=lambda finding: order.index(finding.level))


def database(settings: Settings) -> Iterator[Finding]:
    """The database and everything in it."""
    try:
        access = find_database(settings)
    except MemoryServiceError as error:
        yield Finding("database", "error", " ".join(str(error).split()), unreachable(settings))
        return
    with closing(access):
        yield from checks_of_all(access, settings)


def checks_of_all(access: Access, settings: Settings) -> Iterator[Finding]:
    """All checks of the home server, and those of the other servers of its map."""
    yield from checks_of(access, settings, CHECKS)
    try:
        with connect(access.admin_url or access.direct_url or access.url) as connection:
            servers = read_servers(connection).servers
    except psycopg.Error:
        return  # reported above
    for name, urls in sorted(servers.items()):
        for finding in checks_of_other(settings, urls):
            yield replace(finding, check=f"{finding.check} on {name}")


def checks_of_other(settings: Settings, urls: ServerUrls) -> Iterator[Finding]:
    """The checks of a server of the map: all but those of the home server alone."""
    try:
        there = settings_of_server(settings, urls)
        access = find_database(there)
    except MemoryServiceError as error:
        remedy = "see that it runs and accepts this login; `memory-service server list` shows its URL"
        yield Finding("database", "error", " ".join(str(error).split()), remedy)
        return
    with closing(access):
        yield from checks_of(access, there, [check for check in CHECKS if check is not keys])


def checks_of(access: Access, settings: Settings, checks: Sequence[Check]) -> Iterator[Finding]:
    """These checks of a database that is found."""
    try:
        with connect(access.admin_url or access.direct_url or access.url, autocommit=True) as connection:
            for check in checks:
                yield from check(connection, access, settings)
    except psycopg.errors.UndefinedFunction as error:
        yield Finding("migration", "error", first_line(error), "run `memory-service migrate`")
    except psycopg.Error as error:
        yield Finding("database", "error", first_line(error), unreachable(settings))


def unreachable(settings: Settings) -> str:
    if settings.database_url is None:
        return f"read {settings.data_dir}/postgres.ctl/postgres.log"
    return "check that the server of DATABASE_URL runs and accepts this login"


def first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


Connection = psycopg.Connection[Row]
Check = Callable[[Connection, Access, Settings], Iterator[Finding]]


def rows(connection: Connection, query: str, *values: object) -> list[Row]:
    return connection.execute(query.encode(), values).fetchall()


def server(connection: Connection, access: Access, settings: Settings) -> Iterator[Finding]:
    """Version, size and clock of the server."""
    kind = "your own" if access.server is None else "embedded"
    ((version, size, at),) = rows(
        connection,
        "select current_setting('server_version'), pg_database_size(current_database()), clock_timestamp()",
    )
    text = f"Postgres {version}, {kind}, {size / 1e6:.0f} MB"
    if connection.info.server_version < MIN_POSTGRES:
        yield Finding("database", "error", text, "use Postgres 16 or newer")
    else:
        yield Finding("database", "ok", text)
    ((counts,),) = rows(connection, "select current_setting('track_counts')::boolean")
    if not counts:
        yield Finding(
            "row counts", "error", "track_counts is off: erasures are refused, and autovacuum does not run",
            "set track_counts to on in postgresql.conf, then run `select pg_reload_conf()`",
        )  # fmt: skip
    difference = abs((datetime.now(UTC) - at).total_seconds())
    if difference > CLOCK_SECONDS:
        yield Finding(
            "clock", "warning", f"this machine's clock and the database's differ by {difference:.0f} s",
            "synchronize both by NTP; times of messages come from this machine, leases from the database",
        )  # fmt: skip
    else:
        yield Finding("clock", "ok", f"differs from the database's by less than {CLOCK_SECONDS:.0f} s")


def extension(connection: Connection, _: Access, settings: Settings) -> Iterator[Finding]:
    """pgvector."""
    needed = ".".join(map(str, MIN_PGVECTOR))
    found = rows(connection, "select extversion from pg_extension where extname = 'vector'")
    if not found:
        yield Finding("pgvector", "error", "the extension vector is missing", "run `memory-service migrate`")
    elif parse_version(str(found[0][0])) < MIN_PGVECTOR:
        remedy = "update the package, then run `alter extension vector update`"
        yield Finding("pgvector", "error", f"{found[0][0]} is older than {needed}", remedy)
    elif parse_version(str(found[0][0])) < MIN_PGVECTOR_HNSW:
        newer = ".".join(map(str, MIN_PGVECTOR_HNSW))
        text = f"{found[0][0]} does not maintain HNSW indexes correctly: large banks are searched exactly"
        yield Finding(
            "pgvector", "warning", text, f"install {newer} or newer, then run `alter extension vector update`"
        )
    else:
        yield Finding("pgvector", "ok", str(found[0][0]))


def migration(connection: Connection, access: Access, settings: Settings) -> Iterator[Finding]:
    """Schema and roles."""
    ((present,),) = rows(connection, "select to_regclass('memory.installation') is not null")
    if not present:
        yield Finding("migration", "error", "the database was never migrated", "run `memory-service migrate`")
        return
    ((version, release),) = rows(connection, "select api_version, release from memory_api.installation()")
    if version != API_VERSION:
        text = (
            f"the database is at API version {version} (release {release}), this release needs {API_VERSION}"
        )
        remedy = "run `memory-service migrate`" if version < API_VERSION else "update this release"
        yield Finding("migration", "error", text, remedy)
    else:
        yield Finding("migration", "ok", f"API version {version}")
    known = rows(connection, "select rolname from pg_roles where rolname = any(%s)", list(ROLES))
    missing = sorted(set(ROLES) - {str(name) for (name,) in known})
    if missing:
        yield Finding("roles", "error", f"missing: {', '.join(missing)}", "run `memory-service migrate`")
    with connect(access.url) as login:
        ((name, unrestricted),) = rows(login, "select login, unrestricted from memory_api.installation()")
    if unrestricted:
        yield Finding(
            "roles", "error", f"row security does not apply to the login {name}",
            "use a DATABASE_URL of an administrator, or of memory_service",
        )  # fmt: skip
    elif not missing:
        yield Finding("roles", "ok", f"the service logs in as {name}, to which row security applies")


def queue(connection: Connection, _: Access, settings: Settings) -> Iterator[Finding]:
    """Work items and dead letters."""
    found = rows(connection, "select depth, oldest_seconds, dead from memory_api.queue_gauges()")
    depth, dead = (sum(int(row[place]) for row in found) for place in (0, 2))
    oldest = max((float(row[1]) for row in found), default=0.0)
    if dead:
        yield Finding(
            "dead letters", "warning", f"{dead} work items failed for good",
            "`memory-service dead-letters` lists the reasons, `memory-service redrive --all` queues them again",
        )  # fmt: skip
    text = f"{depth} waiting, the oldest for {oldest:.0f} s" if depth else "empty"
    if oldest > OLDEST_SECONDS:
        remedy = (
            "see that a worker runs (`serve`, or `worker` beside it), its log, and the banks' daily_tokens"
        )
        yield Finding("queue", "warning", text, remedy)
    else:
        yield Finding("queue", "ok", text)


def night(connection: Connection, _: Access, settings: Settings) -> Iterator[Finding]:
    """The nightly run."""
    passes = rows(connection, "select pass, last_success from memory_api.night_gauges()")
    if not settings.nightly_scrub:
        passes = [row for row in passes if row[0] != "scrub"]
    remedy = "install jobs/crontab, or run `python -m memory_service.jobs.nightly`"
    if not passes:
        yield Finding("nightly run", "warning", "has never run, or not for 40 days", remedy)
        return
    now = time.time()
    late = [str(name) for name, ended in passes if ended is None or now - float(ended) > NIGHT_HOURS * 3600]
    if late:
        text = f"no success for {NIGHT_HOURS:.0f} hours: {', '.join(sorted(late))}"
        yield Finding("nightly run", "warning", text, f"{remedy}; memory.job_run has the reason of a failure")
    else:
        earliest = datetime.fromtimestamp(min(float(ended) for _, ended in passes), UTC)
        yield Finding("nightly run", "ok", f"every pass succeeded at or after {earliest:%Y-%m-%d %H:%M} UTC")


def reembedding(connection: Connection, _: Access, settings: Settings) -> Iterator[Finding]:
    """Banks that are half copied to another embedding model, and former models kept too long."""
    ((copying, compared, seconds, overdue, excess),) = rows(
        connection, "select * from memory_api.reembedding_gauges()"
    )
    if copying:
        text = f"banks half copied to another model: {copying}, the longest for {seconds / 3600:.1f} hours"
        if compared:
            text += f"; compared and not switched: {compared}"
        yield Finding(
            "re-embedding", "warning", text,
            "`memory-service reembed --bank BANK` continues, with --end gives up; `stats` shows the progress",
        )  # fmt: skip
    if overdue and excess > NIGHT_HOURS * 3600:
        text = f"banks that keep vectors of a former model beyond their time: {overdue}"
        yield Finding("former vectors", "warning", text, "see the nightly run, which deletes them")


def keys(connection: Connection, _: Access, settings: Settings) -> Iterator[Finding]:
    """API keys, and the address that the service listens on."""
    ((exists,),) = rows(connection, "select memory_api.any_key_exists()")
    if exists:
        yield Finding("keys", "ok", "requests need an API key")
    elif settings.host.startswith(LOOPBACK):
        yield Finding("keys", "ok", f"none: requests on {settings.host} need no key")
    else:
        yield Finding(
            "keys", "error", f"MEMORY_HOST is {settings.host}, and there is no API key: `serve` refuses to start",
            "run `memory-service key create --role admin --bank '*'`",
        )  # fmt: skip


def replica(connection: Connection, access: Access, settings: Settings) -> Iterator[Finding]:
    """The replica of DATABASE_READ_URL, and how far it is behind the server."""
    if access.read_url is None:
        return
    ((position,),) = rows(connection, "select pg_current_wal_flush_lsn()::text")
    remedy = "see that it runs and streams (pg_stat_replication, pg_stat_wal_receiver); the primary answers meanwhile"
    try:
        with psycopg.connect(
            access.read_url, connect_timeout=int(SERVICE_SECONDS), autocommit=True
        ) as standby:
            deadline = time.monotonic() + REPLAY_SECONDS
            while (behind := bytes_behind(standby, position)) and time.monotonic() < deadline:
                time.sleep(0.05)
            ((seconds,),) = rows(
                standby, "select extract(epoch from now() - pg_last_xact_replay_timestamp())"
            )
    except psycopg.Error as error:
        yield Finding("replica", "warning", f"DATABASE_READ_URL: {first_line(error)}", remedy)
        return
    if behind is None:
        yield Finding("replica", "warning", "DATABASE_READ_URL: is no standby", "name a streaming replica")
    elif behind:
        age = "" if seconds is None else f"; its latest transaction is {float(seconds):.0f} s old"
        yield Finding("replica", "warning", f"{behind:,} bytes behind the primary{age}", remedy)
    else:
        yield Finding("replica", "ok", f"less than {REPLAY_SECONDS:.0f} s behind the primary")


def bytes_behind(standby: Connection, position: str) -> int | None:
    """WAL that the standby has still to replay up to this position; None on a server that is no standby."""
    ((behind,),) = rows(
        standby,
        "select case when pg_is_in_recovery() then "
        "greatest(pg_wal_lsn_diff(%s::pg_lsn, coalesce(pg_last_wal_replay_lsn(), '0/0')), 0)::bigint end",
        position,
    )
    return behind


CHECKS: Sequence[Check] = (
    server, extension, migration, queue, night, reembedding, keys, replica,
)  # fmt: skip
"""Checks of the database, in an order in which each needs the former ones."""


def embedding_model(settings: Settings) -> Iterator[Finding]:
    """The models of new banks: a local one embeds a query, those of providers are not called."""
    from memory_service.models.local import LocalEmbedder
    from memory_service.models.registry import Models

    async def tried() -> Finding:
        models = Models(settings)
        try:
            embedder, extractor = models.embedder(), models.extractor()
            if isinstance(embedder, LocalEmbedder):
                await embedder.embed_query(QUERY)
                return Finding(
                    "models", "ok", f"{embedder.name} embeds; texts are extracted by {extractor.name}"
                )
            return Finding("models", "ok", f"{embedder.name} and {extractor.name}, not called")
        finally:
            await models.aclose()

    try:
        yield asyncio.run(tried())
    except MemoryServiceError as error:
        yield Finding(
            "models", "error", str(error), "see docs/settings.md, MEMORY_EMBEDDING_MODEL and its keys"
        )


def service(settings: Settings) -> Iterator[Finding]:
    """The service that runs on the data folder."""
    running = find_service()
    if running is None:
        yield Finding("service", "ok", "none runs on this data folder with these settings")
        return
    try:
        with urllib.request.urlopen(f"{running.address}/readyz", timeout=SERVICE_SECONDS):  # noqa: S310
            yield Finding("service", "ok", f"answers on {running.address}")
    except (urllib.error.URLError, OSError) as error:
        text = f"process {running.pid} does not answer on {running.address}: {type(error).__name__}"
        yield Finding("service", "error", text, "read its log, and start it again")


def disk(settings: Settings) -> Iterator[Finding]:
    """Free space of the data folder."""
    folder = next(
        path for path in (settings.data_dir, *settings.data_dir.absolute().parents) if path.exists()
    )
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.1f} GB free in {settings.data_dir}"
    if free >= LOW_FREE_BYTES:
        yield Finding("disk", "ok", text)
    else:
        level: Level = "error" if free < LEAST_FREE_BYTES else "warning"
        yield Finding("disk", level, text, "free space: Postgres stops when its disk is full")
