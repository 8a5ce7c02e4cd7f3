"""The servers of the map: add one, list them."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from memory_service.config import Settings
from memory_service.connect import check_url, find_database, migrate_database, settings_of_server
from memory_service.errors import DatabaseUnsuitable, InvalidInput, MemoryServiceError
from memory_service.placement.analytics import has_views, is_linked, link_servers, refuse_dependents
from memory_service.placement.connections import Connection, Home, admin_url, connect, wait_for_transactions
from memory_service.store.servers import HOME, SLOTS, ServerMap, ServerUrls

SERVER_ID = re.compile(r"[a-z][a-z0-9_-]{0,39}")
IDENTITY = "select s.system_identifier::text, current_database()::text from pg_control_system() as s"
TAKEN_SLOTS = """
with owned as (
    select n.slot, coalesce(s.server_id, 'home') as server_id
      from generate_series(0, 1023) as n (slot)
      left join memory.server_slot s on s.slot = n.slot
), ranked as (
    select o.slot, row_number() over (partition by o.server_id order by o.slot desc) as place,
           count(*) over (partition by o.server_id) as owned
      from owned o
     where o.server_id <> %(server)s
)
select r.slot from ranked r order by r.place - r.owned, r.slot limit %(count)s
"""
"""The slots that a server takes over: from the servers that have most."""
BANKS_OF_SLOTS = """
select n.bank_id
  from (select b.bank_id from memory.bank b union select e.bank_id from memory.erasure e) as n
 where memory_internal.server_slot_of(n.bank_id) = any (%s)
 order by n.bank_id
