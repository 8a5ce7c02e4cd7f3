"""The database that tests use in turn: rows go, and any other change is found."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import psycopg
import pytest

from memory_service.memory import Memory
from tests.conftest import Admin, libpq_url, settings_of, settle
from tests.support.kept_pools import KeptPools, pools_kept
from tests.support.reused_database import USES, ReusedDatabase, ReusedDatabases

EVERY_ROW = """
select string_agg(format('select %L, to_jsonb(t) from %s t', c.oid::regclass, c.oid::regclass), ' union all ')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'memory' and c.relkind in ('r', 'p') and not c.relispartition
"""


@pytest.fixture
async def pools() -> AsyncIterator[KeptPools]:
    async with pools_kept() as kept:
        yield kept


@pytest.fixture
async def reused_one(server_url: str, template: str, pools: KeptPools) -> AsyncIterator[ReusedDatabase]:
    databases = ReusedDatabases(server_url, template, partial(libpq_url, server_url), pools)
    yield databases.current()
    databases.close()


def rows(admin: Admin) -> list[str]:
    ((query,),) = admin.execute(EVERY_ROW).fetchall()
    return sorted(str(row) for row in admin.execute(str(query).encode()).fetchall())


async def use(url: str, folder: Path) -> None:
    """Make two banks with an episode each, and erase one."""
    async with await Memory.open(settings_of(url, folder, folder), migrated=False) as memory:
        for bank in ("anna", "ben"):
            await memory.create_bank(bank)
            await memory.remember(bank, "Anna moved to Porto in May.")
            await settle(memory, bank)
            assert (await memory.recall(bank, "Where does Anna live?")).items
        await memory.erase_bank("ben")


async def test_rows_go_and_connections_stay(
    reused_one: ReusedDatabase, pools: KeptPools, session_dir: Path
) -> None:
    with psycopg.connect(reused_one.url, autocommit=True) as admin:
        before = rows(admin)
        assert any("all-MiniLM-L6-v2" in row for row in before), "the template has rows"
        await use(reused_one.url, session_dir)
        backends = pools.backends()
        admin.execute("update memory.embedding_model set duplicate_threshold = 0.5")
        assert rows(admin) != before
    assert reused_one.clean() is None
    with psycopg.connect(reused_one.url, autocommit=True) as admin:
        assert rows(admin) == before
        assert admin.execute("select nextval('memory.memory_event_event_id_seq')").fetchall() == [(1,)]
        await use(reused_one.url, session_dir)
        assert set(backends) <= set(pools.backends())
    assert reused_one.clean() is None


@pytest.mark.parametrize(
    "change",
    [
        "create table memory.surprise (n integer)",
        "alter table memory.message alter column role drop not null",
        "drop index memory.work_leased_idx",
        "create function public.surprise() returns integer language sql return 1",
        "grant select on memory.message to public",
        "drop policy message_of_named_bank on memory.message",
        "analyze memory.bank",
        "vacuum memory.installation",
        "alter database {name} set timezone = 'Asia/Tokyo'",
        "grant create on database {name} to public",
    ],
)
async def test_any_other_change_is_found(reused_one: ReusedDatabase, change: str) -> None:
    with psycopg.connect(reused_one.url, autocommit=True) as admin:
        admin.execute(change.format(name=admin.info.dbname).encode())
    assert reused_one.clean() is not None


async def test_a_lock_of_a_session_is_found(reused_one: ReusedDatabase, session_dir: Path) -> None:
    settings = settings_of(reused_one.url, session_dir, session_dir)
    async with await Memory.open(settings, migrated=False) as memory:
        await memory.store.database.query("select pg_advisory_lock(1)")
    assert reused_one.clean() is not None


async def test_settings_of_a_session_are_reset(reused_one: ReusedDatabase, session_dir: Path) -> None:
    settings = settings_of(reused_one.url, session_dir, session_dir)
    found: list[object] = []
    for _ in range(2):
        async with await Memory.open(settings, migrated=False) as memory:
            query = (
                "select pg_backend_pid(), current_setting('work_mem'), current_setting('statement_timeout')"
            )
            found += [tuple(row) for row in await memory.store.database.query(query)]
            await memory.store.database.query("select set_config('work_mem', '1GB', false)")
            await memory.store.database.query("select set_config('statement_timeout', '1h', false)")
    assert found[0] == found[1]


SESSION = """
select pg_backend_pid(), current_user, current_setting('work_mem'), (select count(*) from pg_prepared_statements),
  (select count(*) from pg_listening_channels()), to_regclass('pg_temp.mine')::text,
  (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())
"""


async def test_a_kept_session_is_as_a_new_one(reused_one: ReusedDatabase, pools: KeptPools) -> None:
    found: list[object] = []
    for _ in range(2):
        with pools.session(reused_one.url) as session:
            found += session.execute(SESSION).fetchall()
            session.execute("select 1", prepare=True)
            session.execute("create temp table mine (); set work_mem = '1GB'; set role memory_service")
            session.execute("prepare mine as select 1; listen mine; select pg_advisory_lock(1)")
    assert found[0] == found[1]
    assert reused_one.clean() is None


async def test_a_session_in_a_transaction_is_not_kept(reused_one: ReusedDatabase, pools: KeptPools) -> None:
    with pools.session(reused_one.url) as session:
        session.execute("begin")
    assert session.closed
    assert pools.backends() == []


async def test_a_database_is_not_used_for_ever(reused_one: ReusedDatabase) -> None:
    reasons = [reused_one.clean() for _ in range(USES)]
    assert reasons[:-1] == [None] * (USES - 1)
    assert reasons[-1] is not None
