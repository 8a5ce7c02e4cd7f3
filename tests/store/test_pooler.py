"""The service behind a pgbouncer in transaction mode that has fewer server connections than clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from memory_service.cli.analysts import as_administrator
from memory_service.config import Settings
from memory_service.connect import access_database, find_database, migrate_database
from memory_service.doctor import examine
from memory_service.errors import DatabaseUnavailable, DatabaseUnsuitable, InvalidInput
from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import JsonLines
from memory_service.jobs.runner import NightlyRun, RunOptions
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.acceptance.running import run_command
from tests.conftest import OWN_SERVER, Admin, at_work, until
from tests.server.test_api_keys import routes
from tests.support.pgbouncer import needs_pgbouncer, pgbouncer_before, through
from tests.support.scripted import ScriptedEmbedder, script
from tests.support.shared_app import bearer, own_client

pytestmark = [
    needs_pgbouncer,
    pytest.mark.skipif(OWN_SERVER is not None, reason="pgbouncer may not know the passwords of DATABASE_URL"),
]

TRACKED = ("application_name", "client_encoding")
"""Settings that pgbouncer sets to those of the client before each transaction."""
LISTENING = "select from pg_stat_activity where datname = current_database() and query ilike 'listen%'"


@pytest.fixture(scope="module")
def socket_folder(server_url: str) -> Iterator[str]:
    with pgbouncer_before(server_url, connections=2) as folder:
        yield folder


@pytest.fixture
def pooled_url(database_url: str, socket_folder: str) -> str:
    """An administrator's URL by the pooler."""
    return through(database_url, socket_folder)


@pytest.fixture
def settings(settings: Settings, pooled_url: str) -> Settings:
    return settings.model_copy(update={"database_url": SecretStr(pooled_url)})


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[Memory]:
    """Another process's Memory."""
    async with await Memory.open(settings, migrated=False) as memory:
        yield memory


def session_state(pooled_url: str) -> dict[str, Any]:
    """What an application finds in a server connection that calls of the service used before it."""
    service = pooled_url.replace("postgres@", "memory_service@")
    with psycopg.connect(service, autocommit=True, prepare_threshold=None) as connection:
        settings = connection.execute(
            "select name, setting from pg_settings where source = 'session' and name <> all (%s)"
            "union all select name, current_setting(name, true) from unnest(%s::text[]) as name "
            "where current_setting(name, true) <> ''",
            (list(TRACKED), ["memory.bank", "memory.banks", "memory.upkeep"]),
        ).fetchall()
        statements = connection.execute("select name from pg_prepared_statements").fetchall()
        banks = connection.execute("select bank_id from memory.bank").fetchall()
    return {"settings": settings, "statements": statements, "banks": banks}


CLEAN: dict[str, Any] = {"settings": [], "statements": [], "banks": []}


async def test_the_main_flows_over_http(memory: Memory, other: Memory, pooled_url: str, admin: Admin) -> None:
    """Two processes that answer and two workers; what they leave in the server's connections."""
    assert memory.store.database.pooled
    async with own_client(memory) as one, own_client(other) as two, at_work(memory, other):
        for bank in ("anna", "bo"):
            made = await one.post("/v1/banks", json={"bank_id": bank})
            assert made.status_code == 201
        said = {"role": "user", "content": "Please remember that my sister Maria is allergic to walnuts."}
        answers = await asyncio.gather(
            *(
                client.post(
                    f"/v1/banks/{bank}/messages",
                    json={"conversation_id": f"c{n}", "messages": [said | {"id": f"m{n}"}]},
                )
                for n in range(8) for bank in ("anna", "bo") for client in (one, two)
            )
        )  # fmt: skip
        assert [answer.status_code for answer in answers] == [202] * 32
        for bank, client in (("anna", one), ("bo", two)):
            fact = await client.post(
                f"/v1/banks/{bank}/memories",
                json={"type": "semantic", "content": "The user lives in Porto.", "wait_ms": 30_000},
            )
            assert fact.status_code == 201, fact.text
            assert fact.json()["status"] in ("tentative", "stable")
            await until(lambda bank=bank: decided(memory, bank))
            found = await client.post(f"/v1/banks/{bank}/recall", json={"query": "walnuts"})
            assert "walnuts" in found.json()["items"][0]["content"]
            context = await client.post(f"/v1/banks/{bank}/context", json={"message": "Where do I live?"})
            assert "Porto" in context.json()["text"]
    await memory.flush()
    assert admin.execute("select count(*) from memory.message").fetchone() == (16,)
    for _ in range(4):
        assert session_state(pooled_url) == CLEAN


async def decided(memory: Memory, bank: str) -> bool:
    stats = await memory.stats(bank)
    return not (stats["messages"]["pending"] or stats["queue"]["depth"])


