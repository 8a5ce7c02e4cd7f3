"""The only door to the schema: one transaction that ends in this release's database, or in no change at all.

Order: advisory lock, what the server must have, roles, numbered migrations, functions (bodies unchecked), views,
functions again (checked), prune what no release uses any more, grants, stamp.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from memory_service.db.service_password import set_password

if TYPE_CHECKING:
    from alembic.config import Config

API_VERSION = 5
"""Raised when functions change so that an older release can no longer work with them (DESIGN §7)."""

MIN_POSTGRES = 160000
MIN_PGVECTOR = (0, 8, 4)

ALEMBIC = threading.Lock()
"""Alembic keeps the migration that runs in globals of its module: one at a time in a process."""

HERE = Path(__file__).resolve().parent

# Whatever this run did not touch belongs to no file any more. A function's xmin is this transaction's where it was
# replaced; a view's row in pg_class stays, its rewrite rule is what is written anew.
ORPHANS = """
select 'function ' || p.oid::regprocedure
  from pg_proc p
 where p.pronamespace in ('memory_api'::regnamespace, 'memory_internal'::regnamespace)
   and p.xmin <> pg_current_xact_id()::xid
union all
select 'view ' || c.oid::regclass
  from pg_class c
  join pg_rewrite r on r.ev_class = c.oid
 where c.relnamespace in ('memory_api'::regnamespace, 'analytics'::regnamespace) and c.relkind = 'v'
   and c.relowner = 'memory_owner'::regrole and r.xmin <> pg_current_xact_id()::xid
"""

Driver = psycopg.Connection[tuple[object, ...]]


class MigrationRefused(Exception):
    """This database cannot be brought to this release; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """What a migration did."""

    changed: bool
    revision: str


def migrate(url: str, *, release: str, service_password: str | None = None) -> Migrated:
    """Bring the database behind `url` (a libpq URL of a role that may create roles and schemas) to this release.

    A database that is there already is left untouched. Errors: MigrationRefused naming what is missing or newer,
    psycopg.Error where the server refuses.
    """
    digest = files_digest()
    with psycopg.connect(url) as driver:
        if prepare(driver, url, digest, release, service_password):
            return Migrated(changed=False, revision=revision_of(driver) or "")
        driver.rollback()
    with ALEMBIC:
        return install(url, digest, release, service_password)


def prepare(driver: Driver, url: str, digest: str, release: str, service_password: str | None) -> bool:
    """See to the server and its roles, with every other migration locked out; whether the database has what these
    files make already."""
    driver.execute("select pg_advisory_xact_lock(hashtext('memory.migrate'))")
    check_server(driver)
    installed = read_installation(driver)
    if installed is not None and installed[0] > API_VERSION:
        raise MigrationRefused(
            f"the database was migrated by a newer release ({installed[1]}, API version {installed[0]}); "
            f"this is {release} with API version {API_VERSION}. Update this release."
        )
    run_file(driver, HERE / "roles.sql")
    if service_password is not None:
        set_password(driver, url, service_password)
    return installed is not None and (installed[0], installed[2]) == (API_VERSION, digest)


def install(url: str, digest: str, release: str, service_password: str | None) -> Migrated:
    # Most starts find a database that is up to date: they need not wait for these imports.
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine, pool

    config = Config()
    config.set_main_option("script_location", str(HERE))
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=pool.NullPool
    )
    try:
        with engine.begin() as connection:
            driver: Driver = connection.connection.driver_connection  # type: ignore[assignment]
            if prepare(driver, url, digest, release, service_password):  # another process was first
                return Migrated(changed=False, revision=revision_of(driver) or "")
            create_extension(driver)
            driver.execute("set local role memory_owner")
            driver.execute("create schema if not exists memory")
            driver.execute("create schema if not exists memory_api")
            driver.execute("create schema if not exists memory_internal")
            create_analytics(driver)
            refuse_unknown_revision(driver, config, release)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            replace_code(driver)
            run_file(driver, HERE / "grants.sql")
            driver.execute(
                "insert into memory.installation (api_version, release, digest, migrated_at) "
                "values (%s, %s, %s, now()) on conflict on constraint installation_pkey do update set "
                "api_version = excluded.api_version, release = excluded.release, digest = excluded.digest, "
                "migrated_at = excluded.migrated_at",
                (API_VERSION, release, digest),
            )
            return Migrated(changed=True, revision=revision_of(driver) or "")
    finally:
        engine.dispose()


def code_files() -> tuple[list[Path], list[Path]]:
    """Functions and views, one object per file, in the order of their names; those of `analytics` come last."""
    views = HERE / "views"
    return (
        sorted((HERE / "functions").glob("*/*.sql")),
        [*sorted(views.glob("*.sql")), *sorted((views / "analytics").glob("*.sql"))],
    )


