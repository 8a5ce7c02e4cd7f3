"""Analytics over all servers: views of the home server that read the others by postgres_fdw (docs/servers.md).

The home server logs in to each other server as LINK_ROLE, an analyst of all banks there. Its password is in a user
mapping of memory_owner, the owner of the views, which analysts cannot read. The views show each role the banks that it
may read in the tables of the home server. Everything here blocks.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import closing

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from memory_service.config import Settings
from memory_service.connect import find_database, settings_of_server
from memory_service.db.migrate import dependents
from memory_service.errors import DatabaseUnsuitable, no_answer
from memory_service.login import connect
from memory_service.placement.connections import Connection, admin_url, read_servers
from memory_service.sql_query import LINKED
from memory_service.store.servers import HOME, ServerUrls

LINK_ROLE = "memory_link"
PREFIX = "memory_on_"
"""Of the names of foreign servers, and of the schemas of their tables."""
LOGIN_OPTIONS = ("user", "password", "sslpassword")
"""Parts of a URL that belong in a user mapping; the first two are those of the link."""
NOT_LINKED = (*LOGIN_OPTIONS, "passfile", "client_encoding", "fallback_application_name")
"""Parts of a URL that are not handed over: of the login, or set by postgres_fdw itself. All others are: the home server
reaches a server by the same TLS as this process."""
VIEWS = """
select c.relname::text, array_agg(a.attname::text order by a.attnum)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
 where c.relnamespace = 'analytics'::regnamespace and c.relkind = 'v' and c.relowner = 'memory_owner'::regrole
 group by c.relname
 order by c.relname
"""
READABLE = """
array(select g.banks from memory.analyst_grant g where g.role_name = current_user
      union all
      select unnest(nullif(current_setting('memory.banks', true), '')::text[]) where current_user = 'memory_reader'
      union all
      select '*' where pg_has_role(current_user, 'memory_owner', 'usage'))
"""
"""Banks and prefixes that the present role may read: as the policies of tables; all for administrators."""
PLACE = """
coalesce((select p.server_id from memory.bank_place p where p.bank = v.bank_id),
         (select s.server_id from memory.server_slot s where s.slot = memory_internal.server_slot_of(v.bank_id)),
         'home')
"""
"""The server of a row's bank: during a move the rows are on two servers, and counted once."""
STAYING = {"audit", "job_run"}
"""Views whose rows stay on the server where they were written when their bank moves."""


def link_servers(settings: Settings) -> list[str]:
    """Make the views of all servers, or make them again; the servers that they read.

    Errors: DatabaseUnavailable; DatabaseUnsuitable where the home server has no postgres_fdw, cannot reach another
    server, or is the only one.
    """
    with closing(find_database(settings)) as access:
        try:
            with connect(admin_url(access)) as home:
                servers = read_servers(home).servers
                if not servers:
                    raise DatabaseUnsuitable(
                        "there is one server: its views are those of the schema analytics"
                    )
                make_extension(home)
                refuse_dependents(home)
                # Before the views are dropped: their locks are not held while a server is slow to answer.
                passwords = {server: grant_link(settings, urls) for server, urls in servers.items()}
                unlink(home)
                views = {str(view): list(columns) for view, columns in home.execute(VIEWS).fetchall()}
                for server, urls in sorted(servers.items()):
                    link(home, server, urls, passwords[server], [*views])
                make_views(home, sorted(servers), views)
        except psycopg.OperationalError as error:
            raise no_answer(error) from error
        except psycopg.Error as error:
            raise DatabaseUnsuitable(str(error).strip()) from error
    return [HOME, *sorted(servers)]


def is_linked(home: Connection) -> bool:
    """Whether the views of all servers were made; a migration drops them and leaves their foreign servers."""
    return home.execute("select from pg_foreign_server where srvname ^@ %s", (PREFIX,)).fetchone() is not None


def has_views(home: Connection) -> bool:
    """Whether the views of all servers are there."""
    return home.execute("select from pg_namespace where nspname = %s", (LINKED,)).fetchone() is not None


def make_extension(home: Connection) -> None:
    """Errors: DatabaseUnsuitable where it is not installed."""
    if home.execute("select from pg_available_extensions where name = 'postgres_fdw'").fetchone() is None:
        raise DatabaseUnsuitable("the home server has no extension postgres_fdw (package postgresql-contrib)")
    home.execute("create extension if not exists postgres_fdw with schema public")


def refuse_dependents(home: Connection) -> None:
    """Errors: DatabaseUnsuitable naming the views of others that would be dropped with those of all servers."""
    if found := dependents(home):
        raise DatabaseUnsuitable(
            f"made again, the views of {LINKED} would take with them {', '.join(found)}: drop these before, and make "
            "them again afterwards"
        )


def unlink(home: Connection) -> None:
    """Drop the views with their foreign tables and servers."""
    home.execute(f"drop schema if exists {LINKED} cascade".encode())
    found = home.execute("select srvname from pg_foreign_server where srvname ^@ %s", (PREFIX,)).fetchall()
    for (name,) in found:
        home.execute(sql.SQL("drop schema if exists {} cascade").format(sql.Identifier(name)))
        home.execute(sql.SQL("drop server {} cascade").format(sql.Identifier(name)))


