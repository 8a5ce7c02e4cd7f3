"""db/citus.sql against functions with the signatures of those of Citus, which is not installed here; and the rules that
it relies on."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import Admin
from tests.placement.test_placement_rules import NULL_BANKS

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "db" / "citus.sql").read_bytes()
STORE = sorted((ROOT / "memory_service" / "store").glob("*.py"))
CITUS = """
create table pg_dist_partition (logicalrelid regclass);
create table called (function text, distributed text, beside text);
create function create_distributed_table(
    table_name regclass, distribution_column text, distribution_type text default 'hash',
    colocate_with text default 'default', shard_count integer default null) returns void
language sql as $$
    insert into pg_dist_partition values (table_name);
    insert into called values (table_name::text, distribution_column, colocate_with);
$$;
create function create_distributed_function(
    function_name regprocedure, distribution_arg_name text default null, colocate_with text default 'default',
    force_delegation bool default null) returns void
language sql called on null input as $$
    insert into called values (function_name::text, distribution_arg_name, colocate_with);
$$;
"""
TABLE = ("memory_citus.bank", "bank", "none")


def distributed(admin: Admin) -> list[tuple[str, ...]]:
    with admin.transaction():
        admin.execute("truncate called")
        admin.execute(SCRIPT)
    return admin.execute("select * from called order by beside desc, 1").fetchall()  # type: ignore[return-value]


@pytest.mark.own_database
def test_functions_about_a_bank_are_distributed_by_it(admin: Admin) -> None:
    admin.execute(CITUS.encode())
    table, *functions = distributed(admin)
    assert table == TABLE
    found = admin.execute(
        "select p.oid::regprocedure::text, p.proname from pg_proc p "
        "where p.pronamespace = 'memory_api'::regnamespace and 'bank' = any (p.proargnames)"
    ).fetchall()
    about = {str(signature) for signature, name in found if name not in NULL_BANKS | {"lock_place"}}
    assert len(about) > 100
    assert {signature for signature, *_ in functions} == about
    assert {tuple(rest) for _, *rest in functions} == {("bank", "memory_citus.bank")}
    assert distributed(admin) == functions  # again after a migration


def nullable_calls(source: str) -> set[tuple[str, str]]:
    """Calls of memory_api with a bank that may be null by its parameter's annotation, as function and expression."""
    found: set[tuple[str, str]] = set()
    for scope in ast.walk(ast.parse(source)):
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        every = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)
        nullable = {one.arg for one in every if one.annotation and "None" in ast.unparse(one.annotation)}
        for call in ast.walk(scope):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            name = next((str(one.value) for one in call.args if isinstance(one, ast.Constant)), "")
            for given in call.keywords:
                if name.startswith("memory_api.") and given.arg == "bank":
                    value = ast.unparse(given.value)
                    if value in nullable or value == "None":
                        found.add((name.removeprefix("memory_api."), value))
    return found


def test_no_null_reaches_a_bank_by_which_calls_are_distributed() -> None:
    found = {name for file in STORE for name, _ in nullable_calls(file.read_text())}
    assert "list_dead_work" in found
    assert found <= NULL_BANKS


def test_a_bank_that_may_be_null_is_found() -> None:
    source = 'def f(self, bank: str | None):\n    self.rows("memory_api.list_facts", bank=bank)\n'
    assert nullable_calls(source) == {("list_facts", "bank")}
