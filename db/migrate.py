"""Migrate a database to this release in one transaction. All schema changes are made here.

Order: advisory lock, server requirements, roles, numbered migrations, functions (bodies unchecked), views, functions
again (checked), removal of functions and views without a file, grants, row of memory.installation.
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

API_VERSION = 7
"""Incremented when functions change so that an older release can no longer call them."""

FIRST_REVISION = "0028"
"""The oldest migration in db/versions/. Databases of earlier revisions existed before the first release only."""

LAST_COMMIT_WITH_OLDER = "abb2f12"

MIN_POSTGRES = 160000
MIN_PGVECTOR = (0, 8, 0)
MIN_PGVECTOR_HNSW = (0, 8, 4)
"""Below it banks are searched without HNSW index (db/functions/vector_index/hnsw_usable.sql)."""

ALEMBIC = threading.Lock()
"""Alembic keeps the running migration in module globals: one at a time per process."""

HERE = Path(__file__).resolve().parent

# Functions and views that this transaction did not replace have no file any more. A replaced function's pg_proc row has
# this transaction's xmin; a replaced view keeps its pg_class row, but its rewrite rule is new.
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

# Views and functions that use the views of all servers (placement/analytics.py) and are not made by the service.
DEPENDENTS = """
with made as (
    select c.oid, c.relowner = 'memory_owner'::regrole as ours
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'analytics_all' or n.nspname ^@ 'memory_on_'
)
select coalesce(r.ev_class::regclass::text, d.objid::regprocedure::text)
  from pg_depend d
  left join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
 where d.refclassid = 'pg_class'::regclass and d.refobjid in (select oid from made)
   and d.classid in ('pg_rewrite'::regclass, 'pg_proc'::regclass)
   and not exists (select from made where made.oid = r.ev_class and made.ours)
union
select m.oid::regclass::text
  from made m
  join pg_class c on c.oid = m.oid
 where not m.ours and c.relkind in ('r', 'v', 'm')
