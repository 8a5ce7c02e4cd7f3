"""The functions of the map of servers, called once as the service: here is the home server, and no other."""

from __future__ import annotations

from collections.abc import Callable

from tests.db.steps import Connection, rows, value

BANK = "smoke"


def lock_place(service: Connection) -> None:
    assert value(service, "lock_place", bank=BANK) == "home"


def server_map_lock_key(service: Connection) -> None:
    assert isinstance(value(service, "server_map_lock_key"), int)


def read_server_map(service: Connection) -> None:
    assert rows(service, "read_server_map") == [(1, {}, {}, {})]


def server_map_version(service: Connection) -> None:
    assert value(service, "server_map_version") == 1


def require_home(service: Connection) -> None:
    value(service, "require_home", bank=BANK)


def server_of(service: Connection) -> None:
    assert value(service, "server_of", bank=BANK) == "home"


def server_slot_of(service: Connection) -> None:
    assert value(service, "server_slot_of", bank=BANK) in range(1024)


SERVERS: tuple[Callable[[Connection], None], ...] = (
    lock_place, server_map_lock_key, read_server_map, server_map_version, require_home, server_of, server_slot_of,
)  # fmt: skip
