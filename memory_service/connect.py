"""Access to the database, embedded or of DATABASE_URL, as a role that row security applies to."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from memory_service import __version__
from memory_service.config import Settings
from memory_service.db.migrate import API_VERSION, MigrationRefused, migrate
from memory_service.embedded import Server, open_server
from memory_service.errors import DatabaseUnsuitable, InvalidInput, no_answer
from memory_service.login import check_login, password_of
from memory_service.store.database import Database
from memory_service.store.replica import Replica, ReplicaSettings
from memory_service.store.servers import Servers, ServerUrls
from memory_service.store.write_marks import WriteMarks
from memory_service.upgrade_check import version_difference

SERVICE_ROLE = "memory_service"
EMBEDDED_DATABASE = "memory"
UNFINISHED = "memory_restore"
"""Schema of a database whose restore has not ended: data erased after the backup may still be there."""


@dataclass(frozen=True, slots=True)
class Access:
    """The service's database URL, and its use of the embedded server, if any."""

    url: str
    admin_url: str | None
    """For migrations; None where the given role may not migrate, or only a pooler's URL is given."""
    server: Server | None
    pooled: bool = False
    """`url` leads to a pooler that chooses a server connection for each transaction."""
    direct_url: str | None = None
    """The service's login at the server itself; None where only a pooler's URL is given."""
    read_url: str | None = None
    """The service's login at a replica."""

    @property
    def admin_setting(self) -> str:
        """The setting that an administrator's URL belongs in."""
        return "DATABASE_DIRECT_URL" if self.pooled else "DATABASE_URL"

    async def revive(self) -> str:
        """Start the embedded server where it does not run; the service's URL then.

        Errors: EmbeddedPostgresFailed, DataFolderInUse.
        """
        if self.server is None:
            return self.url
        await asyncio.to_thread(self.server.revive)
        return self.server.url(user=SERVICE_ROLE, database=EMBEDDED_DATABASE)

    def failure_reason(self) -> str | None:
        """Why the embedded server cannot run, where that is known."""
        return None if self.server is None else self.server.failure_reason()

    def close(self) -> None:
        """End the use of the embedded server; blocks until it has stopped where this was the last use."""
        if self.server is not None:
            self.server.close()


def find_database(settings: Settings) -> Access:
    """Use the embedded server, or check DATABASE_URL. Blocks; run it in a thread.

    Errors: EmbeddedPostgresFailed, DataFolderInUse, DatabaseUnavailable, DatabaseUnsuitable.
    """
    if settings.database_url is None:
        for setting, given in (
            ("DATABASE_DIRECT_URL", settings.database_direct_url),
            ("DATABASE_READ_URL", settings.database_read_url),
        ):
            if given is not None:
                raise InvalidInput(setting, "is set without DATABASE_URL")
        server = open_server(settings.data_dir)
        try:
            create_database(server.url(), EMBEDDED_DATABASE)
        except BaseException:
            server.close()
            raise
        admin = server.url(database=EMBEDDED_DATABASE)
        url = server.url(user=SERVICE_ROLE, database=EMBEDDED_DATABASE)
        return Access(url, admin, server, direct_url=url)
    return own_server(settings, settings.database_url.get_secret_value())


def administrator_url(access: Access, purpose: str) -> str:
    """The URL of an administrator. Errors: DatabaseUnsuitable naming the setting and the purpose."""
    if access.admin_url is None:
        raise DatabaseUnsuitable(
            f"{purpose} needs an administrator's {access.admin_setting}, as `migrate` does"
        )
    return access.admin_url


def own_server(settings: Settings, url: str) -> Access:
    """Check the URLs of a server of the user's own."""
    check_url(url)
    login = check_login(url, "DATABASE_URL")
    pooled = login.pooled if settings.pooler == "auto" else settings.pooler == "transaction"
    if settings.database_direct_url is not None:
        direct = settings.database_direct_url.get_secret_value()
        check_url(direct, "DATABASE_DIRECT_URL")
        there = check_login(direct, "DATABASE_DIRECT_URL")
        if there.pooled and settings.pooler != "none":
            raise DatabaseUnsuitable(
                "DATABASE_DIRECT_URL: leads to a connection pooler; name the server itself"
            )
        admin = direct if there.administrator else None
    else:
        direct = None if pooled else url
        admin = url if login.administrator and not pooled else None

    def service_url(given: str, *, administrator: bool) -> str:
        if not administrator:
            return driver_url(given)
        return driver_url(given, SERVICE_ROLE, service_password(admin or given, settings))

    read = None
    if settings.database_read_url is not None:  # not connected to: it may be down
        given = settings.database_read_url.get_secret_value()
        check_url(given, "DATABASE_READ_URL")
        same_role = login_name(given) in {login_name(one) for one in (url, admin) if one is not None}
        read = service_url(given, administrator=same_role and login.administrator)
    return Access(
        service_url(url, administrator=login.administrator),
        admin,
        None,
        pooled,
        None if direct is None else service_url(direct, administrator=admin is not None),
        read,
    )


def login_name(url: str) -> object:
    """The user that a URL names, if any."""
    return conninfo_to_dict(url).get("user")


def migrate_database(access: Access, settings: Settings) -> bool:
    """Migrate the database to this release; whether that changed anything. Blocks; run it in a thread.

    Errors: DatabaseUnsuitable naming the missing or newer part, DatabaseUnavailable.
    """
    if access.admin_url is None:
        if access.direct_url is None:
            raise DatabaseUnsuitable(
                "DATABASE_URL leads to a connection pooler, which does not migrate: set DATABASE_DIRECT_URL to an "
                "administrator's URL of the server itself"
            )
        raise DatabaseUnsuitable(
            f"{access.admin_setting} logs in as a role that may not migrate; migrate once with a role that may create "
            "roles and schemas, then use this one again"
        )
    password = None if access.server else service_password(access.admin_url, settings)
    try:
        return migrate(access.admin_url, release=__version__, service_password=password).changed
    except MigrationRefused as error:
        raise DatabaseUnsuitable(str(error)) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseUnsuitable(f"the role of {access.admin_setting} may not migrate: {error}") from error
    except psycopg.OperationalError as error:
        raise no_answer(error) from error


