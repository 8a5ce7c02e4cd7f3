"""`memory-service sql` over several servers: which of them a query reads, and its rows from each. All of it blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing

import psycopg

from memory_service.config import Settings
from memory_service.connect import Access, find_database, settings_of_server
from memory_service.errors import DatabaseUnsuitable, NotFound, no_answer
from memory_service.login import connect
from memory_service.placement.connections import read_servers
from memory_service.sql_query import Answer, matching_banks, query_banks, query_linked
from memory_service.store.servers import HOME, ServerMap

TEXT_OID = 25


def query_servers(
    settings: Settings, query: str, banks: Sequence[str], *, seconds: float, together: bool = False
) -> Answer:
    """Run one statement over these banks (ids, or prefixes that end in `*`) on each server that has some of them.

    Where several servers are asked, the first column names the server, and aggregates are of one server each.
    `together`: run it once, on the home server, over the views of `analytics_all` (placement/analytics.py).
    Errors: as query_banks and find_database; DatabaseUnsuitable where a server has no direct URL.
    """
    with ExitStack() as opened:
        home = opened.enter_context(closing(find_database(settings)))
        present = map_of(home)
        if not present.servers:
            return query_banks(direct_url(home), query, banks, seconds=seconds)
        places = servers_of(present, banks)
        urls = {
            server: direct_url(
                home
                if server == HOME
                else opened.enter_context(
                    closing(find_database(settings_of_server(settings, present.servers[server])))
                )
            )
            for server in places
        }
        matching = {server: matching_banks(urls[server], named) for server, named in places.items()}
        # Rows of a move that has not ended, which another server has too: not counted twice.
        own = {
            server: [bank for bank in some if present.server_of(bank) == server]
            for server, some in matching.items()
        }
        require_matches(banks, own)
        if together:
            return query_linked(direct_url(home), query, banks, seconds=seconds)
        answers = {
            server: query_banks(
                urls[server], query, named if own[server] == matching[server] else own[server],
                seconds=seconds, checked=True,
            )
            for server, named in places.items()
            if own[server] or "*" in named
        }  # fmt: skip
    return answers.popitem()[1] if len(answers) == 1 else joined(answers)


def map_of(home: Access) -> ServerMap:
    """The map of servers. Errors: DatabaseUnavailable, DatabaseUnsuitable."""
    try:
        with connect(direct_url(home)) as connection:
            return read_servers(connection)
    except psycopg.OperationalError as error:
        raise no_answer(error) from error


def direct_url(access: Access) -> str:
    """The service's login at the server itself. Errors: DatabaseUnsuitable behind a connection pooler alone."""
    if access.direct_url is None:
        raise DatabaseUnsuitable(
            "queries need DATABASE_DIRECT_URL: DATABASE_URL leads to a connection pooler"
        )
    return access.direct_url


def servers_of(present: ServerMap, banks: Sequence[str]) -> dict[str, list[str]]:
    """The servers that may have some of these banks, each with those: of prefixes all servers."""
    places: dict[str, list[str]] = {}
    for bank in banks:
        everywhere = bank.endswith("*")
        for server in (HOME, *sorted(present.servers)) if everywhere else (present.server_of(bank),):
            places.setdefault(server, []).append(bank)
    return dict(sorted(places.items(), key=lambda place: (place[0] != HOME, place[0])))


def require_matches(banks: Sequence[str], own: Mapping[str, Sequence[str]]) -> None:
    """Errors: NotFound for a bank or prefix without banks on any server."""
    found = [bank for some in own.values() for bank in some]
    for named in banks:
        if named != "*" and not any(
            bank == named or (named.endswith("*") and bank.startswith(named[:-1])) for bank in found
        ):
            raise NotFound(f"there is no bank {named}")


def joined(answers: Mapping[str, Answer]) -> Answer:
    """The rows of all servers, with the server as the first column."""
    first = next(iter(answers.values()))
    return Answer(
        ["server", *first.columns],
        [TEXT_OID, *first.types],
        [[server, *row] for server, answer in answers.items() for row in answer.rows],
    )


def check_banks(settings: Settings, banks: Sequence[str]) -> None:
    """Errors: NotFound for a bank that no server has; prefixes may match later banks."""
    named = [bank for bank in banks if not bank.endswith("*")]
    if named:
        query_servers(settings, "select 1", named, seconds=60)
