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


@pytest.mark.parametrize(("default", "parameters"), [(2, ""), (3_600, "?connect_timeout=2")])
def test_a_silent_server_is_given_up(
    silent: str, default: int, parameters: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "CONNECT_SECONDS", default)
    with pytest.raises(psycopg.OperationalError, match="timeout"):
        connect(silent + parameters)


def test_commands_over_several_servers_have_a_time_limit() -> None:
    for file in (*(PACKAGE / "placement").glob("*.py"), PACKAGE / "doctor.py", PACKAGE / "sql_query.py"):
        for call in re.findall(r"psycopg\.connect\([^)]*\)", file.read_text()):
            assert "connect_timeout" in call, f"{file.name}: {call}"
