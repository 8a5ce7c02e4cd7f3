"""The service's own connection: what row security binds, in the test's clone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory_service.config import Settings
from memory_service.connect import SERVICE_ROLE, driver_url, service_password
from tests.db.postgres16 import Programs
from tests.db.steps import Connection
from tests.own_server import reachable_folder, running
from tests.support.kept_pools import KeptPools

SMALL = ("shared_buffers=32MB",)


@pytest.fixture
def login(settings: Settings, database_url: str) -> str:
    """A URL of the test's database for memory_service."""
    return driver_url(database_url, SERVICE_ROLE, service_password(database_url, settings))


@pytest.fixture
def service(login: str, kept_pools: KeptPools) -> Iterator[Connection]:
    """A connection as memory_service in autocommit mode."""
    with kept_pools.session(login) as connection:
        connection.execute("set lock_timeout = '10s'")  # a test that waits for itself fails instead
        yield connection


@pytest.fixture(scope="session")
def programs16() -> Iterator[Programs]:
    """The programs of Postgres 16, in a copy for this test session."""
    with reachable_folder() as folder:
        yield Programs(folder)


@pytest.fixture(scope="module")
def server16_url(programs16: Programs) -> Iterator[str]:
    """A superuser's URL of a fresh Postgres 16 without roles or databases of this service."""
    with running(programs16.bin, settings=SMALL) as url:
        yield url
