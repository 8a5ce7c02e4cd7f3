"""The one entry to the schema: all or nothing, once or many times, alone or at once, under load."""

from __future__ import annotations

import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psycopg
import pytest

import memory_service.db.migrate
from memory_service.config import Settings
from memory_service.connect import access_database
from memory_service.db.migrate import API_VERSION, Migrated, MigrationRefused, migrate
from memory_service.db.service_password import matches
from memory_service.store import Store
from memory_service.store.messages import StoredMessage
from tests.conftest import Admin, empty_database, libpq_url
from tests.db import steps
from tests.db.postgres16 import Programs
from tests.own_server import running

pytestmark = pytest.mark.own_database

NEXT_MIGRATION = """
from alembic import op

revision = "{revision}"
down_revision = "{before}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute("create table memory.surprise (n integer)")
"""


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of db/ that migrate() takes for its own: another release, to be changed at will."""
    copy = tmp_path / "db"
    shutil.copytree(memory_service.db.migrate.HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(memory_service.db.migrate.HERE.parent / "pyproject.toml", tmp_path)
    monkeypatch.setattr(memory_service.db.migrate, "HERE", copy)
    return copy


@pytest.fixture
def empty_url(server_url: str) -> Iterator[str]:
    """An administrator's URL of a database without anything."""
    with empty_database(server_url) as url:
        yield url


def at_once(*calls: Callable[[], Migrated]) -> list[Migrated]:
    """Run the calls side by side, begun together."""
    together = threading.Barrier(len(calls))

    def begin(call: Callable[[], Migrated]) -> Migrated:
        together.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def touch(release: Path, function: str) -> None:
    """Change a function's file, though not what it does."""
    [path] = (release / "functions").glob(f"*/{function}.sql")
    with path.open("a") as file:
        file.write("-- changed\n")


def functions(admin: Admin) -> set[str]:
    found = admin.execute(
        "select proname from pg_proc where pronamespace::regnamespace::text in ('memory_api', 'memory_internal')"
    )
    return {str(row[0]) for row in found.fetchall()}


def schemas(url: str) -> list[object]:
    with psycopg.connect(url) as connection:
        found = connection.execute("select nspname from pg_namespace where nspname like 'memory%' order by 1")
        return [row[0] for row in found.fetchall()]


# Again


def test_migrating_again_changes_nothing(admin: Admin, database_url: str) -> None:
    state = "select xmin, oid from pg_proc union all select xmin, oid from pg_class order by 2"
    before = admin.execute(state).fetchall()
    assert not migrate(database_url, release="test").changed
    assert admin.execute(state).fetchall() == before


def test_migrating_keeps_what_is_stored(admin: Admin, database_url: str, release: Path) -> None:
    steps.create_bank(admin, "a")
    steps.add(admin, "a", contents=["kept"])
    touch(release, "read_bank")
    assert migrate(database_url, release="next").changed
    assert admin.execute("select content from memory.message").fetchall() == [("kept",)]


def test_the_database_says_which_release_it_is(admin: Admin, database_url: str, release: Path) -> None:
    touch(release, "installation")
    migrate(database_url, release="9.9")
    assert steps.rows(admin, "installation")[0][:2] == (API_VERSION, "9.9")