async def test_every_route_answers_as_without_a_pooler(memory: Memory, pooled_url: str) -> None:
    """No route answers with a server error, for a key of role admin and of role read (read-only transactions)."""
    async with own_client(memory) as http:
        await memory.create_bank("anna")
        for role in ("admin", "read"):
            key = await memory.create_key(role, ["*"])
            for method, path in await routes(http):
                body = {
                    "query": "x",
                    "message": "x",
                    "content": "Anna sings.",
                    "recipient": "Bo",
                    "purpose": "p",
                }
                url = path.replace("{bank_id}", "anna")
                for name in ("memory_id", "fact_id", "trace_id", "clarification_id"):
                    url = url.replace("{" + name + "}", "00000000-0000-7000-8000-000000000000")
                answer = await http.request(
                    method, url, json=None if method == "GET" else body, headers=bearer(key)
                )
                assert answer.status_code < 500, (method, path, answer.text)
    assert session_state(pooled_url) == CLEAN


async def test_no_bank_leaks_into_another_over_one_connection(
    database_url: str, settings: Settings, server_url: str
) -> None:
    with pgbouncer_before(server_url, connections=1) as folder:
        url = through(database_url, folder)
        narrow = settings.model_copy(update={"database_url": SecretStr(url)})
        async with (
            await Memory.open(narrow, migrated=False) as one,
            await Memory.open(narrow, migrated=False) as two,
        ):
            script(one, ScriptedEmbedder())
            script(two, ScriptedEmbedder())
            for bank in ("a", "b"):
                await one.create_bank(bank, {"intake": "verbatim"})
                await one.add_messages(
                    bank, "c", [NewMessage("user", f"A line of {bank}, number {n}.") for n in range(3)]
                )
            async with at_work(one):
                for bank in ("a", "b"):
                    await until(lambda bank=bank: decided(one, bank))

            async def reads(memory: Memory, bank: str) -> set[str]:
                listed = await memory.list_memories(bank)
                recalled = await memory.recall(bank, "A line")
                return {item.content for item in (*listed.items, *recalled.items)}

            turns = [(memory, bank) for _ in range(15) for memory in (one, two) for bank in ("a", "b")]
            seen = await asyncio.gather(*(reads(*turn) for turn in turns))
            for (_, bank), contents in zip(turns, seen, strict=True):
                assert contents
                assert all(f"of {bank}" in content for content in contents)
            outside = [await m.store.database.query("select bank_id from memory.bank") for m in (one, two)]
            assert outside == [[], []]
        assert session_state(url) == CLEAN


async def test_one_effect_for_an_idempotency_key(memory: Memory, other: Memory, admin: Admin) -> None:
    """The advisory lock is held until the commit, on the server's connection of the transaction."""
    await memory.create_bank("anna")
    body = {"conversation_id": "c", "messages": [{"role": "user", "content": "I moved to Porto."}]}

    async def send(http: httpx.AsyncClient) -> int:
        answer = await http.post("/v1/banks/anna/messages", json=body, headers={"Idempotency-Key": "k"})
        return answer.status_code

    async with own_client(memory) as one, own_client(other) as two:
        codes = await asyncio.gather(*(send(http) for _ in range(10) for http in (one, two)))
        assert set(codes) <= {202, 409}
        assert 202 in codes
        assert await send(two) == 202
    assert admin.execute("select count(*) from memory.message").fetchone() == (1,)


async def test_processes_share_the_rate_limit_of_a_key(memory: Memory, other: Memory) -> None:
    await memory.create_bank("anna")
    key = await memory.create_key("read", ["anna"], requests_per_minute=20)
    async with own_client(memory) as one, own_client(other) as two:
        calls = [
            http.get("/v1/banks/anna/memories", headers=bearer(key)) for _ in range(20) for http in (one, two)
        ]
        codes = [answer.status_code for answer in await asyncio.gather(*calls)]
    assert 20 <= codes.count(200) < 30
    assert codes.count(200) + codes.count(429) == 40


async def test_the_changes_of_a_nightly_run_make_no_bank_due(
    memory: Memory, settings: Settings, admin: Admin, pooled_url: str
) -> None:
    """`memory.upkeep` is set in each of its transactions, and in no other's."""
    await memory.create_bank("anna", {"prune_after_days": 10})
    await memory.remember(
        "anna", "A dull thing.", importance=0.1, occurred_at=datetime(2020, 1, 1, tzinfo=UTC)
    )
    async with at_work(memory):
        await until(lambda: decided(memory, "anna"))
    due = "select bank_id from memory.upkeep where due_at <= now()"
    assert admin.execute(due).fetchall() == [("anna",)]
    async with await Memory.open(settings, upkeep=True) as night:
        assert await NightlyRun(night, PASSES, RunOptions(datetime.now(UTC), None), JsonLines()).run() == 0
        assert admin.execute("select from memory.episodic_memory").fetchall() == []
        await night.update_bank("anna", {"prune_after_days": 20})
        await night.store.database.in_transaction(lambda: night.update_bank("anna", {"gate": False}))
    assert admin.execute(due).fetchall() == []
    await memory.update_bank("anna", {"prune_after_days": 30})
    assert admin.execute(due).fetchall() == [("anna",)]
    assert session_state(pooled_url) == CLEAN


