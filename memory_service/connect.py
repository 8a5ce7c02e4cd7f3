"""Which database, and as whom: the embedded one or the user's own, always as a role that row security binds."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memory_service import __version__
from memory_service.config import Settings
from memory_service.db.migrate import API_VERSION, MigrationRefused, migrate
from memory_service.embedded import Server, open_server
from memory_service.errors import DatabaseUnavailable, DatabaseUnsuitable
from memory_service.store.database import Database

SERVICE_ROLE = "memory_service"
EMBEDDED_DATABASE = "memory"


@dataclass(frozen=True, slots=True)
class Access:
    """Where the service logs in, and the place at the embedded server where there is one."""

    url: str
    admin_url: str | None
    """Where migrations log in; None where the given role may not migrate."""
    server: Server | None

    async def revive(self) -> str:
        """Where the service logs in now, after seeing to it that the embedded server runs.

        Errors: EmbeddedPostgresFailed, DataFolderInUse.
        """
        if self.server is None:
            return self.url
        await asyncio.to_thread(self.server.revive)
        return self.server.url(user=SERVICE_ROLE, database=EMBEDDED_DATABASE)

    def trouble(self) -> str | None:
        """Why the embedded server cannot run, where that is known."""
        return None if self.server is None else self.server.trouble()

    def close(self) -> None:
        """Leave the embedded server; blocks while the last one to leave sees it stop."""
        if self.server is not None:
            self.server.close()


def find_database(settings: Settings) -> Access:
    """Start or join the embedded server, or look at the user's own. Blocks; run it in a thread.

    Errors: EmbeddedPostgresFailed, DataFolderInUse, DatabaseUnavailable, DatabaseUnsuitable.
    """
    if settings.database_url is None:
        server = open_server(settings.data_dir)
        try:
            create_database(server.url(), EMBEDDED_DATABASE)
        except BaseException:
            server.close()
            raise
        admin = server.url(database=EMBEDDED_DATABASE)
        return Access(server.url(user=SERVICE_ROLE, database=EMBEDDED_DATABASE), admin, server)
    url = settings.database_url.get_secret_value()
    check_url(url)
    if may_administrate(url):
        return Access(driver_url(url, SERVICE_ROLE, service_password(url, settings)), url, None)
    return Access(driver_url(url), None, None)


def migrate_database(access: Access, settings: Settings) -> bool:
    """Bring the database to this release; whether that changed anything. Blocks; run it in a thread.

    Errors: DatabaseUnsuitable naming what is missing or newer, DatabaseUnavailable.
    """
    if access.admin_url is None:
        raise DatabaseUnsuitable(
            "DATABASE_URL logs in as a role that may not migrate; migrate once with a role that may create "
            "roles and schemas, then come back with this one"
        )
    password = None if access.server else service_password(access.admin_url, settings)
    try:
        return migrate(access.admin_url, release=__version__, service_password=password).changed
    except MigrationRefused as error:
        raise DatabaseUnsuitable(str(error)) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseUnsuitable(f"the role of DATABASE_URL may not migrate: {error}") from error
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"the database does not answer: {error}") from error


async def open_database(access: Access, settings: Settings, *, upkeep: bool = False) -> Database:
    """A pool on a database that this release can work with, logged in as a role that row security binds.

    Errors: DatabaseUnavailable, DatabaseUnsuitable naming what is wrong.
    """
    revive = None if access.server is None else access.revive
    database = await Database.open(access.url, settings.pool_size, revive, access.trouble, upkeep=upkeep)
    try:
        found = await database.installation()
        if found.api_version != API_VERSION:
            raise DatabaseUnsuitable(
                f"the database has API version {found.api_version} (release {found.release}); release "
                f"{__version__} works with {API_VERSION}. Run `memory-service migrate` with the newer release."
            )
        if found.unrestricted:
            raise DatabaseUnsuitable(
                f"the login {found.login} is a superuser or has BYPASSRLS: row security would not hold"
            )
    except BaseException:
        await database.close()
        raise
    return database


def create_database(url: str, name: str) -> None:
    """Create the database unless it exists. Errors: DatabaseUnavailable, as where all connections are in use."""
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            if connection.execute("select from pg_database where datname = %s", (name,)).fetchone() is None:
                connection.execute(f'create database "{name}"'.encode())
    except (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
        return  # another process was first
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"the database does not answer: {str(error).strip()}") from error


def check_url(url: str) -> None:
    """Refuse what is no connection URL, or one whose password was not percent-encoded and is read as another part.

    Errors: DatabaseUnsuitable; the driver's own message would repeat the password.
    """
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError:
        parts = {"host": "@"}
    before_query = url.partition("://")[2].partition("?")[0]
    misread = before_query.count("@") > 1 or ("@" in parts.get("dbname", "") and "user" not in parts)
    ports = parts.get("port", "").split(",")
    if "@" in parts.get("host", "") or misread or not all(port.isdecimal() for port in ports if port):
        raise DatabaseUnsuitable(
            "DATABASE_URL: is no connection URL of Postgres (not repeated here, because it may hold a password): "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password percent-encoded"
        )


def may_administrate(url: str) -> bool:
    """Whether the role of this URL is an administrator's: then the service logs in as its own role instead."""
    try:
        with psycopg.connect(url, connect_timeout=15) as connection:
            row = connection.execute(
                "select rolsuper or rolbypassrls or rolcreaterole from pg_roles where rolname = current_user"
            ).fetchone()
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"DATABASE_URL: {str(error).strip()}") from error
    except psycopg.ProgrammingError as error:
        raise DatabaseUnsuitable(f"DATABASE_URL: {str(error).strip()}") from error
    return bool(row and row[0])


