"""A real Postgres for every test: one server a session, migrated once into a template, clones of it for the tests.

DATABASE_URL (of a role that may create databases) runs the same tests on a server of your own, POSTGRES=16 on the
oldest Postgres that is supported, from a wheel.
"""

from __future__ import annotations

import asyncio
import gc
import os
import ssl
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import hypothesis
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from tokenizers import Tokenizer

GIVEN = {name: os.environ.pop(name) for name in ("DATABASE_URL", "POSTGRES", "SERVERS") if name in os.environ}
OWN_SERVER = GIVEN.get("DATABASE_URL")
OLDEST_POSTGRES = GIVEN.get("POSTGRES") == "16"
TWO_SERVERS = GIVEN.get("SERVERS") == "2"
_SET_BY_TESTS = ("COLUMNS", "GEMINI_API_KEY", "OPENAI_API_KEY")
for _name in [n for n in os.environ if n.startswith("MEMORY_") or n in _SET_BY_TESTS]:
    del os.environ[_name]

from memory_service.config import Settings  # noqa: E402
from memory_service.connect import service_password  # noqa: E402
from memory_service.db.migrate import migrate  # noqa: E402
from memory_service.embedded.account import choose_account  # noqa: E402
from memory_service.embedded.binaries import binaries_for  # noqa: E402
from memory_service.embedded.cluster import INITIAL_SETTINGS, LOCALE  # noqa: E402
from memory_service.memory import Memory  # noqa: E402
from memory_service.models import local  # noqa: E402
from memory_service.models.built_model import BUILT_IN, built_model, source_folder  # noqa: E402
from memory_service.models.sentence_model import SentenceModel, read_tokenizer  # noqa: E402
from memory_service.results import BankStats  # noqa: E402
from tests.db.postgres16 import Programs, running_oldest  # noqa: E402
from tests.own_server import reachable_folder, running  # noqa: E402
from tests.support.kept_pools import KeptPools, pools_kept  # noqa: E402
from tests.support.reused_database import ReusedDatabases  # noqa: E402
from tests.support.two_servers import BothServers, share_slots  # noqa: E402

Admin = psycopg.Connection[tuple[object, ...]]

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", derandomize=False, deadline=None)
hypothesis.settings.load_profile("repeatable")
"""The same examples in every run, so that a failure is due to a change. `--hypothesis-profile=explore` generates new
ones."""

gc.disable()
"""Until the tests are collected, which makes 600,000 objects and hardly any garbage."""


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collect garbage from now on, without what the collected tests consist of: to go through it takes half a second
    of processor time."""
    gc.freeze()
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """Pass the variables on to the processes of pytest-xdist, which read them as this one did."""
    if config.getoption("numprocesses", None):
        os.environ.update(GIVEN)


_loops: list[asyncio.AbstractEventLoop] = []
"""The event loop of all tests, while there is one."""


@pytest.fixture(scope="session", autouse=True)
async def event_loop_noted() -> AsyncIterator[None]:
    _loops.append(asyncio.get_running_loop())
    yield
    _loops.clear()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None]:
    """Cancel the tasks that a test and its fixtures left running, as the end of an event loop per test would."""
    try:
        yield
    finally:
        for loop in _loops:
            if tasks := asyncio.all_tasks(loop):
                for task in tasks:
                    task.cancel()
                loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if TWO_SERVERS:
        for item in items:
            if marker := item.get_closest_marker("one_server"):
                item.add_marker(pytest.mark.skip(reason=f"SERVERS=2: {' '.join(marker.args)}"))


@pytest.fixture(scope="session")
def session_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session's own data folder: the built embedding model lives in it."""
    return tmp_path_factory.mktemp("memory")