def test_a_new_api_version_alone_is_written(
    admin: Admin, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_service.db.migrate.API_VERSION", API_VERSION + 1)
    assert migrate(database_url, release="test").changed
    assert steps.rows(admin, "installation")[0][0] == API_VERSION + 1


# Functions and views


def test_a_changed_function_is_replaced(admin: Admin, database_url: str, release: Path) -> None:
    (release / "functions/scoring/effective_importance.sql").write_text(
        "create or replace function memory_internal.effective_importance(\n"
        "    importance double precision, occurred_at timestamptz, access_count integer, at timestamptz)\n"
        "returns double precision language sql immutable as 'select 7.0::double precision'"
    )
    migrate(database_url, release="next")
    assert admin.execute("select memory_internal.effective_importance(1, now(), 0, now())").fetchone() == (
        7.0,
    )


def test_a_function_without_a_file_goes(admin: Admin, database_url: str, release: Path) -> None:
    (release / "functions/queue/queue_stats.sql").unlink()
    migrate(database_url, release="next")
    assert "queue_stats" not in functions(admin)


def test_a_view_without_a_file_goes(admin: Admin, database_url: str, release: Path) -> None:
    (release / "views" / "memory_item.sql").unlink()
    for name in ("read_memory", "list_memories", "release_memory", "update_memory"):
        [path] = (release / "functions").glob(f"*/{name}.sql")
        path.unlink()
    migrate(database_url, release="next")
    views = admin.execute("select viewname from pg_views where schemaname = 'memory_api'").fetchall()
    assert ("episode_item",) in views
    assert ("memory_item",) not in views


def test_a_view_for_people_without_a_file_goes_and_theirs_stay(
    admin: Admin, database_url: str, release: Path
) -> None:
    admin.execute("create view analytics.theirs as select 1 as one")
    (release / "views" / "analytics" / "compression_ratio.sql").unlink()
    migrate(database_url, release="next")
    left = {row[0] for row in admin.execute("select viewname from pg_views where schemaname = 'analytics'")}
    assert "theirs" in left
    assert "compression_ratio" not in left


def test_a_schema_analytics_of_somebody_else_is_left_alone(empty_url: str) -> None:
    with psycopg.connect(empty_url, autocommit=True) as admin:
        admin.execute("create schema analytics")
        with pytest.raises(MigrationRefused, match="schema analytics owned by"):
            migrate(empty_url, release="test")
        assert admin.execute("select to_regclass('memory.installation')").fetchone() == (None,)


def test_a_new_parameter_leaves_no_second_overload(admin: Admin, database_url: str, release: Path) -> None:
    """With a default it would make every old call ambiguous."""
    file = release / "functions/bank/read_bank.sql"
    file.write_text(
        file.read_text().replace("read_bank(bank text)", "read_bank(bank text, more text default '')")
    )
    migrate(database_url, release="next")
    steps.create_bank(admin, "a")
    assert steps.value(admin, "read_bank", bank="a") == "a"


@pytest.mark.parametrize(
    "signature",
    ["read_bank(which text) returns text", "read_bank(bank text) returns table (bank_id text, more integer)"],
    ids=["parameter name", "result columns"],
)
def test_another_signature_takes_the_place_of_the_old_one(
    admin: Admin, database_url: str, release: Path, signature: str
) -> None:
    """Postgres refuses to replace these: the function is dropped first."""
    file = release / "functions/bank/read_bank.sql"
    body = "select 'a'" if "table" not in signature else "select 'a', 1"
    file.write_text(f"create or replace function memory_api.{signature} language sql as $$ {body} $$;\n")
    migrate(database_url, release="next")
    found = admin.execute("select memory_api.read_bank('a')::text").fetchall()
    assert found == [("a",) if "table" not in signature else ("(a,1)",)]
    count = "select count(*) from pg_proc where proname = 'read_bank'"
    assert admin.execute(count).fetchone() == (1,)


def test_a_new_function_is_the_services_alone(admin: Admin, database_url: str, release: Path) -> None:
    (release / "functions/bank/fresh.sql").write_text(
        "create or replace function memory_api.fresh() returns integer language sql as 'select 1'"
    )
    migrate(database_url, release="next")
    (acl,) = admin.execute("select proacl::text from pg_proc where proname = 'fresh'").fetchone() or ("",)
    assert acl == "{memory_owner=X/memory_owner,memory_service=X/memory_owner}"


@pytest.mark.parametrize(
    ("folder", "name", "body", "error"),
    [
        ("functions/bank", "broken", "create function memory_api.broken() retur", psycopg.errors.SyntaxError),
        (
            "functions/bank", "broken",
            "create or replace function memory_api.broken() returns text language sql as 'select no_such_column'",
            psycopg.errors.UndefinedColumn,
        ),
        ("views", "broken", "create or replace view memory_api.broken as select * from no_such_table",
         psycopg.errors.UndefinedTable),
    ],
)  # fmt: skip
def test_a_broken_file_undoes_the_whole_migration(
    admin: Admin, database_url: str, release: Path, folder: str, name: str, body: str, error: type[Exception]
) -> None:
    (release / folder / f"{name}.sql").write_text(body)
    (release / "functions/queue/queue_stats.sql").unlink()
    add_migration(release)
    with pytest.raises(error) as raised:
        migrate(database_url, release="next")
    assert f"in {name}.sql" in raised.value.__notes__
    assert "queue_stats" in functions(admin)
    assert admin.execute("select to_regclass('memory.surprise')").fetchone() == (None,)
    assert steps.rows(admin, "installation")[0][1] == "test"


def test_a_broken_first_migration_leaves_nothing(empty_url: str, release: Path) -> None:
    (release / "functions/bank/broken.sql").write_text("create or replace function memory_api.broken(")
    with pytest.raises(psycopg.errors.SyntaxError):
        migrate(empty_url, release="next")
    assert schemas(empty_url) == []


def add_migration(release: Path) -> str:
    """One more numbered migration in this release; its revision."""
    before = max(file.stem[:4] for file in (release / "versions").glob("[0-9]*.py"))
    revision = f"{int(before) + 1:04}"
    text = NEXT_MIGRATION.format(revision=revision, before=before)
    (release / "versions" / f"{revision}_next.py").write_text(text)
    return revision


def test_a_numbered_migration_runs_once(admin: Admin, database_url: str, release: Path) -> None:
    revision = add_migration(release)
    assert migrate(database_url, release="next") == Migrated(changed=True, revision=revision)
    assert migrate(database_url, release="next") == Migrated(changed=False, revision=revision)
    assert admin.execute("select count(*) from memory.surprise").fetchone() == (0,)


# Refusals


def test_a_database_of_a_newer_api_is_refused_by_name(admin: Admin, database_url: str) -> None:
    admin.execute("update memory.installation set api_version = 99, release = '7.0'")
    with pytest.raises(MigrationRefused, match=r"newer release \(7.0, API version 99\); this is test"):
        migrate(database_url, release="test")


def test_a_database_of_an_unknown_migration_is_refused_by_name(
    admin: Admin, database_url: str, release: Path
) -> None:
    admin.execute("update memory.alembic_version set version_num = '9999'")
    touch(release, "read_bank")
    with pytest.raises(MigrationRefused, match="9999, which test does not know"):
        migrate(database_url, release="test")


def test_a_database_from_before_the_first_migration_is_refused_by_name(
    admin: Admin, database_url: str, release: Path
) -> None:
    admin.execute("update memory.alembic_version set version_num = '0027'")
    touch(release, "read_bank")
    message = "at migration 0027; test migrates from 0028 on. First migrate it with commit [0-9a-f]{7}, the last one"
    with pytest.raises(MigrationRefused, match=message):
        migrate(database_url, release="test")
    assert admin.execute("select version_num from memory.alembic_version").fetchone() == ("0027",)


def test_a_server_that_is_too_old_is_refused_by_name(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_service.db.migrate, "MIN_POSTGRES", 990000)
    with pytest.raises(MigrationRefused, match="Postgres 16 or newer is needed; this server is 1"):
        migrate(empty_url, release="test")
    assert schemas(empty_url) == []


def test_pgvector_in_another_schema_is_refused_by_name(empty_url: str) -> None:
    with psycopg.connect(empty_url, autocommit=True) as connection:
        connection.execute("create schema elsewhere")
        connection.execute("create extension vector with schema elsewhere")
    with pytest.raises(MigrationRefused, match="in schema elsewhere"):
        migrate(empty_url, release="test")


@pytest.fixture
def control(programs16: Programs) -> Iterator[Path]:
    """The file that tells Postgres 16 of pgvector; as it was, afterwards."""
    control = programs16.vector_control
    text = control.read_text()
    yield control
    control.write_text(text)


def test_a_server_without_pgvector_is_refused_by_name(server16_url: str, control: Path) -> None:
    control.unlink()
    with pytest.raises(MigrationRefused, match=r"pgvector 0.8.0 or newer is needed and not installed"):
        migrate(server16_url, release="test")
    assert schemas(server16_url) == []


def test_a_server_with_an_old_pgvector_is_refused_by_name(server16_url: str, control: Path) -> None:
    control.write_text(control.read_text().replace("default_version = '0.8.5'", "default_version = '0.7.4'"))
    with pytest.raises(MigrationRefused, match=r"0.8.0 or newer is needed; found 0.7.4: update the package"):
        migrate(server16_url, release="test")


# At once


def test_migrating_a_fresh_database_many_times_at_once_ends_well(empty_url: str) -> None:
    done = at_once(*[partial(migrate, empty_url, release="test")] * 5)
    assert sorted(result.changed for result in done) == [False] * 4 + [True]
    assert schemas(empty_url) == ["memory", "memory_api", "memory_internal"]


def test_migrating_many_databases_of_a_fresh_server_at_once_ends_well(programs16: Programs) -> None:
    """The roles belong to the server: each migration finds them or creates them, in any order."""
    names = [f"fresh{n}" for n in range(4)]
    with running(programs16.bin) as url:
        with psycopg.connect(url, autocommit=True) as admin:
            for name in names:
                admin.execute(f"create database {name}".encode())
        urls = [libpq_url(url, name) for name in names]
        calls = [partial(migrate, one, release="test", service_password="x") for one in urls]
        assert [result.changed for result in at_once(*calls)] == [True] * 4


def test_replacing_functions_under_load_fails_no_call(
    admin: Admin, login: str, database_url: str, release: Path
) -> None:
    steps.create_bank(admin, "a", intake="verbatim")
    stop = threading.Event()

    def call(number: int) -> int:
        calls = 0
        with psycopg.connect(login, autocommit=True) as connection:
            while not stop.is_set():
                steps.add(connection, "a", f"c{number}")
                for lease in steps.claim(connection, batch=1):
                    steps.segment_conversation(connection, lease)
                steps.rows(connection, "list_memories", bank="a", page=5)
                steps.recall(connection, "a")
                calls += 1
        return calls

    with ThreadPoolExecutor(3) as pool:
        callers = [pool.submit(call, number) for number in range(3)]
        try:
            for n in range(5):
                touch(release, "read_bank")
                assert migrate(database_url, release=f"next{n}").changed
        finally:
            stop.set()
        assert all(caller.result() > 0 for caller in callers)


# By an administrator who is no superuser, as on managed servers


@pytest.fixture
def managed_url(programs16: Programs) -> Iterator[str]:
    """The URL of a CREATEROLE administrator's own database on a server where only the superuser may make vector."""
    with running(programs16.bin) as url:
        with psycopg.connect(url, autocommit=True) as superuser:
            superuser.execute("create role manager login createrole createdb")
            superuser.execute("create database managed owner manager")
        with psycopg.connect(libpq_url(url, "managed"), autocommit=True) as superuser:
            superuser.execute("create extension vector")
        yield libpq_url(url, "managed").replace("postgres@", "manager@")


def test_an_administrator_without_superuser_migrates_again_and_again(managed_url: str, release: Path) -> None:
    assert migrate(managed_url, release="test", service_password="secret").changed
    assert not migrate(managed_url, release="test", service_password="secret").changed
    touch(release, "read_bank")
    assert migrate(managed_url, release="next", service_password="secret").changed


async def test_the_service_works_where_no_superuser_migrated(managed_url: str, tmp_path: Path) -> None:
    settings = Settings.model_validate({"DATABASE_URL": managed_url, "data_dir": tmp_path, "pool_size": 2})
    access, database = await access_database(settings, migrated=True)
    try:
        assert (await database.installation()).login == "memory_service"
        store = Store(database)
        await store.banks.create("a", {}, steps.MODEL)
        await store.messages.add("a", "c1", None, [StoredMessage(uuid.uuid4(), "user", "hello")], 0)
        assert (await store.banks.stats("a"))["messages"]["total"] == 1
    finally:
        await database.close()
        access.close()


# The service's password


@pytest.mark.parametrize("administrator", ["postgres", "manager"])
def test_the_password_is_sent_as_a_verifier_and_only_when_it_changes(
    programs16: Programs, administrator: str
) -> None:
    """The role `manager` may not read the stored verifier: the migration tries to log in instead."""
    with running(programs16.bin, settings=LOGGING) as url:
        with psycopg.connect(url, autocommit=True) as superuser:
            superuser.execute("create role manager login createrole createdb")
            superuser.execute("create database mine owner manager")
        mine = libpq_url(url, "mine")
        with psycopg.connect(mine, autocommit=True) as superuser:
            superuser.execute("create extension vector")
            rules = Path(str(superuser.info.host)) / "data" / "pg_hba.conf"
            rules.write_text("local all memory_service scram-sha-256\nlocal all all trust\n")
            superuser.execute("select pg_reload_conf()")
        admin = mine.replace("postgres@", f"{administrator}@")
        migrate(admin, release="test", service_password="other")
        before = len(set_passwords(logged(url)))
        for password in ("tangerine", "tangerine", "mandarin", "mandarin"):
            migrate(admin, release="test", service_password=password)
            psycopg.connect(mine.replace("postgres@", f"memory_service:{password}@")).close()
        said = logged(url)
    statements = set_passwords(said)
    assert len(statements) == before + 2
    assert all("SCRAM-SHA-256$" in statement for statement in statements)
    assert not any(password in said for password in ("tangerine", "mandarin"))


@pytest.mark.parametrize("other", ["Tangerine", "tangerine ", ""])
def test_a_verifier_is_one_passwords(admin: Admin, other: str) -> None:
    made = admin.pgconn.encrypt_password(b"tangerine", b"memory_service", b"scram-sha-256").decode()
    assert matches(made, "tangerine")
    assert not matches(made, other)
    assert not matches("md5" + "0" * 32, "tangerine")
    assert not matches("SCRAM-SHA-256$4096:!$x", "tangerine")


LOGGING = ("logging_collector=on", "log_statement=ddl", "log_filename=all.log", "log_connections=on")


def logged(url: str) -> str:
    """What the server has logged up to now."""
    with psycopg.connect(url, autocommit=True) as admin:
        log = Path(str(admin.info.host)) / "data" / "log" / "all.log"
        admin.execute(f"create table {(end := f'end_{uuid.uuid4().hex}')} ()".encode())
    while end not in (text := log.read_text()):
        time.sleep(0.05)
    return text


def set_passwords(log: str) -> list[str]:
    return [line for line in log.splitlines() if "alter role memory_service" in line.replace('"', "")]