order by 1
"""

# The transaction ids that order events belong to a cluster: after a restore into another one, former events come first.
ORDER_EVENTS = """
with restored as (
    update memory.installation i
       set cluster = s.system_identifier::text
      from pg_control_system() as s
     where i.cluster is distinct from s.system_identifier::text
    returning 1
)
update memory.memory_event e set xid = 0 where exists (select from restored)
"""

Driver = psycopg.Connection[tuple[object, ...]]


class MigrationRefused(Exception):
    """This database cannot be migrated to this release; the message names the reason."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """Result of a migration: whether anything changed, and the Alembic revision."""

    changed: bool
    revision: str


def migrate(url: str, *, release: str, service_password: str | None = None) -> Migrated:
    """Migrate the database at `url` (a libpq URL of a role that may create roles and schemas) to this release.

    Changes nothing if the database is up to date. Raises MigrationRefused if a requirement is missing or the database
    is newer, psycopg.Error if the server rejects a statement.
    """
    digest = files_digest()
    with psycopg.connect(url) as driver:
        if prepare(driver, url, digest, release, service_password):
            driver.execute(ORDER_EVENTS)
            return Migrated(changed=False, revision=revision_of(driver) or "")
        driver.rollback()
    with ALEMBIC:
        return install(url, digest, release, service_password)


def prepare(driver: Driver, url: str, digest: str, release: str, service_password: str | None) -> bool:
    """Lock out other migrations, check the server and create the roles; return whether the database is up to date."""
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
    """Run the migration in one transaction."""
    # Imported here: most starts find the database up to date and do not need them.
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
            if prepare(driver, url, digest, release, service_password):  # another process migrated first
                return Migrated(changed=False, revision=revision_of(driver) or "")
            create_extension(driver)
            driver.execute("set local role memory_owner")
            driver.execute("create schema if not exists memory")
            driver.execute("create schema if not exists memory_api")
            driver.execute("create schema if not exists memory_internal")
            create_analytics(driver)
            # The views of all servers, which depend on those of analytics: `migrate` makes them again.
            if found := dependents(driver):
                raise MigrationRefused(
                    f"the views of analytics_all are made again, and would take with them {', '.join(found)}: drop "
                    "these before, and make them again after the migration and `memory-service analyst link`."
                )
            driver.execute("drop schema if exists analytics_all cascade")
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
            driver.execute(ORDER_EVENTS)
            return Migrated(changed=True, revision=revision_of(driver) or "")
    finally:
        engine.dispose()


def dependents(driver: Driver) -> list[str]:
    """The views and functions of others that use the views of all servers, by name."""
    return [str(name) for (name,) in driver.execute(DEPENDENTS).fetchall()]


def of_all_types(view: Path) -> tuple[bool, str]:
    """The sort key of a view: `memory_*` unite the views of single types, so they come after them."""
    return view.stem.startswith("memory_"), view.name


def code_files() -> tuple[list[Path], list[Path]]:
    """Return the files of functions and of views, one object each, ordered by name; those of `analytics` last."""
    views = HERE / "views"
    return (
        sorted((HERE / "functions").glob("*/*.sql")),
        [*sorted(views.glob("*.sql"), key=of_all_types), *sorted((views / "analytics").glob("*.sql"))],
    )


def files_digest() -> str:
    """Return a hash of all files that define the schema; equal to the installed one if there is nothing to do."""
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
    """Raise MigrationRefused if the server or pgvector is missing or too old."""
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
            f"pgvector {needed} or newer is needed; found {installed or available}: {hint}."
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
    """Create the schema of the views for SQL users; refuse if a schema of that name has another owner."""
    row = driver.execute(
        "select nspowner::regrole::text from pg_namespace where nspname = 'analytics'"
    ).fetchone()
    if row is None:
        driver.execute("create schema analytics")
    elif row[0] != "memory_owner":
        raise MigrationRefused(
            f"this database has a schema analytics owned by {row[0]}; the views of this service need a schema of that "
            "name: use a separate database, or rename that schema."
        )


def read_installation(driver: Driver) -> tuple[int, str, str] | None:
    """Return API version, release and digest of memory.installation, or None if the service is not installed."""
    row = driver.execute("select to_regclass('memory.installation') is not null").fetchone()
    if row is None or not row[0]:
        return None
    found = driver.execute("select api_version, release, digest from memory.installation").fetchone()
    return None if found is None else (int(str(found[0])), str(found[1]), str(found[2]))


def revision_of(driver: Driver) -> str | None:
    """Return the Alembic revision of the database, or None before the first migration."""
    row = driver.execute("select to_regclass('memory.alembic_version') is not null").fetchone()
    if row is None or not row[0]:
        return None
    found = driver.execute("select version_num from memory.alembic_version").fetchone()
    return None if found is None else str(found[0])


def refuse_unknown_revision(driver: Driver, config: Config, release: str) -> None:
    """Raise MigrationRefused if this release does not contain the database's revision: too old or newer."""
    from alembic.script import ScriptDirectory

    revision = revision_of(driver)
    if revision is None:
        return
    if revision.isdigit() and int(revision) < int(FIRST_REVISION):
        raise MigrationRefused(
            f"the database is at migration {revision}; {release} migrates from {FIRST_REVISION} on. First migrate it "
            f"with commit {LAST_COMMIT_WITH_OLDER}, the last one that has the migrations before {FIRST_REVISION}."
        )
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision not in known:
        raise MigrationRefused(
            f"the database is at migration {revision}, which {release} does not know: it is newer. Update this release."
        )


def replace_code(driver: Driver) -> None:
    """Replace functions and views, then functions again with checked bodies; drop those without a file."""
    functions, views = code_files()
    driver.execute("set local check_function_bodies = off")
    for file in functions:
        # A function may return rows of a view that does not exist yet: it is created in the checked pass.
        try:
            with driver.transaction():
                run_file(driver, file)
        except psycopg.errors.UndefinedObject:
            continue
        except psycopg.errors.InvalidFunctionDefinition:
            drop_function(driver, file.stem)
            run_file(driver, file)
    for file in views:
        run_file(driver, file)
    driver.execute("set local check_function_bodies = on")
    for file in functions:
        run_file(driver, file)
    for (orphan,) in driver.execute(ORPHANS).fetchall():
        driver.execute(sql.SQL("drop {}").format(sql.SQL(str(orphan))))  # type: ignore[arg-type]


def drop_function(driver: Driver, name: str) -> None:
    """Drop a function of ours in all its signatures: parameter names and result columns cannot be replaced.

    Errors: DependentObjectsStillExist where a view uses it.
    """
    found = driver.execute(
        "select oid::regprocedure::text from pg_proc where proname = %s and pronamespace in "
        "('memory_api'::regnamespace, 'memory_internal'::regnamespace)",
        (name,),
    ).fetchall()
    for (signature,) in found:
        driver.execute(sql.SQL("drop function {}").format(sql.SQL(str(signature))))  # type: ignore[arg-type]


def run_file(driver: Driver, file: Path) -> None:
    """Execute one SQL file; errors get a note with its name."""
    try:
        driver.execute(file.read_bytes())
    except psycopg.Error as error:
        error.add_note(f"in {file.name}")
        raise