@pytest.fixture(scope="session", autouse=True)
def model_loaded_once(session_dir: Path) -> Iterator[None]:
    """All that embed with the session's built model share it and its tokenizer: loading them takes longer than most
    tests do."""
    read = cache(partial(built_model, session_dir / "models"))
    loaded = cache(lambda: SentenceModel(read(), source_folder() / "tokenizer.json", 1))

    def model_of(folder: Path, name: str = BUILT_IN) -> bytes:
        ours = folder == session_dir / "models" and name == BUILT_IN
        return read() if ours else built_model(folder, name)

    def load(model: bytes | Path, tokenizer: Path, threads: int) -> SentenceModel:
        ours = isinstance(model, bytes) and model is read()
        return loaded() if ours else SentenceModel(model, tokenizer, threads)

    tokenizer_read = cache(read_tokenizer)

    def tokenizer_of(path: Path) -> Tokenizer:
        return (tokenizer_read if path.parent == source_folder() else read_tokenizer)(path)

    with (
        patch.object(local, "built_model", model_of),
        patch.object(local, "SentenceModel", load),
        patch.object(local, "read_tokenizer", tokenizer_of),
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """All clients share their TLS contexts, which loopback HTTP does not use: a Gemini client makes three, and reading
    the certificates takes 0.05 s of processor time for each."""
    with patch.object(ssl, "create_default_context", cache(ssl.create_default_context)):
        yield


@pytest.fixture(scope="session")
def server_url(session_dir: Path, record_testsuite_property: Callable[[str, object], None]) -> Iterator[str]:
    """An administrator's URL of the session's server: the embedded one's programs, locale and settings, but it never
    flushes, which would cost every clone a tenth of a second."""
    with server(session_dir) as url:
        with psycopg.connect(url) as connection:
            record_testsuite_property("postgres", connection.info.parameter_status("server_version"))
        yield url


@contextmanager
def server(session_dir: Path) -> Generator[str]:
    """An administrator's URL of the server that the environment names, else of one like the embedded server."""
    if OWN_SERVER is not None:
        yield OWN_SERVER
    elif OLDEST_POSTGRES:
        with reachable_folder() as folder, running_oldest(Programs(folder)) as url:
            yield url
    else:
        programs = binaries_for(choose_account(session_dir / "unmade")).folder
        settings = [f"{name}={value}" for name, value in INITIAL_SETTINGS.items()]
        with running(programs, locale=LOCALE, settings=settings) as url:
            yield url


@pytest.fixture(scope="session")
def template(server_url: str) -> Iterator[str]:
    """The name of a migrated database, which is cloned for the tests."""
    name = f"memory_template_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f'create database "{name}"'.encode())
        password = service_password(server_url, Settings())
        migrate(make_conninfo(server_url, dbname=name), release="test", service_password=password)
        settle_template(libpq_url(server_url, name))
        yield name
        admin.execute(f'drop database "{name}" with (force)'.encode())


def settle_template(url: str) -> None:
    """Do once what the sessions of each clone would repeat: prune the rows of the catalog and set their hint bits, and
    write the file of cached relations. Tables of the service stay as they are: a planner that knows a table to be empty
    reads it in full."""
    catalog = (
        "select string_agg(oid::regclass::text, ', ') from pg_class where relkind = 'r' and relnamespace = 11"
    )
    with psycopg.connect(url, autocommit=True) as connection:
        ((tables,),) = connection.execute(catalog).fetchall()
        connection.execute(f"vacuum (freeze, analyze) {tables}".encode())
    psycopg.connect(url).close()


@pytest.fixture(scope="session")
def prototype(template: str) -> str:
    """The name of the database that `database_url` clones. A module whose tests need the same rows overrides it with a
    clone that was filled once."""
    return template


@contextmanager
def filled_by(
    write: Callable[[Memory], Awaitable[object]], server_url: str, template: str, session_dir: Path
) -> Generator[str]:
    """The name of a clone that `write` has filled, to be cloned in turn; dropped when the block ends."""

    async def fill(url: str) -> None:
        async with await Memory.open(settings_of(url, session_dir, session_dir), migrated=False) as memory:
            await write(memory)

    with cloned(server_url, template) as url:
        asyncio.run(fill(url))
        settle_template(url)
        yield str(conninfo_to_dict(url)["dbname"])


@contextmanager
def cloned(server_url: str, template: str) -> Generator[str]:
    """An administrator's URL of a fresh clone, dropped when the block ends."""
    with made_database(server_url, f' template "{template}" strategy file_copy') as url:
        yield url


@contextmanager
def empty_database(server_url: str) -> Generator[str]:
    """An administrator's URL of a database without anything in it, dropped when the block ends."""
    with made_database(server_url) as url:
        yield url


@contextmanager
def made_database(server_url: str, options: str = "") -> Generator[str]:
    name = f"memory_test_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f'create database "{name}"{options}'.encode())
        try:
            yield libpq_url(server_url, name)
        finally:
            admin.execute(f'drop database "{name}" with (force)'.encode())


@pytest.fixture(scope="session")
def shared_url(server_url: str, template: str, kept_pools: KeptPools) -> Iterator[str]:
    """The clone that all tests share which are marked with `changes_nothing`, with open connections to it: there may be
    an empty bank "anna"."""
    with cloned(server_url, template) as url:
        database = str(conninfo_to_dict(url)["dbname"])
        kept_pools.keep(database)
        yield url
        kept_pools.drop(database)


@pytest.fixture(scope="session")
async def kept_pools() -> AsyncIterator[KeptPools]:
    async with pools_kept() as kept:
        yield kept


@pytest.fixture(scope="session")
def reused(server_url: str, template: str, kept_pools: KeptPools) -> Iterator[ReusedDatabases]:
    """The database that tests use in turn, with open connections to it."""
    databases = ReusedDatabases(server_url, template, partial(libpq_url, server_url), kept_pools)
    yield databases
    databases.close()


@pytest.fixture
def database_url(
    request: pytest.FixtureRequest, server_url: str, template: str, prototype: str
) -> Iterator[str]:
    """An administrator's URL of a database as the template or the prototype is: one that tests use in turn, a clone for
    a test with the marker `own_database`, the shared one for a test that changes nothing."""
    if request.node.get_closest_marker("changes_nothing"):
        yield request.getfixturevalue("shared_url")
        return
    if prototype == template and not TWO_SERVERS and not request.node.get_closest_marker("own_database"):
        databases: ReusedDatabases = request.getfixturevalue("reused")
        failures = request.session.testsfailed
        yield databases.current().url
        if request.session.testsfailed == failures:
            databases.clean()
        else:
            databases.drop()
        return
    with cloned(server_url, prototype) as url:
        if TWO_SERVERS:
            share_slots(url, request.getfixturevalue("second_url"))
        yield url


def libpq_url(base: str, dbname: str) -> str:
    """`base` with another database, still as a URL."""
    head, _, query = base.partition("?")
    scheme, _, rest = head.partition("://")
    authority = rest.partition("/")[0]
    return f"{scheme}://{authority}/{dbname}" + (f"?{query}" if query else "")


@pytest.fixture(scope="session")
def second_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An administrator's URL of another server."""
    with server(tmp_path_factory.mktemp("second")) as url:
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute("create database migrated")
        migrate(libpq_url(url, "migrated"), release="test")
        settle_template(libpq_url(url, "migrated"))
        yield url


@pytest.fixture
def second_url(second_server: str) -> Iterator[str]:
    """An administrator's URL of a fresh database on the other server."""
    with cloned(second_server, "migrated") as url:
        yield url


@pytest.fixture
def admin(request: pytest.FixtureRequest, database_url: str, kept_pools: KeptPools) -> Iterator[Admin]:
    """A connection as administrator, which reads the rows of all banks."""
    with kept_pools.session(database_url) as connection:
        if TWO_SERVERS:
            with psycopg.connect(request.getfixturevalue("second_url"), autocommit=True) as second:
                yield cast("Admin", BothServers(connection, second))
        else:
            yield connection


def settings_of(database_url: str, data_dir: Path, erasure_ledger: Path) -> Settings:
    """Settings for a test's database, with short waits."""
    return Settings.model_validate(
        {
            "DATABASE_URL": database_url,
            "data_dir": data_dir,
            "erasure_ledger": erasure_ledger,
            "exchange_quiet_seconds": 0.2,
            "poll_seconds": 0.1,
            "pool_size": 4,
        }
    )


@pytest.fixture
def settings(database_url: str, session_dir: Path, tmp_path: Path) -> Settings:
    return settings_of(database_url, session_dir, tmp_path / "erasures")


@pytest.fixture
async def memory(settings: Settings) -> AsyncIterator[Memory]:
    """An open Memory on the test's database, logged in as the service."""
    opened = await Memory.open(settings, migrated=False)
    yield opened
    await opened.aclose()


@asynccontextmanager
async def at_work(*memories: Memory) -> AsyncGenerator[None]:
    """A worker in this process for each of these until the block ends."""
    stop = asyncio.Event()
    working = [asyncio.create_task(memory.work(stop)) for memory in memories]
    try:
        yield
        for one in working:
            if one.done():
                one.result()
    finally:
        stop.set()
        await asyncio.gather(*working)


async def until(true: Callable[[], Any], *, seconds: float = 60) -> Any:
    """Ask again, after ever longer pauses, until the answer, awaited where it is awaitable, is true; that answer."""
    pause = 0.02
    async with asyncio.timeout(seconds):
        while True:
            answer = true()
            if asyncio.iscoroutine(answer):
                answer = await answer
            if answer:
                return answer
            await asyncio.sleep(pause)
            pause = min(1.3 * pause, 0.1)


async def settle(memory: Memory, bank_id: str, *, seconds: float = 60) -> BankStats:
    """Work in this process until the bank has nothing left to decide or embed; its stats then."""

    async def settled() -> BankStats | None:
        stats = await memory.stats(bank_id)
        pending = stats["memories"].get("pending_embedding", 0)
        return None if stats["messages"]["pending"] or stats["queue"]["depth"] or pending else stats

    async with at_work(memory):
        return await until(settled, seconds=seconds)
