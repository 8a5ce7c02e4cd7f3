"""What the catalog of a migrated database must look like, whatever the next migration adds."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from tests.conftest import Admin
from tests.db.steps import SCHEMA_OF, Connection

DB = Path(__file__).resolve().parents[2] / "db"
STORE = DB.parent / "memory_service" / "store"
OURS = (
    "('memory'::regnamespace, 'memory_api'::regnamespace, 'memory_internal'::regnamespace, "
    "'analytics'::regnamespace)"
)
ROLES = "array['memory_owner', 'memory_service', 'memory_analyst', 'memory_reader']::regrole[]"
FUNCTIONS = "('memory_api'::regnamespace, 'memory_internal'::regnamespace)"
AREAS = sorted(folder.name for folder in (DB / "functions").iterdir())
SHARED = {
    "installation",
    "embedding_model",
    "alembic_version",
    "job_run",
    "api_key",
    "rate_limit",
    "audit_event",
    "analyst_grant",
    "metric",
    "erasure_secret",
    "server",
    "server_slot",
    "server_map",
    "bank_place",
    "bank_fence",
}
"""Tables that say nothing of any bank, or that are about several."""


def column(connection: Admin, query: str) -> list[str]:
    """The first column of a catalog query as text."""
    return [str(row[0]) for row in connection.execute(query.encode()).fetchall()]


def test_functions_are_the_files_one_overload_each(admin: Admin) -> None:
    names = column(admin, f"select proname from pg_proc where pronamespace in {FUNCTIONS} order by proname")
    assert names == sorted(file.stem for file in (DB / "functions").glob("*/*.sql"))


def test_public_functions_are_those_that_store_and_doctor_call() -> None:
    public = {name for name, schema in SCHEMA_OF.items() if schema == "memory_api"}
    calls = "\n".join(file.read_text() for file in (*STORE.glob("*.py"), STORE.parent / "doctor.py"))
    assert public == {name for name in re.findall(r"memory_api\.(\w+)", calls) if name in SCHEMA_OF}


@pytest.mark.parametrize(("schema", "folder"), [("memory_api", "views"), ("analytics", "views/analytics")])
def test_views_are_the_files(admin: Admin, schema: str, folder: str) -> None:
    names = column(admin, f"select viewname from pg_views where schemaname = '{schema}' order by 1")
    assert names == sorted(file.stem for file in (DB / folder).glob("*.sql"))


def test_views_for_people_say_what_they_and_their_columns_mean(admin: Admin) -> None:
    silent = column(
        admin,
        """
        select c.relname || coalesce('.' || a.attname, '')
          from pg_class c
          left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
         where c.relnamespace = 'analytics'::regnamespace and c.relkind = 'v'
           and (coalesce(obj_description(c.oid, 'pg_class'), '') = ''
                or coalesce(col_description(c.oid, a.attnum), '') = '')
        """,
    )
    assert silent == []


@pytest.mark.parametrize(
    ("kind", "schema", "folder"),
    [*(("function", "(memory_api|memory_internal)", f"functions/{area}") for area in AREAS),
     ("view", "memory_api", "views"),
     ("view", "analytics", "views/analytics")],
)  # fmt: skip
def test_a_file_holds_one_object(kind: str, schema: str, folder: str) -> None:
    for file in (DB / folder).glob("*.sql"):
        lines = [line for line in file.read_text().splitlines() if line.startswith("create")]
        assert len(lines) == 1, file.name
        assert re.match(rf"create or replace {kind} {schema}\.{file.stem}\b", lines[0]), file.name


def test_there_is_one_alembic_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(DB))
    assert len(ScriptDirectory.from_config(config).get_heads()) == 1


def test_tables_do_not_depend_on_functions(admin: Admin) -> None:
    """pg_depend records every default, check, index, policy and rule that uses a function or view."""
    found = column(
        admin,
        """
        select distinct pg_describe_object(d.classid, d.objid, d.objsubid)
          from pg_depend d
         where (d.refclassid = 'pg_proc'::regclass and d.refobjid in
                   (select oid from pg_proc where pronamespace::regnamespace::text in ('memory_api', 'memory_internal'))
             or d.refclassid in ('pg_class'::regclass, 'pg_type'::regclass) and d.refobjid in
                   (select oid from pg_class where relnamespace::regnamespace::text in ('memory_api', 'memory_internal')
                    union all
                    select oid from pg_type
                     where typnamespace::regnamespace::text in ('memory_api', 'memory_internal')))
           and d.deptype <> 'i'
           and not (d.classid = 'pg_proc'::regclass and d.objid in
                   (select oid from pg_proc
                     where pronamespace::regnamespace::text in ('memory_api', 'memory_internal')))
           and not (d.classid = 'pg_type'::regclass and d.objid in
                   (select oid from pg_type
                     where typnamespace::regnamespace::text in ('memory_api', 'memory_internal')))
           and not (d.classid = 'pg_rewrite'::regclass and d.objid in
                   (select r.oid from pg_rewrite r join pg_class c on c.oid = r.ev_class
                     where c.relnamespace in ('memory_api'::regnamespace, 'analytics'::regnamespace)))
        """,
    )
    assert found == []


@pytest.mark.own_database
def test_the_functions_can_be_dropped_without_the_tables(admin: Admin) -> None:
    before = column(admin, "select count(*) from pg_class where relnamespace = 'memory'::regnamespace")
    admin.execute("drop schema memory_api, memory_internal cascade")
    assert before == column(
        admin, "select count(*) from pg_class where relnamespace = 'memory'::regnamespace"
    )


def test_every_bank_table_is_secured_by_a_policy(admin: Admin) -> None:
    """Except for `work` and `upkeep`: they have ids only, and only their owner may read them."""
    unsecured = column(
        admin,
        """
        select c.relname
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'bank_id'
         where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and not (c.relrowsecurity and exists (
               select from pg_policy p
                where p.polrelid = c.oid and p.polcmd = '*'
                  and pg_get_expr(p.polqual, c.oid) like '%bank_id = NULLIF(current_setting(%memory.bank_id%'))
        """,
    )
    assert sorted(unsecured) == ["upkeep", "work"]


def test_tables_without_a_bank_are_few_and_known(admin: Admin) -> None:
    found = column(
        admin,
        """
        select c.relname from pg_class c
         where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p')
           and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'bank_id')
        """,
    )
    assert set(found) == SHARED


def test_a_policy_admits_the_named_bank_alone(admin: Admin) -> None:
    """One policy a role: a second permissive one would widen the first, and so would one of all roles."""
    crowded = column(
        admin,
        "select polrelid::regclass from pg_policy cross join unnest(polroles) as r (role) "
        "group by polrelid, role having count(*) > 1 or role = 0",
    )
    assert crowded == []


def test_readers_have_a_policy_for_reading_on_each_table_of_banks(admin: Admin) -> None:
    """`memory_analyst` and `memory_reader`; the answers kept for repeated requests are the service's own."""
    for role in ("analyst", "reader"):
        unread = column(
            admin,
            f"""
            select c.relname
              from pg_policy p join pg_class c on c.oid = p.polrelid
             where p.polname = c.relname || '_of_named_bank' and not exists (
                   select from pg_policy q
                    where q.polrelid = c.oid and q.polcmd = 'r' and q.polroles = array['memory_{role}'::regrole::oid])
            """,
        )
        assert unread == ["idempotency_key"]