def files_digest() -> str:
    """A hash of everything that shapes the schema: equal digests mean nothing to do."""
    functions, views = code_files()
    files = [
        *sorted((HERE / "versions").glob("*.py")),
        *functions,
        *views,
        HERE / "roles.sql",
        HERE / "grants.sql",
    ]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(HERE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def check_server(driver: Driver) -> None:
    """Refuse a server that is too old or lacks pgvector, naming what is needed."""
    version = driver.info.server_version
    if version < MIN_POSTGRES:
        raise MigrationRefused(f"Postgres 16 or newer is needed; this server is {version // 10000}.")
    row = driver.execute(
        "select a.default_version, e.extversion, n.nspname from pg_available_extensions a "
        "left join pg_extension e on e.extname = a.name left join pg_namespace n on n.oid = e.extnamespace "
        "where a.name = 'vector'"
    ).fetchone()
    needed = ".".join(map(str, MIN_PGVECTOR))
    if row is None:
        raise MigrationRefused(
            f"pgvector {needed} or newer is needed and not installed on this server (package postgresql-NN-pgvector)."
        )
    available, installed, schema = (None if value is None else str(value) for value in row)
    if parse_version(installed or available) < MIN_PGVECTOR:
        hint = "run `alter extension vector update`" if installed else "update the package"
        raise MigrationRefused(
            f"pgvector {needed} or newer is needed; here is {installed or available}: {hint}."
        )
    if schema not in (None, "public"):
        raise MigrationRefused(
            f"pgvector is in schema {schema}; it is expected in public: `alter extension vector set schema public`."
        )


def parse_version(text: str | None) -> tuple[int, ...]:
    return tuple(int(part) for part in (text or "0").split(".") if part.isdigit())


def create_extension(driver: Driver) -> None:
    if driver.execute("select from pg_extension where extname = 'vector'").fetchone() is None:
        try:
            driver.execute("create extension vector with schema public")
        except psycopg.errors.InsufficientPrivilege as error:
            raise MigrationRefused(
                "this role may not create the extension vector; let an administrator run `create extension vector`."
            ) from error


def create_analytics(driver: Driver) -> None:
    """The schema for people who ask in SQL. Its name is a common one: a schema that is somebody else's stays theirs."""
    row = driver.execute(
        "select nspowner::regrole::text from pg_namespace where nspname = 'analytics'"
    ).fetchone()
    if row is None:
        driver.execute("create schema analytics")
    elif row[0] != "memory_owner":
        raise MigrationRefused(
            f"this database has a schema analytics of {row[0]}, and the views of this service are to be in a schema of "
            "that name: use a database of its own, or rename that schema."
        )


def read_installation(driver: Driver) -> tuple[int, str, str] | None:
    """API version, release and digest of the database as it is; None where there is none of ours."""
    row = driver.execute("select to_regclass('memory.installation') is not null").fetchone()
    if row is None or not row[0]:
        return None
    found = driver.execute("select api_version, release, digest from memory.installation").fetchone()
    return None if found is None else (int(str(found[0])), str(found[1]), str(found[2]))


def revision_of(driver: Driver) -> str | None:
    """The last migration of the database; None before the first one."""
    row = driver.execute("select to_regclass('memory.alembic_version') is not null").fetchone()
    if row is None or not row[0]:
        return None
    found = driver.execute("select version_num from memory.alembic_version").fetchone()
    return None if found is None else str(found[0])


def refuse_unknown_revision(driver: Driver, config: Config, release: str) -> None:
    """Refuse a database whose last migration this release does not have: it is newer."""
    from alembic.script import ScriptDirectory

    revision = revision_of(driver)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise MigrationRefused(
            f"the database is at migration {revision}, which {release} does not know: it is newer. Update this release."
        )


def replace_code(driver: Driver) -> None:
    """Functions and views, then functions again with their bodies checked, then what is left over goes."""
    functions, views = code_files()
    driver.execute("set local check_function_bodies = off")
    for file in functions:
        # A function may return rows of a view that comes later; it then gets its turn in the checked pass.
        try:
            with driver.transaction():
                run_file(driver, file)
        except psycopg.errors.UndefinedObject:
            continue
    for file in views:
        run_file(driver, file)
    driver.execute("set local check_function_bodies = on")
    for file in functions:
        run_file(driver, file)
    for (orphan,) in driver.execute(ORPHANS).fetchall():
        driver.execute(sql.SQL("drop {}").format(sql.SQL(str(orphan))))  # type: ignore[arg-type]


def run_file(driver: Driver, file: Path) -> None:
    """Run one SQL file as it stands; an error names the file."""
    try:
        driver.execute(file.read_bytes())
    except psycopg.Error as error:
        error.add_note(f"in {file.name}")
        raise
