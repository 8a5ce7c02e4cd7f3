"""How many rows a list reads, counted by the server itself, on this Postgres and on the oldest that is supported."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from memory_service.db.migrate import migrate
from tests.conftest import cloned, empty_database
from tests.db import steps
from tests.db.steps import MODEL, START, Connection

FILL = """
insert into memory.bank (bank_id, embedding_model) select 'bank' || b, %(model)s from generate_series(1, 20) b;
insert into memory.episodic_memory
    (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, importance, tags)
select 'bank' || b, gen_random_uuid(), 'user', 'active', %(at)s - n * interval '1 hour', %(at)s, '{}', 'a summary',
       (n * 7919 %% 1000) / 1000.0, array['t' || n %% 2]
  from generate_series(1, 20) b, generate_series(1, case when b = 1 then 5000 else 50 end) n;
analyze memory.bank, memory.episodic_memory;
"""
READ = """
select coalesce(sum(seq_tup_read), 0),
       (select coalesce(sum(pg_stat_get_xact_tuples_returned(i.indexrelid)), 0)
          from pg_index i where i.indrelid = 'memory.episodic_memory'::regclass)
  from pg_stat_xact_user_tables
 where schemaname = 'memory' and relname in ('episodic_memory', 'memory_link')
"""
MIDDLE: dict[str, Any] = {"after_at": "2025-09-01 00:00Z", "after_id": uuid.UUID(int=0)}


@pytest.fixture(scope="module", params=["here", "oldest"])
def full_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A database that the tests share, since they only read: one bank of 5,000 memories among small ones."""
    if request.param == "here":
        made = cloned(request.getfixturevalue("server_url"), request.getfixturevalue("template"))
    else:
        made = empty_database(request.getfixturevalue("server16_url"))
    with made as url:
        if request.param == "oldest":
            migrate(url, release="test")
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in FILL.split(";\n")[:-1]:
                connection.execute(
                    statement.encode(), {"model": MODEL, "at": START} if "%(" in statement else None
                )
        yield url


@pytest.fixture
def full(full_url: str) -> Iterator[Connection]:
    """A connection to it as the service."""
    with psycopg.connect(full_url, autocommit=True) as connection:
        connection.execute("set role memory_service")
        yield connection


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        MIDDLE,
        {"tags": ["t1"]},
        {"since": "2025-12-01Z"},
        {"until": "2025-09-01Z"},
        {"by_importance": True},
        {"by_importance": True, **MIDDLE, "after_importance": 0.4},
        {"by_importance": True, "min_importance": 0.9},
        {"by_importance": True, "tags": ["t0", "t1"], "statuses": ["active"]},
    ],
)
def test_a_page_reads_about_a_page(full: Connection, arguments: dict[str, Any]) -> None:
    """Whatever the size of the bank, and also when the function has been called often enough for a cached plan."""
    for _ in range(7):
        steps.rows(full, "list_memories", bank="bank1", page=20, **arguments)
    with full.transaction():
        before = full.execute(READ.encode()).fetchone() or ()
        assert len(steps.rows(full, "list_memories", bank="bank1", page=20, **arguments)) == 20
        after = full.execute(READ.encode()).fetchone() or ()
    in_full, by_index = (int(end - begin) for begin, end in zip(before, after, strict=True))
    assert in_full == 0
    assert 20 <= by_index <= 60