def test_readers_have_no_right_but_to_read(admin: Admin) -> None:
    found = column(
        admin,
        f"""
        select c.oid::regclass || ' ' || a.privilege_type
          from pg_class c, aclexplode(c.relacl) as a
         where c.relnamespace in {OURS} and a.grantee in ('memory_analyst'::regrole, 'memory_reader'::regrole)
           and (a.privilege_type <> 'SELECT' or c.relnamespace = 'memory'::regnamespace and not c.relrowsecurity)
        union all
        select p.oid::regprocedure::text
          from pg_proc p
         where p.pronamespace in {OURS} and p.prosecdef
           and (has_function_privilege('memory_analyst', p.oid, 'execute')
                or has_function_privilege('memory_reader', p.oid, 'execute'))
        """,
    )
    assert found == []


def test_partitions_are_secured_and_granted_to_nobody(admin: Admin) -> None:
    partitions = admin.execute(
        """
        select c.relname, c.relrowsecurity, has_any_column_privilege('memory_service', c.oid, 'select')
            or has_table_privilege('memory_service', c.oid, 'insert, update, delete, truncate')
          from pg_class c
         where c.relnamespace = 'memory'::regnamespace and c.relispartition and c.relkind = 'r'
        """
    ).fetchall()
    assert len(partitions) == 3 * 16
    assert {row[1:] for row in partitions} == {(True, False)}


def test_the_bank_leads_every_key(admin: Admin) -> None:
    """The first column of all primary, unique and foreign keys of a table with a bank is `bank_id`."""
    indexes = column(
        admin,
        """
        select i.indexrelid::regclass
          from pg_index i
          join pg_class c on c.oid = i.indrelid
          join pg_attribute b on b.attrelid = c.oid and b.attname = 'bank_id'
         where c.relnamespace = 'memory'::regnamespace and i.indisunique and i.indkey[0] <> b.attnum
        """,
    )
    foreign_keys = column(
        admin,
        """
        select n.conname
          from pg_constraint n
          join pg_attribute b on b.attrelid = n.confrelid and b.attname = 'bank_id'
         where n.connamespace = 'memory'::regnamespace and n.contype = 'f' and n.confkey[1] <> b.attnum
        """,
    )
    assert indexes + foreign_keys == []


def test_every_bank_table_has_a_primary_key(admin: Admin) -> None:
    keyless = column(
        admin,
        """
        select c.relname from pg_class c
         where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p')
           and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)
        """,
    )
    assert keyless == []


