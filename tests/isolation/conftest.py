"""The connections of tests/db for the walks through everything that a bank could be reached by."""

from __future__ import annotations

from tests.db.conftest import login, service

__all__ = ["login", "service"]