def shell_login(url: str) -> tuple[str, dict[str, str]]:
    """What psql gets on its command line, which every user of the machine may read, and in its environment."""
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    password = parts.pop("password", None)
    parts.pop("sslpassword", None)  # has no variable; psql asks for it
    return make_conninfo("", **parts), {} if password is None else {"PGPASSWORD": password}


def service_password(admin_url: str, settings: Settings) -> str | None:
    """MEMORY_SERVICE_PASSWORD, else one derived from the administrator's, so that every process on every host
    knows it without a file to share. None where the administrator needs none either (trust, peer)."""
    if settings.service_password is not None:
        return settings.service_password.get_secret_value()
    password = conninfo_to_dict(admin_url).get("password")
    if not password:
        return None
    # The role is the whole server's, so nothing of the database may be in it.
    return hashlib.scrypt(str(password).encode(), salt=b"memory-service", n=2**14, r=8, p=1, dklen=24).hex()


DRIVER_PARAMETERS = (
    "host", "port", "user", "password", "passfile", "sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl",
    "sslpassword", "target_session_attrs",
)  # fmt: skip
"""What asyncpg understands of libpq's parameters. It hands others to the server as settings, which refuses them."""


def driver_url(url: str, user: str | None = None, password: str | None = None) -> str:
    """The same server and database for asyncpg; as another user where one is named, then with their password."""
    given = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    parts = {name: value for name, value in given.items() if name in DRIVER_PARAMETERS}
    if user is not None:
        parts["user"] = user
        parts.pop("password", None)
        if password is not None:
            parts["password"] = password
    database = given.get("dbname") or "postgres"
    return f"postgresql:///{quote(database, safe='')}?" + urlencode(parts, quote_via=quote)


async def access_database(
    settings: Settings, *, migrated: bool, upkeep: bool = False
) -> tuple[Access, Database]:
    """Find the database, migrate it where asked and possible, and open it."""
    access = await asyncio.to_thread(find_database, settings)
    try:
        if migrated and access.admin_url is not None:
            await asyncio.to_thread(migrate_database, access, settings)
        return access, await open_database(access, settings, upkeep=upkeep)
    except BaseException:
        await asyncio.to_thread(access.close)
        raise