def test_there_are_no_triggers(admin: Admin) -> None:
    assert column(admin, "select tgname from pg_trigger where not tgisinternal") == []


def test_definer_functions_have_a_fixed_search_path(admin: Admin) -> None:
    """pg_temp last: else a caller's temporary table would stand in for a catalog's."""
    loose = column(
        admin,
        """
        select p.oid::regprocedure
          from pg_proc p
         where p.pronamespace::regnamespace::text in ('memory_api', 'memory_internal') and p.prosecdef
           and not exists (select from unnest(p.proconfig) as c
                            where c ~ '^search_path=pg_catalog(, public)?, pg_temp$')
        """,
    )
    assert loose == []


def test_everything_belongs_to_the_owner_role(admin: Admin) -> None:
    foreign = column(
        admin,
        f"""
        select p.oid::regprocedure::text from pg_proc p
         where p.pronamespace in {OURS} and p.proowner <> 'memory_owner'::regrole
        union all
        select c.oid::regclass::text from pg_class c
         where c.relnamespace in {OURS} and c.relowner <> 'memory_owner'::regrole
        union all
        select n.nspname from pg_namespace n
         where n.oid in {OURS} and n.nspowner <> 'memory_owner'::regrole
        """,
    )
    assert foreign == []


def test_the_owner_cannot_log_in_and_is_not_forced(admin: Admin) -> None:
    """Row security is not forced: search functions run as the owner, with the bank in their predicate (docs/design.md,
    "Promises")."""
    assert column(admin, "select rolcanlogin or rolsuper from pg_roles where rolname = 'memory_owner'") == [
        "False"
    ]
    assert column(admin, "select relname from pg_class where relforcerowsecurity") == []


def test_the_service_has_no_special_rights(admin: Admin) -> None:
    rights = "rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication"
    assert column(admin, f"select {rights} from pg_roles where rolname = 'memory_service'") == ["False"]
    member = "from pg_auth_members where member = 'memory_service'::regrole"
    assert column(admin, f"select concat_ws(' ', roleid::regrole, inherit_option) {member}") == [
        "memory_reader f"
    ]


def test_the_service_creates_no_objects_in_any_schema(admin: Admin) -> None:
    schemas = "select nspname from pg_namespace where has_schema_privilege('memory_service', oid, 'create')"
    assert [name for name in column(admin, schemas) if not name.startswith("pg_temp")] == []
    creates = "select has_database_privilege('memory_service', current_database(), 'create')"
    assert column(admin, creates) == ["False"]


@pytest.mark.parametrize("table", ["work", "upkeep", "alembic_version", "memory_vector_00", "memory_text_15"])
@pytest.mark.parametrize("statement", ["select from {}", "delete from {}", "truncate {}"])
def test_the_service_reaches_the_queue_and_partitions_through_functions_only(
    service: Connection, table: str, statement: str
) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        service.execute(statement.format(f"memory.{table}").encode())


def test_the_service_cannot_switch_row_security_off(service: Connection) -> None:
    service.execute("set row_security = off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        service.execute("select from memory.bank")


def test_nobody_else_may_call_the_functions(admin: Admin) -> None:
    """No grant to `public`, on functions, tables or schemas, and no default that would give one."""
    open_functions = column(
        admin,
        """
        select p.oid::regprocedure
          from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
         where p.pronamespace::regnamespace::text in ('memory_api', 'memory_internal') and a.grantee = 0
        """,
    )
    open_relations = column(
        admin,
        f"""
        select c.oid::regclass from pg_class c, aclexplode(c.relacl) as a
         where c.relnamespace in {OURS} and a.grantee <> all ({ROLES})
        """,
    )
    open_schemas = column(
        admin,
        f"""
        select n.nspname from pg_namespace n, aclexplode(n.nspacl) as a
         where n.oid in {OURS} and a.grantee <> all ({ROLES})
        """,
    )
    assert open_functions + open_relations + open_schemas == []


def test_views_run_with_the_rights_of_who_asks(admin: Admin) -> None:
    """A view of the owner's would step around row security."""
    own = column(
        admin,
        """
        select oid::regclass from pg_class
         where relnamespace in ('memory_api'::regnamespace, 'analytics'::regnamespace) and relkind = 'v'
           and not coalesce(reloptions::text[], '{}') @> array['security_invoker=true']
        """,
    )
    assert own == []


def test_checks_and_keys_are_named_after_their_table(admin: Admin) -> None:
    """Errors and plan tests refer to the names, so they are given on purpose."""
    strange = column(
        admin,
        """
        select n.conname
          from pg_constraint n join pg_class c on c.oid = n.conrelid
         where n.connamespace = 'memory'::regnamespace and n.contype <> 'n' and not c.relispartition
           and n.conname not like c.relname || '\\_%' and c.relname <> 'alembic_version'
        """,
    )
    assert strange == []
