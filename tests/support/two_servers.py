"""SERVERS=2: each test's home server has a second one with half of the hash slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

SECOND = "s2"


def share_slots(home_url: str, second_url: str) -> None:
    """As `server add` of a migrated server without banks: banks of a filled prototype stay on the home server."""
    with psycopg.connect(home_url) as home, psycopg.connect(second_url) as second:
        home.execute("insert into memory.server (server_id, url) values (%s, %s)", (SECOND, second_url))
        home.execute("insert into memory.server_slot select n, %s from generate_series(0, 511) n", (SECOND,))
        home.execute(
            "insert into memory.bank_place (bank, server_id) select b.bank_id, 'home' from memory.bank b "
            "where memory_internal.server_of(b.bank_id) = %s",
            (SECOND,),
        )
        home.execute("update memory.server_map set version = version + 1")
        second.execute(
            "update memory.erasure_secret set secret = %s",
            home.execute("select secret from memory.erasure_secret").fetchone(),
        )


class BothServers:
    """Passes a statement to the server that it is about: the home server if it names a table of that one alone or has a
    value that is the name of a bank there, else the second one."""

    OF_HOME = ("memory.api_key", "memory.key_", "memory.server", "memory.bank_place", "analytics.api_key")

    def __init__(self, home: psycopg.Connection[Any], second: psycopg.Connection[Any]) -> None:
        self._home = home
        self._second = second

    def execute(
        self, statement: Any, values: Sequence[Any] | Mapping[str, Any] = (), **options: Any
    ) -> psycopg.Cursor[Any]:
        of_home = any(name in str(statement) for name in self.OF_HOME) or self._has_bank_of(values)
        return (self._home if of_home else self._second).execute(statement, values or None, **options)

    def _has_bank_of(self, values: Sequence[Any] | Mapping[str, Any]) -> bool:
        names = [
            value
            for value in (values.values() if isinstance(values, Mapping) else values)
            if isinstance(value, str)
        ]
        found = self._home.execute("select from memory.bank b where b.bank_id = any (%s)", (names,))
        return bool(names) and found.fetchone() is not None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._second, name)
