"""The same schema and a cross-section of the suite on the oldest Postgres that is supported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memory_service.connect import SERVICE_ROLE, driver_url
from memory_service.db.migrate import migrate
from tests.conftest import libpq_url
from tests.db import steps
from tests.db.steps import START, Connection, claim, rows, value
from tests.db.test_drift import definitions

ROOT = Path(__file__).parents[2]
CROSS_SECTION = (
    "tests/db/test_smoke.py",
    "tests/intake/test_memory.py",
    "tests/recall/test_recall.py",
    "tests/server/test_idempotency.py",
    "tests/jobs/test_nightly.py",
)
"""Every function of memory_api, and a file for each area. `make test POSTGRES=16` runs everything."""


@pytest.fixture
def migrated16(server16_url: str) -> Iterator[str]:
    """An administrator's URL of a migrated database on Postgres 16."""
    with psycopg.connect(server16_url, autocommit=True) as admin:
        admin.execute("create database memory")
        url = libpq_url(server16_url, "memory")
        migrate(url, release="test")
        yield url
        admin.execute("drop database memory with (force)")


def test_the_server_is_the_oldest_supported(server16_url: str) -> None:
    with psycopg.connect(server16_url) as connection:
        assert connection.info.server_version // 10000 == 16


def test_the_schema_is_the_same_as_here(migrated16: str, admin: Connection) -> None:
    with psycopg.connect(migrated16) as connection:
        assert definitions(connection) == definitions(admin)


def test_a_message_becomes_a_memory_that_is_recalled(migrated16: str) -> None:
    with psycopg.connect(driver_url(migrated16, SERVICE_ROLE), autocommit=True) as service:
        steps.create_bank(service, "a")
        steps.add(service, "a", contents=["I live in Lisbon"], client_ids=["m1"])
        steps.add(service, "a", contents=["I live in Lisbon"], client_ids=["m1"])
        assert steps.segment_conversation(service, claim(service)[0], at=START + steps.QUIET) == 1
        (extraction,) = claim(service, "extract", at=START + steps.QUIET)
        memory_id = steps.remember(service, "a")[0]
        assert steps.decide(service, extraction, outcome="refused")
        (embedding,) = claim(service, "embed", at=START + 2 * steps.LEASE)
        assert steps.activate(service, "a", [embedding]) == 1
        assert steps.recall(service, "a") == [memory_id]
        stats = value(service, "bank_stats", bank="a", at=START)
        assert stats["messages"] == {"total": 2, "pending": 0, "stored": 1, "refused": 1, "failed": 0}
        assert (stats["memories"], stats["queue"]["depth"]) == ({"active": 1}, 0)


def test_row_security_holds(migrated16: str) -> None:
    with psycopg.connect(driver_url(migrated16, SERVICE_ROLE), autocommit=True) as service:
        steps.create_bank(service, "a")
        steps.create_bank(service, "b")
        assert service.execute("select from memory.bank").fetchall() == []
        assert rows(service, "list_memories", bank="a", page=9) == []


def test_a_cross_section_of_the_suite_passes(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", f"--junitxml={report}", *CROSS_SECTION],
        cwd=ROOT, env=os.environ | {"POSTGRES": "16"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout[-10_000:]
    assert '<property name="postgres" value="16' in report.read_text()