"""
"""Also erased banks: one of the same name is created beside their receipts and ledger."""


@dataclass(frozen=True, slots=True)
class ServerLine:
    """A server of the map."""

    server_id: str
    url: str | None
    """None for the home server."""
    slots: int
    """Of 1,024: its share of new banks."""
    banks: int | None
    """None where it does not answer."""
    problem: str | None
    """Why it does not answer."""


@contextmanager
def open_home(settings: Settings) -> Generator[Home]:
    """The home server that the settings name. Errors: DatabaseUnavailable, DatabaseUnsuitable."""
    with closing(find_database(settings)) as access, connect(admin_url(access)) as connection:
        yield Home(settings, access, connection)


def add_server(settings: Settings, server_id: str, urls: ServerUrls, slots: int | None, actor: str) -> int:
    """Migrate an empty server, add it to the map and give it slots, by default an equal share; how many it has.

    Banks stay where they are. The URLs of a server that is in the map are replaced; `slots` raises its number of slots.
    The views of all servers are made again, where there are some.
    Errors: InvalidInput, DatabaseUnavailable, DatabaseUnsuitable.
    """
    check_server(server_id, urls, slots)
    there = settings_of_server(settings, urls)
    with open_home(settings) as home, closing(find_database(there)) as access:
        linked = is_linked(home.connection)
        if linked:
            refuse_dependents(home.connection)
        migrate_database(access, there)
        with connect(admin_url(access)) as added:
            # Held until this connection ends: no bank is created meanwhile (lock_place.sql).
            home.connection.execute("select pg_advisory_lock(memory_internal.server_map_lock_key())")
            present = home.read_map()
            if server_id not in present.servers:
                check_empty(home, added)
                copy_erasure_secret(home.connection, added)
            copy_embedding_models(home.connection, added)
            wanted = slots
            if wanted is None and server_id not in present.servers:
                wanted = SLOTS // (len(present.servers) + 2)
            has = write_server(home, present, server_id, urls, wanted, actor)
    if linked:
        link_servers(settings)
    return has


def check_server(server_id: str, urls: ServerUrls, slots: int | None) -> None:
    """Errors: InvalidInput."""
    if SERVER_ID.fullmatch(server_id) is None or server_id == HOME:
        raise InvalidInput(
            "server",
            "must be 1 to 40 lowercase letters, digits, _ and -, begin with a letter and not be home",
        )
    if slots is not None and not 0 <= slots <= SLOTS:
        raise InvalidInput("slots", f"must be 0 to {SLOTS}")
    for name, url in (("url", urls.url), ("direct-url", urls.direct_url), ("read-url", urls.read_url)):
        if url is None:
            continue
        check_url(url, name)
        if conninfo_to_dict(url).get("password"):
            raise InvalidInput(
                name,
                "must not contain a password, which the home server would store: put it in a password file",
            )


def check_empty(home: Home, added: Connection) -> None:
    """Errors: DatabaseUnsuitable for a server with banks or erased banks, the home server, and the home server of
    others."""
    if added.execute(IDENTITY).fetchone() == home.connection.execute(IDENTITY).fetchone():
        raise DatabaseUnsuitable("this URL leads to the home server")
    if added.execute("select from memory.bank limit 1").fetchone() is not None:
        raise DatabaseUnsuitable("the server has banks; add one without banks and move banks to it")
    if added.execute("select from memory.erasure limit 1").fetchone() is not None:
        raise DatabaseUnsuitable(
            "the server has receipts of erased banks, under another secret; add a new one"
        )
    if added.execute("select from memory.server s where s.url is not null").fetchone() is not None:
        raise DatabaseUnsuitable("the server is the home server of others")


def copy_erasure_secret(home: Connection, added: Connection) -> None:
    """Give an empty server the key of the hashes of erased ids, which move with their bank."""
    row = home.execute("select s.secret from memory.erasure_secret s").fetchone()
    added.execute("update memory.erasure_secret set secret = %s", row)


def copy_embedding_models(source: Connection, added: Connection) -> None:
    """Give a server the embedding models of another one with their thresholds; those it knows stay."""
    rows = source.execute("select to_jsonb(m) from memory.embedding_model m").fetchall()
    for (row,) in rows:
        added.execute(
            "insert into memory.embedding_model "
            "select m.* from jsonb_populate_record(null::memory.embedding_model, %s) m "
            "on conflict on constraint embedding_model_pkey do nothing",
            (Jsonb(row),),
        )


def write_server(
    home: Home, present: ServerMap, server_id: str, urls: ServerUrls, slots: int | None, actor: str
) -> int:
    """Write the server and its slots in one transaction; how many slots it has. Banks of these slots are recorded where
    they are: no bank is created while the lock on the map is held, and earlier transactions have ended."""
    connection = home.connection
    with connection.transaction():
        # First, as in a move: the two wait for each other in one order.
        connection.execute("update memory.server_map set version = version + 1")
        connection.execute(
            "insert into memory.server (server_id, url, direct_url, read_url) values (%s, %s, %s, %s) "
            "on conflict on constraint server_pkey do update set url = excluded.url, "
            "direct_url = excluded.direct_url, read_url = excluded.read_url",
            (server_id, urls.url, urls.direct_url, urls.read_url),
        )
        if slots is not None:
            more = slots - list(present.slots.values()).count(server_id)
            if more < 0:
                raise InvalidInput("slots", f"the server has {slots - more}; they cannot become fewer")
            taken = [row[0] for row in connection.execute(TAKEN_SLOTS, {"server": server_id, "count": more})]
            for server in (HOME, *present.servers):
                record_banks(home, present, server, taken)
            connection.execute(
                "insert into memory.server_slot (slot, server_id) select unnest(%s::integer[]), %s "
                "on conflict on constraint server_slot_pkey do update set server_id = excluded.server_id",
                (taken, server_id),
            )
        connection.execute(
            "select memory_internal.record_audit('server_added', %s, null, null, array[%s], %s, now())",
            (actor, server_id, Jsonb({} if slots is None else {"slots": slots})),
        )
        found = connection.execute(
            "select count(*) from memory.server_slot s where s.server_id = %s", (server_id,)
        ).fetchone()
    assert found is not None  # noqa: S101 - an aggregate
    return int(found[0])


def record_banks(home: Home, present: ServerMap, server: str, slots: list[int]) -> None:
    """Record the banks of these slots that are on this server as staying there."""
    with home.connect(server, present.servers) as connection:
        if server != HOME:  # banks are created there under the lock of the map alone
            wait_for_transactions(connection)
        banks = [row[0] for row in connection.execute(BANKS_OF_SLOTS, (slots,))]
    home.connection.execute(
        "insert into memory.bank_place (bank, server_id) select b.bank, %(server)s from unnest(%(banks)s::text[]) "
        "as b (bank) where memory_internal.server_of(b.bank) = %(server)s "
        "on conflict on constraint bank_place_pkey do nothing",
        {"server": server, "banks": banks},
    )


def migrate_all(settings: Settings) -> bool:
    """Migrate the home server, then the others of its map; whether that changed anything. If so, or if a migration
    dropped them before, the views of all servers are made again.

    Errors: as migrate_database and link_servers.
    """
    with closing(find_database(settings)) as access:
        changed = migrate_database(access, settings)
        with connect(admin_url(access)) as connection:
            servers = Home(settings, access, connection).read_map().servers
            linked, complete = is_linked(connection), has_views(connection)
    for urls in servers.values():
        there = settings_of_server(settings, urls)
        with closing(find_database(there)) as access:
            changed = migrate_database(access, there) or changed
    if linked and (changed or not complete):
        link_servers(settings)
    return changed


def list_servers(settings: Settings) -> list[ServerLine]:
    """All servers, the home server first. Errors: DatabaseUnavailable, DatabaseUnsuitable of the home server."""
    with open_home(settings) as home:
        present = home.read_map()
        owners = [present.slots.get(slot, HOME) for slot in range(SLOTS)]
        found: list[ServerLine] = []
        for server in (HOME, *sorted(present.servers)):
            banks, problem = None, None
            try:
                with home.connect(server, present.servers) as connection:
                    row = connection.execute("select count(*) from memory.bank").fetchone()
                    banks = None if row is None else int(row[0])
            except MemoryServiceError as error:
                problem = str(error)
            url = None if server == HOME else present.servers[server].url
            found.append(ServerLine(server, url, owners.count(server), banks, problem))
        return found
