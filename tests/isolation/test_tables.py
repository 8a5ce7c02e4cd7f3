"""Every table and view, for one bank: no row of another is read, counted, changed or added."""

from __future__ import annotations

import re
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from memory_service.db.analysts import grant_analyst
from tests.conftest import Admin
from tests.db.steps import Connection
from tests.db.test_catalog import column as column_of
from tests.isolation.rows import UUID, digests_of, install, rows_of, tables_of
from tests.isolation.victim import SECRET, enter, fill, within

pytestmark = [
    pytest.mark.one_server("its schema and its two banks are in one database"),
    pytest.mark.own_database,
]

REFUSED = psycopg.errors.InsufficientPrivilege
TABLES = (
    "select oid::regclass from pg_class where relnamespace = 'memory'::regnamespace and relkind in ('r', 'p')"
)
VIEWS = """
select oid::regclass from pg_class
 where relnamespace in ('analytics'::regnamespace, 'memory_api'::regnamespace) and relkind = 'v'
"""
DECAYING = re.compile(r"0\.\d{6,}")
READERS = ("service", "reader", "analyst")


@pytest.fixture
def marks(admin: Admin, service: Connection) -> set[str]:
    """What would show the bank b: its ids and text. Beside it there is a bank a; each has a row in every table."""
    install(admin)
    for bank, text in (("b", SECRET), ("a", "sparrows")):
        fill(service, bank, text, conversation=f"{text}talk", client_id=f"{text}client", key=f"{text}key")
    return {SECRET, *UUID.findall(str(rows_of(admin, "b")))} - {*UUID.findall(str(rows_of(admin, "a")))}


@pytest.fixture
def analyst(admin: Admin, database_url: str, marks: set[str]) -> Iterator[str]:
    """The URL of a login that may read the bank a."""
    name = sql.Identifier(f"analyst_{uuid.uuid4().hex[:8]}")
    admin.execute(sql.SQL("create role {} login password 'tides'").format(name))
    plain = name.as_string().strip('"')
    grant_analyst(database_url, plain, ["a"])
    yield make_conninfo(database_url, user=plain, password="tides")
    admin.execute(sql.SQL("drop owned by {}").format(name))
    admin.execute(sql.SQL("drop role {}").format(name))


@contextmanager
def reading(who: str, login: str, analyst: str) -> Generator[Connection]:
    """A transaction of one who reads the bank a, rolled back."""
    url = analyst if who == "analyst" else login
    with psycopg.connect(url, autocommit=True) as connection, connection.transaction(force_rollback=True):
        if who == "service":
            enter(connection, "a")
        if who == "reader":
            connection.execute("set local memory.banks = '{a}'")
            connection.execute("set local role memory_reader")
        yield connection


def shown(connection: Connection, relation: str) -> list[str] | None:
    """The rows of a relation; None where it may not be read."""
    with suppress(REFUSED), connection.transaction():
        return [row[0] for row in connection.execute(f"select t::text from {relation} t order by 1".encode())]
    return None


def test_both_banks_have_a_row_in_every_table(admin: Admin, marks: set[str]) -> None:
    """Else the tests below would prove nothing about a table that a later migration adds."""
    for bank in ("a", "b"):
        assert {name for name, _ in rows_of(admin, bank)} == {table.name for table in tables_of(admin)}, bank


@pytest.mark.parametrize("who", READERS)
def test_no_table_or_view_shows_another_bank(
    admin: Admin, login: str, analyst: str, marks: set[str], who: str
) -> None:
    read = 0
    with reading(who, login, analyst) as connection:
        for relation in column_of(admin, f"{TABLES} union all {VIEWS}"):
            rows = shown(connection, relation)
            assert not [mark for mark in marks if mark in str(rows)], relation
            read += bool(rows)
    assert read > 30


@pytest.mark.parametrize("who", READERS)
def test_no_view_counts_another_bank(
    admin: Admin, login: str, analyst: str, marks: set[str], who: str
) -> None:
    """The rows of each view are the same when the other bank is taken out. Rounded: confidence decays meanwhile."""

    def views() -> dict[str, list[str] | None]:
        with reading(who, login, analyst) as connection:
            found = {view: shown(connection, view) for view in column_of(admin, VIEWS)}
        return {view: rows and [DECAYING.sub("", row) for row in rows] for view, rows in found.items()}

    beside = views()
    assert who == "service" or not [view for view, rows in beside.items() if rows == []]
    admin.execute("select isolation.take_out('b')")
    assert views() == beside


def test_without_a_bank_the_service_sees_none(service: Connection, admin: Admin, marks: set[str]) -> None:
    for relation in column_of(admin, f"{TABLES} union all {VIEWS}"):
        text = str(shown(service, relation))
        assert SECRET not in text, relation
        assert "sparrows" not in text, relation


@pytest.mark.parametrize("bank", ["a", None])
def test_no_statement_changes_another_bank(
    service: Connection, admin: Admin, marks: set[str], bank: str | None
) -> None:
    before = digests_of(admin, "b")
    for table in tables_of(admin):
        column = "bank_ids" if table.several else "bank_id"
        for statement in (
            f"update memory.{table.name} t set {column} = {column}",
            f"delete from memory.{table.name} t",
        ):
            of_b = table.condition("'b'")
            for query in (f"{statement} where {of_b}", statement):
                with service.transaction(force_rollback=True):
                    if bank is not None:
                        enter(service, bank)
                    with suppress(REFUSED, psycopg.errors.ForeignKeyViolation), service.transaction():
                        changed = service.execute(query.encode()).rowcount
                        assert not changed or (query == statement and bank is not None), query
                    assert digests_of(service, "b") == before, query


def test_no_row_is_added_or_moved_to_another_bank(service: Connection, admin: Admin, marks: set[str]) -> None:
    """Each row of the bank b once more, and each row of the bank a with the name of b."""
    admin.execute("select isolation.take_out('b')")  # a row that exists would be refused as a duplicate
    for table in tables_of(admin):
        ((row,),) = admin.execute(
            f"select to_jsonb(t)::text from isolation.{table.name} t limit 1".encode()
        ).fetchall()
        insert = (
            f"insert into memory.{table.name} ({table.columns}) overriding system value "
            f"select {table.columns} from jsonb_populate_record(null::memory.{table.name}, %(row)s)"
        )
        column, value = ("bank_ids", "array['b']") if table.several else ("bank_id", "'b'")
        move = f"update memory.{table.name} set {column} = {value}"
        for statement in (insert, move):
            with pytest.raises(REFUSED):
                within(service, "a", statement, {"row": row})
