"""Analysts as attackers with a login: they read their banks in every view, and nothing else, and write nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb

from memory_service.db.analysts import AnalystRefused, grant_analyst, list_analysts, revoke_analyst
from memory_service.errors import InvalidInput, NotFound
from memory_service.sql_query import query_banks
from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection
from tests.db.test_catalog import column
from tests.isolation.victim import trace

BANKS = ("anna", "team:ben", "team:cleo")
VIEWS = "select oid::regclass from pg_class where relnamespace = 'analytics'::regnamespace and relkind = 'v'"
TABLES = (
    "select c.relname from pg_class c join pg_policy p on p.polrelid = c.oid "
    "and p.polname = c.relname || '_of_analyst' where not c.relispartition order by 1"
)

SEVERAL = ("job_run", "memory.audit_event")
"""Relations with rows about several banks or none."""

RUN = (
    "insert into memory.job_run (job_run_id, night_id, pass, bank_ids, as_of, started_at, ended_at, seconds, outcome, "
    "worker) values (gen_random_uuid(), gen_random_uuid(), 'merge', %s, now(), now(), now(), 1, 'done', 'w')"
)


@pytest.fixture
def filled(service: Connection, admin: Admin) -> None:
    """Two facts in conflict, an episode and a trace in each of BANKS; nightly runs for one bank and for several."""
    for banks in (["anna"], ["anna", "team:ben"], ["team:ben", "team:cleo"]):
        admin.execute(RUN.encode(), (banks,))
    for bank in BANKS:
        steps.create_bank(service, bank)
        _, lease = steps.remember(service, bank, summary=f"{bank} sails")
        steps.activate(service, bank, [lease], steps.unit_vector(0))
        one, other = (
            steps.fact(service, bank, f"{bank} {verb}.", at=START) for verb in ("sails", "never sails")
        )
        steps.conflict(service, bank, one, other)
        steps.rows(
            service, "record_traces", bank=bank, at=START,
            traces=Jsonb([trace() | {"trace_id": str(uuid.uuid4())}]),
        )  # fmt: skip


@pytest.fixture
def analyst(admin: Admin, database_url: str) -> Iterator[tuple[str, str]]:
    """A login without grants: its name, and its URL."""
    name = f"analyst_{uuid.uuid4().hex[:8]}"
    admin.execute(sql.SQL("create role {} login password 'tides'").format(sql.Identifier(name)))
    yield name, make_conninfo(database_url, user=name, password="tides")
    admin.execute(sql.SQL("drop owned by {}").format(sql.Identifier(name)))
    admin.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


def contents(connection: Admin, relation: str, banks: tuple[str, ...]) -> list[str]:
    """The rows of these banks, as text in order."""
    where = "bank_ids <@ %s::text[]" if relation.endswith(SEVERAL) else "bank_id = any (%s)"
    query = f"select t::text from {relation} t where {where} order by 1"
    return [str(row[0]) for row in connection.execute(query.encode(), (list(banks),)).fetchall()]


def everything(connection: Admin, relation: str) -> list[str]:
    return column(connection, f"select t::text from {relation} t order by 1")


@pytest.mark.parametrize(
    ("granted", "seen"),
    [
        (["anna"], ("anna",)),
        (["team:*"], ("team:ben", "team:cleo")),
        (["anna", "team:cleo"], ("anna", "team:cleo")),
        (["*"], BANKS),
    ],
)
def test_an_analyst_sees_the_rows_of_its_banks_in_every_relation(
    filled: None,
    analyst: tuple[str, str],
    admin: Admin,
    database_url: str,
    granted: list[str],
    seen: tuple[str, ...],
) -> None:
    name, url = analyst
    assert grant_analyst(database_url, name, granted).banks == granted
    relations = [*column(admin, VIEWS), *(f"memory.{table}" for table in column(admin, TABLES))]
    nonempty = 0
    with psycopg.connect(url, autocommit=True) as login:
        login.execute("set memory.bank_id = 'team:ben'")  # the service's choice of a bank
        login.execute("set memory.banks = '{*}'")
        for relation in relations:
            found = everything(login, relation)
            keys = "bank_ids::text" if relation.endswith(SEVERAL) else "bank_id"
            counts = f"select {keys}, count(*) from {relation} group by 1 order by 1"
            expected = [
                row for row in admin.execute(counts.encode()).fetchall()
                if {*str(row[0]).strip("{}").split(",")} <= {*seen}  # neither None nor {}
            ]  # fmt: skip
            assert login.execute(counts.encode()).fetchall() == expected, relation
            assert len(found) == sum(int(str(row[1])) for row in expected), relation
            nonempty += bool(found)
        assert nonempty >= 12
        mean = "select sum(facts), sum(contradictions) from analytics.contradiction_frequency"
        assert login.execute(mean.encode()).fetchone() == (2 * len(seen), len(seen))


def test_the_values_are_those_that_the_administrator_sees(
    filled: None, analyst: tuple[str, str], admin: Admin, database_url: str
) -> None:
    name, url = analyst
    grant_analyst(database_url, name, ["team:*"])
    with psycopg.connect(url, autocommit=True) as login:
        for relation in column(admin, VIEWS):
            if relation != "analytics.fact":  # its confidence decays between two queries
                assert everything(login, relation) == contents(admin, relation, BANKS[1:]), relation
        facts = "select fact, subject, contradictions, unconfirmed, version_history from analytics.fact "
        assert (
            login.execute((facts + "order by 1").encode()).fetchall()
            == admin.execute((facts + "where bank_id like 'team:%' order by 1").encode()).fetchall()
        )


def test_without_grants_no_row_is_visible(
    filled: None, analyst: tuple[str, str], admin: Admin, database_url: str
) -> None:
    name, url = analyst
    grant_analyst(database_url, name, ["anna"])
    with psycopg.connect(url, autocommit=True) as login:
        assert everything(login, "memory.bank")
        revoke_analyst(database_url, name, ["anna"])
        assert everything(login, "memory.bank") == []  # from the next statement on
        assert [(one.role, one.banks) for one in list_analysts(database_url) if one.role == name] == [
            (name, [])
        ]
        revoke_analyst(database_url, name)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            login.execute("select from analytics.fact")
    with pytest.raises(AnalystRefused, match="no grants"):
        revoke_analyst(database_url, name)
    acts = "select action, subjects from analytics.audit where action like 'analyst%' order by audit_id"
    assert admin.execute(acts.encode()).fetchall() == [
        ("analyst_granted", [name, "anna"]),
        ("analyst_revoked", [name, "anna"]),
        ("analyst_revoked", [name, "*"]),
    ]


ATTACKS = (
    "insert into memory.analyst_grant values (current_user, '*', now())",
    "update memory.analyst_grant set banks = '*'",
    "delete from memory.bank",
    "update memory.semantic_memory set fact = ''",
    "insert into memory.bank (bank_id) values ('mine')",
    "truncate memory.message",
    "update analytics.fact set fact = ''",
    "delete from analytics.episode_version",
    "select from memory.api_key",
    "select from memory.idempotency_key",
    "select from memory.work",
    "select from memory.upkeep",
    "select from memory.memory_vector_00",
    "select from memory.alembic_version",
    "select memory_api.bank_stats('team:ben')",
    "select memory_internal.enter_bank('team:ben')",
    "select from memory_api.fact_item",
    "create table public.mine ()",
    "create table memory.mine ()",
    "create view analytics.mine as select 1",
    "create function memory_internal.mine() returns int language sql as 'select 1'",
    "create schema mine",
    "create role other",
    "set role memory_owner",
    "set role memory_service",
    "set role memory_analyst",
    "set role memory_reader",
    "set session authorization memory_owner",
    "grant memory_owner to current_user",
    "alter table memory.bank disable row level security",
    "drop policy bank_of_analyst on memory.bank",
    "copy memory.bank to program 'true'",
    "copy memory.bank from program 'true'",
    "select pg_read_file('/etc/hostname')",
    "select lo_import('/etc/hostname')",
    "select query from pg_stat_statements",
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_writes_roles_functions_and_files_are_closed(
    analyst: tuple[str, str], service: Connection, database_url: str, attack: str
) -> None:
    name, url = analyst
    steps.create_bank(service, "team:ben")
    grant_analyst(database_url, name, ["other:*"])
    with psycopg.connect(url, autocommit=True) as login:
        login.execute("set row_security = on")
        refused = (psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedTable, psycopg.errors.WrongObjectType,
                   psycopg.errors.ObjectNotInPrerequisiteState)  # fmt: skip
        with pytest.raises(refused):
            login.execute(attack.encode())


def test_objects_of_the_session_do_not_stand_in_for_those_of_the_policies(
    filled: None, analyst: tuple[str, str], database_url: str
) -> None:
    name, url = analyst
    grant_analyst(database_url, name, ["anna"])
    with psycopg.connect(url, autocommit=True) as login:
        login.execute(
            "create temp table analyst_grant as select current_user::text as role_name, '*' as banks"
        )
        login.execute(
            "create function pg_temp.starts_with(text, text) returns boolean language sql as 'select true'"
        )
        login.execute(
            "create function pg_temp.texteq(text, text) returns boolean language sql as 'select true'"
        )
        login.execute(
            "create operator pg_temp.= (leftarg = text, rightarg = text, function = pg_temp.texteq)"
        )
        login.execute("set search_path = pg_temp, memory, pg_catalog, public")
        assert column(login, "select bank_id from memory.bank") == ["anna"]
        # a cheap function that reports every row that it is applied to, before the policy
        login.execute(
            "create function pg_temp.leak(text) returns boolean cost 0.0000001 language plpgsql as "
            "$$ begin if $1 <> 'anna' then raise 'leaked %', $1; end if; return true; end $$"
        )
        assert column(login, "select bank_id from memory.bank where pg_temp.leak(bank_id)") == ["anna"]
        login.execute("set row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            login.execute("select from memory.bank")


@pytest.mark.parametrize(
    ("rights", "reason"),
    [("superuser", "superuser"), ("bypassrls", "BYPASSRLS"), ("in role memory_service", "member of memory_"),
     ("in role pg_read_all_data", "pg_read_all_data"), ("createrole", "create roles")],
)  # fmt: skip
def test_a_role_that_grants_would_not_limit_is_refused(
    admin: Admin, database_url: str, rights: str, reason: str
) -> None:
    name = f"strong_{uuid.uuid4().hex[:8]}"
    admin.execute(f"create role {name} login {rights}".encode())
    try:
        with pytest.raises(AnalystRefused, match=reason):
            grant_analyst(database_url, name, ["*"])
    finally:
        admin.execute(f"drop role {name}".encode())


def test_unknown_roles_and_banks_are_refused(analyst: tuple[str, str], database_url: str) -> None:
    name, _ = analyst
    with pytest.raises(AnalystRefused, match="no bank nobody"):
        grant_analyst(database_url, name, ["nobody"])
    with pytest.raises(AnalystRefused, match="no role"):
        grant_analyst(database_url, "no one's", ["*"])
    with pytest.raises(AnalystRefused, match="is a role of the service"):
        grant_analyst(database_url, "memory_analyst", ["*"])


def test_a_query_sees_exactly_the_named_banks(filled: None, login: str) -> None:
    def banks_of(*banks: str) -> list[str | None]:
        found = query_banks(
            login, "select bank_id from analytics.fact group by 1 order by 1;", banks, seconds=60
        )
        return [row[0] for row in found.rows]

    assert banks_of("anna") == ["anna"]
    assert banks_of("team:*") == ["team:ben", "team:cleo"]
    assert banks_of("anna", "team:cleo") == ["anna", "team:cleo"]
    assert banks_of("*") == list(BANKS)
    for unknown in ("nobody", "nobody:*", "team:%"):
        with pytest.raises(NotFound, match="there is no bank"):
            banks_of("anna", unknown)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("select 1; select 2", "multiple commands"),
        ("commit; delete from memory.bank", "multiple commands"),
        ("delete from memory.bank", "permission denied|read-only"),
        ("do $$ begin reset role; delete from memory.memory_vector; end $$", "read-only"),
        ("do $$ begin set transaction_read_only = off; end $$", "read-write"),
        ("select memory_api.create_bank('mine')", "permission denied"),
        ("select pg_sleep(60)", "longer than 0.2 s"),
        ("set memory.banks = '{*}'", "returns no rows"),
        ("selec 1", "syntax error"),
        ("", "returns no rows"),
    ],
)
def test_a_query_that_is_none_is_refused(filled: None, login: str, query: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        query_banks(login, query, ["*"], seconds=0.2)


def test_values_keep_their_types_in_json(login: str) -> None:
    query = "select 1 as a, 0.5 as b, true as c, null as d, '{\"x\": 1}'::jsonb as e, 'NaN'::float8 as f, 't' as g"
    (record,) = query_banks(login, query, ["*"], seconds=60).records()
    assert record == {"a": 1, "b": 0.5, "c": True, "d": None, "e": {"x": 1}, "f": "NaN", "g": "t"}
