"""A server that accepts connections and never answers does not hold up a command for ever."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memory_service import login
from memory_service.login import connect

PACKAGE = Path(login.__file__).parent


@pytest.fixture
def silent() -> Iterator[str]:
    """The URL of a server that never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql://postgres@127.0.0.1:{server.getsockname()[1]}/postgres"


def test_a_silent_server_is_given_up(silent: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="timeout"):
        connect(silent + "?connect_timeout=2")


@pytest.mark.parametrize(
    ("parameters", "seconds"), [("", login.CONNECT_SECONDS), ("?connect_timeout=2", None)]
)
def test_the_time_is_that_of_the_url_or_the_default(
    parameters: str, seconds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int | None] = []

    def noted(_: str, **options: int) -> None:
        given.append(options.get("connect_timeout"))

    monkeypatch.setattr(psycopg, "connect", noted)
    connect("postgresql://postgres@127.0.0.1/postgres" + parameters)
    assert given == [seconds]


def test_commands_over_several_servers_have_a_time_limit() -> None:
    for file in (*(PACKAGE / "placement").glob("*.py"), PACKAGE / "doctor.py", PACKAGE / "sql_query.py"):
        for call in re.findall(r"psycopg\.connect\([^)]*\)", file.read_text()):
            assert "connect_timeout" in call, f"{file.name}: {call}"