async def test_a_worker_polls_where_it_cannot_listen(memory: Memory, admin: Admin) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    async with at_work(memory):
        await asyncio.sleep(0.2)
        committed = await memory.remember("anna", "A committed thing.", wait_ms=30_000)
        assert committed.status == "active"
        assert admin.execute(LISTENING).fetchall() == []


async def test_a_worker_with_the_direct_url_is_notified(
    settings: Settings, database_url: str, other: Memory, admin: Admin
) -> None:
    direct = {"database_direct_url": SecretStr(database_url), "poll_seconds": 600.0}
    async with await Memory.open(settings.model_copy(update=direct), migrated=False) as memory:
        assert memory.store.database.pooled
        script(memory, ScriptedEmbedder())
        await memory.create_bank("anna")
        async with at_work(memory):
            await until(lambda: admin.execute(LISTENING).fetchall())
            await asyncio.sleep(0.2)  # it looks for work once more when it begins to listen
            committed = await other.remember("anna", "A committed thing.", wait_ms=30_000)
            assert committed.status == "active"


async def test_a_statement_that_takes_too_long_is_ended(
    settings: Settings, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_service.store.connection.STATEMENT_SECONDS", 0.3)
    async with await Memory.open(settings, migrated=False) as memory:
        with pytest.raises(DatabaseUnavailable):
            await memory.store.database.query("select pg_sleep(600)")
        sleeping = "select from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'"
        await until(lambda: not admin.execute(sleeping).fetchall())
        assert await memory.store.database.query_value("select 1") == 1


async def test_commits_that_do_not_wait_for_the_disk_are_refused(
    settings: Settings, admin: Admin, database_url: str
) -> None:
    name = database_url.partition("@/")[2].partition("?")[0]
    admin.execute(f'alter role memory_service in database "{name}" set synchronous_commit = off'.encode())
    with pytest.raises(DatabaseUnsuitable, match="synchronous_commit"):
        await Memory.open(settings, migrated=False)


async def test_migrations_need_the_server_itself(
    settings: Settings, database_url: str, pooled_url: str
) -> None:
    access = await asyncio.to_thread(find_database, settings)
    assert (access.admin_url, access.direct_url) == (None, None)
    with pytest.raises(DatabaseUnsuitable, match="DATABASE_DIRECT_URL"):
        migrate_database(access, settings)
    direct = settings.model_copy(update={"database_direct_url": SecretStr(database_url)})
    access, database = await access_database(direct, migrated=True)
    await database.close()
    assert access.admin_url == database_url
    assert access.url.count("6432") == 1
    wrong = settings.model_copy(update={"database_direct_url": SecretStr(pooled_url)})
    with pytest.raises(DatabaseUnsuitable, match=r"DATABASE_DIRECT_URL: leads to a connection pooler"):
        await asyncio.to_thread(find_database, wrong)


def test_commands_name_the_setting_that_they_need(
    pooled_url: str, database_url: str, settings: Settings, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"DATABASE_URL": pooled_url, "MEMORY_DATA_DIR": str(settings.data_dir)}
    for words in (["migrate"], ["backup", "create", str(tmp_path / "b")], ["sql", "select 1", "--all"]):
        code, _, err = run_command(environment, words)
        assert code != 0, words
        assert "DATABASE_DIRECT_URL" in err, (words, err)
    environment["DATABASE_DIRECT_URL"] = database_url
    for words in (["migrate"], ["sql", "select 1", "--all"], ["sql", "select 1", "--all"]):
        code, _, err = run_command(environment, words)
        assert (code, err) == (0, ""), words
    monkeypatch.setenv("DATABASE_URL", pooled_url)
    with pytest.raises(DatabaseUnsuitable, match="DATABASE_DIRECT_URL"):
        as_administrator(str)


def test_doctor_examines_the_database_through_a_pooler(settings: Settings) -> None:
    found = {one.check: one for one in examine(settings)}
    assert {found[name].level for name in ("database", "pgvector", "migration", "roles", "queue")} == {"ok"}


def test_the_setting_overrules_what_is_found(settings: Settings, database_url: str) -> None:
    direct = settings.model_copy(update={"database_url": SecretStr(database_url)})
    assert not find_database(direct).pooled
    assert find_database(direct.model_copy(update={"pooler": "transaction"})).pooled
    assert find_database(settings).pooled
    assert not find_database(settings.model_copy(update={"pooler": "none"})).pooled


def test_the_direct_url_belongs_to_a_database_url(settings: Settings, database_url: str) -> None:
    alone = settings.model_copy(update={"database_url": None, "database_direct_url": SecretStr(database_url)})
    with pytest.raises(InvalidInput, match=r"DATABASE_DIRECT_URL: is set without DATABASE_URL"):
        find_database(alone)
