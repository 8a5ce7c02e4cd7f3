"""Processes that work beside one server of the map: workers, nightly runs and scrubs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

import psycopg

from memory_service.config import Settings
from memory_service.connect import find_database, settings_of_server
from memory_service.errors import InvalidInput, no_answer
from memory_service.login import connect
from memory_service.placement.connections import read_servers
from memory_service.store.servers import HOME, ServerUrls


def settings_beside(settings: Settings, server: str | None) -> Settings:
    """The settings for a process beside a server of the map of DATABASE_URL; None is the home server. Blocks.

    Errors: InvalidInput naming the server, DatabaseUnavailable, DatabaseUnsuitable.
    """
    if server is None or server == HOME:
        return settings
    servers = other_servers(settings)
    if server not in servers:
        raise InvalidInput("server", f"there is no server {server}; `memory-service server list` lists them")
    return settings_of_server(settings, servers[server])


def settings_of_all(settings: Settings) -> dict[str, Settings]:
    """The settings for a process beside each server, the home server first. Blocks. Errors: as settings_beside."""
    others = sorted(other_servers(settings).items())
    return {HOME: settings} | {server: settings_of_server(settings, urls) for server, urls in others}


def other_servers(settings: Settings) -> Mapping[str, ServerUrls]:
    """The servers of the map of DATABASE_URL. Errors: DatabaseUnavailable, DatabaseUnsuitable."""
    with closing(find_database(settings)) as access:
        try:
            with connect(access.direct_url or access.url) as connection:
                return read_servers(connection).servers
        except psycopg.OperationalError as error:
            raise no_answer(error) from error