def settings_of_server(settings: Settings, urls: ServerUrls) -> Settings:
    """The settings of a process that works beside one server of the map alone.

    Blocks, as it logs in: only then the password of a password file is known, of which that of the service is derived.
    Errors: DatabaseUnavailable, DatabaseUnsuitable.
    """
    password = password_of(urls.direct_url or urls.url)

    def secret(url: str | None) -> SecretStr | None:
        if url is None or not password:
            return url if url is None else SecretStr(url)
        return SecretStr(url_with(url, password=password))

    return settings.model_copy(
        update={
            "database_url": secret(urls.url),
            "database_direct_url": secret(urls.direct_url),
            "database_read_url": secret(urls.read_url),
        }
    )


def url_with(url: str, **parts: str) -> str:
    """The URL with other parts, as a URL."""
    given = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None} | parts
    database = given.pop("dbname", "")
    return f"postgresql:///{quote(database, safe='')}?" + urlencode(given, quote_via=quote)


async def open_server_database(urls: ServerUrls, settings: Settings, *, upkeep: bool) -> Database:
    """The database of a server of the map. Errors: as open_database."""
    there = await asyncio.to_thread(settings_of_server, settings, urls)
    access = await asyncio.to_thread(find_database, there)
    return await open_database(access, there, upkeep=upkeep)


async def open_home(access: Access, settings: Settings, *, upkeep: bool = False) -> Database:
    """As open_database, with the databases of all other servers of its map, which are opened at the first use."""
    database = await open_database(access, settings, upkeep=upkeep)
    try:
        database.servers = Servers(database, partial(open_server_database, settings=settings, upkeep=upkeep))
        await database.servers.refresh()
    except BaseException:
        await database.close()
        raise
    return database


async def open_database(access: Access, settings: Settings, *, upkeep: bool = False) -> Database:
    """A pool on a database with this release's API version, logged in as a role that row security applies to.

    Errors: DatabaseUnavailable, DatabaseUnsuitable with the cause.
    """
    revive = None if access.server is None else access.revive
    database = await Database.open(
        access.url, settings.pool_size, revive, access.failure_reason,
        upkeep=upkeep, pooled=access.pooled, listen_url=access.direct_url,
    )  # fmt: skip
    try:
        if await database.query_value("select to_regnamespace($1) is not null", UNFINISHED):
            raise DatabaseUnsuitable(
                "the restore of a backup into this database has not ended: repeat `memory-service backup restore`"
            )
        found = await database.installation()
        if found.api_version != API_VERSION:
            raise DatabaseUnsuitable(
                f"{version_difference(found)} Run `memory-service migrate` with the newer release."
            )
        if found.unrestricted:
            raise DatabaseUnsuitable(
                f"the login {found.login} is a superuser or has BYPASSRLS: row security would not hold"
            )
        if access.read_url is not None:
            replica = ReplicaSettings(
                access.read_url,
                settings.pool_size,
                settings.replica_lag_seconds,
                access.pooled,
                reads=not upkeep,
            )
            database.replica = Replica(database, replica, WriteMarks(settings.data_dir))
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
        raise no_answer(error) from error


def check_url(url: str, setting: str = "DATABASE_URL") -> None:
    """Check the form of a connection URL, also for a password that is not percent-encoded and is read as another part.

    Errors: DatabaseUnsuitable, without the driver's message, which would repeat the password.
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
            f"{setting}: is no connection URL of Postgres (not repeated here, because it may hold a password): "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password percent-encoded"
        )


def shell_login(url: str) -> tuple[str, dict[str, str]]:
    """The connection string and the environment for psql: the password is not on the command line, which every user of
    the machine can read."""
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    password = parts.pop("password", None)
    parts.pop("sslpassword", None)  # there is no variable for it; psql prompts
    return make_conninfo("", **parts), {} if password is None else {"PGPASSWORD": password}


def service_password(admin_url: str, settings: Settings) -> str | None:
    """MEMORY_SERVICE_PASSWORD, else a password derived from the administrator's, which every process on every host can
    compute. None where the administrator has none (trust, peer)."""
    if settings.service_password is not None:
        return settings.service_password.get_secret_value()
    password = conninfo_to_dict(admin_url).get("password")
    if not password:
        return None
    # Roles belong to the server, not to a database, so the password must not depend on the database.
    return hashlib.scrypt(str(password).encode(), salt=b"memory-service", n=2**14, r=8, p=1, dklen=24).hex()


DRIVER_PARAMETERS = (
    "host", "port", "user", "password", "passfile", "sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl",
    "sslpassword", "target_session_attrs",
)  # fmt: skip
"""The libpq parameters that asyncpg knows. It passes others to the server as settings, which the server refuses."""


def driver_url(url: str, user: str | None = None, password: str | None = None) -> str:
    """The URL for asyncpg; with another user and password where one is given."""
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
    """Open the database; first migrate it where `migrated` and possible."""
    access = await asyncio.to_thread(find_database, settings)
    try:
        if migrated and access.admin_url is not None:
            await asyncio.to_thread(migrate_database, access, settings)
        return access, await open_home(access, settings, upkeep=upkeep)
    except BaseException:
        await asyncio.to_thread(access.close)
        raise
