"""The fixtures of tests/db: a connection as memory_service."""

from tests.db.conftest import login, service

__all__ = ["login", "service"]