def grant_link(settings: Settings, urls: ServerUrls) -> str | None:
    """Make the role that the home server logs in as; its new password, None where the administrator has none."""
    with closing(find_database(settings_of_server(settings, urls))) as access:
        url = admin_url(access)
    password = secrets.token_hex(24) if conninfo_to_dict(url).get("password") else None
    with connect(url) as there:
        role = sql.Identifier(LINK_ROLE)
        if there.execute("select from pg_roles where rolname = %s", (LINK_ROLE,)).fetchone() is None:
            there.execute(sql.SQL("create role {} login").format(role))
        if password is not None:
            verifier = there.pgconn.encrypt_password(password.encode(), LINK_ROLE.encode(), b"scram-sha-256")
            there.execute(sql.SQL("alter role {} password {}").format(role, sql.Literal(verifier.decode())))
        there.execute(sql.SQL("grant memory_analyst to {} with inherit true, set false").format(role))
        there.execute(
            "insert into memory.analyst_grant (role_name, banks, granted_at) values (%s, '*', now()) "
            "on conflict on constraint analyst_grant_pkey do nothing",
            (LINK_ROLE,),
        )
    return password


def link(home: Connection, server: str, urls: ServerUrls, password: str | None, views: Sequence[str]) -> None:
    """Make the foreign tables of a server, owned by memory_owner.

    Errors: DatabaseUnsuitable for a part of the URL that postgres_fdw does not know.
    """
    name = sql.Identifier(PREFIX + server)
    given = conninfo_to_dict(urls.direct_url or urls.url)
    options = {part: str(value) for part, value in given.items() if value and part not in NOT_LINKED}
    options |= {"fetch_size": "10000", "updatable": "false"}
    login = {"user": LINK_ROLE}
    login |= {"password_required": "false"} if password is None else {"password": password}
    login |= {"sslpassword": str(given["sslpassword"])} if given.get("sslpassword") else {}
    for statement in (
        sql.SQL("create server {} foreign data wrapper postgres_fdw options ({})").format(
            name, option_list(options)
        ),
        sql.SQL("create user mapping for memory_owner server {} options ({})").format(
            name, option_list(login)
        ),
        sql.SQL("grant usage on foreign server {} to memory_owner").format(name),
        sql.SQL("create schema {} authorization memory_owner").format(name),
        sql.SQL("set local role memory_owner"),
        sql.SQL("import foreign schema analytics limit to ({}) from server {} into {}").format(
            sql.SQL(", ").join(map(sql.Identifier, views)), name, name
        ),
        sql.SQL("reset role"),
    ):
        try:
            home.execute(statement)
        except psycopg.errors.FdwInvalidOptionName as error:
            raise DatabaseUnsuitable(
                f"the URL of server {server} has a part that postgres_fdw of the home server does not know: "
                f"{error.diag.message_primary}"
            ) from error


def option_list(options: Mapping[str, str]) -> sql.Composed:
    return sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(name), sql.Literal(value)) for name, value in options.items()
    )


def make_views(home: Connection, servers: Sequence[str], views: Mapping[str, Sequence[str]]) -> None:
    """Make a view of all servers for each view of `analytics`, with the server as its last column.

    Not `security_invoker`: the owner reads the foreign tables. `security_barrier`: a function in a query sees no row
    before its bank is compared.
    """
    home.execute(f"create schema {LINKED} authorization memory_owner".encode())
    home.execute("set local role memory_owner")
    home.execute(f"grant usage on schema {LINKED} to memory_analyst, memory_reader".encode())
    schemas = {HOME: "analytics"} | {server: PREFIX + server for server in servers}
    for view, columns in views.items():
        rows = sql.SQL(" union all ").join(
            sql.SQL("select {}, {} as server from {}").format(
                sql.SQL(", ").join(map(sql.Identifier, columns)),
                sql.Literal(server),
                sql.Identifier(schema, view),
            )
            for server, schema in schemas.items()
        )
        made = sql.Identifier(LINKED, view)
        home.execute(
            sql.SQL(
                "create view {} with (security_barrier = true) as select v.* from ({}) v where {}"
            ).format(
                made,
                rows,
                sql.SQL(condition(view, columns)),  # type: ignore[arg-type]
            )
        )
        home.execute(sql.SQL("grant select on {} to memory_analyst, memory_reader").format(made))
    home.execute("reset role")


def condition(view: str, columns: Sequence[str]) -> str:
    """Whether a row is of this server, and the present role may read its bank, or all banks that it is about."""
    prefixes = f"array(select left(p, -1) from unnest({READABLE}) as p where right(p, 1) = '*')"  # noqa: S608
    if "bank_id" in columns:
        readable = f"(v.bank_id = any ({READABLE}) or v.bank_id ^@ any ({prefixes}))"
        return readable if view in STAYING else f"{readable} and v.server = {PLACE}"
    return (
        "cardinality(v.bank_ids) > 0 and not exists (select from unnest(v.bank_ids) as b "
        f"where not (b = any ({READABLE}) or b ^@ any ({prefixes})))"
    )
